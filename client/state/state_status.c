/*
 * state_status.c - fields to JSON and back; see state_status.h.
 */
#include "client/state/state_status.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "client/state/state_file.h"
#include "proto/base/format.h"
#include "proto/text/text.h"

#define STATE_STATUS_DIR "status"

/* The fields of struct room_status. */
#define STATUS_TEXTS(X) X(subject) X(value)
#define STATUS_INTS(X)	X(round) X(voters) X(voted)
#define STATUS_BOOLS(X) \
	X(is_in) X(is_lobby) X(is_mine) X(is_revealed) X(is_settled) X(keeps_votes) X(is_closed)

enum err state_put_status(const struct state *s, const struct state_status *status,
			  struct errmsg *why)
{
	const struct room_status *is = &status->is;
	char dir[PATH_MAX];
	char path[PATH_MAX];
	format_to(dir, sizeof(dir), "%s/%s", s->dir, STATE_STATUS_DIR);
	enum err e =
		state_room_file(s, path, STATE_STATUS_DIR, status->server, status->room_id, why);
	e = e == OK ? state_make_dir(dir, why) : e;
	if (e != OK) {
		return e;
	}
	if (access(path, F_OK) != 0) {
		state_prune(dir, STATE_STATUS_MAX);
	}
	json_t *file = json_object();
	state_file_set(file, "server", status->server);
	state_file_set(file, "room_id", status->room_id);
	state_file_set(file, "name", status->name);
	state_file_set(file, "terminal", status->terminal);
	(void)json_object_set_new(file, "pid", json_integer(status->pid));
#define PUT_TEXT(field) state_file_set(file, #field, is->field);
#define PUT_INT(field)	(void)json_object_set_new(file, #field, json_integer(is->field));
#define PUT_BOOL(field) (void)json_object_set_new(file, #field, json_boolean(is->field));
	STATUS_TEXTS(PUT_TEXT)
	STATUS_INTS(PUT_INT)
	STATUS_BOOLS(PUT_BOOL)
	e = state_file_note(path, file, why);
	json_decref(file);
	return e;
}

void state_drop_status(const struct state *s, const char *server, const char *room_id)
{
	char path[PATH_MAX];
	struct errmsg unseen;
	if (state_room_file(s, path, STATE_STATUS_DIR, server, room_id, &unseen) == OK) {
		(void)unlink(path);
	}
}

/* Softened: it ends in a terminal's status line, whoever wrote the file. */
static void state_status_text(const json_t *file, const char *key, char *out, size_t cap)
{
	const char *text = json_string_value(json_object_get(file, key));
	out[text_soften(slice_str(text == NULL ? "" : text), out, cap - 1)] = '\0';
}

static bool state_status_read(const char *path, struct state_status *out)
{
	struct room_status *is = &out->is;
	struct errmsg unseen;
	json_t *file;
	if (state_file_read(path, &file, &unseen) != OK) {
		return false;
	}
	*out = (struct state_status){.server = ""};
	state_status_text(file, "server", out->server, sizeof(out->server));
	state_status_text(file, "room_id", out->room_id, sizeof(out->room_id));
	state_status_text(file, "name", out->name, sizeof(out->name));
	state_status_text(file, "terminal", out->terminal, sizeof(out->terminal));
	out->pid = json_integer_value(json_object_get(file, "pid"));
#define GET_TEXT(field) state_status_text(file, #field, is->field, sizeof(is->field));
#define GET_INT(field)	is->field = json_integer_value(json_object_get(file, #field));
#define GET_BOOL(field) is->field = json_is_true(json_object_get(file, #field));
	STATUS_TEXTS(GET_TEXT)
	STATUS_INTS(GET_INT)
	STATUS_BOOLS(GET_BOOL)
	json_decref(file);
	return out->server[0] != '\0' && out->room_id[0] != '\0';
}

static int64_t state_status_ms(struct timespec t)
{
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Put it in its place among those that were written before and after; beyond the most, the oldest goes. */
static void state_status_add(struct state_status *out, size_t *n, const struct state_status *one)
{
	size_t at = *n;
	while (at > 0 && out[at - 1].age_ms > one->age_ms) {
		at--;
	}
	if (at == STATE_STATUS_MAX) {
		return;
	}
	*n += *n < STATE_STATUS_MAX;
	memmove(&out[at + 1], &out[at], (*n - at - 1) * sizeof(*out));
	out[at] = *one;
}

size_t state_list_status(const struct state *s, struct state_status out[STATE_STATUS_MAX])
{
	char path[PATH_MAX];
	struct timespec now = {0};
	size_t n = 0;
	format_to(path, sizeof(path), "%s/%s", s->dir, STATE_STATUS_DIR);
	DIR *d = opendir(path);
	if (d == NULL) {
		return 0; /* no room yet */
	}
	(void)clock_gettime(CLOCK_REALTIME, &now); /* there is no system without it */
	for (struct dirent *entry = readdir(d); entry != NULL; entry = readdir(d)) {
		struct state_status one;
		struct stat st;
		size_t len = strlen(entry->d_name);
		bool is_one = len > 5 && strcmp(entry->d_name + len - 5, ".json") == 0;
		format_to(path, sizeof(path), "%s/%s/%s", s->dir, STATE_STATUS_DIR, entry->d_name);
		if (is_one && stat(path, &st) == 0 && state_status_read(path, &one)) {
			one.age_ms = state_status_ms(now) - state_status_ms(st.st_mtim);
			state_status_add(out, &n, &one);
		}
	}
	(void)closedir(d);
	/* Written in the future, by a clock that was set back since: just now. */
	for (size_t i = 0; i < n; i++) {
		out[i].age_ms = out[i].age_ms < 0 ? 0 : out[i].age_ms;
	}
	return n;
}

bool state_get_status(const struct state *s, const char *server, const char *room_id,
		      struct state_status *out)
{
	struct state_status all[STATE_STATUS_MAX];
	size_t n = state_list_status(s, all);
	for (size_t i = 0; i < n; i++) {
		bool is_meant = (server == NULL || strcmp(server, all[i].server) == 0) &&
				(room_id == NULL ? room_status_is_known(&all[i].is)
						 : strcmp(room_id, all[i].room_id) == 0);
		if (is_meant) {
			*out = all[i];
			return true;
		}
	}
	return false;
}
