/*
 * cards.h - a deck as people type it: cards with blanks or commas between them.
 */
#ifndef CLIENT_ACTS_CARDS_H
#define CLIENT_ACTS_CARDS_H

#include <stddef.h>

#include "proto/base/err.h"
#include "proto/base/slice.h"

/* As many cards as are sent; the server says how many there may be. */
#define CARDS_TYPED_MAX 64

/* Slices of the text in out, which has room for cap; more are left out. Returns how many. */
size_t cards_split(const char *text, struct slice *out, size_t cap);

/*
 * Whether a room may have these cards, or a deck has that name.
 * ERR_INVALID  *why says what is wrong, for the person.
 */
NODISCARD enum err cards_check(const char *text, struct errmsg *why);

#endif
