/*
 * txn_newest.c - in which state a run sees what its transaction has read.
 *
 * One that may write sees what others have written and is not durable yet (txn_items.c): an item in its newest
 * state, a page of the table with those states in it. Each run begins with what is newest then. One that only reads
 * sees what the table has, and that is all as it was loaded (txn_reads.c).
 */
#include "server/core/txn/txn_priv.h"

/* ---- an item ---- */

static void read_unsee_item(struct transaction *ta, struct read *r)
{
	ta->bytes -= r->state == NULL ? 0 : r->state->len;
	item_state_unref(r->state);
	r->state = NULL;
	r->states = NULL;
	r->items = NULL;
	r->n = 0;
	r->decoded = NULL;
}

/* The item is in that state. ERR_NOMEM */
static enum err read_see_state(struct transaction *ta, struct read *r, struct item_state *state,
			       const void *decoded)
{
	struct store_item *item = arena_alloc(&ta->loaded, sizeof(*item));
	if (item == NULL) {
		return ERR_NOMEM;
	}
	*item = (struct store_item){
		.pk = r->load.pk,
		.sk = r->load.sk_prefix,
		.value = slice_of(state->value, state->len),
		.version = state->version,
	};
	read_unsee_item(ta, r);
	ta->bytes += state->len;
	r->state = item_state_ref(state);
	r->states = &r->state;
	r->items = item;
	r->n = state->exists;
	r->decoded = decoded;
	return OK;
}

enum err read_see_item(struct transaction *ta, struct read *r, struct item_state *state)
{
	const struct store_item item = {.pk = r->load.pk,
					.sk = r->load.sk_prefix,
					.value = slice_of(state->value, state->len)};
	const void *decoded = NULL;
	enum err e = state->exists ? txn_decode_item(&item, &ta->loaded, &decoded) : OK;
	return e == OK ? read_see_state(ta, r, state, decoded) : e;
}

/* ---- a page ---- */

/* Whether an item that the page may not show as it is now would be on it. */
static bool page_covers(const struct read *r, struct slice sk)
{
	const struct store_load *l = &r->load;
	int side = l->is_descending ? -1 : 1;
	return slice_starts(sk, l->sk_prefix) &&
	       (l->after.len == 0 || side * slice_cmp(sk, l->after) > 0) &&
	       (!r->loaded_more || side * slice_cmp(sk, r->loaded[r->loaded_n - 1].sk) < 0);
}

/* Whether the page as it was loaded has the item. */
static bool page_has(const struct read *r, struct slice sk)
{
	size_t from = 0, to = r->loaded_n;
	int side = r->load.is_descending ? -1 : 1;
	while (from < to) {
		size_t middle = from + (to - from) / 2;
		int order = side * slice_cmp(r->loaded[middle].sk, sk);
		if (order == 0) {
			return true;
		}
		from = order < 0 ? middle + 1 : from;
		to = order > 0 ? middle : to;
	}
	return false;
}

static void page_let_go(struct transaction *ta, const struct read *r, size_t at)
{
	ta->bytes -= r->states[at] == NULL ? 0 : r->states[at]->len;
	item_state_unref(r->states[at]);
}

static void read_unsee_page(struct transaction *ta, struct read *r)
{
	for (size_t i = 0; r->states != NULL && i < r->n; i++) {
		page_let_go(ta, r, i);
	}
	r->states = NULL;
	r->items = r->loaded;
	r->n = r->loaded_n;
	r->has_more = r->loaded_more;
}

/* One more item on the page, in its place. */
static void page_insert(struct transaction *ta, struct read *r, const struct live_item *item)
{
	size_t at = r->n++;
	struct slice sk = live_item_sk(item);
	int side = r->load.is_descending ? -1 : 1;
	for (; at > 0 && side * slice_cmp(r->items[at - 1].sk, sk) > 0; at--) {
		r->items[at] = r->items[at - 1];
		r->states[at] = r->states[at - 1];
	}
	r->items[at] = (struct store_item){
		.pk = live_item_pk(item),
		.sk = sk,
		.value = slice_of(item->now->value, item->now->len),
		.version = item->now->version,
	};
	r->states[at] = item_state_ref(item->now);
	ta->bytes += item->now->len;
}

static void page_remove(struct transaction *ta, struct read *r, size_t at)
{
	page_let_go(ta, r, at);
	for (r->n--; at < r->n; at++) {
		r->items[at] = r->items[at + 1];
		r->states[at] = r->states[at + 1];
	}
}

/* The page as it was loaded, with the items that are newer. False when memory is out. */
static bool read_see_page(struct transaction *ta, struct read *r)
{
	struct live_item *item;
	size_t newer = 0;
	read_unsee_page(ta, r);
	DL_FOREACH (r->partition->items, item) {
		newer += item->now != NULL && item_state_is_newer(item->now, r->as_of) &&
			 slice_starts(live_item_sk(item), r->load.sk_prefix);
	}
	if (newer == 0) {
		return true;
	}
	struct store_item *items = arena_alloc(&ta->made, (r->loaded_n + newer) * sizeof(*items));
	struct item_state **states =
		arena_alloc(&ta->made, (r->loaded_n + newer) * sizeof(struct item_state *));
	if (items == NULL || states == NULL) {
		return false;
	}
	memcpy(items, r->loaded, r->loaded_n * sizeof(*items));
	r->items = items;
	r->states = states;
	DL_FOREACH (r->partition->items, item) {
		struct slice sk = live_item_sk(item);
		if (item->now == NULL || !item_state_is_newer(item->now, r->as_of) ||
		    !slice_starts(sk, r->load.sk_prefix)) {
			continue;
		}
		bool is_there = page_has(r, sk);
		for (size_t i = 0; is_there && i < r->n; i++) {
			if (slice_eq(r->items[i].sk, sk)) {
				page_remove(ta, r, i);
				break;
			}
		}
		if (item->now->exists && (is_there || page_covers(r, sk))) {
			page_insert(ta, r, item);
		}
	}
	for (; r->load.limit > 0 && r->n > r->load.limit; r->has_more = true) {
		page_remove(ta, r, r->n - 1);
	}
	return true;
}

bool read_see(struct transaction *ta, struct read *r)
{
	if (r->item != NULL) {
		struct item_state *now = r->item->now;
		r->is_loaded = now != NULL;
		if (now == NULL) {
			read_unsee_item(ta, r);
		}
		return now == r->state || read_see_item(ta, r, now) == OK;
	}
	return r->partition == NULL || !r->is_loaded || read_see_page(ta, r);
}

void txn_bound_bytes(struct transaction *ta)
{
	if (ta->items > MAX_TRANSACTION_ITEMS) {
		txn_is_beyond(ta, LIMIT_TRANSACTION_ITEMS);
	} else if (ta->bytes > MAX_TRANSACTION_BYTES) {
		txn_is_beyond(ta, LIMIT_TRANSACTION_BYTES);
	} else if (!txn_hold(ta)) {
		txn_is_beyond(ta, LIMIT_TRANSACTIONS_BYTES);
	}
}

void txn_unsee_reads(struct transaction *ta)
{
	struct read *r;
	LL_FOREACH (ta->reads, r) {
		r->is_used = false;
		if (r->partition != NULL) {
			read_unsee_page(ta, r);
		}
	}
}

void txn_refresh_reads(struct transaction *ta)
{
	struct read *r;
	LL_FOREACH (ta->reads, r) {
		if (!read_see(ta, r)) {
			txn_lacks_memory(ta);
		}
	}
	if (ta->failed == OK) {
		txn_bound_bytes(ta);
	}
}
