/*
 * narrate.h - what happens in a room, in plain sentences.
 *
 * Compares a copy of the room with the one of the last time and writes the
 * difference, one line per event: for `aye watch`, for pipes and for screen
 * readers. All text of others in it was softened when the replica took it.
 * What does not fit the buffer, or memory, is in its sticky error.
 *
 * Life: a zeroed struct .. narrate_finish().
 */
#ifndef CLIENT_ACTS_NARRATE_H
#define CLIENT_ACTS_NARRATE_H

#include "client/model/room/membership.h"
#include "proto/base/buf.h"

struct narrate {
	bool tells_mine; /* set by the owner: the member whose seat it is reads of their card, too */
	bool has_begun;
	bool was_waiting; /* in the lobby */
	struct replica was; /* what was written last */
};

/* Append what is new as lines with newlines; the first time, how the room is. */
void narrate_update(struct narrate *n, const struct replica *r, struct buf *out);
void narrate_finish(struct narrate *n);
/* Likewise all that these news bring (enum membership_news): what only its member is told, too. Not refusals and the end. */
void narrate_news(struct narrate *n, const struct membership *a, unsigned news, struct buf *out);

/* The room as it is now, likewise; also for verbs that show a room once. */
void narrate_room(const struct replica *r, struct buf *out);

/* How long a room has before it ends, as a line: "The room ends in 5 minutes ...". left_ms below 0: nobody knows how long. */
void narrate_expiring(int64_t left_ms, struct buf *out);

#endif
