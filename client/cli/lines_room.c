/*
 * lines_room.c - lines in, sentences out; see lines_room.h.
 *
 * Happy path: the room is followed; once it is known, lines are taken, one
 * at a time: the next waits until the room shows what the last one did, so a
 * pipe may write a whole session at once. All that is printed comes from the
 * words of line_commands.h and narrate.h; all that is done goes through room_carry_uv.h.
 * Failure: before the first update the program ends with a word about it;
 * later the connection comes back by itself and both are told.
 */
#include "client/cli/lines_room_parts.h"

#include <string.h>

#include "client/cli/print.h"
#include "client/cli/xdg_dirs.h"
#include "proto/format.h"

#define LINES_ROOM_GOODBYE_MS 1000

void lines_room_break(struct lines_room *p, enum err e)
{
	p->code = print_failure(e, NULL);
	watch_end(p->watch);
}

struct membership *lines_room_membership(struct lines_room *p)
{
	return follow_attend(watch_follow(p->watch));
}

/* ---- the room and the connection ---- */

static void lines_room_say_fault(struct lines_room *p, const struct fault *f)
{
	char line[FAULT_LINE_BYTES_MAX];
	fault_line(f, line, sizeof(line));
	lines_room_say(p, line);
}

/* Only a person reads that the next line is a name; a script's next line is what it was. */
static void lines_room_ask_name(struct lines_room *p)
{
	struct buf text;
	buf_init(&text, LINES_ROOM_TEXT_BYTES);
	line_commands_refuse_name(p->typed, &text);
	lines_room_print(p, &text);
}

/* Where nobody can do anything about it, a refusal is the end; a script that has no seat is nowhere. */
static void lines_room_refused(struct lines_room *p, const struct membership *a,
			       const struct fault *f)
{
	bool has_seat = a->room.you.username.data != NULL;
	if (p->is_input_over || (!has_seat && !p->voice.has_prompt)) {
		p->code = print_refusal(p->visit->cli, f);
		watch_end(p->watch);
		return;
	}
	p->unseen = NULL;
	lines_room_say_fault(p, f);
	if (p->voice.has_prompt && fault_is_of_name(f)) {
		lines_room_ask_name(p);
	}
}

/* The seat under its name, whatever it was called before, and what the room is called. */
static void lines_room_keep(struct lines_room *p, const struct membership *a, unsigned news)
{
	const char *title = a->room.room.title.data == NULL ? "" : a->room.room.title.data;
	if ((news & (MEMBERSHIP_NEWS_SEAT | MEMBERSHIP_NEWS_JOINED)) != 0 && a->name != NULL) {
		const char *old_name = p->seat_name[0] == '\0' ? NULL : p->seat_name;
		visit_keep_seat(p->visit, old_name, a->name, a->user_key);
		(void)format_to(p->seat_name, sizeof(p->seat_name), "%s", a->name);
	}
	if (p->seat_name[0] != '\0' && a->room.has_state && strcmp(p->title, title) != 0) {
		(void)format_to(p->title, sizeof(p->title), "%s", title);
		visit_keep_title(p->visit, p->title);
	}
}

static bool lines_room_on_news(void *owner, struct membership *a, unsigned news)
{
	struct lines_room *p = owner;
	lines_room_keep(p, a, news);
	if ((news & MEMBERSHIP_NEWS_ENDED) != 0) {
		return true;
	}
	lines_room_status(p, a, news);
	if ((news & MEMBERSHIP_NEWS_REFUSED) != 0) {
		lines_room_refused(p, a, &a->fault);
	}
	return !p->voice.is_gone;
}

static bool lines_room_on_link(void *owner, struct membership *a, bool is_up, const char *why)
{
	struct lines_room *p = owner;
	struct errmsg line;
	(void)a;
	if (is_up && p->was_lost) {
		lines_room_say(p, "Connected again");
	} else if (!is_up && !p->was_lost) {
		errmsg_set(&line, "Connection lost: %s. Trying again", why);
		lines_room_say(p, line.text);
	}
	p->was_lost = !is_up;
	if (!is_up) {
		p->done_version = 0; /* what comes next may be counted anew */
		visit_revive_server(p->visit);
	}
	return !p->voice.is_gone && !(p->is_leaving && !is_up);
}

