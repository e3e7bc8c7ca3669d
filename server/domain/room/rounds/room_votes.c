/*
 * room_votes.c - cards on the table, and the deck they are of.
 *
 * The reveal is room_reveal.c's, what becomes of votes with a round
 * room_rounds.c's.
 */
#include "server/domain/room/room_state.h"

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

/* ---- cards ---- */

struct slice room_card(const struct room *r, int card)
{
	size_t i = (size_t)card;
	if (card == CARD_NONE) {
		return (struct slice){0};
	}
	return i < r->deck.n ? r->deck.items[i] : r->old_cards.items[i - r->deck.n];
}

bool room_deck_has(const struct room *r, int card)
{
	return card >= 0 && (size_t)card < r->deck.n;
}

bool room_shows_cards(const struct room *r)
{
	return r->is_revealed && !r->policy.anonymous;
}

/* Where results have no names, a vote that is withdrawn would disclose its card. */
bool room_shows_vote(const struct room *r, const struct seat *seat)
{
	return seat->card != CARD_NONE && (!room_shows_cards(r) || room_deck_has(r, seat->card));
}

bool room_hides_voters(const struct room *r)
{
	return r->policy.hide_who_voted && !r->is_revealed;
}

/* Members who are away are counted, too: else the number would disclose whether they have voted. */
int64_t room_count_votes(const struct room *r)
{
	int64_t n = 0;
	const struct seat *seat;
	DL_FOREACH (r->seats, seat) {
		n += room_vote_counts(r, seat);
	}
	return n;
}

void room_show_voters(struct room *r)
{
	struct seat *seat;
	DL_FOREACH (r->seats, seat) {
		if (room_shows_vote(r, seat)) {
			room_show_seat(r, seat, SEAT_HAS_VOTE);
		}
	}
}

void room_show_cards(struct room *r, unsigned fields)
{
	struct seat *seat;
	DL_FOREACH (r->seats, seat) {
		if (seat->card != CARD_NONE) {
			room_show_seat(r, seat,
				       room_deck_has(r, seat->card) ? fields : SEAT_HAS_VOTE);
		}
	}
}

/* ---- a vote ---- */

void room_drop_card(struct room *r, struct seat *seat)
{
	if (seat->card != CARD_NONE) {
		seat->card = CARD_NONE;
		seat->confidence = 0;
		seat->is_changed = false;
		(void)room_set_text(&seat->comment, (struct slice){0}); /* only frees */
		room_seat_changed(r, seat, SEAT_HAS_VOTE);
		if (room_shows_cards(r)) {
			room_show_seat(r, seat, SEAT_CARD_ANEW);
		}
	}
}

void room_clear_vote(struct room *r, struct seat *seat)
{
	if (seat->card != CARD_NONE) {
		room_leave_vote(r, seat);
	}
	room_drop_card(r, seat);
}

/* ---- a vote off the table ---- */

void last_vote_clear(struct last_vote *last)
{
	free(last->comment);
	*last = (struct last_vote){.card = CARD_NONE};
}

void room_put_vote_aside(struct room *r, struct seat *seat)
{
	room_settle_round(r);
	last_vote_clear(&seat->last);
	seat->last =
		(struct last_vote){seat->card, seat->comment, seat->confidence, seat->is_changed};
	seat->comment = NULL;
	seat->needs_write = true;
	room_mark_seat(r, seat);
	room_drop_card(r, seat);
}

void room_lay_vote_again(struct room *r, struct seat *seat)
{
	free(seat->comment);
	seat->card = seat->last.card;
	seat->comment = seat->last.comment;
	seat->confidence = seat->last.confidence;
	seat->is_changed = seat->last.is_changed;
	seat->last.comment = NULL;
	last_vote_clear(&seat->last);
	seat->is_vote_aside = false;
	room_seat_changed(r, seat, SEAT_HAS_VOTE);
}

void room_forget_votes_aside(struct room *r)
{
	struct seat *seat;
	DL_FOREACH (r->seats, seat) {
		if (seat->is_vote_aside) {
			seat->is_vote_aside = false;
			last_vote_clear(&seat->last);
			room_check_graces(r);
			seat->needs_write = true;
			room_mark_seat(r, seat);
		}
	}
}

