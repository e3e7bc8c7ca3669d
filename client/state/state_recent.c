/*
 * state_recent.c - goes through the directory of rooms; see state_recent.h.
 */
#include "client/state/state_recent.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "client/state/state_file.h"
#include "proto/base/format.h"

static void state_recent_copy(const json_t *object, const char *key, char *out, size_t cap)
{
	const char *text = json_string_value(json_object_get(object, key));
	format_to(out, cap, "%s", text == NULL ? "" : text);
}

static bool state_recent_is_whole(const struct recent_room *room)
{
	char code[CODE_CHARS_MAX + 1];
	return room->server[0] != '\0' && code_normalise(slice_str(room->room_id), code) &&
	       strcmp(code, room->room_id) == 0;
}

/* The room of that file; false where it is none. */
static bool state_recent_read(const char *path, struct recent_room *room, struct errmsg *why)
{
	struct stat st;
	json_t *file;
	*room = (struct recent_room){.used_at_ms = 0};
	if (stat(path, &st) != 0 || state_file_read(path, &file, why) != OK) {
		return false;
	}
	state_recent_copy(file, "server", room->server, sizeof(room->server));
	state_recent_copy(file, "room_id", room->room_id, sizeof(room->room_id));
	state_recent_copy(file, "title", room->title, sizeof(room->title));
	state_recent_copy(file, "name", room->name, sizeof(room->name));
	room->is_host = json_is_string(json_object_get(file, "host_key"));
	room->used_at_ms = (int64_t)st.st_mtim.tv_sec * 1000 + st.st_mtim.tv_nsec / 1000000;
	json_decref(file);
	return state_recent_is_whole(room);
}

static bool state_recent_is_meant(const char *name)
{
	static const char ending[] = ".json";
	size_t len = strlen(name);
	size_t ending_len = sizeof(ending) - 1;
	return name[0] != '.' && len > ending_len && strcmp(name + len - ending_len, ending) == 0;
}

/* Each room that has a file. */
static void state_recent_walk(const struct state *s,
			      void (*on_room)(void *arg, const char *path,
					      const struct recent_room *room),
			      void *arg, struct errmsg *why)
{
	char path[PATH_MAX];
	struct recent_room room;
	format_to(path, sizeof(path), "%s/rooms", s->dir);
	DIR *d = opendir(path);
	if (d == NULL) {
		return; /* no room yet */
	}
	for (struct dirent *entry = readdir(d); entry != NULL; entry = readdir(d)) {
		if (state_recent_is_meant(entry->d_name)) {
			format_to(path, sizeof(path), "%s/rooms/%s", s->dir, entry->d_name);
			if (state_recent_read(path, &room, why)) {
				on_room(arg, path, &room);
			}
		}
	}
	(void)closedir(d);
}

static void state_recent_add(void *arg, const char *path, const struct recent_room *room)
{
	(void)path;
	recent_rooms_add(arg, room);
}

void state_list_rooms(const struct state *s, struct recent_rooms *out, struct errmsg *why)
{
	out->n = 0;
	state_recent_walk(s, state_recent_add, out, why);
	recent_rooms_sort(out);
}

struct state_forgotten {
	const char *server, *room_id;
};

static void state_recent_drop(void *arg, const char *path, const struct recent_room *room)
{
	const struct state_forgotten *f = arg;
	if (strcmp(room->room_id, f->room_id) == 0 && recent_is_repinned(room->server, f->server)) {
		(void)unlink(path);
	}
}

enum err state_forget_recent(const struct state *s, const char *server, const char *room_id,
			     struct errmsg *why)
{
	struct state_forgotten f = {server, room_id};
	struct errmsg ignored = {""};
	enum err e = state_forget_room(s, server, room_id, why);
	if (e == OK) {
		state_recent_walk(s, state_recent_drop, &f, &ignored);
	}
	return e;
}
