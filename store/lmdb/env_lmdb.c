/*
 * env_lmdb.c - see env_lmdb.h.
 */
#include "store/lmdb/env_lmdb.h"

#include <errno.h>
#include <fcntl.h>
#include <lmdb.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "proto/format.h"
#include "store/lmdb/mend_lmdb.h"

#define ENV_MAP_BYTES	 (UINT64_C(16) << 30)
#define ENV_FILE_MODE	 0600
#define ENV_PATH_BYTES	 4096
#define ENV_STAMP	 "aye table "
#define ENV_CLOSED_BYTES 96

static const char *const env_db_names[] = {[KV_META] = "meta",
					   [KV_ITEMS] = "items",
					   [KV_TOKENS] = "tokens",
					   [KV_TOKEN_TIMES] = "token_times",
#define ENV_INDEX_NAME(symbol, name) [KV_INDEX + INDEX_##symbol] = "index:" name,
					   INDEXES(ENV_INDEX_NAME)
#undef ENV_INDEX_NAME
};

const char *env_db_name(unsigned db)
{
	return env_db_names[db];
}

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

const char *env_err_text(int code)
{
	return mdb_strerror(code);
}

static enum err env_fail(struct errmsg *why, const char *directory, const char *what, int code)
{
	errmsg_set(why, "%s: %s: %s", directory, what, env_err_text(code));
	return env_err(code);
}

/* ---- files ---- */

static bool env_path(char *out, const char *directory, const char *name)
{
	size_t len = strlen(directory) + 1 + strlen(name);
	if (len >= ENV_PATH_BYTES) {
		return false;
	}
	format_to(out, ENV_PATH_BYTES, "%s/%s", directory, name);
	return true;
}

enum err env_sync_directory(const char *directory)
{
	int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0) {
		return env_err(errno);
	}
	int failed = fsync(fd);
	int code = errno;
	close(fd);
	return failed == 0 ? OK : env_err(code);
}

/* Which file, and when it was last written. */
static bool env_describe(const char *data, char out[ENV_CLOSED_BYTES])
{
	struct stat st;
	if (stat(data, &st) != 0) {
		return false;
	}
	format_to(out, ENV_CLOSED_BYTES, "%llu %llu %lld.%09ld", (unsigned long long)st.st_ino,
		  (unsigned long long)st.st_size, (long long)st.st_mtim.tv_sec,
		  (long)st.st_mtim.tv_nsec);
	return true;
}

/* Whether nobody has touched the file since it was closed in order. */
static bool env_was_closed(const char *directory)
{
	char path[ENV_PATH_BYTES], now[ENV_CLOSED_BYTES] = "", then[ENV_CLOSED_BYTES] = "";
	(void)env_path(path, directory, "closed"); /* shorter than that of writer.lock */
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		return false;
	}
	ssize_t n = read(fd, then, sizeof(then) - 1);
	close(fd);
	(void)env_path(path, directory, "data.mdb");
	return n > 0 && env_describe(path, now) && strcmp(now, then) == 0;
}

/*
 * The kernel's clock for files goes in steps: a write within the step of the last
 * one would leave the time as it is. So the time is set to a second before, where
 * no write can leave it.
 */
static bool env_set_time_back(const char *data)
{
	struct stat st;
	if (stat(data, &st) != 0) {
		return false;
	}
	st.st_mtim.tv_sec--;
	const struct timespec times[] = {{.tv_nsec = UTIME_OMIT}, st.st_mtim};
	return utimensat(AT_FDCWD, data, times, 0) == 0;
}

/* Where it cannot be said, the next opening walks. */
static void env_say_closed(const char *directory)
{
	char path[ENV_PATH_BYTES], text[ENV_CLOSED_BYTES];
	(void)env_path(path, directory, "data.mdb");
	if (!env_set_time_back(path) || !env_describe(path, text)) {
		return;
	}
	(void)env_path(path, directory, "closed");
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, ENV_FILE_MODE);
	if (fd < 0) {
		return;
	}
	ssize_t len = (ssize_t)strlen(text);
	if (write(fd, text, strlen(text)) != len) {
		(void)unlink(path);
	}
	close(fd);
}

