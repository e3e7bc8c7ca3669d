/*
 * state_file.h - small JSON files that survive anything.
 *
 * Written to a temporary file, synced and renamed, mode 0600. A file that
 * cannot be read as JSON is set aside under another name and counts as absent:
 * a key in it may still be saved by hand. Whoever changes a file holds the
 * lock from reading it to writing it.
 */
#ifndef CLIENT_STATE_STATE_FILE_H
#define CLIENT_STATE_STATE_FILE_H

#include <jansson.h>

#include "proto/base/err.h"

/* Longer files are none of ours. */
#define STATE_FILE_BYTES_MAX (1u << 20)

/*
 * From now on the functions below do nothing, and all is well: there is no file, and what is written
 * is forgotten. For a program that is many people's, and may not write (ssh_session.h).
 */
void state_file_keep_nothing(void);

/*
 * Make a directory and the ones above it, private where they are new.
 * The last one must be ours, and is made private where it was not.
 * ERR_IO with *why.
 */
NODISCARD enum err state_make_dir(const char *path, struct errmsg *why);

/*
 * The object in the file, or a new empty one where there is no file; *out belongs to the caller.
 * Where the file was set aside, *why says so and the result is OK all the same.
 * ERR_IO.
 */
NODISCARD enum err state_file_read(const char *path, json_t **out, struct errmsg *why);

/* ERR_IO, ERR_INVALID a text in it is no UTF-8; with *why: the old content is still there. */
NODISCARD enum err state_file_write(const char *path, const json_t *value, struct errmsg *why);

/*
 * The same for what can be had again: several programs may write it at once without a lock, and none
 * of them waits for the disk. Whoever reads it finds one of theirs, whole.
 */
NODISCARD enum err state_file_note(const char *path, const json_t *value, struct errmsg *why);

/* Set a field to a text, whose bytes state_file_write() looks at. */
void state_file_set(json_t *object, const char *key, const char *text);

/* Wait for the lock that this file is. *fd: for state_unlock(). Between processes, not between threads. ERR_IO with *why. */
NODISCARD enum err state_lock(const char *path, int *fd, struct errmsg *why);
void state_unlock(int fd);

#endif
