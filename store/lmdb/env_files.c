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

#include "proto/format.h"
#include "store/lmdb/env_lmdb.h"

#define ENV_CLOSED_BYTES 96

void env_files_path(char out[ENV_PATH_BYTES], const char *directory, const char *name)
{
	format_to(out, ENV_PATH_BYTES, "%s/%s", directory, name);
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
			   "%s: data.mdb is empty, and was not when it was made; restore it from a "
			   "backup, or remove it to begin with no data",
			   directory);
		return ERR_CORRUPT;
	}
	return OK;
}

/* ---- locks ---- */

/*
 * What root makes in the directory of a server's user has to be that user's, or the server could not open it.
 * O_NOFOLLOW, as that user could have put a link there, to a file that is not theirs.
 */
static void env_files_give(int fd, const char *directory)
{
	struct stat st;
	if (geteuid() == 0 && stat(directory, &st) == 0 && st.st_uid != 0) {
		(void)!fchown(fd, st.st_uid, st.st_gid);
	}
}

enum err env_files_lock(const char *directory, int *fd, struct errmsg *why)
{
	char path[ENV_PATH_BYTES];
	env_files_path(path, directory, "writer.lock");
	*fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, ENV_FILE_MODE);
	if (*fd < 0) {
		return env_fail(why, directory, "cannot make writer.lock", errno);
	}
	env_files_give(*fd, directory);
	if (flock(*fd, LOCK_EX | LOCK_NB) != 0) {
		if (errno == EWOULDBLOCK) {
			errmsg_set(why, "%s: another server has these data open", directory);
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
	int lock_mdb = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, ENV_FILE_MODE);
	if (lock_mdb >= 0) {
		env_files_give(lock_mdb, directory);
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
			   "%s: a server has these data open, and they cannot be read beside it "
			   "where the directory is not writable",
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

enum err env_files_mark(const char *directory, bool *was_unclean, bool *was_closed,
			struct errmsg *why)
{
	char path[ENV_PATH_BYTES];
	env_files_path(path, directory, "in-use");
	bool exists = access(path, F_OK) == 0;
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, ENV_FILE_MODE);
	if (fd < 0) {
		return env_fail(why, directory, "cannot make in-use", errno);
	}
	close(fd);
	*was_unclean = exists;
	*was_closed = !exists && env_files_are_as_closed(directory);
	env_files_path(path, directory, "closed");
	(void)unlink(path);
	enum err e = exists ? OK : env_files_sync_directory(directory);
	if (e != OK) {
		errmsg_set(why, "%s: cannot sync the directory", directory);
		env_files_unmark(directory, false);
	}
	return e;
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
