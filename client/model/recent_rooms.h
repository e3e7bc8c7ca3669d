/*
 * recent_rooms.h - the rooms a user was in, the most recent first.
 *
 * Filled from the stored state, shown at home. All text is softened when it is
 * added, so it is safe to draw.
 *
 * Life: a zeroed struct .. recent_rooms_finish().
 */
#ifndef CLIENT_MODEL_RECENT_ROOMS_H
#define CLIENT_MODEL_RECENT_ROOMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/err.h"
#include "proto/base/limits.h"
#include "proto/keys/room_code.h"

/* The most bytes of a canonical address. */
#define RECENT_SERVER_BYTES_MAX 300

struct recent_room {
	char server[RECENT_SERVER_BYTES_MAX + 1];
	char room_id[CODE_CHARS_MAX + 1];
	char title[MAX_TITLE_BYTES + 1]; /* "": none, or never seen */
	char name[MAX_NAME_BYTES + 1];   /* the name used there last; "": none */
	bool is_host;                    /* its host key is stored */
	bool is_gone;                    /* the server did not find it */
	bool is_elsewhere;               /* not on the server on which rooms are created now */
	int64_t used_at_ms;              /* since the epoch */
};

struct recent_rooms {
	struct recent_room *rooms;
	size_t n;
	size_t cap;
};

void recent_rooms_finish(struct recent_rooms *r);

/* Add a copy of the room, softened. */
void recent_rooms_add(struct recent_rooms *r, const struct recent_room *room);
/*
 * Sort, the most recent first. Rooms at one address with different certificates get the address
 * with the certificate used last, since no server has the old one; duplicates are then dropped.
 */
void recent_rooms_sort(struct recent_rooms *r);
void recent_rooms_remove(struct recent_rooms *r, size_t at);
/* Whether two addresses differ only in their certificate pins: one server that was reinstalled. */
bool recent_is_repinned(const char *a, const char *b);
/* The index of the room; r->n: not found. */
size_t recent_rooms_find(const struct recent_rooms *r, const char *server, const char *room_id);

#endif
