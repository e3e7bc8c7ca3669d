/*
 * arena.h - memory that is given back all at once.
 *
 * What one message decodes into lives here and dies with the message. Sizes
 * handed out are bounded by the message that was already scanned, so an arena
 * never grows by what a peer merely claims.
 *
 * Life: a zeroed struct .. arena_finish().
 */
#ifndef PROTO_BASE_ARENA_H
#define PROTO_BASE_ARENA_H

#include <stddef.h>

#include "proto/base/slice.h"

struct arena_block;

struct arena {
	struct arena_block *blocks;
};

/* len bytes, zeroed, aligned for any type, valid until reset or finish; NULL when memory is out. */
void *arena_alloc(struct arena *a, size_t len);

/* A copy with the arena's life; {NULL, 0} for an empty slice. *ok turns false when memory is out. */
struct slice arena_copy(struct arena *a, struct slice s, bool *ok);

/* Give back everything but one block, kept for the next message. */
void arena_reset(struct arena *a);
void arena_finish(struct arena *a);

#endif
