/*
 * env_files.c - see env_files.h.
 */
#include "store/lmdb/env_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "proto/base/format.h"
#include "store/lmdb/env_lmdb.h"

#define ENV_CLOSED_BYTES 96
#define ENV_MARK_BYTES	 (ENV_BOOT_BYTES_MAX + 64)

void env_files_path(char out[ENV_PATH_BYTES], const char *directory, const char *name)
{
	format_to(out, ENV_PATH_BYTES, "%s/%s", directory, name);
}

void env_files_parent(const char *path, char out[ENV_PATH_BYTES])
{
	size_t len = strlen(path);
	while (len > 1 && path[len - 1] == '/') {
		len--;
	}
	while (len > 0 && path[len - 1] != '/') {
		len--;
	}
	while (len > 1 && path[len - 1] == '/') {
		len--;
	}
	format_to(out, ENV_PATH_BYTES, "%.*s", len == 0 ? 1 : (int)len, len == 0 ? "." : path);
}

enum err env_files_make_directory(const char *path, bool *is_made)
{
	char parent[ENV_PATH_BYTES];
	*is_made = mkdir(path, 0700) == 0;
	if (!*is_made) {
		return errno == EEXIST ? OK : env_err(errno);
	}
	env_files_parent(path, parent);
	enum err e = env_files_sync_directory(parent);
	if (e != OK) {
		int code = errno;
		(void)rmdir(path);
		errno = code;
	}
	return e;
}

enum err env_files_sync_directory(const char *directory)
{
	int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0) {
		return env_err(errno);
	}
	int failed = fsync(fd);
	int code = errno;
	close(fd);
	errno = code;
	return failed == 0 ? OK : env_err(code);
}

enum err env_files_find(const char *directory, bool *exists, struct errmsg *why)
{
	char path[ENV_PATH_BYTES];
	struct stat st;
	if (strlen(directory) > ENV_PATH_BYTES / 2) {
		errmsg_set(why, "the directory's name is too long");
		return ERR_IO;
	}
	env_files_path(path, directory, "data.mdb");
	*exists = stat(path, &st) == 0;
	if (!*exists && errno != ENOENT) {
		return env_fail(why, directory, "cannot look at data.mdb", errno);
	}
	if (*exists && st.st_size == 0) {
		errmsg_set(why,
			   "%s: data.mdb is empty but was not when it was created; restore it from "
			   "a backup, or remove it to start without data",
			   directory);
		return ERR_CORRUPT;
	}
	return OK;
}

/* ---- locks ---- */

/*
 * What root makes in the directory of a server's user has to be that user's, or the server could not open it. The user
 * may have put anything there: root follows no link, and gives away no file that has another name elsewhere.
 */
static int env_files_open_lock(const char *path, const char *directory)
{
	struct stat st, owner;
	int fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, ENV_FILE_MODE);
	bool is_roots = fd >= 0 && geteuid() == 0 && fstat(fd, &st) == 0 && st.st_uid == 0;
	if (is_roots && S_ISREG(st.st_mode) && st.st_nlink == 1 && stat(directory, &owner) == 0 &&
	    owner.st_uid != 0) {
		(void)!fchown(fd, owner.st_uid, owner.st_gid);
	}
	return fd;
}

enum err env_files_lock(const char *directory, int *fd, struct errmsg *why)
{
	char path[ENV_PATH_BYTES];
	env_files_path(path, directory, "writer.lock");
	*fd = env_files_open_lock(path, directory);
	if (*fd < 0) {
		return env_fail(why, directory, "cannot create writer.lock", errno);
	}
	if (flock(*fd, LOCK_EX | LOCK_NB) != 0) {
		if (errno == EWOULDBLOCK) {
			errmsg_set(why, "%s: in use by another server", directory);
			return ERR_BUSY;
		}
		return env_fail(why, directory, "cannot lock writer.lock", errno);
	}
	return OK;
}

enum err env_files_lock_out_writers(const char *directory, int *fd, bool *has_no_locks,
				    struct errmsg *why)
{
	char path[ENV_PATH_BYTES];
	env_files_path(path, directory, "lock.mdb");
	int lock_mdb = env_files_open_lock(path, directory);
	if (lock_mdb >= 0) {
		close(lock_mdb);
		return OK;
	}
	if (errno == ELOOP) {
		errmsg_set(why, "%s: lock.mdb is a symbolic link; remove it", directory);
		return ERR_CONFLICT;
	}
	if (errno != EROFS && errno != EACCES && errno != EPERM) {
		return OK; /* LMDB will say what is wrong */
	}
	*has_no_locks = true;
	env_files_path(path, directory, "writer.lock");
	*fd = open(path, O_RDONLY | O_CLOEXEC);
	if (*fd < 0) {
		return errno == ENOENT ? OK
				       : env_fail(why, directory, "cannot open writer.lock", errno);
	}
	if (flock(*fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
		errmsg_set(why,
			   "%s: in use by a server, and not readable at the same time because the "
			   "directory is not writable",
			   directory);
		return ERR_BUSY;
	}
	return OK;
}

/* ---- how they were left ---- */

/* Which file, and when it was last written. */
static bool env_files_describe(const char *data, char out[ENV_CLOSED_BYTES])
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

static bool env_files_are_as_closed(const char *directory)
{
	char path[ENV_PATH_BYTES], now[ENV_CLOSED_BYTES] = "", then[ENV_CLOSED_BYTES] = "";
	env_files_path(path, directory, "closed");
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		return false;
	}
	ssize_t n = read(fd, then, sizeof(then) - 1);
	close(fd);
	env_files_path(path, directory, "data.mdb");
	return n > 0 && env_files_describe(path, now) && strcmp(now, then) == 0;
}

