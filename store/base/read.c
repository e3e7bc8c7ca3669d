/*
 * read.c - see read.h.
 */
#include "store/base/read.h"

#include "proto/base/assert.h"
#include "store/base/check.h"
#include "store/base/index.h"
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

/* Of an item that an index lists and that cannot be read: where it is. What is no key of an item is left out. */
static enum err read_add_damaged(struct store_found *f, struct slice item_key)
{
	struct slice pk, sk;
	return key_split(item_key, &pk, &sk) ? store_found_add(f, pk, sk, (struct slice){0}, 0)
					     : OK;
}

/*
 * An item whose key was altered is missed where it should be: it lies beside that place, as keys stay in
 * order or the page is damaged, and its checksum, which is over the key as well, says whose it is.
 */
static bool is_of_key(struct slice key, struct slice stored)
{
	struct slice value;
	uint64_t version;
	return stored_value_open(key, stored, &version, &value) == OK;
}

/* Nothing has this key: ERR_CORRUPT where something had. */
static enum err read_missed(struct kv *kv, struct slice missed)
{
	struct slice key, stored;
	enum err e = kv_find(kv, KV_ITEMS, KV_BELOW, missed, &key, &stored);
	if (e == OK && is_of_key(missed, stored)) {
		return ERR_CORRUPT;
	}
	if (e != OK && e != ERR_NOT_FOUND) {
		return e;
	}
	e = kv_find(kv, KV_ITEMS, KV_FROM, missed, &key, &stored);
	return e == OK && is_of_key(missed, stored) ? ERR_CORRUPT : e == ERR_NOT_FOUND ? OK : e;
}

/* A page of the directory begins or ends there: ERR_CORRUPT where the item beside it may have belonged to it. */
static enum err read_beside(struct slice key, struct slice stored)
{
	return is_of_key(key, stored) || slice_starts(key, SLICE("ROOM:")) ? OK : ERR_CORRUPT;
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

static enum err page_find(struct page *p, enum kv_where where, struct slice at)
{
	return kv_find(p->kv, KV_ITEMS, where, at, &p->key, &p->stored);
}

static enum err page_step(struct page *p)
{
	return page_find(p, p->load->is_descending ? KV_PREV : KV_NEXT, NO_SLICE);
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
		return page_find(p, KV_BELOW, key_slice(is_within ? &after : &end));
	}
	bool is_within = slice_cmp(key_slice(&after), key_slice(&p->prefix)) > 0;
	enum err e = page_find(p, KV_FROM, key_slice(is_within ? &after : &p->prefix));
	return e == OK && is_within && slice_eq(p->key, key_slice(&after)) ? page_step(p) : e;
}

/* From the tail's end as many steps back as it may have items. */
static enum err page_find_tail(struct page *p)
{
	enum err e = OK;
	p->tail_begin = key_slice(&p->tail_end);
	for (size_t n = 0; n < p->load->tail_limit && e == OK; n++) {
		e = page_find(p, n == 0 ? KV_BELOW : KV_PREV, p->tail_begin);
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
			return page_find(p, KV_FROM, key);
		}
	}
	if (slice_cmp(key, p->tail_begin) >= 0) {
		return OK;
	}
	return p->load->is_descending ? page_find(p, KV_BELOW, key_slice(&p->tail))
				      : page_find(p, KV_FROM, p->tail_begin);
}

/* A room says how many items it has; a page of the directory does not, so the items at its ends are looked at, too. */
static enum err read_ends(const struct page *p, bool is_first)
{
	struct key end = p->prefix;
	struct slice key, stored;
	bool is_above = is_first == p->load->is_descending;
	key_to_end(&end);
	enum err e = kv_find(p->kv, KV_ITEMS, is_above ? KV_FROM : KV_BELOW,
			     key_slice(is_above ? &end : &p->prefix), &key, &stored);
	return e == OK ? read_beside(key, stored) : e == ERR_NOT_FOUND ? OK : e;
}

static enum err read_load(struct kv *kv, struct store_request *w)
{
	const struct store_load *l = &w->load;
	struct page p = {.kv = kv, .load = l};
	bool has_ends = !slice_starts(l->pk, SLICE("ROOM:")) && l->tail_prefix.len == 0;

