/*
 * topic.h - subscriptions to partitions of the directory, and their notifications.
 *
 * A connection subscribes to a partition (a user, later a question or a group)
 * in a transaction; what later transactions publish there is encoded once and
 * sent to all subscribers in the order of the commits.
 *
 * Each notification raises the topic's version by one and names which one it
 * follows (since) and which it brings (version). A subscriber for which too much
 * waits already is sent nothing more until that has left; then one notification
 * with reset: true, upon which it reads again. What is published of a user goes
 * only to connections on which that user is logged in then.
 *
 * A subscription ends with the session in which it was made, and when its topic
 * ends: one for which a reset is due, with that. A topic lives in memory, while it has subscribers.
 */
#ifndef SERVER_CORE_TOPIC_H
#define SERVER_CORE_TOPIC_H

#include "server/core/conn.h"
#include "server/core/server_priv.h"

struct topic;

/* What every notification of a topic begins with, alone: a reset. No record of its own on the wire. */
#define RECORD_topic_stamp(F) F_TOPIC(F)
RECORD_DECLARE(topic_stamp)

/* A connection's subscription. Life: topic_subscribe() .. topic_unsubscribe() or its connection's end. */
struct topic_subscription {
	struct topic *topic;
	struct conn *conn;
	enum notice notice; /* what a reset is sent as */
	bool is_slow;       /* has missed something: a reset is due */
	bool is_over;	    /* its topic has ended: it ends with the reset that is due */
	bool is_kept;       /* a transaction that subscribed is done */
	unsigned claims;    /* transactions that have subscribed and are not over */
	uint64_t number;    /* none before or after it has the same */
	struct topic_subscription *next, *prev; /* of the topic */
	struct topic_subscription *conn_next;
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
/* The transaction is over; a subscription that none has kept ends with the last of them. One that has ended is fine. */
void topic_settle(struct server *s, struct conn *c, uint64_t number, bool is_kept);
/* One that is not subscribed is fine. */
void topic_unsubscribe(struct server *s, struct conn *c, struct slice pk);
/* The connection closes, or has another session, or none. */
void topic_forget_conn(struct server *s, struct conn *c);
/* What waited for the connection has left: send the resets that are due. */
void topic_reset_slow(struct server *s, struct conn *c);

/* Nothing more will be published of the partition. Empty, or one without subscribers, is fine. */
void topic_end(struct server *s, struct slice pk);

/* The topic's version; 0 where it has no subscribers. */
int64_t topic_version(const struct server *s, struct slice pk);
/*
 * Something durable has happened: send it to all subscribers.
 * @record  the notice's record, which begins with struct topic_stamp: since and version are set here.
 */
void topic_publish(struct server *s, struct slice pk, enum notice notice, struct topic_stamp *record);

/* Whether what is published there now would go to somebody. */
bool topic_is_followed(const struct server *s, struct slice pk);
/* Send a transient notification, encoded, to all subscribers but those for which too much waits: it is part of no state
 * and leaves the version as it is. */
void topic_signal(struct server *s, struct slice pk, struct slice notification);

#endif
