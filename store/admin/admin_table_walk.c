/*
 * admin_table_walk.c - reading all items of a table, in the order of their keys.
 *
 * First the partitions are listed and put in order, which takes as much memory as their names. Then they are
 * loaded, some at a time, as one answer takes its time; what comes early waits for its turn.
 */
#include <stdlib.h>
#include <string.h>

#include "store/admin/admin_table.h"
#include "store/key.h"
#include "store/store_request.h"

#define WALK_AT_ONCE 32 /* loads under way */
#define WALK_PAGE \
	500 /* items: with the largest there are, half of what a reply of Redis may have */
#define WALK_PKS_BYTES ((size_t)1 << 34)

/* A partition that is loaded. */
struct walk_slot {
	struct walk *walk;
	bool is_asked; /* a load is under way */
	bool has_page; /* its answer is in: */
	struct store_found page;
	enum err e;
	struct key after; /* the last SK of the page before */
	bool is_later;	  /* not its first page */
	uint64_t version; /* of that */
};

struct walk {
	const struct admin_table *t;
	enum admin_step step;
	struct buf pks; /* while they are listed: length (2 bytes) and PK of each */
	struct slice *at;
	size_t n;
	enum err e;
	char cursor[STORE_CURSOR_BYTES_MAX];
	size_t cursor_len;
	bool is_listed; /* the part asked for has come */
	struct walk_slot slots[WALK_AT_ONCE];
};

enum err admin_table_fail(const struct admin_table *t, enum err e, struct errmsg *why)
{
	struct store_status status;
	store_status(t->store, &status);
	const char *says =
		e == ERR_CLOSED && status.state == STORE_GONE ? "another ayed has taken the data"
		: e == ERR_CORRUPT ? "an item is damaged; `ayed check` names it"
		: e == ERR_FULL	   ? "not enough space for the data"
		: e == ERR_BUSY	   ? "slots of the cluster are on the move; run the command "
				     "again when they have arrived"
				   : err_text(e);
	errmsg_set(why, "%s: %s", t->name, says);
	return e;
}

enum err admin_table_progress(const struct admin_table *t, enum admin_step step,
			      uint64_t partitions, uint64_t all, struct errmsg *why)
{
	if (t->on_progress == NULL || t->on_progress(t->progress_arg, step, partitions, all)) {
		return OK;
	}
	errmsg_set(why, "stopped");
	return ERR_CLOSED;
}

/* ---- which there are ---- */

static void on_listed(void *arg, enum err e, const struct store_item *items, size_t n,
		      struct slice next, bool is_partial)
{
	struct walk *w = arg;
	(void)is_partial;
	w->is_listed = true;
	w->e = e;
	for (size_t i = 0; i < n; i++) {
		uint16_t len = (uint16_t)items[i].pk.len;
		(void)buf_append(&w->pks, &len, sizeof(len));
		(void)buf_append_slice(&w->pks, items[i].pk);
	}
	w->n += n;
	w->cursor_len = next.len < sizeof(w->cursor) ? next.len : sizeof(w->cursor);
	if (w->cursor_len > 0) {
		memcpy(w->cursor, next.data, w->cursor_len);
	}
	w->e = w->e == OK ? w->pks.error : w->e;
}

static int walk_compare(const void *a, const void *b)
{
	return slice_cmp(*(const struct slice *)a, *(const struct slice *)b);
}

/* In order, each once. */
static enum err walk_order(struct walk *w)
{
	size_t n = 0, at = 0;
	w->at = calloc(w->n + 1, sizeof(*w->at));
	if (w->at == NULL) {
		return ERR_NOMEM;
	}
	for (size_t i = 0; i < w->n; i++) {
		uint16_t len;
		memcpy(&len, w->pks.data + at, sizeof(len));
		w->at[i] = slice_of(w->pks.data + at + sizeof(len), len);
		at += sizeof(len) + len;
	}
	qsort(w->at, w->n, sizeof(*w->at), walk_compare);
	for (size_t i = 0; i < w->n; i++) {
		if (n == 0 || !slice_eq(w->at[i], w->at[n - 1])) {
			w->at[n++] = w->at[i];
		}
	}
	w->n = n;
	return OK;
}

