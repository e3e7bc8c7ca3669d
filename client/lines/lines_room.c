/*
 * lines_room.c - lines in, sentences out; see lines_room.h.
 *
 * Happy path: the room is entered; once it is known, lines are taken, one
 * at a time: the next waits until the room shows what the last one did, so a
 * pipe may write a whole session at once. All that is printed comes from the
 * words of line_commands.h and narrate.h; all that is done goes through room_carry_uv.h.
 * Failure: before the first update the program ends with a word about it;
 * later the connection comes back by itself and both are told.
 */
#include "client/lines/lines_room.h"

#include <string.h>
#include <unistd.h>

#include "client/acts/fault_words.h"
#include "client/acts/narrate.h"
#include "client/app/room_carry_uv.h"
#include "client/cli/output/print.h"
#include "client/kiosk/ssh_session.h"
#include "client/lines/lines_voice.h"
#include "client/model/memory.h"
#include "client/model/questions/user_notice.h"
#include "client/tui/actions/line_commands.h"
#include "proto/base/format.h"
#include "proto/base/limits.h"

#define LINES_ROOM_GOODBYE_MS 1000
#define LINES_ROOM_SILENT_MS  2000
#define LINES_ROOM_TEXT_BYTES (1u << 20)

struct lines_room {
	struct visit *visit;
	struct room_client *client;
	struct line_commands *typed;
	struct lines_voice voice;
	struct narrate told;
	struct room_carry carry;
	char seat_name[MAX_NAME_BYTES + 1]; /* under which the seat was kept last; "": not yet */
	char title[MAX_TITLE_BYTES + 1];    /* with which the room was kept last */

	bool is_talked_to;  /* a line has come, or a person sits there */
	bool is_input_over; /* no more lines will come */
	bool is_leaving;
	bool was_lost;
	bool is_silent; /* the server, as was told */

	const char *
		unseen; /* what to say when it is done, of what the room does not show; NULL: it does */
	int code;	/* what went wrong here */
	struct invite_place place; /* of the room's server */
};

static struct membership *lines_room_membership(struct lines_room *p)
{
	return room_client_membership(p->client);
}

/* ---- what happens in the room, in sentences ---- */

/* One sentence, perhaps in somebody else's words. */
static void lines_room_say(struct lines_room *p, const char *text)
{
	lines_voice_say(&p->voice, text);
}

/* Print what was written, and give the memory back. */
static void lines_room_print(struct lines_room *p, struct buf *text)
{
	if (memory_check(text->error) != OK) {
		p->code = print_failure(text->error, NULL);
		room_client_stop(p->client);
	} else {
		lines_voice_lines(&p->voice, text);
	}
	buf_finish(text);
}

/* What these news mean, all but refusals and the end. */
static void lines_room_tell(struct lines_room *p, const struct membership *a, unsigned news)
{
	struct buf text;
	struct errmsg line;
	buf_init(&text, LINES_ROOM_TEXT_BYTES);
	p->told.now_ms = room_client_server_ms(p->client);
	narrate_news(&p->told, a, news, &text);
	lines_room_print(p, &text);
	if ((news & MEMBERSHIP_NEWS_CLOSING) != 0) {
		errmsg_set(&line, "The server is closing: %s", a->reason);
		lines_room_say(p, line.text);
	}
}

/* Whose turn it is to type, and how things stand. */
static void lines_room_prompt(struct lines_room *p)
{
	struct buf words;
	if (!p->voice.has_prompt || p->voice.is_prompting || p->is_input_over) {
		return;
	}
	buf_init(&words, LINES_ROOM_TEXT_BYTES);
	if (p->was_lost) {
		(void)buf_printf(&words, "no connection, ");
	}
	line_commands_prompt(p->typed, &lines_room_membership(p)->room, &words);
	if (buf_append(&words, "", 1) == OK) {
		lines_voice_prompt(&p->voice, words.data, line_commands_wants_secret(p->typed));
	}
	buf_finish(&words);
}

