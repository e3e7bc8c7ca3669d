/*
 * state_waiting.c - fields to JSON and back; see state_waiting.h.
 */
#include "client/state/state_waiting.h"

#include <string.h>

#include "client/state/state_file.h"
#include "proto/base/format.h"

#define STATE_WAITING_DIR "waiting"

static int64_t state_waiting_number(const json_t *file, const char *key, int64_t max)
{
	int64_t n = json_integer_value(json_object_get(file, key));
	return n < 0 ? 0 : n > max ? max : n;
}

void state_get_waiting(const struct state *s, const char *server, const char *user_name,
		       int64_t now_ms, struct state_waiting *out)
{
	char path[PATH_MAX];
	json_t *file = NULL;
	struct errmsg unseen;
	*out = (struct state_waiting){.asks = STATE_WAITING_ASKS, .asks_at = now_ms};
	format_to(out->server, sizeof(out->server), "%s", server);
	format_to(out->user_name, sizeof(out->user_name), "%s", user_name);
	state_file_path(path, s->dir, STATE_WAITING_DIR, server, "");
	if (state_file_read(path, &file, &unseen) != OK) {
		return;
	}
	const char *known = json_string_value(json_object_get(file, "user_name"));
	int64_t seen_at = state_waiting_number(file, "seen_at", INT64_MAX);
	int64_t asks_at = state_waiting_number(file, "asks_at", INT64_MAX);
	if (known != NULL && strcmp(known, user_name) == 0 && seen_at <= now_ms) {
		out->waiting = state_waiting_number(file, "waiting", MAX_QUESTION_PAGE);
		out->has_more = json_is_true(json_object_get(file, "has_more"));
		out->seen_at = seen_at;
	}
	if (asks_at > 0 && asks_at <= now_ms) {
		out->asks = state_waiting_number(file, "asks", STATE_WAITING_ASKS);
		out->asks_at = asks_at;
	}
	json_decref(file);
}

bool state_waiting_may_ask(struct state_waiting *w, int64_t now_ms)
{
	int64_t more = (now_ms - w->asks_at) / STATE_WAITING_ASK_MS;
	if (w->asks + more >= STATE_WAITING_ASKS) {
		w->asks = STATE_WAITING_ASKS;
		w->asks_at = now_ms;
	} else {
		w->asks += more;
		w->asks_at += more * STATE_WAITING_ASK_MS;
	}
	bool may = w->asks > 0;
	w->asks -= may;
	return may;
}

void state_put_waiting(const struct state *s, const struct state_waiting *w)
{
	char path[PATH_MAX];
	struct errmsg unseen;
	format_to(path, sizeof(path), "%s/%s", s->dir, STATE_WAITING_DIR);
	if (state_make_dir(path, &unseen) != OK) {
		return;
	}
	json_t *file = json_object();
	state_file_set(file, "server", w->server);
	state_file_set(file, "user_name", w->user_name);
	(void)json_object_set_new(file, "waiting", json_integer(w->waiting));
	(void)json_object_set_new(file, "has_more", json_boolean(w->has_more));
	(void)json_object_set_new(file, "seen_at", json_integer(w->seen_at));
	(void)json_object_set_new(file, "asks", json_integer(w->asks));
	(void)json_object_set_new(file, "asks_at", json_integer(w->asks_at));
	state_file_path(path, s->dir, STATE_WAITING_DIR, w->server, "");
	enum err e = state_file_note(path, file, &unseen);
	(void)e;
	json_decref(file);
}