	key_of_item(&p.prefix, l->pk, l->sk_prefix);
	if (l->is_exact) {
		enum err e = kv_get(kv, KV_ITEMS, key_slice(&p.prefix), &p.stored);
		return e == OK		    ? read_add(&w->found, key_slice(&p.prefix), p.stored)
		       : e == ERR_NOT_FOUND ? read_missed(kv, key_slice(&p.prefix))
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
	e = e == ERR_NOT_FOUND ? OK : e;
	if (e == OK && has_ends && l->after.len == 0) {
		e = read_ends(&p, true);
	}
	return e == OK && has_ends && !w->found.has_more ? read_ends(&p, false) : e;
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
	bool is_beside; /* they are the first behind its end */
};

/* ERR_NOT_FOUND also where the range has ended. */
static enum err range_find(struct range *r, enum kv_where where, struct slice at)
{
	int64_t sort;
	enum err e = kv_find(r->kv, r->db, where, at, &r->key, &r->item_key);
	bool is_within = e == OK && key_entry_in(r->key, r->partition, &sort) && sort >= r->from &&
			 sort <= r->to;
	r->is_beside = e == OK && !is_within;
	return e == OK && !is_within ? ERR_NOT_FOUND : e;
}

static enum err range_next(struct range *r)
{
	return range_find(r, r->is_descending ? KV_PREV : KV_NEXT, NO_SLICE);
}

/* The first entry of the range, or the one behind the cursor where that is not empty and lies within. */
static enum err range_first(struct range *r, struct slice cursor)
{
	struct key bound;
	if (r->is_descending) {
		key_of_range(&bound, r->partition, r->to);
		key_to_end(&bound);
		bool has_begun = cursor.len > 0 && slice_cmp(cursor, key_slice(&bound)) < 0;
		return range_find(r, KV_BELOW, has_begun ? cursor : key_slice(&bound));
	}
	key_of_range(&bound, r->partition, r->from);
	if (slice_cmp(cursor, key_slice(&bound)) <= 0) {
		return range_find(r, KV_FROM, key_slice(&bound));
	}
	enum err e = kv_find(r->kv, r->db, KV_AT, cursor, &r->key, &r->item_key);
	return e == OK ? range_next(r) : e == ERR_NOT_FOUND ? range_find(r, KV_FROM, cursor) : e;
}

/*
 * The item of an entry, where the entry is one that it should have: keys of indexes have no checksums, but the
 * item says where it is listed. ERR_CORRUPT  one of both is damaged.
 *
 * @f  where the item is added; NULL: nowhere.
 */
static enum err range_take(struct range *r, struct arena *arena, struct store_found *f)
{
	const struct index_entry entry = {.index = (enum index_id)(r->db - KV_INDEX),
					  .key = r->key};
	struct index_entries entries = {.n = 0};
	struct slice pk, sk, stored, value;
	uint64_t version;
	enum err e = kv_get(r->kv, KV_ITEMS, r->item_key, &stored);
	if (e != OK) { /* where indexes do not lag, an entry without its item is damage */
		return e != ERR_NOT_FOUND ? e : r->kv->lags ? OK : ERR_CORRUPT;
	}
	e = stored_value_open(r->item_key, stored, &version, &value);
	if (e != OK || !key_split(r->item_key, &pk, &sk)) {
		return ERR_CORRUPT;
	}
	if (!r->kv->lags) {
		e = index_entries_of(item_kind_of(pk, sk), r->item_key, value, arena, &entries);
		e = e == OK && !index_entries_have(&entries, &entry) ? ERR_CORRUPT : e;
		arena_reset(arena);
	}
	return e == OK && f != NULL ? store_found_add(f, pk, sk, value, version) : e;
}

/* An entry whose key was altered lies beside the range that it belongs to. */
static enum err range_look_beside(struct range *r, struct arena *arena, struct store_found *f)
{
	enum err e = r->is_beside ? range_take(r, arena, NULL) : OK;
	f->is_partial = f->is_partial || e == ERR_CORRUPT;
	return e == ERR_CORRUPT ? OK : e;
}

/* The entry before the first of the range, in the range's order; the cursor is left there. */
static enum err range_before(struct range *r)
{
	struct key bound;
	key_of_range(&bound, r->partition, r->is_descending ? r->to : r->from);
	if (r->is_descending) {
		key_to_end(&bound);
	}
	enum err e = range_find(r, r->is_descending ? KV_FROM : KV_BELOW, key_slice(&bound));
	return e == ERR_NOT_FOUND ? OK : e;
}

static enum err query_run(struct range *r, const struct store_query *q, struct arena *arena,
			  struct store_found *f)
{
	struct slice last = NO_SLICE;
	enum err e = q->cursor.len > 0 ? OK : range_before(r);
	e = e == OK && q->cursor.len == 0 ? range_look_beside(r, arena, f) : e;
	e = e == OK ? range_first(r, q->cursor) : e;
	while (e == OK) {
		if (f->n == q->limit) {
			return store_found_next(f, last);
		}
		last = r->key; /* valid as long as the view: nothing is written meanwhile */
		e = range_take(r, arena, f);
		if (e == ERR_CORRUPT) {
			f->is_partial = true;
			e = read_add_damaged(f, r->item_key);
		}
		e = e == OK ? range_next(r) : e;
	}
	return e == ERR_NOT_FOUND ? range_look_beside(r, arena, f) : e;
}

static enum err read_query(struct kv *kv, struct store_request *w)
{
	const struct store_query *q = &w->query;
	struct arena arena = {NULL};
	struct range r = {.kv = kv,
			  .db = KV_INDEX + (unsigned)q->index,
			  .partition = q->partition,
			  .from = q->from,
			  .to = q->to,
			  .is_descending = q->is_descending};
	enum err e = query_run(&r, q, &arena, &w->found);
	arena_finish(&arena);
	return e;
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

/* ---- which partitions there are ---- */

/* The cursor is the last PK. No SK is looked at but the first of each: what follows them has the byte 01. */
static enum err read_partitions(struct kv *kv, struct store_request *w)
{
	struct slice last = w->cursor, key, value, pk, sk;
	char from[KEY_BYTES_MAX + 1];
	enum err e = OK;
	while (e == OK && w->found.n < STORE_PARTITIONS_MAX) {
		if (last.len > 0) {
			memcpy(from, last.data, last.len);
			from[last.len] = 1;
		}
		e = kv_find(kv, KV_ITEMS, KV_FROM, slice_of(from, last.len > 0 ? last.len + 1 : 0),
			    &key, &value);
		if (e == OK && !key_split(key, &pk, &sk)) {
			e = ERR_CORRUPT;
		}
		if (e == OK) {
			e = store_found_add(&w->found, pk, NO_SLICE, NO_SLICE, 0);
			last = pk; /* valid as long as the view */
		}
	}
	if (e == OK) {
		e = store_found_next(&w->found, last);
	}
	return e == ERR_NOT_FOUND ? OK : e;
}

/* ---- a part of a check ---- */

void read_on_problem(void *arg, struct slice line)
{
	struct store_request *w = arg;
	w->checked.problems++;
	(void)buf_append_slice(&w->found.bytes, line);
	(void)buf_append_slice(&w->found.bytes, SLICE("\n"));
}

/* The cursor is the number of a database and the key to begin with, which need not be there any more. */
static enum err read_check(struct kv *kv, struct store_request *w)
{
	struct check c = {.kv = kv, .on_problem = read_on_problem, .arg = w};
	struct slice from = NO_SLICE, key = NO_SLICE, value;
	unsigned db = KV_ITEMS;
	if (w->cursor.len > 0) {
		db = (unsigned char)w->cursor.data[0];
		from = slice_of(w->cursor.data + 1, w->cursor.len - 1);
	}
	w->checked = (struct store_checked){.entries = 0};
	enum err e = kv_version(kv, &c.version);
	if (e == OK) {
		e = db < KV_COUNT ? kv_find(kv, db, KV_FROM, from, &key, &value) : ERR_NOT_FOUND;
	}
	while (e == OK && w->checked.entries < STORE_CHECK_ENTRIES) {
		w->checked.entries++;
		w->checked.items += db == KV_ITEMS;
		e = check_entry(&c, db, key, value);
		e = e == OK ? kv_find(kv, db, KV_NEXT, NO_SLICE, &key, &value) : e;
	}
	arena_finish(&c.arena);
	size_t lines_len = w->found.bytes.len;
	db += e == ERR_NOT_FOUND;
	if ((e == OK || e == ERR_NOT_FOUND) && db < KV_COUNT) {
		char next = (char)db;
		(void)buf_append(&w->found.bytes, &next, 1);
		(void)buf_append_slice(&w->found.bytes, e == OK ? key : NO_SLICE);
	}
	if (w->found.bytes.error != OK) {
		return ERR_NOMEM;
	}
	w->checked.lines = slice_of(w->found.bytes.data, lines_len);
	if (w->found.bytes.len > lines_len) {
		w->checked.next =
			slice_of(w->found.bytes.data + lines_len, w->found.bytes.len - lines_len);
	}
	return e == ERR_NOT_FOUND ? OK : e;
}

void read_run(struct kv *kv, struct store_request *w)
{
	w->counted = 0;
	if (w->kind == STORE_REQUEST_CHECK) {
		w->result = read_check(kv, w);
		return; /* with an error, too, what it had found is reported */
	}
	w->result = kv_version(kv, &w->found.version);
	if (w->result == OK) {
		ASSERT(w->kind != STORE_REQUEST_COMMIT);
		w->result = w->kind == STORE_REQUEST_LOAD    ? read_load(kv, w)
			    : w->kind == STORE_REQUEST_QUERY ? read_query(kv, w)
			    : w->kind == STORE_REQUEST_COUNT ? read_count(kv, w)
							     : read_partitions(kv, w);
	}
	if (w->result != OK) {
		store_found_finish(&w->found);
		w->counted = 0;
		return;
	}
	store_found_settle(&w->found);
}
