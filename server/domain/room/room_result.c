/*
 * room_result.c - the votes on the table as a result record. What the numbers
 * mean is vote_stats.h's; here only which votes count, and whether names may be shown.
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
	if (out->cards == NULL) {
		return false;
	}
	for (size_t i = 0; i < r->deck.n; i++) {
		if (t->per_card[i] == 0) {
			continue;
		}
		struct result_card *card = &out->cards[out->cards_n++];
		*card = (struct result_card){.card = r->deck.items[i],
					     .votes = (int64_t)t->per_card[i]};
		if (r->policy.anonymous) {
			continue;
		}
		struct slice *names = arena_alloc(arena, (t->per_card[i] + 1) * sizeof(*names));
		if (names == NULL) {
			return false;
		}
		card->user_ids.items = names;
		const struct seat *seat;
		DL_FOREACH (r->seats, seat) {
			if (room_vote_counts(r, seat) && seat->card == (int)i) {
				names[card->user_ids.n++] = slice_str(seat->user_id);
			}
		}
	}
	return true;
}

bool room_result_of(const struct room *r, struct arena *arena, struct room_result *out)
{
	struct vote_stats t;
	struct fault fault;
	if (r->result.len > 0) {
		return record_from_bytes(&record_room_result,
					 slice_of(r->result.bytes, r->result.len), RECORD_LENIENT,
					 arena, out, &fault) == OK;
	}
	struct slice *votes = arena_alloc(arena, (r->seats_n + 1) * sizeof(*votes));
	if (votes == NULL) {
		return false;
	}
	size_t n = 0;
	int64_t withdrawn = 0;
	const struct seat *seat;
	DL_FOREACH (r->seats, seat) {
		if (room_vote_counts(r, seat) && room_deck_has(r, seat->card)) {
			votes[n++] = room_card(r, seat->card);
		} else {
			withdrawn += room_vote_counts(r, seat);
		}
	}
	vote_stats_of(r->deck, votes, n, &t);
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
		.withdrawn = withdrawn,
	};
	return result_cards(r, arena, &t, out);
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
	buf_finish(&bytes);
	arena_finish(&arena);
}