/* ---- what is asked for ---- */

static void lines_room_on_say(void *owner, const char *text)
{
	lines_room_say(owner, text);
}

static void lines_room_on_rounds(void *owner, const struct round_history *rounds)
{
	lines_room_status_rounds(owner, rounds);
}

static const struct room_carry_handler plain_talk_carry_handler = {
	.on_say = lines_room_on_say,
	.on_answer = lines_room_on_say,
	.on_rounds = lines_room_on_rounds,
};

static void lines_room_on_refusal(void *owner, enum method method, const struct fault *f)
{
	struct lines_room *p = owner;
	if (method == METHOD_ROOM_LEAVE) {
		watch_end(p->watch);
		return;
	}
	p->is_asked = false;
	p->unseen = NULL;
	if (!room_carry_take_refusal(&p->carry, method, f)) {
		lines_room_say_fault(p, f);
	}
}

static void lines_room_on_done(void *owner, enum method method)
{
	struct lines_room *p = owner;
	p->is_asked = false;
	if (method == METHOD_ROOM_LEAVE) {
		watch_end(p->watch);
	}
}

/* Whatever else it says: which version shows it. */
static void lines_room_on_result(void *owner, enum method method,
				 const struct msgpack_object *result)
{
	struct lines_room *p = owner;
	struct version_result r;
	struct arena arena = {0};
	struct fault ignored;
	if (record_from_object(&record_version_result, result, RECORD_LENIENT, &arena, &r,
			       &ignored) == OK &&
	    r.version > p->done_version) {
		p->done_version = r.version;
	}
	arena_finish(&arena);
	room_carry_take_result(&p->carry, method, result);
}

/* ---- lines ---- */

static void lines_room_leave(struct lines_room *p)
{
	watch_hold_lines(p->watch);
	if (p->held.n > 0) {
		lines_room_say(p, "What waited for the connection was not done");
	}
	if (p->is_leaving || !room_carry_leave(&p->carry)) {
		watch_end(p->watch);
		return;
	}
	p->is_leaving = true;
	watch_end_in(p->watch, LINES_ROOM_GOODBYE_MS);
}

/* What a screen would look like at the next start; here it is only kept. */
static void lines_room_save(struct lines_room *p)
{
	struct errmsg why = {""};
	bool is_saved = config_save(&p->visit->cli->config, &why) == OK;
	if (!is_saved) {
		errmsg_prefix(&why, "Not saved");
	}
	lines_room_say(p, is_saved ? "Saved" : why.text);
}

/* Whether the last line is done, or waits for a connection, and the room is known. */
static bool lines_room_is_free(struct lines_room *p)
{
	struct membership *a = lines_room_membership(p);
	bool is_known = a->room.has_state || a->room.you.is_waiting;
	if (!is_known || p->is_asked || p->is_leaving) {
		return false;
	}
	if (!follow_is_up(watch_follow(p->watch))) {
		return true;
	}
	return membership_is_settled(a) && a->room.version >= p->done_version;
}

/* What to say when it is done, where nothing that the room would show says so. */
static const char *lines_room_unseen(struct lines_room *p, const struct request *r)
{
	if (r == NULL) {
		return NULL;
	}
	if (r->method == METHOD_ROOM_VOTE) {
		const struct room_vote_params *vote = r->params;
		bool retracts = vote->with_vote && vote->vote.data == NULL;
		return retracts ? "Your card is back in your hand" : NULL;
	}
	bool had_passcode = lines_room_membership(p)->room.room.policy.has_passcode;
	if (r->method == METHOD_ROOM_SET_POLICY && had_passcode) {
		const struct room_set_policy_params *set = r->params;
		return set->policy.passcode.data != NULL ? "The passcode is changed" : NULL;
	}
	return NULL;
}

