/*
 * session_summary.h - what was done in a room while one was in it, for when it is left.
 *
 * Gathered from the room as it is followed: nothing is asked for. Rounds count
 * from the entry on; stories are the room's. Pure; text is softened, as the replica's is.
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
	int64_t began_ms;	/* of the caller's clock */
	int64_t revealed_ms;	/* the last reveal */
	int64_t revealed_round; /* that was counted, or was open on entry */
	size_t rounds;		/* revealed with at least one vote */
	size_t again;		/* of those, on a story that had been voted on before */
	int64_t spread_steps;	/* the widest */
	char subject[4 * SESSION_SUMMARY_SUBJECT_CELLS + 1]; /* of that round */
	char lowest[MAX_CARD_BYTES + 1];
	char highest[MAX_CARD_BYTES + 1];
	size_t stories; /* of the room, as it was left */
	size_t estimated;
	double points;
};

/* The room may have changed: costs the same however much is in it. @now_ms  of a clock that does not go back. */
void session_summary_take(struct session_summary *s, const struct replica *room, int64_t now_ms);
/* The room as it is left: its stories. */
void session_summary_end(struct session_summary *s, const struct replica *room);
/* A few lines, each with its newline; nothing where no round was revealed. */
void session_summary_text(const struct session_summary *s, struct buf *out);

#endif
