/*
 * room_votes.c - cards on the table, and the deck they are of.
 *
 * When they are turned over is room_play.c's, what becomes of them with a round
 * room_rounds.c's.
 */
#include "server/domain/room.h"

#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "proto/deck.h"

bool room_has_votes(const struct room *r)
{
	const struct seat *seat;
	DL_FOREACH (r->seats, seat) {
		if (seat->card != CARD_NONE) {
			return true;
		}
	}
	return false;
}

/* ---- a vote ---- */

static enum fault_code find_card(const struct room *r, struct room_call *c, struct slice vote,
				 int *card)
{
	struct slice clean = {0};
	enum fault_code f =
		room_clean_text(c, "vote", vote, MAX_CARD_BYTES, MAX_CARD_CELLS, &clean);
	if (f != FAULT_NONE) {
		return f;
	}
	*card = deck_find(r->deck, clean);
	return *card >= 0 ? FAULT_NONE
			  : fault_field(c->fault, "vote", "is none of the room's valid_sizes");
}

/* What goes with a card: a line of text, and how sure one is. */
static enum fault_code read_vote_extras(const struct room *r, struct room_call *c,
					struct slice *note)
{
	const struct room_vote_params *p = c->params;
	if (p->with_confidence && !r->policy.confidence) {
		return fault_field(c->fault, "confidence", "is not asked for by the room's policy");
	}
	if (p->note.len == 0) {
		return FAULT_NONE;
	}
	return room_clean_text(c, "note", p->note, MAX_NOTE_BYTES, MAX_NOTE_CELLS, note);
}

static void put_card(struct room *r, struct room_call *c, int card, int confidence)
{
	struct seat *seat = c->seat;
	bool is_new_card = seat->card != card;
	if (is_new_card) {
		seat->is_changed = r->is_revealed;
		seat->voted_at = c->wall_ms;
		r->to_store = r->to_store || r->is_held;
		r->is_held = false;
	}
	bool is_seen = seat->card == CARD_NONE || !r->is_revealed || !r->policy.anonymous;
	bool was_shown = seat->to_show;
	seat->card = card;
	seat->confidence = confidence;
	room_seat_changed(r, seat);
	/* Beside a result that changed, an update that named the seat would say whose card it was.
	 */
	seat->to_show = is_seen || was_shown;
	room_forget_undo(r);
	if (r->is_revealed) {
		r->to_show =
			true; /* the result is part of the room, and of no item but the round's */
		room_round_changed(r, c->mono_ms);
	}
}

static void retract(struct room *r, struct room_call *c)
{
	if (c->seat->card == CARD_NONE) {
		return;
	}
	room_take_vote(r, c->seat);
	room_stop_countdown(r);
	if (r->is_revealed) {
		room_round_changed(r, c->mono_ms);
	}
}

enum fault_code on_vote(struct room *r, struct room_call *c)
{
	const struct room_vote_params *p = c->params;
	struct room_vote_result *result = c->result;
	struct seat *seat = c->seat;
	struct slice note = {0};
	int card = CARD_NONE;
	enum fault_code f = room_check_right(r, c, RIGHT_VOTE);
	f = f == FAULT_NONE && p->vote.data != NULL ? find_card(r, c, p->vote, &card) : f;
	f = f == FAULT_NONE ? read_vote_extras(r, c, &note) : f;
	if (f != FAULT_NONE) {
		return f;
	}
	int confidence = p->with_confidence ? (int)p->confidence : seat->confidence;
	bool new_note = p->with_note && !slice_eq(note, slice_str(seat->note));
	if (card == CARD_NONE) {
		retract(r, c);
	} else if (card != seat->card || confidence != seat->confidence || new_note) {
		if (new_note && !room_set_text(&seat->note, note)) {
			return room_out_of_memory(c);
		}
		put_card(r, c, card, confidence);
	}
	result->has_vote = card != CARD_NONE;
	return FAULT_NONE;
}

/* ---- the deck ---- */

static bool decks_equal(struct slices a, struct slices b)
{
	bool equal = a.n == b.n;
	for (size_t i = 0; equal && i < a.n; i++) {
		equal = slice_eq(a.items[i], b.items[i]);
	}
	return equal;
}

/* Votes are indexes into the deck: find each card in the new one, or clear the vote. */
static void move_votes(struct room *r, struct slices new_deck)
{
	struct seat *seat;
	DL_FOREACH (r->seats, seat) {
		if (seat->last.card != CARD_NONE) {
			seat->last.card = deck_find(new_deck, r->deck.items[seat->last.card]);
		}
		if (seat->card == CARD_NONE) {
			continue;
		}
		int card = deck_find(new_deck, r->deck.items[seat->card]);
		if (card < 0) {
			room_clear_vote(r, seat);
			room_stop_countdown(r);
		} else {
			seat->card = card;
		}
	}
}

enum fault_code on_set_valid_sizes(struct room *r, struct room_call *c)
{
	const struct room_set_valid_sizes_params *p = c->params;
	struct slices cards;
	enum err e = deck_clean(p->valid_sizes, c->arena, &cards, c->fault);
	if (e != OK) {
		return e == ERR_INVALID ? c->fault->code : room_out_of_memory(c);
	}
	if (!decks_equal(r->deck, cards)) {
		struct slices deck;
		if (!room_copy_deck(cards, &deck)) {
			return room_out_of_memory(c);
		}
		room_settle_round(r);
		move_votes(r, deck);
		free(r->deck.items);
		r->deck = deck;
		room_changed(r);
	}
	struct room_set_valid_sizes_result *result = c->result;
	result->valid_sizes = r->deck;
	return FAULT_NONE;
}