/* ---- room.vote ---- */

/* For one more vote in the open round: those who left theirs would else make it as long as they like. */
static bool has_place(const struct room *r, const int64_t *limits)
{
	int64_t n = (int64_t)r->left_n;
	const struct seat *seat;
	DL_FOREACH (r->left_n > 0 ? r->seats : NULL, seat) {
		n += seat->card != CARD_NONE;
	}
	return n < limits[LIMIT_ROOM_SEATS];
}

enum fault_code on_ROOM_VOTE(struct room *r, struct room_call *c)
{
	const struct room_vote_params *p = c->params;
	struct room_vote_result *result = c->result;
	struct seat *seat = c->seat;
	int card = CARD_NONE;
	if (p->vote.data != NULL && (card = deck_find(r->deck, p->vote)) < 0) {
		return fault_field(c->fault, "vote", "is not a card of this room");
	}
	if (p->with_confidence && !r->policy.confidence) {
		return fault_field(c->fault, "confidence",
				   "is not recorded under this room's rules");
	}
	if (story_is_elsewhere(r, p->story_id)) {
		return room_vote_on_story(r, c);
	}
	/* A card that is there may be taken back: it is of before the stories were open. */
	if ((card != CARD_NONE || seat->card == CARD_NONE) && r->story_id[0] == '\0' &&
	    room_count_open(r) > 0) {
		return fault_set_field(
			c->fault, FAULT_CONFLICT, "story_id",
			"is required: no story is at the table, and others are open");
	}
	int confidence = p->with_confidence ? (int)p->confidence : seat->confidence;
	bool new_comment = p->with_comment && !slice_eq(p->comment, slice_str(seat->comment));
	if (r->is_revealed && seat->card == CARD_NONE) {
		(void)room_take_left_vote(r, seat);
	}
	if (r->is_revealed && seat->card == CARD_NONE && card != CARD_NONE &&
	    !has_place(r, c->limits)) {
		return fault_set(c->fault, FAULT_CONFLICT, "this round is full; start the next");
	}
	bool is_retracted = card == CARD_NONE && seat->card != CARD_NONE;
	if (is_retracted) {
		room_drop_card(r, seat);
		room_stop_countdown(r);
	}
	if (is_retracted && r->is_revealed) {
		room_changed(r);		  /* the result is part of the room */
		room_record_round(r, c->wall_ms); /* at once: what it has and no seat was left */
	}
	if (card != CARD_NONE) {
		if (new_comment && !room_set_text(&seat->comment, p->comment)) {
			return room_out_of_memory(c);
		}
		/* Face down every vote is the same to the others: one for the same card as before is shown as any other is,
		 * and lets a countdown that was held begin. */
		seat->is_changed = r->is_revealed && (seat->is_changed || seat->card != card);
		seat->card = card;
		seat->confidence = confidence;
		seat->keep_seconds = p->keep_seconds;
		seat->is_passing = p->keep_seconds > 0 && c->is_on_seat;
		r->needs_write = r->needs_write || r->is_held;
		r->is_held = false;
		room_seat_changed(r, seat, SEAT_HAS_VOTE);
		room_forget_undo(r);
		if (r->is_revealed) {
			room_show_seat(r, seat, SEAT_CARD_ANEW);
			/* The result is part of the room, and of no item but the round's. */
			r->needs_update = true;
		}
	}
	if (r->is_revealed && card != CARD_NONE) {
		room_round_changed(r, c->mono_ms);
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

bool room_read_card(struct room *r, struct slice label, int *card)
{
	size_t n = r->deck.n + r->old_cards.n;
	if (label.len > MAX_CARD_BYTES) {
		return true; /* longer than any card ever was: as if it were not there */
	}
	for (size_t i = 0; i < n; i++) {
		if (slice_eq(room_card(r, (int)i), label)) {
			*card = (int)i;
			return true;
		}
	}
	struct slices more = {malloc((r->old_cards.n + 1) * sizeof(*more.items)), 0};
	struct slices kept = {NULL, 0};
	for (size_t i = 0; more.items != NULL && i < r->old_cards.n; i++) {
		more.items[more.n++] = r->old_cards.items[i];
	}
	if (more.items != NULL) {
		more.items[more.n++] = label;
	}
	bool ok = more.items != NULL && room_copy_texts(more, &kept);
	if (ok) {
		free(r->old_cards.items);
		r->old_cards = kept;
		*card = (int)n;
	}
	free(more.items);
	return ok;
}

/*
 * A vote keeps its card under another deck: which of them the new
 * deck does not have shows at the reveal, where those fall away, and before that
 * to each voter alone.
 */
struct new_deck {
	struct slices cards;
	struct slices old_cards;
	int *moved; /* by the card's number until now */
};

static bool new_deck_make(const struct room *r, struct room_call *c, struct slices cards,
			  struct new_deck *out)
{
	size_t n = r->deck.n + r->old_cards.n;
	bool *is_used = arena_alloc(c->arena, n * sizeof(*is_used));
	struct slices old = {arena_alloc(c->arena, n * sizeof(*old.items)), 0};
	out->moved = arena_alloc(c->arena, n * sizeof(*out->moved));
	if (is_used == NULL || old.items == NULL || out->moved == NULL) {
		return false;
	}
	memset(is_used, 0, n * sizeof(*is_used));
	const struct seat *seat;
	DL_FOREACH (r->seats, seat) {
		if (seat->card != CARD_NONE) {
			is_used[seat->card] = true;
		}
		if (seat->last.card != CARD_NONE) {
			is_used[seat->last.card] = true;
		}
	}
	for (size_t i = 0; i < n; i++) {
		struct slice card = room_card(r, (int)i);
		out->moved[i] = deck_find(cards, card);
		if (out->moved[i] < 0 && is_used[i]) {
			out->moved[i] = (int)(cards.n + old.n);
			old.items[old.n++] = card;
		}
	}
	if (!room_copy_texts(cards, &out->cards)) {
		return false;
	}
	if (!room_copy_texts(old, &out->old_cards)) {
		free(out->cards.items);
		return false;
	}
	return true;
}

/* Returns whether a card that lies open is of the deck again. */
static bool new_deck_lay(struct room *r, const struct new_deck *d)
{
	struct seat *seat;
	bool comes_back = false;
	size_t had = r->deck.n;
	free(r->deck.items);
	free(r->old_cards.items);
	r->deck = d->cards;
	r->old_cards = d->old_cards;
	DL_FOREACH (r->seats, seat) {
		if (seat->last.card != CARD_NONE) {
			seat->last.card = d->moved[seat->last.card];
		}
		if (seat->card == CARD_NONE) {
			continue;
		}
		bool was_in = (size_t)seat->card < had;
		seat->card = d->moved[seat->card];
		room_tell(r, seat);
		if (room_shows_cards(r) && was_in != room_deck_has(r, seat->card)) {
			room_show_seat(r, seat, SEAT_HAS_VOTE | SEAT_CARD_ANEW);
			comes_back = comes_back || !was_in;
		}
	}
	room_changed(r);
	return comes_back;
}

enum fault_code on_ROOM_SET_VALID_SIZES(struct room *r, struct room_call *c)
{
	const struct room_set_valid_sizes_params *p = c->params;
	struct slices cards;
	enum err e = deck_clean(p->valid_sizes, c->arena, &cards, c->fault);
	if (e != OK) {
		return e == ERR_INVALID ? c->fault->code : room_out_of_memory(c);
	}
	if (!decks_equal(r->deck, cards)) {
		struct new_deck deck;
		if (!new_deck_make(r, c, cards, &deck)) {
			return room_out_of_memory(c);
		}
		room_settle_round(r);
		bool comes_back = new_deck_lay(r, &deck);
		room_find_left(r);
		if (comes_back) {
			room_check_round(r, c->mono_ms);
		}
	}
	struct room_set_valid_sizes_result *result = c->result;
	result->valid_sizes = r->deck;
	return FAULT_NONE;
}
