/*
 * txn_topics.c - what a transaction subscribes its connection to, and what it publishes.
 */
#include "server/core/txn_priv.h"

#include "server/core/conn.h"

static struct slice topic_key(struct transaction *ta, struct arena *arena, enum item_kind kind,
			      struct slice pk)
{
	return txn_join(ta, arena, item_rows[kind].pk_prefix, item_rows[kind].pk_prefix_len, pk);
}

int64_t txn_subscribe(struct txn *t, enum item_kind kind, struct slice pk, enum notice notice)
{
	struct transaction *ta = transaction_of(t);
	struct conn *c = conn_find(ta->server, ta->conn);
	if (ta->topic.len == 0 && c != NULL) {
		ta->topic = topic_key(ta, &ta->request, kind, pk);
		enum err e = topic_subscribe(ta->server, c, ta->topic, notice, &ta->subscription);
		if (e == ERR_TOO_LARGE) {
			txn_is_beyond(ta, LIMIT_CONNECTION_TOPICS);
		} else if (e != OK) {
			txn_lacks_memory(ta);
		}
		ta->topic_version = topic_version(ta->server, ta->topic);
	}
	return ta->topic_version > 0 ? ta->topic_version : 1;
}

void txn_unsubscribe(struct txn *t, enum item_kind kind, struct slice pk)
{
	struct transaction *ta = transaction_of(t);
	struct conn *c = conn_find(ta->server, ta->conn);
	if (c != NULL) {
		topic_unsubscribe(ta->server, c, topic_key(ta, &ta->made, kind, pk));
	}
}

void txn_publish(struct txn *t, enum item_kind kind, struct slice pk, enum notice notice,
		 const void *record)
{
	struct transaction *ta = transaction_of(t);
	struct publication *p = arena_alloc(&ta->made, sizeof(*p));
	void *copy = arena_alloc(&ta->made, notice_rows[notice].record->size);
	if (p == NULL || copy == NULL) {
		txn_lacks_memory(ta);
		return;
	}
	memcpy(copy, record, notice_rows[notice].record->size);
	p->pk = topic_key(ta, &ta->made, kind, pk);
	p->notice = notice;
	p->record = copy;
	LL_APPEND(ta->publications, p);
}

bool txn_topic_has_moved(struct transaction *ta)
{
	int64_t version = ta->topic.len == 0 ? 0 : topic_version(ta->server, ta->topic);
	bool has_moved = version > ta->topic_version;
	ta->topic_version = has_moved ? version : ta->topic_version;
	return has_moved;
}
