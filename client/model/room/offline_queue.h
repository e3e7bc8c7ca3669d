/*
 * offline_queue.h - requests that wait for a connection, in the order they were made.
 *
 * Votes and names wait in membership.h. Requests here are sent once the room is known
 * again, and only if they still apply: a request about a round is dropped if another
 * round has started, and so is one that is no longer allowed.
 *
 * Life: a zeroed struct .. offline_queue_finish().
 */
#ifndef CLIENT_MODEL_ROOM_OFFLINE_QUEUE_H
#define CLIENT_MODEL_ROOM_OFFLINE_QUEUE_H

#include "client/model/request.h"
#include "client/model/room/replica.h"
#include "proto/base/buf.h"

#define OFFLINE_QUEUE_MAX 16

struct queued_request {
	struct request *request; /* a reference */
	int64_t round;
};

struct offline_queue {
	struct queued_request items[OFFLINE_QUEUE_MAX];
	size_t n;
};

void offline_queue_finish(struct offline_queue *q);

/*
 * Whether the request may be queued: it needs a right in a room, holds no secret, and is not a
 * vote.
 */
bool offline_queue_may(const struct request *r);

/* Append the request, taking a reference. Returns false if OFFLINE_QUEUE_MAX are queued already. */
NODISCARD bool offline_queue_push(struct offline_queue *q, const struct replica *room, struct request *r);

/* Write "2 acts wait for the connection: reveal, title", or "" if the queue is empty. */
void offline_queue_words(const struct offline_queue *q, char *out, size_t cap);

/* Whether a request no longer applies to the room as it is now; writes why to out, in one line. */
typedef bool offline_refuses(const struct request *r, const struct replica *room, char *out, size_t cap);
/*
 * Remove and return the next request that applies to the room as it is now; the caller frees it.
 * NULL: none is left. Why others before it were dropped is appended to *out, a line each.
 */
struct request *offline_queue_next(struct offline_queue *q, const struct replica *room,
				   offline_refuses *refuses, struct buf *out);

#endif
