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

#include "proto/err.h"
#include "proto/slice.h"
#include "store/kv.h"
#include "store/lmdb/lost_ranges.h"

/* Life: a zeroed struct; lost_ranges_finish(&lost). */
struct pages_report {
	uint64_t problems;
	bool is_damaged[KV_COUNT]; /* some of the database's tree cannot be read */
	struct lost_ranges lost;   /* of KV_ITEMS */
};

typedef void pages_problem_cb(void *arg, struct slice line);

/* One entry of a sound page. Valid until the callback returns; anything but OK ends the walk. */
typedef enum err pages_entry_cb(void *arg, unsigned db, struct slice key, struct slice value);

struct pages_walk {
	int fd;             /* of data.mdb */
	bool is_snapshot;   /* walk the state of `txnid`, which a reader holds; else the last one, which no process changes */
	uint64_t txnid;
	pages_problem_cb *on_problem; /* may be NULL */
	pages_entry_cb *on_entry;     /* may be NULL */
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

/* Items that a cursor reads in sequence: from `from` up to and without `to`, or from there back. */
struct pages_part {
	struct slice from;
	struct slice to;
	bool is_backward;
	size_t limit; /* the cursor reads at most this many of them; 0: all */
};

/*
 * Checks what cursors come to that read a snapshot, one load after the other. What leads to the
 * items is read once for all loads of a snapshot, and the leaves for each.
 *
 * Life: pages_checker_create() .. pages_checker_destroy(), which takes NULL. The file stays open as long.
 */
struct pages_checker;
struct pages_checker *pages_checker_create(int fd); /* of data.mdb. NULL when memory is out */
void pages_checker_destroy(struct pages_checker *c);

/*
 * From now on the snapshot of `txnid` is meant, which the caller holds until it begins another.
 * ERR_BUSY  it is no longer among the heads: begin another. ERR_CORRUPT  no load of it can be relied on. ERR_NOMEM, ERR_IO.
 */
NODISCARD enum err pages_checker_begin(struct pages_checker *c, uint64_t txnid);

/*
 * Check the pages that a cursor comes to which reads these parts. Costs a descent
 * for each part and the leaves that are read.
 * ERR_CORRUPT  one of them is damaged. ERR_NOMEM, ERR_IO.
 */
NODISCARD enum err pages_check(struct pages_checker *c, const struct pages_part *parts, size_t n);

#endif
