/*
 * mend_lmdb.h - a data file with damaged pages is written anew from its sound ones.
 *
 * LMDB cannot be let near a damaged page, neither to read nor to balance a tree
 * around it. So the file is walked before it is opened for writing; where pages
 * are damaged, every item on sound pages goes into a new file, with its indexes
 * made anew, and with the ranges of keys that are lost. Partitions that may have
 * had an item there are refused from then on: what is left of them is kept, for
 * dump, and never served or changed. The damaged file stays beside the new one
 * as data.mdb.damaged-1, -2, ...
 */
#ifndef STORE_LMDB_MEND_LMDB_H
#define STORE_LMDB_MEND_LMDB_H

#include "store/lmdb/pages_lmdb.h"

struct mend {
	const char *directory; /* whose writer.lock the caller holds */
	uint64_t map_bytes;
	pages_problem_cb *on_problem; /* may be NULL; given a line for each problem, and for what was done */
	void *arg;
};

/*
 * Walk the data, and write them anew if need be.
 *
 * OK           the file can be opened; also where that will refuse it as not ours or too new.
 * ERR_CORRUPT  too much is damaged to go on with the rest.  ERR_FULL, ERR_IO, ERR_NOMEM: as it was. *why is set.
 */
NODISCARD enum err mend(const struct mend *m, struct errmsg *why);

/* The ranges that were lost, as they are kept in KV_META under this name. */
#define MEND_LOST "lost"
NODISCARD enum err mend_read_lost(struct slice stored, struct pages_report *out);

/* Whether the partition may have had an item in a range that was lost. */
bool mend_refuses(const struct pages_report *lost, struct slice pk);

#endif
