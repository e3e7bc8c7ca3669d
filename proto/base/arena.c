/*
 * arena.c - blocks in a list, the newest first.
 */
#include "proto/base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/wipe.h"

/* The first block is small and they double: what an arena holds is often little. */
#define ARENA_FIRST_BYTES 512
#define ARENA_BLOCK_BYTES 4096

struct arena_block {
	struct arena_block *next;
	size_t used;
	size_t size;
	alignas(max_align_t) char bytes[];
};

static struct arena_block *arena_block_of(struct arena *a, size_t len)
{
	if (a->blocks != NULL && a->blocks->size - a->blocks->used >= len) {
		return a->blocks;
	}
	size_t usual = a->blocks == NULL ? ARENA_FIRST_BYTES : 2 * a->blocks->size;
	usual = usual < ARENA_BLOCK_BYTES ? usual : ARENA_BLOCK_BYTES;
	size_t size = len > usual ? len : usual;
	struct arena_block *block = malloc(sizeof(*block) + size);
	if (block == NULL) {
		return NULL;
	}
	*block = (struct arena_block){.next = a->blocks, .size = size};
	a->blocks = block;
	return block;
}

void *arena_alloc(struct arena *a, size_t len)
{
	const size_t align = alignof(max_align_t);
	if (len > SIZE_MAX / 2) {
		return NULL;
	}
	size_t rounded = len == 0 ? align : (len + align - 1) / align * align;
	struct arena_block *block = arena_block_of(a, rounded);
	if (block == NULL) {
		return NULL;
	}
	void *at = block->bytes + block->used;
	block->used += rounded;
	memset(at, 0, rounded);
	return at;
}

struct slice arena_copy(struct arena *a, struct slice s, bool *ok)
{
	if (s.len == 0) {
		return (struct slice){0};
	}
	char *copy = arena_alloc(a, s.len);
	if (copy == NULL) {
		*ok = false;
		return (struct slice){0};
	}
	memcpy(copy, s.data, s.len);
	return slice_of(copy, s.len);
}

/* The newest block of a usual size stays: a huge message must not be paid for ever after. */
void arena_reset(struct arena *a)
{
	struct arena_block *kept = NULL;
	for (struct arena_block *b = a->blocks, *next; b != NULL; b = next) {
		next = b->next;
		wipe(b->bytes, b->used);
		if (kept == NULL && b->size <= ARENA_BLOCK_BYTES) {
			kept = b;
		} else {
			free(b);
		}
	}
	a->blocks = kept;
	if (kept != NULL) {
		kept->used = 0;
		kept->next = NULL;
	}
}

void arena_finish(struct arena *a)
{
	for (struct arena_block *b = a->blocks, *next; b != NULL; b = next) {
		next = b->next;
		wipe(b->bytes, b->used);
		free(b);
	}
	a->blocks = NULL;
}