/* The mark says that somebody writes, or did not get to the end of it. */
static enum err env_mark(struct env *env, const char *directory, struct errmsg *why)
{
	char path[ENV_PATH_BYTES];
	(void)env_path(path, directory, "in-use"); /* shorter than that of writer.lock */
	env->was_unclean = access(path, F_OK) == 0;
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, ENV_FILE_MODE);
	if (fd < 0) {
		return env_fail(why, directory, "cannot make in-use", errno);
	}
	close(fd);
	env->has_mark = true;
	env->was_closed = !env->was_unclean && env_was_closed(directory);
	(void)env_path(path, directory, "closed");
	(void)unlink(path);
	enum err e = env->was_unclean ? OK : env_sync_directory(directory);
	if (e != OK) {
		errmsg_set(why, "%s: cannot sync the directory", directory);
	}
	return e;
}

/* The way for a reader that cannot write in the directory, and so cannot tell a writer what it reads: there must be none. */
static enum err env_keep_writers_out(struct env *env, const char *directory, struct errmsg *why)
{
	char path[ENV_PATH_BYTES];
	(void)env_path(path, directory, "lock.mdb"); /* as long as data.mdb, which fits */
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, ENV_FILE_MODE);
	if (fd >= 0) {
		close(fd);
		return OK;
	}
	if (errno != EROFS && errno != EACCES && errno != EPERM) {
		return OK; /* LMDB will say what is wrong */
	}
	env->has_no_locks = true;
	if (!env_path(path, directory, "writer.lock")) {
		errmsg_set(why, "the directory's name is too long");
		return ERR_IO;
	}
	env->lock_fd = open(path, O_RDONLY | O_CLOEXEC);
	if (env->lock_fd < 0) {
		return errno == ENOENT ? OK
				       : env_fail(why, directory, "cannot open writer.lock", errno);
	}
	if (flock(env->lock_fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
		errmsg_set(why,
			   "%s: a server has these data open, and they cannot be read beside it "
			   "where the directory is not writable",
			   directory);
		return ERR_BUSY;
	}
	return OK;
}

static enum err env_lock(struct env *env, const char *directory, struct errmsg *why)
{
	char path[ENV_PATH_BYTES];
	if (!env_path(path, directory, "writer.lock")) {
		errmsg_set(why, "the directory's name is too long");
		return ERR_IO;
	}
	env->lock_fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, ENV_FILE_MODE);
	if (env->lock_fd < 0) {
		return env_fail(why, directory, "cannot make writer.lock", errno);
	}
	if (flock(env->lock_fd, LOCK_EX | LOCK_NB) != 0) {
		if (errno == EWOULDBLOCK) {
			errmsg_set(why, "%s: another server has these data open", directory);
			return ERR_BUSY;
		}
		return env_fail(why, directory, "cannot lock writer.lock", errno);
	}
	return OK;
}

/* Whether there are data at all: LMDB would make an empty file where nothing was, or say only "no
 * such file". */
static enum err env_find(const char *directory, bool *is_there, struct errmsg *why)
{
	char path[ENV_PATH_BYTES];
	struct stat st;
	if (!env_path(path, directory, "data.mdb")) {
		errmsg_set(why, "the directory's name is too long");
		return ERR_IO;
	}
	*is_there = stat(path, &st) == 0;
	if (!*is_there && errno != ENOENT) {
		return env_fail(why, directory, "cannot look at data.mdb", errno);
	}
	if (*is_there && st.st_size == 0) {
		errmsg_set(why,
			   "%s: data.mdb is empty, and was not when it was made; restore it from a "
			   "backup, or remove it to begin with no data",
			   directory);
		return ERR_CORRUPT;
	}
	return OK;
}

/*
 * Touching the map behind the end of the file would end the process. A file
 * may rightly end a few pages early (pages that were taken and given back in
 * one transaction are never written); where it was cut, the missing pages now
 * read as zeroes, which LMDB and the checksums know for damage.
 */
static enum err env_cover_file(struct env *env, const char *directory, struct errmsg *why)
{
	MDB_envinfo info;
	struct stat st;
	int code = mdb_env_info(env->mdb, &info);
	if (code != MDB_SUCCESS) {
		return env_fail(why, directory, "open", code);
	}
	off_t bytes = (off_t)((info.me_last_pgno + 1) * env->page_bytes);
	if (fstat(env->data_fd, &st) != 0 ||
	    (st.st_size < bytes && ftruncate(env->data_fd, bytes) != 0)) {
		return env_fail(why, directory, "cannot look at data.mdb", errno);
	}
	return OK;
}

