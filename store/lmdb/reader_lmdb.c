/*
 * reader_lmdb.c - the thread that answers loads and queries.
 *
 * Each in a snapshot of its own, begun after the call, so that it shows every commit
 * whose callback ran before. A snapshot lasts only as long as the items are copied.
 * The pages of a partition are checked before it is loaded: they may have been
 * damaged since the data were opened, and LMDB would not survive that.
 */
#include <lmdb.h>

#include "store/lmdb/store_lmdb.h"
#include "store/lmdb/txn_lmdb.h"
#include "store/read.h"

#define READER_TRIES 1000

#define READER_PARTS_MAX 3
#define READER_STEPS	 2 /* of a page besides its items: from `after`, and to what is left */

/* What read_load() comes to: of a tail the last, and all before and behind it; else the page. */
static enum err reader_check_pages(struct lmdb *l, const struct store_request *w,
				   struct lmdb_txn *v)
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
	return pages_check(l->env.data_fd, mdb_txn_id(v->txn), parts, n);
}

/* Again where the writer overtook the snapshot before its pages were checked. */
static enum err reader_begin(struct lmdb *l, const struct store_request *w, struct lmdb_txn *v)
{
	for (int tries = 0; tries < READER_TRIES; tries++) {
		enum err e = lmdb_txn_begin(v, &l->env, false);
		if (e != OK) {
			return e == ERR_NOMEM ? ERR_NOMEM : ERR_IO;
		}
		e = w->kind == STORE_REQUEST_LOAD ? reader_check_pages(l, w, v) : OK;
		if (e == OK) {
			return OK;
		}
		lmdb_txn_abort(v);
		l->env.is_sound = l->env.is_sound && e != ERR_CORRUPT;
		if (e != ERR_BUSY) {
			return e;
		}
	}
	return ERR_IO;
}

void *reader_main(void *arg)
{
	struct lmdb *l = arg;
	for (;;) {
		struct store_requests done = {NULL, NULL, 0};
		struct lmdb_txn v;
		(void)pthread_mutex_lock(&l->mutex);
		while (l->reads.n == 0 && !l->is_settling) {
			(void)pthread_cond_wait(&l->reads_wait, &l->mutex);
		}
		struct store_request *w = store_requests_pop(&l->reads);
		(void)pthread_mutex_unlock(&l->mutex);
		if (w == NULL) {
			break;
		}
		bool is_lost =
			w->kind == STORE_REQUEST_LOAD && lost_ranges_meet(&l->env.lost, w->load.pk);
		w->result = is_lost ? ERR_CORRUPT : reader_begin(l, w, &v);
		if (w->result == OK) {
			read_run(&v.kv, w);
			lmdb_txn_abort(&v);
		}
		store_requests_push(&done, w);
		lmdb_finish_requests(l, &done);
	}
	return NULL;
}
