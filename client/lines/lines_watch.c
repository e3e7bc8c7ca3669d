/*
 * lines_watch.c - prints what happens in a room, as sentences or as JSON lines.
 */
#include "client/lines/lines_watch.h"

#include "client/acts/narrate.h"
#include "client/acts/narrate_result.h"
#include "client/cli/output/print.h"
#include "client/model/memory.h"
#include "proto/rights.h"
#include "proto/rpc.h"

#define LINES_WATCH_TEXT_BYTES (1u << 20)

struct lines_watch {
	struct visit *visit;
	struct room_client *client;
	const struct lines_wish *wish;
	struct narrate told;
	bool was_lost;
	bool is_fulfilled;
	bool was_in_lobby;
	int code; /* what went wrong here */
};

/* Print what was written, and give the memory back. Whether it goes on. */
static bool lines_watch_print(struct lines_watch *p, struct buf *text)
{
	bool is_fine = memory_check(text->error) == OK;
	if (is_fine && text->len > 0) {
		is_fine = print_line("%.*s", (int)text->len - 1, text->data);
	}
	p->code = is_fine ? p->code : EXIT_BROKEN;
	buf_finish(text);
	return is_fine;
}

/* Whether it goes on. */
static bool lines_watch_tell(struct lines_watch *p, const struct membership *a, unsigned news)
{
	struct buf text;
	if (p->wish->is_quiet || p->visit->cli->is_json) {
		return true;
	}
	buf_init(&text, LINES_WATCH_TEXT_BYTES);
	p->told.now_ms = room_client_server_ms(p->client);
	narrate_news(&p->told, a, news, &text);
	return lines_watch_print(p, &text);
}

/* Whether what was wished for has come true. */
static bool lines_watch_is_fulfilled(struct lines_watch *p, const struct membership *a)
{
	bool is_voted = a->vote.is_wanted == false;
	if (p->wish->until_voted) {
		return is_voted;
	}
	if (!p->wish->until_revealed || !is_voted || !a->room.room.is_revealed) {
		return false;
	}
	if (!p->visit->cli->is_json) {
		struct buf text;
		buf_init(&text, LINES_WATCH_TEXT_BYTES);
		narrate_result(&a->room, &text);
		(void)lines_watch_print(p, &text);
	}
	return true;
}

/* In the lobby no vote leaves before a host admits its member: who does not wait for the result hears that at once. */
static bool lines_watch_on_rest(struct lines_watch *p, const struct membership *a)
{
	const struct standing who = {.is_waiting = true};
	const char *why = "";
	bool is_in_lobby = a->phase == MEMBERSHIP_FOLLOWING && a->room.you.is_waiting &&
			   a->room.you.username.data != NULL;
	if (!is_in_lobby || p->was_in_lobby || !p->wish->has_card) {
		return true;
	}
	struct fault fault;
	const enum fault_code code = right_refusal(RIGHT_VOTE, &who, &why);
	(void)fault_set(&fault, code, "%s", why);
	int refused = print_refusal(p->visit->cli, &fault);
	p->was_in_lobby = true;
	p->code = p->wish->until_voted ? refused : p->code;
	return !p->wish->until_voted;
}

/* Whether it goes on. */
static bool lines_watch_on_news(struct lines_watch *p, const struct membership *a, unsigned news)
{
	if (p->wish->name != NULL &&
	    (news & (MEMBERSHIP_NEWS_SEAT | MEMBERSHIP_NEWS_JOINED)) != 0) {
		visit_keep_verb_seat(p->visit, p->wish->name, a->user_key);
	}
	struct errmsg called;
	if ((news & MEMBERSHIP_NEWS_JOINED) != 0 &&
	    membership_tell_called(a, called.text, sizeof(called.text))) {
		print_problem("%s", print_soft(slice_str(called.text)));
	}
	if ((news & MEMBERSHIP_NEWS_REFUSED) != 0 && (news & MEMBERSHIP_NEWS_ENDED) == 0) {
		p->visit->cli->cards = a->room.room.valid_sizes;
		p->code = print_refusal(p->visit->cli, &a->fault);
		p->visit->cli->cards = (struct slices){0};
		return false;
	}
	if ((news & MEMBERSHIP_NEWS_CLOSING) != 0) {
		print_problem("the server is closing: %s", print_soft(slice_str(a->reason)));
	}
	if (!lines_watch_tell(p, a, news)) {
		return false;
	}
	p->is_fulfilled = (news & MEMBERSHIP_NEWS_ENDED) == 0 && lines_watch_is_fulfilled(p, a);
	return !p->is_fulfilled;
}

