/*
 * spelling.h - which of some words was probably meant.
 *
 * Pure. Bytes are compared: the words are those of our own tables.
 *
 * Life: a struct with `typed` set and all else zero, spelling_offer() for each word there is.
 */
#ifndef CLIENT_ACTS_SPELLING_H
#define CLIENT_ACTS_SPELLING_H

#include <stdbool.h>
#include <stddef.h>

#include "proto/base/slice.h"

struct spelling {
	struct slice typed;
	struct slice meant; /* the nearest so far, the first of those; empty: none is near */
	size_t distance;    /* how many letters are changed, left out, added or swapped */
};

/* Whether it is near, and nearer than all before. The word stays the caller's. */
bool spelling_offer(struct spelling *s, struct slice word);

#endif
