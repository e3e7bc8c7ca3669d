/*
 * offline_queue.h - asks that wait for a connection, in the order they were made.
 *
 * Votes and names wait in membership.h. What waits here is asked once the room is
 * known again, and only where it still means the same: what belongs to a round
 * is dropped when another has begun, and what is not allowed any more is.
 *
 * Life: a zeroed struct .. offline_queue_finish().
 */
#ifndef CLIENT_TUI_OFFLINE_QUEUE_H
#define CLIENT_TUI_OFFLINE_QUEUE_H

#include "client/tui/tui.h"
#include "proto/buf.h"

#define OFFLINE_QUEUE_MAX 16

struct queued_ask {
	struct ask ask; /* its text is ours */
	int64_t round;
};

struct offline_queue {
	struct queued_ask asks[OFFLINE_QUEUE_MAX];
	size_t n;
};

void offline_queue_finish(struct offline_queue *h);

/* Whether an ask of this kind may wait: no secret, no leaving, and nothing that membership.h keeps. */
bool offline_queue_may(enum ask_kind kind);

/* Copies. ERR_BUSY: OFFLINE_QUEUE_MAX wait already. ERR_NOMEM. */
NODISCARD enum err offline_queue_push(struct offline_queue *h, const struct replica *room, const struct ask *ask);

/* "2 acts wait for the connection: reveal, title"; "" where none does. */
void offline_queue_words(const struct offline_queue *h, char *out, size_t cap);

/*
 * The next to be asked in the room as it is now; the caller frees it with
 * offline_queue_free_ask(). ASK_NOTHING: none is left. Why others before it were dropped
 * is appended to out, a line each.
 */
struct ask offline_queue_next(struct offline_queue *h, const struct replica *room, struct buf *out);
void offline_queue_free_ask(struct ask *ask);

#endif
