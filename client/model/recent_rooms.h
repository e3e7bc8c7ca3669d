/*
 * recent_rooms.h - the rooms a person was in, the one used last first.
 *
 * Filled by whatever remembers them, shown at home. All text in here is
 * softened when it comes in, so it is safe to draw as it is.
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

/* An address in its one form; longer ones are none. */
#define RECENT_SERVER_BYTES_MAX 300

struct recent_room {
	char server[RECENT_SERVER_BYTES_MAX + 1];
	char room_id[CODE_CHARS_MAX + 1];
	char title[MAX_TITLE_BYTES + 1]; /* "": none, or never seen */
	char name[MAX_NAME_BYTES + 1];   /* who one was there last; "": nobody */
	bool is_host;                    /* the host key is kept */
	bool is_gone;                    /* it was looked for, and not found */
	bool is_elsewhere;               /* not on the server where rooms are made now */
	int64_t used_at_ms;              /* since the epoch */
};

struct recent_rooms {
	struct recent_room *rooms;
	size_t n;
	size_t cap;
};

void recent_rooms_finish(struct recent_rooms *r);

/* One more, copied and softened. */
void recent_rooms_add(struct recent_rooms *r, const struct recent_room *room);
/*
 * The one used last first. Of rooms at one address those used before its certificate was last
 * another one are at the address as it was used last: no server has the old certificate any more. Each room is there once.
 */
void recent_rooms_sort(struct recent_rooms *r);
void recent_rooms_remove(struct recent_rooms *r, size_t at);
/* Whether two addresses differ in nothing but the certificate that each has behind it: one server, set up anew. */
bool recent_is_repinned(const char *a, const char *b);
/* Its index, or n. */
size_t recent_rooms_find(const struct recent_rooms *r, const char *server, const char *room_id);

#endif
