/*
 * key_file.c - reads and makes the file of a server's key; `ayed key`.
 *
 * A new file goes to a name of its own first, is synced, and takes its name by link(2): the name
 * never points at half a key, and of two servers that start at once the second finds the first
 * one's.
 */
#include "server/cli/commands/key_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "proto/base/format.h"
#include "server/cli/options.h"
#include "store/lmdb/env_files.h"

_Static_assert(KEY_FILE_PATH_MAX + 10 < PATH_MAX, "with the process id of a draft");

static enum err key_file_fail(const char *path, const char *doing, struct errmsg *why)
{
	errmsg_set(why, "cannot %s %s: %s%s", doing, path, strerror(errno),
		   errno == EACCES || errno == EROFS ? "; check its owner and mode" : "");
	return ERR_IO;
}

enum err key_file_read(const char *path, unsigned char key[SEED_BYTES], struct errmsg *why)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0) {
		return errno == ENOENT ? ERR_NOT_FOUND : key_file_fail(path, "read", why);
	}
	struct stat st;
	unsigned char more;
	enum err e = OK;
	if (fstat(fd, &st) != 0) {
		e = key_file_fail(path, "read", why);
	} else if ((st.st_mode & 077) != 0) {
		errmsg_set(why, "%s is open to other users; `chmod 600` it", path);
		e = ERR_INVALID;
	} else if (!S_ISREG(st.st_mode) || read(fd, key, SEED_BYTES) != SEED_BYTES ||
		   read(fd, &more, 1) != 0) {
		errmsg_set(why, "%s is damaged (it must have %d bytes); restore it from a backup",
			   path, SEED_BYTES);
		e = ERR_CORRUPT;
	}
	(void)close(fd);
	return e;
}

static bool key_file_write(const char *path, struct slice bytes)
{
	(void)unlink(path); /* left by an earlier process of this id */
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0) {
		return false;
	}
	bool done = write(fd, bytes.data, bytes.len) == (ssize_t)bytes.len && fsync(fd) == 0;
	int reason = errno;
	done = close(fd) == 0 && done;
	errno = reason;
	return done;
}

enum err key_file_put(const char *path, struct slice bytes, bool *is_new, struct errmsg *why)
{
	char draft[PATH_MAX];
	char dir[PATH_MAX];
	const char *slash = strrchr(path, '/');
	(void)format_to(draft, sizeof(draft), "%s.%ld", path, (long)getpid());
	(void)format_to(dir, sizeof(dir), "%.*s", slash == NULL ? 1 : (int)(slash - path) + 1,
			slash == NULL ? "." : path);
	bool is_written = key_file_write(draft, bytes);
	*is_new = is_written && link(draft, path) == 0;
	enum err e = *is_new || (is_written && errno == EEXIST)
			     ? OK
			     : key_file_fail(path, "create", why);
	(void)unlink(draft);
	/* A new name is on disk only when its directory is. */
	if (e == OK && env_files_sync_directory(dir) != OK) {
		e = key_file_fail(dir, "sync", why);
		if (*is_new) {
			(void)unlink(path); /* or the next start would take it for safe */
		}
	}
	return e;
}

struct key_text key_file_check(const unsigned char key[SEED_BYTES])
{
	return key_hash(key, "data", SLICE("whose data these are"));
}

/* ---- ayed key ---- */

static enum err key_file_new(const char *path, unsigned char key[SEED_BYTES], struct errmsg *why)
{
	bool is_new;
	randombytes_buf(key, SEED_BYTES);
	enum err e = key_file_put(path, slice_of(key, SEED_BYTES), &is_new, why);
	if (e == OK && !is_new) {
		errmsg_set(why, "%s exists already, and data may need it; choose a different file",
			   path);
		e = ERR_CONFLICT;
	}
	return e;
}

enum err key_file_cmd(const struct options *o, struct errmsg *why)
{
	const char *doing = o->words[0];
	const char *path = o->words[1];
	unsigned char key[SEED_BYTES];
	enum err e = ERR_INVALID;
	if (strlen(path) > KEY_FILE_PATH_MAX) {
		errmsg_set(why, "the path of the key is too long");
	} else if (strcmp(doing, "new") == 0) {
		e = key_file_new(path, key, why);
	} else if (strcmp(doing, "show") == 0) {
		e = key_file_read(path, key, why);
		if (e == ERR_NOT_FOUND) {
			errmsg_set(why, "%s not found; `ayed key new %s` creates a key", path,
				   path);
		}
	} else {
		errmsg_set(why, "ayed key takes new or show, not '%.20s'", doing);
	}
	if (e == OK) {
		struct key_text check = key_file_check(key);
		(void)puts(check.text);
	}
	sodium_memzero(key, sizeof(key));
	return e;
}
