/*
 * subscription.h - which connections follow a room.
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
 * The states of a subscription; subscription_machine has which may follow which.
 *
 * Those before LIVE are not durable yet: if their unit of work fails, the
 * connection's earlier subscription, if any, is restored, and the request is
 * refused. A STALE one is sent all it needs with the next unit; "flight" is the
 * unit that is being committed.
 */
enum subscription_state {
	SUBSCRIPTION_NONE,         /* the connection is not subscribed */
	SUBSCRIPTION_NEW,          /* for the next unit */
	SUBSCRIPTION_NEW_FLIGHT,   /* in the flight */
	SUBSCRIPTION_NEW_LOBBY,    /* likewise, of a member in the lobby */
	SUBSCRIPTION_NEW_AGAIN,    /* in the flight, and requested once more since */
	SUBSCRIPTION_NEW_ENDING,   /* kicked before its first unit closed */
	SUBSCRIPTION_LIVE,         /* follows the log */
	SUBSCRIPTION_LOBBY,        /* its member waits to be admitted, and has been sent that */
	SUBSCRIPTION_STALE,        /* for the next unit: its copy is not up to date */
	SUBSCRIPTION_STALE_FLIGHT, /* in the flight */
	SUBSCRIPTION_STALE_AGAIN,  /* in the flight, and requested once more since */
	SUBSCRIPTION_ENDING,       /* kicked, or seat or room are gone: ends when that is durable */
	SUBSCRIPTION_STATE_COUNT
};
extern const struct machine subscription_machine;

/* A connection's following of a room. What a delivery touches stands first and together: about one cache line. */
struct subscription {
	struct conn *conn; /* NULL: it does not follow */
	struct partition *partition;
	uint64_t at;        /* a frame in the partition's log; 0: none was sent */
	struct frame *full; /* to be sent before the log; NULL: none */
	struct subscription *next, *prev; /* of the partition */
	struct seat *seat; /* NULL only where it is ending, or while the room is being loaded again */
	unsigned char state; /* enum subscription_state; only subscription_move() sets it */
	bool resumes;      /* for the next unit: has a copy at since_version of since_epoch */
	bool needs_full;   /* in the flight */
	bool spares_data;  /* wants no shared data */
	bool missed_you;   /* LIVE, LOBBY: a room.you was dropped while it was slow */

	int64_t since_epoch;
	int64_t since_version;
	struct subscription *pending_next, *pending_prev; /* of the partition, but for NONE, LIVE and the endings */
	struct subscription *seat_next;                   /* of the seat; a seat has few */
};

/*
 * The user_key a connection has sent for a room, kept until it closes or makes
 * place for another room, so that it need not be sent again; and its following,
 * which may begin and end several times. Host rights do not depend on it: see
 * conn_keep_host().
 */
struct pass {
	struct subscription subscription; /* conn is NULL while it does not follow the room */
	struct pass *next;
	char room_id[CODE_CHARS_MAX + 1];
	struct key_text user_key; /* also for a subscription that is repeated without it; "": none sent */
	unsigned seats_n; /* that its subscriptions have made */
};

/* NULL where it does not follow, or the pass is NULL. */
static inline struct subscription *pass_subscription(struct pass *pass)
{
	return pass != NULL && pass->subscription.conn != NULL ? &pass->subscription : NULL;
}

static inline struct pass *subscription_pass(struct subscription *sub)
{
	_Static_assert(offsetof(struct pass, subscription) == 0, "a pass begins with its subscription");
	return (struct pass *)(void *)sub;
}

/* Not durable yet. */
static inline bool subscription_is_first(const struct subscription *sub)
{
	return sub->state < SUBSCRIPTION_LIVE;
}

/*
 * The only way from one state to another: asserts that it is allowed and that
 * the subscription is in order afterwards, and keeps p->pending.
 */
void subscription_move(struct server *s, struct subscription *sub, enum subscription_state to);
/*
 * Begin to follow, as NEW, or as STALE while the room is being loaded again: then the seat is NULL.
 * The pass does not yet. Everything in one place so that the lists and the counts cannot disagree.
 */
struct subscription *subscription_begin(struct server *s, struct partition *p, struct conn *c, struct pass *pass,
					struct seat *seat, enum subscription_state state);
/* End it; the room knows that its seat has a connection less, or it has no seat. */
void subscription_end(struct server *s, struct subscription *sub);
/* The same, and the connection leaves the seat. */
void subscription_remove(struct server *s, struct subscription *sub);
/* Its copy cannot be brought up to date from the log: send everything with the next unit. */
void subscription_start_over(struct server *s, struct subscription *sub);
/* The room is thrown away and loaded again: it has no seat until then. */
void subscription_unseat(struct server *s, struct subscription *sub);

/* ---- room.subscribe, room.unsubscribe: the connection's half ---- */

/* The connection as it is, for the call. */
struct room_subscriber subscriber_of(struct server *s, struct conn *c, const char *room_id);
/* After the call, which answered `code`: guesses and new seats are counted, the subscription begins, starts over or ends. */
enum fault_code subscriber_settle(struct server *s, struct partition *p, struct request *rq,
				  const struct room_subscriber *is, enum fault_code code,
				  struct fault *fault);

#endif
