/*
 * admin_files.h - the files of a backup, without what is in them.
 *
 * A copy is made in a directory with a name of its own beside its place, locked while
 * its maker lives, so that one left by a maker that was killed is known and removed.
 * Errors go into *why, as everywhere; ERR_FULL, ERR_IO as errno says.
 */
#ifndef STORE_ADMIN_ADMIN_FILES_H
#define STORE_ADMIN_ADMIN_FILES_H

#include "proto/base/err.h"
#include "store/admin/admin.h"
#include "store/lmdb/env_files.h"

/* "path: what: text of errno" into *why. */
enum err admin_files_fail(const char *path, const char *what, struct errmsg *why);

/* ERR_CONFLICT where `to`, which need not exist, is `from` or lies in it; ERR_NOT_FOUND where one cannot be. */
NODISCARD enum err admin_files_are_apart(const char *from, const char *to, struct errmsg *why);

/* Make the locked directory in `parent`, after removing those of dead makers; close *fd at the end. */
NODISCARD enum err admin_files_begin(const char *parent, char out[ENV_PATH_BYTES], int *fd, struct errmsg *why);

/* Copy one file, mode 0600, and sync it; adds to *bytes. ERR_NOT_FOUND: there is none; ERR_CLOSED: on_progress (may be NULL) says so. */
NODISCARD enum err admin_files_copy(const char *from, const char *to, const char *name,
				    admin_progress_cb *on_progress, void *arg, uint64_t *bytes,
				    struct errmsg *why);

/* Whether two files have the same content. */
bool admin_files_are_equal(const char *one, const char *other);

/* Remove a directory and the files in it, data.mdb last. A link to one is refused. */
NODISCARD enum err admin_files_remove(const char *directory, struct errmsg *why);

/* Rename a directory to what begin() would remove, then remove it: never half a backup under a backup's name. */
NODISCARD enum err admin_files_discard(const char *directory, struct errmsg *why);

#endif
