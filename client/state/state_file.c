/*
 * state_file.c - reading, setting aside, writing atomically, locking.
 */
#include "client/state/state_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sodium.h>

#include "client/model/memory.h"
#include "proto/base/buf.h"
#include "proto/base/format.h"

static enum err state_io(struct errmsg *why, const char *what, const char *path)
{
	errmsg_set(why, "%s %s: %s", what, path, strerror(errno));
	return ERR_IO;
}

static bool state_keeps_nothing;

void state_file_keep_nothing(void)
{
	state_keeps_nothing = true;
}

/* ---- directories ---- */

static enum err state_check_dir(const char *path, struct errmsg *why)
{
	struct stat st;
	if (stat(path, &st) != 0) {
		return state_io(why, "look at", path);
	}
	if (!S_ISDIR(st.st_mode) || st.st_uid != geteuid()) {
		errmsg_set(why, "%s is not a directory of yours", path);
		return ERR_IO;
	}
	if ((st.st_mode & 077) != 0 && chmod(path, 0700) != 0) {
		return state_io(why, "make private", path);
	}
	return OK;
}

enum err state_make_dir(const char *path, struct errmsg *why)
{
	char part[PATH_MAX];
	size_t len = strlen(path);
	if (state_keeps_nothing) {
		return OK;
	}
	if (len == 0 || len >= sizeof(part)) {
		errmsg_set(why, "the path of a directory is %zu bytes long", len);
		return ERR_IO;
	}
	memcpy(part, path, len + 1);
	for (size_t i = 1; i <= len; i++) {
		if (path[i] != '/' && path[i] != '\0') {
			continue;
		}
		part[i] = '\0';
		if (mkdir(part, 0700) != 0 && errno != EEXIST) {
			return state_io(why, "make", part);
		}
		part[i] = path[i];
	}
	return state_check_dir(path, why);
}

/* ---- reading ---- */

static enum err state_read_all(int fd, struct buf *out)
{
	for (;;) {
		char *room = buf_reserve(out, 4096);
		if (room == NULL) {
			return memory_check(out->error);
		}
		ssize_t n = read(fd, room, 4096);
		if (n < 0 && errno == EINTR) {
			continue;
		}
		if (n <= 0) {
			return n == 0 ? OK : ERR_IO;
		}
		out->len += (size_t)n;
	}
}

static enum err state_set_aside(const char *path, struct errmsg *why)
{
	char aside[PATH_MAX];
	format_to(aside, sizeof(aside), "%s.damaged", path);
	if (rename(path, aside) != 0) {
		return state_io(why, "set the damaged file aside", path);
	}
	errmsg_set(why, "%s is damaged; it was kept as %s", path, aside);
	return OK;
}

static enum err state_parse(const char *path, struct slice text, json_t **out, struct errmsg *why)
{
	*out = json_loadb(text.len == 0 ? "" : text.data, text.len, JSON_REJECT_DUPLICATES, NULL);
	if (json_is_object(*out)) {
		return OK;
	}
	json_decref(*out);
	enum err e = state_set_aside(path, why);
	*out = e == OK ? json_object() : NULL;
	return e;
}

enum err state_file_read(const char *path, json_t **out, struct errmsg *why)
{
	int fd = state_keeps_nothing ? -1 : open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (state_keeps_nothing || (fd < 0 && errno == ENOENT)) {
		*out = json_object();
		return OK;
	}
	if (fd < 0) {
		return state_io(why, "open", path);
	}
	struct buf text;
	buf_init(&text, STATE_FILE_BYTES_MAX + 4096);
	enum err e = state_read_all(fd, &text);
	(void)close(fd);
	if (e == ERR_IO) {
		(void)state_io(why, "read", path);
	} else if (e == OK || e == ERR_TOO_LARGE) {
		e = state_parse(path, buf_slice(&text), out, why);
	}
	buf_finish(&text);
	return e;
}

/* ---- writing ---- */

static bool state_write_all(int fd, const char *data, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, data, len);
		if (n < 0 && errno == EINTR) {
			continue;
		}
		if (n <= 0) {
			return false;
		}
		data += n;
		len -= (size_t)n;
	}
	return true;
}

