/*
 * lost_ranges.h - ranges of item keys that were lost with damaged pages of a data file.
 *
 * A range begins at a key and ends before another, or has no end. Its items cannot be read, nor
 * is it known which are missing, so every partition that may have had an item in a range is
 * refused as a whole. The list is stored in the file that replaces the damaged one (KV_META,
 * LOST_RANGES_NAME).
 * Not here: finding the damage (pages_lmdb.h).
 *
 * Life: a zeroed struct .. lost_ranges_finish().
 */
#ifndef STORE_LMDB_LOST_RANGES_H
#define STORE_LMDB_LOST_RANGES_H

#include <stdbool.h>
#include <stddef.h>

#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/slice.h"
#include "store/key.h"

struct lost_range {
	struct key from;
	struct key to; /* exclusive */
	bool has_end;
};

struct lost_ranges {
	struct lost_range *at; /* after lost_ranges_merge(): in key order and disjoint */
	size_t n;
	size_t capacity;
};

#define LOST_RANGES_MAX  256 /* after merging */
#define LOST_RANGES_NAME "lost"

/*
 * Add the keys from `from` up to `to`, excluding it unless with_to; empty `to`: no end.
 *
 * ERR_NOMEM    memory is out.
 * ERR_CORRUPT  there are too many ranges to continue.
 */
NODISCARD enum err lost_ranges_add(struct lost_ranges *r, struct slice from, struct slice to, bool with_to);

/* Sort the ranges, and merge those that touch. ERR_CORRUPT: more than LOST_RANGES_MAX remain. */
NODISCARD enum err lost_ranges_merge(struct lost_ranges *r);

/*
 * Add the ranges of a stored list, and merge. ERR_CORRUPT: as above, or the bytes are not a list.
 */
NODISCARD enum err lost_ranges_read(struct lost_ranges *r, struct slice stored);
/* Append the list; errors are kept in the buffer. */
void lost_ranges_write(const struct lost_ranges *r, struct buf *out);

bool lost_ranges_have(const struct lost_ranges *r, struct slice item_key);
/* Return whether the partition may have had an item in a range. */
bool lost_ranges_meet(const struct lost_ranges *r, struct slice pk);
/* Return whether the ranges include all keys. */
bool lost_ranges_are_all(const struct lost_ranges *r);

void lost_ranges_finish(struct lost_ranges *r);

#endif
