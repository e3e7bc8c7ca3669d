/*
 * env_lmdb.h - one open data directory: its LMDB environment and databases.
 *
 * Its files, and how they were left, are in env_files.h; format and owner of the data in
 * env_format_lmdb.h; damaged pages are removed at opening (repair_lmdb.h).
 *
 * A process must not open one directory twice, because LMDB's locks are per process. writer.lock
 * refuses a second opening for writing, even within a process.
 *
 * Life: env_open() .. env_close().
 */
#ifndef STORE_LMDB_ENV_LMDB_H
#define STORE_LMDB_ENV_LMDB_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "proto/base/err.h"
#include "store/base/kv.h"
#include "store/lmdb/env_files.h"
#include "store/lmdb/lost_ranges.h"
#include "store/lmdb/pages_lmdb.h"

struct MDB_env;

#define ENV_OWNER_BYTES_MAX 64

struct env_options {
	const char *directory;
	uint64_t map_bytes; /* 0: the default */
	uint64_t reserve_bytes;
	bool read_only;
	struct slice boot; /* as in store_lmdb_options */
	/*
	 * Identifies the owner, at most ENV_OWNER_BYTES_MAX bytes. Stored in new data; data of
	 * another owner get ERR_CONFLICT. Empty: not checked.
	 */
	struct slice owner;
	/* called with a line for each damage that a repair finds. May be NULL */
	pages_problem_cb *on_problem;
	pages_progress_cb *on_pages;  /* called while the pages are checked. May be NULL */
	void *on_problem_arg;	      /* for both callbacks */
	/* do not sync: for new data that are not published yet; call env_sync() at the end */
	bool no_sync;
};

struct env {
	struct MDB_env *mdb;
	unsigned dbi[KV_COUNT];
	uint32_t absent; /* as in struct kv: these have no dbi */
	char *directory;
	struct lost_ranges lost; /* ranges lost to damage */
	enum env_left left;	 /* how the last writer left them */
	bool has_mark;
	atomic_bool is_sound; /* no damage was found since the file was opened */
	bool has_no_locks; /* read only, and the directory is not writable */
	int lock_fd;	   /* -1 if read only */
	int mark_fd;	   /* -1 without a mark */
	int data_fd; /* belongs to mdb */
	uint64_t map_bytes;
	uint64_t page_bytes;
	/*
	 * pages of the file have the size of the machine's, so offsets in the map are those in
	 * the file
	 */
	bool has_places;
	uintptr_t map;	 /* start of the map; 0: not known yet. Used by the reading thread only */
};

/*
 * Open the data. Errors as of store_open_lmdb(); ERR_NOT_FOUND: there is nothing to read. *why is
 * set on error.
 */
NODISCARD enum err env_open(const struct env_options *o, struct env *out, struct errmsg *why);
/* Close; call once for each successful env_open(). */
void env_close(struct env *env);
/* The same for damaged or broken data: in-use stays. */
void env_abandon(struct env *env);
/* Damage was found: the next opening checks all pages, however this process ends. Any thread. */
void env_distrust(struct env *env);
/*
 * Return whether data.mdb in the directory is still the open file; true if that cannot be found
 * out.
 */
bool env_is_in_place(const struct env *env);
NODISCARD enum err env_sync(struct env *env);

/* Free the slots of dead readers. */
void env_check_readers(struct env *env);

/* Translate an error code of LMDB, which may be an errno. */
enum err env_err(int code);
/* The same, and write "directory: what: text of the code" to *why. */
enum err env_fail(struct errmsg *why, const char *directory, const char *what, int code);

#endif
