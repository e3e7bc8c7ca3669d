/*
 * free_space_lmdb.h - the free space in the map and on the disk.
 *
 * LMDB copies pages before it changes them, so even a delete needs space. New items are therefore
 * refused while there is still space for other changes: when 80 % of the map are used (70 % for
 * kinds other than the reserved ones), and when the disk does not provide the next piece of the
 * file, which is allocated ahead of its use, and less than such a piece is free inside the file.
 * Writer thread only.
 */
#ifndef STORE_LMDB_FREE_SPACE_LMDB_H
#define STORE_LMDB_FREE_SPACE_LMDB_H

#include <stdbool.h>
#include <stdint.h>

#include "store/base/apply.h"
#include "store/lmdb/env_lmdb.h"

struct free_space {
	uint64_t allocated_bytes; /* the file is allocated on disk up to here */
	uint64_t used_bytes;      /* pages in use, without the free ones inside the file */
	uint64_t disk_bytes;      /* free on the disk for this process */
	uint64_t looks;
	uint64_t disk_looks;
	enum apply_takes map_takes;
	bool disk_is_full;
};

/* Update the values; cheap while there is much space. */
void free_space_update(struct free_space *s, struct env *env);

/* Return the bytes of the map that new items may still use. */
uint64_t free_space_left(const struct free_space *s, const struct env *env);
/* Return the number of unused pages of the file in a current snapshot; any thread. */
uint64_t free_space_free_pages(struct env *env);

static inline enum apply_takes free_space_takes(const struct free_space *s)
{
	return s->disk_is_full ? APPLY_TAKES_NONE : s->map_takes;
}

#endif
