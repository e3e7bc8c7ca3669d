/*
 * topic.c - see topic.h.
 */
#include "server/core/txn/topic.h"

#include <stdlib.h>

#include <utlist.h>

#include "proto/base/format.h"
#include "server/core/conns/conn.h"
#include "server/core/conns/send_queue.h"
#include "server/core/server_priv.h"
#include "server/core/txn/news.h"
#include "server/core/txn/session_cache.h"

RECORD_DEFINE(topic_stamp)
RECORD_DEFINE(topic_reset)

#define TOPICS_MISSED_EVERY_MS 100

struct topic {
	UT_hash_handle hh; /* by pk */
	struct since at;   /* the last that was published or answered; in memory from 1 on */
	struct topic_subscription *subscriptions; /* utlist */
	size_t len;
	char pk[];
};

/* An item that subscriptions need, while there are some. */
struct topic_right {
	UT_hash_handle hh;			  /* by key */
	struct topic_subscription *subscriptions; /* utlist, by right_next */
	char key[];
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
	t->at.version = 1;
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

static void topic_right_release(struct server *s, struct topic_subscription *sub)
{
	struct topic_right *right = sub->right;
	if (right == NULL) {
		return;
	}
	sub->right = NULL;
	DL_DELETE2(right->subscriptions, sub, right_prev, right_next);
	if (right->subscriptions == NULL) {
		HASH_DELETE(hh, s->topic_rights, right);
		free(right);
	}
}

static void topic_subscription_end(struct server *s, struct topic_subscription *sub)
{
	struct topic *t = sub->topic;
	topic_right_release(s, sub);
	LL_DELETE2(sub->conn->topics, sub, conn_next);
	DL_DELETE(t->subscriptions, sub);
	free(sub);
	if (t->subscriptions == NULL) {
		s->topic_missed = s->topic_missed == t ? t->hh.next : s->topic_missed;
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

static struct topic_subscription *topic_subscription_numbered(const struct conn *c, uint64_t number)
{
	struct topic_subscription *sub;
	LL_FOREACH2(c->topics, sub, conn_next)
	{
		if (sub->number == number) {
			break;
		}
	}
	return sub;
}

/* Versions only go up. */
static void topic_reach(struct since *is, const struct since *at)
{
	is->epoch = at->epoch;
	is->version = at->version > is->version ? at->version : is->version;
}

void topic_settle(struct server *s, struct conn *c, uint64_t number, const struct since *at)
{
	struct topic_subscription *sub = topic_subscription_numbered(c, number);
	if (sub == NULL) {
		return;
	}
	sub->claims--;
	if (at != NULL) {
		topic_reach(&sub->at, at);
		topic_reach(&sub->topic->at, at);
		sub->is_kept = true;
		sub->is_over = false;
	}
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
	return topic_at(s, pk).version;
}

struct since topic_at(const struct server *s, struct slice pk)
{
	const struct topic *t = topic_find(s, pk);
	return t == NULL ? (struct since){.version = 0} : t->at;
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

/* What names the topic's partition in a reset: question_id, group_id, ...; NULL where nothing does. */
static const struct field *topic_id_field(const struct topic *t, struct slice *id)
{
	const struct method_place *place = method_places;
	while (place < method_places + WHERE_COUNT &&
	       (place->pk_prefix == NULL ||
		!slice_starts(slice_of(t->pk, t->len), slice_str(place->pk_prefix)))) {
		place++;
	}
	if (place == method_places + WHERE_COUNT) {
		return NULL;
	}
	size_t prefix = strlen(place->pk_prefix);
	*id = slice_of(t->pk + prefix, t->len - prefix);
	return record_field(&record_topic_reset, slice_str(place->field));
}

/* What it has missed it is to read again; if its topic or its right has ended, that was the last. */
static void topic_subscription_reset(struct server *s, struct topic_subscription *sub)
{
	struct buf b = {.max = 512};
	struct topic_reset reset = {.epoch = sub->topic->at.epoch, .reset = true};
	struct slice id = {0};
	const struct field *f = topic_id_field(sub->topic, &id);
	topic_reach(&sub->at, &sub->topic->at);
	reset.since = reset.version = sub->at.version;
	if (f != NULL) {
		memcpy((char *)&reset + f->offset, &id, sizeof(id));
	}
	rpc_write_notice(&b, slice_str(notice_rows[sub->notice].name), &record_topic_reset, &reset);
	if (b.error == OK) {
		sub->is_slow = false;
		conn_send(s, sub->conn, buf_slice(&b));
		if (sub->is_over && sub->claims == 0) {
			topic_subscription_end(s, sub);
		}
	} else {
		topic_subscription_miss(s, sub);
	}
	buf_finish(&b);
}

void topic_miss(struct server *s, struct conn *c, uint64_t number)
{
	struct topic_subscription *sub = topic_subscription_numbered(c, number);
	if (sub == NULL) {
		return;
	}
	sub->is_slow = true;
	if (send_queue_len(c) < MAX_OUT_BYTES) {
		topic_subscription_reset(s, sub);
	}
}

/* One version for one subscription: what it has already is not sent, and nothing else is missed in silence. */
static void topic_subscription_send(struct server *s, struct topic_subscription *sub,
				    const struct topic_stamp *stamp, const struct buf *b)
{
	bool is_aside = stamp->since == stamp->version;
	if (!is_aside && stamp->version <= sub->at.version) {
		return;
	}
	sub->is_slow = sub->is_slow || send_queue_len(sub->conn) >= MAX_OUT_BYTES;
	if (b->error != OK) {
		topic_subscription_miss(s, sub);
	} else if (!sub->is_slow && !is_aside && stamp->since != sub->at.version) {
		topic_subscription_reset(s, sub);
	} else if (!sub->is_slow) {
		sub->at.version = is_aside ? sub->at.version : stamp->version;
		conn_send(s, sub->conn, buf_slice(b));
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
	if (record->version == 0) {
		record->since = t->at.version;
		record->version = t->at.version + 1;
	}
	if (t->at.version < record->version) {
		t->at.version = record->version;
	}
	rpc_write_notice(&b, slice_str(notice_rows[notice].name), notice_rows[notice].record,
			 record);
	DL_FOREACH (t->subscriptions, sub) {
		if (sub->is_kept && topic_subscription_holds(s, sub)) {
			topic_subscription_send(s, sub, record, &b);
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

/* It is sent a reset, when there is room, and nothing more. */
static void topic_subscription_over(struct server *s, struct topic_subscription *sub)
{
	bool is_reset_due = sub->is_slow || send_queue_len(sub->conn) >= MAX_OUT_BYTES;
	sub->is_kept =
		false; /* until a transaction that subscribes again now is answered, if it is */
	sub->is_over = true;
	sub->is_slow = true;
	if (!is_reset_due) {
		topic_subscription_reset(s, sub);
	}
}

void topic_end(struct server *s, struct slice pk, bool with_reset)
{
	struct topic *t = topic_find(s, pk);
	struct topic_subscription *sub;
	struct topic_subscription *next;
	if (t == NULL) {
		return;
	}
	DL_FOREACH_SAFE (t->subscriptions, sub, next) { /* the topic goes with the last */
		if (!sub->is_kept) {
			continue; /* its transaction knows, or learns by its right */
		}
		if (with_reset) {
			topic_subscription_over(s, sub);
		} else if (sub->is_slow) {
			sub->is_over = true;
		} else if (sub->claims > 0) {
			sub->is_kept =
				false; /* a transaction that subscribes again finds that the topic has moved */
		} else {
			topic_subscription_end(s, sub);
		}
	}
}

void topic_reset_slow(struct server *s, struct conn *c)
{
	struct topic_subscription *sub;
	struct topic_subscription *next;
	LL_FOREACH_SAFE2(c->topics, sub, next, conn_next)
	{
		if (sub->is_slow && topic_subscription_holds(s, sub)) {
			topic_subscription_reset(s, sub);
		}
	}
}

void topic_doubt(struct server *s, struct slice pk)
{
	const struct topic *t = topic_find(s, pk);
	struct topic_subscription *sub;
	struct topic_subscription *next;
	DL_FOREACH_SAFE (t == NULL ? NULL : t->subscriptions, sub, next) {
		if (!sub->is_kept || !topic_subscription_holds(s, sub)) {
			continue; /* its transaction reads again */
		}
		sub->is_slow = true;
		if (send_queue_len(sub->conn) < MAX_OUT_BYTES) {
			topic_subscription_reset(s, sub);
		}
	}
}

void topic_doubt_end(struct server *s, struct slice pk)
{
	const struct topic *t = topic_find(s, pk);
	const struct topic_subscription *sub;
	DL_FOREACH (t == NULL ? NULL : t->subscriptions,
		    sub) { /* they leave it when they are gone */
		conn_end(s, sub->conn, CONN_UNKNOWN);
	}
}

/* ---- publications that were missed ---- */

/* The right on which a subscription stands may have gone with what was missed. */
static void topic_missed(struct server *s, struct topic *t)
{
	struct topic_subscription *sub;
	struct topic_subscription *next;
	DL_FOREACH_SAFE (t->subscriptions, sub, next) { /* the topic goes with the last */
		bool is_sent = sub->is_kept && topic_subscription_holds(s, sub);
		if (is_sent && sub->right != NULL) {
			topic_right_release(s, sub);
			topic_subscription_over(s, sub);
		} else if (is_sent) {
			sub->is_slow = true;
			if (send_queue_len(sub->conn) < MAX_OUT_BYTES) {
				topic_subscription_reset(s, sub);
			}
		}
	}
}

void topics_missed(struct server *s)
{
	if (s->topic_missed != NULL) {
		s->topics_missed_again =
			true; /* those that were reset already have their turn again */
		return;
	}
	s->topic_missed = s->topics;
	s->topics_missed_n = HASH_COUNT(s->topics);
	s->topics_missed_done = 0;
	s->topics_missed_mono = s->now.mono_ms;
}

int64_t topics_deadline(const struct server *s)
{
	return s->topic_missed == NULL ? INT64_MAX : s->now.mono_ms + TOPICS_MISSED_EVERY_MS;
}

void topics_tick(struct server *s)
{
	int64_t since_ms = s->now.mono_ms - s->topics_missed_mono;
	while (s->topic_missed != NULL &&
	       (since_ms >= MISSED_WITHIN_MS ||
		(int64_t)s->topics_missed_done <=
			(int64_t)s->topics_missed_n * since_ms / MISSED_WITHIN_MS)) {
		struct topic *t = s->topic_missed;
		s->topic_missed = t->hh.next;
		s->topics_missed_done++;
		topic_missed(s, t);
	}
	if (s->topic_missed == NULL && s->topics_missed_again) {
		s->topics_missed_again = false;
		topics_missed(s);
	}
}

/* ---- rights ---- */

struct right_key {
	char text[ITEM_KEY_BYTES_MAX + 2];
	size_t len;
};

static struct right_key right_key(struct slice pk, struct slice sk)
{
	struct right_key key;
	key.len = format_to(key.text, sizeof(key.text), "%.*s %.*s", (int)pk.len, pk.data,
			    (int)sk.len, sk.data);
	return key;
}

static struct topic_right *right_find(const struct server *s, const struct right_key *key)
{
	struct topic_right *right = NULL;
	HASH_FIND(hh, s->topic_rights, key->text, key->len, right);
	return right;
}

enum err topic_need(struct server *s, struct conn *c, uint64_t number, struct slice pk,
		    struct slice sk)
{
	const struct right_key key = right_key(pk, sk);
	struct topic_subscription *sub = topic_subscription_numbered(c, number);
	struct topic_right *right = right_find(s, &key);
	if (sub == NULL || sub->right != NULL) {
		return OK;
	}
	if (right == NULL) {
		right = calloc(1, sizeof(*right) + key.len);
		if (right == NULL) {
			return ERR_NOMEM;
		}
		memcpy(right->key, key.text, key.len);
		HASH_ADD(hh, s->topic_rights, key, (unsigned)key.len, right);
		if (right->hh.tbl == NULL) {
			free(right);
			return ERR_NOMEM;
		}
	}
	sub->right = right;
	DL_APPEND2(right->subscriptions, sub, right_prev, right_next);
	return OK;
}

void topic_item_gone(struct server *s, struct slice pk, struct slice sk)
{
	const struct right_key key = right_key(pk, sk);
	const struct topic_right *right = right_find(s, &key);
	struct topic_subscription *sub;
	struct topic_subscription *next;
	DL_FOREACH_SAFE2(right == NULL ? NULL : right->subscriptions, sub, next, right_next)
	{
		topic_right_release(s, sub);
		if (sub->is_kept) { /* else its transaction runs again, and is refused */
			topic_subscription_over(s, sub);
		}
	}
}

void topic_doubt_item(struct server *s, struct slice pk, struct slice sk)
{
	const struct right_key key = right_key(pk, sk);
	const struct topic_right *right = right_find(s, &key);
	const struct topic_subscription *sub;
	DL_FOREACH2(right == NULL ? NULL : right->subscriptions, sub, right_next)
	{
		conn_end(s, sub->conn, CONN_UNKNOWN);
	}
}
