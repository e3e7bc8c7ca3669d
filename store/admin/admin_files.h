/*
 * admin_files.h - the files of a backup, without their contents.
 *
 * A copy is made in a directory with a temporary name next to its destination, which is locked
 * while its process lives, so that the directory of a killed process is recognised and removed.
 * Every error sets *why; ERR_FULL, ERR_IO: according to errno.
 */
#ifndef STORE_ADMIN_ADMIN_FILES_H
#define STORE_ADMIN_ADMIN_FILES_H

#include "proto/base/err.h"
#include "store/admin/admin.h"
#include "store/lmdb/env_files.h"

/* Write "path: what: text of errno" to *why, and return the error for errno. */
enum err admin_files_fail(const char *path, const char *what, struct errmsg *why);

/*
 * Check that `to`, which need not exist, is not `from` or inside it: ERR_CONFLICT. ERR_NOT_FOUND:
 * one of them cannot exist.
 */
NODISCARD enum err admin_files_are_apart(const char *from, const char *to, struct errmsg *why);

/*
 * Create the locked directory in `parent`, after removing those of dead processes; close *fd at
 * the end.
 */
NODISCARD enum err admin_files_begin(const char *parent, char out[ENV_PATH_BYTES], int *fd, struct errmsg *why);

/*
 * Find out whether a directory without data has those of a copy or a restoration that did not come to its end: under
 * way, or left by a killed process. ERR_CONFLICT: it has; *why says what to do. ERR_IO.
 */
NODISCARD enum err admin_files_are_finished(const char *directory, struct errmsg *why);

/*
 * Copy one file, mode 0600, and sync it; adds to *bytes. ERR_NOT_FOUND: it does not exist;
 * ERR_CLOSED: ended by on_progress, which may be NULL.
 */
NODISCARD enum err admin_files_copy(const char *from, const char *to, const char *name,
				    admin_progress_cb *on_progress, void *arg, uint64_t *bytes,
				    struct errmsg *why);

/* Return whether two files have the same content. */
bool admin_files_are_equal(const char *one, const char *other);

/* Remove a directory and the files in it, data.mdb last. A symbolic link to one is refused. */
NODISCARD enum err admin_files_remove(const char *directory, struct errmsg *why);

/*
 * Rename a directory to a name that admin_files_begin() would remove, then remove it: so no
 * partial backup ever has a backup's name.
 */
NODISCARD enum err admin_files_discard(const char *directory, struct errmsg *why);

#endif
