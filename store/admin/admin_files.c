/*
 * admin_files.c - see admin_files.h.
 */
#include "store/admin/admin_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "proto/base/format.h"
#include "store/lmdb/env_lmdb.h"

#define FILES_UNFINISHED  ".ayed-unfinished-"
#define FILES_COPY_BYTES  ((size_t)1 << 20)
#define FILES_EQUAL_BYTES 4096
/* A link of somebody's in a directory that others write to leads to files that are not ours. */
#define FILES_OPEN_DIRECTORY (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

enum err admin_files_fail(const char *path, const char *what, struct errmsg *why)
{
	int code = errno;
	errmsg_set(why, "%s: %s: %s", path, what, strerror(code));
	return code == ENOENT || code == ENOTDIR ? ERR_NOT_FOUND : env_err(code);
}

/* Upwards from `to` till the root, which is its own parent: names of links and mounts do not matter. */
enum err admin_files_are_apart(const char *from, const char *to, struct errmsg *why)
{
	char path[ENV_PATH_BYTES];
	struct stat data, at, below = {.st_ino = 0};
	if (strlen(from) > ENV_PATH_BYTES / 2 || strlen(to) > ENV_PATH_BYTES / 2) {
		errmsg_set(why, "the directory's name is too long");
		return ERR_INVALID;
	}
	if (stat(from, &data) != 0) {
		return admin_files_fail(from, "cannot use it", why);
	}
	format_to(path, sizeof(path), "%s", to);
	if (stat(path, &at) != 0) {
		env_files_parent(to, path);
		if (stat(path, &at) != 0) {
			return admin_files_fail(path, "cannot write to it", why);
		}
	}
	for (size_t len = strlen(path); len + strlen("/..") < sizeof(path); len = strlen(path)) {
		if (at.st_dev == data.st_dev && at.st_ino == data.st_ino) {
			errmsg_set(why,
				   "%s is %s itself or inside it; choose a directory elsewhere", to,
				   from);
			return ERR_CONFLICT;
		}
		if (at.st_dev == below.st_dev && at.st_ino == below.st_ino) {
			return OK;
		}
		below = at;
		format_to(path + len, sizeof(path) - len, "/..");
		if (stat(path, &at) != 0) {
			return OK; /* not ours to look into: then nothing of ours is above */
		}
	}
	return OK;
}

/* ---- directories ---- */

/* By its descriptor: what is emptied is what was opened, whatever has its name meanwhile. */
static bool files_empty(int directory)
{
	int fd = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *all = fd < 0 ? NULL : fdopendir(fd);
	if (all == NULL) {
		if (fd >= 0) {
			close(fd);
		}
		return false;
	}
	for (struct dirent *entry; (entry = readdir(all)) != NULL;) {
		if (strcmp(entry->d_name, "data.mdb") != 0) {
			(void)unlinkat(directory, entry->d_name, 0); /* what stays, rmdir() names */
		}
	}
	(void)closedir(all);
	(void)unlinkat(directory, "data.mdb", 0);
	return true;
}

enum err admin_files_remove(const char *directory, struct errmsg *why)
{
	int fd = open(directory, FILES_OPEN_DIRECTORY);
	enum err e = fd >= 0 && files_empty(fd) && rmdir(directory) == 0
			     ? OK
			     : admin_files_fail(directory, "cannot remove it", why);
	if (fd >= 0) {
		close(fd);
	}
	return e;
}

enum err admin_files_discard(const char *directory, struct errmsg *why)
{
	char parent[ENV_PATH_BYTES], draft[ENV_PATH_BYTES];
	env_files_parent(directory, parent);
	env_files_path(draft, parent, FILES_UNFINISHED "XXXXXX");
	/* rename() takes the place of an empty directory. */
	if (mkdtemp(draft) == NULL || rename(directory, draft) != 0) {
		enum err e = admin_files_fail(directory, "cannot remove it", why);
		(void)rmdir(draft);
		return e;
	}
	enum err e = admin_files_remove(draft, why);
	e = e == ERR_NOT_FOUND ? OK : e; /* the begin() of another backup was faster */
	return e != OK ? e : env_files_sync_directory(parent);
}

/*
 * Whether its maker is dead: it is ours, and still has its name once we have its lock. A
 * maker that finishes renames it first. An empty one may be about to be locked, and costs nothing.
 */
