/*
 * redis_queue.h - the commands of a link: those that wait to be sent, and those whose replies are due.
 * Private to the link.
 *
 * A command waits until its last byte was given to the connection, and is due from then until its
 * reply. Its callback runs once; a command that is over before its reply has come stays until then, so
 * that those behind it are still told apart.
 *
 * Life: redis_queue_init() .. redis_queue_lose() .. redis_queue_finish().
 */
#ifndef STORE_REDIS_REDIS_QUEUE_H
#define STORE_REDIS_REDIS_QUEUE_H

#include "store/redis/link/redis_call.h"
#include "store/redis/link/redis_link.h"

#define REDIS_QUEUE_SLICES_MAX 64 /* of one write */

struct redis_queue {
	struct redis_call *waiting; /* utlist; none of its bytes was sent but of the first */
	struct redis_call *due;	    /* utlist; sent, without a reply */
	size_t first_sent;	    /* bytes of the first that waits */
	size_t calls;		    /* commands in both */
	size_t calls_bytes;	    /* of those */
	size_t pending;		    /* commands whose callback has not run */
	int64_t deadline_ms;	    /* no command's is earlier */
	uint64_t sent;		    /* commands, those sent again as well */
	uint64_t ends[REDIS_END_COUNT];
};

void redis_queue_init(struct redis_queue *q);
/* No command may be left. */
void redis_queue_finish(struct redis_queue *q);

/* Append a command. ERR_BUSY, ERR_NOMEM: as redis_link_send(). */
NODISCARD enum err redis_queue_add(struct redis_queue *q, const struct redis_command *c, int64_t now_ms,
				   redis_end_cb *cb, void *arg);
/*
 * What may be sent next: at most REDIS_QUEUE_SLICES_MAX slices, returned is how many. *len: their bytes.
 *
 * @with_commands  false: only what the link sends for itself, up to the first command
 * @shas           hashes of the scripts, as the last greeting was told them
 */
size_t redis_queue_gather(struct redis_queue *q, bool with_commands, char (*shas)[REDIS_SHA_CHARS],
			  struct slice slices[REDIS_QUEUE_SLICES_MAX], size_t *len);
/* The connection has taken so many bytes: whole calls are due now. */
void redis_queue_sent(struct redis_queue *q, size_t len);
/* Run the callback of a command, once. */
void redis_queue_end(struct redis_queue *q, struct redis_call *call, enum redis_end end, const struct redis_reply *reply);
/* Free a call that is in no list. */
void redis_queue_destroy_call(struct redis_queue *q, struct redis_call *call);
/* End those whose time is over. Callbacks may send. */
void redis_queue_expire(struct redis_queue *q, int64_t now_ms);
/*
 * The connection has ended: what was sent is lost; what waits is kept, or ends unsent; what the link sent
 * for itself is gone. Callbacks may send: that is not concerned.
 */
void redis_queue_lose(struct redis_queue *q, bool ends_unsent);

#endif
