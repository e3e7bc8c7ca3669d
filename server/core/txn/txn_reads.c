/*
 * txn_reads.c - what a transaction loads and decodes.
 *
 * A read is noted when the handler first asks for it, and is found again by what
 * it asks when the handler runs again. All that one run lacks is loaded when it ends, at once.
 * In which state a run sees what was loaded: txn_newest.c.
 */
#include "server/core/txn/txn_priv.h"

#include "proto/base/assert.h"
#include "server/core/txn/txn.h"

/* ---- keys ---- */

struct slice txn_join(struct transaction *ta, struct arena *arena, const char *prefix, size_t len,
		      struct slice rest)
{
	char *text = arena_alloc(arena, len + rest.len + 1);
	if (text == NULL) {
		txn_lacks_memory(ta);
		return (struct slice){0};
	}
	memcpy(text, prefix, len);
	memcpy(text + len, rest.len == 0 ? "" : rest.data, rest.len);
	return slice_of(text, len + rest.len);
}

void txn_item_key(struct transaction *ta, struct arena *arena, enum item_kind kind, struct slice pk,
		  struct slice sk, struct slice *item_pk, struct slice *item_sk)
{
	const struct item_row *row = &item_rows[kind];
	*item_pk = txn_join(ta, arena, row->pk_prefix, row->pk_prefix_len, pk);
	*item_sk = txn_join(ta, arena, row->sk, row->sk_len, sk);
}

/* ---- decoding ---- */

enum err txn_decode_item(const struct store_item *item, struct arena *arena, const void **out)
{
	struct fault fault;
	enum item_kind kind = item_kind_of(item->pk, item->sk);
	if (kind == ITEM_COUNT) {
		return ERR_CORRUPT;
	}
	const struct record *rec = item_rows[kind].record;
	void *decoded = arena_alloc(arena, rec->size);
	if (decoded == NULL) {
		return ERR_NOMEM;
	}
	enum err e = record_from_bytes(rec, item->value, RECORD_LENIENT, arena, decoded, &fault);
	*out = e == OK ? decoded : NULL;
	return e == OK || e == ERR_NOMEM ? e : ERR_CORRUPT;
}

const void *txn_decode(struct txn *t, const struct store_item *item)
{
	const void *out = NULL;
	struct transaction *ta = transaction_of(t);
	if (txn_decode_item(item, &ta->made, &out) == ERR_NOMEM) {
		txn_lacks_memory(ta);
	}
	return out;
}

struct slice txn_copy(struct txn *t, struct slice text)
{
	struct transaction *ta = transaction_of(t);
	bool ok = true;
	struct slice copy = arena_copy(&ta->made, text, &ok);
	if (!ok) {
		txn_lacks_memory(ta);
	}
	return copy;
}

void *txn_keep(struct txn *t, const void *array, size_t bytes)
{
	struct transaction *ta = transaction_of(t);
	void *copy = bytes == 0 ? NULL : arena_alloc(&ta->made, bytes);
	if (copy != NULL) {
		memcpy(copy, array, bytes);
	} else if (bytes > 0) {
		txn_lacks_memory(ta);
	}
	return copy;
}

/* In memory that lasts as long as what was read. */
static struct slice read_copy(struct transaction *ta, struct slice text)
{
	return text.len == 0 ? (struct slice){0} : txn_join(ta, &ta->loaded, "", 0, text);
}

/* ---- asking ---- */

/* It sees what is not durable yet, if the transaction does; false when memory is out. */
static bool read_begin_live(struct transaction *ta, struct read *r)
{
	struct server *s = ta->server;
	if (!ta->sees_pending || !read_is_condition(r)) {
		return true;
	}
	if (r->kind == READ_PAGE) {
		r->partition = live_partition_ref(s, r->load.pk);
		return r->partition != NULL;
	}
	r->item = live_item_ref(s, r->load.pk, r->load.sk_prefix);
	return r->item != NULL;
}

/*
 * To be loaded when the run has ended, unless its state is known, memory is out or the transaction reads too much.
 * NULL where it cannot be read.
 */
