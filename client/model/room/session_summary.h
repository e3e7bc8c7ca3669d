/*
 * session_summary.h - a summary of a stay in a room, shown when it is left.
 *
 * Collected from the replica's updates, without requests. Rounds count from the entry
 * on; stories are all of the room's. Pure; text is softened by the replica.
 *
 * Life: a zeroed struct; it owns nothing.
 */
#ifndef CLIENT_MODEL_ROOM_SESSION_SUMMARY_H
#define CLIENT_MODEL_ROOM_SESSION_SUMMARY_H

#include "client/model/room/replica.h"
#include "proto/base/buf.h"

#define SESSION_SUMMARY_SUBJECT_CELLS 50
#define SESSION_SUMMARY_BYTES_MAX     1024 /* of the text */

struct session_summary {
	bool has_begun;
	int64_t began_ms;	/* on the caller's clock */
	int64_t revealed_ms;	/* the last reveal */
	int64_t revealed_round; /* the last round counted, or revealed on entry */
	size_t rounds;		/* revealed with at least one vote */
	size_t again;		/* of those, on a story voted on before */
	int64_t spread_steps;	/* the widest spread, in cards of the deck */
	char subject[4 * SESSION_SUMMARY_SUBJECT_CELLS + 1]; /* of the round with that spread */
	char lowest[MAX_CARD_BYTES + 1];
	char highest[MAX_CARD_BYTES + 1];
	size_t stories; /* of the room when it was left */
	size_t estimated;
	double points;
};

/* The room may have changed; takes constant time. @now_ms  of a monotonic clock. */
void session_summary_take(struct session_summary *s, const struct replica *room, int64_t now_ms);
/* The room is left: count its stories. */
void session_summary_end(struct session_summary *s, const struct replica *room);
/* Append a few lines, each with its newline; nothing if no round was revealed. */
void session_summary_text(const struct session_summary *s, struct buf *out);

#endif
