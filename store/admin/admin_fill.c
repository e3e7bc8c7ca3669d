/*
 * admin_fill.c - data appear in a directory when they are complete.
 *
 * The files are made in a directory within the new data's; then they are linked to their names,
 * data.mdb last, whose appearance makes them data. link() refuses a name that exists, however late it came.
 * writer.lock, which a server takes first of all, is held meanwhile.
 */
#include "store/admin/admin.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/admin/admin_files.h"

#define FILL_FILES_MAX 8

_Static_assert(ADMIN_PATH_BYTES == ENV_PATH_BYTES, "the same paths");

enum err admin_hold(const char *directory, int *fd, struct errmsg *why)
{
	char path[ENV_PATH_BYTES];
	env_files_path(path, directory, "writer.lock");
	*fd = open(path, O_RDONLY | O_CLOEXEC);
	if (*fd >= 0 && flock(*fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
		errmsg_set(why, "%s: in use by a server", directory);
		(void)close(*fd);
		*fd = -1;
		return ERR_BUSY;
	}
	return OK;
}

/* One file to its name in the data directory; *is_new where it was not there already. */
static enum err fill_link(const struct admin_fill *f, const char *name, bool *is_new,
			  struct errmsg *why)
{
	char draft[ENV_PATH_BYTES], path[ENV_PATH_BYTES];
	struct stat directory;
	*is_new = false;
	env_files_path(draft, f->temporary, name);
	env_files_path(path, f->to, name);
	if (access(draft, F_OK) != 0) {
		return OK; /* there is none */
	}
	if (geteuid() == 0 && (stat(f->to, &directory) != 0 ||
			       lchown(draft, directory.st_uid, directory.st_gid) != 0)) {
		return admin_files_fail(path, "cannot change its owner", why);
	}
	if (link(draft, path) == 0) {
		*is_new = true;
		return OK;
	}
	if (errno != EEXIST) {
		return admin_files_fail(path, "cannot put it in place", why);
	}
	if (strcmp(name, "data.mdb") != 0 && admin_files_are_equal(draft, path)) {
		return OK;
	}
	errmsg_set(why, "%s already exists and differs from the copied one; move it away first",
		   path);
	return ERR_CONFLICT;
}

static enum err fill_publish(const struct admin_fill *f, struct errmsg *why)
{
	const char *placed[FILL_FILES_MAX];
	char path[ENV_PATH_BYTES];
	size_t n = 0;
	enum err e = OK;
	bool is_last = false;
	for (size_t i = 0; !is_last && e == OK; i++) {
		is_last = f->files[i] == NULL || i + 1 == FILL_FILES_MAX;
		const char *name = is_last ? "data.mdb" : f->files[i];
		bool is_new;
		if (is_last && env_files_sync_directory(f->to) != OK) {
			e = admin_files_fail(f->to, "cannot sync it", why);
			break;
		}
		e = fill_link(f, name, &is_new, why);
		if (is_new) {
			placed[n++] = name;
		}
	}
	if (e == OK && env_files_sync_directory(f->to) != OK) {
		e = admin_files_fail(f->to, "cannot sync it", why);
	}
	while (e != OK && n > 0) {
		env_files_path(path, f->to, placed[--n]);
		(void)unlink(path);
	}
	return e;
}

static enum err fill_is_free(const char *to, struct errmsg *why)
{
	bool exists;
	enum err e = env_files_find(to, &exists, why);
	if (e == OK && exists) {
		errmsg_set(why, "%s: already has data; move it away first", to);
		e = ERR_CONFLICT;
	}
	return e;
}

static void fill_forget(struct admin_fill *f, enum err e)
{
	char path[ENV_PATH_BYTES];
	if (f->is_made && e != OK) {
		env_files_path(path, f->to, "writer.lock");
		(void)unlink(path);
		(void)rmdir(f->to);
	}
	if (f->data_lock >= 0) {
		(void)close(f->data_lock);
	}
}

enum err admin_fill_begin(struct admin_fill *f, const char *to, const char *const *files,
			  struct errmsg *why)
{
	char path[ENV_PATH_BYTES];
	enum err e = OK;
	*f = (struct admin_fill){.to = to, .files = files, .lock = -1, .data_lock = -1};
	if (env_files_make_directory(to, &f->is_made) != OK) {
		e = admin_files_fail(to, "cannot create it", why);
		f->is_made = false;
	}
	/* A lock that is not there is held by nobody: other data get no file from us. */
	env_files_path(path, to, "writer.lock");
	e = e == OK && access(path, F_OK) != 0 ? fill_is_free(to, why) : e;
	e = e == OK ? env_files_lock(to, &f->data_lock, why) : e;
	e = e == OK ? fill_is_free(to, why) : e;
	e = e == OK ? admin_files_begin(to, f->temporary, &f->lock, why) : e;
	if (e != OK) {
		fill_forget(f, e);
	}
	return e;
}

enum err admin_fill_end(struct admin_fill *f, enum err filled, struct errmsg *why)
{
	struct errmsg ignored;
	enum err e = filled == OK ? fill_publish(f, why) : filled;
	(void)!admin_files_remove(f->temporary, &ignored);
	(void)close(f->lock);
	fill_forget(f, e);
	return e;
}
