/*
 * repair_lmdb.h - a data file with damaged pages is replaced by one made of its sound pages.
 *
 * LMDB cannot be let near a damaged page, neither to read nor to balance a tree
 * around it. So the file is walked before it is opened for writing; where pages
 * are damaged, every item on sound pages goes into a new file, with its indexes
 * made anew, and with the ranges of keys that are lost (lost_ranges.h). What is
 * left of partitions that may have had an item there is kept for dump, and never
 * served or changed. The damaged file stays beside the new one as
 * data.mdb.damaged-1, -2, ...
 */
#ifndef STORE_LMDB_REPAIR_LMDB_H
#define STORE_LMDB_REPAIR_LMDB_H

#include "store/lmdb/pages_lmdb.h"

struct repair {
	const char *directory; /* the caller holds its writer.lock */
	uint64_t map_bytes;
	bool is_brief; /* LMDB itself left the file: look at what opening comes to, and walk it only where that is damaged */
	pages_problem_cb *on_problem; /* may be NULL; given a line for each problem, and for what was done */
	pages_progress_cb *on_progress; /* may be NULL */
	void *arg;
};

/*
 * Walk the data, and replace them if need be.
 *
 * OK           the file can be opened; also where that will refuse it as not ours or too new.
 * ERR_CORRUPT  too much is damaged.  ERR_FULL, ERR_IO, ERR_NOMEM: the file is as it was. *why is set.
 */
NODISCARD enum err repair(const struct repair *r, struct errmsg *why);

#endif
