/*
 * env_lmdb.h - one open data directory: its files, its format, its databases.
 *
 *   data.mdb     everything
 *   lock.mdb     LMDB's own: readers, and its writer's mutex
 *   writer.lock  ours: held for as long as somebody has the data open for writing
 *
 * A process must not open one directory twice (LMDB's locks are per process);
 * writer.lock refuses the second opening for writing, also within a process.
 *
 * Life: env_open() .. env_close().
 */
#ifndef STORE_ENV_LMDB_H
#define STORE_ENV_LMDB_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/err.h"
#include "store/kv.h"

struct MDB_env;

/*
 * Of the data as a whole; raised when an older program could no longer read or
 * keep them. Opening older data for writing makes them the newest.
 *
 *   2  an item's envelope says whether an index lists it
 */
#define ENV_FORMAT 2

struct env_options {
	const char *directory;
	uint64_t map_bytes; /* 0: the default */
	uint64_t reserve_bytes;
	bool read_only;
	bool no_sync; /* for filling new data that nobody relies on yet: env_sync() at the end */
};

struct env {
	struct MDB_env *mdb;
	unsigned dbi[KV_COUNT];
	int lock_fd; /* -1 where read only */
	int data_fd; /* belongs to mdb */
	uint64_t map_bytes;
	uint64_t page_bytes;
};

/* Errors as store_open_lmdb(), and ERR_NOT_FOUND where there is nothing to read. *why is set. */
NODISCARD enum err env_open(const struct env_options *o, struct env *out, struct errmsg *why);
/* Once for each env_open() that succeeded. */
void env_close(struct env *env);
NODISCARD enum err env_sync(struct env *env);

/* Give free the places of readers that died; how many there were. */
int env_check_readers(struct env *env);

/* Translate a code of LMDB, which may be one of the system's. */
enum err env_err(int code);
const char *env_err_text(int code);

/* fsync a directory, so that files made in it are there after a crash. */
NODISCARD enum err env_sync_directory(const char *directory);

#endif
