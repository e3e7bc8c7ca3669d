/*
 * data_dir.c - makes and checks the data directory and the server key in it.
 *
 * A new key goes to a file of its own first, is synced, and takes its name by
 * link(2): the name never points at half a key, and of two servers that start
 * at once the second finds the first one's.
 */
#include "server/net/data_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "proto/format.h"
#include "store/lmdb/env_files.h"

#define DATA_DIR_KEY  "server.key"
#define DATA_DIR_DATA "data.mdb"

static enum err data_dir_fail(const char *path, const char *doing, struct errmsg *why)
{
	const char *hint =
		errno == EACCES || errno == EROFS ? "; it must be writable for this user" : "";
	errmsg_set(why, "cannot %s %s: %s%s", doing, path, strerror(errno), hint);
	return ERR_IO;
}

static enum err data_dir_make(const char *path, struct errmsg *why)
{
	char part[PATH_MAX];
	size_t len = strlen(path);
	if (len == 0 || len >= sizeof(part)) {
		errmsg_set(why, "the path of the data directory is empty or too long");
		return ERR_INVALID;
	}
	memcpy(part, path, len + 1);
	for (char *slash = strchr(part + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(part, 0700) != 0 && errno != EEXIST) {
			return data_dir_fail(part, "create", why);
		}
		*slash = '/';
	}
	return mkdir(part, 0700) == 0 || errno == EEXIST ? OK : data_dir_fail(path, "create", why);
}

enum err data_dir_check(const char *path, struct errmsg *why)
{
	struct stat st;
	if (stat(path, &st) != 0) {
		return data_dir_fail(path, "open", why);
	}
	if (!S_ISDIR(st.st_mode)) {
		errmsg_set(why, "%s is not a directory", path);
		return ERR_INVALID;
	}
	if (st.st_uid != geteuid() && geteuid() != 0) {
		errmsg_set(
			why,
			"%s belongs to another user; run as that user or choose another directory",
			path);
		return ERR_INVALID;
	}
	if ((st.st_mode & 077) != 0) {
		errmsg_set(why,
			   "%s is open to other users (mode %04o); `chmod 700` it, or choose "
			   "another directory",
			   path, (unsigned)(st.st_mode & 07777));
		return ERR_INVALID;
	}
	return access(path, R_OK | X_OK) == 0 ? OK : data_dir_fail(path, "use", why);
}

enum err data_dir_open(const char *path, struct errmsg *why)
{
	enum err e = data_dir_make(path, why);
	e = e != OK ? e : data_dir_check(path, why);
	return e != OK || access(path, W_OK) == 0 ? e : data_dir_fail(path, "use", why);
}

static enum err data_dir_read_key(const char *path, unsigned char key[SEED_BYTES],
				  struct errmsg *why)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0) {
		return errno == ENOENT ? ERR_NOT_FOUND : data_dir_fail(path, "read", why);
	}
	struct stat st;
	unsigned char more;
	enum err e = OK;
	if (fstat(fd, &st) != 0) {
		e = data_dir_fail(path, "read", why);
	} else if ((st.st_mode & 077) != 0) {
		errmsg_set(why, "%s is open to other users; `chmod 600` it", path);
		e = ERR_INVALID;
	} else if (read(fd, key, SEED_BYTES) != SEED_BYTES || read(fd, &more, 1) != 0) {
		errmsg_set(why, "%s is damaged (it must have %d bytes); restore it from a backup",
			   path, SEED_BYTES);
		e = ERR_CORRUPT;
	}
	(void)close(fd);
	return e;
}

static bool data_dir_write_key(const char *path)
{
	unsigned char key[SEED_BYTES];
	(void)unlink(path); /* left by an earlier process of this id */
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0) {
		return false;
	}
	randombytes_buf(key, sizeof(key));
	bool done = write(fd, key, sizeof(key)) == (ssize_t)sizeof(key) && fsync(fd) == 0;
	int reason = errno;
	done = close(fd) == 0 && done;
	errno = reason;
	sodium_memzero(key, sizeof(key));
	return done;
}

static enum err data_dir_make_key(const char *dir, const char *path, struct errmsg *why)
{
	char draft[PATH_MAX];
	(void)format_to(draft, sizeof(draft), "%s.%ld", path, (long)getpid());
	bool done = data_dir_write_key(draft) && (link(draft, path) == 0 || errno == EEXIST);
	enum err e = done ? OK : data_dir_fail(path, "create", why);
	(void)unlink(draft);
	/* A new name is on disk only when its directory is. */
	if (e == OK && env_files_sync_directory(dir) != OK) {
		e = data_dir_fail(dir, "sync", why);
	}
	return e;
}

enum err data_dir_key(const char *path, unsigned char key[SEED_BYTES], struct errmsg *why)
{
	char key_path[PATH_MAX];
	char data_path[PATH_MAX];
	size_t room = sizeof(key_path) - 32; /* for the names, and the draft's process id */
	if (strlen(path) >= room) {
		errmsg_set(why, "the path of the data directory is too long");
		return ERR_INVALID;
	}
	(void)format_to(key_path, sizeof(key_path), "%s/" DATA_DIR_KEY, path);
	(void)format_to(data_path, sizeof(data_path), "%s/" DATA_DIR_DATA, path);
	enum err e = data_dir_read_key(key_path, key, why);
	if (e != ERR_NOT_FOUND) {
		return e;
	}
	if (access(data_path, F_OK) == 0) {
		errmsg_set(why,
			   "%s is missing, and the data beside it are worth little without; "
			   "restore it from a backup",
			   key_path);
		return ERR_NOT_FOUND;
	}
	e = data_dir_make_key(path, key_path, why);
	return e != OK ? e : data_dir_read_key(key_path, key, why);
}
