/*
 * story_table.c - the votes on a story come to the table when it is selected, and leave the table
 * with a story that has no estimate yet.
 */
#include "server/domain/room/room_state.h"

#include <string.h>

#include <utlist.h>

#include "proto/base/format.h"

/* ---- to the table ---- */

/* The seat has no card there. */
static bool lay_vote(struct room *r, struct story_vote *v)
{
	struct seat *seat = v->seat;
	int card = CARD_NONE;
	if (!room_read_card(r, slice_str(v->card), &card)) {
		return false;
	}
	struct last_vote laid = {card, NULL, v->confidence, v->is_changed};
	if (!room_set_text(&laid.comment, slice_str(v->comment))) {
		return false;
	}
	last_vote_clear(&seat->last);
	seat->last = laid;
	seat->keep_seconds = 0; /* that was said of another vote */
	if (seat->role == ROLE_VOTER) {
		room_lay_vote_again(r, seat);
	} else {
		seat->is_vote_aside = true; /* who spectates now does so at the table, too */
	}
	return true;
}

void room_lay_story_votes(struct room *r, struct story *s, int64_t wall_ms)
{
	struct arena arena = {0};
	struct round_view view;
	bool ok = true;
	bool is_revealed = s->revealed.len > 0;
	if (s->votes == NULL && !is_revealed) {
		return;
	}
	room_forget_undo(r); /* it would put other cards in their place */
	r->is_held = s->is_held;
	r->started_at = s->created_on; /* the votes are older than its coming to the table */
	room_changed(r);
	while (ok && s->votes != NULL) {
		struct seat *seat = s->votes->seat;
		ok = lay_vote(r, s->votes);
		story_vote_remove(r, s->votes);
		story_mark_vote(r, seat, s);
	}
	if (ok && is_revealed) {
		ok = story_round_view(r, s, &arena, &view) && room_record_view(r, &view, wall_ms);
		r->is_revealed = true;
		r->revealed_at = s->revealed_at;
		room_changed(r);
	}
	if (ok && is_revealed && r->policy.anonymous) {
		struct buf result = {.max = MAX_FRAME_BYTES};
		record_write(&record_room_result, &view.result, &result);
		ok = result.error == OK && fixed_result_set(&r->result, buf_slice(&result));
		buf_finish(&result);
	} else if (ok && is_revealed) {
		room_show_cards(r, SEAT_CARD);
		room_find_left(r);
	}
	story_revealed_clear(r, s);
	r->is_short_of_memory = r->is_short_of_memory || !ok;
	arena_finish(&arena);
}

/* ---- and back ---- */

enum fault_code room_check_park(const struct room *r, struct room_call *c)
{
	const struct seat *seat;
	size_t n = 0;
	enum fault_code f = FAULT_NONE;
	DL_FOREACH (r->seats, seat) {
		bool votes = seat->card != CARD_NONE || seat->is_vote_aside;
		const char *comment = seat->card != CARD_NONE ? seat->comment : seat->last.comment;
		n += votes;
		if (votes && f == FAULT_NONE) {
			f = story_check_place(r, c, seat, 1, comment == NULL ? 0 : strlen(comment));
		}
	}
	if (f == FAULT_NONE && r->story_votes_n + n > MAX_ROOM_STORY_VOTES) {
		f = story_refuse_votes(c, MAX_ROOM_STORY_VOTES, "a room");
	}
	return f == FAULT_NONE && r->is_revealed ? story_check_results(r, c) : f;
}

/* False when memory is out. */
static bool park_vote(struct room *r, struct seat *seat, struct story *s)
{
	struct story_vote *v = story_vote_add(r, seat, s);
	bool is_aside = seat->card == CARD_NONE;
	struct slice card = room_card(r, is_aside ? seat->last.card : seat->card);
	if (v == NULL) {
		return false;
	}
	(void)format_to(v->card, sizeof(v->card), "%.*s", (int)card.len, card.data);
	v->needs_you = true;
	v->confidence = is_aside ? seat->last.confidence : seat->confidence;
	v->is_changed = is_aside ? seat->last.is_changed : seat->is_changed;
	char **comment = is_aside ? &seat->last.comment : &seat->comment;
	story_vote_set_comment(r, v, *comment);
	*comment = NULL;
	if (is_aside) {
		last_vote_clear(&seat->last);
		seat->is_vote_aside = false;
	} else {
		room_drop_card(r, seat);
	}
	story_mark_vote(r, seat, s);
	return true;
}

void room_park_votes(struct room *r, struct story *s)
{
	struct arena arena = {0};
	struct round_view view = {0};
	bool ok = true;
	room_settle_round(r);
	room_stop_countdown(r);
	if (r->is_revealed) {
		ok = room_recorded_round(r, &arena, &view);
		struct story_votes shown = {
			.story_id = slice_str(s->story_id),
			.revealed_at = r->revealed_at,
			.votes = view.votes,
			.votes_n = ok ? view.votes_n : 0,
			.result = view.result,
			.with_result = true,
			.voted = ok ? view.result.votes + view.result.withdrawn : 0,
		};
		/* What was revealed without a vote would show all later ones as they are cast. */
		ok = ok && (shown.voted == 0 || story_revealed_set(r, s, &shown));
		room_forget_left(r);
		fixed_result_clear(&r->result);
	}
	room_forget_round(r); /* also of one that was hidden again */
	struct seat *seat;
	DL_FOREACH (r->seats, seat) {
		if (ok && (seat->card != CARD_NONE || seat->is_vote_aside)) {
			ok = park_vote(r, seat, s);
		}
	}
	story_hold(r, s, r->is_held);
	r->is_revealed = false;
	r->revealed_at = 0;
	r->is_held = false;
	r->is_armed = false;
	r->is_short_of_memory = r->is_short_of_memory || !ok;
	room_changed(r);
	arena_finish(&arena);
}
