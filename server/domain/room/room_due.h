/*
 * room_due.h - what happens in a room at a certain time: for each, when it is due and what is
 * done then. room_deadline() and room_tick() use the same rows, and the simulator checks that
 * nothing is overdue.
 */
#ifndef SERVER_DOMAIN_ROOM_ROOM_DUE_H
#define SERVER_DOMAIN_ROOM_ROOM_DUE_H

#include <stdint.h>

struct room;
struct room_now;

/* In the order in which a tick checks them. */
/* clang-format off */
#define ROOM_DUES(X) \
	X(once)          /* expired results of calls; the sweeper if nobody is subscribed */ \
	X(countdown) \
	X(late_round)    /* writes late votes to the revealed round */ \
	X(timer) \
	X(story_ends)    /* deadlines of open stories */ \
	X(pause) \
	X(presence_end)  /* end of a ttl, or of the grace period of a lost connection */ \
	X(presence_send) /* sends changed presences together */                         \
	X(grace)         /* grace periods, and the wait for the creator */ \
	X(life)          /* warnings before the room's end, and extension of its life */
/* clang-format on */

/*
 * room_NAME_at: returns when it is due, on the monotonic clock; INT64_MAX: never, as things are.
 * room_NAME_act: do it. Called when it is due; afterwards it is due later or never, unless memory
 * is out.
 */
#define ROOM_DUE_DECLARE(name)                                                                     \
	int64_t room_##name##_at(const struct room *r, const struct room_now *now);                \
	void room_##name##_act(struct room *r, const struct room_now *now);
ROOM_DUES(ROOM_DUE_DECLARE)

#endif
