/*
 * lost_ranges.h - ranges of item keys that damage took from a data file.
 *
 * A range begins at a key and ends before another, or has no end. What was in it
 * cannot be read any more, and what is missing from it cannot be known, so a
 * partition that may have had an item there is refused as a whole. The list is
 * stored in the file that replaces the damaged one (KV_META, LOST_RANGES_NAME).
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
	struct key to; /* not part of it */
	bool has_end;
};

struct lost_ranges {
	struct lost_range *at; /* in key order and apart, after lost_ranges_merge() */
	size_t n;
	size_t capacity;
};

#define LOST_RANGES_MAX  256 /* after merging */
#define LOST_RANGES_NAME "lost"

/*
 * Add the keys from `from` up to and without `to`, or with it; an empty `to`: no end.
 * ERR_NOMEM; ERR_CORRUPT there are too many ranges to go on.
 */
NODISCARD enum err lost_ranges_add(struct lost_ranges *r, struct slice from, struct slice to, bool with_to);

/* Sort, and merge what meets. ERR_CORRUPT: more than LOST_RANGES_MAX are left. */
NODISCARD enum err lost_ranges_merge(struct lost_ranges *r);

/* Add the ranges of a stored list, and merge. ERR_CORRUPT also where the bytes are no list. */
NODISCARD enum err lost_ranges_read(struct lost_ranges *r, struct slice stored);
/* Append the list; errors stay in the buffer. */
void lost_ranges_write(const struct lost_ranges *r, struct buf *out);

bool lost_ranges_have(const struct lost_ranges *r, struct slice item_key);
/* Whether the partition may have had an item in a range. */
bool lost_ranges_meet(const struct lost_ranges *r, struct slice pk);
/* Whether no key lies outside. */
bool lost_ranges_are_all(const struct lost_ranges *r);

void lost_ranges_finish(struct lost_ranges *r);

#endif
