/*
 * room_due.h - what ends or happens in a room by itself, each with when it is
 * due and what is done then. room_deadline() and room_tick() walk the same
 * rows, and the simulator checks that none of them is overdue.
 */
#ifndef SERVER_DOMAIN_ROOM_ROOM_DUE_H
#define SERVER_DOMAIN_ROOM_ROOM_DUE_H

#include <stdint.h>

struct room;
struct room_now;

/* In the order in which a tick checks them. */
/* clang-format off */
#define ROOM_DUES(X)                                                                                    \
	X(once)          /* results of calls with an idempotency key: the sweeper deletes those of a room without subscriptions */ \
	X(countdown)                                                                                    \
	X(late_round)    /* late votes are written to the open round */                                 \
	X(timer)                                                                                        \
	X(pause)                                                                                        \
	X(presence_end)  /* of a ttl, or the grace of a lost connection */                              \
	X(presence_send) /* changed presences, which are not sent one by one */                         \
	X(grace)         /* of votes, names and seats; and the wait for the room's maker */             \
	X(life)          /* warnings before the end, or the end put off */
/* clang-format on */

/*
 * room_NAME_at: when it is due on the monotonic clock; INT64_MAX: never, as it is now.
 * room_NAME_act: do it. Called when it is due; afterwards it is due later, or never, unless memory is out.
 */
#define ROOM_DUE_DECLARE(name)                                                                     \
	int64_t room_##name##_at(const struct room *r, const struct room_now *now);                \
	void room_##name##_act(struct room *r, const struct room_now *now);
ROOM_DUES(ROOM_DUE_DECLARE)

#endif
