/*
 * lines_ask.c - see lines_ask.h.
 */
#include "client/lines/lines_ask.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/model/memory.h"
#include "client/model/questions/user_notice.h"

/* ---- lines ---- */

static void lines_ask_take(struct lines_ask *a, struct slice line)
{
	while (line.len > 0 && strchr(" \t\r", line.data[line.len - 1]) != NULL) {
		line.len--;
	}
	while (line.len > 0 && strchr(" \t", line.data[0]) != NULL) {
		line = slice_of(line.data + 1, line.len - 1);
	}
	a->line = memory_text_of(line);
	a->is_waiting = false;
	loop_hold_lines(&a->loop);
}

static void lines_ask_on_loop(void *owner, const struct event *event)
{
	struct lines_ask *a = owner;
	if (event->kind == EVENT_REST && a->is_waiting) {
		lines_voice_prompt(&a->voice, a->words, false);
	} else if (event->kind == EVENT_LINE) {
		lines_voice_heard(&a->voice);
		if (event->error == OK) {
			lines_ask_take(a, event->line);
		} else {
			lines_voice_say(&a->voice, "That line is too long and was ignored");
		}
	} else if (event->kind == EVENT_INPUT_END) {
		a->is_over = true;
	}
}

static bool lines_ask_has_ended(const void *arg)
{
	const struct lines_ask *a = arg;
	return !a->is_waiting || a->is_over || a->voice.is_gone;
}

/* ---- the connection ---- */

/* A refusal is no matter: it means that nothing comes. */
static void lines_ask_on_watched(void *owner, const struct reply *r)
{
	(void)owner, (void)r;
}

/* What is sent to a user comes to connections that ask for it. */
static void lines_ask_watch(struct lines_ask *a)
{
	struct nothing p = {0};
	if (a->client != NULL && a->sign_in != NULL && a->sign_in->is_signed_in) {
		enum err e = room_client_call(a->client, METHOD_SESSION_WATCH, &p,
					      lines_ask_on_watched, a);
		(void)e; /* the connection is lost again: it is asked on the next one */
	}
}

static void lines_ask_on_client(void *owner, const struct event *event)
{
	struct lines_ask *a = owner;
	char text[USER_NOTICE_BYTES];
	if (!a->has_asked) {
		return;
	}
	if (event->kind == EVENT_UP) {
		lines_ask_watch(a);
	} else if (event->kind == EVENT_NOTICE &&
		   user_notice_text(event->notice, event->update, a->where,
				    room_client_server_ms(a->client), text)) {
		lines_voice_say(&a->voice, text);
	}
}

/* What is typed is meant for us. */
static bool lines_ask_has_terminal(const void *arg)
{
	const struct lines_ask *a = arg;
	return !room_client_is_asking(a->client);
}

void lines_ask_connect(struct lines_ask *a, const struct address *address, struct sign_in *sign_in)
{
	const struct room_client_options o = {
		.address = *address,
		.sign_in = sign_in,
		.keeps_trying = true,
		.on_event = lines_ask_on_client,
		.owner = a,
	};
	lines_ask_disconnect(a);
	a->sign_in = sign_in;
	a->client = room_client_open(&a->loop, &o);
	(void)loop_run(&a->loop, lines_ask_has_terminal, a, -1);
}

void lines_ask_disconnect(struct lines_ask *a)
{
	room_client_close(a->client);
	a->client = NULL;
}

/* ---- asking ---- */

const char *lines_ask(struct lines_ask *a)
{
	free(a->line);
	a->line = NULL;
	if (!a->has_asked) {
		a->has_asked = true;
		lines_ask_watch(a);
	}
	a->is_waiting = true;
	if (!a->is_over && loop_take_lines(&a->loop, STDIN_FILENO) != OK) {
		a->is_over = true;
	}
	(void)loop_run(&a->loop, lines_ask_has_ended, a, -1);
	a->is_waiting = false;
	if (a->line == NULL) {
		lines_voice_close(&a->voice);
	}
	return a->line;
}

void lines_ask_open(struct lines_ask *a, const char *words, const char *where)
{
	*a = (struct lines_ask){.words = words, .where = where};
	lines_voice_open(&a->voice);
	loop_open(&a->loop, lines_ask_on_loop, a);
	a->loop.skips_long_lines = true;
	loop_watch_rest(&a->loop);
}

void lines_ask_close(struct lines_ask *a)
{
	lines_voice_close(&a->voice);
	lines_ask_disconnect(a);
	loop_close(&a->loop);
	free(a->line);
	a->line = NULL;
}
