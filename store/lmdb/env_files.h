/*
 * env_files.h - the files of a data directory, without what is in them.
 *
 *   data.mdb     everything
 *   lock.mdb     LMDB's own: readers, and its writer's mutex
 *   writer.lock  ours: locked by the process that has the data open for writing
 *   in-use       ours: made when the data are opened for writing, removed when they are
 *                closed; one that exists already says that the last writer did not close them
 *   closed       ours: made when the data are closed; describes the file that was closed, so
 *                that one which nothing has touched since need not be walked at the next opening
 *
 * The directory's name may have ENV_PATH_BYTES / 2 bytes, which env_files_find() checks.
 */
#ifndef STORE_LMDB_ENV_FILES_H
#define STORE_LMDB_ENV_FILES_H

#include <stdbool.h>

#include "proto/err.h"

#define ENV_FILE_MODE  0600
#define ENV_PATH_BYTES 4096

/* directory/name, of a directory whose name env_files_find() takes. */
void env_files_path(char out[ENV_PATH_BYTES], const char *directory, const char *name);

/* Whether there is a data.mdb; first of all. LMDB would take an empty one for new, or say only "no such file". *why is set. */
NODISCARD enum err env_files_find(const char *directory, bool *exists, struct errmsg *why);

/* Lock writer.lock, into *fd. ERR_BUSY: another process has. *why is set, also below. */
NODISCARD enum err env_files_lock(const char *directory, int *fd, struct errmsg *why);
/*
 * For a reader: where the directory cannot be written, LMDB's readers cannot announce
 * themselves to a writer, so there must be none, and *has_no_locks turns true.
 */
NODISCARD enum err env_files_lock_out_writers(const char *directory, int *fd, bool *has_no_locks, struct errmsg *why);

/* Make in-use and remove closed; returns whether they existed, and whether the file is as it was closed. */
NODISCARD enum err env_files_mark(const char *directory, bool *was_unclean, bool *was_closed, struct errmsg *why);
/* Remove in-use. is_sound: also make closed; where that fails, the next opening walks the file. */
void env_files_unmark(const char *directory, bool is_sound);

/* fsync a directory, so that files made in it survive a crash. */
NODISCARD enum err env_files_sync_directory(const char *directory);

/* Make a directory beside the data, for a new file that replaces data.mdb when it is whole. ERR_NOT_FOUND, ERR_IO, ...: as errno says. */
NODISCARD enum err env_files_make_temporary(const char *directory, char out[ENV_PATH_BYTES]);
/* Remove it and the data in it. */
void env_files_remove_temporary(const char *temporary);

#endif
