/*
 * txn_items.c - the items that transactions under way read and write, each once and in its newest state.
 *
 * A transaction that changes something sees an item here before it looks into the table: as another one
 * has written it that is not durable yet, as one has left it that became durable while this one was loading,
 * or as one has loaded it. An item is here as long as a transaction has read or written it, and, so that an
 * older page cannot hide what was written since it was asked for, as long as one has read a page of its partition.
 *
 * States that the table has are compared by the commit that they are known to hold behind (as_of). One that is not
 * durable (by) is newer than those, and lies on the one before, which is back where it fails.
 */
#include "server/core/txn/txn_priv.h"

#include <stdlib.h>

#include "proto/base/assert.h"
#include "proto/base/wipe.h"

/* ---- states ---- */

struct item_state *item_state_make(const struct slice *value)
{
	size_t len = value == NULL ? 0 : value->len;
	struct item_state *state = calloc(1, sizeof(*state) + len);
	if (state != NULL) {
		state->refs = 1;
		state->exists = value != NULL;
		state->len = len;
		if (len > 0) {
			memcpy(state->value, value->data, len);
		}
	}
	return state;
}

struct item_state *item_state_ref(struct item_state *state)
{
	state->refs++;
	return state;
}

void item_state_unref(struct item_state *state)
{
	while (state != NULL && --state->refs == 0) {
		struct item_state *under = state->under;
		wipe(state->value, state->len);
		free(state);
		state = under;
	}
}

/* ---- partitions ---- */

static struct live_partition *live_partition_find(const struct server *s, struct slice pk)
{
	struct live_partition *p = NULL;
	HASH_FIND(hh, s->live_partitions, pk.data, pk.len, p);
	return p;
}

static struct live_partition *live_partition_make(struct server *s, struct slice pk)
{
	struct live_partition *p = calloc(1, sizeof(*p) + pk.len);
	if (p == NULL) {
		return NULL;
	}
	p->len = pk.len;
	memcpy(p->pk, pk.data, pk.len);
	HASH_ADD(hh, s->live_partitions, pk, (unsigned)pk.len, p);
	if (p->hh.tbl == NULL) {
		free(p);
		return NULL;
	}
	return p;
}

static void live_partition_release(struct server *s, struct live_partition *p)
{
	if (p->pages == 0 && p->items == NULL) {
		HASH_DELETE(hh, s->live_partitions, p);
		free(p);
	}
}

static void live_item_release(struct server *s, struct live_item *item)
{
	if (item->refs == 0 && item->partition->pages == 0) {
		HASH_DELETE(hh, s->live_items, item);
		DL_DELETE(item->partition->items, item);
		item_state_unref(item->now);
		free(item);
	}
}

struct live_partition *live_partition_ref(struct server *s, struct slice pk)
{
	struct live_partition *p = live_partition_find(s, pk);
	p = p == NULL ? live_partition_make(s, pk) : p;
	if (p != NULL) {
		p->pages++;
	}
	return p;
}

void live_partition_unref(struct server *s, struct live_partition *p)
{
	struct live_item *item;
	struct live_item *next;
	if (--p->pages == 0) {
		DL_FOREACH_SAFE (p->items, item, next) {
			live_item_release(s, item);
		}
	}
	live_partition_release(s, p);
}

/* ---- items ---- */

struct item_key {
	char text[sizeof(struct live_partition *) + ITEM_KEY_BYTES_MAX];
	size_t len;
};

static void item_key(struct item_key *key, const struct live_partition *p, struct slice sk)
{
	ASSERT_CMP(sk.len, <=, ITEM_KEY_BYTES_MAX);
	memcpy(key->text, &p, sizeof(p));
	memcpy(key->text + sizeof(p), sk.len == 0 ? "" : sk.data, sk.len);
	key->len = sizeof(p) + sk.len;
}

struct slice live_item_sk(const struct live_item *item)
{
	return slice_of(item->key + sizeof(item->partition), item->len - sizeof(item->partition));
}

struct slice live_item_pk(const struct live_item *item)
{
	return slice_of(item->partition->pk, item->partition->len);
}

static struct live_item *live_item_in(const struct server *s, const struct live_partition *p,
				      struct slice sk)
{
	struct live_item *item = NULL;
	struct item_key key;
	item_key(&key, p, sk);
	HASH_FIND(hh, s->live_items, key.text, key.len, item);
	return item;
}

struct live_item *live_item_find(const struct server *s, struct slice pk, struct slice sk)
{
	const struct live_partition *p = live_partition_find(s, pk);
	return p == NULL ? NULL : live_item_in(s, p, sk);
}

static struct live_item *live_item_make(struct server *s, struct live_partition *p, struct slice sk)
{
	struct item_key key;
	item_key(&key, p, sk);
	struct live_item *item = calloc(1, sizeof(*item) + key.len);
	if (item == NULL) {
		return NULL;
	}
	item->partition = p;
	item->len = key.len;
	memcpy(item->key, key.text, key.len);
	HASH_ADD(hh, s->live_items, key, (unsigned)key.len, item);
	if (item->hh.tbl == NULL) {
		free(item);
		return NULL;
	}
	DL_APPEND(p->items, item);
	return item;
}

struct live_item *live_item_ref(struct server *s, struct slice pk, struct slice sk)
{
	struct live_partition *p = live_partition_find(s, pk);
	p = p == NULL ? live_partition_make(s, pk) : p;
	struct live_item *item = p == NULL ? NULL : live_item_in(s, p, sk);
	if (item == NULL && p != NULL) {
		item = live_item_make(s, p, sk);
		live_partition_release(s, p); /* where that failed it may be empty */
	}
	if (item != NULL) {
		item->refs++;
	}
	return item;
}

void live_item_unref(struct server *s, struct live_item *item)
{
	struct live_partition *p = item->partition;
	item->refs--;
	live_item_release(s, item);
	live_partition_release(s, p);
}

void live_item_learn(struct live_item *item, struct item_state *state)
{
	struct item_state *now = item->now;
	if (now == NULL || (now->by == NULL && state->as_of > now->as_of)) {
		item->now = item_state_ref(state);
		item_state_unref(now);
	}
}

void live_item_forget(struct live_item *item)
{
	if (item->now != NULL && item->now->by == NULL) {
		item_state_unref(item->now);
		item->now = NULL;
	}
}

void live_item_write(struct live_item *item, struct item_state *state)
{
	state->under = item->now;
	item->now = item_state_ref(state);
}

void live_item_unwrite(struct live_item *item, struct item_state *state)
{
	struct item_state **at = &item->now;
	while (*at != state) {
		at = &(*at)->under;
	}
	*at = state->under;
	state->under = NULL;
	item_state_unref(state);
}

void item_state_settle(struct item_state *state, uint64_t version)
{
	state->by = NULL;
	state->version = state->exists ? version : 0;
	state->as_of = version;
	item_state_unref(state->under);
	state->under = NULL;
}
