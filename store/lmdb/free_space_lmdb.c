/*
 * free_space_lmdb.c - see free_space_lmdb.h.
 */
#include "store/lmdb/free_space_lmdb.h"

#include <fcntl.h>
#include <lmdb.h>
#include <string.h>
#include <sys/statvfs.h>

#define SPACE_AHEAD_BYTES ((uint64_t)1 << 20) /* always ours beyond what is used */
#define SPACE_TAKE_BYTES  ((uint64_t)4 << 20) /* taken at a time */
#define SPACE_FULL_TENTHS 8		      /* of the map */
#define SPACE_OPEN_TENTHS 7		      /* between the two: the reserve */
#define SPACE_LOOK_PAGES  65536 /* a free list of so many pages may be counted at every look */

/* Database 0 lists them, each value beginning with how many it has. */
uint64_t free_space_free_pages(struct env *env)
{
	MDB_txn *txn;
	MDB_cursor *cursor;
	MDB_val key, data;
	uint64_t pages = 0;

	if (mdb_txn_begin(env->mdb, NULL, MDB_RDONLY, &txn) != MDB_SUCCESS) {
		return 0;
	}
	if (mdb_cursor_open(txn, 0, &cursor) == MDB_SUCCESS) {
		while (mdb_cursor_get(cursor, &key, &data, MDB_NEXT) == MDB_SUCCESS) {
			size_t n;
			memcpy(&n, data.mv_data, sizeof(n));
			pages += n;
		}
		mdb_cursor_close(cursor);
	}
	mdb_txn_abort(txn);
	return pages;
}

static uint64_t free_space_full_bytes(const struct env *env)
{
	return env->map_bytes / 10 * SPACE_FULL_TENTHS;
}

uint64_t free_space_left(const struct free_space *s, const struct env *env)
{
	uint64_t full_bytes = free_space_full_bytes(env);
	return s->used_bytes < full_bytes ? full_bytes - s->used_bytes : 0;
}

static void free_space_update_map(struct free_space *s, struct env *env, uint64_t high_bytes)
{
	uint64_t open_bytes = env->map_bytes / 10 * SPACE_OPEN_TENTHS;
	if (high_bytes < open_bytes) {
		s->used_bytes = high_bytes;
		s->map_takes = APPLY_TAKES_ALL;
		return;
	}
	if (s->looks++ % (1 + env->map_bytes / env->page_bytes / SPACE_LOOK_PAGES) != 0) {
		return;
	}
	s->used_bytes = high_bytes - free_space_free_pages(env) * env->page_bytes;
	s->map_takes = s->used_bytes < open_bytes		    ? APPLY_TAKES_ALL
		       : s->used_bytes < free_space_full_bytes(env) ? APPLY_TAKES_RESERVED
								    : APPLY_TAKES_NONE;
}

/* The disk gives no more: what is free within the file is all there is. */
static void free_space_update_inside(struct free_space *s, struct env *env, uint64_t high_bytes)
{
	uint64_t every = 1 + high_bytes / env->page_bytes / SPACE_LOOK_PAGES;
	if (s->disk_is_full && s->disk_looks++ % every != 0) {
		return;
	}
	uint64_t free_bytes = free_space_free_pages(env) * env->page_bytes;
	s->used_bytes = high_bytes - free_bytes;
	s->disk_is_full = free_bytes < SPACE_AHEAD_BYTES;
}

static void free_space_update_disk(struct free_space *s, struct env *env, uint64_t high_bytes)
{
	uint64_t wanted = high_bytes + SPACE_AHEAD_BYTES;
	wanted = wanted < env->map_bytes ? wanted : env->map_bytes;
	if (s->allocated_bytes >= wanted) {
		s->disk_is_full = false;
		return;
	}
	uint64_t from = s->allocated_bytes > high_bytes ? s->allocated_bytes : high_bytes;
	uint64_t to = wanted + SPACE_TAKE_BYTES < env->map_bytes ? wanted + SPACE_TAKE_BYTES
								 : env->map_bytes;
	if (posix_fallocate(env->data_fd, (off_t)from, (off_t)(to - from)) != 0) {
		to = wanted;
		if (posix_fallocate(env->data_fd, (off_t)from, (off_t)(to - from)) != 0) {
			free_space_update_inside(s, env, high_bytes);
			return;
		}
	}
	s->allocated_bytes = to;
	s->disk_is_full = false;
}

void free_space_update(struct free_space *s, struct env *env)
{
	MDB_envinfo info;
	if (mdb_env_info(env->mdb, &info) != MDB_SUCCESS) {
		return;
	}
	uint64_t high_bytes = ((uint64_t)info.me_last_pgno + 1) * env->page_bytes;
	free_space_update_map(s, env, high_bytes);
	free_space_update_disk(s, env, high_bytes);
	struct statvfs disk;
	if (fstatvfs(env->data_fd, &disk) == 0) {
		s->disk_bytes = (uint64_t)disk.f_bavail * disk.f_frsize;
	}
}
