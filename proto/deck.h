/*
 * deck.h - cards: preset decks, and checks of cards.
 *
 * A card is a label with an optional number. Labels are compared as bytes, after text_clean().
 */
#ifndef PROTO_DECK_H
#define PROTO_DECK_H

#include <stdbool.h>

#include "proto/base/arena.h"
#include "proto/base/fault.h"
#include "proto/base/slice.h"

/*        name           cards, split by spaces */
#define DECKS(X)                                                             \
	X(guesstimator,  "1 2 3 5 8 13 20 ? ∞")                              \
	X(fibonacci,     "0 1 2 3 5 8 13 21 34 55 89 ?")                     \
	X(modified,      "0 ½ 1 2 3 5 8 13 20 40 100 ?")                     \
	X(tshirt,        "XS S M L XL XXL ?")                                \
	X(powers,        "0 1 2 4 8 16 32 64 ?")                             \
	X(hours,         "1 2 4 6 8 12 16 24 ?")                             \
	X(fist,          "0 1 2 3 4 5")                                      \
	X(yesno,         "yes no ?")

/* Every deck's name, and its cards as one string with spaces; ends with {NULL, NULL}. */
struct deck_row {
	const char *name;
	const char *cards;
};
extern const struct deck_row deck_rows[];

/* The deck of a room that was created without one. */
#define DECK_DEFAULT "guesstimator"

/*
 * Return the cards of a preset, in the arena.
 *
 * ERR_INVALID  *f is a VALIDATION_ERROR on `deck` that lists all presets.
 * ERR_NOMEM    memory is out.
 */
NODISCARD enum err deck_preset(struct slice name, struct arena *arena, struct slices *cards, struct fault *f);

/*
 * Clean and check a custom deck: CARDS_MIN to CARDS_MAX different cards, each 1 to CARD_CELLS
 * cells wide. The result is in the arena.
 *
 * ERR_INVALID  *f is a VALIDATION_ERROR on valid_sizes[i].
 * ERR_NOMEM    memory is out.
 */
NODISCARD enum err deck_clean(struct slices in, struct arena *arena, struct slices *cards, struct fault *f);

/*
 * Return the cards that a caller has chosen: a preset by name, a custom deck (each may be NULL),
 * or neither: DECK_DEFAULT.
 *
 * ERR_INVALID  *f is a VALIDATION_ERROR, as above or because both are given.
 * ERR_NOMEM    memory is out.
 */
NODISCARD enum err deck_choose(const struct slice *name, const struct slices *made_up, struct arena *arena,
			       struct slices *cards, struct fault *f);

/* Return the index of the first card with these bytes, or -1. */
int deck_find(struct slices cards, struct slice card);

/*
 * Get the number of a card: "5", "0.5" and "½" have one; "?", "∞", "XL" and "1k" have none.
 *
 * @value  untouched if there is none.
 */
bool card_number(struct slice card, double *value);

/* Return whether a card is not an estimate: ?, ∞, a coffee or a break. */
bool card_is_special(struct slice card);

#endif
