/*
 * send_queue.h - what one connection alone is to be sent, and full updates that several share.
 */
#ifndef SERVER_CORE_CONNS_SEND_QUEUE_H
#define SERVER_CORE_CONNS_SEND_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/buf.h"
#include "proto/base/slice.h"

struct conn;
struct server;

/*
 * A full update, encoded once and shared by all connections that are sent it, as
 * a notification or as the answer of room.get. The partition finds it again for
 * as long as it has a reference.
 */
struct frame {
	unsigned refs;
	struct frame **home; /* the partition's pointer to it, or NULL */
	int64_t version;     /* of the room */
	size_t len;
	size_t body; /* where the notification's params begin, which are the result of room.get */
	char bytes[];
};
struct frame *frame_ref(struct frame *f);
void frame_unref(struct server *s, struct frame *f); /* NULL is fine */

/* The rest of a shared frame, in its place among the messages. */
struct quote {
	struct frame *frame;
	size_t from;
	size_t at; /* it is sent before the messages from here on */
	bool is_answer;
	struct quote *next;
};

/*
 * What a connection alone is to be sent, beside the updates of its rooms: most of
 * the time nothing, and then there is none.
 */
struct send_queue {
	struct buf messages;
	struct quote *quotes;  /* in order */
	size_t answers;        /* bytes of the quotes that are answers */
	bool is_begun;         /* a part of what was in it has gone out: what is left begins within a message */
	struct send_queue *next;   /* of the spare ones */
};

/*
 * Append bytes of messages, or the rest of a frame; false when memory is out, or the queue is full.
 * @is_begun   a part of the message has gone out.
 * @is_answer  it counts among the answers that wait.
 */
bool send_queue_add(struct server *s, struct conn *c, struct slice bytes, bool is_begun);
bool send_queue_quote(struct server *s, struct conn *c, struct frame *f, size_t from, bool is_answer);
/* Give it back, with what is in it. */
void send_queue_drop(struct server *s, struct conn *c);
void send_queue_finish(struct server *s); /* the spare ones */
/* Bytes of messages and of quoted answers that wait there; of messages alone. */
size_t send_queue_len(const struct conn *c);
size_t send_queue_own(const struct conn *c);
/* End of turn: where all send_queues together hold too much, end the connections that take nothing. */
void send_queue_relieve(struct server *s);
/* What is in it, as up to max slices; max is not 0. */
size_t send_queue_gather(const struct conn *c, struct slice *out, size_t max);
/* So many bytes have gone out: those of them that were not from here. */
size_t send_queue_wrote(struct server *s, struct conn *c, size_t n);

#endif
