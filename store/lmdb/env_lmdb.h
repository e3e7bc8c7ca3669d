/*
 * env_lmdb.h - one open data directory: its files, its format, its databases.
 *
 *   data.mdb     everything
 *   lock.mdb     LMDB's own: readers, and its writer's mutex
 *   writer.lock  ours: held for as long as somebody has the data open for writing
 *   in-use       ours: made with the opening for writing, removed with the closing; one
 *                that is there already says that the last closing never came
 *   closed       ours: made with the closing; which file was closed, so that one which
 *                nobody has touched since need not be walked when it is opened again
 *
 * A process must not open one directory twice (LMDB's locks are per process);
 * writer.lock refuses the second opening for writing, also within a process.
 *
 * Life: env_open() .. env_close().
 */
#ifndef STORE_LMDB_ENV_LMDB_H
#define STORE_LMDB_ENV_LMDB_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/err.h"
#include "store/kv.h"
#include "store/lmdb/pages_lmdb.h"

struct MDB_env;

/*
 * Of the data as a whole; raised when an older program could no longer read or
 * keep them. Opening older data for writing makes them the newest.
 *
 *   2  an item's envelope says whether an index lists it
 *   3  a room's item says how many items the partition has
 */
#define ENV_FORMAT 3

#define ENV_OWNER_BYTES_MAX 64

struct env_options {
	const char *directory;
	uint64_t map_bytes; /* 0: the default */
	uint64_t reserve_bytes;
	bool read_only;
	/* Bytes that say whose data they are, ENV_OWNER_BYTES_MAX at most: put into new data, and refused with ERR_CONFLICT by others'. Empty: no matter. */
	struct slice owner;
	pages_problem_cb *on_problem; /* where damaged data are written anew: what was damaged. May be NULL */
	void *on_problem_arg;
	bool no_sync; /* for filling new data that nobody relies on yet: env_sync() at the end */
};

struct env {
	struct MDB_env *mdb;
	unsigned dbi[KV_COUNT];
	char *directory;
	struct pages_report lost; /* only its ranges: what damage took from these data */
	bool was_unclean;	  /* the last one who had them open for writing did not close them */
	bool was_closed; /* they did, and nobody has touched the file since */
	bool has_mark;
	bool is_sound; /* no damaged page was found since the file was opened; of the reader's thread, and whoever closes */
	bool has_no_locks; /* read only, where the directory is not writable */
	int lock_fd;	   /* -1 where read only */
	int data_fd; /* belongs to mdb */
	uint64_t map_bytes;
	uint64_t page_bytes;
};

/* Errors as store_open_lmdb(), and ERR_NOT_FOUND where there is nothing to read. *why is set. */
NODISCARD enum err env_open(const struct env_options *o, struct env *out, struct errmsg *why);
/* Once for each env_open() that succeeded. */
void env_close(struct env *env);
/* Whether the file is still the one that its directory names. What cannot be told is taken for so. */
bool env_is_there(const struct env *env);
const char *env_db_name(unsigned db);
/* Whether the data's format stamp is one that this program can write. */
bool env_knows_stamp(struct slice stamp);
/* The same, leaving the mark: the data were not found well. */
void env_abandon(struct env *env);
NODISCARD enum err env_sync(struct env *env);

/* Give free the places of readers that died; how many there were. */
int env_check_readers(struct env *env);

/* Translate a code of LMDB, which may be one of the system's. */
enum err env_err(int code);
const char *env_err_text(int code);

/* fsync a directory, so that files made in it are there after a crash. */
NODISCARD enum err env_sync_directory(const char *directory);

#endif
