/*
 * test_vote_stats.c - results, each row worked out by hand.
 */
#include <stdlib.h>
#include <string.h>

#include "proto/vote_stats.h"
#include "tests/support/test.h"

#define G    "1 2 3 5 8 13 20 ? \xe2\x88\x9e"
#define H    "0 \xc2\xbd 1 2 3 5 8 13 20 40 100 ?"
#define T    "XS S M L XL XXL ?"
#define F    "0 1 2 3 4 5"
#define Y    "yes no ?"
#define P    "0 1 2 4 8 16 32 64 ?"
#define R    "8 1 5 ? 2" /* in no order */
#define D    "0.5 1.5 2.5"
#define N    "-1 0 1"
#define A    "a b c d"
#define K    "1k 2k ?"
#define M    "1 2 XL ?"
#define C    "1 2 \xe2\x98\x95 ?"
#define NONE -1

static const struct {
	const char *deck, *votes;
	size_t counted;
	bool has_average;
	double average, median;
	int mode, percent, lowest, highest, spread, suggestion;
	bool unanimous;
} rows[] = {
	/* deck, votes, n, avg?, average, median, mode, %, low, high, spread, accept, all */
	{G, "", 0, false, 0, 0, NONE, 0, NONE, NONE, NONE, NONE, false},
	{G, "5", 1, true, 5, 5, 3, 100, 3, 3, NONE, 3, false},
	{G, "5 5", 2, true, 5, 5, 3, 100, 3, 3, 0, 3, true},
	{G, "5 5 5", 3, true, 5, 5, 3, 100, 3, 3, 0, 3, true},
	{G, "5 8", 2, true, 6.5, 6.5, 3, 50, 3, 4, 1, 4, false},
	{G, "8 5", 2, true, 6.5, 6.5, 3, 50, 3, 4, 1, 4, false},
	{G, "3 5", 2, true, 4, 4, 2, 50, 2, 3, 1, 3, false},
	{G, "13 20", 2, true, 16.5, 16.5, 5, 50, 5, 6, 1, 6, false},
	{G, "3 8", 2, true, 5.5, 5.5, 2, 50, 2, 4, 2, NONE, false},
	{G, "5 5 8", 3, true, 6, 5, 3, 67, 3, 4, 1, 3, false},
	{G, "5 8 8", 3, true, 7, 8, 4, 67, 3, 4, 1, 4, false},
	{G, "1 2 3", 3, true, 2, 2, 0, 33, 0, 2, 2, NONE, false},
	{G, "3 5 8", 3, true, 16.0 / 3, 5, 2, 33, 2, 4, 2, NONE, false},
	{G, "3 5 5 8", 4, true, 5.25, 5, 3, 50, 2, 4, 2, 3, false},
	{G, "5 5 8 8", 4, true, 6.5, 6.5, 3, 50, 3, 4, 1, 4, false},
	{G, "5 5 5 8 8", 5, true, 6.2, 5, 3, 60, 3, 4, 1, 3, false},
	{G, "3 3 5 8 8", 5, true, 5.4, 5, 2, 40, 2, 4, 2, NONE, false},
	{G, "1 2 2 2 2 2 3", 7, true, 2, 2, 1, 71, 0, 2, 2, 1, false},
	{G, "1 2 3 5", 4, true, 2.75, 2.5, 0, 25, 0, 3, 3, NONE, false},
	{G, "1 1 20 20", 4, true, 10.5, 10.5, 0, 50, 0, 6, 6, NONE, false},
	{G, "20 1", 2, true, 10.5, 10.5, 0, 50, 0, 6, 6, NONE, false},
	{G, "5 3 5 8 5", 5, true, 5.2, 5, 3, 60, 2, 4, 2, 3, false},
	{G, "13 13 13 1", 4, true, 10, 13, 5, 75, 0, 5, 5, NONE, false},
	{G, "5 5 5 5 5 5 5 13", 8, true, 6, 5, 3, 88, 3, 5, 2, NONE, false},
	{G, "1 2 3 5 8 13 20", 7, true, 52.0 / 7, 5, 0, 14, 0, 6, 6, NONE, false},
	{G, "?", 1, false, 0, 0, 7, 100, NONE, NONE, NONE, NONE, false},
	{G, "? ?", 2, false, 0, 0, 7, 100, NONE, NONE, NONE, NONE, true},
	{G, "? \xe2\x88\x9e", 2, false, 0, 0, 7, 50, NONE, NONE, NONE, NONE, false},
	{G, "5 ?", 2, true, 5, 5, 3, 50, 3, 3, NONE, 3, false},
	{G, "? ? 5", 3, true, 5, 5, 7, 67, 3, 3, NONE, 3, false},
	{G, "? ? ? 5 8", 5, true, 6.5, 6.5, 7, 60, 3, 4, 1, 4, false},
	{G, "1 1 2 2 ? \xe2\x88\x9e", 6, true, 1.5, 1.5, 0, 33, 0, 1, 1, 1, false},
	{G, "\xe2\x88\x9e 2 2 8", 4, true, 4, 2, 1, 50, 1, 4, 3, NONE, false},
	{G, "4", 0, false, 0, 0, NONE, 0, NONE, NONE, NONE, NONE, false},
	{G, "4 5", 1, true, 5, 5, 3, 100, 3, 3, NONE, 3, false},
	{G, "4 5 5", 2, true, 5, 5, 3, 100, 3, 3, 0, 3, true},
	{H, "\xc2\xbd", 1, true, 0.5, 0.5, 1, 100, 1, 1, NONE, 1, false},
	{H, "\xc2\xbd 1", 2, true, 0.75, 0.75, 1, 50, 1, 2, 1, 2, false},
	{H, "0 0 0", 3, true, 0, 0, 0, 100, 0, 0, 0, 0, true},
	{H, "0 100", 2, true, 50, 50, 0, 50, 0, 10, 10, NONE, false},
	{H, "0 \xc2\xbd 100", 3, true, 33.5, 0.5, 0, 33, 0, 10, 10, NONE, false},
	{H, "20 40 40 40", 4, true, 35, 40, 9, 75, 8, 9, 1, 9, false},
	{H, "13 20 40", 3, true, 73.0 / 3, 20, 7, 33, 7, 9, 2, NONE, false},
	{T, "M", 1, false, 0, 0, 2, 100, 2, 2, NONE, 2, false},
	{T, "M M L", 3, false, 0, 0, 2, 67, 2, 3, 1, 2, false},
	{T, "M L", 2, false, 0, 0, 2, 50, 2, 3, 1, 3, false},
	{T, "XS XXL", 2, false, 0, 0, 0, 50, 0, 5, 5, NONE, false},
	{T, "XL XL XL", 3, false, 0, 0, 4, 100, 4, 4, 0, 4, true},
	{T, "XS S M", 3, false, 0, 0, 0, 33, 0, 2, 2, NONE, false},
	{T, "S M M L", 4, false, 0, 0, 2, 50, 1, 3, 2, 2, false},
	{T, "? M", 2, false, 0, 0, 2, 50, 2, 2, NONE, 2, false},
	{T, "?", 1, false, 0, 0, 6, 100, NONE, NONE, NONE, NONE, false},
	{T, "M L L XL ?", 5, false, 0, 0, 3, 40, 2, 4, 2, 3, false},
	{F, "0 1 2 3 4 5", 6, true, 2.5, 2.5, 0, 17, 0, 5, 5, NONE, false},
	{F, "5 5 5 4 4 4", 6, true, 4.5, 4.5, 4, 50, 4, 5, 1, 5, false},
	{F, "5 0 0", 3, true, 5.0 / 3, 0, 0, 67, 0, 5, 5, NONE, false},
	{F, "0 5", 2, true, 2.5, 2.5, 0, 50, 0, 5, 5, NONE, false},
	{F, "3 3 3 3 3 3 3 2", 8, true, 2.875, 3, 3, 88, 2, 3, 1, 3, false},
	{F, "3 2 2 2 2 2 2 2", 8, true, 2.125, 2, 2, 88, 2, 3, 1, 2, false},
	{P, "32 64", 2, true, 48, 48, 6, 50, 6, 7, 1, 7, false},
	{P, "0 0 1", 3, true, 1.0 / 3, 0, 0, 67, 0, 1, 1, 0, false},
	{P, "1 4 4 16", 4, true, 6.25, 4, 3, 50, 1, 5, 4, NONE, false},
	{Y, "yes yes no", 3, false, 0, 0, 0, 67, 0, 1, 1, 0, false},
	{Y, "no no", 2, false, 0, 0, 1, 100, 1, 1, 0, 1, true},
	{Y, "yes no", 2, false, 0, 0, 0, 50, 0, 1, 1, 1, false},
	{Y, "yes no ?", 3, false, 0, 0, 0, 33, 0, 1, 1, 1, false},
	{Y, "yes yes yes no no", 5, false, 0, 0, 0, 60, 0, 1, 1, 0, false},
	{Y, "? ?", 2, false, 0, 0, 2, 100, NONE, NONE, NONE, NONE, true},
	{R, "8 1 2", 3, true, 11.0 / 3, 2, 0, 33, 1, 0, 3, NONE, false},
	{R, "5 2", 2, true, 3.5, 3.5, 2, 50, 4, 2, 1, 2, false},
	{R, "8 5 5", 3, true, 6, 5, 2, 67, 2, 0, 1, 2, false},
	{R, "8 ? 8 1", 4, true, 17.0 / 3, 8, 0, 50, 1, 0, 3, NONE, false},
	{D, "0.5 1.5 2.5", 3, true, 1.5, 1.5, 0, 33, 0, 2, 2, NONE, false},
	{D, "0.5 2.5", 2, true, 1.5, 1.5, 0, 50, 0, 2, 2, NONE, false},
	{N, "-1 1", 2, true, 0, 0, 0, 50, 0, 2, 2, NONE, false},
	{N, "-1 -1 0", 3, true, -2.0 / 3, -1, 0, 67, 0, 1, 1, 0, false},
	{A, "a d", 2, false, 0, 0, 0, 50, 0, 3, 3, NONE, false},
	{A, "b b c", 3, false, 0, 0, 1, 67, 1, 2, 1, 1, false},
	{K, "1k 2k", 2, false, 0, 0, 0, 50, 0, 1, 1, 1, false},
	{M, "2 XL", 2, true, 2, 2, 1, 50, 1, 1, NONE, 1, false},
	{M, "XL XL", 2, false, 0, 0, 2, 100, NONE, NONE, NONE, NONE, true},
	{C, "\xe2\x98\x95 1", 2, true, 1, 1, 0, 50, 0, 0, NONE, 0, false},
};

