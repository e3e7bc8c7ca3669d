/*
 * room_result.c - the votes on the table as a result record. What the numbers
 * mean is vote_stats.h's; here only which votes count.
 */
#include "server/domain/room/room_state.h"

#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "proto/vote_stats.h"

static bool result_cards(const struct room *r, struct arena *arena, const struct vote_stats *t,
			 struct room_result *out)
{
	out->cards = arena_alloc(arena, (r->deck.n + 1) * sizeof(*out->cards));
	for (size_t i = 0; out->cards != NULL && i < r->deck.n; i++) {
		if (t->per_card[i] > 0) {
			out->cards[out->cards_n++] =
				(struct result_card){.card = r->deck.items[i],
						     .votes = (int64_t)t->per_card[i]};
		}
	}
	return out->cards != NULL;
}

bool room_result_of_votes(const struct room *r, struct arena *arena, const struct round_vote *votes,
			  size_t n, struct room_result *out)
{
	struct vote_stats t;
	struct slice *cards = arena_alloc(arena, (n + 1) * sizeof(*cards));
	size_t counted = 0;
	for (size_t i = 0; cards != NULL && i < n; i++) {
		if (!votes[i].is_bot || r->policy.bots_count) {
			cards[counted++] = votes[i].vote;
		}
	}
	if (cards == NULL) {
		return false;
	}
	vote_stats_of(r->deck, cards, counted, &t);
	*out = (struct room_result){
		.votes = (int64_t)t.votes,
		.average = t.average,
		.with_average = t.has_average,
		.median = t.median,
		.with_median = t.has_average,
		.mode = room_card(r, t.mode),
		.agreement_percent = t.agreement_percent,
		.spread_steps = t.spread_steps,
		.with_spread_steps = t.spread_steps >= 0,
		.lowest = room_card(r, t.lowest),
		.highest = room_card(r, t.highest),
		.suggestion = room_card(r, t.suggestion),
		.is_unanimous = t.is_unanimous,
		.withdrawn = (int64_t)(counted - t.votes), /* those the deck does not have */
	};
	return result_cards(r, arena, &t, out);
}

bool room_result_of(const struct room *r, struct arena *arena, struct room_result *out)
{
	struct fault fault;
	if (r->result.len > 0) {
		return record_from_bytes(&record_room_result,
					 slice_of(r->result.bytes, r->result.len), RECORD_LENIENT,
					 arena, out, &fault) == OK;
	}
	size_t open_n;
	const struct round_vote *open = room_open_votes(r, arena, &open_n);
	if (open == NULL || !room_result_of_votes(r, arena, open, open_n, out)) {
		return false;
	}
	const struct seat *seat;
	DL_FOREACH (r->seats, seat) {
		out->withdrawn += room_vote_counts(r, seat) && !room_deck_has(r, seat->card);
	}
	return true;
}

/* ---- fixed ---- */

void fixed_result_clear(struct fixed_result *result)
{
	free(result->bytes);
	*result = (struct fixed_result){0};
}

bool fixed_result_set(struct fixed_result *result, struct slice bytes)
{
	char *copy = malloc(bytes.len);
	if (copy == NULL) {
		return false;
	}
	memcpy(copy, bytes.data, bytes.len);
	fixed_result_clear(result);
	result->bytes = copy;
	result->len = bytes.len;
	return true;
}

void room_fix_result(struct room *r)
{
	if (!r->is_revealed || !r->policy.anonymous || r->result.len > 0) {
		return;
	}
	struct arena arena = {0};
	struct room_result result;
	struct buf bytes = {.max = MAX_FRAME_BYTES};
	bool ok = room_result_of(r, &arena, &result);
	if (ok) {
		record_write(&record_room_result, &result, &bytes);
		ok = bytes.error == OK && fixed_result_set(&r->result, buf_slice(&bytes));
	}
	r->is_short_of_memory = r->is_short_of_memory || !ok;
	r->needs_write = true;
	room_forget_left(r); /* they have names, and are in the result */
	buf_finish(&bytes);
	arena_finish(&arena);
}
