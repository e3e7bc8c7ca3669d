/*
 * admin_restore.c - a backup becomes data.
 *
 * The files are copied into a directory within the new data's and checked there;
 * then they are linked to their names, data.mdb last, whose appearance makes them data.
 * link() refuses a name that exists, however late it came. writer.lock, which a
 * server takes first of all, is held meanwhile.
 */
#include "store/admin/admin.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/admin/admin_check_copy.h"
#include "store/admin/admin_files.h"

#define RESTORE_FILES_MAX 8

/* A backup that is itself served would be copied while it changes. */
static enum err restore_lock_backup(const char *from, int *fd, struct errmsg *why)
{
	char path[ENV_PATH_BYTES];
	env_files_path(path, from, "writer.lock");
	*fd = open(path, O_RDONLY | O_CLOEXEC);
	if (*fd >= 0 && flock(*fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
		errmsg_set(why, "%s: in use by a server; back it up, and restore the backup", from);
		return ERR_BUSY;
	}
	return OK;
}

static enum err restore_fill(const struct admin_copy *c, const char *temporary,
			     struct admin_copied *out, struct errmsg *why)
{
	enum err e = admin_files_copy(c->from, temporary, "data.mdb", c->on_progress, c->arg,
				      &out->bytes, why);
	for (size_t i = 0; c->files[i] != NULL && e == OK; i++) {
		e = admin_files_copy(c->from, temporary, c->files[i], NULL, NULL, &out->bytes, why);
		e = e == ERR_NOT_FOUND ? OK : e;
	}
	return e == OK ? admin_check_copy(c, temporary, &out->counts, why) : e;
}

/* One file to its name in the data directory; *is_new where it was not there already. */
static enum err restore_link(const struct admin_copy *c, const char *temporary, const char *name,
			     bool *is_new, struct errmsg *why)
{
	char draft[ENV_PATH_BYTES], path[ENV_PATH_BYTES];
	struct stat directory;
	*is_new = false;
	env_files_path(draft, temporary, name);
	env_files_path(path, c->to, name);
	if (access(draft, F_OK) != 0) {
		return OK; /* the backup has none */
	}
	if (geteuid() == 0 && (stat(c->to, &directory) != 0 ||
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
	errmsg_set(why, "%s already exists and is not from the backup; move it away first", path);
	return ERR_CONFLICT;
}

static enum err restore_publish(const struct admin_copy *c, const char *temporary,
				struct errmsg *why)
{
	const char *placed[RESTORE_FILES_MAX];
	char path[ENV_PATH_BYTES];
	size_t n = 0;
	enum err e = OK;
	bool is_last = false;
	for (size_t i = 0; !is_last && e == OK; i++) {
		is_last = c->files[i] == NULL || i + 1 == RESTORE_FILES_MAX;
		const char *name = is_last ? "data.mdb" : c->files[i];
		bool is_new;
		if (is_last && env_files_sync_directory(c->to) != OK) {
			e = admin_files_fail(c->to, "cannot sync it", why);
			break;
		}
		e = restore_link(c, temporary, name, &is_new, why);
		if (is_new) {
			placed[n++] = name;
		}
	}
	if (e == OK && env_files_sync_directory(c->to) != OK) {
		e = admin_files_fail(c->to, "cannot sync it", why);
	}
	while (e != OK && n > 0) {
		env_files_path(path, c->to, placed[--n]);
		(void)unlink(path);
	}
	return e;
}

static enum err restore_is_free(const char *to, struct errmsg *why)
{
	bool exists;
	enum err e = env_files_find(to, &exists, why);
	if (e == OK && exists) {
		errmsg_set(why, "%s: already has data; move it away first", to);
		e = ERR_CONFLICT;
	}
	return e;
}

/* In a directory that exists, with writer.lock held. */
static enum err restore_into(const struct admin_copy *c, struct admin_copied *out,
			     struct errmsg *why)
{
	char temporary[ENV_PATH_BYTES];
	struct errmsg ignored;
	int lock;
	enum err e = restore_is_free(c->to, why);
	e = e == OK ? admin_files_begin(c->to, temporary, &lock, why) : e;
	if (e != OK) {
		return e;
	}
	e = restore_fill(c, temporary, out, why);
	if (e == ERR_FULL) {
		errmsg_set(why, "%s: not enough space for the data; nothing was kept", c->to);
	}
	e = e == OK ? restore_publish(c, temporary, why) : e;
	(void)!admin_files_remove(temporary, &ignored);
	close(lock);
	return e;
}

enum err admin_restore(const struct admin_copy *c, struct admin_copied *out, struct errmsg *why)
{
	char path[ENV_PATH_BYTES];
	int backup_lock = -1, data_lock = -1;
	bool exists = false;

	*out = (struct admin_copied){.bytes = 0};
	enum err e = admin_files_are_apart(c->from, c->to, why);
	e = e == OK ? env_files_find(c->from, &exists, why) : e;
	if (e == OK && !exists) {
		errmsg_set(why, "%s: not a backup: it has no data.mdb", c->from);
		e = ERR_NOT_FOUND;
	}
	e = e == OK ? restore_lock_backup(c->from, &backup_lock, why) : e;
	bool is_made = false;
	if (e == OK && env_files_make_directory(c->to, &is_made) != OK) {
		e = admin_files_fail(c->to, "cannot create it", why);
		is_made = false;
	}
	/* A lock that is not there is held by nobody: other data get no file from us. */
	env_files_path(path, c->to, "writer.lock");
	e = e == OK && access(path, F_OK) != 0 ? restore_is_free(c->to, why) : e;
	e = e == OK ? env_files_lock(c->to, &data_lock, why) : e;
	e = e == OK ? restore_into(c, out, why) : e;
	if (is_made && e != OK) {
		env_files_path(path, c->to, "writer.lock");
		(void)unlink(path);
		(void)rmdir(c->to);
	}
	if (data_lock >= 0) {
		close(data_lock);
	}
	if (backup_lock >= 0) {
		close(backup_lock);
	}
	return e;
}