static struct read *read_begin(struct transaction *ta, const struct read *what)
{
	if (what->kind == READ_ITEM && ta->items >= MAX_TRANSACTION_ITEMS) {
		txn_is_beyond(ta, LIMIT_TRANSACTION_ITEMS);
	} else if (what->kind != READ_ITEM && ta->pages >= MAX_TRANSACTION_PAGES) {
		txn_is_beyond(ta, LIMIT_TRANSACTION_PAGES);
	}
	struct read *r = ta->failed != OK ? NULL : arena_alloc(&ta->loaded, sizeof(*r));
	if (r == NULL) {
		ta->lacks_reads = true;
		if (ta->failed == OK) {
			txn_lacks_memory(ta);
		}
		return NULL;
	}
	*r = *what;
	r->owner = ta;
	r->is_used = true;
	r->load.pk = read_copy(ta, what->load.pk);
	r->load.sk_prefix = read_copy(ta, what->load.sk_prefix);
	r->load.after = read_copy(ta, what->load.after);
	r->query.partition = read_copy(ta, what->query.partition);
	r->query.cursor = read_copy(ta, what->query.cursor);
	LL_APPEND(ta->reads, r);
	ta->items += r->kind == READ_ITEM;
	ta->pages += r->kind != READ_ITEM;
	if (ta->failed == OK && (!read_begin_live(ta, r) || !read_see(ta, r))) {
		txn_lacks_memory(ta);
	} else if (r->is_loaded) {
		txn_bound_bytes(ta);
	}
	ta->lacks_reads = ta->lacks_reads || !r->is_loaded;
	return r;
}

bool txn_send_reads(struct server *s, struct transaction *ta)
{
	struct read *r;
	if (s->fx == NULL) {
		return false; /* the server ends */
	}
	size_t effects = s->fx->n;
	static const enum effect_kind effects_of[] = {
		[READ_ITEM] = FX_LOAD,
		[READ_PAGE] = FX_LOAD,
		[READ_QUERY] = FX_QUERY,
		[READ_COUNT] = FX_COUNT,
	};
	LL_FOREACH (ta->reads, r) {
		if (r->is_loaded || r->ticket.number != 0) {
			continue;
		}
		struct effect fx = {.kind = effects_of[r->kind],
				    .load = r->load,
				    .query = r->query};
		if (!ticket_send(s, &r->ticket, TICKET_READ, &fx)) {
			s->fx->n = effects; /* they point into the transaction, which ends now */
			return false;
		}
		ta->loading++;
	}
	ASSERT(ta->loading > 0);
	return true;
}

static void read_use(struct transaction *ta, struct read *r)
{
	r->is_used = true;
	ta->lacks_reads = ta->lacks_reads || !r->is_loaded;
}

struct read *txn_read_of(const struct transaction *ta, struct slice pk, struct slice sk,
			 const struct store_item **item)
{
	struct read *r;
	struct read *found = NULL;
	*item = NULL;
	LL_FOREACH (ta->reads, r) {
		const struct store_item *in_it = NULL;
		if (!read_is_of_items(r) || !slice_eq(r->load.pk, pk)) {
			continue;
		}
		for (size_t i = 0; i < r->n && in_it == NULL; i++) {
			in_it = slice_eq(r->items[i].sk, sk) ? &r->items[i] : NULL;
		}
		bool is_of_it =
			in_it != NULL || (r->kind == READ_ITEM && slice_eq(r->load.sk_prefix, sk));
		if (is_of_it && (found == NULL || (r->is_used && !found->is_used))) {
			found = r;
			*item = in_it;
		}
	}
	return found;
}

const void *txn_get(struct txn *t, enum item_kind kind, struct slice pk, struct slice sk)
{
	struct transaction *ta = transaction_of(t);
	struct read what = {.kind = READ_ITEM, .load = {.is_exact = true}};
	const struct store_item *item;
	ASSERT(ta->is_running);
	ASSERT(ta->failed != OK || (item_rows[kind].match == ITEM_SK_EXACT) == (sk.len == 0));
	txn_item_key(ta, &ta->made, kind, pk, sk, &what.load.pk, &what.load.sk_prefix);
	struct read *r = txn_read_of(ta, what.load.pk, what.load.sk_prefix, &item);
	if (r == NULL) {
		r = read_begin(ta, &what);
		return r == NULL ? NULL : r->decoded;
	}
	read_use(ta, r);
	return r->kind == READ_ITEM || item == NULL ? r->decoded : txn_decode(t, item);
}

