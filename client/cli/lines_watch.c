/*
 * lines_watch.c - prints what happens in a room, as sentences or as JSON lines.
 */
#include "client/cli/lines_watch.h"

#include "client/cli/print.h"
#include "client/model/memory.h"
#include "client/model/narrate.h"
#include "client/net/watch_uv.h"
#include "proto/rpc.h"

#define PLAIN_TEXT_BYTES (1u << 20)

struct plain {
	struct visit *visit;
	const struct lines_wish *wish;
	struct narrate told;
	bool was_lost;
	bool was_waiting;
	bool is_fulfilled;
	int code; /* what went wrong here */
};

static bool plain_print(struct plain *p, struct buf *text)
{
	bool is_fine = memory_check(text->error) == OK;
	if (is_fine && text->len > 0) {
		is_fine = print_line("%.*s", (int)text->len - 1, text->data);
	}
	p->code = is_fine ? p->code : EXIT_BROKEN;
	return is_fine;
}

/* Whether it goes on. */
static bool plain_tell(struct plain *p, const struct replica *r)
{
	struct buf text;
	if (p->wish->is_quiet || p->visit->cli->is_json || !r->has_state) {
		return true;
	}
	buf_init(&text, PLAIN_TEXT_BYTES);
	narrate_update(&p->told, r, &text);
	bool is_fine = plain_print(p, &text);
	buf_finish(&text);
	return is_fine;
}

/* Whether it goes on. */
static bool plain_warn(struct plain *p, const struct membership *a)
{
	struct buf text;
	if (p->wish->is_quiet || p->visit->cli->is_json) {
		return true;
	}
	buf_init(&text, PLAIN_TEXT_BYTES);
	narrate_expiring(a->expires_in_ms, &text);
	bool is_fine = plain_print(p, &text);
	buf_finish(&text);
	return is_fine;
}

static bool plain_tell_result(struct plain *p, const struct replica *r)
{
	struct buf text;
	buf_init(&text, PLAIN_TEXT_BYTES);
	narrate_result(r, &text);
	bool is_fine = plain_print(p, &text);
	buf_finish(&text);
	return is_fine;
}

/* What only we are told: the lobby, nudges, reactions. Whether it goes on. */
static bool plain_tell_signals(struct plain *p, const struct membership *a, unsigned news)
{
	bool is_fine = true;
	bool is_waiting = a->room.you.is_waiting;
	if (p->wish->is_quiet || p->visit->cli->is_json) {
		return true;
	}
	if (is_waiting != p->was_waiting) {
		is_fine = print_line("%s", is_waiting
						   ? "You are in the lobby until a host admits you."
						   : "You were admitted.");
		p->was_waiting = is_waiting;
	}
	if (is_fine && (news & MEMBERSHIP_NEWS_NUDGED) != 0) {
		is_fine = print_line("%s waits for your vote.",
				     a->nudged_by[0] == '\0' ? "Somebody" : a->nudged_by);
	}
	if (is_fine && (news & MEMBERSHIP_NEWS_REACTION) != 0) {
		const struct user_view *m = replica_member(&a->room, a->reaction_user_id);
		is_fine = print_line("%s: %s",
				     m == NULL || m->username.data == NULL ? "Somebody"
									   : m->username.data,
				     a->reaction_word);
	}
	p->code = is_fine ? p->code : EXIT_BROKEN;
	return is_fine;
}

/* Whether what was wished for has come true. */
static bool plain_is_fulfilled(struct plain *p, const struct membership *a)
{
	bool is_voted = a->vote.is_wanted == false;
	if (p->wish->until_voted) {
		return is_voted;
	}
	if (!p->wish->until_revealed || !is_voted || !a->room.room.is_revealed) {
		return false;
	}
	if (!p->visit->cli->is_json) {
		(void)plain_tell_result(p, &a->room);
	}
	return true;
}

