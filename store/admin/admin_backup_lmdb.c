/*
 * admin_backup_lmdb.c - a copy of the data that is whole, or is not there.
 *
 * LMDB copies one snapshot by a reader, page by page, beside a writer: what commits
 * meanwhile is not in it. Its compacting copy holds no lock of the writer's; it
 * refuses data in which pages were lost track of, and those are copied as they are.
 * LMDB neither makes the file private nor syncs it: both is done here.
 */
#include "store/admin/admin.h"

#include <errno.h>
#include <fcntl.h>
#include <lmdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/admin/admin_check_copy.h"
#include "store/admin/admin_child.h"
#include "store/admin/admin_files.h"
#include "store/lmdb/env_lmdb.h"
#include "store/lmdb/free_space_lmdb.h"

/* ---- in the child ---- */

static enum err backup_scan(struct admin_child *c)
{
	const struct admin_task *task = c->task;
	struct env_options o = {.directory = task->directory,
				.read_only = true,
				.owner = task->owner};
	MDB_envinfo info;
	struct env env;
	enum err e = env_open(&o, &env, &c->why);
	if (e != OK) {
		return e;
	}
	if (mdb_env_info(env.mdb, &info) == MDB_SUCCESS) {
		uint64_t pages = (uint64_t)info.me_last_pgno + 1 - free_space_free_pages(&env);
		uint64_t bytes = pages * env.page_bytes;
		admin_child_line(c, slice_of((const char *)&bytes, sizeof(bytes)));
		admin_child_flush(c);
	}
	int code = mdb_env_copyfd2(env.mdb, task->copy_fd, MDB_CP_COMPACT);
	if (code == MDB_INCOMPATIBLE && ftruncate(task->copy_fd, 0) == 0 &&
	    lseek(task->copy_fd, 0, SEEK_SET) == 0) {
		code = mdb_env_copyfd2(env.mdb, task->copy_fd, 0);
	}
	if (code != MDB_SUCCESS) {
		e = env_fail(&c->why, task->directory, "cannot copy the data", code);
	}
	env_close(&env);
	return e;
}

/* ---- in the parent ---- */

struct backup {
	const struct admin_copy *copy;
	int fd;		    /* of the new data.mdb */
	uint64_t bytes_all; /* about what it will have */
};

static bool backup_on_line(void *arg, struct slice line)
{
	struct backup *b = arg;
	memcpy(&b->bytes_all, line.data,
	       line.len < sizeof(b->bytes_all) ? line.len : sizeof(b->bytes_all));
	return true;
}

static bool backup_on_tick(void *arg)
{
	const struct backup *b = arg;
	const struct admin_copy *c = b->copy;
	struct stat st = {.st_size = 0};
	(void)fstat(b->fd, &st);
	return c->on_progress == NULL ||
	       c->on_progress(c->arg, ADMIN_COPYING, (uint64_t)st.st_size, b->bytes_all);
}

/* data.mdb of `temporary`, on the disk. */
static enum err backup_data(const struct admin_copy *c, const char *temporary, uint64_t *bytes,
			    struct errmsg *why)
{
	char path[ENV_PATH_BYTES];
	struct backup b = {.copy = c};
	struct admin_counts counts;
	struct stat st = {.st_size = 0};
	env_files_path(path, temporary, "data.mdb");
	b.fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, ENV_FILE_MODE);
	if (b.fd < 0) {
		return admin_files_fail(path, "cannot create it", why);
	}
	const struct admin_task task = {.scan = backup_scan,
					.directory = c->from,
					.copy_fd = b.fd,
					.owner = c->owner,
					.on_line = backup_on_line,
					.on_tick = backup_on_tick,
					.arg = &b};
	enum err e = admin_child_run(&task, &counts, why);
	if (e == OK && (fsync(b.fd) != 0 || fstat(b.fd, &st) != 0)) {
		e = admin_files_fail(path, "cannot sync it", why);
	}
	*bytes += e == OK ? (uint64_t)st.st_size : 0;
	close(b.fd);
	return e;
}

static enum err backup_fill(const struct admin_copy *c, const char *temporary,
			    struct admin_copied *out, struct errmsg *why)
{
	enum err e = backup_data(c, temporary, &out->bytes, why);
	for (size_t i = 0; c->files[i] != NULL && e == OK; i++) {
		e = admin_files_copy(c->from, temporary, c->files[i], NULL, NULL, &out->bytes, why);
		e = e == ERR_NOT_FOUND ? OK : e;
	}
	if (e == OK) {
		e = admin_check_copy(c, temporary, &out->counts, why);
	}
	if (e == OK && env_files_sync_directory(temporary) != OK) {
		e = admin_files_fail(c->to, "cannot sync it", why);
	}
	return e;
}

enum err admin_backup(const struct admin_copy *c, struct admin_copied *out, struct errmsg *why)
{
	char parent[ENV_PATH_BYTES], temporary[ENV_PATH_BYTES];
	struct errmsg ignored;
	struct stat st;
	bool exists;
	int lock;

	*out = (struct admin_copied){.bytes = 0};
	enum err e = admin_files_are_apart(c->from, c->to, why);
	if (e == OK && lstat(c->to, &st) == 0) {
		errmsg_set(why, "%s already exists; choose a different name", c->to);
		e = ERR_CONFLICT;
	}
	e = e == OK ? env_files_find(c->from, &exists, why) : e;
	if (e == OK && !exists) {
		errmsg_set(why, "%s: no data found", c->from);
		e = ERR_NOT_FOUND;
	}
	env_files_parent(c->to, parent);
	e = e == OK ? admin_files_begin(parent, temporary, &lock, why) : e;
	if (e != OK) {
		return e;
	}
	e = backup_fill(c, temporary, out, why);
	if (e == ERR_FULL) {
		errmsg_set(why, "%s: not enough space for the backup; nothing was kept", c->to);
	}
	if (e == OK && rename(temporary, c->to) != 0) {
		e = admin_files_fail(c->to, "cannot put the backup in place", why);
	}
	if (e != OK) {
		(void)!admin_files_remove(temporary, &ignored);
	} else if (env_files_sync_directory(parent) != OK) {
		e = admin_files_fail(parent, "cannot sync it", why);
		(void)!admin_files_discard(c->to, &ignored);
	}
	close(lock);
	return e;
}
