/*
 * verb_status.c - aye status: a line about the room one is in, and the questions that wait, for a prompt.
 *
 * Never waits unless --timeout says how long: the room's server is asked, as by a
 * stranger, and where it has not answered within STATUS_ASK_MS, or that time, what a
 * client that followed the room wrote last counts (state_status.h). No server is
 * started, no seat taken, no name looked up. What is left of that time is for the questions (status_waiting.h).
 */
#include <stdlib.h>
#include <string.h>

#include "client/cli/output/print.h"
#include "client/cli/reach/known_servers.h"
#include "client/cli/rooms/status_waiting.h"
#include "client/net/room_client_wait_uv.h"
#include "client/state/state_status.h"
#include "proto/base/format.h"

#include <jansson.h>

/* The one thing that is waited for: the way to the server, there and back, twice. */
#define STATUS_ASK_MS 10
/* What was written longer ago is worth nothing to a prompt: a room without connections ends after an hour, one that keeps votes in days. */
#define STATUS_OLD_MS	   INT64_C(3600000)
#define STATUS_OLD_KEPT_MS (14 * 24 * STATUS_OLD_MS)

struct verb_status {
	struct state state;
	struct state_status room; /* which room, and how it stands */
	bool is_known;		  /* it stands like that */
	bool is_from_server;
	char code[CODE_CHARS_MAX + 1]; /* as it was given; not set where none was */
	bool is_of_env;		       /* it is AYE_ROOM's */
	bool has_ended; /* the room was known, and its server says that it is no more */
	struct status_waiting waiting; /* unknown where one room alone is meant */
	int64_t end_ms;		       /* by loop_clock_ms(): nothing is waited for any longer */
};

#define STATUS_WORDS_BYTES (ROOM_STATUS_LINE_BYTES + STATUS_WAITING_BYTES)

/* A room that says no to strangers is not asked again and again: the server would take that for guessing. */
static void status_take_refusal(struct verb_status *s, const struct fault *fault)
{
	struct errmsg unseen;
	bool is_gone = fault->code == FAULT_ROOM_NOT_FOUND;
	if (is_gone && s->is_known) {
		state_drop_status(&s->state, s->room.server, s->room.room_id);
		s->is_known = false;
		s->has_ended = true;
	} else if (is_gone || fault->code == FAULT_FORBIDDEN ||
		   fault->code == FAULT_PASSCODE_REQUIRED || fault->code == FAULT_ROOM_LOCKED) {
		s->room.is.is_closed = true;
		enum err e = state_put_status(&s->state, &s->room, &unseen);
		(void)e; /* then it is refused once more */
	}
}

static void status_take_answer(struct verb_status *s, const struct room_update *u)
{
	struct replica room = {0};
	struct state_status now = s->room;
	struct errmsg unseen;
	if (replica_update(&room, u) == OK && room.has_state) {
		room_status_of(&room, s->room.name, s->is_known ? &s->room.is : NULL, &now.is);
		if (s->is_known && !room_status_eq(&now.is, &s->room.is)) {
			enum err e = state_put_status(&s->state, &now, &unseen);
			(void)e; /* the next one asks, too */
		}
		s->room = now;
		s->is_known = true;
		s->is_from_server = true;
	}
	replica_finish(&room);
}

/* One that was never followed may let strangers in, or be there, after a while: nobody is told of that here. */
static bool status_has_said_no(const struct verb_status *s)
{
	return s->room.is.is_closed && (s->is_known || s->room.age_ms < STATUS_OLD_MS);
}