static enum err walk_list(struct walk *w, struct errmsg *why)
{
	enum err e = OK;
	do {
		w->is_listed = false;
		store_partitions(w->t->store, slice_of(w->cursor, w->cursor_len), on_listed, w);
		while (e == OK && (store_poll(w->t->store), !w->is_listed)) {
			w->t->wait(w->t->wait_arg);
			e = admin_table_progress(w->t, w->step, 0, 0, why);
		}
		while (!w->is_listed &&
		       store_poll(w->t->store)) { /* its answer must not come later */
			w->t->wait(w->t->wait_arg);
		}
	} while (e == OK && w->e == OK && w->cursor_len > 0);
	if (e == OK) {
		e = w->e == OK ? walk_order(w) : w->e;
		return e == OK ? OK : admin_table_fail(w->t, e, why);
	}
	return e;
}

/* ---- what is in them ---- */

static void on_page(void *arg, enum err e, const struct store_item *items, size_t n,
		    uint64_t version, bool has_more)
{
	struct walk_slot *slot = arg;
	slot->is_asked = false;
	slot->has_page = true;
	slot->e = e;
	for (size_t i = 0; i < n && slot->e == OK; i++) {
		slot->e = store_found_add(&slot->page, items[i].pk, items[i].sk, items[i].value,
					  items[i].version);
	}
	slot->page.version = version;
	slot->page.has_more = has_more;
	store_found_settle(&slot->page);
}

static void walk_ask(struct walk *w, size_t i)
{
	struct walk_slot *slot = &w->slots[i % WALK_AT_ONCE];
	const struct store_load l = {.pk = w->at[i],
				     .after = key_slice(&slot->after),
				     .limit = WALK_PAGE};
	slot->is_asked = true;
	store_load(w->t->store, &l, on_page, slot);
}

/* Give the page on; then the partition is done, or its next page is asked for. */
static enum err walk_deliver(struct walk *w, size_t i, admin_page_cb *cb, void *arg, bool *is_done,
			     struct errmsg *why)
{
	struct walk_slot *slot = &w->slots[i % WALK_AT_ONCE];
	const struct store_found *page = &slot->page;
	if (slot->e != OK) {
		return admin_table_fail(w->t, slot->e, why);
	}
	bool is_torn = slot->is_later && page->version != slot->version;
	enum err e = page->n == 0 ? OK : cb(arg, page->items, page->n, is_torn);
	*is_done = !page->has_more || page->n == 0;
	slot->has_page = false;
	slot->is_later = !*is_done;
	slot->version = page->version;
	slot->after.len = 0;
	if (!*is_done) {
		struct slice last = page->items[page->n - 1].sk;
		memcpy(slot->after.bytes, last.data, last.len);
		slot->after.len = last.len;
	}
	store_found_finish(&slot->page);
	if (e == OK && !*is_done) {
		walk_ask(w, i);
	}
	return e;
}

static enum err walk_read(struct walk *w, admin_page_cb *cb, void *arg, struct errmsg *why)
{
	size_t asked = 0, done = 0;
	enum err e = OK;
	while (done < w->n && e == OK) {
		while (asked < w->n && asked - done < WALK_AT_ONCE) {
			walk_ask(w, asked++);
		}
		(void)store_poll(w->t->store);
		bool is_done = w->slots[done % WALK_AT_ONCE].has_page;
		if (is_done) {
			e = walk_deliver(w, done, cb, arg, &is_done, why);
			done += is_done;
		} else {
			w->t->wait(w->t->wait_arg);
		}
		e = e == OK ? admin_table_progress(w->t, w->step, done, w->n, why) : e;
	}
	return e;
}

/* Answers that are still to come refer to the slots. */
static void walk_finish(struct walk *w)
{
	while (store_poll(w->t->store)) {
		w->t->wait(w->t->wait_arg);
	}
	for (size_t i = 0; i < WALK_AT_ONCE; i++) {
		store_found_finish(&w->slots[i].page);
	}
	buf_finish(&w->pks);
	free(w->at);
	free(w);
}

enum err admin_table_walk(const struct admin_table *t, enum admin_step step, admin_page_cb *cb,
			  void *arg, struct errmsg *why)
{
	struct walk *w = calloc(1, sizeof(*w));
	if (w == NULL) {
		return admin_table_fail(t, ERR_NOMEM, why);
	}
	w->t = t;
	w->step = step;
	w->pks.max = WALK_PKS_BYTES;
	enum err e = walk_list(w, why);
	e = e == OK ? walk_read(w, cb, arg, why) : e;
	walk_finish(w);
	return e;
}
