/*
 * room_left.c - cards that lie open and whose members have left them: they have gone, watch only, or gave the seat up.
 *
 * A result is what was turned over, so that such a card stays on the table until the round ends, or its member is back.
 * The table needs no item for it: a vote of the open round's item that no seat has was left.
 */
#include "server/domain/room/room_state.h"

#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "proto/base/format.h"

static void left_vote_free(struct left_vote *v)
{
	if (v != NULL) {
		free(v->username);
		free(v->comment);
		free(v);
	}
}

static void left_vote_remove(struct room *r, struct left_vote *v)
{
	DL_DELETE(r->left, v);
	r->left_n--;
	left_vote_free(v);
}

void room_forget_left(struct room *r)
{
	r->left_cleared = r->left_cleared || r->left != NULL;
	while (r->left != NULL) {
		left_vote_remove(r, r->left);
	}
}

static struct left_vote *left_vote_of(const struct room *r, const char *user_id)
{
	struct left_vote *v;
	DL_FOREACH (r->left, v) {
		if (strcmp(v->user_id, user_id) == 0) {
			return v;
		}
	}
	return NULL;
}

/* Behind the others; nobody has left two. */
static void left_vote_add(struct room *r, const struct round_vote *vote)
{
	struct left_vote *v = calloc(1, sizeof(*v));
	if (v == NULL || !room_set_text(&v->username, vote->username) ||
	    !room_set_text(&v->comment, vote->comment)) {
		r->is_short_of_memory = true;
		left_vote_free(v);
		return;
	}
	(void)format_to(v->user_id, sizeof(v->user_id), "%.*s", (int)vote->user_id.len,
			vote->user_id.data);
	(void)format_to(v->card, sizeof(v->card), "%.*s", (int)vote->vote.len, vote->vote.data);
	v->role = vote->role;
	v->is_bot = vote->is_bot;
	v->confidence = (int)vote->confidence;
	v->is_changed = vote->is_changed;
	v->needs_update = true;
	DL_APPEND(r->left, v);
	r->left_n++;
}

struct round_vote left_vote_view(const struct left_vote *v)
{
	return (struct round_vote){
		.vote = slice_str(v->card),
		.user_id = slice_str(v->user_id),
		.username = slice_str(v->username),
		.role = v->role,
		.is_bot = v->is_bot,
		.comment = slice_str(v->comment),
		.confidence = v->confidence,
		.is_changed = v->is_changed,
	};
}

static struct round_vote seat_vote(const struct room *r, const struct seat *seat)
{
	return (struct round_vote){
		.vote = room_card(r, seat->card),
		.user_id = slice_str(seat->user_id),
		.username = slice_str(seat->username),
		.role = seat->role,
		.is_bot = seat->is_bot,
		.comment = slice_str(seat->comment),
		.confidence = seat->confidence,
		.is_changed = seat->is_changed,
	};
}

struct round_vote *room_open_votes(const struct room *r, struct arena *arena, size_t *n)
{
	const struct seat *seat;
	const struct left_vote *v;
	struct round_vote *votes =
		arena_alloc(arena, (r->seats_n + r->left_n + 1) * sizeof(*votes));
	*n = 0;
	DL_FOREACH (votes == NULL ? NULL : r->seats, seat) {
		if (room_deck_has(r, seat->card)) {
			votes[(*n)++] = seat_vote(r, seat);
		}
	}
	DL_FOREACH (votes == NULL ? NULL : r->left, v) {
		votes[(*n)++] = left_vote_view(v);
	}
	return votes;
}

void room_leave_vote(struct room *r, const struct seat *seat)
{
	room_settle_round(r);
	if (room_shows_cards(r) && room_deck_has(r, seat->card)) {
		struct round_vote vote = seat_vote(r, seat);
		left_vote_add(r, &vote);
	} else if (room_shows_cards(r)) {
		room_changed(r); /* the result counts those that are withdrawn */
	}
}

bool room_take_left_vote(struct room *r, struct seat *seat)
{
	struct left_vote *v = left_vote_of(r, seat->user_id);
	if (v == NULL || seat->role != ROLE_VOTER) {
		return false;
	}
	last_vote_clear(&seat->last);
	seat->last = (struct last_vote){deck_find(r->deck, slice_str(v->card)), v->comment,
					v->confidence, v->is_changed};
	v->comment = NULL;
	left_vote_remove(r, v);
	r->left_cleared = true;
	DL_FOREACH (r->left, v) {
		v->needs_update = true;
	}
	room_lay_vote_again(r, seat);
	return true;
}

/* Whether that user's seat has a card. Both are in the order of the seats, so the next one is nearly always it. */
static bool has_card(const struct room *r, struct slice user_id, const struct seat **near)
{
	const struct seat *seat = *near;
	for (size_t i = 0; i < r->seats_n; i++) {
		seat = seat == NULL ? r->seats : seat;
		if (slice_eq(slice_str(seat->user_id), user_id)) {
			*near = seat->next;
			return seat->card != CARD_NONE;
		}
		seat = seat->next;
	}
	return false;
}

void room_find_left(struct room *r)
{
	struct arena arena = {0};
	struct round_view view;
	struct fault fault;
	const struct past_round *p = room_past_round(r, r->round);
	const struct seat *near = r->seats;
	room_forget_left(r);
	if (!r->is_revealed || r->result.len > 0 || p == NULL || p->view == NULL) {
		return;
	}
	enum err e = record_from_bytes(&record_round_view, slice_of(p->view, p->view_len),
				       RECORD_LENIENT, &arena, &view, &fault);
	r->is_short_of_memory = r->is_short_of_memory || e != OK;
	for (size_t i = 0; e == OK && i < view.votes_n; i++) {
		const struct round_vote *vote = &view.votes[i];
		if (vote->user_id.len > 0 && !has_card(r, vote->user_id, &near) &&
		    deck_find(r->deck, vote->vote) >= 0) {
			left_vote_add(r, vote);
		}
	}
	arena_finish(&arena);
}
