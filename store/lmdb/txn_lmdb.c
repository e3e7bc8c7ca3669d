/*
 * txn_lmdb.c - see txn_lmdb.h.
 */
#include "store/lmdb/txn_lmdb.h"

#include <lmdb.h>
#include <string.h>

#include "store/lmdb/page_format.h"

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

static enum err lmdb_txn_err(struct lmdb_txn *v, int code)
{
	if (code == MDB_CORRUPTED || code == MDB_PAGE_NOTFOUND) {
		env_distrust(v->env);
	}
	return env_err(code);
}

/*
 * A page bears its number, and so all pages of a map say the same of where the map begins, but for one that lies in
 * another's place. LMDB does not look, and would take what is on it, or is not, for the truth.
 */
static int lmdb_txn_look(struct lmdb_txn *v, const MDB_val *key)
{
	struct page_head head;
	uintptr_t skip = (uintptr_t)key->mv_data % v->env->page_bytes;
	memcpy(&head, (const char *)key->mv_data - skip, sizeof(head));
	uintptr_t map = (uintptr_t)key->mv_data - skip - head.pgno * v->env->page_bytes;
	v->env->map = v->env->map == 0 ? map : v->env->map;
	return map == v->env->map ? MDB_SUCCESS : MDB_CORRUPTED;
}

static enum err lmdb_txn_find(struct kv *kv, unsigned db, enum kv_where where, struct slice at,
			      struct slice *key, struct slice *value)
{
	static const MDB_cursor_op ops[] = {[KV_AT] = MDB_SET_KEY,
					    [KV_FROM] = MDB_SET_RANGE,
					    [KV_BELOW] = MDB_SET_RANGE,
					    [KV_NEXT] = MDB_NEXT,
					    [KV_PREV] = MDB_PREV};
	struct lmdb_txn *v = lmdb_txn_of(kv);
	MDB_val k = lmdb_txn_val(at), found;
	if ((kv->absent & KV_BIT(db)) != 0) {
		return ERR_NOT_FOUND;
	}
	int code = lmdb_txn_cursor(v, db);
	if (code == MDB_SUCCESS) {
		bool is_all = where == KV_FROM && at.len == 0;
		code = mdb_cursor_get(v->cursors[db], &k, &found, is_all ? MDB_FIRST : ops[where]);
	}
	if (where == KV_BELOW && (code == MDB_SUCCESS || code == MDB_NOTFOUND)) {
		code = mdb_cursor_get(v->cursors[db], &k, &found,
				      code == MDB_SUCCESS ? MDB_PREV : MDB_LAST);
	}
	if (code == MDB_SUCCESS && v->is_mapped) {
		code = lmdb_txn_look(v, &k);
	}
	if (code == MDB_SUCCESS) {
		*key = slice_of(k.mv_data, k.mv_size);
		*value = slice_of(found.mv_data, found.mv_size);
	}
	return lmdb_txn_err(v, code);
}

static enum err lmdb_txn_put(struct kv *kv, unsigned db, struct slice key, struct slice value)
{
	struct lmdb_txn *v = lmdb_txn_of(kv);
	MDB_val k = lmdb_txn_val(key), data = lmdb_txn_val(value);
	int code = lmdb_txn_cursor(v, db);
	if (code == MDB_SUCCESS) {
		code = mdb_cursor_put(v->cursors[db], &k, &data, 0);
	}
	return lmdb_txn_err(v, code);
}

static enum err lmdb_txn_del(struct kv *kv, unsigned db, struct slice key)
{
	struct lmdb_txn *v = lmdb_txn_of(kv);
	MDB_val k = lmdb_txn_val(key);
	return lmdb_txn_err(v, mdb_del(v->txn, v->env->dbi[db], &k, NULL));
}

static const struct kv_ops lmdb_txn_ops = {lmdb_txn_find, lmdb_txn_put, lmdb_txn_del};

enum err lmdb_txn_begin(struct lmdb_txn *v, struct env *env, bool writes)
{
	*v = (struct lmdb_txn){.kv = {.ops = &lmdb_txn_ops, .absent = env->absent},
			       .env = env,
			       .is_mapped = !writes && env->has_places};
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

enum err lmdb_txn_commit(struct lmdb_txn *v)
{
	MDB_txn *next;
	lmdb_txn_close_cursors(v);
	int code = mdb_txn_commit(v->txn);
	v->txn = NULL;
	if (code == MDB_SUCCESS) {
		return OK;
	}
	/* Only the write of the meta page can fail with an unknown outcome, and only then LMDB
	 * refuses to go on. */
	int after = mdb_txn_begin(v->env->mdb, NULL, 0, &next);
	if (after == MDB_SUCCESS) {
		mdb_txn_abort(next);
	}
	return after == MDB_PANIC ? ERR_UNKNOWN : env_err(code);
}

void lmdb_txn_abort(struct lmdb_txn *v)
{
	lmdb_txn_close_cursors(v);
	mdb_txn_abort(v->txn);
	v->txn = NULL;
}