static bool files_is_left(int fd, const char *path)
{
	struct stat opened, named;
	return faccessat(fd, "data.mdb", F_OK, 0) == 0 && flock(fd, LOCK_EX | LOCK_NB) == 0 &&
	       fstat(fd, &opened) == 0 && lstat(path, &named) == 0 && opened.st_uid == geteuid() &&
	       opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

static void files_remove_unfinished(const char *parent)
{
	char path[ENV_PATH_BYTES];
	DIR *all = opendir(parent);
	for (struct dirent *entry; all != NULL && (entry = readdir(all)) != NULL;) {
		if (strncmp(entry->d_name, FILES_UNFINISHED, strlen(FILES_UNFINISHED)) != 0) {
			continue;
		}
		env_files_path(path, parent, entry->d_name);
		int fd = open(path, FILES_OPEN_DIRECTORY);
		if (fd >= 0 && files_is_left(fd, path) && files_empty(fd)) {
			(void)rmdir(path); /* where it fails, the next backup tries again */
		}
		if (fd >= 0) {
			close(fd);
		}
	}
	if (all != NULL) {
		(void)closedir(all);
	}
}

enum err admin_files_are_finished(const char *directory, struct errmsg *why)
{
	bool has_data, is_left = false;
	enum err e = env_files_find(directory, &has_data, why);
	DIR *all = e == OK && !has_data ? opendir(directory) : NULL;
	for (struct dirent *entry; all != NULL && !is_left && (entry = readdir(all)) != NULL;) {
		is_left = strncmp(entry->d_name, FILES_UNFINISHED, strlen(FILES_UNFINISHED)) == 0;
		if (is_left) {
			errmsg_set(why,
				   "%s has no data but an unfinished copy: run `ayed copy` or "
				   "`ayed restore` "
				   "again, or remove %s/%s",
				   directory, directory, entry->d_name);
		}
	}
	if (all != NULL) {
		(void)closedir(all);
	}
	return is_left ? ERR_CONFLICT : e;
}

enum err admin_files_begin(const char *parent, char out[ENV_PATH_BYTES], int *fd,
			   struct errmsg *why)
{
	files_remove_unfinished(parent);
	env_files_path(out, parent, FILES_UNFINISHED "XXXXXX");
	if (mkdtemp(out) == NULL) {
		return admin_files_fail(parent, "cannot create a directory in it", why);
	}
	*fd = open(out, FILES_OPEN_DIRECTORY);
	if (*fd < 0 || flock(*fd, LOCK_EX | LOCK_NB) != 0) {
		enum err e = admin_files_fail(out, "cannot lock it", why);
		if (*fd >= 0) {
			close(*fd);
		}
		(void)rmdir(out);
		return e;
	}
	return OK;
}

/* ---- files ---- */

static bool files_write(int fd, const char *at, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, at, len);
		if (n < 0 && errno == EINTR) {
			continue;
		}
		if (n <= 0) {
			return false;
		}
		at += n;
		len -= (size_t)n;
	}
	return true;
}

enum err admin_files_copy(const char *from, const char *to, const char *name,
			  admin_progress_cb *on_progress, void *arg, uint64_t *bytes,
			  struct errmsg *why)
{
	char path[ENV_PATH_BYTES];
	struct stat st;
	env_files_path(path, from, name);
	int in = open(path, O_RDONLY | O_CLOEXEC);
	if (in < 0 || fstat(in, &st) != 0) {
		enum err e = admin_files_fail(path, "cannot read it", why);
		if (in >= 0) {
			close(in);
		}
		return e;
	}
	char *buffer = malloc(FILES_COPY_BYTES);
	env_files_path(path, to, name);
	int out = buffer == NULL
			  ? -1
			  : open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, ENV_FILE_MODE);
	uint64_t done = 0;
	enum err e = buffer == NULL ? ERR_NOMEM
		     : out < 0	    ? admin_files_fail(path, "cannot create it", why)
				    : OK;
	while (e == OK) {
		ssize_t n = read(in, buffer, FILES_COPY_BYTES);
		if (n < 0 && errno == EINTR) {
			n = 0;
		} else if (n == 0) {
			break;
		}
		if (n < 0) {
			e = admin_files_fail(name, "cannot read it", why);
		} else if (!files_write(out, buffer, (size_t)n)) {
			e = admin_files_fail(path, "cannot write it", why);
		} else {
			done += (uint64_t)n;
			bool goes_on = on_progress == NULL ||
				       on_progress(arg, ADMIN_COPYING, done, (uint64_t)st.st_size);
			e = goes_on ? OK : ERR_CLOSED;
		}
	}
	if (e == OK && fsync(out) != 0) {
		e = admin_files_fail(path, "cannot sync it", why);
	}
	if (e == ERR_CLOSED || e == ERR_NOMEM) {
		errmsg_set(why, e == ERR_CLOSED ? "stopped" : "out of memory");
	}
	if (out >= 0 && close(out) != 0 && e == OK) {
		e = admin_files_fail(path, "cannot write it", why);
	}
	close(in);
	free(buffer);
	*bytes += done;
	return e;
}

bool admin_files_are_equal(const char *one, const char *other)
{
	char a[FILES_EQUAL_BYTES], b[FILES_EQUAL_BYTES];
	int fds[2] = {open(one, O_RDONLY | O_CLOEXEC), open(other, O_RDONLY | O_CLOEXEC)};
	ssize_t n = 0;
	bool is_equal = fds[0] >= 0 && fds[1] >= 0;
	do {
		n = is_equal ? read(fds[0], a, sizeof(a)) : 0;
		is_equal = is_equal && n >= 0 && read(fds[1], b, sizeof(b)) == n &&
			   memcmp(a, b, (size_t)n) == 0;
	} while (is_equal && n > 0);
	for (size_t i = 0; i < 2; i++) {
		if (fds[i] >= 0) {
			close(fds[i]);
		}
	}
	return is_equal;
}
