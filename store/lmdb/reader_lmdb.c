/*
 * reader_lmdb.c - the thread that answers loads and queries.
 *
 * Those that wait together are read in one snapshot, begun after their calls, so that
 * it shows every commit whose callback ran before. A snapshot lasts only as long as the
 * items are copied; where they are many it is given back early and another one begun.
 * The pages of a partition are checked before it is loaded: they may have been
 * damaged since the data were opened, and LMDB would not survive that.
 */
#include <lmdb.h>

#include "store/lmdb/store_lmdb.h"
#include "store/lmdb/txn_lmdb.h"
#include "store/read.h"

#define READER_TRIES	      1000
#define READER_TOGETHER	      256	   /* requests that are answered at once */
#define READER_SNAPSHOT_BYTES (256u << 10) /* of items, after which the snapshot is given back */

#define READER_PARTS_MAX 3
#define READER_STEPS	 2 /* of a page besides its items: from `after`, and to what is left */

struct reader {
	struct lmdb *l;
	struct pages_checker *pages;
	struct lmdb_txn v;
	bool is_open;	 /* v is a snapshot */
	bool is_checked; /* and pages knows it */
	size_t bytes;	 /* of items that were read in it */
};

static void reader_close(struct reader *r)
{
	if (r->is_open) {
		lmdb_txn_abort(&r->v);
	}
	r->is_open = false;
	r->is_checked = false;
	r->bytes = 0;
}

/* What read_load() comes to: of a tail the last, and all before and behind it; else the page. */
static enum err reader_check_pages(struct reader *r, const struct store_request *w)
{
	const struct store_load *load = &w->load;
	struct key from, to, after = {.len = 0}, tail, tail_end;
	key_of_item(&from, load->pk, load->sk_prefix);
	to = from;
	key_to_end(&to);
	struct pages_part parts[READER_PARTS_MAX] = {{key_slice(&from), key_slice(&to), false, 0}};
	size_t n = 1;
	if (load->is_exact) {
		parts[0].limit = 1;
	} else if (load->tail_prefix.len > 0) {
		key_of_item(&tail, load->pk, load->tail_prefix);
		tail_end = tail;
		key_to_end(&tail_end);
		parts[0].to = key_slice(&tail);
		parts[n++] = (struct pages_part){key_slice(&tail), key_slice(&tail_end), true,
						 load->tail_limit + 1};
		parts[n++] = (struct pages_part){key_slice(&tail_end), key_slice(&to), false, 0};
	} else {
		if (load->after.len > 0) {
			key_of_item(&after, load->pk, load->after);
		}
		bool is_low = slice_cmp(key_slice(&after), key_slice(&from)) <= 0;
		bool is_high = slice_cmp(key_slice(&after), key_slice(&to)) >= 0;
		parts[0].is_backward = load->is_descending;
		parts[0].limit = load->limit > 0 ? load->limit + READER_STEPS : 0;
		if (load->is_descending && after.len > 0 && !is_high) {
			parts[0].to = key_slice(&after);
		} else if (!load->is_descending && !is_low) {
			parts[0].from = key_slice(&after);
		}
	}
	return pages_check(r->pages, parts, n);
}

/* A snapshot that the request can be read in. Again where the writer overtook it before its pages were known. */
static enum err reader_ready(struct reader *r, const struct store_request *w)
{
	for (int tries = 0; tries < READER_TRIES; tries++) {
		enum err e = r->is_open ? OK : lmdb_txn_begin(&r->v, &r->l->env, false);
		if (e != OK) {
			return e == ERR_NOMEM ? ERR_NOMEM : ERR_IO;
		}
		r->is_open = true;
		if (w->kind != STORE_REQUEST_LOAD) {
			return OK;
		}
		if (!r->is_checked) {
			e = pages_checker_begin(r->pages, mdb_txn_id(r->v.txn));
			r->is_checked = e == OK;
		}
		if (e == OK) {
			e = reader_check_pages(r, w);
		}
		r->l->env.is_sound = r->l->env.is_sound && e != ERR_CORRUPT;
		if (e != ERR_BUSY) {
			return e;
		}
		reader_close(r);
	}
	return ERR_IO;
}

static void reader_answer(struct reader *r, struct store_request *w)
{
	bool is_lost =
		w->kind == STORE_REQUEST_LOAD && lost_ranges_meet(&r->l->env.lost, w->load.pk);
	w->result = is_lost ? ERR_CORRUPT : reader_ready(r, w);
	if (w->result != OK) {
		return;
	}
	read_run(&r->v.kv, w);
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
		if (r.pages == NULL) {
			r.pages = pages_checker_create(r.l->env.data_fd);
		}
		while ((w = store_requests_pop(&taken)) != NULL) {
			if (r.pages == NULL) {
				w->result = ERR_NOMEM;
			} else {
				reader_answer(&r, w);
			}
			store_requests_push(&done, w);
		}
		reader_close(&r);
		lmdb_finish_requests(r.l, &done);
	}
	pages_checker_destroy(r.pages);
	return NULL;
}
