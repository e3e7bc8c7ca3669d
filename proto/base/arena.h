/*
 * arena.h - memory that is released all at once.
 *
 * The data that one message is decoded into are allocated here and released with the message. The
 * sizes are bounded by the message, which has been scanned already, so a peer cannot make an
 * arena grow by claiming large lengths.
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

/*
 * Allocate len bytes, zeroed, aligned for any type, valid until arena_reset() or arena_finish();
 * NULL if memory is out.
 */
void *arena_alloc(struct arena *a, size_t len);

/* Copy a slice to the arena; {NULL, 0} for an empty slice. *ok becomes false if memory is out. */
struct slice arena_copy(struct arena *a, struct slice s, bool *ok);

/* Release everything except one block, which is kept for the next message. */
void arena_reset(struct arena *a);
void arena_finish(struct arena *a);

#endif