static void lines_watch_on_down(struct lines_watch *p, const char *why)
{
	if (!p->was_lost) {
		print_problem("connection lost: %s; retrying", print_soft(slice_str(why)));
	}
	p->was_lost = true;
	(void)visit_revive_server(p->visit);
}

/* Whether it goes on. */
static bool lines_watch_on_notice(struct lines_watch *p, const struct event *event)
{
	struct buf bytes;
	if (!p->visit->cli->is_json || p->wish->is_quiet) {
		return true;
	}
	buf_init(&bytes, LINES_WATCH_TEXT_BYTES * 8);
	if (event->value != NULL) {
		rpc_write_object(&bytes, event->value);
	}
	enum err e = memory_check(bytes.error);
	e = e == OK ? print_notice(event->name, buf_slice(&bytes)) : e;
	buf_finish(&bytes);
	p->code = e == OK ? p->code : EXIT_BROKEN;
	return e == OK;
}

/* A bot's seat, and one under a name that was given to a verb, are not the person's. */
static void lines_watch_keep_status(struct lines_watch *p)
{
	bool is_other = p->wish->name != NULL && (p->wish->is_bot || visit_is_named(p->visit));
	if (!is_other) {
		visit_keep_verb_status(p->visit, &room_client_membership(p->client)->room);
	}
}

static void lines_watch_on_event(void *owner, const struct event *event)
{
	struct lines_watch *p = owner;
	bool goes_on = true;
	if (event->kind == EVENT_NOTICE) {
		goes_on = lines_watch_on_notice(p, event);
	} else if (event->kind == EVENT_NEWS) {
		goes_on = lines_watch_on_news(p, room_client_membership(p->client), event->news);
	} else if (event->kind == EVENT_SNAPSHOT) {
		lines_watch_keep_status(p);
	} else if (event->kind == EVENT_DOWN) {
		lines_watch_on_down(p, event->why);
	} else if (event->kind == EVENT_REST) {
		goes_on = lines_watch_on_rest(p, room_client_membership(p->client));
	} else if (event->kind == EVENT_UP && p->was_lost) {
		print_problem("connected again");
		p->was_lost = false;
	}
	if (!goes_on) {
		room_client_stop(p->client);
	}
}

static int lines_watch_exit(struct lines_watch *p, enum room_client_end end,
			    const struct fault *fault, const struct errmsg *why)
{
	bool wants_something = p->wish->until_voted || p->wish->until_revealed;
	int code = reach_end(p->visit->cli, &p->visit->place, end, p->code, fault, why);
	if (!wants_something) {
		return code;
	}
	if (end == CLIENT_TIMED_OUT) {
		print_problem("timed out");
	}
	if (end == CLIENT_STOPPED && code == EXIT_DONE && !p->is_fulfilled) {
		return EXIT_TIMED_OUT;
	}
	return end == CLIENT_ENDED ? EXIT_REFUSED : code;
}

int lines_watch(struct visit *v, const struct lines_wish *wish)
{
	struct lines_watch p = {.visit = v, .wish = wish};
	struct fault fault = {0};
	struct errmsg why = {""};
	struct room_entry entry = visit_entry(v, wish->name);
	entry.is_spectator = wish->is_spectator;
	entry.is_bot = wish->is_bot;
	entry.wants_host = wish->name != NULL && !wish->is_bot;
	if (wish->name == NULL) {
		entry.user_key = "";
	}
	p.client = visit_enter(v, &entry, wish->name != NULL, lines_watch_on_event, &p);
	if (wish->has_card) {
		loop_watch_rest(room_client_loop(p.client));
		room_client_membership(p.client)->keep_seconds = wish->keep_seconds;
		membership_want_vote_with(room_client_membership(p.client), wish->card,
					  wish->comment, wish->confidence);
	}
	enum room_client_end end =
		room_client_run(p.client, wish->until_voted ? v->cli->answer_ms : v->cli->wait_ms,
				&fault, &why);
	lines_watch_keep_status(&p); /* it may have ended between two snapshots */
	visit_keep_verb_title(v, &room_client_membership(p.client)->room);
	room_client_close(p.client);
	narrate_finish(&p.told);
	return lines_watch_exit(&p, end, &fault, &why);
}
