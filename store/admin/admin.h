/*
 * admin.h - maintenance of the data without an event loop: check, dump, load, backup, restore.
 *
 * These functions block. They are for the commands of `ayed`, not for a serving process. check,
 * dump and backup read a snapshot and may run while a server uses the same directory. They scan
 * in a child process, so that a badly damaged file ends the child, not the caller, and is
 * reported. Call them before starting any thread.
 *
 * Only the lines of dump contain whole hashes, because they are made to be loaded again.
 */
#ifndef STORE_ADMIN_ADMIN_H
#define STORE_ADMIN_ADMIN_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/base/err.h"
#include "proto/base/slice.h"
#include "store/items.h"

/*
 * Called with one line without its newline; valid until the callback returns. Returning false
 * ends the call (ERR_CLOSED).
 */
typedef bool admin_line_cb(void *arg, struct slice line);

struct admin_counts {
	uint64_t items;
	uint64_t items_of[ITEM_COUNT];
	uint64_t index_entries;
	uint64_t problems;
	uint64_t lost; /* of the problems: ranges of items that an earlier repair could not save */
	uint64_t hidden; /* items of a dump from which hidden values were left out */
};

/*
 * Check everything: the pages of the file form correct trees with the right counts
 * (pages_lmdb.h); each item has a known kind and a valid checksum, decodes, and is in its
 * indexes; the indexes have no other entries. Each problem is one line.
 *
 * @owner  env_options.owner (env_lmdb.h); empty: not checked.
 *
 * OK             no problems.
 * ERR_CORRUPT    there are problems, or the file is not a database of this program; *why says so
 *                in one sentence.
 * ERR_CONFLICT   the data belong to another owner.
 * ERR_NOT_FOUND  there are no data in the directory.
 * ERR_VERSION    the data have a newer format.
 * ERR_IO, ERR_NOMEM, ERR_CLOSED  as *why says.
 */
NODISCARD enum err admin_check(const char *directory, struct slice owner, admin_line_cb *on_problem, void *arg,
			       struct admin_counts *counts, struct errmsg *why);

/*
 * Print every item as one line with a JSON object, {"pk":"...","sk":"...","value":{...}}, in key
 * order. Errors as above; ERR_CORRUPT if an item cannot be read (the lines before it have been
 * delivered).
 *
 * @with_hidden  include values that nobody may know before the reveal (votes, comments,
 *               confidence), and those that the reveal does not show: the authors of votes
 *               without names, a card that is not in the deck any more, votes cleared by a reset.
 *               Otherwise seats are dumped without them; counts->hidden is the number of such
 *               items.
 */
NODISCARD enum err admin_dump(const char *directory, bool with_hidden, admin_line_cb *on_line,
			      void *arg, struct admin_counts *counts, struct errmsg *why);

/*
 * Return the next line without its newline, valid until the next call. ERR_NOT_FOUND at the end;
 * any other error stops the load.
 */
typedef enum err admin_next_cb(void *arg, struct slice *line);

/*
 * Fill a directory without data from such lines; empty lines are skipped. All or nothing: the
 * data appear in the directory only when every line was accepted and synced. Versions start again
 * at 1.
 *
 * ERR_CONFLICT   the directory already has data.
 * ERR_INVALID    a line is not an item, or repeats one; *why has the line's number.
 * ERR_NOT_FOUND  the directory does not exist.
 * ERR_BUSY, ERR_FULL, ERR_IO, ERR_NOMEM  as *why says.
 */
NODISCARD enum err admin_load(const char *directory, admin_next_cb *next, void *arg,
			      struct admin_counts *counts, struct errmsg *why);

/* ---- backups ---- */

enum admin_step { ADMIN_COPYING, ADMIN_CHECKING };

/*
 * Called several times a second while a copy is made and checked.
 *
 * @bytes_all  approximate size of the copy; 0: not known yet.
 *
 * Returning false ends the call with ERR_CLOSED.
 */
typedef bool admin_progress_cb(void *arg, enum admin_step step, uint64_t bytes, uint64_t bytes_all);

/* Borrowed for the call. */
struct admin_copy {
	const char *from; /* source and destination directories */
	const char *to;
	/* names, NULL-terminated, of files that belong to data.mdb and are copied if they exist */
	const char *const *files;
	struct slice owner;	  /* env_options.owner (env_lmdb.h): data of others are refused */
	admin_progress_cb *on_progress; /* may be NULL */
	void *arg;
};

