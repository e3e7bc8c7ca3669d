/*
 * reader_lmdb.c - the thread that answers loads and queries.
 *
 * Each in a snapshot of its own, begun after the call: whatever was called back
 * before it is in it. A snapshot lasts only as long as the copying out. The
 * pages of a partition are looked at before it is loaded: they may have been
 * damaged since the data were opened, and LMDB would not survive that.
 */
#include <lmdb.h>

#include "store/mend_lmdb.h"
#include "store/read.h"
#include "store/store_lmdb.h"
#include "store/view_lmdb.h"

#define READER_TRIES 1000

static enum err reader_look(struct lmdb *l, const struct work *w, struct view *v)
{
	struct key from, to;
	key_of_item(&from, w->load.pk, w->load.sk_prefix);
	key_of_item(&to, w->load.pk, SLICE(""));
	to.bytes[to.len - 1] = 1; /* it was the 00 between PK and SK */
	return pages_look(l->env.data_fd, mdb_txn_id(v->txn), key_slice(&from), key_slice(&to));
}

/* Again where the writer overtook the snapshot before its pages were looked at. */
static enum err reader_begin(struct lmdb *l, const struct work *w, struct view *v)
{
	for (int tries = 0; tries < READER_TRIES; tries++) {
		enum err e = view_begin(v, &l->env, false);
		if (e != OK) {
			return e == ERR_NOMEM ? ERR_NOMEM : ERR_IO;
		}
		e = w->kind == WORK_LOAD ? reader_look(l, w, v) : OK;
		if (e == OK) {
			return OK;
		}
		view_abort(v);
		if (e != ERR_BUSY) {
			return e;
		}
	}
	return ERR_IO;
}

static void reader_run(struct lmdb *l, struct work *w)
{
	struct view v;
	if (w->kind == WORK_LOAD && mend_refuses(&l->env.lost, w->load.pk)) {
		w->result = ERR_CORRUPT;
		return;
	}
	w->result = reader_begin(l, w, &v);
	if (w->result != OK) {
		return;
	}
	read_run(&v.kv, w);
	view_abort(&v);
}

static struct work *reader_wait(struct lmdb *l)
{
	(void)pthread_mutex_lock(&l->mutex);
	while (l->reads.n == 0 && !l->is_settling) {
		(void)pthread_cond_wait(&l->reads_wait, &l->mutex);
	}
	struct work *w = works_pop(&l->reads);
	(void)pthread_mutex_unlock(&l->mutex);
	return w;
}

void *reader_main(void *arg)
{
	struct lmdb *l = arg;
	struct work *w;
	while ((w = reader_wait(l)) != NULL) {
		struct works done = {NULL, NULL, 0};
		reader_run(l, w);
		works_push(&done, w);
		lmdb_finish_works(l, &done);
	}
	return NULL;
}
