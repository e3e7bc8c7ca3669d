/*
 * steps.h - a view of the LMDB engine that counts the moves of its cursors.
 *
 * The store of the fixture is closed while its directory is opened here.
 */
#ifndef TESTS_UNIT_STORE_STEPS_H
#define TESTS_UNIT_STORE_STEPS_H

#include "fixture.h"

#include "store/base/read.h"

struct steps {
	struct env env;
	struct lmdb_txn view;
	struct kv_ops ops;
};

static const struct kv_ops *counted;
static size_t steps;

static inline enum err count_find(struct kv *kv, unsigned db, enum kv_where where, struct slice at,
				  struct slice *key, struct slice *value)
{
	steps += where != KV_AT;
	return counted->find(kv, db, where, at, key, value);
}

static inline void steps_begin(struct steps *s, struct fixture *f)
{
	struct env_options o = {.directory = f->directory};
	struct errmsg why;
	store_close(f->s);
	f->s = NULL;
	assert_int_equal(env_open(&o, &s->env, &why), OK);
	assert_int_equal(lmdb_txn_begin(&s->view, &s->env, false), OK);
	counted = s->view.kv.ops;
	s->ops = *counted;
	s->ops.find = count_find;
	s->view.kv.ops = &s->ops;
}

static inline void steps_end(struct steps *s, struct fixture *f)
{
	lmdb_txn_abort(&s->view);
	env_close(&s->env);
	assert_int_equal(fixture_try_open(f), OK);
}

/* What a load, query or count costs; n is what it must find. Destroys w. */
static inline size_t steps_of(struct steps *s, struct store_request *w, size_t n)
{
	assert_non_null(w);
	steps = 0;
	read_run(&s->view.kv, w);
	assert_int_equal(w->result, OK);
	assert_int_equal(w->kind == STORE_REQUEST_COUNT ? w->counted : w->found.n, n);
	store_request_destroy(w);
	return steps;
}

#endif