struct admin_copied {
	struct admin_counts counts; /* of the check of the copy */
	uint64_t bytes;		    /* size of all files */
};

/*
 * Copy the current data into a directory that does not exist: from one snapshot, without unused
 * pages, checked as by admin_check(), private to this user, synced, and renamed to its name only
 * when all that is done. On failure nothing remains. Losses of an earlier repair are not a
 * failure: counts.lost. An unfinished copy next to `to`, left by a killed process, is removed.
 *
 * ERR_CONFLICT   `to` exists, or is inside `from`; or the data belong to another owner.
 * ERR_NOT_FOUND  there are no data, or the parent of `to` does not exist.
 * ERR_CORRUPT    the data are damaged.
 * ERR_VERSION    the data have a newer format.
 * ERR_FULL       no space for the copy.
 * ERR_CLOSED     ended by on_progress.
 * ERR_IO, ERR_NOMEM  as *why says.
 */
NODISCARD enum err admin_backup(const struct admin_copy *c, struct admin_copied *out, struct errmsg *why);

/*
 * Restore a backup into a directory without data, which is created if missing (but not its
 * parents). The copy is checked before the data appear. Files created by root get the owner of
 * the directory.
 *
 * ERR_CONFLICT  `to` has data, or a different key; or it is inside `from`.
 * ERR_BUSY      a server has `to` or `from` open.
 *
 * Others as admin_backup(); on failure nothing remains.
 */
NODISCARD enum err admin_restore(const struct admin_copy *c, struct admin_copied *out, struct errmsg *why);

/* ---- a directory that gets data, whole or not at all ---- */

#define ADMIN_PATH_BYTES 4096

/* Life: admin_fill_begin() .. admin_fill_end(). */
struct admin_fill {
	const char *to;
	const char *const *files;	  /* as of admin_copy */
	char temporary[ADMIN_PATH_BYTES]; /* the directory to fill */
	int lock, data_lock;
	bool is_made; /* `to` did not exist */
};

/*
 * Make an empty directory within `to`, which gets no data from elsewhere meanwhile; `to` is created
 * if missing, but not its parents. Both texts are borrowed.
 *
 * ERR_CONFLICT  `to` has data.
 * ERR_BUSY      a server has `to` open.
 * ERR_IO        as *why says. After an error there is nothing to end.
 */
NODISCARD enum err admin_fill_begin(struct admin_fill *f, const char *to, const char *const *files,
				    struct errmsg *why);

/*
 * Put data.mdb, closed and synced, and the files in place, data.mdb last, if `filled` is OK; remove the
 * directory in any case, and on failure all that was put in place. Files created by root get the owner
 * of the directory. Returns `filled`, or why that could not be done.
 *
 * ERR_CONFLICT  `to` has a different file of one of these names.
 */
NODISCARD enum err admin_fill_end(struct admin_fill *f, enum err filled, struct errmsg *why);

/*
 * Keep servers from data that are read, if they have ever been served: close *fd at the end, unless it
 * is -1. ERR_BUSY: a server has them open; *why has no advice.
 */
NODISCARD enum err admin_hold(const char *directory, int *fd, struct errmsg *why);

/* ---- a series of backups in one directory, named by time: DIR/ayed-20260102T030405.678Z ---- */

#define ADMIN_SERIES_BYTES ADMIN_PATH_BYTES

/*
 * Write the path of a backup made now of the data in `from`, in a directory that is created if
 * missing (but not its parents). Errors as of admin_backup(): ERR_CONFLICT, ERR_NOT_FOUND,
 * ERR_IO.
 */
NODISCARD enum err admin_series_begin(const char *from, const char *directory, int64_t now_ms,
				      char out[ADMIN_SERIES_BYTES], struct errmsg *why);

/*
 * Return when the newest backup was made, in ms since the epoch; 0 if there is none, or no such
 * directory.
 */
NODISCARD enum err admin_series_newest(const char *directory, int64_t *made_ms, struct errmsg *why);

/*
 * Remove the oldest backups until `keep` are left, but never `made`, even if the clock was set.
 * ERR_IO, ERR_NOMEM.
 */
NODISCARD enum err admin_series_prune(const char *directory, int64_t keep, const char *made, struct errmsg *why);

#endif
