/*
 * env_files.h - the files of a data directory, without their contents.
 *
 *   data.mdb     all data
 *   lock.mdb     LMDB's own: table of readers, and the writer's mutex
 *   writer.lock  locked by the process that has the data open for writing
 *   in-use       created when the data are opened for writing, removed when they are closed. If it
 *                exists already, the last writer did not close them. Once the data are open it
 *                names the boot of the machine and the file: a writer that was killed in the same
 *                boot left the file as LMDB wrote it
 *   closed       created when the data are closed; describes the closed file, so that its pages
 *                need not be checked at the next opening if nothing has touched it since
 *
 * The name of the directory may have ENV_PATH_BYTES / 2 bytes, which env_files_find() checks.
 */
#ifndef STORE_LMDB_ENV_FILES_H
#define STORE_LMDB_ENV_FILES_H

#include <stdbool.h>

#include "proto/base/err.h"
#include "proto/base/slice.h"

#define ENV_FILE_MODE	   0600
#define ENV_BOOT_BYTES_MAX 64 /* longest name of a boot */
#define ENV_PATH_BYTES 4096

/* Write "directory/name", for a directory name that env_files_find() accepts. */
void env_files_path(char out[ENV_PATH_BYTES], const char *directory, const char *name);

/*
 * Find out whether there is a data.mdb. Call this first: LMDB would treat an empty file as new
 * data, or only report "no such file". *why is set on error.
 */
NODISCARD enum err env_files_find(const char *directory, bool *exists, struct errmsg *why);

/*
 * Lock writer.lock and return its descriptor in *fd. ERR_BUSY: another process has locked it.
 * *why is set on error, also below.
 */
NODISCARD enum err env_files_lock(const char *directory, int *fd, struct errmsg *why);
/*
 * For a reader: if the directory is not writable, LMDB's readers cannot announce themselves to a
 * writer, so there must be no writer: lock it out, and set *has_no_locks.
 */
NODISCARD enum err env_files_lock_out_writers(const char *directory, int *fd, bool *has_no_locks, struct errmsg *why);

/* How the last writer left the data. */
enum env_left {
	ENV_LEFT_CLOSED,  /* it closed them, and nothing has touched the file since */
	ENV_LEFT_TOUCHED, /* it closed them, but the file has changed since, or that is not known */
	/* it was killed, in this boot of the machine: nothing that it wrote is missing */
	ENV_LEFT_KILLED,
	ENV_LEFT_UNCLEAN, /* it ended otherwise: the machine went down, or a page is damaged */
};

/*
 * Create in-use, which is empty until env_files_mark_open(), and remove closed. boot: as in
 * store_lmdb_options.
 */
NODISCARD enum err env_files_mark(const char *directory, struct slice boot, int *fd, enum env_left *left, struct errmsg *why);
/* Write in-use: the data are open, and their pages are consistent as far as known. */
void env_files_mark_open(const char *directory, struct slice boot, int fd);
/*
 * The pages may be damaged: unless the data are closed, the next opening checks all pages.
 * Async-signal-safe.
 */
void env_files_distrust(int fd);
/* Remove in-use. is_sound: also create closed; if that fails, the next opening checks all pages. */
void env_files_unmark(const char *directory, bool is_sound);

/* Write the parent directory of a path. */
void env_files_parent(const char *path, char out[ENV_PATH_BYTES]);
/*
 * Create a directory private to this user, and sync its parent. *is_made: it did not exist. On
 * failure it does not exist, and errno has the reason.
 */
NODISCARD enum err env_files_make_directory(const char *path, bool *is_made);
/* fsync a directory, so that files created in it survive a crash. */
NODISCARD enum err env_files_sync_directory(const char *directory);

/*
 * Create a directory next to the data, for a new file that becomes data.mdb when it is complete.
 * ERR_NOT_FOUND, ERR_IO, ...: according to errno.
 */
NODISCARD enum err env_files_make_temporary(const char *directory, char out[ENV_PATH_BYTES]);
/*
 * Move its data.mdb, which is synced, into a directory that has none. ERR_CONFLICT: there is one,
 * even if it was created just now.
 */
NODISCARD enum err env_files_publish(const char *temporary, const char *directory, struct errmsg *why);
/* Remove the temporary directory and the data in it. */
void env_files_remove_temporary(const char *temporary);

#endif
