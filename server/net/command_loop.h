/*
 * command_loop.h - a loop for commands of ayed that wait for a store, without a server around it.
 *
 * Threads: the thread that created it; command_loop_wake() from any thread.
 */
#ifndef SERVER_NET_COMMAND_LOOP_H
#define SERVER_NET_COMMAND_LOOP_H

#include "proto/base/err.h"
#include "proto/tls/tls.h"

struct command_loop;
struct redis_net;

#define COMMAND_LOOP_REDIS_MAX 2
#define COMMAND_LOOP_WAIT_MS   100 /* the longest that a wait lasts */

/* ERR_NOMEM, ERR_IO */
NODISCARD enum err command_loop_create(struct command_loop **out, struct errmsg *why);

/* The wake callback of its stores. */
void command_loop_wake(void *arg);

/* Wait until a store may have finished something, or for a moment. */
void command_loop_wait(void *arg);

/*
 * Reach a Redis on this loop: *out is the net for store_open_redis(). At most COMMAND_LOOP_REDIS_MAX
 * times (asserted).
 *
 * @tls  for an address with TLS, else NULL. The loop owns it, even on failure.
 *
 * ERR_NOMEM
 */
NODISCARD enum err command_loop_use_redis(struct command_loop *loop, struct tls_context *tls,
					  const struct redis_net **out, struct errmsg *why);

/* Its stores must be closed. NULL is allowed. */
void command_loop_destroy(struct command_loop *loop);

#endif