static void lines_room_do(struct lines_room *p, const struct act *act)
{
	struct request *r = act->request;
	p->visit->cli->config.now = *line_commands_settings(p->typed);
	if (act->local == LOCAL_LEAVE) {
		lines_room_leave(p);
	} else if (act->local == LOCAL_SAVE_SETTINGS) {
		lines_room_save(p);
	} else if (r != NULL && offline_queue_may(r) && !follow_is_up(watch_follow(p->watch))) {
		bool is_taken = offline_queue_push(&p->held, &lines_room_membership(p)->room, r);
		lines_room_say(p, is_taken
					  ? "No connection: this waits until it is back"
					  : "No connection, and too much waits already: not taken");
	} else if (act->local != LOCAL_NONE || r != NULL) {
		/* Votes and names wait in membership.h, which knows when they are done. */
		bool is_kept = r != NULL &&
			       (r->method == METHOD_ROOM_VOTE || r->method == METHOD_ROOM_JOIN);
		p->unseen = lines_room_unseen(p, r);
		p->is_asked = room_carry_do(&p->carry, act) && !is_kept;
		if (!lines_room_is_free(p)) {
			watch_hold_lines(p->watch);
		}
	}
}

/* Connected again: the next of what waited, until nothing does. */
static void lines_room_do_held(struct lines_room *p)
{
	struct buf text;
	buf_init(&text, LINES_ROOM_TEXT_BYTES);
	struct act act = {.request = offline_queue_next(&p->held, &lines_room_membership(p)->room,
							tui_refuses, &text)};
	lines_room_print(p, &text);
	lines_room_do(p, &act);
	request_free(act.request);
}

static void lines_room_on_line(void *owner, struct slice line)
{
	struct lines_room *p = owner;
	struct buf text;
	p->is_talked_to = true;
	lines_voice_heard(&p->voice);
	buf_init(&text, LINES_ROOM_TEXT_BYTES);
	line_commands_set_now(p->typed, follow_server_ms(watch_follow(p->watch)));
	struct act act =
		line_commands_take_line(p->typed, &lines_room_membership(p)->room, line, &text);
	lines_room_print(p, &text);
	lines_room_do(p, &act);
}

static void lines_room_on_lines_end(void *owner, enum err e)
{
	struct lines_room *p = owner;
	p->is_input_over = true;
	if (e != OK && p->is_talked_to) {
		lines_room_say(p, e == ERR_TOO_LARGE ? "That was no line any more"
						     : "What is typed cannot be read any more");
	}
}

/* ---- between two lines ---- */

static void lines_room_tell_unseen(struct lines_room *p)
{
	if (p->unseen != NULL && follow_is_up(watch_follow(p->watch))) {
		lines_room_say(p, p->unseen);
	}
	p->unseen = NULL;
}

/* Nobody will type any more: leave, once what was typed is done or cannot wait for anything. */
static void lines_room_finish(struct lines_room *p)
{
	bool is_up = follow_is_up(watch_follow(p->watch));
	bool waits = p->held.n > 0 || membership_pending_vote(lines_room_membership(p)) != NULL;
	if (is_up || !waits) {
		lines_room_leave(p);
	}
}

static void lines_room_on_rest(void *owner)
{
	struct lines_room *p = owner;
	if (p->voice.is_gone) {
		watch_end(p->watch);
		return;
	}
	if (!lines_room_is_free(p)) {
		return;
	}
	lines_room_tell_unseen(p);
	while (p->held.n > 0 && follow_is_up(watch_follow(p->watch)) && lines_room_is_free(p)) {
		lines_room_do_held(p);
	}
	if (!lines_room_is_free(p)) {
		return;
	}
	if (p->is_input_over && p->is_talked_to) {
		lines_room_finish(p);
	} else if (!p->is_input_over && watch_take_lines(p->watch) != OK) {
		p->is_input_over = true;
	}
	if (lines_room_is_free(p)) {
		lines_room_prompt(p);
	}
}

