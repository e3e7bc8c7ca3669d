/*
 * txn_writes.c - what a transaction writes; the commit is txn_batch.c's.
 */
#include "server/core/txn/txn_priv.h"

#include "proto/base/assert.h"

/* ---- what a handler writes ---- */

static struct write *write_find(const struct transaction *ta, struct slice pk, struct slice sk)
{
	struct write *w;
	LL_FOREACH (ta->writes, w) {
		if (slice_eq(w->pk, pk) && slice_eq(w->sk, sk)) {
			break;
		}
	}
	return w;
}

static struct write *write_to(struct txn *t, enum item_kind kind, struct slice pk, struct slice sk)
{
	struct transaction *ta = transaction_of(t);
	struct slice item_pk, item_sk;
	/* Where memory was out, what was read is found no more, and a copied sort key is empty. */
	ASSERT(ta->is_running && (ta->failed != OK || !ta->lacks_reads));
	ASSERT(ta->row == NULL || ta->row->effect != EFFECT_READS);
	ASSERT(ta->failed != OK || (item_rows[kind].match == ITEM_SK_EXACT) == (sk.len == 0));
	txn_item_key(ta, &ta->made, kind, pk, sk, &item_pk, &item_sk);
	ASSERT(!is_of_a_room(item_pk));
	struct write *w = write_find(ta, item_pk, item_sk);
	if (w != NULL) {
		return w; /* the last write of an item holds */
	}
	if (ta->items + ta->writes_n >= MAX_TRANSACTION_ITEMS) {
		txn_is_beyond(ta, LIMIT_TRANSACTION_ITEMS);
	}
	if (ta->failed != OK) {
		return NULL;
	}
	w = arena_alloc(&ta->made, sizeof(*w));
	if (w == NULL) {
		txn_lacks_memory(ta);
		return NULL;
	}
	w->pk = item_pk;
	w->sk = item_sk;
	LL_APPEND(ta->writes, w);
	ta->writes_n++;
	return w;
}

/* @value  NULL: the item does not exist. */
static void write_state(struct transaction *ta, struct write *w, const struct slice *value)
{
	item_state_unref(w->state);
	w->state = item_state_make(value);
	if (w->state == NULL) {
		txn_lacks_memory(ta);
	}
}

/* Every item's record begins with its times: F_ITEM_TIMES. */
struct item_times {
	int64_t created_on;
	bool with_created_on;
	int64_t updated_on;
	bool with_updated_on;
};

static void write_item(struct txn *t, enum item_kind kind, struct slice pk, struct slice sk,
		       void *item, bool is_new)
{
	struct transaction *ta = transaction_of(t);
	struct write *w = write_to(t, kind, pk, sk);
	if (w == NULL) {
		return;
	}
	const struct store_item *stored;
	const struct read *of = txn_read_of(ta, w->pk, w->sk, &stored);
	const struct item_times *before = of == NULL || stored == NULL ? NULL
					  : of->kind == READ_ITEM      ? of->decoded
								       : txn_decode(t, stored);
	struct item_times *times = item;
	times->created_on = before == NULL ? t->wall_ms : before->created_on;
	times->updated_on = t->wall_ms;
	struct buf b = {.max = MAX_FRAME_BYTES};
	record_write(item_rows[kind].record, item, &b);
	const struct slice value = b.error == OK ? buf_slice(&b) : (struct slice){0};
	w->is_new = is_new;
	write_state(ta, w, &value);
	if (b.error != OK) {
		txn_lacks_memory(ta);
	}
	ta->written += b.len;
	if (ta->bytes + ta->written > MAX_TRANSACTION_BYTES) {
		txn_is_beyond(ta, LIMIT_TRANSACTION_BYTES);
	} else if (!txn_hold(ta)) {
		txn_is_beyond(ta, LIMIT_TRANSACTIONS_BYTES);
	}
	buf_finish(&b);
}

void txn_put(struct txn *t, enum item_kind kind, struct slice pk, struct slice sk, void *item)
{
	write_item(t, kind, pk, sk, item, false);
}

void txn_put_new(struct txn *t, enum item_kind kind, struct slice pk, struct slice sk, void *item)
{
	write_item(t, kind, pk, sk, item, true);
}

void txn_delete(struct txn *t, enum item_kind kind, struct slice pk, struct slice sk)
{
	struct write *w = write_to(t, kind, pk, sk);
	if (w != NULL) {
		w->is_new = false;
		write_state(transaction_of(t), w, NULL);
	}
}

int64_t txn_growth(const struct transaction *ta)
{
	int64_t bytes = 0;
	const struct write *w;
	LL_FOREACH (ta->writes, w) {
		const struct store_item *before = NULL;
		(void)txn_read_of(ta, w->pk, w->sk, &before);
		if (w->state->exists) {
			bytes += (int64_t)(w->pk.len + w->sk.len + w->state->len);
		}
		if (before != NULL) {
			bytes -= (int64_t)(before->pk.len + before->sk.len + before->value.len);
		}
	}
	return bytes > 0 ? bytes : 0;
}

void txn_forget_writes(struct server *s, struct transaction *ta)
{
	struct write *w;
	LL_FOREACH (ta->writes, w) {
		item_state_unref(w->state);
		if (w->item != NULL) {
			live_item_unref(s, w->item);
		}
	}
	ta->writes = NULL;
	ta->writes_n = 0;
	ta->written = 0;
}
