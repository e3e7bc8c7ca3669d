/*
 * state.c - rooms and names in their files; see state.h.
 */
#include "client/state/state.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "client/state/state_file.h"
#include "client/state/xdg_dirs.h"
#include "proto/base/format.h"
#include "proto/keys/room_code.h"

/* ---- where ---- */

enum err state_open(struct state *s, struct errmsg *why)
{
	enum err e = xdg_dir("XDG_STATE_HOME", ".local/state", s->dir, why);
	return e == OK ? state_make_dir(s->dir, why) : e;
}

static void state_path(const struct state *s, char out[PATH_MAX], const char *name)
{
	format_to(out, PATH_MAX, "%s/%s", s->dir, name);
}

/* The server's name may be long and hold anything: its hash is in the file's name, itself in the
 * file. A room's code stands there as it is, so nothing else may. */
enum err state_room_file(const struct state *s, char out[PATH_MAX], const char *dir,
			 const char *server, const char *room_id, struct errmsg *why)
{
	char end[CODE_CHARS_MAX + 2];
	char code[CODE_CHARS_MAX + 1];
	if (!code_normalise(slice_str(room_id), code) || strcmp(code, room_id) != 0) {
		errmsg_set(why, "not a room code");
		return ERR_INVALID;
	}
	(void)format_to(end, sizeof(end), "-%s", room_id);
	state_file_path(out, s->dir, dir, server, end);
	return OK;
}

static enum err state_room_path(const struct state *s, char out[PATH_MAX], const char *server,
				const char *room_id, struct errmsg *why)
{
	return state_room_file(s, out, "rooms", server, room_id, why);
}

/* ---- rooms ---- */

enum err state_get_room(const struct state *s, const char *server, const char *room_id,
			const char *name, struct state_room *out, struct errmsg *why)
{
	char path[PATH_MAX];
	json_t *room;
	memset(out, 0, sizeof(*out));
	enum err e = state_room_path(s, path, server, room_id, why);
	if (e == OK) {
		e = state_file_read(path, &room, why);
	}
	if (e != OK) {
		return e;
	}
	state_file_get(room, "host_key", out->host_key, sizeof(out->host_key));
	if (name != NULL) {
		format_to(out->name, sizeof(out->name), "%s", name);
	} else {
		state_file_get(room, "name", out->name, sizeof(out->name));
	}
	state_file_get(json_object_get(room, "seats"), out->name, out->user_key,
		       sizeof(out->user_key));
	json_decref(room);
	return OK;
}

void state_prune(const char *dir, size_t most)
{
	char oldest[PATH_MAX] = "";
	char path[PATH_MAX];
	time_t oldest_at = 0;
	size_t n = 0;
	struct stat st;
	DIR *d = opendir(dir);
	if (d == NULL) {
		return;
	}
	for (struct dirent *entry = readdir(d); entry != NULL; entry = readdir(d)) {
		format_to(path, sizeof(path), "%s/%s", dir, entry->d_name);
		if (entry->d_name[0] == '.' || stat(path, &st) != 0) {
			continue;
		}
		n++;
		if (oldest[0] == '\0' || st.st_mtime < oldest_at) {
			oldest_at = st.st_mtime;
			memcpy(oldest, path, sizeof(oldest));
		}
	}
	(void)closedir(d);
	if (n >= most) {
		(void)unlink(oldest);
	}
}

static enum err state_begin_room(const struct state *s, const char *server, const char *room_id,
				 struct state_change *c, struct errmsg *why)
{
	char dir[PATH_MAX];
	state_path(s, dir, "rooms");
	enum err e = state_room_path(s, c->path, server, room_id, why);
	if (e == OK) {
		e = state_make_dir(dir, why);
	}
	if (e != OK) {
		return e;
	}
	if (access(c->path, F_OK) != 0) {
		state_prune(dir, STATE_ROOMS_MAX);
	}
	e = state_change_begin(c, s->dir, why);
	if (e == OK) {
		state_file_set(c->value, "server", server);
		state_file_set(c->value, "room_id", room_id);
	}
	return e;
}

