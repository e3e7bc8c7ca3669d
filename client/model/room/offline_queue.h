/*
 * offline_queue.h - requests that wait for a connection, in the order they were made.
 *
 * Votes and names wait in membership.h. What waits here is sent once the room is
 * known again, and only where it still means the same: what belongs to a round
 * is dropped when another has begun, and what is not allowed any more is.
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

/* Whether it may wait: it changes a room by one of its rights, has no secret, and is no vote, which membership.h keeps. */
bool offline_queue_may(const struct request *r);

/* Takes a reference. False: OFFLINE_QUEUE_MAX wait already. */
NODISCARD bool offline_queue_push(struct offline_queue *q, const struct replica *room, struct request *r);

/* "2 acts wait for the connection: reveal, title"; "" where none does. */
void offline_queue_words(const struct offline_queue *q, char *out, size_t cap);

/* Whether a request means nothing in the room as it is now, and why, in one line at out. */
typedef bool offline_refuses(const struct request *r, const struct replica *room, char *out, size_t cap);
/*
 * The next to be sent in the room as it is now; the caller's, to request_free().
 * NULL: none is left. Why others before it were dropped is appended to out, a line each.
 */
struct request *offline_queue_next(struct offline_queue *q, const struct replica *room,
				   offline_refuses *refuses, struct buf *out);

#endif
