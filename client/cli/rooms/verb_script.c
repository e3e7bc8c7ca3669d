/*
 * verb_script.c - aye script: requests as JSON lines in, everything back as JSON lines.
 *
 * In:   {"method": M, "params": {...}?, "id": ANY?}
 *       {"wait": {"method": M, "where": {...}?}, "timeout_ms": N?, "id": ANY?}
 * Out:  {"id", "result"}, {"id", "error"}, {"method", "params"}, {"id", "waited"}
 * A wait holds back the lines behind it until a notification fits. The end of
 * input ends the script when every answer has come.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/cli/output/print.h"
#include "client/cli/reach/reach.h"
#include "client/cli/rooms/script_wait.h"
#include "client/model/memory.h"
#include "proto/base/format.h"
#include "proto/json.h"

/* Requests without an answer; then lines wait. Well below what makes a server pause. */
#define SCRIPT_PENDING_MAX 32
/* A wait's own default. */
#define SCRIPT_WAIT_MS 30000

#define SCRIPT_LINE_BYTES (24u << 20)

struct script_asked {
	bool is_used;
	struct script *script;
	json_t *tag; /* the line's "id"; NULL: it had none */
};

struct script {
	struct cli *cli;
	struct room_client *client;
	struct script_asked asked[SCRIPT_PENDING_MAX];
	size_t asked_n;
	struct script_wait wait;
	json_t *wait_tag;
	int64_t wait_until_ms; /* loop_clock_ms() */
	bool is_input_over;
	bool has_moved; /* something has happened: it is seen whether that was all */
	bool is_over;	/* nothing more can come */
	size_t line_number;
	int code; /* the first thing that went wrong */
};

static void script_note(struct script *s, int code)
{
	if (s->code == EXIT_DONE) {
		s->code = code;
	}
}

/* ---- out ---- */

static void script_print(struct script *s, const json_t *line)
{
	char *text = memory_have(json_dumps(line, JSON_COMPACT | JSON_ENSURE_ASCII));
	if (!print_json(text)) {
		script_note(s, EXIT_BROKEN);
	}
	free(text);
}

/* Prints {"id": tag, key: value} and lets go of value. */
static void script_answer(struct script *s, json_t *tag, const char *key, json_t *value)
{
	json_t *id = tag == NULL ? json_null() : tag;
	json_t *line = json_pack("{s:O, s:o}", "id", id, key, value);
	if (line != NULL) {
		script_print(s, line);
	} else {
		script_note(s, print_failure(ERR_PROTO, "a value cannot be written as JSON"));
	}
	json_decref(line);
}

static void script_complain(struct script *s, json_t *tag, const char *code, const char *message)
{
	script_answer(s, tag, "error", json_pack("{s:s, s:s}", "code", code, "message", message));
}

static json_t *script_value(const struct msgpack_object *msgpack)
{
	struct buf text;
	json_t *value = NULL;
	if (msgpack == NULL) {
		return json_null();
	}
	buf_init(&text, SCRIPT_LINE_BYTES);
	if (memory_check(json_from_object(msgpack, &text)) == OK) {
		value = json_loadb(text.data, text.len, JSON_DECODE_ANY, NULL);
	}
	buf_finish(&text);
	return value;
}

/* ---- waiting ---- */

static void script_end_wait(struct script *s)
{
	json_decref(s->wait.pattern);
	json_decref(s->wait_tag);
	s->wait.pattern = NULL;
	s->wait_tag = NULL;
}

static void script_try_wait(struct script *s)
{
	json_t *notice = s->wait.pattern == NULL ? NULL : script_wait_find(&s->wait);
	if (notice != NULL) {
		script_answer(s, s->wait_tag, "waited", notice);
		script_end_wait(s);
	}
}

static void script_give_up_wait(struct script *s)
{
	script_complain(s, s->wait_tag, "TIMED_OUT", "no matching notification arrived");
	script_note(s, EXIT_TIMED_OUT);
	script_end_wait(s);
}

/* ---- lines ---- */

static void script_on_reply(void *owner, const struct reply *r)
{
	struct script_asked *a = owner;
	struct script *s = a->script;
	s->has_moved = true;
	if (r->error != OK) {
		return; /* EVENT_DOWN follows */
	}
	/* What it has logged in to, or subscribed to, would be lost on another connection. */
	room_client_stay(s->client);
	script_answer(s, a->tag, r->is_refused ? "error" : "result", script_value(r->value));
	json_decref(a->tag);
	a->is_used = false;
	s->asked_n--;
}

static enum err script_send(struct script *s, const json_t *line)
{
	struct buf params;
	struct errmsg why = {""};
	size_t at = 0;
	while (s->asked[at].is_used) {
		at++;
	}
	const json_t *given = json_object_get(line, "params");
	buf_init(&params, MAX_FRAME_BYTES);
	enum err e = OK;
	if (given != NULL) {
		char *text = memory_have(json_dumps(given, JSON_COMPACT | JSON_ENCODE_ANY));
		e = memory_check(json_to_bytes(slice_str(text), &params, &why));
		free(text);
	}
	if (e == OK) {
		const char *method = json_string_value(json_object_get(line, "method"));
		e = room_client_send(s->client, slice_str(method), buf_slice(&params),
				     script_on_reply, &s->asked[at]);
	}
	if (e == OK) {
		s->asked[at].is_used = true;
		s->asked[at].script = s;
		s->asked[at].tag = json_incref(json_object_get(line, "id"));
		s->asked_n++;
	}
	buf_finish(&params);
	return e;
}

