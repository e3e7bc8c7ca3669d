/*
 * txn_lmdb.h - one LMDB transaction as a view (kv.h).
 *
 * Life: lmdb_txn_begin() .. lmdb_txn_commit() or lmdb_txn_abort(), in one function of one thread:
 * a reader that stays open prevents the reuse of pages, and a writer that ends in another thread
 * than it began blocks all others forever.
 */
#ifndef STORE_LMDB_TXN_LMDB_H
#define STORE_LMDB_TXN_LMDB_H

#include "store/base/kv.h"
#include "store/lmdb/env_lmdb.h"

struct MDB_txn;
struct MDB_cursor;

struct lmdb_txn {
	struct kv kv;
	struct env *env;
	struct MDB_txn *txn;
	bool is_mapped; /* all pages that it reads are in the map, none is a copy to be written */
	struct MDB_cursor *cursors[KV_COUNT];
};

/*
 * Begin a transaction.
 *
 * ERR_UNKNOWN  the environment is broken: an earlier commit failed half way.
 * ERR_NOMEM, ERR_IO  it could not be begun.
 */
NODISCARD enum err lmdb_txn_begin(struct lmdb_txn *v, struct env *env, bool writes);
/*
 * Commit; the view has ended, whatever the result.
 *
 * ERR_FULL, ERR_IO, ERR_NOMEM  nothing was written.
 * ERR_UNKNOWN  it may have been written.
 */
NODISCARD enum err lmdb_txn_commit(struct lmdb_txn *v);
void lmdb_txn_abort(struct lmdb_txn *v);

#endif
