/*
 * read.c - see read.h.
 */
#include "store/read.h"

#include "proto/assert.h"
#include "store/envelope.h"
#include "store/key.h"

static enum err read_add(struct found *f, struct slice item_key, struct slice stored)
{
	struct slice pk, sk, value;
	uint64_t version;
	enum err e = envelope_open(item_key, stored, &version, &value);
	if (e != OK) {
		return e;
	}
	return key_split(item_key, &pk, &sk) ? found_add(f, pk, sk, value, version) : ERR_CORRUPT;
}

static enum err read_load(struct kv *kv, struct work *w)
{
	struct key prefix;
	struct slice key, stored;

	key_of_item(&prefix, w->pk, w->sk_prefix);
	enum err e = kv->ops->seek(kv, KV_ITEMS, key_slice(&prefix), &key, &stored);
	while (e == OK && slice_starts(key, key_slice(&prefix))) {
		e = read_add(&w->found, key, stored);
		if (e == OK) {
			e = kv->ops->next(kv, KV_ITEMS, &key, &stored);
		}
	}
	return e == ERR_NOT_FOUND ? OK : e;
}

/* The item that an entry leads to. Only where indexes may lag is it no damage that there is none.
 */
static enum err read_entry(struct kv *kv, struct found *f, struct slice item_key)
{
	struct slice stored;
	enum err e = kv->ops->get(kv, KV_ITEMS, item_key, &stored);
	if (e == ERR_NOT_FOUND) {
		return kv->lags ? OK : ERR_CORRUPT;
	}
	return e == OK ? read_add(f, item_key, stored) : e;
}

/* The first entry of the page: the range's, or the one behind the cursor. */
static enum err read_first(struct kv *kv, const struct store_query *q, struct slice *key,
			   struct slice *item_key)
{
	unsigned db = KV_INDEX + (unsigned)q->index;
	struct key from;
	if (q->cursor.len == 0) {
		key_of_range(&from, q->partition, q->from);
		return kv->ops->seek(kv, db, key_slice(&from), key, item_key);
	}
	enum err e = kv->ops->seek(kv, db, q->cursor, key, item_key);
	if (e == OK && slice_eq(*key, q->cursor)) {
		e = kv->ops->next(kv, db, key, item_key);
	}
	return e;
}

static enum err read_query(struct kv *kv, struct work *w)
{
	const struct store_query *q = &w->q;
	struct found *f = &w->found;
	struct slice key, item_key;
	struct key last = {.len = 0};
	int64_t sort;

	enum err e = read_first(kv, q, &key, &item_key);
	while (e == OK && key_entry_in(key, q->partition, &sort) && sort <= q->to) {
		if (f->n == q->limit) {
			f->next.len = last.len;
			return buf_append_slice(&f->bytes, key_slice(&last)) == OK ? OK : ERR_NOMEM;
		}
		ASSERT_CMP(key.len, <=, sizeof(last.bytes));
		memcpy(last.bytes, key.data, key.len);
		last.len = key.len;
		e = read_entry(kv, f, item_key);
		if (e == OK) {
			e = kv->ops->next(kv, KV_INDEX + (unsigned)q->index, &key, &item_key);
		}
	}
	return e == ERR_NOT_FOUND ? OK : e;
}

void read_run(struct kv *kv, struct work *w)
{
	w->result = kv_version(kv, &w->found.version);
	if (w->result == OK) {
		w->result = w->kind == WORK_LOAD ? read_load(kv, w) : read_query(kv, w);
	}
	if (w->result != OK) {
		found_finish(&w->found);
		return;
	}
	found_settle(&w->found);
}