static void script_begin_wait(struct script *s, const json_t *line)
{
	const json_t *timeout = json_object_get(line, "timeout_ms");
	s->wait.pattern = json_incref(json_object_get(line, "wait"));
	s->wait_tag = json_incref(json_object_get(line, "id"));
	bool is_given = json_is_integer(timeout) && json_integer_value(timeout) > 0 &&
			json_integer_value(timeout) < INT32_MAX;
	s->wait_until_ms =
		loop_clock_ms() + (is_given ? json_integer_value(timeout) : SCRIPT_WAIT_MS);
	script_try_wait(s);
}

static bool script_is_wait(const json_t *line)
{
	return json_is_string(json_object_get(json_object_get(line, "wait"), "method"));
}

static void script_take_line(struct script *s, struct slice text)
{
	json_error_t error;
	char message[200];
	s->line_number++;
	if (text.len == 0) {
		return;
	}
	json_t *line = json_loadb(text.data, text.len, JSON_REJECT_DUPLICATES, &error);
	enum err e = ERR_INVALID;
	if (script_is_wait(line)) {
		script_begin_wait(s, line);
		e = OK;
	} else if (json_is_string(json_object_get(line, "method"))) {
		e = script_send(s, line);
	}
	if (e != OK) {
		format_to(message, sizeof(message), "line %zu: %s", s->line_number,
			  line == NULL	     ? error.text
			  : e == ERR_INVALID ? "needs a method, or a wait with one"
					     : err_text(e));
		script_complain(s, json_object_get(line, "id"), "VALIDATION_ERROR", message);
		script_note(s, e == ERR_CLOSED ? EXIT_NO_SERVER : EXIT_USAGE);
	}
	json_decref(line);
}

/* ---- what happens ---- */

static void script_take_notice(struct script *s, const struct event *event)
{
	json_t *notice = json_pack("{s:s%, s:o}", "method", event->name.data, event->name.len,
				   "params", script_value(event->value));
	if (notice == NULL) {
		return; /* not UTF-8: nothing that could be printed */
	}
	script_print(s, notice);
	script_wait_keep(&s->wait, notice);
	script_try_wait(s);
}

/* A wait, or too much without an answer: the next line has to stay where it is. */
static bool script_is_busy(const struct script *s)
{
	return s->wait.pattern != NULL || s->asked_n == SCRIPT_PENDING_MAX;
}

static void script_on_event(void *owner, const struct event *event)
{
	struct script *s = owner;
	s->has_moved = true;
	if (event->kind == EVENT_NOTICE) {
		script_take_notice(s, event);
	} else if (event->kind == EVENT_LINE) {
		script_take_line(s, event->line);
	} else if (event->kind == EVENT_INPUT_END) {
		s->is_input_over = true;
		if (event->error != OK) {
			script_note(s, print_failure(event->error, "cannot read standard input"));
		}
	} else if (event->kind == EVENT_DOWN) {
		s->is_over = true;
		script_note(s, print_failure(ERR_CLOSED, print_soft(slice_str(event->why))));
	}
	if (script_is_busy(s)) {
		loop_hold_lines(room_client_loop(s->client));
	}
}

static void script_on_timeout(struct script *s)
{
	if (s->wait.pattern != NULL) {
		script_give_up_wait(s);
	} else {
		script_note(s, print_failure(ERR_UNKNOWN, "the server did not answer in time"));
		s->is_over = true;
	}
}

static bool script_has_moved(const void *arg)
{
	const struct script *s = arg;
	return s->has_moved;
}

static int64_t script_patience_ms(const struct script *s)
{
	if (s->wait.pattern != NULL) {
		int64_t left_ms = s->wait_until_ms - loop_clock_ms();
		return left_ms > 0 ? left_ms : 0;
	}
	return s->asked_n > 0 ? s->cli->answer_ms : -1;
}

/* Turn by turn, since each may change what is waited for, and how long. */
static int script_run(struct script *s)
{
	while (!s->is_over && (!s->is_input_over || s->asked_n > 0 || s->wait.pattern != NULL)) {
		s->has_moved = false;
		if (!script_is_busy(s) &&
		    loop_take_lines(room_client_loop(s->client), STDIN_FILENO) != OK) {
			script_note(s, print_failure(ERR_IO, "cannot read standard input"));
			break;
		}
		if (!room_client_wait(s->client, script_has_moved, s, script_patience_ms(s)) &&
		    !s->is_over) {
			script_on_timeout(s);
		}
	}
	for (size_t i = 0; i < SCRIPT_PENDING_MAX; i++) {
		json_decref(s->asked[i].is_used ? s->asked[i].tag : NULL);
	}
	script_end_wait(s);
	script_wait_finish(&s->wait);
	return s->code;
}

int verb_script(struct cli *c)
{
	struct script s = {.cli = c};
	struct server_place place;
	int code = reach_server(c, &place, &s.client);
	if (code == EXIT_DONE) {
		room_client_listen(s.client, script_on_event, &s);
		code = script_run(&s);
		room_client_close(s.client);
	}
	return code;
}