static void status_ask(struct verb_status *s)
{
	struct state_room keys;
	struct arena arena = {0};
	struct room_client_options o = {.keeps_trying = false, .room_id = s->room.room_id};
	struct room_update u;
	struct reply reply;
	struct errmsg why;
	if (address_parse(s->room.server, &o.address, &why) != OK ||
	    !status_is_at_hand(&o.address) ||
	    state_get_room(&s->state, s->room.server, s->room.room_id, NULL, &keys, &why) != OK ||
	    (keys.host_key[0] == '\0' && status_has_said_no(s))) {
		return;
	}
	if (s->room.name[0] == '\0') {
		(void)format_to(s->room.name, sizeof(s->room.name), "%s", keys.name);
	}
	struct room_get_params p = {.room_id = slice_str(s->room.room_id),
				    .host_key = slice_str(keys.host_key)};
	struct room_client *client = room_client_open(NULL, &o);
	int64_t left_ms = s->end_ms - loop_clock_ms();
	if (left_ms > 0 && room_client_connect(client, false, left_ms, &why) == OK &&
	    (left_ms = s->end_ms - loop_clock_ms()) > 0 &&
	    room_client_ask_record(client, METHOD_ROOM_GET, &p, left_ms, &arena, &u, &reply) ==
		    OK) {
		if (reply.is_refused) {
			status_take_refusal(s, &reply.fault);
		} else {
			status_take_answer(s, &u);
		}
	}
	room_client_close(client);
	arena_finish(&arena);
}

/* A server without a note, or with one that cannot be read, is not believed when it is asked. */
static void status_pin(struct address *told)
{
	struct errmsg unseen;
	enum err e = known_server_pin(told, &unseen);
	(void)e; /* a prompt is no place to say it */
}

/* Which room is meant, and what is known of it already. The exit code, told. */
static int status_find(struct cli *c, struct verb_status *s)
{
	struct address told = {.text = ""};
	struct errmsg why;
	char *code = s->code;
	const char *word = c->args.words_n > 0 ? c->args.words[0] : getenv("AYE_ROOM");
	bool has_code = word != NULL && word[0] != '\0';
	const char *server = c->args.value[OPTION_SERVER];
	if (has_code && !code_normalise(slice_str(word), code)) {
		print_problem("%s is not a room code", print_typed(word));
		return EXIT_USAGE;
	}
	if (server != NULL && address_parse(server, &told, &why) != OK) {
		errmsg_prefix(&why, "--server");
		print_problem("%s", print_soft(slice_str(why.text)));
		return EXIT_USAGE;
	}
	s->is_of_env = has_code && c->args.words_n == 0;
	status_pin(&told);
	s->is_known = state_get_status(&s->state, server == NULL ? NULL : told.text,
				       has_code ? code : NULL, &s->room) &&
		      room_status_is_known(&s->room.is);
	if (s->is_known || !has_code) {
		return EXIT_DONE;
	}
	/* Never followed from here: it may still be looked at, on a server that is told. */
	const char *usual = getenv("AYE_SERVER");
	s->room = (struct state_status){.server = ""};
	if (server != NULL || (usual != NULL && address_parse(usual, &told, &why) == OK)) {
		status_pin(&told);
		(void)state_get_status(&s->state, told.text, code, &s->room);
		(void)format_to(s->room.server, sizeof(s->room.server), "%s", told.text);
		(void)format_to(s->room.room_id, sizeof(s->room.room_id), "%s", code);
		s->is_known = room_status_is_known(&s->room.is);
	}
	return EXIT_DONE;
}

/* What a prompt shows: "3 of 5, waits for you; 2 waiting"; "": nothing. */
static void status_short(const struct verb_status *s, char out[STATUS_WORDS_BYTES])
{
	int64_t old_ms = s->room.is.keeps_votes ? STATUS_OLD_KEPT_MS : STATUS_OLD_MS;
	char room[ROOM_STATUS_LINE_BYTES] = "";
	char waiting[STATUS_WAITING_BYTES];
	if (s->is_known && (s->is_from_server || s->room.age_ms < old_ms)) {
		room_status_short(&s->room.is, room);
	}
	status_waiting_short(&s->waiting, waiting);
	(void)format_to(out, STATUS_WORDS_BYTES, "%s%s%s", room,
			room[0] != '\0' && waiting[0] != '\0' ? "; " : "", waiting);
}