static void env_files_write_closed(const char *directory)
{
	char path[ENV_PATH_BYTES], text[ENV_CLOSED_BYTES];
	struct stat st;
	env_files_path(path, directory, "data.mdb");
	/*
	 * The kernel's clock for files is coarse: a write within the step of the last one
	 * would leave the time as it is. So the time is set back by a second, where no
	 * write can leave it.
	 */
	if (stat(path, &st) != 0) {
		return;
	}
	st.st_mtim.tv_sec--;
	const struct timespec times[] = {{.tv_nsec = UTIME_OMIT}, st.st_mtim};
	if (utimensat(AT_FDCWD, path, times, 0) != 0 || !env_files_describe(path, text)) {
		return;
	}
	env_files_path(path, directory, "closed");
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, ENV_FILE_MODE);
	if (fd < 0) {
		return;
	}
	if (write(fd, text, strlen(text)) != (ssize_t)strlen(text)) {
		(void)unlink(path);
	}
	close(fd);
}

/* False where the boot is not known: then an empty mark is all there is. */
static bool env_files_describe_open(const char *directory, struct slice boot,
				    char out[ENV_MARK_BYTES])
{
	char path[ENV_PATH_BYTES];
	struct stat st;
	env_files_path(path, directory, "data.mdb");
	if (boot.len == 0 || boot.len > ENV_BOOT_BYTES_MAX || stat(path, &st) != 0) {
		return false;
	}
	format_to(out, ENV_MARK_BYTES, "%.*s %llu %llu", (int)boot.len, boot.data,
		  (unsigned long long)st.st_dev, (unsigned long long)st.st_ino);
	return true;
}

enum err env_files_mark(const char *directory, struct slice boot, int *fd, enum env_left *left,
			struct errmsg *why)
{
	char path[ENV_PATH_BYTES], now[ENV_MARK_BYTES] = "", then[ENV_MARK_BYTES] = "";
	env_files_path(path, directory, "in-use");
	bool exists = access(path, F_OK) == 0;
	*fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, ENV_FILE_MODE);
	if (*fd < 0) {
		return env_fail(why, directory, "cannot create in-use", errno);
	}
	bool is_same = exists && pread(*fd, then, sizeof(then) - 1, 0) > 0 &&
		       env_files_describe_open(directory, boot, now) && strcmp(now, then) == 0;
	*left = is_same				     ? ENV_LEFT_KILLED
		: exists			     ? ENV_LEFT_UNCLEAN
		: env_files_are_as_closed(directory) ? ENV_LEFT_CLOSED
						     : ENV_LEFT_TOUCHED;
	env_files_distrust(*fd);
	env_files_path(path, directory, "closed");
	(void)unlink(path);
	enum err e = exists ? OK : env_files_sync_directory(directory);
	if (e != OK) {
		errmsg_set(why, "%s: cannot sync the directory", directory);
		env_files_unmark(directory, false);
	}
	return e;
}

void env_files_mark_open(const char *directory, struct slice boot, int fd)
{
	char text[ENV_MARK_BYTES];
	if (env_files_describe_open(directory, boot, text) &&
	    pwrite(fd, text, strlen(text), 0) != (ssize_t)strlen(text)) {
		env_files_distrust(fd);
	}
}

void env_files_distrust(int fd)
{
	int before = errno;
	if (fd >= 0) {
		(void)!ftruncate(fd, 0);
	}
	errno = before;
}

void env_files_unmark(const char *directory, bool is_sound)
{
	char path[ENV_PATH_BYTES];
	if (is_sound) {
		env_files_write_closed(directory);
	}
	env_files_path(path, directory, "in-use");
	(void)unlink(path);
}

/* ---- a new file beside ---- */

enum err env_files_make_temporary(const char *directory, char out[ENV_PATH_BYTES])
{
	env_files_path(out, directory, "new-XXXXXX");
	if (mkdtemp(out) == NULL) {
		return errno == ENOENT || errno == ENOTDIR ? ERR_NOT_FOUND : env_err(errno);
	}
	return OK;
}

/* link() refuses where there are data; rename() would replace them. */
enum err env_files_publish(const char *temporary, const char *directory, struct errmsg *why)
{
	char from[ENV_PATH_BYTES], to[ENV_PATH_BYTES];
	env_files_path(from, temporary, "data.mdb");
	env_files_path(to, directory, "data.mdb");
	if (link(from, to) != 0) {
		if (errno == EEXIST) {
			errmsg_set(why, "%s: already has data", directory);
			return ERR_CONFLICT;
		}
		return env_fail(why, directory, "cannot put data.mdb in place", errno);
	}
	enum err e = env_files_sync_directory(directory);
	if (e != OK) {
		errmsg_set(why, "%s: cannot sync the directory", directory);
		(void)unlink(to);
	}
	return e;
}

void env_files_remove_temporary(const char *temporary)
{
	static const char *const names[] = {"data.mdb", "lock.mdb", "writer.lock"};
	char path[ENV_PATH_BYTES];
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		env_files_path(path, temporary, names[i]);
		(void)unlink(path);
	}
	(void)rmdir(temporary);
}
