/*
 * state_file.h - small JSON files that are replaced atomically.
 *
 * Written to a temporary file, synced and renamed, mode 0600. A file that is not
 * valid JSON is renamed and treated as absent, so that its keys can be rescued by
 * hand. To change a file, hold the lock from reading it to writing it.
 */
#ifndef CLIENT_STATE_STATE_FILE_H
#define CLIENT_STATE_STATE_FILE_H

#include <limits.h>

#include <jansson.h>

#include "proto/base/err.h"

/* The most bytes of a file. */
#define STATE_FILE_BYTES_MAX (1u << 20)

/*
 * Make the functions below succeed without doing anything: files are absent, and writes are
 * dropped. For a process that serves many people and may not write (ssh_session.h).
 */
void state_file_keep_nothing(void);

/*
 * Create a directory and its parents, with mode 0700 if they are new. The last one must
 * belong to this user, and is made private if it was not.
 * ERR_IO  with *why.
 */
NODISCARD enum err state_make_dir(const char *path, struct errmsg *why);

/*
 * Read the object in the file, or an empty one if there is no file; the caller owns *out.
 * If the file was set aside, *why says so, and the result is OK.
 * ERR_IO
 */
NODISCARD enum err state_file_read(const char *path, json_t **out, struct errmsg *why);

/* ERR_IO; ERR_INVALID: a text in it is not UTF-8. With *why; the old content is kept. */
NODISCARD enum err state_file_write(const char *path, const json_t *value, struct errmsg *why);

/*
 * The same for data that can be recreated: needs no lock and does not sync. If several processes
 * write it at once, readers find one of their versions, complete.
 */
NODISCARD enum err state_file_note(const char *path, const json_t *value, struct errmsg *why);

/* Set a field to a text; state_file_write() checks that it is UTF-8. */
void state_file_set(json_t *object, const char *key, const char *text);

/* Copy a text field; "" if there is none. */
void state_file_get(const json_t *object, const char *key, char *out, size_t cap);

/*
 * The path DIR/BELOW/HASH.json of a file that belongs to `whose`, which may be long and contain
 * anything.
 *
 * @end  follows the hash; "": nothing does.
 */
void state_file_path(char out[PATH_MAX], const char *dir, const char *below, const char *whose,
		     const char *end);

/* One change of a file under the lock. */
struct state_change {
	char path[PATH_MAX];
	json_t *value; /* its object */
	int lock;
};

/*
 * Lock the directory, and read its file c->path, as state_file_read() does. If OK, end it with one
 * of the functions below.
 * ERR_IO
 */
NODISCARD enum err state_change_begin(struct state_change *c, const char *dir, struct errmsg *why);
/* Write the value; errors of state_file_write(). */
NODISCARD enum err state_change_end(struct state_change *c, struct errmsg *why);
/* Leave the file as it is. */
void state_change_close(struct state_change *c);

/*
 * Wait for a lock on this file, between processes only. *fd is for state_unlock(). ERR_IO  with
 * *why.
 */
NODISCARD enum err state_lock(const char *path, int *fd, struct errmsg *why);
void state_unlock(int fd);

#endif