/*
 * The data file's descriptor would pass into programs we start. Taking a part of
 * the disk at once has to wait until here too: a file of zeroes is "not LMDB".
 */
static enum err env_settle_file(struct env *env, const struct env_options *o, struct errmsg *why)
{
	int code = mdb_env_get_fd(env->mdb, &env->data_fd);
	if (code != MDB_SUCCESS) {
		return env_fail(why, o->directory, "open", code);
	}
	if (fcntl(env->data_fd, F_SETFD, FD_CLOEXEC) != 0) {
		return env_fail(why, o->directory, "cannot keep data.mdb private", errno);
	}
	if (o->read_only) {
		return OK;
	}
	enum err e = env_cover_file(env, o->directory, why);
	if (e != OK) {
		return e;
	}
	uint64_t reserve = o->reserve_bytes < env->map_bytes ? o->reserve_bytes : env->map_bytes;
	if (reserve == 0) {
		return OK;
	}
	code = posix_fallocate(env->data_fd, 0, (off_t)reserve);
	return code == 0 ? OK : env_fail(why, o->directory, "cannot reserve space", code);
}

/* ---- format ---- */

/* The format of a stamp; 0 where it is none of ours. */
static long env_format_of(struct slice stamp)
{
	char text[64];
	if (stamp.len >= sizeof(text) || !slice_starts(stamp, SLICE(ENV_STAMP))) {
		return 0;
	}
	memcpy(text, stamp.data, stamp.len);
	text[stamp.len] = '\0';
	return strtol(text + strlen(ENV_STAMP), NULL, 10);
}

bool env_knows_stamp(struct slice stamp)
{
	long format = env_format_of(stamp);
	return format >= 1 && format <= ENV_FORMAT;
}

static enum err env_check_stamp(MDB_txn *txn, unsigned meta, const char *directory, long *format,
				struct errmsg *why)
{
	MDB_val key = {.mv_size = strlen("format"), .mv_data = (char[]){"format"}};
	MDB_val value;
	int code = mdb_get(txn, meta, &key, &value);
	if (code != MDB_SUCCESS || value.mv_size <= strlen(ENV_STAMP) ||
	    memcmp(value.mv_data, ENV_STAMP, strlen(ENV_STAMP)) != 0) {
		errmsg_set(why, "%s: data.mdb holds something else than our data", directory);
		return ERR_CORRUPT;
	}
	*format = env_format_of(slice_of(value.mv_data, value.mv_size));
	if (*format > ENV_FORMAT) {
		errmsg_set(why,
			   "%s: the data have format %ld, this program knows formats up to %d: use "
			   "a newer one",
			   directory, *format, ENV_FORMAT);
		return ERR_VERSION;
	}
	if (*format < 1) {
		errmsg_set(why, "%s: the data's format stamp is damaged", directory);
		return ERR_CORRUPT;
	}
	return OK;
}

static int env_put_stamp(MDB_txn *txn, unsigned meta)
{
	char text[64];
	size_t len = format_to(text, sizeof(text), ENV_STAMP "%d", ENV_FORMAT);
	MDB_val key = {.mv_size = strlen("format"), .mv_data = (char[]){"format"}};
	MDB_val value = {.mv_size = len, .mv_data = text};
	return mdb_put(txn, meta, &key, &value, 0);
}

/* What is new, or is about to be written in ways that older programs do not know, says so. */
static enum err env_settle_stamp(MDB_txn *txn, unsigned meta, const struct env_options *o,
				 bool is_new, struct errmsg *why)
{
	long format = 0;
	enum err e = is_new ? OK : env_check_stamp(txn, meta, o->directory, &format, why);
	if (e != OK || format == ENV_FORMAT || o->read_only) {
		return e;
	}
	int code = env_put_stamp(txn, meta);
	return code == MDB_SUCCESS ? OK : env_fail(why, o->directory, "open", code);
}

