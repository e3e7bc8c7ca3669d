/*
 * cards.c - words between blanks and commas; see cards.h.
 */
#include "client/acts/cards.h"

#include <string.h>

#include "client/model/memory.h"
#include "proto/text/decimal.h"
#include "proto/base/limits.h"
#include "proto/deck.h"

#define CARDS_BETWEEN " ,"

static const char *cards_of_deck(struct slice name)
{
	const struct deck_row *d = deck_rows;
	while (d->name != NULL && !slice_eq(slice_str(d->name), name)) {
		d++;
	}
	return d->cards;
}

static bool cards_have(const struct slice *cards, size_t n, struct slice card)
{
	size_t i = 0;
	while (i < n && !slice_eq(cards[i], card)) {
		i++;
	}
	return i < n;
}

/* "fibonacci coffee": the deck's cards, and those that are no estimates and not among them. */
static size_t cards_expand(struct slice *cards, size_t n, size_t cap)
{
	struct slice more[CARDS_TYPED_MAX];
	const char *deck = n < 2 ? NULL : cards_of_deck(cards[0]);
	size_t more_n = 0;
	for (size_t i = 1; deck != NULL && i < n; i++) {
		if (!card_is_special(cards[i]) || more_n == CARDS_TYPED_MAX) {
			return n; /* cards of somebody's own, one of which has a deck's name */
		}
		more[more_n++] = cards[i];
	}
	if (deck == NULL) {
		return n;
	}
	n = cards_split(deck, cards, cap);
	for (size_t i = 0; i < more_n && n < cap; i++) {
		if (!cards_have(cards, n, more[i])) {
			cards[n++] = more[i];
		}
	}
	return n;
}

size_t cards_split(const char *text, struct slice *out, size_t cap)
{
	size_t n = 0;
	const char *at = text + strspn(text, CARDS_BETWEEN);
	while (*at != '\0' && n < cap) {
		size_t len = strcspn(at, CARDS_BETWEEN);
		out[n++] = slice_of(at, len);
		at += len;
		at += strspn(at, CARDS_BETWEEN);
	}
	return cards_expand(out, n, cap);
}

/* Which card the server's words are about: they name it by its place. */
static void cards_name(const struct slices *cards, const struct fault *f, struct errmsg *why)
{
	const char *at = strchr(f->field, '[');
	size_t digits;
	int64_t i = at == NULL ? 0 : decimal_front(slice_str(at + 1), MAX_CARDS_MAX, &digits);
	bool is_one = at != NULL || cards->n == 1;
	if (is_one && i >= 0 && (size_t)i < cards->n) {
		errmsg_set(why, "%.*s %s", (int)cards->items[i].len, cards->items[i].data,
			   f->message);
	} else {
		errmsg_set(why, "A deck %s", f->message);
	}
}

enum err cards_check(const char *text, struct errmsg *why)
{
	struct slice items[CARDS_TYPED_MAX];
	struct slices cards = {items, cards_split(text, items, CARDS_TYPED_MAX)};
	struct slices unused;
	struct arena arena = {0};
	struct fault fault = {0};
	enum err e = memory_check(cards.n == 1 ? deck_preset(items[0], &arena, &unused, &fault)
					       : deck_clean(cards, &arena, &unused, &fault));
	arena_finish(&arena);
	if (e == ERR_INVALID) {
		cards_name(&cards, &fault, why);
	}
	return e;
}
