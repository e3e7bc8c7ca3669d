/*
 * env_files.h - the files of a data directory, without what is in them.
 *
 *   data.mdb     everything
 *   lock.mdb     LMDB's own: readers, and its writer's mutex
 *   writer.lock  ours: locked by the process that has the data open for writing
 *   in-use       ours: made when the data are opened for writing, removed when they are
 *                closed; one that exists already says that the last writer did not close them.
 *                Once they are open it names the boot of the machine and the file: a writer that was
 *                killed in the same one left the file as LMDB wrote it
 *   closed       ours: made when the data are closed; describes the file that was closed, so
 *                that one which nothing has touched since need not be walked at the next opening
 *
 * The directory's name may have ENV_PATH_BYTES / 2 bytes, which env_files_find() checks.
 */
#ifndef STORE_LMDB_ENV_FILES_H
#define STORE_LMDB_ENV_FILES_H

#include <stdbool.h>

#include "proto/base/err.h"
#include "proto/base/slice.h"

#define ENV_FILE_MODE	   0600
#define ENV_BOOT_BYTES_MAX 64 /* of the name of a boot */
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

/* How the last writer left the data. */
enum env_left {
	ENV_LEFT_CLOSED,  /* it closed them, and nothing has touched the file since */
	ENV_LEFT_TOUCHED, /* it closed them, but the file is not as it left it, or that is not known */
	ENV_LEFT_KILLED,  /* it was killed, in this boot of the machine: nothing it wrote is missing */
	ENV_LEFT_UNCLEAN, /* it ended otherwise: the machine went down, or a page is damaged */
};

/* Make in-use, which is empty until env_files_mark_open(), and remove closed. boot: as store_lmdb_options. */
NODISCARD enum err env_files_mark(const char *directory, struct slice boot, int *fd, enum env_left *left, struct errmsg *why);
/* The data are open, and their pages hold together as far as is known. */
void env_files_mark_open(const char *directory, struct slice boot, int fd);
/* The pages may be damaged: after any end but closing, the next opening walks the file. Async-signal-safe. */
void env_files_distrust(int fd);
/* Remove in-use. is_sound: also make closed; where that fails, the next opening walks the file. */
void env_files_unmark(const char *directory, bool is_sound);

/* The directory that a path lies in. */
void env_files_parent(const char *path, char out[ENV_PATH_BYTES]);
/* Make a directory for this user alone, and sync the one above; *is_made: it was not there. On failure it is not there, and errno says why. */
NODISCARD enum err env_files_make_directory(const char *path, bool *is_made);
/* fsync a directory, so that files made in it survive a crash. */
NODISCARD enum err env_files_sync_directory(const char *directory);

/* Make a directory beside the data, for a new file that becomes data.mdb when it is whole. ERR_NOT_FOUND, ERR_IO, ...: as errno says. */
NODISCARD enum err env_files_make_temporary(const char *directory, char out[ENV_PATH_BYTES]);
/* Give its data.mdb, which is on the disk, its name in a directory that has none. ERR_CONFLICT where one is there, however late it came. */
NODISCARD enum err env_files_publish(const char *temporary, const char *directory, struct errmsg *why);
/* Remove it and the data in it. */
void env_files_remove_temporary(const char *temporary);

#endif
