/*
 * pages_lmdb.h - a walk over the pages of a data file that checks its trees.
 *
 * LMDB trusts its file: a page that is not what its parent says ends the
 * process that walks onto it, or passes for another one. This walk trusts
 * nothing: it reads each page by pread(2) and checks it before it follows it.
 * Each page must bear its own number and its kind; nodes must lie within it and
 * fill it; keys must ascend and lie between those of its parent; no page may be
 * in use twice, or in use and free; and the counts of each database must be
 * those of what was walked. Values are not decoded: they have checksums. What a
 * single page has to look like is in page_format.h.
 */
#ifndef STORE_LMDB_PAGES_LMDB_H
#define STORE_LMDB_PAGES_LMDB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/err.h"
#include "proto/base/slice.h"
#include "store/kv.h"
#include "store/lmdb/lost_ranges.h"

/* Life: a zeroed struct; lost_ranges_finish(&lost). */
struct pages_report {
	uint64_t problems;
	bool is_short;		   /* the file ends before the last page that it should have */
	bool is_damaged[KV_COUNT]; /* some of the database's tree cannot be read */
	struct lost_ranges lost;   /* of KV_ITEMS */
};

typedef void pages_problem_cb(void *arg, struct slice line);

/* Now and then: so many of the file's pages have been walked. */
typedef void pages_progress_cb(void *arg, uint64_t pages, uint64_t pages_all);

/* One entry of a sound page. Valid until the callback returns; anything but OK ends the walk. */
typedef enum err pages_entry_cb(void *arg, unsigned db, struct slice key, struct slice value);

struct pages_walk {
	int fd;             /* of data.mdb */
	bool is_snapshot;   /* walk the state of `txnid`, which a reader holds; else the last one, which no process changes */
	uint64_t txnid;
	bool is_brief; /* only what opening comes to: the heads, the free pages, the databases' list, "meta" */
	pages_problem_cb *on_problem;	/* may be NULL, as may the next two */
	pages_progress_cb *on_progress;
	pages_entry_cb *on_entry;
	void *arg;
};

/*
 * Walk everything. Problems are counted in *report, and are no error.
 *
 * ERR_CORRUPT  the head of the file, its list of databases, or "meta" among them cannot be read, or more than LOST_RANGES_MAX ranges are lost: nothing can be relied on.
 * ERR_BUSY     the snapshot is no longer among the heads: begin another.
 * ERR_NOMEM, ERR_IO, and any error of on_entry.
 */
NODISCARD enum err pages_walk(const struct pages_walk *walk, struct pages_report *report);

/*
 * Checks what cursors come to that read a snapshot, one search after the other. What leads to the
 * entries is read once for all searches of a snapshot, and the leaves for each.
 *
 * Life: pages_checker_create() .. pages_checker_destroy(), which takes NULL. The file stays open as long.
 */
struct pages_checker;
struct pages_checker *pages_checker_create(int fd); /* of data.mdb. NULL when memory is out */
void pages_checker_destroy(struct pages_checker *c);

/*
 * From now on the snapshot of `txnid` is meant, which the caller holds until it begins another.
 * ERR_BUSY  it is no longer among the heads: begin another. ERR_CORRUPT  no search in it can be relied on. ERR_NOMEM, ERR_IO.
 */
NODISCARD enum err pages_checker_begin(struct pages_checker *c, uint64_t txnid);
/* A line for each problem from now on; NULL: none. */
void pages_checker_report(struct pages_checker *c, pages_problem_cb *on_problem, void *arg);

/*
 * Check the pages of a database that a cursor comes to which reads n entries from that key on. Costs a
 * descent and the leaves that are read.
 * ERR_CORRUPT  one of them is damaged. ERR_NOMEM, ERR_IO.
 */
NODISCARD enum err pages_check(struct pages_checker *c, unsigned db, struct slice from, size_t n);

#endif