static int env_get_meta(MDB_txn *txn, unsigned meta, const char *name, MDB_val *value)
{
	char text[16];
	size_t len = format_to(text, sizeof(text), "%s", name);
	MDB_val key = {.mv_size = len, .mv_data = text};
	return mdb_get(txn, meta, &key, value);
}

/* Data that name no owner are older, or were loaded: they belong to the first who opens them. */
static enum err env_settle_owner(MDB_txn *txn, unsigned meta, const struct env_options *o,
				 struct errmsg *why)
{
	char name[] = "owner", bytes[ENV_OWNER_BYTES_MAX];
	MDB_val key = {.mv_size = strlen(name), .mv_data = name};
	MDB_val value;
	if (o->owner.len == 0 || o->owner.len > sizeof(bytes)) {
		return OK;
	}
	int code = env_get_meta(txn, meta, name, &value);
	if (code == MDB_SUCCESS && !slice_eq(slice_of(value.mv_data, value.mv_size), o->owner)) {
		errmsg_set(why,
			   "%s: server.key is not the one that these data were made with; put "
			   "back the one that is, from the same backup",
			   o->directory);
		return ERR_CONFLICT;
	}
	if (code == MDB_NOTFOUND && !o->read_only) {
		memcpy(bytes, o->owner.data, o->owner.len);
		value = (MDB_val){.mv_size = o->owner.len, .mv_data = bytes};
		code = mdb_put(txn, meta, &key, &value, 0);
	}
	return code == MDB_SUCCESS || code == MDB_NOTFOUND
		       ? OK
		       : env_fail(why, o->directory, "open", code);
}

static enum err env_read_lost(struct env *env, MDB_txn *txn, const struct env_options *o,
			      struct errmsg *why)
{
	MDB_val value;
	int code = env_get_meta(txn, env->dbi[KV_META], MEND_LOST, &value);
	if (code == MDB_NOTFOUND) {
		return OK;
	}
	if (code != MDB_SUCCESS) {
		return env_fail(why, o->directory, "open", code);
	}
	enum err e = mend_read_lost(slice_of(value.mv_data, value.mv_size), &env->lost);
	if (e != OK) {
		errmsg_set(why, "%s: the list of what was lost is damaged", o->directory);
	}
	return e;
}

static enum err env_open_rest(struct env *env, MDB_txn *txn, const struct env_options *o,
			      struct errmsg *why)
{
	for (unsigned i = 0; i < KV_COUNT; i++) {
		int code = mdb_dbi_open(txn, env_db_names[i], o->read_only ? 0 : MDB_CREATE,
					&env->dbi[i]);
		if (code == MDB_NOTFOUND) {
			errmsg_set(why, "%s: database %s is missing", o->directory,
				   env_db_names[i]);
			return ERR_CORRUPT;
		}
		if (code != MDB_SUCCESS) {
			return env_fail(why, o->directory, env_db_names[i], code);
		}
	}
	return OK;
}

/* Within one transaction: is it ours, is it new, and which databases has it. */
static enum err env_open_databases(struct env *env, MDB_txn *txn, const struct env_options *o,
				   struct errmsg *why)
{
	MDB_stat stat;
	MDB_dbi names;
	int code = mdb_dbi_open(txn, NULL, 0, &names);
	if (code == MDB_SUCCESS) {
		code = mdb_stat(txn, names, &stat);
	}
	if (code != MDB_SUCCESS) {
		return env_fail(why, o->directory, "open", code);
	}
	bool is_new = stat.ms_entries == 0 && !o->read_only;
	code = mdb_dbi_open(txn, env_db_names[KV_META], is_new ? MDB_CREATE : 0,
			    &env->dbi[KV_META]);
	if (code == MDB_NOTFOUND || code == MDB_INCOMPATIBLE) {
		errmsg_set(why, "%s: data.mdb holds something else than our data", o->directory);
		return ERR_CORRUPT;
	}
	if (code != MDB_SUCCESS) {
		return env_fail(why, o->directory, "open", code);
	}
	enum err e = env_settle_stamp(txn, env->dbi[KV_META], o, is_new, why);
	e = e == OK ? env_settle_owner(txn, env->dbi[KV_META], o, why) : e;
	e = e == OK ? env_read_lost(env, txn, o, why) : e;
	return e == OK ? env_open_rest(env, txn, o, why) : e;
}

