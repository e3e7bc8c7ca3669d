/*
 * env_lmdb.c - see env_lmdb.h.
 */
#include "store/lmdb/env_lmdb.h"

#include <errno.h>
#include <fcntl.h>
#include <lmdb.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/lmdb/env_format_lmdb.h"
#include "store/lmdb/repair_lmdb.h"

#define ENV_MAP_BYTES (UINT64_C(16) << 30)

/* ---- codes ---- */

enum err env_err(int code)
{
	switch (code) {
	case MDB_SUCCESS:
		return OK;
	case MDB_NOTFOUND:
		return ERR_NOT_FOUND;
	case ENOMEM:
		return ERR_NOMEM;
	case MDB_MAP_FULL:
	case MDB_TXN_FULL:
	case ENOSPC:
	case EFBIG:
	case EDQUOT:
		return ERR_FULL;
	case MDB_CORRUPTED:
	case MDB_PAGE_NOTFOUND:
	case MDB_INVALID:
	case MDB_INCOMPATIBLE:
	case MDB_VERSION_MISMATCH:
	case MDB_BAD_VALSIZE:
		return ERR_CORRUPT;
	case MDB_PANIC:
		return ERR_UNKNOWN;
	default:
		return ERR_IO;
	}
}

enum err env_fail(struct errmsg *why, const char *directory, const char *what, int code)
{
	errmsg_set(why, "%s: %s: %s", directory, what, mdb_strerror(code));
	return env_err(code);
}

/* ---- opening ---- */

static enum err env_open_mdb(struct env *env, const struct env_options *o, struct errmsg *why)
{
	unsigned flags = MDB_NOTLS | (o->read_only ? MDB_RDONLY : 0) |
			 (o->no_sync ? MDB_NOSYNC : 0) | (env->has_no_locks ? MDB_NOLOCK : 0);
	MDB_envinfo info;
	MDB_stat stat;

	int code = mdb_env_create(&env->mdb);
	if (code == MDB_SUCCESS) {
		code = mdb_env_set_maxdbs(env->mdb, KV_COUNT);
	}
	if (code == MDB_SUCCESS && !o->read_only) {
		code = mdb_env_set_mapsize(env->mdb,
					   o->map_bytes == 0 ? ENV_MAP_BYTES : o->map_bytes);
	}
	if (code == MDB_SUCCESS) {
		code = mdb_env_open(env->mdb, o->directory, flags, ENV_FILE_MODE);
	}
	if (code == MDB_SUCCESS) {
		code = mdb_env_get_fd(env->mdb, &env->data_fd);
	}
	if (code == MDB_SUCCESS) {
		env_check_readers(env);
		code = mdb_env_info(env->mdb, &info);
	}
	if (code == MDB_SUCCESS) {
		code = mdb_env_stat(env->mdb, &stat);
	}
	if (code == MDB_INVALID || code == MDB_VERSION_MISMATCH) {
		errmsg_set(why, "%s: data.mdb is not an aye data file, or is damaged",
			   o->directory);
		return ERR_CORRUPT;
	}
	if (code != MDB_SUCCESS) {
		return env_fail(why, o->directory, "cannot open the data", code);
	}
	env->map_bytes = info.me_mapsize;
	env->page_bytes = stat.ms_psize;
	env->has_places = (long)stat.ms_psize == sysconf(_SC_PAGESIZE);
	/* The descriptor would pass into programs we start. */
	if (fcntl(env->data_fd, F_SETFD, FD_CLOEXEC) != 0) {
		return env_fail(why, o->directory, "cannot keep data.mdb private", errno);
	}
	if (o->read_only) {
		return OK;
	}
	/*
	 * Touching the map behind the end of the file would end the process. A file
	 * may rightly end a few pages early (pages that were taken and given back in
	 * one transaction are never written); where it was cut, the missing pages now
	 * read as zeroes, which LMDB and the checksums know for damage.
	 */
	struct stat st;
	off_t bytes = (off_t)((info.me_last_pgno + 1) * env->page_bytes);
	if (fstat(env->data_fd, &st) != 0 ||
	    (st.st_size < bytes && ftruncate(env->data_fd, bytes) != 0)) {
		return env_fail(why, o->directory, "cannot look at data.mdb", errno);
	}
	/* Only now: a file of zeroes is "not LMDB". */
	uint64_t reserve = o->reserve_bytes < env->map_bytes ? o->reserve_bytes : env->map_bytes;
	code = reserve == 0 ? 0 : posix_fallocate(env->data_fd, 0, (off_t)reserve);
	return code == 0 ? OK : env_fail(why, o->directory, "cannot reserve space", code);
}

