/*
 * held.h - asks that wait for a connection, in the order they were made.
 *
 * Votes and names wait in attend.h. What waits here is asked once the room is
 * known again, and only where it still means the same: what belongs to a round
 * is dropped when another has begun, and what is not allowed any more is.
 *
 * Life: a zeroed struct .. held_finish().
 */
#ifndef CLIENT_TUI_HELD_H
#define CLIENT_TUI_HELD_H

#include "client/tui/tui.h"
#include "proto/buf.h"

#define HELD_MAX 16

struct held_ask {
	struct ask ask; /* its text is ours */
	int64_t round;
};

struct held {
	struct held_ask asks[HELD_MAX];
	size_t n;
};

void held_finish(struct held *h);

/* Whether an ask of this kind may wait: no secret, no leaving, and nothing that attend.h keeps. */
bool held_may(enum ask_kind kind);

/* Copies. ERR_BUSY: HELD_MAX wait already. ERR_NOMEM. */
NODISCARD enum err held_push(struct held *h, const struct replica *room, const struct ask *ask);

/* "2 acts wait for the connection: reveal, title"; "" where none does. */
void held_words(const struct held *h, char *out, size_t cap);

/*
 * The next to be asked in the room as it is now; the caller frees it with
 * held_free_ask(). ASK_NOTHING: none is left. Why others before it were dropped
 * is appended to out, a line each.
 */
struct ask held_next(struct held *h, const struct replica *room, struct buf *out);
void held_free_ask(struct ask *ask);

#endif