/* The one that was begun with the same question before, in this run or an earlier one. */
static struct read *read_same(const struct transaction *ta, const struct read *what)
{
	const struct store_load *l = &what->load;
	struct read *r;
	LL_FOREACH (ta->reads, r) {
		if (r->kind == what->kind && slice_eq(r->load.pk, l->pk) &&
		    slice_eq(r->load.sk_prefix, l->sk_prefix) &&
		    slice_eq(r->load.after, l->after) && r->load.limit == l->limit &&
		    r->load.is_descending == l->is_descending &&
		    r->query.index == what->query.index &&
		    slice_eq(r->query.partition, what->query.partition) &&
		    r->query.from == what->query.from && r->query.limit == what->query.limit &&
		    r->query.is_descending == what->query.is_descending &&
		    slice_eq(r->query.cursor, what->query.cursor)) {
			return r;
		}
	}
	return NULL;
}

/* NULL where it is not asked for yet; then it is. */
static struct read *read_again(struct transaction *ta, const struct read *what)
{
	struct read *r = read_same(ta, what);
	if (r == NULL) {
		return read_begin(ta, what);
	}
	read_use(ta, r);
	return r;
}

static struct txn_items read_items(struct transaction *ta, const struct read *what)
{
	const struct read *r = read_again(ta, what);
	return r == NULL ? (struct txn_items){.n = 0}
			 : (struct txn_items){r->items, r->n, r->has_more, r->end};
}

struct txn_items txn_list(struct txn *t, enum item_kind kind, struct slice pk,
			  const struct txn_page *page)
{
	struct transaction *ta = transaction_of(t);
	struct read what = {
		.kind = READ_PAGE,
		.load = {.after = page->after,
			 .limit = page->limit,
			 .is_descending = page->is_descending},
	};
	ASSERT(ta->is_running && page->limit > 0 && page->limit <= STORE_QUERY_MAX);
	ASSERT(item_rows[kind].match == ITEM_SK_PREFIX);
	txn_item_key(ta, &ta->made, kind, pk, NO_SK, &what.load.pk, &what.load.sk_prefix);
	return read_items(ta, &what);
}

struct txn_items txn_query(struct txn *t, enum index_id index, struct slice partition,
			   const struct txn_range *range)
{
	struct transaction *ta = transaction_of(t);
	struct read what = {
		.kind = READ_QUERY,
		.query = {.index = index,
			  .partition = partition,
			  .to = INT64_MAX,
			  .is_descending = range->is_descending,
			  .limit = range->limit,
			  .cursor = range->after},
	};
	ASSERT(ta->is_running);
	return read_items(ta, &what);
}

size_t txn_count(struct txn *t, enum index_id index, struct slice partition, int64_t from,
		 size_t at_most)
{
	struct transaction *ta = transaction_of(t);
	struct read what = {
		.kind = READ_COUNT,
		.query = {.index = index,
			  .partition = partition,
			  .from = from,
			  .to = INT64_MAX,
			  .limit = at_most},
	};
	ASSERT(ta->is_running && at_most > 0 && at_most <= STORE_COUNT_MAX);
	const struct read *r = read_again(ta, &what);
	return r == NULL ? 0 : r->n;
}

struct slice txn_place(struct txn *t, struct slice partition, int64_t sort, enum item_kind kind,
		       struct slice pk, struct slice sk)
{
	struct transaction *ta = transaction_of(t);
	struct slice item_pk, item_sk;
	char cursor[STORE_CURSOR_BYTES_MAX];
	txn_item_key(ta, &ta->made, kind, pk, sk, &item_pk, &item_sk);
	size_t len = ta->failed != OK ? 0 : store_cursor(partition, sort, item_pk, item_sk, cursor);
	return txn_copy(t, slice_of(cursor, len));
}

bool txn_is_loading(const struct txn *t)
{
	const struct transaction *ta = transaction_of(t);
	return ta->lacks_reads || ta->failed != OK;
}

/* ---- what comes back ---- */

/* Copies of the items. */
static struct store_item *read_copies(struct transaction *ta, const struct event *e)
{
	bool ok = true;
	struct store_item *items = arena_alloc(&ta->loaded, (e->n + 1) * sizeof(*items));
	for (size_t i = 0; items != NULL && i < e->n; i++) {
		const struct store_item *item = &e->items[i];
		items[i] = (struct store_item){
			.pk = arena_copy(&ta->loaded, item->pk, &ok),
			.sk = arena_copy(&ta->loaded, item->sk, &ok),
			.value = arena_copy(&ta->loaded, item->value, &ok),
			.version = item->version,
		};
	}
	return ok ? items : NULL;
}