static int status_print_json(const struct verb_status *s)
{
	const struct room_status *is = &s->room.is;
	char words[STATUS_WORDS_BYTES];
	status_short(s, words);
	json_t *line = json_pack("{s:s}", "text", words);
	if (s->waiting.is_known && line != NULL) {
		json_t *more =
			json_pack("{s:I, s:b, s:s}", "waiting", (json_int_t)s->waiting.waiting,
				  "waiting_has_more", s->waiting.has_more, "waiting_from",
				  s->waiting.is_from_server ? "server" : "cache");
		(void)json_object_update(line, more);
		json_decref(more);
	}
	if (s->is_known && line != NULL) {
		json_t *more = json_pack(
			"{s:s, s:s, s:s, s:s, s:s, s:I, s:I, s:I, s:b, s:b, s:b, s:b, s:s, s:I}",
			"room_id", s->room.room_id, "server", s->room.server, "name", s->room.name,
			"subject", is->subject, "value", is->value, "round", (json_int_t)is->round,
			"voters", (json_int_t)is->voters, "voted", (json_int_t)is->voted, "is_in",
			is->is_in, "waits_for_you", is->is_mine, "is_revealed", is->is_revealed,
			"is_settled", is->is_settled, "from",
			s->is_from_server ? "server" : "cache", "age_seconds",
			(json_int_t)(s->is_from_server ? 0 : s->room.age_ms / 1000));
		(void)json_object_update(line, more);
		json_decref(more);
	}
	char *text = line == NULL ? NULL : json_dumps(line, JSON_COMPACT);
	bool is_told = text != NULL && print_json(text);
	free(text);
	json_decref(line);
	return is_told ? EXIT_DONE : EXIT_BROKEN;
}

/* Whoever has set AYE_ROOM believes to be in a room, and may have forgotten the variable. */
static bool status_print_no_room(const struct verb_status *s)
{
	if (!s->is_of_env) {
		return print_line("you are in no room");
	}
	return print_text(
		"AYE_ROOM is %s: that room has ended%s; unset AYE_ROOM, or give the CODE of "
		"another",
		s->code, s->has_ended ? "" : ", or is not known here");
}

static int status_print_room(const struct verb_status *s)
{
	char line[ROOM_STATUS_LINE_BYTES];
	int64_t minutes = s->is_from_server ? 0 : s->room.age_ms / 60000;
	if (!s->is_known) {
		return status_print_no_room(s) ? EXIT_NO : EXIT_BROKEN;
	}
	room_status_line(&s->room.is, s->room.room_id, line);
	bool is_told = minutes == 0 ? print_line("%s", line)
		       : minutes < 60
			       ? print_line("%s (%lld min ago)", line, (long long)minutes)
			       : print_line("%s (%lld h ago)", line, (long long)(minutes / 60));
	return is_told ? EXIT_DONE : EXIT_BROKEN;
}

static int status_print(const struct verb_status *s)
{
	int code = status_print_room(s);
	const struct status_waiting *w = &s->waiting;
	bool is_told = !w->is_known || w->waiting == 0 ||
		       print_line("%lld%s question%s for you (aye inbox)", (long long)w->waiting,
				  w->has_more ? " or more" : "", w->waiting == 1 ? "" : "s");
	return is_told ? code : EXIT_BROKEN;
}

int verb_status(struct cli *c)
{
	struct verb_status s = {.end_ms = 0};
	struct errmsg why;
	char words[STATUS_WORDS_BYTES];
	bool is_short = c->args.value[OPTION_SHORT] != NULL;
	enum err e = state_open(&s.state, &why);
	int code = e == OK ? status_find(c, &s) : is_short ? EXIT_DONE : print_failure(e, why.text);
	if (code != EXIT_DONE) {
		return code;
	}
	s.end_ms = loop_clock_ms() + (c->wait_ms < 0 ? STATUS_ASK_MS : c->wait_ms);
	if (s.room.room_id[0] != '\0') {
		status_ask(&s);
	}
	if (c->args.words_n == 0 && e == OK) {
		status_waiting_find(&s.state, c->args.value[OPTION_SERVER], s.end_ms, &s.waiting);
	}
	if (c->is_json) {
		return status_print_json(&s);
	}
	if (!is_short) {
		return status_print(&s);
	}
	status_short(&s, words);
	return words[0] == '\0' || print_line("%s", words) ? EXIT_DONE : EXIT_BROKEN;
}
