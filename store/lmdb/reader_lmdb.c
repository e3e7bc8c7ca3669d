/*
 * reader_lmdb.c - the thread that answers loads and queries.
 *
 * Those that wait together are read in one snapshot, begun after their calls, so that
 * it shows every commit whose callback ran before. A snapshot lasts only as long as the
 * items are copied; where they are many it is given back early and another one begun.
 * The pages that a check comes to are looked at before LMDB reads them: it would not survive some of them.
 */
#include <lmdb.h>
#include <string.h>

#include "store/base/index.h"
#include "store/lmdb/store_lmdb.h"
#include "store/lmdb/txn_lmdb.h"
#include "store/base/read.h"

#define READER_TRIES	      1000
#define READER_TOGETHER	      256	   /* requests that are answered at once */
#define READER_SNAPSHOT_BYTES (256u << 10) /* of items, after which the snapshot is given back */

struct reader {
	struct lmdb *l;
	struct pages_checker *pages; /* NULL: nothing was checked yet */
	struct lmdb_txn v;
	bool is_open; /* v is a snapshot */
	size_t bytes; /* of items that were read in it */
};

static void reader_close(struct reader *r)
{
	if (r->is_open) {
		lmdb_txn_abort(&r->v);
	}
	r->is_open = false;
	r->bytes = 0;
}

static enum err reader_open(struct reader *r)
{
	enum err e = r->is_open ? OK : lmdb_txn_begin(&r->v, &r->l->env, false);
	r->is_open = e == OK;
	return e == OK || e == ERR_NOMEM ? e : ERR_IO;
}

/* ---- a check ---- */

/* A view that looks at pages before LMDB comes to them. */
struct checked_view {
	struct kv kv;
	struct reader *reader;
	bool is_damaged;
};

static enum err checked_find(struct kv *kv, unsigned db, enum kv_where where, struct slice at,
			     struct slice *key, struct slice *value)
{
	_Static_assert(offsetof(struct checked_view, kv) == 0, "the view begins with its kv");
	struct checked_view *v = (struct checked_view *)(void *)kv;
	enum err e = OK;
	if (where != KV_NEXT) { /* the steps that may follow a search are looked at with it */
		size_t n = where == KV_FROM ? STORE_CHECK_ENTRIES + 2 : 1;
		e = pages_check(v->reader->pages, db, at, n);
	}
	v->is_damaged = v->is_damaged || e == ERR_CORRUPT;
	return v->is_damaged ? ERR_CORRUPT
	       : e != OK     ? e
			     : kv_find(&v->reader->v.kv, db, where, at, key, value);
}

static const struct kv_ops checked_ops = {.find = checked_find};

/* Again where the writer overtook the snapshot before its pages were known. */
static enum err reader_begin_check(struct reader *r)
{
	if (r->pages == NULL) {
		r->pages = pages_checker_create(r->l->env.data_fd);
	}
	enum err e = r->pages == NULL ? ERR_NOMEM : ERR_BUSY;
	for (int tries = 0; tries < READER_TRIES && e == ERR_BUSY; tries++) {
		reader_close(r);
		e = reader_open(r);
		e = e == OK ? pages_checker_begin(r->pages, mdb_txn_id(r->v.txn)) : e;
	}
	return e == ERR_BUSY ? ERR_IO : e;
}

static void reader_check(struct reader *r, struct store_request *w)
{
	struct checked_view v = {.kv = {.ops = &checked_ops}, .reader = r};
	MDB_stat stat;
	w->result = reader_begin_check(r);
	if (w->result != OK) {
		return;
	}
	pages_checker_report(r->pages, read_on_problem, w);
	read_run(&v.kv, w);
	pages_checker_report(r->pages, NULL, NULL);
	if (v.is_damaged) {
		w->result = ERR_CORRUPT;
		w->checked.next = NO_SLICE;
		env_distrust(&r->l->env);
		return;
	}
	for (unsigned db = KV_ITEMS; db < KV_COUNT; db++) {
		if ((r->v.kv.absent & KV_BIT(db)) == 0 &&
		    mdb_stat(r->v.txn, r->l->env.dbi[db], &stat) == MDB_SUCCESS) {
			w->checked.entries_all += stat.ms_entries;
		}
	}
}

/* ---- loads, queries and counts ---- */

/* Whether some of what damage took may have been listed there. */
static bool reader_has_lost(const struct reader *r, enum index_id index)
{
	const struct lost_ranges *lost = &r->l->env.lost;
	for (size_t i = 0; i < lost->n; i++) {
		const struct lost_range *range = &lost->at[i];
		if (index_may_list_between(index, key_slice(&range->from), range->has_end,
					   key_slice(&range->to))) {
			return true;
		}
	}
	return false;
}

static void reader_read(struct reader *r, struct store_request *w)
{
	if (w->kind == STORE_REQUEST_LOAD && lost_ranges_meet(&r->l->env.lost, w->load.pk)) {
		w->result = ERR_CORRUPT;
		return;
	}
	w->result = reader_open(r);
	if (w->result != OK) {
		return;
	}
	read_run(&r->v.kv, w);
	if (w->result == ERR_CORRUPT) { /* of an item perhaps, perhaps of the page that has it */
		env_distrust(&r->l->env);
	}
	if (w->kind == STORE_REQUEST_QUERY && reader_has_lost(r, w->query.index)) {
		w->found.is_partial = true;
	}
	r->bytes += w->found.bytes.len;
	if (r->bytes > READER_SNAPSHOT_BYTES) {
		reader_close(r);
	}
}

/* Wait for requests, and take those that are there; none: the store is closed. */
static struct store_requests reader_take(struct lmdb *l)
{
	struct store_requests taken = {NULL, NULL, 0};
	(void)pthread_mutex_lock(&l->mutex);
	while (l->reads.n == 0 && !l->is_settling) {
		(void)pthread_cond_wait(&l->reads_wait, &l->mutex);
	}
	while (l->reads.n > 0 && taken.n < READER_TOGETHER) {
		store_requests_push(&taken, store_requests_pop(&l->reads));
	}
	(void)pthread_mutex_unlock(&l->mutex);
	return taken;
}

void *reader_main(void *arg)
{
	struct reader r = {.l = arg};
	struct store_requests taken;
	while ((taken = reader_take(r.l)).n > 0) {
		struct store_requests done = {NULL, NULL, 0};
		struct store_request *w;
		while ((w = store_requests_pop(&taken)) != NULL) {
			(w->kind == STORE_REQUEST_CHECK ? reader_check : reader_read)(&r, w);
			store_requests_push(&done, w);
		}
		reader_close(&r);
		lmdb_finish_requests(r.l, &done);
	}
	pages_checker_destroy(r.pages);
	return NULL;
}
