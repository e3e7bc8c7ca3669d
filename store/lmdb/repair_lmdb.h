/*
 * repair_lmdb.h - replace a data file that has damaged pages by a new one with the data of its
 * good pages.
 *
 * LMDB must not touch a damaged page, neither to read nor to rebalance a tree around it. So all
 * pages are checked before the file is opened for writing. If some are damaged, every item on
 * good pages is copied to a new file, with new indexes and the list of lost key ranges
 * (lost_ranges.h). Partitions that may have had an item there are kept for dump, but never served
 * or changed. The damaged file is kept next to the new one as data.mdb.damaged-1, -2, ...
 */
#ifndef STORE_LMDB_REPAIR_LMDB_H
#define STORE_LMDB_REPAIR_LMDB_H

#include "store/lmdb/pages_lmdb.h"

struct repair {
	const char *directory; /* the caller must hold its writer.lock */
	uint64_t map_bytes;
	/*
	 * LMDB left the file in order: check only what opening reads, and all pages if that is
	 * damaged
	 */
	bool is_brief;
	/* may be NULL; called with a line for each problem, and for each repair */
	pages_problem_cb *on_problem;
	pages_progress_cb *on_progress; /* may be NULL */
	void *arg;
};

/*
 * Check the data, and replace them if necessary.
 *
 * OK           the file can be opened, or opening will refuse it because of its format or kind.
 * ERR_CORRUPT  too much is damaged.
 * ERR_FULL, ERR_IO, ERR_NOMEM  the file is unchanged.
 *
 * *why is set on error.
 */
NODISCARD enum err repair(const struct repair *r, struct errmsg *why);

#endif
