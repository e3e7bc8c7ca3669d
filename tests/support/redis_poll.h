/*
 * redis_poll.h - a net for links to Redis on poll(2): real sockets, plain and unix, without a loop.
 *
 * Life: redis_poll_init() .. redis_poll_finish(), after all links were destroyed.
 */
#ifndef TESTS_SUPPORT_REDIS_POLL_H
#define TESTS_SUPPORT_REDIS_POLL_H

#include <stddef.h>
#include <stdint.h>

#include "store/redis/link/redis_net.h"

struct redis_poll_wire;

struct redis_poll {
	struct redis_net net; /* what links are made with; .run waits for an event */
	struct redis_poll_wire *wires; /* utlist */
	uint64_t random; /* the next */
	int64_t ahead_ms; /* the clock is so much before its time */
};

void redis_poll_init(struct redis_poll *p);
void redis_poll_finish(struct redis_poll *p);

/* Run until a condition holds; fails the test where it does not within a minute. */
#define redis_poll_until(p, condition)                                 \
	do {                                                           \
		int64_t until_ms_ = (p)->net.now_ms((p)) + 60000;      \
		while (!(condition)) {                                 \
			(p)->net.run((p));                             \
			if ((p)->net.now_ms((p)) > until_ms_) {        \
				fail_msg("never came: %s", #condition); \
			}                                              \
		}                                                      \
	} while (0)

#endif
