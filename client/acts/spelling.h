/*
 * spelling.h - find the word that a mistyped word probably means.
 *
 * Pure. Compares bytes, since the words are ASCII words of the program's tables.
 *
 * Life: a struct with `typed` set and all else zero, then spelling_offer() for each word.
 */
#ifndef CLIENT_ACTS_SPELLING_H
#define CLIENT_ACTS_SPELLING_H

#include <stdbool.h>
#include <stddef.h>

#include "proto/base/slice.h"

struct spelling {
	struct slice typed;
	struct slice meant; /* the first of the nearest words so far; empty: none is near enough */
	size_t distance;    /* the number of letters changed, left out, added or swapped */
};

/* Offer a word. Returns whether it is near, and nearer than all before. The word is borrowed. */
bool spelling_offer(struct spelling *s, struct slice word);

/* The same with a word that does not last, such as one of a page: what is meant is kept in `kept`. */
#define SPELLING_WORD_BYTES 33
void spelling_offer_passing(struct spelling *s, struct slice word, char kept[SPELLING_WORD_BYTES]);

#endif