static size_t split(const char *words, struct slice *out)
{
	size_t n = 0;
	for (const char *at = words; *at != '\0';) {
		size_t len = strcspn(at, " ");
		out[n++] = slice_of(at, len);
		at += len + (at[len] == ' ' ? 1 : 0);
	}
	return n;
}

static void assert_near(double a, double b)
{
	double off = a - b;
	assert_true(off < 1e-9 && off > -1e-9);
}

TEST(test_results_are_those_worked_out_by_hand)
{
	assert_true(sizeof(rows) / sizeof(rows[0]) >= 60);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct slice cards[32], votes[32];
		struct slices deck = {cards, split(rows[i].deck, cards)};
		size_t n = split(rows[i].votes, votes), sum = 0;
		struct vote_stats t;
		vote_stats_of(deck, votes, n, &t);
		if (t.votes != rows[i].counted || t.mode != rows[i].mode ||
		    t.agreement_percent != rows[i].percent || t.lowest != rows[i].lowest ||
		    t.highest != rows[i].highest || t.is_unanimous != rows[i].unanimous ||
		    t.spread_steps != rows[i].spread || t.suggestion != rows[i].suggestion ||
		    t.has_average != rows[i].has_average) {
			fail_msg("row %zu (%s): %zu votes, mode %d, %d %%, %d to %d, %d apart, "
				 "accept %d",
				 i, rows[i].votes, t.votes, t.mode, t.agreement_percent, t.lowest,
				 t.highest, t.spread_steps, t.suggestion);
		}
		assert_near(t.average, rows[i].average);
		assert_near(t.median, rows[i].median);
		for (size_t c = 0; c < deck.n; c++) {
			sum += t.per_card[c];
		}
		assert_int_equal(sum, t.votes);
	}
}