static enum err env_read_format(struct env *env, const struct env_options *o, struct errmsg *why)
{
	MDB_txn *txn;
	int code = mdb_txn_begin(env->mdb, NULL, o->read_only ? MDB_RDONLY : 0, &txn);
	if (code != MDB_SUCCESS) {
		return env_fail(why, o->directory, "open", code);
	}
	enum err e = env_open_databases(env, txn, o, why);
	if (e != OK) {
		mdb_txn_abort(txn);
		return e;
	}
	code = mdb_txn_commit(txn);
	return code == MDB_SUCCESS ? OK : env_fail(why, o->directory, "open", code);
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
		code = mdb_env_info(env->mdb, &info);
	}
	if (code == MDB_SUCCESS) {
		code = mdb_env_stat(env->mdb, &stat);
	}
	if (code == MDB_INVALID || code == MDB_VERSION_MISMATCH) {
		errmsg_set(why, "%s: data.mdb is not a data file of ours, or is damaged",
			   o->directory);
		return ERR_CORRUPT;
	}
	if (code != MDB_SUCCESS) {
		return env_fail(why, o->directory, "cannot open the data", code);
	}
	env->map_bytes = info.me_mapsize;
	env->page_bytes = stat.ms_psize;
	return OK;
}

static enum err env_open_steps(struct env *env, const struct env_options *o, struct errmsg *why)
{
	bool is_there;
	enum err e = env_find(o->directory, &is_there, why);
	if (e != OK) {
		return e;
	}
	if (o->read_only && !is_there) {
		errmsg_set(why, "%s: there are no data", o->directory);
		return ERR_NOT_FOUND;
	}
	e = o->read_only ? env_keep_writers_out(env, o->directory, why)
			 : env_lock(env, o->directory, why);
	if (e == OK && !o->read_only && !o->no_sync) {
		e = env_mark(env, o->directory, why);
	}
	if (e == OK && !o->read_only && is_there && !env->was_closed) {
		struct mend m = {.directory = o->directory,
				 .map_bytes = o->map_bytes,
				 .on_problem = o->on_problem,
				 .arg = o->on_problem_arg};
		e = mend(&m, why);
	}
	if (e == OK) {
		e = env_open_mdb(env, o, why);
	}
	if (e == OK) {
		(void)env_check_readers(env);
		e = env_settle_file(env, o, why);
	}
	if (e == OK) {
		e = env_read_format(env, o, why);
	}
	if (e == OK && !is_there) {
		e = env_sync_directory(o->directory);
		if (e != OK) {
			errmsg_set(why, "%s: cannot sync the directory", o->directory);
		}
	}
	return e;
}

enum err env_open(const struct env_options *o, struct env *out, struct errmsg *why)
{
	struct env env = {.mdb = NULL, .lock_fd = -1, .data_fd = -1};
	env.directory = strdup(o->directory);
	if (env.directory == NULL) {
		errmsg_set(why, "out of memory");
		return ERR_NOMEM;
	}
	enum err e = env_open_steps(&env, o, why);
	if (e != OK) {
		env.has_mark = env.has_mark && !env.was_unclean;
		env_close(&env);
		return e;
	}
	env.is_sound = true;
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
		if (env->is_sound) {
			env_say_closed(env->directory);
		}
		char path[ENV_PATH_BYTES];
		(void)env_path(path, env->directory, "in-use");
		(void)unlink(path);
	}
	free(env->directory);
	env->directory = NULL;
	pages_finish(&env->lost);
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

enum err env_sync(struct env *env)
{
	return env_err(mdb_env_sync(env->mdb, 1));
}

int env_check_readers(struct env *env)
{
	int dead = 0;
	return mdb_reader_check(env->mdb, &dead) == MDB_SUCCESS ? dead : 0;
}

bool env_is_there(const struct env *env)
{
	char path[ENV_PATH_BYTES];
	struct stat ours, named;
	(void)env_path(path, env->directory, "data.mdb");
	return fstat(env->data_fd, &ours) != 0 ||
	       (ours.st_nlink > 0 && stat(path, &named) == 0 && named.st_dev == ours.st_dev &&
		named.st_ino == ours.st_ino);
}
