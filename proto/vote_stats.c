/*
 * vote_stats.c - counting votes.
 */
#include "proto/vote_stats.h"

#include <string.h>

#include "proto/base/assert.h"
#include "proto/deck.h"

/*
 * Indices of the deck's cards that have an order among themselves: by their
 * numbers where there are any, else by their place in the deck (T-shirts).
 */
struct vote_stats_scale {
	bool has_numbers;
	size_t n;
	int index[MAX_CARDS_MAX];
	double value[MAX_CARDS_MAX];
};

static void vote_stats_scale_of(struct slices deck, struct vote_stats_scale *s)
{
	s->n = 0;
	for (size_t i = 0; i < deck.n; i++) {
		double value;
		if (!card_number(deck.items[i], &value)) {
			continue;
		}
		size_t at = s->n++;
		for (; at > 0 && s->value[at - 1] > value; at--) {
			s->value[at] = s->value[at - 1];
			s->index[at] = s->index[at - 1];
		}
		s->value[at] = value;
		s->index[at] = (int)i;
	}
	s->has_numbers = s->n > 0;
	for (size_t i = 0; i < deck.n && !s->has_numbers; i++) {
		if (!card_is_special(deck.items[i])) {
			s->value[s->n] = (double)i;
			s->index[s->n++] = (int)i;
		}
	}
}

static void vote_stats_mode(struct vote_stats *t, size_t cards)
{
	for (size_t i = 0; i < cards; i++) {
		if (t->per_card[i] > 0 && (t->mode < 0 || t->per_card[i] > t->per_card[t->mode])) {
			t->mode = (int)i;
		}
	}
	if (t->mode < 0) {
		return;
	}
	size_t most = t->per_card[t->mode];
	t->agreement_percent = (int)((most * 200 + t->votes) / (2 * t->votes));
	t->is_unanimous = t->votes >= 2 && most == t->votes;
}

/* Where on the scale the vote stands that is `rank`th from below. */
static size_t vote_stats_ranked(const struct vote_stats *t, const struct vote_stats_scale *s,
				size_t rank)
{
	size_t i = 0;
	while (i + 1 < s->n && rank >= t->per_card[s->index[i]]) {
		rank -= t->per_card[s->index[i]];
		i++;
	}
	return i;
}

/*
 * The middle vote's card, where everybody is near it: the farthest within one
 * card, the mean distance within half a card. Of two middle ones the higher,
 * because estimates are more often too low.
 */
static void vote_stats_suggest(struct vote_stats *t, const struct vote_stats_scale *s, size_t votes)
{
	size_t middle = vote_stats_ranked(t, s, votes / 2);
	size_t distances = 0;
	size_t farthest = 0;
	for (size_t i = 0; i < s->n; i++) {
		size_t here = t->per_card[s->index[i]];
		size_t distance = i > middle ? i - middle : middle - i;
		distances += here * distance;
		farthest = here > 0 && distance > farthest ? distance : farthest;
	}
	if (farthest <= 1 && 2 * distances <= votes) {
		t->suggestion = s->index[middle];
	}
}

static void vote_stats_order(struct vote_stats *t, const struct vote_stats_scale *s)
{
	double sum = 0;
	size_t votes = 0;
	size_t first = 0;
	size_t last = 0;
	for (size_t i = 0; i < s->n; i++) {
		size_t here = t->per_card[s->index[i]];
		if (here == 0) {
			continue;
		}
		first = t->lowest < 0 ? i : first;
		last = i;
		t->lowest = t->lowest < 0 ? s->index[i] : t->lowest;
		t->highest = s->index[i];
		sum += s->value[i] * (double)here;
		votes += here;
	}
	if (votes == 0) {
		return;
	}
	t->spread_steps = votes >= 2 ? (int)(last - first) : -1;
	vote_stats_suggest(t, s, votes);
	if (s->has_numbers) {
		t->has_average = true;
		t->average = sum / (double)votes;
		t->median = (s->value[vote_stats_ranked(t, s, (votes - 1) / 2)] +
			     s->value[vote_stats_ranked(t, s, votes / 2)]) /
			    2;
	}
}

void vote_stats_of(struct slices deck, const struct slice *votes, size_t n, struct vote_stats *out)
{
	ASSERT_CMP(deck.n, <=, MAX_CARDS_MAX);
	*out = (struct vote_stats){
		.mode = -1, .lowest = -1, .highest = -1, .spread_steps = -1, .suggestion = -1};
	struct vote_stats_scale scale;
	vote_stats_scale_of(deck, &scale);
	for (size_t i = 0; i < n; i++) {
		int card = deck_find(deck, votes[i]);
		if (card >= 0) {
			out->per_card[card]++;
			out->votes++;
		}
	}
	vote_stats_mode(out, deck.n);
	vote_stats_order(out, &scale);
}
