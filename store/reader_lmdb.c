/*
 * reader_lmdb.c - the thread that answers loads and queries.
 *
 * Each in a snapshot of its own, begun after the call: whatever was called back
 * before it is in it. A snapshot lasts only as long as the copying out.
 */
#include "store/mend_lmdb.h"
#include "store/read.h"
#include "store/store_lmdb.h"
#include "store/view_lmdb.h"

static void reader_run(struct lmdb *l, struct work *w)
{
	struct view v;
	if (w->kind == WORK_LOAD && mend_refuses(&l->env.lost, w->pk)) {
		w->result = ERR_CORRUPT;
		return;
	}
	w->result = view_begin(&v, &l->env, false);
	if (w->result != OK) {
		w->result = w->result == ERR_NOMEM ? ERR_NOMEM : ERR_IO;
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