/* A rename is on disk when its directory is. */
static bool state_sync_dir_of(const char *path)
{
	char dir[PATH_MAX];
	format_to(dir, sizeof(dir), "%s", path);
	char *slash = strrchr(dir, '/');
	if (slash == NULL) {
		return false;
	}
	*slash = '\0';
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool is_synced = fd >= 0 && fsync(fd) == 0;
	if (fd >= 0) {
		(void)close(fd);
	}
	return is_synced;
}

/* With is_safe the disk has it when this returns, and the old content until then. */
static enum err state_replace(const char *path, const char *temporary, const json_t *value,
			      bool is_safe, struct errmsg *why)
{
	char *text = json_dumps(value, JSON_INDENT(1) | JSON_SORT_KEYS);
	if (state_keeps_nothing) {
		free(text);
		return OK;
	}
	if (text == NULL) {
		errmsg_set(why, "the data for %s are not UTF-8", path);
		return ERR_INVALID;
	}
	int fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	bool is_written = fd >= 0 && fchmod(fd, 0600) == 0 &&
			  state_write_all(fd, text, strlen(text)) && (!is_safe || fsync(fd) == 0);
	enum err e = is_written ? OK : state_io(why, "write", temporary);
	free(text);
	if (fd >= 0 && close(fd) != 0 && e == OK) {
		e = state_io(why, "write", temporary);
	}
	if (e == OK && (rename(temporary, path) != 0 || (is_safe && !state_sync_dir_of(path)))) {
		e = state_io(why, "replace", path);
	}
	if (e != OK && fd >= 0) {
		(void)unlink(temporary);
	}
	return e;
}

enum err state_file_write(const char *path, const json_t *value, struct errmsg *why)
{
	char temporary[PATH_MAX];
	format_to(temporary, sizeof(temporary), "%s.new", path);
	return state_replace(path, temporary, value, true, why);
}

enum err state_file_note(const char *path, const json_t *value, struct errmsg *why)
{
	char temporary[PATH_MAX];
	format_to(temporary, sizeof(temporary), "%s.%ld.new", path, (long)getpid());
	return state_replace(path, temporary, value, false, why);
}

void state_file_set(json_t *object, const char *key, const char *text)
{
	(void)json_object_set_new_nocheck(object, key, json_string_nocheck(text));
}

void state_file_get(const json_t *object, const char *key, char *out, size_t cap)
{
	const char *text = json_string_value(json_object_get(object, key));
	format_to(out, cap, "%s", text == NULL ? "" : text);
}

void state_file_path(char out[PATH_MAX], const char *dir, const char *below, const char *whose,
		     const char *end)
{
	unsigned char hash[crypto_generichash_BYTES_MIN];
	char hex[2 * sizeof(hash) + 1];
	(void)crypto_generichash(hash, sizeof(hash), (const unsigned char *)whose, strlen(whose),
				 NULL, 0);
	(void)sodium_bin2hex(hex, sizeof(hex), hash, sizeof(hash));
	format_to(out, PATH_MAX, "%s/%s/%s%s.json", dir, below, hex, end);
}

/* ---- the lock ---- */

enum err state_lock(const char *path, int *fd, struct errmsg *why)
{
	if (state_keeps_nothing) {
		*fd = -1;
		return OK;
	}
	int lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (lock < 0) {
		return state_io(why, "open", path);
	}
	struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	int status;
	do {
		status = fcntl(lock, F_SETLKW, &whole);
	} while (status != 0 && errno == EINTR);
	if (status != 0) {
		enum err e = state_io(why, "lock", path);
		(void)close(lock);
		return e;
	}
	*fd = lock;
	return OK;
}

void state_unlock(int fd)
{
	if (fd >= 0) {
		(void)close(fd); /* which gives the lock back */
	}
}

/* ---- one change under the lock ---- */

enum err state_change_begin(struct state_change *c, const char *dir, struct errmsg *why)
{
	char lock[PATH_MAX];
	format_to(lock, sizeof(lock), "%s/lock", dir);
	enum err e = state_lock(lock, &c->lock, why);
	if (e != OK) {
		return e;
	}
	e = state_file_read(c->path, &c->value, why);
	if (e != OK) {
		state_unlock(c->lock);
	}
	return e;
}

void state_change_close(struct state_change *c)
{
	json_decref(c->value);
	state_unlock(c->lock);
}

enum err state_change_end(struct state_change *c, struct errmsg *why)
{
	enum err e = state_file_write(c->path, c->value, why);
	state_change_close(c);
	return e;
}
