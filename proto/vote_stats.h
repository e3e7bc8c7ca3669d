/*
 * vote_stats.h - what a set of votes says: counts, average, median, agreement.
 *
 * The one place where results are computed; screen, verbs and server share it.
 * A card is a label with an optional number (deck.h); cards without one count
 * for the bars and the agreement, never for average and median. Cards have an
 * order by their numbers, or, in a deck without any, by their place; special
 * ones (?, ∞, a coffee) have none.
 */
#ifndef PROTO_VOTE_STATS_H
#define PROTO_VOTE_STATS_H

#include <stdbool.h>
#include <stddef.h>

#include "proto/base/limits.h"
#include "proto/base/slice.h"

struct vote_stats {
	size_t votes;                 /* all of them */
	size_t per_card[MAX_CARDS_MAX]; /* by the card's index in the deck */
	bool has_average;             /* at least one vote has a number */
	double average;
	double median;                /* of the numbers; the mean of the middle two where their count is even */
	int mode;                     /* index of the card most votes are for, the first of several; -1 without votes */
	int agreement_percent;        /* share of votes on the mode, rounded; 0 without votes */
	int lowest, highest;          /* index of the outermost cards that were voted, of those that have an order; -1 without */
	int spread_steps;             /* cards between those two; -1 with fewer than two such votes */
	int suggestion;               /* index of the card to accept; -1: talk */
	bool is_unanimous;            /* at least two votes, all on one card */
};

/*
 * @deck   at most CARDS_MAX cards (asserted).
 * @votes  n labels; one that is not in the deck is ignored.
 */
void vote_stats_of(struct slices deck, const struct slice *votes, size_t n, struct vote_stats *out);

#endif
