/*
 * topic.h - subscriptions to partitions of the directory, and their notifications.
 *
 * A connection subscribes to a partition (a user, later a question or a group)
 * in a transaction; what later transactions publish there is encoded once and
 * sent to all subscribers in the order of the commits.
 *
 * Each notification raises the topic's version by one and names which one it
 * follows (since) and which it brings (version). Where the partition's item counts
 * its changes those are its versions: they outlast the topic and the server. Else the
 * topic counts in memory, while it has subscribers.
 *
 * A subscription is sent every version behind the one that it has, once and in
 * order. One that misses some is sent a notification with reset: true instead,
 * upon which the subscriber reads again: that is one for whose connection too much
 * waits (the reset is sent when that has left), and one to which the outcome of two
 * commits became known in another order than they were made.
 * What is published of a user goes only to connections on which that user is
 * logged in then.
 *
 * A subscription ends with the session in which it was made, and when its topic
 * ends: one for which a reset is due, with that. One that an item gives the right
 * to (a seat, a membership) ends with that item, with a reset: the subscriber reads
 * again, and is refused.
 */
#ifndef SERVER_CORE_TXN_TOPIC_H
#define SERVER_CORE_TXN_TOPIC_H

#include "server/core/conns/conn.h"
#include "server/core/server_priv.h"

struct topic;
struct topic_right;

/* What every notification of a topic begins with. No record of its own on the wire. */
#define RECORD_topic_stamp(F) F_TOPIC(F)
RECORD_DECLARE(topic_stamp)

/* A reset of whatever topic: the notice's own record, without what it says else. */
#define RECORD_topic_reset(F)                                                                      \
	F_TOPIC(F)                                                                                 \
	F(INT, epoch, _, FIELD_OPT, 0, INT64_MAX, "Of a partition whose item counts its changes")  \
	F(STR, question_id, _, FIELD_OPT | FIELD_ID, 1, 64, "Whose topic it is: one of these at most") \
	F(STR, group_id, _, FIELD_OPT | FIELD_ID, 1, 64, "")                                       \
	F(STR, container_id, _, FIELD_OPT | FIELD_ID, 1, 64, "")
RECORD_DECLARE(topic_reset)

/* A connection's subscription. Life: topic_subscribe() .. topic_unsubscribe() or its connection's end. */
struct topic_subscription {
	struct topic *topic;
	struct conn *conn;
	enum notice notice; /* what a reset is sent as */
	bool is_slow;       /* has missed something: a reset is due */
	bool is_over;	    /* its topic has ended: it ends with the reset that is due */
	bool is_kept;       /* a transaction that subscribed is done: before that it is sent nothing */
	struct since at;    /* what it has been sent, or answered; the epoch is 0 where the topic counts */
	unsigned claims;    /* transactions that have subscribed and are not over */
	uint64_t number;    /* none before or after it has the same */
	struct topic_subscription *next, *prev; /* of the topic */
	struct topic_subscription *conn_next;
	struct topic_right *right; /* it ends with that; NULL: it needs none */
	struct topic_subscription *right_next, *right_prev;
};

/*
 * Subscribe the connection to the partition with that PK, for a transaction
 * that calls topic_settle() when it is over; one that is subscribed already
 * stays so.
 *
 * @notice  of the topic, for resets.
 * @number  names the subscription to topic_settle().
 * ERR_NOMEM; ERR_TOO_LARGE more than CONNECTION_TOPICS.
 */
NODISCARD enum err topic_subscribe(struct server *s, struct conn *c, struct slice pk, enum notice notice,
				   uint64_t *number);
/*
 * The transaction is over; a subscription that none has kept ends with the last of them. One that has ended is fine.
 * @at  what the subscriber is answered, and has from now on; NULL: it is refused.
 */
void topic_settle(struct server *s, struct conn *c, uint64_t number, const struct since *at);
/* Something for that subscription was not sent: a reset is, when there is room for it. One that has ended is fine. */
void topic_miss(struct server *s, struct conn *c, uint64_t number);
/* One that is not subscribed is fine. */
void topic_unsubscribe(struct server *s, struct conn *c, struct slice pk);
/* The connection closes, or has another session, or none. */
void topic_forget_conn(struct server *s, struct conn *c);
/* What waited for the connection has left: send the resets that are due. */
void topic_reset_slow(struct server *s, struct conn *c);

/*
 * The subscription of that number lasts no longer than that item of the table. One that has ended is fine.
 * ERR_NOMEM
 */
NODISCARD enum err topic_need(struct server *s, struct conn *c, uint64_t number, struct slice pk, struct slice sk);
/* The item is gone, durably: subscriptions that need it end. */
void topic_item_gone(struct server *s, struct slice pk, struct slice sk);

/*
 * Nothing more will be published of the partition. One without subscribers is fine.
 * @with_reset  what was published last did not say so: a reset does.
 */
void topic_end(struct server *s, struct slice pk, bool with_reset);

/* The topic's version; 0 where it has no subscribers. */
int64_t topic_version(const struct server *s, struct slice pk);
/* The same with its epoch. */
struct since topic_at(const struct server *s, struct slice pk);
/*
 * Something durable has happened: send it to all subscribers that do not have it.
 * @record  the notice's record, which begins with struct topic_stamp: its version is that of the partition's item, since
 *          the one before; both 0: the topic's are set here; both topic_at(): it is of something else, and brings none.
 */
void topic_publish(struct server *s, struct slice pk, enum notice notice, struct topic_stamp *record);

/* Whether what is published there now would go to somebody. */
bool topic_is_followed(const struct server *s, struct slice pk);
/* Send a transient notification, encoded, to all subscribers but those for which too much waits: it is part of no state
 * and leaves the version as it is. */
void topic_signal(struct server *s, struct slice pk, struct slice notification);

#endif
