/*
 * free_space_lmdb.h - whether there is room for more, in the map and on the disk.
 *
 * LMDB copies pages before it changes them, so even a delete needs some. New
 * items are therefore refused while there is still room for the rest: beyond
 * 80 % of the map (70 %, but for rooms and sessions), and as soon as the disk does not give the next piece of the
 * file, which is asked for ahead of its use, and less than such a piece is free
 * within it. Writer thread only.
 */
#ifndef STORE_LMDB_FREE_SPACE_LMDB_H
#define STORE_LMDB_FREE_SPACE_LMDB_H

#include <stdbool.h>
#include <stdint.h>

#include "store/apply.h"
#include "store/lmdb/env_lmdb.h"

struct free_space {
	uint64_t allocated_bytes; /* the file is ours on disk up to here */
	uint64_t used_bytes;      /* pages in use, free ones within the file not counted */
	uint64_t disk_bytes;      /* free on the disk, for us */
	uint64_t looks;
	uint64_t disk_looks;
	enum apply_takes map_takes;
	bool disk_is_full;
};

/* Look again; cheap while there is plenty. */
void free_space_update(struct free_space *s, struct env *env);

/* What new items may still take of the map. */
uint64_t free_space_left(const struct free_space *s, const struct env *env);
/* Pages that the file has but nothing uses, in a snapshot of now; of any thread. */
uint64_t free_space_free_pages(struct env *env);

static inline enum apply_takes free_space_takes(const struct free_space *s)
{
	return s->disk_is_full ? APPLY_TAKES_NONE : s->map_takes;
}

#endif
