/*
 * txn_writes.c - what a transaction writes, and the conditions of its commit.
 *
 * Every item that its last run read is a condition: of the write, where the
 * same item is written, else a check of its own. What an index listed is none,
 * nor is an item of a room: no commit is of both.
 */
#include "server/core/txn_priv.h"

#include "proto/assert.h"

/* ---- what a handler writes ---- */

static struct write *write_find(const struct transaction *ta, struct slice pk, struct slice sk)
{
	struct write *w;
	LL_FOREACH (ta->writes, w) {
		if (slice_eq(w->op.pk, pk) && slice_eq(w->op.sk, sk)) {
			break;
		}
	}
	return w;
}

static struct write *write_to(struct txn *t, enum item_kind kind, struct slice pk, struct slice sk)
{
	struct transaction *ta = transaction_of(t);
	struct slice item_pk, item_sk;
	ASSERT(ta->is_running && !ta->lacks_reads);
	ASSERT(ta->row == NULL || ta->row->effect != EFFECT_READS);
	/* Where memory was out for a copied sort key, it is empty. */
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
	w->op.pk = item_pk;
	w->op.sk = item_sk;
	LL_APPEND(ta->writes, w);
	ta->writes_n++;
	return w;
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
	const struct read *of = txn_read_of(ta, w->op.pk, w->op.sk, &stored);
	const struct item_times *before = of == NULL || stored == NULL ? NULL
					  : of->kind == READ_ITEM      ? of->decoded
								       : txn_decode(t, stored);
	struct item_times *times = item;
	times->created_on = before == NULL ? t->wall_ms : before->created_on;
	times->updated_on = t->wall_ms;
	bool ok = true;
	struct buf b = {.max = MAX_FRAME_BYTES};
	record_write(item_rows[kind].record, item, &b);
	w->op.kind = STORE_PUT;
	w->op.expect = is_new ? STORE_EXPECT_ABSENT : STORE_EXPECT_ANY;
	w->op.value = b.error == OK ? arena_copy(&ta->made, buf_slice(&b), &ok) : (struct slice){0};
	if (b.error != OK || !ok) {
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
		w->op.kind = STORE_DELETE;
		w->op.expect = STORE_EXPECT_ANY;
		w->op.value = (struct slice){0};
	}
}

/* ---- the commit ---- */

/* @item  as it was read, NULL: it did not exist. */
static void expect(struct store_op *op, const struct store_item *item)
{
	op->expect = item == NULL ? STORE_EXPECT_ABSENT : STORE_EXPECT_VERSION;
	op->version = item == NULL ? 0 : item->version;
}

/* @item  as it was read, NULL: it did not exist. */
static void check(struct transaction *ta, struct slice pk, struct slice sk,
		  const struct store_item *item)
{
	if (write_find(ta, pk, sk) == NULL) {
		struct store_op *op = &ta->ops[ta->ops_n++];
		*op = (struct store_op){.kind = STORE_CHECK, .pk = pk, .sk = sk};
		expect(op, item);
	}
}

bool txn_make_ops(struct transaction *ta)
{
	const struct write *w;
	const struct read *r;
	size_t n = ta->writes_n;
	LL_FOREACH (ta->reads, r) {
		n += read_is_condition(r) ? r->n + 1 : 0;
	}
	ta->ops = arena_alloc(&ta->made, n * sizeof(*ta->ops));
	ta->ops_n = 0;
	if (ta->ops == NULL) {
		return false;
	}
	LL_FOREACH (ta->writes, w) {
		const struct store_item *item;
		struct store_op *op = &ta->ops[ta->ops_n++];
		*op = w->op;
		const struct read *of = txn_read_of(ta, op->pk, op->sk, &item);
		if (of != NULL && of->is_used && op->expect == STORE_EXPECT_ANY) {
			expect(op, item);
		}
	}
	LL_FOREACH (ta->reads, r) {
		if (!r->is_used || !read_is_condition(r)) {
			continue;
		}
		if (r->kind == READ_ITEM && r->n == 0) {
			check(ta, r->load.pk, r->load.sk_prefix, NULL);
		}
		for (size_t i = 0; i < r->n; i++) {
			check(ta, r->items[i].pk, r->items[i].sk, &r->items[i]);
		}
	}
	return true;
}
