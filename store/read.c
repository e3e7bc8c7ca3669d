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

/* ---- a page of a partition ---- */

/* A load under way. Keys that it holds are valid as long as the view: nothing is written meanwhile. */
struct page {
	struct kv *kv;
	const struct store_load *load;
	struct key prefix;   /* what all keys of the page begin with */
	struct key tail;     /* what the keys of the tail begin with; empty: there is no tail */
	struct key tail_end; /* the least key behind them */
	struct slice
		tail_begin; /* the first key of the tail that is kept; empty: not looked for yet */
	struct slice key, stored;
};

static enum err page_seek(struct page *p, struct slice key)
{
	return p->kv->ops->seek(p->kv, KV_ITEMS, key, &p->key, &p->stored);
}

static enum err page_seek_below(struct page *p, struct slice key)
{
	return p->kv->ops->seek_below(p->kv, KV_ITEMS, key, &p->key, &p->stored);
}

static enum err page_step(struct page *p)
{
	return p->load->is_descending ? p->kv->ops->prev(p->kv, KV_ITEMS, &p->key, &p->stored)
				      : p->kv->ops->next(p->kv, KV_ITEMS, &p->key, &p->stored);
}

static enum err page_first(struct page *p)
{
	const struct store_load *l = p->load;
	struct key after = {.len = 0}, end = p->prefix;
	if (l->after.len > 0) {
		key_of_item(&after, l->pk, l->after);
	}
	if (l->is_descending) {
		key_to_end(&end);
		bool is_within = after.len > 0 && slice_cmp(key_slice(&after), key_slice(&end)) < 0;
		return page_seek_below(p, key_slice(is_within ? &after : &end));
	}
	bool is_within = slice_cmp(key_slice(&after), key_slice(&p->prefix)) > 0;
	enum err e = page_seek(p, key_slice(is_within ? &after : &p->prefix));
	return e == OK && is_within && slice_eq(p->key, key_slice(&after)) ? page_step(p) : e;
}

/* From the tail's end as many steps back as it may have items. */
static enum err page_find_tail(struct page *p)
{
	enum err e = OK;
	p->tail_begin = key_slice(&p->tail_end);
	for (size_t n = 0; n < p->load->tail_limit && e == OK; n++) {
		e = n == 0 ? page_seek_below(p, p->tail_begin)
			   : p->kv->ops->prev(p->kv, KV_ITEMS, &p->key, &p->stored);
		if (e == OK && !slice_starts(p->key, key_slice(&p->tail))) {
			break;
		}
		p->tail_begin = e == OK ? p->key : p->tail_begin;
	}
	return e == ERR_NOT_FOUND ? OK : e;
}

/* Stands on a key of the page: go on from it to the first that the tail does not leave out. */
static enum err page_skip(struct page *p)
{
	struct slice key = p->key;
	if (p->tail.len == 0 || !slice_starts(key, key_slice(&p->tail))) {
		return OK;
	}
	if (p->tail_begin.len == 0) {
		enum err e = page_find_tail(p);
		if (e != OK) {
			return e;
		}
		if (slice_cmp(key, p->tail_begin) >= 0) {
			return page_seek(p, key);
		}
	}
	if (slice_cmp(key, p->tail_begin) >= 0) {
		return OK;
	}
	return p->load->is_descending ? page_seek_below(p, key_slice(&p->tail))
				      : page_seek(p, p->tail_begin);
}

static enum err read_load(struct kv *kv, struct work *w)
{
	const struct store_load *l = &w->load;
	struct page p = {.kv = kv, .load = l};

	key_of_item(&p.prefix, l->pk, l->sk_prefix);
	if (l->is_exact) {
		enum err e = kv->ops->get(kv, KV_ITEMS, key_slice(&p.prefix), &p.stored);
		return e == OK		    ? read_add(&w->found, key_slice(&p.prefix), p.stored)
		       : e == ERR_NOT_FOUND ? OK
					    : e;
	}
	if (l->tail_prefix.len > 0) {
		key_of_item(&p.tail, l->pk, l->tail_prefix);
		p.tail_end = p.tail;
		key_to_end(&p.tail_end);
	}
	enum err e = page_first(&p);
	while (e == OK && slice_starts(p.key, key_slice(&p.prefix))) {
		e = page_skip(&p);
		if (e != OK || !slice_starts(p.key, key_slice(&p.prefix))) {
			break;
		}
		if (l->limit > 0 && w->found.n == l->limit) {
			w->found.has_more = true;
			break;
		}
		e = read_add(&w->found, p.key, p.stored);
		if (e == OK) {
			e = page_step(&p);
		}
	}
	return e == ERR_NOT_FOUND ? OK : e;
}

/* ---- a page of an index ---- */

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
