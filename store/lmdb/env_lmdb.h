/*
 * env_lmdb.h - one open data directory: LMDB's environment in it, and its databases.
 *
 * Its files, and how they were left, are in env_files.h; whose data they are and
 * of which format in env_format_lmdb.h; damaged pages are left out on opening
 * (repair_lmdb.h).
 *
 * A process must not open one directory twice (LMDB's locks are per process);
 * writer.lock refuses the second opening for writing, also within a process.
 *
 * Life: env_open() .. env_close().
 */
#ifndef STORE_LMDB_ENV_LMDB_H
#define STORE_LMDB_ENV_LMDB_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "proto/base/err.h"
#include "store/kv.h"
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
	struct slice boot; /* as of store_lmdb_options */
	/* Identifies the owner, ENV_OWNER_BYTES_MAX bytes at most: stored in new data; data of another owner are refused with ERR_CONFLICT. Empty: not checked. */
	struct slice owner;
	pages_problem_cb *on_problem; /* given a line for each damage that a repair finds. May be NULL */
	pages_progress_cb *on_pages;  /* while the file is walked. May be NULL */
	void *on_problem_arg;	      /* of both */
	bool no_sync; /* for filling new data that are not in place yet: env_sync() at the end */
};

struct env {
	struct MDB_env *mdb;
	unsigned dbi[KV_COUNT];
	char *directory;
	struct lost_ranges lost; /* what damage took from these data */
	enum env_left left;	 /* how the last writer left them */
	bool has_mark;
	atomic_bool is_sound; /* no damage was found since the file was opened */
	bool has_no_locks; /* read only, where the directory is not writable */
	int lock_fd;	   /* -1 where read only */
	int mark_fd;	   /* -1 where there is no mark */
	int data_fd; /* belongs to mdb */
	uint64_t map_bytes;
	uint64_t page_bytes;
	bool has_places; /* pages of the file are those of the machine, and so lie in the map as in the file */
	uintptr_t map;	 /* where that begins; 0: not known yet. Of whoever reads: one thread at a time */
};

/* Errors as store_open_lmdb(), and ERR_NOT_FOUND where there is nothing to read. *why is set. */
NODISCARD enum err env_open(const struct env_options *o, struct env *out, struct errmsg *why);
/* Once for each env_open() that succeeded. */
void env_close(struct env *env);
/* The same for data that are damaged or broken: the mark in-use stays. */
void env_abandon(struct env *env);
/* Something is damaged: however this ends, the next opening walks the file. Any thread. */
void env_distrust(struct env *env);
/* Whether the file is still the one that its directory names; true where that cannot be found out. */
bool env_is_in_place(const struct env *env);
NODISCARD enum err env_sync(struct env *env);

/* Free the slots of readers that died. */
void env_check_readers(struct env *env);

/* Translate a code of LMDB, which may be one of the system's. */
enum err env_err(int code);
/* The same with "directory: what: text of the code" put into *why. */
enum err env_fail(struct errmsg *why, const char *directory, const char *what, int code);

#endif
