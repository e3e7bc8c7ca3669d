/*
 * admin.h - maintenance of the data without a loop: check, dump, load, backup, restore.
 *
 * These block, and belong to the commands of `ayed`, not to a serving process.
 * check, dump and backup read a snapshot and may run beside a server that is using the
 * same directory; they scan in a child process, so that a file damaged beyond
 * what the engine survives ends the child, not the caller, and is reported.
 * Call them before any thread is started.
 *
 * Lines never hold a whole hash except in dump, whose purpose is to be loaded
 * again.
 */
#ifndef STORE_ADMIN_ADMIN_H
#define STORE_ADMIN_ADMIN_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/base/err.h"
#include "proto/base/slice.h"
#include "store/items.h"

/* One line without its newline; valid until the callback returns. False ends the call (ERR_CLOSED). */
typedef bool admin_line_cb(void *arg, struct slice line);

struct admin_counts {
	uint64_t items;
	uint64_t items_of[ITEM_COUNT];
	uint64_t index_entries;
	uint64_t problems;
	uint64_t lost; /* of the problems: ranges of items that an earlier repair had to leave out */
	uint64_t hidden; /* items of a dump that hold less than the table */
};

/*
 * Check everything: the pages of the file form the trees they should, with the
 * counts these say (pages_lmdb.h); each item has a known kind, its checksum holds, it
 * decodes, the indexes list it and nothing else. Each problem is one line.
 *
 * @owner  env_options.owner (env_lmdb.h); empty: not checked.
 *
 * OK            no problems.
 * ERR_CORRUPT   there are problems, or the file is none of ours; *why says so in one sentence.
 * ERR_CONFLICT  they are another owner's.
 * ERR_NOT_FOUND no data in that directory.  ERR_VERSION a newer format.  ERR_IO, ERR_NOMEM, ERR_CLOSED.
 */
NODISCARD enum err admin_check(const char *directory, struct slice owner, admin_line_cb *on_problem, void *arg,
			       struct admin_counts *counts, struct errmsg *why);

/*
 * Every item as one JSON object a line, {"pk":"...","sk":"...","value":{...}},
 * in key order. Errors as above; ERR_CORRUPT where an item cannot be read (the
 * lines before it have been given).
 *
 * @with_hidden  also what nobody may know before the reveal: votes, notes, confidence; and what
 *               the reveal does not show: whose they are where there are no names, a
 *               card that is no longer in the deck, what a reset took. Without it seats are
 *               dumped as if they had none of that; counts->hidden is how many that concerned.
 */
NODISCARD enum err admin_dump(const char *directory, bool with_hidden, admin_line_cb *on_line,
			      void *arg, struct admin_counts *counts, struct errmsg *why);

/* The next line without its newline, valid until the next call. ERR_NOT_FOUND at the end; any other error stops the load. */
typedef enum err admin_next_cb(void *arg, struct slice *line);

/*
 * Fill a directory that has no data yet from such lines; empty lines are
 * skipped. All or nothing: the data appear in the directory only when every
 * line was taken and is on disk. Versions are counted anew, from 1.
 *
 * ERR_CONFLICT  there are data in the directory already.
 * ERR_INVALID   a line is not an item, or repeats one; *why names the line's number.
 * ERR_NOT_FOUND no such directory.  ERR_BUSY, ERR_FULL, ERR_IO, ERR_NOMEM.
 */
NODISCARD enum err admin_load(const char *directory, admin_next_cb *next, void *arg,
			      struct admin_counts *counts, struct errmsg *why);

/* ---- backups ---- */

enum admin_step { ADMIN_COPYING, ADMIN_CHECKING };

/*
 * Several times a second while a copy is made and checked.
 * @bytes_all  about what the copy will have; 0: not known yet.
 * False ends the call with ERR_CLOSED.
 */
typedef bool admin_progress_cb(void *arg, enum admin_step step, uint64_t bytes, uint64_t bytes_all);

/* Borrowed for the call. */
struct admin_copy {
	const char *from; /* directories */
	const char *to;
	const char *const *files; /* names, NULL at the end: they belong to data.mdb, and are copied where they exist */
	struct slice owner;	  /* env_options.owner (env_lmdb.h): data that are not theirs are refused */
	admin_progress_cb *on_progress; /* may be NULL */
	void *arg;
};

struct admin_copied {
	struct admin_counts counts; /* of the check of the copy */
	uint64_t bytes;		    /* of all files together */
};

/*
 * Copy the data as they are now into a directory that does not exist: from one
 * snapshot, without the pages that nothing uses, checked as admin_check() does, private
 * to this user, on the disk, and under its name only when all that is done. On
 * failure nothing is left. What an earlier repair had lost is no failure: counts.lost.
 * An unfinished copy beside `to`, of a call that was killed, is removed.
 *
 * ERR_CONFLICT  `to` exists, or lies in `from`; or the data are not the owner's.
 * ERR_NOT_FOUND no data, or no directory to put `to` in.
 * ERR_CORRUPT   the data are damaged.  ERR_VERSION  they have a newer format.
 * ERR_FULL      no space for the copy.  ERR_CLOSED  on_progress ended it.  ERR_IO, ERR_NOMEM.
 */
NODISCARD enum err admin_backup(const struct admin_copy *c, struct admin_copied *out, struct errmsg *why);

/*
 * Put a backup in place as data, in a directory without data, which is made where it
 * is missing (not those above it). The copy is checked before the data appear. Root's
 * files get the owner of the directory.
 *
 * ERR_CONFLICT  `to` has data, or another key; or it lies in `from`.
 * ERR_BUSY      a server has `to` open, or `from`.
 * Others as admin_backup(); on failure nothing is left.
 */
NODISCARD enum err admin_restore(const struct admin_copy *c, struct admin_copied *out, struct errmsg *why);

/* ---- backups in a row, in one directory, named after the time: DIR/ayed-20260102T030405.678Z ---- */

#define ADMIN_SERIES_BYTES 4096

/*
 * The path of one made now of the data in `from`, in a directory that is made where it is missing
 * (not those above it). Errors as of admin_backup(): ERR_CONFLICT, ERR_NOT_FOUND, ERR_IO.
 */
NODISCARD enum err admin_series_begin(const char *from, const char *directory, int64_t now_ms,
				      char out[ADMIN_SERIES_BYTES], struct errmsg *why);

/* When the newest was made, ms since the epoch; 0 where there is none, or no such directory. */
NODISCARD enum err admin_series_newest(const char *directory, int64_t *made_ms, struct errmsg *why);

/* Remove the oldest until @keep are left, and never @made, whatever a clock that was set says. ERR_IO, ERR_NOMEM. */
NODISCARD enum err admin_series_prune(const char *directory, int64_t keep, const char *made, struct errmsg *why);

#endif
