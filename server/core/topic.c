/*
 * topic.c - see topic.h.
 */
#include "server/core/topic.h"

#include <stdlib.h>

#include <utlist.h>

#include "server/core/conn.h"
#include "server/core/send_queue.h"
#include "server/core/server_priv.h"
#include "server/core/session_cache.h"

RECORD_DEFINE(topic_stamp)

struct topic {
	UT_hash_handle hh; /* by pk */
	int64_t version;
	struct topic_subscription *subscriptions; /* utlist */
	size_t len;
	char pk[];
};

static struct topic *topic_find(const struct server *s, struct slice pk)
{
	struct topic *t = NULL;
	HASH_FIND(hh, s->topics, pk.data, pk.len, t);
	return t;
}

static struct topic *topic_make(struct server *s, struct slice pk)
{
	struct topic *t = calloc(1, sizeof(*t) + pk.len);
	if (t == NULL) {
		return NULL;
	}
	t->version = 1;
	t->len = pk.len;
	memcpy(t->pk, pk.data, pk.len);
	HASH_ADD(hh, s->topics, pk, (unsigned)pk.len, t);
	if (t->hh.tbl == NULL) {
		free(t);
		return NULL;
	}
	return t;
}

static struct topic_subscription *topic_subscription_find(const struct conn *c,
							  const struct topic *t)
{
	struct topic_subscription *sub;
	LL_FOREACH2(c->topics, sub, conn_next)
	{
		if (sub->topic == t) {
			return sub;
		}
	}
	return NULL;
}

static void topic_subscription_end(struct server *s, struct topic_subscription *sub)
{
	struct topic *t = sub->topic;
	LL_DELETE2(sub->conn->topics, sub, conn_next);
	DL_DELETE(t->subscriptions, sub);
	free(sub);
	if (t->subscriptions == NULL) {
		HASH_DELETE(hh, s->topics, t);
		free(t);
	}
}

enum err topic_subscribe(struct server *s, struct conn *c, struct slice pk, enum notice notice,
			 uint64_t *number)
{
	struct topic *t = topic_find(s, pk);
	struct topic_subscription *sub = t == NULL ? NULL : topic_subscription_find(c, t);
	size_t n = 0;
	if (sub != NULL) {
		sub->is_over = false;
		sub->claims++;
		*number = sub->number;
		return OK;
	}
	LL_COUNT2(c->topics, sub, n, conn_next);
	if (n >= MAX_CONNECTION_TOPICS) {
		return ERR_TOO_LARGE;
	}
	sub = calloc(1, sizeof(*sub));
	if (sub == NULL || (t == NULL && (t = topic_make(s, pk)) == NULL)) {
		free(sub);
		return ERR_NOMEM;
	}
	sub->topic = t;
	sub->conn = c;
	sub->notice = notice;
	sub->claims = 1;
	sub->number = ++s->last_subscription;
	*number = sub->number;
	DL_APPEND(t->subscriptions, sub);
	LL_PREPEND2(c->topics, sub, conn_next);
	return OK;
}

void topic_settle(struct server *s, struct conn *c, uint64_t number, bool is_kept)
{
	struct topic_subscription *sub;
	LL_FOREACH2(c->topics, sub, conn_next)
	{
		if (sub->number == number) {
			break;
		}
	}
	if (sub == NULL) {
		return;
	}
	sub->claims--;
	sub->is_kept = sub->is_kept || is_kept;
	if (!sub->is_kept && sub->claims == 0) {
		topic_subscription_end(s, sub);
	}
}

void topic_unsubscribe(struct server *s, struct conn *c, struct slice pk)
{
	struct topic *t = topic_find(s, pk);
	struct topic_subscription *sub = t == NULL ? NULL : topic_subscription_find(c, t);
	if (sub != NULL) {
		topic_subscription_end(s, sub);
	}
}

void topic_forget_conn(struct server *s, struct conn *c)
{
	while (c->topics != NULL) {
		topic_subscription_end(s, c->topics);
	}
}

static bool topic_is_of_user(const struct topic *t)
{
	return slice_starts(slice_of(t->pk, t->len), slice_str(item_rows[ITEM_USER].pk_prefix));
}

