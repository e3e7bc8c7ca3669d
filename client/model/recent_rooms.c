/*
 * recent_rooms.c - a list that grows and is put in order; see recent_rooms.h.
 */
#include "client/model/recent_rooms.h"

#include <stdlib.h>
#include <string.h>

#include "client/model/memory.h"
#include "proto/text/text.h"

enum { RECENT_CAP_FIRST = 16 };

void recent_rooms_finish(struct recent_rooms *r)
{
	free(r->rooms);
	*r = (struct recent_rooms){0};
}

static void recent_soften(char *out, size_t cap, const char *text)
{
	size_t len = text_soften(slice_str(text), out, cap - 1);
	out[len] = '\0';
}

void recent_rooms_add(struct recent_rooms *r, const struct recent_room *room)
{
	if (r->n == r->cap) {
		r->cap = r->cap == 0 ? RECENT_CAP_FIRST : 2 * r->cap;
		r->rooms = memory_grow(r->rooms, r->cap, sizeof(*r->rooms));
	}
	struct recent_room *to = &r->rooms[r->n++];
	*to = *room;
	recent_soften(to->server, sizeof(to->server), room->server);
	recent_soften(to->room_id, sizeof(to->room_id), room->room_id);
	recent_soften(to->title, sizeof(to->title), room->title);
	recent_soften(to->name, sizeof(to->name), room->name);
}

/* Of two used at the same instant the code decides, so that the order stays. */
static int recent_compare(const void *a, const void *b)
{
	const struct recent_room *x = a;
	const struct recent_room *y = b;
	if (x->used_at_ms != y->used_at_ms) {
		return x->used_at_ms > y->used_at_ms ? -1 : 1;
	}
	return strcmp(x->room_id, y->room_id);
}

bool recent_is_repinned(const char *a, const char *b)
{
	size_t len = strcspn(a, "#");
	return a[len] != '\0' && len == strcspn(b, "#") && b[len] != '\0' &&
	       memcmp(a, b, len) == 0 && strcmp(a + len, b + len) != 0;
}

/* From the one used last on: what is before `at` is as it is to be. */
static void recent_repin(struct recent_rooms *r, size_t at)
{
	struct recent_room *room = &r->rooms[at];
	for (size_t i = 0; i < at; i++) {
		if (recent_is_repinned(r->rooms[i].server, room->server)) {
			memcpy(room->server, r->rooms[i].server, sizeof(room->server));
			room->is_host = false; /* the key that is kept is for the other server */
			return;
		}
	}
}

void recent_rooms_sort(struct recent_rooms *r)
{
	if (r->n > 1) {
		qsort(r->rooms, r->n, sizeof(r->rooms[0]), recent_compare);
	}
	for (size_t at = 0; at < r->n;) {
		recent_repin(r, at);
		if (recent_rooms_find(r, r->rooms[at].server, r->rooms[at].room_id) < at) {
			recent_rooms_remove(r, at);
		} else {
			at++;
		}
	}
}

void recent_rooms_remove(struct recent_rooms *r, size_t at)
{
	if (at < r->n) {
		r->n--;
		memmove(&r->rooms[at], &r->rooms[at + 1], (r->n - at) * sizeof(r->rooms[0]));
	}
}

size_t recent_rooms_find(const struct recent_rooms *r, const char *server, const char *room_id)
{
	size_t i = 0;
	while (i < r->n && (strcmp(r->rooms[i].server, server) != 0 ||
			    strcmp(r->rooms[i].room_id, room_id) != 0)) {
		i++;
	}
	return i;
}