TEST(test_the_order_of_votes_does_not_matter)
{
	struct slice cards[32], votes[32];
	struct slices deck = {cards, split(G, cards)};
	size_t n = split("5 3 ? 8 5 13 4", votes);
	struct vote_stats first;
	vote_stats_of(deck, votes, n, &first);
	for (size_t turn = 0; turn < n; turn++) {
		struct slice front = votes[0];
		memmove(votes, votes + 1, (n - 1) * sizeof(votes[0]));
		votes[n - 1] = front;
		struct vote_stats t;
		vote_stats_of(deck, votes, n, &t);
		assert_int_equal(t.mode, first.mode);
		assert_int_equal(t.agreement_percent, first.agreement_percent);
		assert_near(t.average, first.average);
		assert_near(t.median, first.median);
		assert_int_equal(t.spread_steps, first.spread_steps);
		assert_int_equal(t.suggestion, first.suggestion);
	}
}

TEST(test_thousands_of_votes_are_counted_exactly)
{
	static struct slice votes[2501];
	struct slice cards[32];
	struct slices deck = {cards, split(G, cards)};
	for (size_t i = 0; i < 2501; i++) {
		votes[i] = i < 1251 ? SLICE("1") : SLICE("3");
	}
	struct vote_stats t;
	vote_stats_of(deck, votes, 2501, &t);
	assert_int_equal(t.per_card[0], 1251);
	assert_int_equal(t.per_card[2], 1250);
	assert_near(t.median, 1);
	assert_int_equal(t.agreement_percent, 50);
	assert_false(t.is_unanimous);
	assert_int_equal(t.spread_steps, 2);
	assert_int_equal(t.suggestion, NONE);
}

/* The rule itself: whatever is suggested is a card that was voted, nobody is farther than one card
 * from it, and all of them together no farther than half a card each. */
TEST(test_whatever_is_suggested_is_near_everybody)
{
	struct slice cards[32], votes[4];
	struct slices deck = {cards, split(F, cards)};
	for (size_t code = 0; code < (size_t)6 * 6 * 6 * 6; code++) {
		int picked[4], distances = 0, farthest = 0;
		size_t rest = code;
		for (size_t i = 0; i < 4; i++) {
			picked[i] = (int)(rest % 6);
			votes[i] = cards[picked[i]];
			rest /= 6;
		}
		struct vote_stats t;
		vote_stats_of(deck, votes, 4, &t);
		for (size_t i = 0; i < 4 && t.suggestion >= 0; i++) {
			int distance = abs(picked[i] - t.suggestion);
			distances += distance;
			farthest = distance > farthest ? distance : farthest;
		}
		assert_true(t.suggestion < 0 || t.per_card[t.suggestion] > 0);
		assert_true(farthest <= 1 && 2 * distances <= 4);
		assert_true(t.suggestion >= 0 || t.spread_steps >= 1);
	}
}