/* A session may have ended since the connection subscribed. */
static bool topic_subscription_holds(const struct server *s, const struct topic_subscription *sub)
{
	size_t prefix = item_rows[ITEM_USER].pk_prefix_len;
	const struct topic *t = sub->topic;
	return topic_is_of_user(t)
		       ? conn_is_user(s, sub->conn, slice_of(t->pk + prefix, t->len - prefix))
		       : conn_has_user(s, sub->conn);
}

int64_t topic_version(const struct server *s, struct slice pk)
{
	const struct topic *t = topic_find(s, pk);
	return t == NULL ? 0 : t->version;
}

/* ---- sending ---- */

/* Memory is out: what waits for the connection will be followed by a reset; without that it would never learn. */
static void topic_subscription_miss(struct server *s, struct topic_subscription *sub)
{
	sub->is_slow = true;
	if (send_queue_len(sub->conn) == 0) {
		conn_lose(s, sub->conn);
	}
}

void topic_publish(struct server *s, struct slice pk, enum notice notice,
		   struct topic_stamp *record)
{
	struct topic *t = topic_find(s, pk);
	struct topic_subscription *sub;
	struct buf b = {.max = MAX_FRAME_BYTES};
	if (t == NULL) {
		return;
	}
	record->since = t->version;
	record->version = ++t->version;
	rpc_write_notice(&b, slice_str(notice_rows[notice].name), notice_rows[notice].record,
			 record);
	DL_FOREACH (t->subscriptions, sub) {
		if (!topic_subscription_holds(s, sub)) {
			continue;
		}
		sub->is_slow = sub->is_slow || send_queue_len(sub->conn) >= MAX_OUT_BYTES;
		if (b.error != OK) {
			topic_subscription_miss(s, sub);
		} else if (!sub->is_slow) {
			conn_send(s, sub->conn, buf_slice(&b));
		}
	}
	buf_finish(&b);
}

bool topic_is_followed(const struct server *s, struct slice pk)
{
	const struct topic *t = topic_find(s, pk);
	const struct topic_subscription *sub = NULL;
	DL_FOREACH (t == NULL ? NULL : t->subscriptions, sub) {
		if (topic_subscription_holds(s, sub)) {
			break;
		}
	}
	return sub != NULL;
}

void topic_signal(struct server *s, struct slice pk, struct slice notification)
{
	const struct topic *t = topic_find(s, pk);
	const struct topic_subscription *sub;
	DL_FOREACH (t == NULL ? NULL : t->subscriptions, sub) {
		if (topic_subscription_holds(s, sub) && !sub->is_slow &&
		    send_queue_len(sub->conn) < MAX_OUT_BYTES) {
			conn_send(s, sub->conn, notification);
		}
	}
}

void topic_end(struct server *s, struct slice pk)
{
	struct topic *t = pk.len == 0 ? NULL : topic_find(s, pk);
	struct topic_subscription *sub;
	struct topic_subscription *next;
	if (t == NULL) {
		return;
	}
	DL_FOREACH_SAFE (t->subscriptions, sub, next) {
		sub->is_over = true;
		if (!sub->is_slow) {
			topic_subscription_end(s, sub); /* the topic goes with the last */
		}
	}
}

void topic_reset_slow(struct server *s, struct conn *c)
{
	struct topic_subscription *sub;
	struct topic_subscription *next;
	LL_FOREACH_SAFE2(c->topics, sub, next, conn_next)
	{
		struct buf b = {.max = 512};
		struct topic_stamp stamp = {.since = sub->topic->version,
					    .version = sub->topic->version,
					    .reset = true,
					    .with_reset = true};
		if (!sub->is_slow || !topic_subscription_holds(s, sub)) {
			continue;
		}
		rpc_write_notice(&b, slice_str(notice_rows[sub->notice].name), &record_topic_stamp,
				 &stamp);
		if (b.error == OK) {
			sub->is_slow = false;
			conn_send(s, c, buf_slice(&b));
			if (sub->is_over) {
				topic_subscription_end(s, sub);
			}
		} else {
			topic_subscription_miss(s, sub);
		}
		buf_finish(&b);
	}
}
