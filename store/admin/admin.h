/*
 * admin.h - maintenance of the data without a loop: check, dump, load.
 *
 * These block, and belong to `ayed check|dump|load`, not to a serving process.
 * check and dump read a snapshot and may run beside a server that is using the
 * same directory; both scan in a child process, so that a file damaged beyond
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

#include "proto/err.h"
#include "proto/slice.h"
#include "store/items.h"

/* One line without its newline; valid until the callback returns. False ends the call (ERR_CLOSED). */
typedef bool admin_line_cb(void *arg, struct slice line);

struct admin_counts {
	uint64_t items;
	uint64_t items_of[ITEM_COUNT];
	uint64_t index_entries;
	uint64_t problems;
	uint64_t hidden; /* items of a dump that hold less than the table */
};

/*
 * Check everything: the pages of the file form the trees they should, with the
 * counts these say (pages_lmdb.h); each item has a known kind, its checksum holds, it
 * decodes, the indexes list it and nothing else. Each problem is one line.
 *
 * OK            no problems.
 * ERR_CORRUPT   there are problems, or the file is none of ours; *why says so in one sentence.
 * ERR_NOT_FOUND no data in that directory.  ERR_VERSION a newer format.  ERR_IO, ERR_NOMEM, ERR_CLOSED.
 */
NODISCARD enum err admin_check(const char *directory, admin_line_cb *on_problem, void *arg,
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

#endif
