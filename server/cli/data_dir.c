/*
 * data_dir.c - makes and checks the data directory, the server key and the certificate in it.
 */
#include "server/cli/data_dir.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "proto/base/format.h"
#include "proto/tls/tls.h"
#include "server/cli/commands/key_file.h"
#include "store/lmdb/env_files.h"

#define DATA_DIR_KEY  "server.key"
#define DATA_DIR_DATA "data.mdb"
#define DATA_DIR_TLS  "tls.pem"

const char *const data_dir_files[] = {DATA_DIR_KEY, DATA_DIR_TLS, NULL};

static enum err data_dir_fail(const char *path, const char *doing, struct errmsg *why)
{
	const char *hint =
		errno == EACCES || errno == EROFS ? "; this user needs write permission" : "";
	errmsg_set(why, "cannot %s %s: %s%s", doing, path, strerror(errno), hint);
	return ERR_IO;
}

/* Synced into the one above: what is acknowledged later would go with it. */
static enum err data_dir_make_one(const char *path, struct errmsg *why)
{
	bool is_made;
	return env_files_make_directory(path, &is_made) == OK ? OK
							      : data_dir_fail(path, "create", why);
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
		enum err e = data_dir_make_one(part, why);
		if (e != OK) {
			return e;
		}
		*slash = '/';
	}
	return data_dir_make_one(path, why);
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

static enum err data_dir_paths(const char *path, char key[PATH_MAX], char data[PATH_MAX],
			       struct errmsg *why)
{
	size_t room = PATH_MAX - 32; /* for the names, and the draft's process id */
	if (strlen(path) >= room) {
		errmsg_set(why, "the path of the data directory is too long");
		return ERR_INVALID;
	}
	(void)format_to(key, PATH_MAX, "%s/" DATA_DIR_KEY, path);
	(void)format_to(data, PATH_MAX, "%s/" DATA_DIR_DATA, path);
	return OK;
}

static enum err data_dir_key_is_missing(const char *key_path, struct errmsg *why)
{
	errmsg_set(why, "%s is missing, and the data need it; restore it from a backup", key_path);
	return ERR_NOT_FOUND;
}

enum err data_dir_key(const char *path, unsigned char key[SEED_BYTES], struct errmsg *why)
{
	char key_path[PATH_MAX];
	char data_path[PATH_MAX];
	enum err e = data_dir_paths(path, key_path, data_path, why);
	e = e == OK ? key_file_read(key_path, key, why) : e;
	if (e != ERR_NOT_FOUND) {
		return e;
	}
	if (access(data_path, F_OK) == 0) {
		return data_dir_key_is_missing(key_path, why);
	}
	randombytes_buf(key, SEED_BYTES);
	bool is_new;
	e = key_file_put(key_path, slice_of(key, SEED_BYTES), &is_new, why);
	return e != OK ? e : key_file_read(key_path, key, why);
}

enum err data_dir_read_owner(const char *path, struct key_text *out, struct errmsg *why)
{
	char key_path[PATH_MAX];
	char data_path[PATH_MAX];
	unsigned char key[SEED_BYTES];
	enum err e = data_dir_paths(path, key_path, data_path, why);
	if (e == OK && access(data_path, F_OK) != 0) {
		e = data_dir_fail(data_path, "read", why);
		e = errno == ENOENT ? ERR_NOT_FOUND : e;
	}
	if (e == OK) {
		e = key_file_read(key_path, key, why);
		e = e == ERR_NOT_FOUND ? data_dir_key_is_missing(key_path, why) : e;
	}
	if (e == OK) {
		*out = key_file_check(key);
		sodium_memzero(key, sizeof(key));
	}
	return e;
}

void data_dir_boot(char out[DATA_DIR_BOOT_BYTES])
{
	const char *given = getenv("AYED_BOOT_ID");
	char id[DATA_DIR_BOOT_BYTES] = "";
	if (given != NULL) {
		(void)format_to(id, sizeof(id), "%s", given);
	} else {
		int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
		ssize_t n = fd < 0 ? 0 : read(fd, id, sizeof(id) - 1);
		id[n < 0 ? 0 : n] = '\0';
		if (fd >= 0) {
			(void)close(fd);
		}
	}
	size_t len = 0;
	for (const char *at = id; *at != '\0'; at++) {
		if (isalnum((unsigned char)*at)) {
			out[len++] = *at;
		}
	}
	out[len] = '\0';
}

/* ---- the certificate ---- */

enum err data_dir_read_file(const char *path, bool is_secret, struct buf *out, struct errmsg *why)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	enum err e = OK;
	if (fd < 0 && errno == ENOENT) {
		errmsg_set(why, "%s not found", path);
		return ERR_NOT_FOUND;
	}
	if (fd < 0) {
		return data_dir_fail(path, "read", why);
	}
	if (fstat(fd, &st) != 0) {
		e = data_dir_fail(path, "read", why);
	} else if (!S_ISREG(st.st_mode) || st.st_size > DATA_DIR_FILE_BYTES_MAX) {
		errmsg_set(why, "%s is not a file of at most %d bytes", path,
			   DATA_DIR_FILE_BYTES_MAX);
		e = ERR_INVALID;
	} else if (is_secret && (st.st_mode & S_IRWXO) != 0) {
		errmsg_set(why, "%s is readable by other users; `chmod 600` it", path);
		e = ERR_INVALID;
	}
	char *room = e == OK ? buf_reserve(out, DATA_DIR_FILE_BYTES_MAX) : NULL;
	ssize_t n = room == NULL ? 0 : read(fd, room, DATA_DIR_FILE_BYTES_MAX);
	if (e == OK && room == NULL) {
		errmsg_set(why, "out of memory");
		e = ERR_NOMEM;
	} else if (n < 0) {
		e = data_dir_fail(path, "read", why);
	} else {
		out->len += (size_t)n;
	}
	(void)close(fd);
	return e;
}

enum err data_dir_certificate(const char *path, struct buf *pem, struct errmsg *why)
{
	char file[PATH_MAX];
	if (strlen(path) >= sizeof(file) - 32) {
		errmsg_set(why, "the path of the data directory is too long");
		return ERR_INVALID;
	}
	(void)format_to(file, sizeof(file), "%s/" DATA_DIR_TLS, path);
	enum err e = data_dir_read_file(file, true, pem, why);
	if (e != ERR_NOT_FOUND) {
		return e;
	}
	struct buf made;
	buf_init(&made, DATA_DIR_FILE_BYTES_MAX);
	e = tls_make_certificate(&made, &made);
	if (e != OK) {
		errmsg_set(why, "cannot create a certificate: %s", err_text(e));
	}
	bool is_new;
	e = e != OK ? e : key_file_put(file, buf_slice(&made), &is_new, why);
	if (made.data != NULL) {
		sodium_memzero(made.data, made.capacity);
	}
	buf_finish(&made);
	return e != OK ? e : data_dir_read_file(file, true, pem, why);
}
