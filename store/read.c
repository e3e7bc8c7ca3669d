/*
 * read.c - see read.h.
 */
#include "store/read.h"

#include "proto/assert.h"
#include "store/key.h"
#include "store/stored_value.h"

static enum err read_add(struct store_found *f, struct slice item_key, struct slice stored)
{
	struct slice pk, sk, value;
	uint64_t version;
	enum err e = stored_value_open(item_key, stored, &version, &value);
	if (e != OK) {
		return e;
	}
	return key_split(item_key, &pk, &sk) ? store_found_add(f, pk, sk, value, version)
					     : ERR_CORRUPT;
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

/* At a key of the page: step to the first from it on that the tail does not leave out. */
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

static enum err read_load(struct kv *kv, struct store_request *w)
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

/* Entries of a range, one after the other. */
struct range {
	struct kv *kv;
	unsigned db;
	struct slice partition;
	int64_t from, to;
	bool is_descending;
	struct slice key, item_key;
};

/* ERR_NOT_FOUND also where the range has ended. */
static enum err range_is_within(const struct range *r, enum err e)
{
	int64_t sort;
	if (e != OK) {
		return e;
	}
	bool is_within =
		key_entry_in(r->key, r->partition, &sort) && sort >= r->from && sort <= r->to;
	return is_within ? OK : ERR_NOT_FOUND;
}

static enum err range_next(struct range *r)
{
	return range_is_within(r, r->is_descending
					  ? r->kv->ops->prev(r->kv, r->db, &r->key, &r->item_key)
					  : r->kv->ops->next(r->kv, r->db, &r->key, &r->item_key));
}

/* The first entry of the range, or the one behind the cursor where that is not empty and lies within. */
static enum err range_first(struct range *r, struct slice cursor)
{
	struct key bound;
	if (r->is_descending) {
		key_of_range(&bound, r->partition, r->to);
		key_to_end(&bound);
		bool has_begun = cursor.len > 0 && slice_cmp(cursor, key_slice(&bound)) < 0;
		return range_is_within(r, r->kv->ops->seek_below(r->kv, r->db,
								 has_begun ? cursor
									   : key_slice(&bound),
								 &r->key, &r->item_key));
	}
	key_of_range(&bound, r->partition, r->from);
	bool has_begun = slice_cmp(cursor, key_slice(&bound)) > 0;
	enum err e = r->kv->ops->seek(r->kv, r->db, has_begun ? cursor : key_slice(&bound), &r->key,
				      &r->item_key);
	return e == OK && has_begun && slice_eq(r->key, cursor) ? range_next(r)
								: range_is_within(r, e);
}

/* The item that an entry leads to. Only where indexes may lag is it no damage that there is none.
 */
static enum err read_entry(struct kv *kv, struct store_found *f, struct slice item_key)
{
	struct slice stored;
	enum err e = kv->ops->get(kv, KV_ITEMS, item_key, &stored);
	if (e == ERR_NOT_FOUND) {
		return kv->lags ? OK : ERR_CORRUPT;
	}
	return e == OK ? read_add(f, item_key, stored) : e;
}

static enum err read_query(struct kv *kv, struct store_request *w)
{
	const struct store_query *q = &w->q;
	struct store_found *f = &w->found;
	struct slice last = {NULL, 0};
	struct range r = {.kv = kv,
			  .db = KV_INDEX + (unsigned)q->index,
			  .partition = q->partition,
			  .from = q->from,
			  .to = q->to,
			  .is_descending = q->is_descending};

	enum err e = range_first(&r, q->cursor);
	while (e == OK) {
		if (f->n == q->limit) {
			f->next.len = last.len;
			return buf_append_slice(&f->bytes, last) == OK ? OK : ERR_NOMEM;
		}
		last = r.key; /* valid as long as the view: nothing is written meanwhile */
		e = read_entry(kv, f, r.item_key);
		if (e == OK) {
			e = range_next(&r);
		}
	}
	return e == ERR_NOT_FOUND ? OK : e;
}

static enum err read_count(struct kv *kv, struct store_request *w)
{
	const struct store_count *c = &w->count;
	struct range r = {.kv = kv,
			  .db = KV_INDEX + (unsigned)c->index,
			  .partition = c->partition,
			  .from = c->from,
			  .to = c->to};

	enum err e = range_first(&r, (struct slice){NULL, 0});
	while (e == OK && ++w->counted < c->at_most) {
		e = range_next(&r);
	}
	return e == ERR_NOT_FOUND ? OK : e;
}

static enum err read_kind(struct kv *kv, struct store_request *w)
{
	switch (w->kind) {
	case STORE_REQUEST_LOAD:
		return read_load(kv, w);
	case STORE_REQUEST_QUERY:
		return read_query(kv, w);
	case STORE_REQUEST_COUNT:
		return read_count(kv, w);
	case STORE_REQUEST_COMMIT:
		break;
	}
	ASSERT(w->kind != STORE_REQUEST_COMMIT);
	return ERR_INVALID;
}

void read_run(struct kv *kv, struct store_request *w)
{
	w->counted = 0;
	w->result = kv_version(kv, &w->found.version);
	if (w->result == OK) {
		w->result = read_kind(kv, w);
	}
	if (w->result != OK) {
		store_found_finish(&w->found);
		w->counted = 0;
		return;
	}
	store_found_settle(&w->found);
}
