/*
 * txn_lmdb.c - see txn_lmdb.h.
 */
#include "store/lmdb/txn_lmdb.h"

#include <lmdb.h>

static struct lmdb_txn *lmdb_txn_of(struct kv *kv)
{
	_Static_assert(offsetof(struct lmdb_txn, kv) == 0, "the view begins with its kv");
	return (struct lmdb_txn *)(void *)kv;
}

/* LMDB's interface knows no const; it does not write through these. */
static MDB_val lmdb_txn_val(struct slice s)
{
	union {
		const char *in;
		void *out;
	} data = {.in = s.data};
	return (MDB_val){.mv_size = s.len, .mv_data = data.out};
}

/* The one cursor of a database. LMDB looks for a key on the page where the cursor stands before it
 * begins at the root: a put that follows the get of its key is nearly there, and so is the next
 * seat of the same room. */
static int lmdb_txn_cursor(struct lmdb_txn *v, unsigned db)
{
	return v->cursors[db] != NULL ? MDB_SUCCESS
				      : mdb_cursor_open(v->txn, v->env->dbi[db], &v->cursors[db]);
}

static enum err lmdb_txn_move(struct lmdb_txn *v, unsigned db, struct slice from, MDB_cursor_op op,
			      struct slice *key, struct slice *value)
{
	MDB_val k = lmdb_txn_val(from), found;
	int code = lmdb_txn_cursor(v, db);
	if (code == MDB_SUCCESS) {
		code = mdb_cursor_get(v->cursors[db], &k, &found, op);
	}
	if (code == MDB_SUCCESS) {
		*key = slice_of(k.mv_data, k.mv_size);
		*value = slice_of(found.mv_data, found.mv_size);
	}
	return env_err(code);
}

static enum err lmdb_txn_get(struct kv *kv, unsigned db, struct slice key, struct slice *value)
{
	struct slice same;
	return lmdb_txn_move(lmdb_txn_of(kv), db, key, MDB_SET_KEY, &same, value);
}

static enum err lmdb_txn_seek(struct kv *kv, unsigned db, struct slice from, struct slice *key,
			      struct slice *value)
{
	return lmdb_txn_move(lmdb_txn_of(kv), db, from, from.len == 0 ? MDB_FIRST : MDB_SET_RANGE,
			     key, value);
}

static enum err lmdb_txn_seek_below(struct kv *kv, unsigned db, struct slice before,
				    struct slice *key, struct slice *value)
{
	struct lmdb_txn *v = lmdb_txn_of(kv);
	struct slice none = {NULL, 0};
	enum err e = lmdb_txn_move(v, db, before, MDB_SET_RANGE, key, value);
	if (e != OK && e != ERR_NOT_FOUND) {
		return e;
	}
	return lmdb_txn_move(v, db, none, e == OK ? MDB_PREV : MDB_LAST, key, value);
}

static enum err lmdb_txn_next(struct kv *kv, unsigned db, struct slice *key, struct slice *value)
{
	return lmdb_txn_move(lmdb_txn_of(kv), db, (struct slice){NULL, 0}, MDB_NEXT, key, value);
}

static enum err lmdb_txn_prev(struct kv *kv, unsigned db, struct slice *key, struct slice *value)
{
	return lmdb_txn_move(lmdb_txn_of(kv), db, (struct slice){NULL, 0}, MDB_PREV, key, value);
}

static enum err lmdb_txn_put(struct kv *kv, unsigned db, struct slice key, struct slice value)
{
	struct lmdb_txn *v = lmdb_txn_of(kv);
	MDB_val k = lmdb_txn_val(key), data = lmdb_txn_val(value);
	int code = lmdb_txn_cursor(v, db);
	if (code == MDB_SUCCESS) {
		code = mdb_cursor_put(v->cursors[db], &k, &data, 0);
	}
	return env_err(code);
}

static enum err lmdb_txn_del(struct kv *kv, unsigned db, struct slice key)
{
	struct lmdb_txn *v = lmdb_txn_of(kv);
	MDB_val k = lmdb_txn_val(key);
	return env_err(mdb_del(v->txn, v->env->dbi[db], &k, NULL));
}

static const struct kv_ops lmdb_txn_ops = {.get = lmdb_txn_get,
					   .seek = lmdb_txn_seek,
					   .seek_below = lmdb_txn_seek_below,
					   .next = lmdb_txn_next,
					   .prev = lmdb_txn_prev,
					   .put = lmdb_txn_put,
					   .del = lmdb_txn_del};

enum err lmdb_txn_begin(struct lmdb_txn *v, struct env *env, bool writes)
{
	*v = (struct lmdb_txn){.kv = {.ops = &lmdb_txn_ops}, .env = env};
	return env_err(mdb_txn_begin(env->mdb, NULL, writes ? 0 : MDB_RDONLY, &v->txn));
}

static void lmdb_txn_close_cursors(struct lmdb_txn *v)
{
	for (size_t i = 0; i < KV_COUNT; i++) {
		if (v->cursors[i] != NULL) {
			mdb_cursor_close(v->cursors[i]);
			v->cursors[i] = NULL;
		}
	}
}

/* Only the write of the meta page can fail with an unknown outcome, and only then LMDB refuses to
 * go on. */
static bool lmdb_txn_is_broken(struct env *env)
{
	MDB_txn *txn;
	int code = mdb_txn_begin(env->mdb, NULL, 0, &txn);
	if (code == MDB_SUCCESS) {
		mdb_txn_abort(txn);
	}
	return code == MDB_PANIC;
}

enum err lmdb_txn_commit(struct lmdb_txn *v)
{
	lmdb_txn_close_cursors(v);
	int code = mdb_txn_commit(v->txn);
	v->txn = NULL;
	if (code == MDB_SUCCESS) {
		return OK;
	}
	return lmdb_txn_is_broken(v->env) ? ERR_UNKNOWN : env_err(code);
}

void lmdb_txn_abort(struct lmdb_txn *v)
{
	lmdb_txn_close_cursors(v);
	mdb_txn_abort(v->txn);
	v->txn = NULL;
}
