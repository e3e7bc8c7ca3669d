/*
 * pages_lmdb.h - check the trees of a data file by walking all their pages.
 *
 * LMDB trusts its file: a damaged page ends the process that reads it, or is taken for another
 * one. This walk trusts nothing: it reads each page with pread(2) and checks it before it follows
 * it. Each page must have its own number and its kind; its nodes must lie inside it and fill it;
 * keys must ascend, within the bounds of the parent's; no page may be used twice, or be used and
 * free; and the counts of each database must match. Values are not decoded: they have checksums.
 * The checks of a single page are in page_format.h.
 */
#ifndef STORE_LMDB_PAGES_LMDB_H
#define STORE_LMDB_PAGES_LMDB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/err.h"
#include "proto/base/slice.h"
#include "store/base/kv.h"
#include "store/lmdb/lost_ranges.h"

/* Life: a zeroed struct; lost_ranges_finish(&lost). */
struct pages_report {
	uint64_t problems;
	bool is_short;		   /* the file ends before its last page */
	bool is_damaged[KV_COUNT]; /* part of the database's tree cannot be read */
	struct lost_ranges lost;   /* of KV_ITEMS */
};

typedef void pages_problem_cb(void *arg, struct slice line);

/* Called at intervals: so many of the file's pages have been walked. */
typedef void pages_progress_cb(void *arg, uint64_t pages, uint64_t pages_all);

/*
 * Called with one entry of a good page. Valid until the callback returns; anything but OK ends
 * the walk.
 */
typedef enum err pages_entry_cb(void *arg, unsigned db, struct slice key, struct slice value);

struct pages_walk {
	int fd;             /* of data.mdb */
	/*
	 * walk the snapshot `txnid`, which a reader holds; otherwise the last one, while no
	 * process writes
	 */
	bool is_snapshot;
	uint64_t txnid;
	/*
	 * only what LMDB reads at opening: the meta pages, the free pages, the list of databases,
	 * "meta"
	 */
	bool is_brief;
	pages_problem_cb *on_problem;	/* may be NULL, as may the next two */
	pages_progress_cb *on_progress;
	pages_entry_cb *on_entry;
	void *arg;
};

/*
 * Walk all pages. Problems are counted in *report, and are not errors.
 *
 * ERR_CORRUPT  the meta pages, the list of databases or "meta" cannot be read, or more than
 *              LOST_RANGES_MAX ranges are lost: nothing can be relied on.
 * ERR_BUSY     the snapshot is not in the meta pages any more: begin another.
 * ERR_NOMEM, ERR_IO, and any error of on_entry.
 */
NODISCARD enum err pages_walk(const struct pages_walk *walk, struct pages_report *report);

/*
 * Checks the pages that cursors read in a snapshot, one search after another. Pages above the
 * leaves are read once for all searches of a snapshot, leaves once for each search.
 *
 * Life: pages_checker_create() .. pages_checker_destroy(), which accepts NULL. The file must stay
 * open.
 */
struct pages_checker;
struct pages_checker *pages_checker_create(int fd); /* fd: of data.mdb. NULL when memory is out */
void pages_checker_destroy(struct pages_checker *c);

/*
 * Use the snapshot `txnid` from now on; the caller holds it until it begins another.
 *
 * ERR_BUSY     it is not in the meta pages any more: begin another.
 * ERR_CORRUPT  no search in it can be relied on.
 * ERR_NOMEM, ERR_IO  it could not be read.
 */
NODISCARD enum err pages_checker_begin(struct pages_checker *c, uint64_t txnid);
/* Report each problem from now on as a line; NULL: no reports. */
void pages_checker_report(struct pages_checker *c, pages_problem_cb *on_problem, void *arg);

/*
 * Check the pages of a database that a cursor visits when it reads n entries from this key on.
 * Costs one descent and the leaves that are read.
 *
 * ERR_CORRUPT  one of them is damaged.
 * ERR_NOMEM, ERR_IO  they could not be checked.
 */
NODISCARD enum err pages_check(struct pages_checker *c, unsigned db, struct slice from, size_t n);

#endif
