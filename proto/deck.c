/*
 * deck.c - preset decks, cleaning of made-up ones, and the numbers on cards.
 */
#include "proto/deck.h"

#include <string.h>

#include "proto/base/buf.h"
#include "proto/base/format.h"
#include "proto/base/limits.h"
#include "proto/text/text.h"

/* Preset names together, for the message that lists them. */
#define DECK_NAMES_BYTES 160
/* Digits before and after the point: more would not be exact in a double. */
#define CARD_DIGITS_MAX 9

const struct deck_row deck_rows[] = {
#define DECK_ROW(name_, cards_) {#name_, (cards_)},
	DECKS(DECK_ROW)
#undef DECK_ROW
		{NULL, NULL},
};

static struct slice deck_word(const char **at)
{
	const char *from = *at + strspn(*at, " ");
	size_t len = strcspn(from, " ");
	*at = from + len;
	return slice_of(from, len);
}

static enum err deck_split(const char *words, struct arena *arena, struct slices *cards)
{
	struct slices out = {.n = 0};
	const char *at = words;
	while (deck_word(&at).len > 0) {
		out.n++;
	}
	out.items = arena_alloc(arena, out.n * sizeof(*out.items));
	if (out.items == NULL) {
		return ERR_NOMEM;
	}
	at = words;
	for (size_t i = 0; i < out.n; i++) {
		out.items[i] = deck_word(&at);
	}
	*cards = out;
	return OK;
}

enum err deck_preset(struct slice name, struct arena *arena, struct slices *cards, struct fault *f)
{
	char names[DECK_NAMES_BYTES] = "";
	size_t len = 0;
	for (const struct deck_row *row = deck_rows; row->name != NULL; row++) {
		if (slice_eq(slice_str(row->name), name)) {
			return deck_split(row->cards, arena, cards);
		}
		/* The default's name alone says nothing of its cards. */
		bool is_default = strcmp(row->name, DECK_DEFAULT) == 0;
		len += format_to(names + len, sizeof(names) - len, "%s%s%s%s%s",
				 len > 0 ? ", " : "", row->name, is_default ? " (" : "",
				 is_default ? row->cards : "", is_default ? ")" : "");
	}
	fault_field(f, "deck", "is not one of %s", names);
	return ERR_INVALID;
}

static enum err deck_refuse(struct fault *f, size_t index, const char *claim)
{
	char field[32];
	format_to(field, sizeof(field), "valid_sizes[%zu]", index);
	fault_field(f, field, "%s", claim);
	return ERR_INVALID;
}

static enum err deck_clean_card(struct slice in, size_t index, struct arena *arena,
				struct slice *card, struct fault *f)
{
	char clean[MAX_CARD_BYTES];
	size_t len = 0;
	int32_t bad = 0;
	switch (text_clean(in, clean, sizeof(clean), &len, &bad)) {
	case OK:
		break;
	case ERR_TOO_LARGE:
		return deck_refuse(f, index, "is too long");
	default:
		return deck_refuse(f, index, "has a character that is not allowed");
	}
	size_t cells = text_cells(slice_of(clean, len));
	if (cells < 1 || cells > MAX_CARD_CELLS) {
		(void)deck_refuse(f, index, "must be 1 to 8 columns wide");
		fault_bounds(f, FAULT_RULE_LENGTH, 1, MAX_CARD_CELLS, "cells");
		return ERR_INVALID;
	}
	bool ok = true;
	*card = arena_copy(arena, slice_of(clean, len), &ok);
	return ok ? OK : ERR_NOMEM;
}

enum err deck_clean(struct slices in, struct arena *arena, struct slices *cards, struct fault *f)
{
	if (in.n < MAX_CARDS_MIN || in.n > MAX_CARDS_MAX) {
		fault_field(f, "valid_sizes", "must be %d to %d cards", MAX_CARDS_MIN,
			    MAX_CARDS_MAX);
		fault_bounds(f, FAULT_RULE_COUNT, MAX_CARDS_MIN, MAX_CARDS_MAX, "cards");
		return ERR_INVALID;
	}
	struct slices out = {.items = arena_alloc(arena, in.n * sizeof(*out.items))};
	if (out.items == NULL) {
		return ERR_NOMEM;
	}
	for (size_t i = 0; i < in.n; i++) {
		struct slice card;
		enum err e = deck_clean_card(in.items[i], i, arena, &card, f);
		if (e != OK) {
			return e;
		}
		if (deck_find(out, card) >= 0) {
			return deck_refuse(f, i, "is repeated");
		}
		out.items[out.n++] = card;
	}
	*cards = out;
	return OK;
}

enum err deck_choose(const struct slice *name, const struct slices *made_up, struct arena *arena,
		     struct slices *cards, struct fault *f)
{
	if (name != NULL && made_up != NULL) {
		fault_field(f, "deck", "cannot be combined with valid_sizes");
		return ERR_INVALID;
	}
	return made_up != NULL
		       ? deck_clean(*made_up, arena, cards, f)
		       : deck_preset(name != NULL ? *name : SLICE(DECK_DEFAULT), arena, cards, f);
}

int deck_find(struct slices cards, struct slice card)
{
	for (size_t i = 0; i < cards.n; i++) {
		if (slice_eq(cards.items[i], card)) {
			return (int)i;
		}
	}
	return -1;
}

static bool card_fraction(struct slice card, double *value)
{
	static const struct {
		struct slice sign;
		double value;
	} fractions[] = {
		{{"½", 2}, 0.5},
		{{"¼", 2}, 0.25},
		{{"¾", 2}, 0.75},
	};
	for (size_t i = 0; i < sizeof(fractions) / sizeof(fractions[0]); i++) {
		if (slice_eq(card, fractions[i].sign)) {
			*value = fractions[i].value;
			return true;
		}
	}
	return false;
}

/*
 * By hand, because strtod() takes its decimal point from the locale, and
 * infinities, hexadecimal and exponents besides. Gathering all digits first
 * and dividing once gives the double nearest to what was written.
 */
static bool card_decimal(struct slice card, double *value)
{
	static const double tens[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};
	size_t at = card.len > 0 && card.data[0] == '-' ? 1 : 0;
	int64_t digits = 0;
	size_t n = 0, after = 0;
	bool has_point = false;
	for (size_t i = at; i < card.len; i++) {
		char c = card.data[i];
		if (c == '.' && !has_point && n > 0) {
			has_point = true;
			continue;
		}
		if (c < '0' || c > '9' || ++n > CARD_DIGITS_MAX) {
			return false;
		}
		digits = digits * 10 + (c - '0');
		after += has_point ? 1 : 0;
	}
	if (n == 0 || (has_point && after == 0)) {
		return false;
	}
	*value = (double)(at == 1 ? -digits : digits) / tens[after];
	return true;
}

bool card_number(struct slice card, double *value)
{
	return card_fraction(card, value) || card_decimal(card, value);
}

bool card_is_special(struct slice card)
{
	static const char *const special[] = {"?", "∞", "☕", "coffee", "break", "brk"};
	for (size_t i = 0; i < sizeof(special) / sizeof(special[0]); i++) {
		if (slice_eq(card, slice_str(special[i]))) {
			return true;
		}
	}
	return false;
}
