/*
 * vote_stats.h - the result of a set of votes: counts, average, median, agreement.
 *
 * The only place where results are computed; screen, verbs and server share it. A card is a label
 * with an optional number (deck.h); cards without a number count for the bars and the agreement,
 * but not for average and median. Cards are ordered by their numbers or, in a deck without any,
 * by their place; special cards (?, ∞, a coffee) have no order.
 */
#ifndef PROTO_VOTE_STATS_H
#define PROTO_VOTE_STATS_H

#include <stdbool.h>
#include <stddef.h>

#include "proto/base/limits.h"
#include "proto/base/slice.h"

struct vote_stats {
	size_t votes;                 /* all of them */
	size_t per_card[MAX_CARDS_MAX]; /* indexed by the card's place in the deck */
	bool has_average;             /* at least one vote has a number */
	double average;
	/* of the numbers; the mean of the middle two if there is an even number of them */
	double median;
	int mode; /* index of the card with the most votes, the first of several; -1: no votes */
	int agreement_percent;        /* share of votes for the mode, rounded; 0: no votes */
	/* index of the lowest and highest cards with votes, among those with an order; -1: none */
	int lowest, highest;
	int spread_steps; /* steps in the deck between these two; -1: fewer than two such votes */
	int suggestion;               /* index of the card to accept; -1: none, discuss */
	bool is_unanimous;            /* at least two votes, all for one card */
};

/*
 * @deck   at most CARDS_MAX cards (asserted).
 * @votes  n labels; one that is not in the deck is ignored.
 */
void vote_stats_of(struct slices deck, const struct slice *votes, size_t n, struct vote_stats *out);

#endif