/* In the map of the room's file, made where it lacks. */
static json_t *state_seats(json_t *room, const char *map)
{
	json_t *seats = json_object_get(room, map);
	if (!json_is_object(seats)) {
		seats = json_object();
		(void)json_object_set_new(room, map, seats);
	}
	return seats;
}

enum err state_keep_seat(const struct state *s, const char *server, const char *room_id,
			 const char *old_name, const char *name, const char *user_key,
			 struct errmsg *why)
{
	struct state_change c;
	enum err e = state_begin_room(s, server, room_id, &c, why);
	if (e != OK) {
		return e;
	}
	json_t *seats = state_seats(c.value, "seats");
	const char *old_key =
		old_name == NULL ? NULL : json_string_value(json_object_get(seats, old_name));
	if (old_key != NULL && strcmp(old_key, user_key) == 0) {
		(void)json_object_del(seats, old_name);
	}
	state_file_set(seats, name, user_key);
	state_file_set(c.value, "name", name);
	return state_change_end(&c, why);
}

enum err state_keep_other_seat(const struct state *s, const char *server, const char *room_id,
			       bool is_bot, const char *name, const char *user_key,
			       struct errmsg *why)
{
	struct state_change c;
	enum err e = state_begin_room(s, server, room_id, &c, why);
	if (e != OK) {
		return e;
	}
	state_file_set(state_seats(c.value, is_bot ? "bots" : "seats"), name, user_key);
	if (!is_bot && json_object_get(c.value, "name") == NULL) {
		state_file_set(c.value, "name", name);
	}
	return state_change_end(&c, why);
}

enum err state_get_bot_key(const struct state *s, const char *server, const char *room_id,
			   const char *name, char user_key[KEY_CHARS + 1], struct errmsg *why)
{
	char path[PATH_MAX];
	json_t *room;
	enum err e = state_room_path(s, path, server, room_id, why);
	e = e == OK ? state_file_read(path, &room, why) : e;
	if (e == OK) {
		state_file_get(json_object_get(room, "bots"), name, user_key, KEY_CHARS + 1);
		json_decref(room);
	}
	return e;
}

enum err state_keep_host_key(const struct state *s, const char *server, const char *room_id,
			     const char *host_key, struct errmsg *why)
{
	struct state_change c;
	enum err e = state_begin_room(s, server, room_id, &c, why);
	if (e != OK) {
		return e;
	}
	state_file_set(c.value, "host_key", host_key);
	return state_change_end(&c, why);
}

enum err state_keep_title(const struct state *s, const char *server, const char *room_id,
			  const char *title, struct errmsg *why)
{
	struct state_change c;
	enum err e = state_room_path(s, c.path, server, room_id, why);
	if (e != OK || access(c.path, F_OK) != 0) {
		return e;
	}
	e = state_change_begin(&c, s->dir, why);
	if (e != OK) {
		return e;
	}
	const char *was = json_string_value(json_object_get(c.value, "title"));
	if (was != NULL && strcmp(was, title) == 0) {
		state_change_close(&c);
		return OK;
	}
	state_file_set(c.value, "title", title);
	return state_change_end(&c, why);
}

enum err state_forget_room(const struct state *s, const char *server, const char *room_id,
			   struct errmsg *why)
{
	char path[PATH_MAX];
	enum err e = state_room_path(s, path, server, room_id, why);
	if (e != OK) {
		return e;
	}
	if (unlink(path) != 0 && access(path, F_OK) == 0) {
		errmsg_set(why, "%s cannot be removed", path);
		return ERR_IO;
	}
	return OK;
}

/* ---- the name ---- */

enum err state_get_name(const struct state *s, char out[MAX_NAME_BYTES + 1], struct errmsg *why)
{
	char path[PATH_MAX];
	json_t *all;
	state_path(s, path, "aye.json");
	enum err e = state_file_read(path, &all, why);
	if (e == OK) {
		state_file_get(all, "name", out, MAX_NAME_BYTES + 1);
		json_decref(all);
	}
	return e;
}

enum err state_keep_name(const struct state *s, const char *name, struct errmsg *why)
{
	struct state_change c;
	state_path(s, c.path, "aye.json");
	enum err e = state_change_begin(&c, s->dir, why);
	if (e != OK) {
		return e;
	}
	state_file_set(c.value, "name", name);
	return state_change_end(&c, why);
}
