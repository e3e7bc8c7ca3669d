/*
 * news.h - what a durable change of the directory brings to connections and rooms, beside the
 * answer to whoever asked for it: notifications, subscriptions and sessions that end, names, tasks.
 *
 * A run of a transaction collects it (txn_caller.c, txn_after.c). On a server that is alone it is
 * applied when the commit is durable, and never leaves the process. Where several nodes share the
 * table each of them has connections, so the commit carries it as its publication, and every node
 * applies it when EVENT_PUBLISHED brings it, the one that made the commit too, and no other time:
 * EVENT_COMMITTED comes behind that.
 *
 *   run --> struct news --alone, durable--------------------------------------> news_apply()
 *                |                                                                  ^
 *                +--news_write()--> FX_COMMIT.publish ... EVENT_PUBLISHED ----------+
 *
 * A change of a room has news, too: of its users, its seats, its team. Rooms' commits publish nothing,
 * so on several nodes its home has a transaction carry them (txn_carry()). Those of a home that dies
 * between the two are lost: see news_lost().
 *
 * What was published may be missed (EVENT_PUBLISHED without bytes: a gap). Then everything that
 * follows the directory is looked at again: see news_missed().
 */
#ifndef SERVER_CORE_TXN_NEWS_H
#define SERVER_CORE_TXN_NEWS_H

#include <stdbool.h>

#include "proto/base/buf.h"
#include "proto/methods.h"
#include "server/core/txn/topic.h"
#include "server/domain/room_directory.h"
#include "server/domain/txn.h"

/* A notification to subscribers. */
struct publication {
	struct slice pk;
	enum notice notice; /* NOTICE_COUNT: whatever it was, they read again */
	struct topic_stamp *record; /* NULL: see bytes */
	struct slice bytes; /* of a publication: the record as it came */
	bool is_counted;    /* likewise: since and version are those of the partition's item */
	bool is_aside;      /* it brings no new version: since and version are the topic's */
	struct publication *next;
};

/* A topic that ends. */
struct topic_ending {
	struct slice pk;
	struct topic_ending *next;
};

/* An item that was deleted. */
struct gone_item {
	struct slice pk, sk;
	struct gone_item *next;
};

/* A notification to a user's connections. */
struct notification {
	struct slice user_id;
	enum notice notice;
	struct slice params; /* encoded */
	struct notification *next;
};

/* A task of a room. */
struct errand {
	struct slice room_id;
	room_task_handler *run;
	struct slice key;
	struct errand *next;
};

/* A transient notification to the sessions that watch a user. */
struct user_signal {
	struct slice user_id;
	struct slice message; /* encoded */
	struct user_signal *next;
};

/* A transaction that each node begins, as txn_then_everywhere(). */
struct look {
	txn_handler *run;
	struct slice key; /* of its params, and its line */
	struct look *next;
};

/* Return the name of a look under which other nodes know it (directory.h); NULL: it is none. */
const char *look_name(txn_handler *run);

/* A session that ends. */
struct ending {
	struct key_text token_hash;
	struct ending *next;
};

/* Lists of utlist.h. All zero: nothing. */
struct news {
	struct publication *publications;
	struct topic_ending *topic_endings;
	struct gone_item *gone;
	struct notification *notifications;
	struct errand *errands;
	struct user_signal *signals;
	struct look *looks;
	struct ending *endings;
	const struct session *renamed; /* the session has another name; NULL: none has */
};

/* It holds: send and end what it says, in this order. */
void news_apply(struct server *s, const struct news *n);
/* Nobody knows whether it holds: whoever would have been told reads again. */
void news_doubt(struct server *s, const struct news *n);

/*
 * Append it to a publication, as one MessagePack map; nothing where it says nothing. At most
 * NEWS_BYTES_MAX bytes: of news that are larger only who is to read again is said, and of larger
 * ones still that everybody is. ERR_NOMEM is kept in the buffer.
 */
void news_write(const struct news *n, struct buf *out);
#define NEWS_BYTES_MAX 60000

/* Apply the news of a publication; if they cannot be read, as news_missed(). */
void news_published(struct server *s, struct slice body);
/*
 * Publications may have been missed: within MISSED_WITHIN_MS every subscription to a topic gets a
 * reset, or ends with one if it depends on an item, and every session in use is looked up.
 */
void news_missed(struct server *s);
#define MISSED_WITHIN_MS 10000

/*
 * Another node has died, maybe while it was leaving. What its rooms had committed, and it had not
 * published yet, nobody will be told: subscribers read again, as after a gap. Commits of the
 * directory have their news with them.
 */
void news_lost(struct server *s);

#endif