static bool plain_on_news(void *owner, struct membership *a, unsigned news)
{
	struct plain *p = owner;
	if (p->wish->name != NULL &&
	    (news & (MEMBERSHIP_NEWS_SEAT | MEMBERSHIP_NEWS_JOINED)) != 0) {
		visit_keep_seat(p->visit, NULL, p->wish->name, a->user_key);
	}
	if ((news & MEMBERSHIP_NEWS_REFUSED) != 0 && (news & MEMBERSHIP_NEWS_ENDED) == 0) {
		p->code = print_refusal(p->visit->cli, &a->fault);
		return false;
	}
	if ((news & MEMBERSHIP_NEWS_CLOSING) != 0) {
		print_problem("the server is closing: %s", print_soft(slice_str(a->reason)));
	}
	if (!plain_tell_signals(p, a, news)) {
		return false;
	}
	if ((news & MEMBERSHIP_NEWS_EXPIRING) != 0 && !plain_warn(p, a)) {
		return false;
	}
	if ((news & MEMBERSHIP_NEWS_ROOM) != 0 && !plain_tell(p, &a->room)) {
		return false;
	}
	p->is_fulfilled = plain_is_fulfilled(p, a);
	return !p->is_fulfilled;
}

static bool plain_on_link(void *owner, struct membership *a, bool is_up, const char *why)
{
	struct plain *p = owner;
	(void)a;
	if (is_up && p->was_lost) {
		print_problem("connected again");
		p->was_lost = false;
	} else if (!is_up && !p->was_lost) {
		print_problem("connection lost: %s; trying again", print_soft(slice_str(why)));
		p->was_lost = true;
	}
	if (!is_up) {
		visit_revive_server(p->visit);
	}
	return true;
}

static bool plain_on_raw(void *owner, struct slice method, const struct msgpack_object *params)
{
	struct plain *p = owner;
	struct buf bytes;
	if (!p->visit->cli->is_json || p->wish->is_quiet) {
		return true;
	}
	buf_init(&bytes, PLAIN_TEXT_BYTES * 8);
	if (params != NULL) {
		rpc_write_object(&bytes, params);
	}
	enum err e = bytes.error == OK ? print_notice(method, buf_slice(&bytes)) : bytes.error;
	buf_finish(&bytes);
	p->code = e == OK ? p->code : EXIT_BROKEN;
	return e == OK;
}

static int plain_exit(struct plain *p, enum watch_end end, const struct fault *fault,
		      const struct errmsg *why)
{
	bool wants_something = p->wish->until_voted || p->wish->until_revealed;
	switch (end) {
	case WATCH_STOPPED:
		return p->code == EXIT_DONE && wants_something && !p->is_fulfilled ? EXIT_TIMED_OUT
										   : p->code;
	case WATCH_ENDED:
		print_problem("%s", print_soft(slice_str(why->text)));
		return wants_something ? EXIT_REFUSED : EXIT_DONE;
	case WATCH_REFUSED:
		return print_refusal(p->visit->cli, fault);
	case WATCH_LOST:
		print_problem("cannot reach %s: %s", p->visit->place.address.text,
			      print_soft(slice_str(why->text)));
		return EXIT_NO_SERVER;
	case WATCH_TIMED_OUT:
		if (wants_something) {
			print_problem("gave up waiting");
		}
		return EXIT_TIMED_OUT;
	case WATCH_NO_MEMORY:
		return print_failure(ERR_NOMEM, NULL);
	}
	return EXIT_BROKEN;
}

int lines_watch(struct visit *v, const struct lines_wish *wish)
{
	struct plain p = {.visit = v, .wish = wish};
	struct fault fault = {0};
	struct errmsg why = {""};
	struct watch_options o = {
		.address = v->place.address,
		.room_id = v->room_id,
		.user_key = wish->name == NULL ? "" : v->known.user_key,
		.name = wish->name,
		.sign_in = wish->name == NULL ? NULL : v->sign_in,
		.is_spectator = wish->is_spectator,
		.is_bot = wish->is_bot,
		.host_key = v->known.host_key,
		.wants_host = wish->name != NULL && !wish->is_bot,
		.has_card = wish->has_card,
		.card = wish->card,
		.note = wish->note,
		.confidence = wish->confidence,
		.passcode = v->passcode,
		.timeout_ms = wish->until_voted ? v->cli->answer_ms : v->cli->wait_ms,
	};
	static const struct watch_handler handler = {
		.on_news = plain_on_news,
		.on_link = plain_on_link,
		.on_raw = plain_on_raw,
	};
	enum watch_end end = watch_run(&o, &handler, &p, &fault, &why);
	narrate_finish(&p.told);
	return plain_exit(&p, end, &fault, &why);
}