/* ---- life ---- */

static void lines_room_on_start(void *owner, struct watch *w)
{
	struct lines_room *p = owner;
	p->watch = w;
	p->carry = (struct room_carry){
		.follow = watch_follow(w),
		.room_id = p->visit->room_id,
		.host_key = p->visit->known.host_key,
		.on = &plain_talk_carry_handler,
		.owner = p,
	};
}

static int lines_room_goodbye(struct lines_room *p, enum watch_end end, const struct fault *fault,
			      const struct errmsg *why)
{
	struct visit *v = p->visit;
	switch (end) {
	case WATCH_STOPPED:
	case WATCH_TIMED_OUT:
		if (p->code == EXIT_DONE && p->is_talked_to &&
		    !print_line("left %s; come back with: %s", v->room_id, visit_join_line(v))) {
			return EXIT_BROKEN;
		}
		return p->code != EXIT_DONE || end == WATCH_STOPPED ? p->code : EXIT_TIMED_OUT;
	case WATCH_ENDED:
		return print_line("%s: %s", v->room_id, print_soft(slice_str(why->text)))
			       ? EXIT_DONE
			       : EXIT_BROKEN;
	case WATCH_REFUSED:
		return print_refusal(v->cli, fault);
	case WATCH_LOST:
		print_problem("cannot reach %s: %s", v->place.address.text,
			      print_soft(slice_str(why->text)));
		return EXIT_NO_SERVER;
	case WATCH_NO_MEMORY:
		return print_failure(ERR_NOMEM, NULL);
	}
	return EXIT_BROKEN;
}

static enum watch_end lines_room_run(struct lines_room *p, const char *name, bool is_spectator,
				     struct fault *fault, struct errmsg *why)
{
	static const struct watch_handler handler = {
		.on_start = lines_room_on_start,
		.on_news = lines_room_on_news,
		.on_link = lines_room_on_link,
		.on_refusal = lines_room_on_refusal,
		.on_done = lines_room_on_done,
		.on_result = lines_room_on_result,
		.on_line = lines_room_on_line,
		.on_lines_end = lines_room_on_lines_end,
		.on_rest = lines_room_on_rest,
	};
	struct visit *v = p->visit;
	struct watch_options o = {
		.address = v->place.address,
		.room_id = v->room_id,
		.user_key = v->known.user_key,
		.name = name,
		.sign_in = v->sign_in,
		.is_spectator = is_spectator,
		.host_key = v->known.host_key,
		.wants_host = true,
		.passcode = v->passcode,
		.timeout_ms = v->cli->wait_ms,
		.takes_lines = true,
	};
	return watch_run(&o, &handler, p, fault, why);
}

int lines_room(struct visit *v, const char *name, bool is_spectator)
{
	struct lines_room p = {.visit = v, .told = {.tells_mine = true}};
	struct fault fault = {0};
	struct errmsg why = {""};
	p.typed = line_commands_create(&v->cli->config.now, is_spectator);
	lines_voice_open(&p.voice);
	/* Over ssh the end of the input is all that tells of somebody who is gone. */
	p.is_talked_to = p.voice.has_prompt || xdg_is_apart();
	p.is_input_over = lines_voice_is_in_background();
	enum watch_end end = lines_room_run(&p, name, is_spectator, &fault, &why);
	if (end == WATCH_REFUSED && visit_ask_passcode(v, &fault)) {
		end = lines_room_run(&p, name, is_spectator, &fault, &why);
	}
	lines_voice_close(&p.voice);
	if (p.seat_name[0] != '\0') {
		visit_keep_title(v, p.title); /* it was used until now */
	}
	int code = lines_room_goodbye(&p, end, &fault, &why);
	offline_queue_finish(&p.held);
	room_carry_finish(&p.carry);
	narrate_finish(&p.told);
	line_commands_destroy(p.typed);
	return code;
}
