/*
 * send_queue.h - the output of one connection alone, full updates that several connections share,
 * and which connection is written to next (fanout.c).
 */
#ifndef SERVER_CORE_CONNS_SEND_QUEUE_H
#define SERVER_CORE_CONNS_SEND_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/buf.h"
#include "proto/base/slice.h"

struct conn;
struct partition;
struct server;

/*
 * A full update, encoded once and shared by all connections that are sent it, as a notification
 * or as the answer of room.get. The partition can find it while references exist.
 */
struct frame {
	unsigned refs;
	struct frame **home; /* the partition's pointer to this frame, or NULL */
	int64_t version;     /* version of the room */
	size_t len;
	size_t body; /* start of the notification's params, which are also the result of room.get */
	char bytes[];
};
struct frame *frame_ref(struct frame *f);
void frame_unref(struct server *s, struct frame *f); /* f may be NULL */

/* The unsent rest of a shared frame, at its place among the messages. */
struct quote {
	struct frame *frame;
	size_t from;
	size_t at; /* sent before the messages from this offset on */
	bool is_answer;
	struct quote *next;
};

/*
 * Output for one connection alone, besides the updates of its rooms. Usually there is none, and
 * no queue.
 */
struct send_queue {
	struct buf messages;
	struct quote *quotes;  /* in order */
	size_t answers;        /* bytes of quotes that are answers */
	/* part of a message was sent: the rest of the queue begins within a message */
	bool is_begun;
	struct send_queue *next;   /* in the list of spare queues */
};

/*
 * Append bytes of messages, or the rest of a frame. Returns false if memory is out or the queue
 * is full.
 *
 * @is_begun   part of the message has been sent.
 * @is_answer  it counts as a waiting answer.
 */
bool send_queue_add(struct server *s, struct conn *c, struct slice bytes, bool is_begun);
bool send_queue_quote(struct server *s, struct conn *c, struct frame *f, size_t from, bool is_answer);
/* Free the queue with its content. */
void send_queue_drop(struct server *s, struct conn *c);
void send_queue_finish(struct server *s); /* frees the spare queues */
/* Return the waiting bytes of messages and quoted answers; and of messages alone. */
size_t send_queue_len(const struct conn *c);
size_t send_queue_own(const struct conn *c);
/*
 * At the end of a turn: if all send queues together hold too much, close the connections that
 * read nothing.
 */
void send_queue_relieve(struct server *s);
/* Return the content as up to max slices; max > 0. */
size_t send_queue_gather(const struct conn *c, struct slice *out, size_t max);
/* So many bytes were sent: remove them, and return how many of them were not from this queue. */
size_t send_queue_wrote(struct server *s, struct conn *c, size_t n);

/* ---- fanout.c: which connection is written to next, and with what ---- */

void fanout_ready(struct server *s, struct conn *c);
void fanout_forget(struct server *s, struct conn *c);
void fanout_mark(struct server *s, struct partition *p);
void fanout_unmark(struct server *s, struct partition *p); /* must be marked */

#endif
