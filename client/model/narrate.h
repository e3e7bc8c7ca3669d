/*
 * narrate.h - what happens in a room, in plain sentences.
 *
 * Compares the replica with what was told last and says the difference, one
 * line per event: for `aye watch`, for pipes and for screen readers. All text
 * of others in it was softened when the replica took it.
 *
 * Life: a zeroed struct .. narrate_finish().
 */
#ifndef CLIENT_MODEL_NARRATE_H
#define CLIENT_MODEL_NARRATE_H

#include "client/model/replica.h"
#include "proto/buf.h"

struct narrate_seat;
struct narrate_play; /* narrate_play.h */
struct narrate {
	bool tells_mine; /* set by the owner: whose seat it is hears of the card, too */
	bool has_begun;
	struct narrate_seat *seats;
	size_t seats_n;
	char *title;
	char *cards; /* split by spaces */
	char *host_user_id;
	bool is_revealed;
	int64_t round;
	bool hid_voters;
	int64_t votes_n;
	char *my_vote;
	bool my_vote_is_withdrawn;
	char *my_note;
	int my_confidence;
	struct narrate_play *play;
};

/*
 * Append what is new as lines with newlines; the first time, how the room is.
 * ERR_NOMEM, ERR_TOO_LARGE: what was told last stays, out may hold a part.
 */
NODISCARD enum err narrate_update(struct narrate *n, const struct replica *r, struct buf *out);
void narrate_finish(struct narrate *n);

/* The open cards of a revealed room and what they say, as lines; also for verbs that show a room once. */
NODISCARD enum err narrate_result(const struct replica *r, struct buf *out);
/* The room as it is now, likewise. */
NODISCARD enum err narrate_room(const struct replica *r, struct buf *out);

/* How long a room has before it ends, as a line: "The room ends in 5 minutes ...". left_ms below 0: nobody knows how long. */
NODISCARD enum err narrate_expiring(int64_t left_ms, struct buf *out);

#endif
