/*
 * subscription_state.h - the states of a connection's subscription to a room.
 */
#ifndef SERVER_CORE_SUBSCRIPTION_STATE_H
#define SERVER_CORE_SUBSCRIPTION_STATE_H

#include <stdbool.h>
#include <stdint.h>

struct server;

/*
 * The states of a subscription. What it may become next stands in
 * subscription.c; subscription_move() lets nothing else happen.
 *
 * Those before LIVE are not durable yet: if their unit of work fails, what the
 * connection followed before is so again, and the call that asked is refused. STALE ones are sent all they
 * need with the next unit; "flight" is the unit that is on its way to the disk.
 */
#define SUBSCRIPTION_STATES(X)                                                                     \
	X(NONE, "none")                 /* the connection is not subscribed */                     \
	X(NEW, "new")                   /* for the next unit */                                    \
	X(NEW_FLIGHT, "new_flight")     /* in the flight */                                        \
	X(NEW_LOBBY, "new_lobby")       /* likewise, of a member who waits in the lobby */         \
	X(NEW_AGAIN, "new_again")       /* in the flight, and asked for once more since */         \
	X(NEW_ENDING, "new_ending")     /* kicked before its first unit closed */                  \
	X(LIVE, "live")                 /* follows the log */                                      \
	X(LOBBY, "lobby")               /* its member waits to be admitted, and knows it */        \
	X(STALE, "stale")               /* for the next unit: its copy is not up to date */        \
	X(STALE_FLIGHT, "stale_flight") /* in the flight */                                        \
	X(STALE_AGAIN, "stale_again")   /* in the flight, and asked for once more since */         \
	X(ENDING, "ending")             /* kicked, or seat or room are gone: ends when that is durable */
enum subscription_state {
#define SUBSCRIPTION_ENUM(symbol, name) SUBSCRIPTION_##symbol,
	SUBSCRIPTION_STATES(SUBSCRIPTION_ENUM)
#undef SUBSCRIPTION_ENUM
	SUBSCRIPTION_STATE_COUNT
};

/* Whether that move is allowed. */
bool subscription_may_move(enum subscription_state from, enum subscription_state to);
/* "new_flight" */
const char *subscription_state_name(enum subscription_state state);

/* How often that move has happened. */
uint64_t server_subscription_moves(const struct server *s, enum subscription_state from, enum subscription_state to);

#endif
