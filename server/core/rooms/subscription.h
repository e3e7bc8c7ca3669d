/*
 * subscription.h - the subscriptions of connections to a room.
 */
#ifndef SERVER_CORE_ROOMS_SUBSCRIPTION_H
#define SERVER_CORE_ROOMS_SUBSCRIPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/fault.h"
#include "proto/keys/key_hash.h"
#include "proto/keys/room_code.h"
#include "proto/methods.h"
#include "server/domain/base/machine.h"

struct conn;
struct frame;
struct partition;
struct request;
struct room_subscriber;
struct seat;
struct server;

/*
 * The states of a subscription; subscription_machine defines the transitions.
 *
 * States before LIVE are not durable yet: if their unit of work fails, the connection's earlier
 * subscription, if any, is restored, and the request is refused. A STALE subscription is sent
 * everything it needs with the next unit. "In the flight" means in the unit that is being
 * committed.
 */
enum subscription_state {
	SUBSCRIPTION_NONE,         /* the connection is not subscribed */
	SUBSCRIPTION_NEW,          /* for the next unit */
	SUBSCRIPTION_NEW_FLIGHT,   /* in the flight */
	SUBSCRIPTION_NEW_LOBBY,    /* likewise, for a member in the lobby */
	SUBSCRIPTION_NEW_AGAIN,    /* in the flight, and requested once more since */
	SUBSCRIPTION_NEW_ENDING,   /* kicked before its first unit closed */
	SUBSCRIPTION_LIVE,         /* receives the update log */
	SUBSCRIPTION_LOBBY,        /* its member waits to be admitted, and was told so */
	SUBSCRIPTION_STALE, /* its copy is out of date: everything is sent with the next unit */
	SUBSCRIPTION_STALE_FLIGHT, /* in the flight */
	SUBSCRIPTION_STALE_AGAIN,  /* in the flight, and requested once more since */
	/* kicked, or the seat or the room was removed: ends when that is durable */
	SUBSCRIPTION_ENDING,
	SUBSCRIPTION_STATE_COUNT
};
extern const struct machine subscription_machine;

/*
 * A connection's subscription to a room. The members used for a delivery come first: about one
 * cache line.
 */
struct subscription {
	struct conn *conn; /* NULL: not subscribed */
	struct partition *partition;
	uint64_t at;        /* position in the partition's log; 0: nothing was sent */
	struct frame *full; /* a full update to be sent before the log; NULL: none */
	struct subscription *next, *prev; /* of the partition */
	struct seat *seat; /* NULL only if it is ending, or while the room is loaded again */
	unsigned char state; /* enum subscription_state; only subscription_move() sets it */
	bool resumes; /* for the next unit: the client has a copy at since_version of since_epoch */
	bool needs_full;   /* in the flight */
	bool spares_data;  /* the client opted out of shared data */
	bool missed_you;   /* LIVE, LOBBY: a room.you was dropped while it was slow */

	int64_t since_epoch;
	int64_t since_version;
	/* in the partition's list, except in NONE, LIVE and the ENDING states */
	struct subscription *pending_next, *pending_prev;
	struct subscription *seat_next;                   /* in the seat's list, which is short */
};

/*
 * The user_key that a connection has sent for a room, so that it need not be sent again: kept
 * until the connection closes or needs the space for another room. Also its subscription, which
 * may start and end several times. Host rights do not depend on it: see conn_keep_host().
 */
struct pass {
	struct subscription subscription; /* conn is NULL while not subscribed */
	struct pass *next;
	char room_id[CODE_CHARS_MAX + 1];
	/* also used if a subscription is repeated without it; "": none sent */
	struct key_text user_key;
	unsigned seats_n; /* new seats made by its subscriptions */
};

/* Return the subscription; NULL if there is none, or if pass is NULL. */
static inline struct subscription *pass_subscription(struct pass *pass)
{
	return pass != NULL && pass->subscription.conn != NULL ? &pass->subscription : NULL;
}

static inline struct pass *subscription_pass(struct subscription *sub)
{
	_Static_assert(offsetof(struct pass, subscription) == 0, "a pass begins with its subscription");
	return (struct pass *)(void *)sub;
}

/* Return whether the subscription is not durable yet. */
static inline bool subscription_is_first(const struct subscription *sub)
{
	return sub->state < SUBSCRIPTION_LIVE;
}

/*
 * Change the state: asserts that the transition is allowed and that the subscription is
 * consistent afterwards, and updates p->pending. The state is set nowhere else.
 */
void subscription_move(struct server *s, struct subscription *sub, enum subscription_state to);
/*
 * Start a subscription, in state NEW, or STALE while the room is loaded again; the seat is then
 * NULL. The pass must have none. All lists and counts are updated here, so that they cannot
 * disagree.
 */
struct subscription *subscription_begin(struct server *s, struct partition *p, struct conn *c, struct pass *pass,
					struct seat *seat, enum subscription_state state);
/* End a subscription whose seat already knows it has a connection less, or which has no seat. */
void subscription_end(struct server *s, struct subscription *sub);
/* The same, and remove the connection from the seat. */
void subscription_remove(struct server *s, struct subscription *sub);
/* The client's copy cannot be updated from the log: send the full state with the next unit. */
void subscription_start_over(struct server *s, struct subscription *sub);
/* The room is discarded and loaded again: the subscription has no seat until then. */
void subscription_unseat(struct server *s, struct subscription *sub);

/* ---- room.subscribe, room.unsubscribe: the connection's half ---- */

/* Return the connection's state, as input of the call. */
struct room_subscriber subscriber_of(struct server *s, struct conn *c, const char *room_id);
/*
 * Apply the output of the call, which returned `code`: guesses and new seats are counted, the
 * subscription starts, starts over or ends.
 */
enum fault_code subscriber_settle(struct server *s, struct partition *p, struct request *rq,
				  const struct room_subscriber *is, enum fault_code code,
				  struct fault *fault);

#endif
