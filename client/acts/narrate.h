/*
 * narrate.h - the events of a room in plain sentences.
 *
 * Compares the replica with a copy of its last state and writes the differences,
 * one line per event: for `aye watch`, for pipes and for screen readers. Text of
 * others was softened by the replica. If the buffer is full or memory runs out, the
 * buffer's error says so.
 *
 * Life: a zeroed struct .. narrate_finish().
 */
#ifndef CLIENT_ACTS_NARRATE_H
#define CLIENT_ACTS_NARRATE_H

#include "client/model/room/membership.h"
#include "proto/base/buf.h"

struct narrate {
	bool tells_mine; /* set by the owner: also tell the own vote */
	int64_t now_ms;	 /* set by the owner: the server's time; 0: not known */
	bool has_begun;
	bool was_waiting; /* in the lobby */
	struct replica was; /* the last state written */
};

/* Append what has changed, as lines with newlines; the first time, the state of the room. */
void narrate_update(struct narrate *n, const struct replica *r, struct buf *out);
void narrate_finish(struct narrate *n);
/*
 * The same, and the other news (bits of enum membership_news), except refusals and the end of the
 * membership.
 */
void narrate_news(struct narrate *n, const struct membership *a, unsigned news, struct buf *out);

/* Append the state of the room; also for verbs that show a room once. @now_ms  the server's; 0: not known */
void narrate_room(const struct replica *r, int64_t now_ms, struct buf *out);

/* Write "away 12 min", or "away" if it is not known since when, or only just. Returns out. */
#define AWAY_BYTES 48
const char *narrate_away(const struct user_view *m, int64_t now_ms, char out[AWAY_BYTES]);

/* Append ", host" or ", host until Ada is back" if the member is one. */
void narrate_standing(const struct replica *r, const struct user_view *m, struct buf *out);

/*
 * Append a line that the room will be deleted in left_ms if unused; below 0: the time is not known.
 */
void narrate_expiring(int64_t left_ms, struct buf *out);

#endif