/* An item that the transaction shares with others: what was loaded, where nothing newer is known. */
static enum err read_share(struct transaction *ta, struct read *r, const struct event *e)
{
	const struct store_item *item = e->n > 0 ? &e->items[0] : NULL;
	struct item_state *state = item_state_make(item == NULL ? NULL : &item->value);
	if (state == NULL) {
		return ERR_NOMEM;
	}
	state->version = item == NULL ? 0 : item->version;
	state->as_of = e->version;
	enum err err = read_see_item(ta, r, state);
	if (err == OK) {
		live_item_learn(r->item, state);
		r->is_loaded = true;
	}
	item_state_unref(state);
	return err;
}

/* What was loaded, for the run that follows; ERR_CORRUPT where an item is not of its kind. */
static enum err read_keep(struct transaction *ta, struct read *r, const struct event *e)
{
	if (e->result != OK) {
		return e->result;
	}
	if (r->kind == READ_COUNT) {
		r->n = e->n;
		r->is_loaded = true;
		return OK;
	}
	if (r->item != NULL) {
		return read_share(ta, r, e);
	}
	ta->items += r->kind == READ_PAGE && read_is_condition(r) ? e->n : 0;
	for (size_t i = 0; i < e->n; i++) {
		ta->bytes += e->items[i].pk.len + e->items[i].sk.len + e->items[i].value.len;
	}
	txn_bound_bytes(ta);
	if (ta->failed != OK) {
		return ta->failed;
	}
	r->loaded = read_copies(ta, e);
	if (r->loaded == NULL) {
		return ERR_NOMEM;
	}
	r->is_loaded = true;
	r->as_of = e->version;
	r->is_partial = e->is_partial;
	r->items = r->loaded;
	r->n = r->loaded_n = e->n;
	r->has_more = r->loaded_more = e->has_more || e->next.len > 0;
	if (e->next.len > 0 && !store_cursor_sort(r->query.partition, e->next, &r->end)) {
		return ERR_CORRUPT;
	}
	return r->kind != READ_ITEM || r->n == 0
		       ? OK
		       : txn_decode_item(&r->items[0], &ta->loaded, &r->decoded);
}

void txn_read_done(struct server *s, struct ticket *ticket, const struct event *e)
{
	struct read *r = (struct read *)(void *)((char *)ticket - offsetof(struct read, ticket));
	struct transaction *ta = r->owner;
	enum err err = read_keep(ta, r, e);
	if (err == ERR_TOO_LARGE) {
		txn_answer_beyond(s, ta);
	} else if (err != OK) {
		server_log(s, err == ERR_BUSY ? LOG_WARN : LOG_ERROR,
			   "event=read_failed reason=\"%s\"", err_text(err));
		txn_fail(s, ta);
	} else if (--ta->loading == 0 && line_is_first(ta)) {
		txn_run(s, ta);
	}
}

bool txn_read_partially(const struct transaction *ta)
{
	const struct read *r;
	LL_FOREACH (ta->reads, r) {
		if (r->is_used && r->is_partial) {
			return true;
		}
	}
	return false;
}

bool txn_read_found(struct transaction *ta, const struct store_item *found)
{
	struct read *r = arena_alloc(&ta->loaded, sizeof(*r));
	if (r == NULL) {
		return false;
	}
	r->owner = ta;
	r->load.pk = read_copy(ta, found->pk);
	r->load.sk_prefix = read_copy(ta, found->sk);
	LL_APPEND(ta->reads, r);
	const struct event e = {.items = found, .n = 1, .version = found->version};
	return ta->failed == OK && read_begin_live(ta, r) && read_keep(ta, r, &e) == OK;
}

void txn_forget_reads(struct server *s, struct transaction *ta)
{
	struct read *r;
	txn_unsee_reads(ta);
	LL_FOREACH (ta->reads, r) {
		ticket_close(s, &r->ticket);
		if (r->item != NULL) {
			item_state_unref(r->state);
			live_item_unref(s, r->item);
		}
		if (r->partition != NULL) {
			live_partition_unref(s, r->partition);
		}
	}
	ta->reads = NULL;
	ta->loading = 0;
	ta->items = 0;
	ta->pages = 0;
	ta->bytes = 0;
	ta->is_overtaken = false;
	arena_reset(&ta->loaded);
}