/*
 * New data appear when they are on the disk: under its own name the file would be there before
 * its first pages are, and be taken for damage where the power goes between.
 */
static enum err env_make(const struct env_options *o, struct errmsg *why)
{
	char temporary[ENV_PATH_BYTES];
	const struct env_options fresh = {.directory = temporary,
					  .map_bytes = o->map_bytes,
					  .owner = o->owner,
					  .no_sync = true};
	struct env env;
	enum err e = env_files_make_temporary(o->directory, temporary);
	if (e != OK) {
		errmsg_set(why, "%s: cannot create data in it: %s", o->directory, err_text(e));
		return e;
	}
	e = env_open(&fresh, &env, why);
	if (e == OK) {
		e = env_sync(&env);
		env_close(&env);
		if (e != OK) {
			errmsg_set(why, "%s: cannot sync data.mdb", o->directory);
		}
	}
	e = e == OK ? env_files_publish(temporary, o->directory, why) : e;
	env_files_remove_temporary(temporary);
	return e;
}

static enum err env_open_steps(struct env *env, const struct env_options *o, struct errmsg *why)
{
	bool exists;
	enum err e = env_files_find(o->directory, &exists, why);
	if (e != OK) {
		return e;
	}
	if (o->read_only && !exists) {
		errmsg_set(why, "%s: no data found", o->directory);
		return ERR_NOT_FOUND;
	}
	e = o->read_only ? env_files_lock_out_writers(o->directory, &env->lock_fd,
						      &env->has_no_locks, why)
			 : env_files_lock(o->directory, &env->lock_fd, why);
	env->left = ENV_LEFT_TOUCHED;
	if (e == OK && !o->read_only && !o->no_sync) {
		e = env_files_mark(o->directory, o->boot, &env->mark_fd, &env->left, why);
		env->has_mark = e == OK;
	}
	if (e == OK && !o->read_only && exists && env->left != ENV_LEFT_CLOSED) {
		struct repair r = {.directory = o->directory,
				   .map_bytes = o->map_bytes,
				   .is_brief = env->left == ENV_LEFT_KILLED,
				   .on_problem = o->on_problem,
				   .on_progress = o->on_pages,
				   .arg = o->on_problem_arg};
		e = repair(&r, why);
	}
	if (e == OK && !exists && !o->no_sync) {
		e = env_make(o, why);
	}
	if (e == OK) {
		e = env_open_mdb(env, o, why);
	}
	return e == OK ? env_format_open(env, o, why) : e;
}

enum err env_open(const struct env_options *o, struct env *out, struct errmsg *why)
{
	struct env env = {.mdb = NULL, .lock_fd = -1, .mark_fd = -1, .data_fd = -1};
	env.directory = strdup(o->directory);
	if (env.directory == NULL) {
		errmsg_set(why, "out of memory");
		return ERR_NOMEM;
	}
	enum err e = env_open_steps(&env, o, why);
	if (e != OK) {
		env.has_mark = env.has_mark && env.left < ENV_LEFT_KILLED;
		env_close(&env);
		return e;
	}
	env.is_sound = true;
	env_files_mark_open(o->directory, o->boot, env.mark_fd);
	*out = env;
	return OK;
}

void env_close(struct env *env)
{
	if (env->mdb != NULL) {
		mdb_env_close(env->mdb);
		env->mdb = NULL;
	}
	if (env->has_mark) {
		env_files_unmark(env->directory, env->is_sound);
	}
	if (env->mark_fd >= 0) {
		close(env->mark_fd);
		env->mark_fd = -1;
	}
	free(env->directory);
	env->directory = NULL;
	lost_ranges_finish(&env->lost);
	if (env->lock_fd >= 0) {
		close(env->lock_fd);
		env->lock_fd = -1;
	}
}

void env_abandon(struct env *env)
{
	env->has_mark = false;
	env_close(env);
}

void env_distrust(struct env *env)
{
	env->is_sound = false;
	env_files_distrust(env->mark_fd);
}

enum err env_sync(struct env *env)
{
	return env_err(mdb_env_sync(env->mdb, 1));
}

void env_check_readers(struct env *env)
{
	int dead;
	(void)mdb_reader_check(env->mdb, &dead);
}

bool env_is_in_place(const struct env *env)
{
	char path[ENV_PATH_BYTES];
	struct stat ours, named;
	env_files_path(path, env->directory, "data.mdb");
	return fstat(env->data_fd, &ours) != 0 ||
	       (ours.st_nlink > 0 && stat(path, &named) == 0 && named.st_dev == ours.st_dev &&
		named.st_ino == ours.st_ino);
}
