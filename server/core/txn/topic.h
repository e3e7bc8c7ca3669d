/*
 * topic.h - subscriptions to partitions of the directory, and their notifications.
 *
 * A connection subscribes to a partition (of a user, a question, a group or a container) in a
 * transaction. What later transactions publish there is encoded once and sent to all subscribers
 * in the order of the commits.
 *
 * Each notification raises the topic's version by one and contains the version before it (since)
 * and after it (version). If the partition's item counts its changes, these are its versions,
 * which outlast the topic and the server. Otherwise the topic counts in memory, while it has
 * subscribers.
 *
 * A subscription is sent every version after its own, once and in order. If it misses some, it is
 * sent a notification with reset: true instead, and the subscriber reads the state again. That
 * happens if the connection's send queue is too long (the reset is sent when it is empty), and if
 * the results of two commits became known in another order than the commits were made.
 * Notifications of a user's partition go only to connections on which that user is logged in at
 * that time.
 *
 * A subscription ends with the session in which it was made, and when its topic ends; if a reset
 * is due, it ends with that. A subscription that depends on an item (a seat, a membership) ends
 * when that item is deleted, with a reset: the subscriber reads again, and is refused.
 */
#ifndef SERVER_CORE_TXN_TOPIC_H
#define SERVER_CORE_TXN_TOPIC_H

#include "server/core/conns/conn.h"
#include "server/core/server_priv.h"

struct topic;
struct topic_right;

/* The first fields of every notification of a topic; not a record of the protocol. */
#define RECORD_topic_stamp(F) F_TOPIC(F)
RECORD_DECLARE(topic_stamp)

/* A reset of any topic: the record of its notification, without other fields. */
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
	enum notice notice; /* the notification as which a reset is sent */
	bool is_slow;       /* it missed a notification: a reset is due */
	bool is_over; /* its topic has ended: the subscription ends with the reset that is due */
	bool is_kept;       /* a transaction that subscribed is done; before that nothing is sent */
	/* the version that the subscriber has; the epoch is 0 if the topic counts in memory */
	struct since at;
	unsigned claims;    /* transactions that have subscribed and have not ended */
	uint64_t number;    /* unique among all subscriptions, also over time */
	struct topic_subscription *next, *prev; /* in the topic's list */
	struct topic_subscription *conn_next;
	struct topic_right *right; /* the subscription ends with this; NULL: it needs none */
	struct topic_subscription *right_next, *right_prev;
};

/*
 * Subscribe the connection to the partition with this PK, for a transaction that calls
 * topic_settle() when it has ended. An existing subscription is kept.
 *
 * @notice  of the topic, for resets.
 * @number  identifies the subscription for topic_settle().
 *
 * ERR_NOMEM      memory is out.
 * ERR_TOO_LARGE  more than CONNECTION_TOPICS.
 */
NODISCARD enum err topic_subscribe(struct server *s, struct conn *c, struct slice pk, enum notice notice,
				   uint64_t *number);
/*
 * The transaction has ended. A subscription that no transaction has kept ends with the last of
 * them. The subscription may have ended already.
 *
 * @at  the version that the subscriber was answered and now has; NULL: it was refused.
 */
void topic_settle(struct server *s, struct conn *c, uint64_t number, const struct since *at);
/*
 * A notification for the subscription was not sent: send a reset when its connection has space.
 * The subscription may have ended already.
 */
void topic_miss(struct server *s, struct conn *c, uint64_t number);
/* Unsubscribe; the connection need not be subscribed. */
void topic_unsubscribe(struct server *s, struct conn *c, struct slice pk);
/* The connection closes, or its session was replaced or ended. */
void topic_forget_conn(struct server *s, struct conn *c);
/* The connection's send queue is empty: send the resets that are due. */
void topic_reset_slow(struct server *s, struct conn *c);

/*
 * Make the subscription depend on an item of the table: it ends when the item is deleted. The
 * subscription may have ended already. ERR_NOMEM.
 */
NODISCARD enum err topic_need(struct server *s, struct conn *c, uint64_t number, struct slice pk, struct slice sk);
/* The item was durably deleted: end the subscriptions that depend on it. */
void topic_item_gone(struct server *s, struct slice pk, struct slice sk);

/*
 * End the topic of the partition; it need not have subscribers.
 *
 * @with_reset  the last notification did not announce this: send a reset.
 */
void topic_end(struct server *s, struct slice pk, bool with_reset);

/*
 * Nobody knows whether a change was made that would have been published there: subscribers are
 * sent a reset.
 */
void topic_doubt(struct server *s, struct slice pk);
/*
 * Nobody knows whether the topic has ended, or the item was deleted: the connections that subscribe
 * to the topic, or whose subscription depends on the item, are closed.
 */
void topic_doubt_end(struct server *s, struct slice pk);
void topic_doubt_item(struct server *s, struct slice pk, struct slice sk);

/*
 * Publications were missed (news_missed()): reset all topics, a few with each topics_tick(). A
 * subscription that depends on an item ends with its reset.
 */
void topics_missed(struct server *s);
void topics_tick(struct server *s);
/* Return when topics_tick() has something to do, on the monotonic clock; INT64_MAX: never. */
int64_t topics_deadline(const struct server *s);

/* Return the topic's version; 0 if it has no subscribers. */
int64_t topic_version(const struct server *s, struct slice pk);
/* The same with its epoch. */
struct since topic_at(const struct server *s, struct slice pk);
/*
 * Publish a durable change: send it to all subscribers that do not have it.
 *
 * @record  struct of the notification's record, which begins with struct topic_stamp. If the
 *          partition's item counts changes, `version` is its version and `since` the one before.
 *          If both are 0, they are set here from the topic. If both are those of topic_at(), the
 *          notification brings no new version.
 */
void topic_publish(struct server *s, struct slice pk, enum notice notice, struct topic_stamp *record);

/* Return whether anyone would receive what is published there now. */
bool topic_is_followed(const struct server *s, struct slice pk);
/*
 * Send an encoded transient notification to all subscribers except those whose send queue is too
 * long. It is not part of the state and does not change the version.
 */
void topic_signal(struct server *s, struct slice pk, struct slice notification);

#endif
