/*
 * cards.h - a deck as people type it: cards separated by blanks or commas.
 */
#ifndef CLIENT_ACTS_CARDS_H
#define CLIENT_ACTS_CARDS_H

#include <stddef.h>

#include "proto/base/err.h"
#include "proto/base/slice.h"

/* The most cards that are sent; the server's own limit may be lower. */
#define CARDS_TYPED_MAX 64

/*
 * Split the text into at most cap slices of it; further cards are dropped. Returns their number. A
 * deck's name with cards that are no estimates, as in "fibonacci coffee", is that deck with them.
 */
size_t cards_split(const char *text, struct slice *out, size_t cap);

/*
 * Check that a room may have these cards, or that the text is the name of a deck.
 * ERR_INVALID  *why says what is wrong, for people.
 */
NODISCARD enum err cards_check(const char *text, struct errmsg *why);

#endif