/* ---- the room and the connection ---- */

static void lines_room_say_fault(struct lines_room *p, const struct fault *f)
{
	char line[FAULT_WORDS_BYTES_MAX];
	fault_words(f, line);
	lines_room_say(p, line);
}

/* Only a person reads that the next line is a name; a script's next line is what it was. */
static void lines_room_ask_name(struct lines_room *p)
{
	struct buf text;
	buf_init(&text, LINES_ROOM_TEXT_BYTES);
	line_commands_refuse_name(p->typed, &lines_room_membership(p)->room, &text);
	lines_room_print(p, &text);
}

/* Where nobody can do anything about it, a refusal is the end; a script that has no seat is nowhere. */
static void lines_room_refused(struct lines_room *p, const struct membership *a,
			       const struct fault *f)
{
	bool has_seat = a->room.you.username.data != NULL;
	if (p->is_input_over || (!has_seat && !p->voice.has_prompt)) {
		p->code = print_refusal(p->visit->cli, f);
		room_client_stop(p->client);
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

/* At the last story. */
static void lines_room_sum_up(struct lines_room *p)
{
	struct act act = line_commands_follow(p->typed, &lines_room_membership(p)->room);
	if (act.request != NULL && !p->is_leaving && room_client_is_up(p->client)) {
		(void)room_carry_do(&p->carry, &act);
	}
}

static void lines_room_on_news(struct lines_room *p, unsigned news)
{
	const struct membership *a = lines_room_membership(p);
	lines_room_keep(p, a, news);
	if ((news & MEMBERSHIP_NEWS_ENDED) != 0) {
		return;
	}
	visit_take_room(p->visit, &a->room);
	struct errmsg called;
	if ((news & MEMBERSHIP_NEWS_JOINED) != 0 &&
	    membership_tell_called(a, called.text, sizeof(called.text))) {
		lines_room_say(p, called.text);
	}
	lines_room_tell(p, a, news);
	lines_room_sum_up(p);
	if ((news & MEMBERSHIP_NEWS_REFUSED) != 0) {
		lines_room_refused(p, a, &a->fault);
	}
}

static void lines_room_on_down(struct lines_room *p, const char *why)
{
	struct errmsg line;
	const char *instead = visit_revive_server(p->visit);
	if (!p->was_lost) {
		errmsg_set(&line, "Connection lost: %s. Retrying", why);
		lines_room_say(p, instead != NULL ? instead : line.text);
	}
	p->was_lost = true;
	p->is_silent = false;
	if (p->is_leaving) {
		room_client_stop(p->client);
	}
}

/* An answer that is owed for long is told; so is that it came. */
static void lines_room_look_for_silence(struct lines_room *p)
{
	int64_t waits_ms = room_client_waits_ms(p->client);
	bool is_silent = waits_ms >= LINES_ROOM_SILENT_MS;
	if (is_silent != p->is_silent) {
		p->is_silent = is_silent;
		lines_room_say(p,
			       is_silent ? "The server does not answer; what you type is sent later"
					 : "The server answers again");
	}
	if (waits_ms >= 0 && !is_silent && !p->is_leaving) {
		room_client_wake_in(p->client, LINES_ROOM_SILENT_MS - waits_ms);
	}
}

/* What is sent to the user, beside what happens in the room. */
static void lines_room_on_notice(struct lines_room *p, const struct event *event)
{
	char text[USER_NOTICE_BYTES];
	const struct session_waiting *waiting = event->update;
	if (event->notice == NOTICE_SESSION_WAITING &&
	    slice_eq(waiting->room_id, slice_str(p->visit->room_id))) {
		return;
	}
	if (user_notice_text(event->notice, event->update, "aye inbox",
			     room_client_server_ms(p->client), text)) {
		lines_room_say(p, text);
	}
}

/* ---- what is asked for ---- */

static void lines_room_on_answer(void *owner, const char *text)
{
	lines_room_say(owner, text);
}

static void lines_room_on_rounds(void *owner, const struct round_history *rounds)
{
	struct lines_room *p = owner;
	struct buf text;
	buf_init(&text, LINES_ROOM_TEXT_BYTES);
	struct act more =
		line_commands_take_rounds(p->typed, &lines_room_membership(p)->room, rounds, &text);
	lines_room_print(p, &text);
	(void)room_carry_do(&p->carry, &more);
}

/* Commands and links as they are: they are copied. */
static void lines_room_tell_ways_in(struct lines_room *p)
{
	const struct invite_place *place = &p->place;
	char line[INVITE_LINE_BYTES_MAX + 1];
	char link[INVITE_LINK_BYTES_MAX + 1];
	char hex[FINGERPRINT_HEX_CHARS + 1];
	struct buf text;
	buf_init(&text, LINES_ROOM_TEXT_BYTES);
	if (place->n == 0) {
		(void)buf_printf(&text, INVITE_UNSHARED ".\n");
	}
	for (size_t i = 0; i < place->n; i++) {
		invite_line(place, i, p->visit->room_id, line);
		(void)buf_printf(&text, "%s\n", line);
	}
	invite_link(place, p->visit->room_id, link);
	if (link[0] != '\0') {
		(void)buf_printf(&text, "%s\n", link);
	}
	if (invite_web_warns(place, hex)) {
		(void)buf_printf(&text, INVITE_WEB_WARNS "\n%s\n", hex);
	}
	lines_room_print(p, &text);
}

static void lines_room_on_addresses(void *owner, const struct server_share_result *share,
				    bool is_told)
{
	struct lines_room *p = owner;
	invite_place_set(&p->place, share);
	line_commands_set_place(p->typed, &p->place);
	if (is_told) {
		lines_room_tell_ways_in(p);
	}
}

/* Hello's answer says where the page for browsers is. */
static void lines_room_take_page(struct lines_room *p)
{
	(void)format_to(p->place.web, sizeof(p->place.web), "%s", room_client_web(p->client));
	line_commands_set_place(p->typed, &p->place);
}

static void lines_room_on_refusal(void *owner, const struct reply *r)
{
	struct lines_room *p = owner;
	p->unseen = NULL;
	lines_room_say_fault(p, &r->fault);
}

static void lines_room_on_left(void *owner)
{
	struct lines_room *p = owner;
	room_client_stop(p->client);
}

static const struct room_carry_handler lines_room_carry_handler = {
	.on_addresses = lines_room_on_addresses,
	.on_answer = lines_room_on_answer,
	.on_rounds = lines_room_on_rounds,
	.on_refusal = lines_room_on_refusal,
	.on_left = lines_room_on_left,
};

/* ---- lines ---- */

static void lines_room_leave(struct lines_room *p)
{
	loop_hold_lines(room_client_loop(p->client));
	if (room_client_held(p->client)->n > 0) {
		lines_room_say(p, "What was waiting for the connection was dropped");
	}
	if (p->is_leaving || !room_carry_leave(&p->carry)) {
		room_client_stop(p->client);
		return;
	}
	p->is_leaving = true;
	room_client_wake_in(p->client, LINES_ROOM_GOODBYE_MS);
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
	const struct membership *a = lines_room_membership(p);
	bool is_known = a->room.has_state || a->room.you.is_waiting;
	return is_known && !p->is_leaving &&
	       (!room_client_is_up(p->client) || room_client_is_settled(p->client));
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
		return retracts ? "Your vote was retracted" : NULL;
	}
	bool had_passcode = lines_room_membership(p)->room.room.policy.has_passcode;
	if (r->method == METHOD_ROOM_SET_POLICY && had_passcode) {
		const struct room_set_policy_params *set = r->params;
		return set->policy.passcode.data != NULL ? "The passcode was changed" : NULL;
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
	} else if (r != NULL && offline_queue_may(r) && !room_client_is_up(p->client)) {
		bool is_taken = room_client_hold(p->client, r);
		lines_room_say(p, is_taken ? "Not connected: this is sent on reconnect"
					   : "Not connected and the queue is full: not sent");
	} else if (act->local != LOCAL_NONE || r != NULL) {
		p->unseen = lines_room_unseen(p, r);
		(void)room_carry_do(&p->carry, act);
		if (r != NULL && r->method == METHOD_ROOM_VOTE &&
		    ((const struct room_vote_params *)r->params)->with_vote &&
		    !room_client_is_up(p->client)) {
			lines_room_say(p, "Not connected. Your vote is sent on reconnect");
		}
		if (!lines_room_is_free(p)) {
			loop_hold_lines(room_client_loop(p->client));
		}
	}
}

/* Of what waited, one was sent, or dropped for these reasons. */
static void lines_room_on_held(struct lines_room *p, struct request *r, const char *dropped)
{
	struct buf text;
	if (r != NULL) {
		room_carry_do_held(&p->carry, r);
	}
	buf_init(&text, LINES_ROOM_TEXT_BYTES);
	(void)buf_printf(&text, "%s", dropped);
	lines_room_print(p, &text);
}

static void lines_room_on_line(struct lines_room *p, struct slice line)
{
	struct buf text;
	p->is_talked_to = true;
	lines_voice_heard(&p->voice);
	buf_init(&text, LINES_ROOM_TEXT_BYTES);
	line_commands_set_now(p->typed, room_client_server_ms(p->client));
	struct act act =
		line_commands_take_line(p->typed, &lines_room_membership(p)->room, line, &text);
	lines_room_print(p, &text);
	lines_room_do(p, &act);
}

static void lines_room_on_lines_end(struct lines_room *p, enum err e)
{
	p->is_input_over = true;
	if (e != OK && p->is_talked_to) {
		lines_room_say(p, e == ERR_TOO_LARGE ? "That line is not readable"
						     : "What is typed cannot be read now");
	}
}

/* ---- between two lines ---- */

static void lines_room_tell_unseen(struct lines_room *p)
{
	if (p->unseen != NULL && room_client_is_up(p->client)) {
		lines_room_say(p, p->unseen);
	}
	p->unseen = NULL;
}

/* Nobody will type any more: leave, once what was typed is done or cannot wait for anything. */
static void lines_room_finish(struct lines_room *p)
{
	bool is_up = room_client_is_up(p->client);
	bool waits = room_client_held(p->client)->n > 0 || lines_room_membership(p)->vote.is_wanted;
	if (is_up || !waits) {
		lines_room_leave(p);
	}
}

static void lines_room_on_rest(struct lines_room *p)
{
	lines_room_look_for_silence(p);
	if (!lines_room_is_free(p)) {
		return;
	}
	lines_room_tell_unseen(p);
	if (p->is_input_over && p->is_talked_to) {
		lines_room_finish(p);
	} else if (!p->is_input_over &&
		   loop_take_lines(room_client_loop(p->client), STDIN_FILENO) != OK) {
		p->is_input_over = true;
	}
	if (lines_room_is_free(p)) {
		lines_room_prompt(p);
	}
}

/* ---- life ---- */

static void lines_room_on_event(void *owner, const struct event *event)
{
	struct lines_room *p = owner;
	switch (event->kind) {
	case EVENT_UP:
		if (p->was_lost) {
			lines_room_say(p, "Connected again");
		}
		p->was_lost = false;
		lines_room_take_page(p);
		if (p->place.is_own) {
			room_carry_ask_addresses(&p->carry);
		}
		break;
	case EVENT_DOWN:
		lines_room_on_down(p, event->why);
		break;
	case EVENT_NEWS:
		lines_room_on_news(p, event->news);
		break;
	case EVENT_SNAPSHOT:
		visit_keep_status(p->visit, &lines_room_membership(p)->room);
		break;
	case EVENT_HELD:
		lines_room_on_held(p, event->request, event->why);
		break;
	case EVENT_WAKE: /* to look for silence; or saying goodbye has taken long enough */
		if (p->is_leaving) {
			room_client_stop(p->client);
		}
		break;
	case EVENT_LINE:
		lines_room_on_line(p, event->line);
		break;
	case EVENT_INPUT_END:
		lines_room_on_lines_end(p, event->error);
		break;
	case EVENT_REST:
		lines_room_on_rest(p);
		break;
	case EVENT_NOTICE:
		lines_room_on_notice(p, event);
		break;
	case EVENT_OPEN:
	case EVENT_SILENT: /* an answer is owed by then, which is seen */
	case EVENT_SIGNAL:
		break;
	}
	if (p->voice.is_gone) {
		room_client_stop(p->client);
	}
}

/* The session goes on where the same member is in the room in another window. */
static bool lines_room_tell_left(const struct lines_room *p)
{
	if (p->carry.is_elsewhere) {
		return print_line(ROOM_CARRY_ELSEWHERE);
	}
	visit_print_summary(p->visit);
	return print_line("Left %s. To rejoin: %s", p->visit->room_id, visit_join_line(p->visit));
}

static int lines_room_goodbye(struct lines_room *p, enum room_client_end end,
			      const struct fault *fault, const struct errmsg *why)
{
	struct visit *v = p->visit;
	switch (end) {
	case CLIENT_RUNS:
	case CLIENT_STOPPED:
	case CLIENT_TIMED_OUT:
		if (p->code == EXIT_DONE && p->is_talked_to && !lines_room_tell_left(p)) {
			return EXIT_BROKEN;
		}
		return p->code != EXIT_DONE || end == CLIENT_STOPPED ? p->code : EXIT_TIMED_OUT;
	case CLIENT_ENDED:
		return print_line("%s: %s", v->room_id, print_soft(slice_str(why->text)))
			       ? EXIT_DONE
			       : EXIT_BROKEN;
	case CLIENT_REFUSED:
	case CLIENT_LOST:
		return reach_end(v->cli, &v->place, end, EXIT_DONE, fault, why);
	}
	return EXIT_BROKEN;
}

int lines_room(struct visit *v, const char *name, bool is_spectator)
{
	struct lines_room p = {.visit = v, .told = {.tells_mine = true}};
	struct fault fault = {0};
	struct errmsg why = {""};
	struct room_entry entry = visit_entry(v, name);
	entry.is_spectator = is_spectator;
	entry.wants_host = true;
	entry.ask_passcode = visit_ask_passcode;
	entry.asker = v;
	entry.refuses = tui_refuses;
	visit_invite_place(v, &p.place);
	p.typed = line_commands_create(&v->cli->config.now, is_spectator, &p.place);
	lines_voice_open(&p.voice);
	/* Over ssh the end of the input is all that tells of somebody who is gone. */
	p.is_talked_to = p.voice.has_prompt || ssh_session_is_on();
	p.is_input_over = lines_voice_is_in_background();
	p.client = visit_enter(v, &entry, true, lines_room_on_event, &p);
	p.carry = (struct room_carry){
		.client = p.client,
		.on = &lines_room_carry_handler,
		.owner = &p,
	};
	loop_watch_rest(room_client_loop(p.client));
	enum room_client_end end = room_client_run(p.client, v->cli->wait_ms, &fault, &why);
	lines_voice_close(&p.voice);
	if (p.seat_name[0] != '\0') {
		visit_keep_title(v, p.title); /* it was used until now */
	}
	visit_leave_room(v, &lines_room_membership(&p)->room, p.carry.is_elsewhere);
	int code = lines_room_goodbye(&p, end, &fault, &why);
	room_client_close(p.client);
	room_carry_finish(&p.carry);
	narrate_finish(&p.told);
	line_commands_destroy(p.typed);
	return code;
}
