/*
 * rounds_undo.c - that an undone reset brings back the votes that it took, each to
 * its seat and on its card.
 *
 * Both are looked at on the disk, where a card is known before the reveal, too:
 * what lay there before the commit of the reset, and what lies there after that
 * of the undoing. Only a commit that is one change tells which votes there were;
 * of others nothing is known.
 */
#include "tests/sim/features/feature.h"

#include <string.h>

static void undo_take(struct world *w, const struct sim_commit *c, const struct view *before)
{
	struct sim_room *r = &w->rooms[c->room];
	struct change ch = {w, c->room, r, before, &c->state};
	struct methods votes = METHODS_OF(METHOD_ROOM_VOTE);
	bool is_sure = room_brings_one_change(r, &c->state) &&
		       !(view_hides_voters(before) && rules_has_cause(&ch, votes, NULL));
	r->taken = (struct taken){.round = is_sure ? before->round : 0, .order = w->delivered};
	TABLE_EACH (&w->table, ITEM_SEAT, row) {
		if (is_sure && row_is_in(w, row, c->room)) {
			struct taken_vote *vote = &r->taken.votes[r->taken.n++];
			memcpy(vote->user_id, row->user_id, sizeof(vote->user_id));
			memcpy(vote->card, row->vote, sizeof(vote->card));
			/* One for another card may be part of the commit. */
			vote->is_unsure = rules_has_cause(&ch, votes, row->user_id);
		}
	}
}

/* Looked at before the commit is noted. */
static void undo_before(struct world *w, const struct sim_commit *c)
{
	static struct view before;
	if (c->room < 0) {
		return;
	}
	struct sim_room *r = &w->rooms[c->room];
	r->taken.is_back = false;
	if (!c->has_state || !table_view(&w->table, r->id, &before)) {
		r->taken.round = 0;
	} else if (c->state.round == before.round + 1) {
		undo_take(w, c, &before);
	} else if (c->state.round != before.round) {
		r->taken.is_back = r->taken.round != 0 && c->state.round == r->taken.round &&
				   c->state.round == before.round - 1 &&
				   room_brings_one_change(r, &c->state);
	}
}

/* Whether the seat may have been left, given up or taken anew since the reset: what it took is lost then. */
static bool undo_seat_was_left(const struct world *w, int room, const char *user_id)
{
	const struct sim_room *r = &w->rooms[room];
	int owner = room_owner(r, user_id);
	for (size_t i = 0; i < w->ops_n; i++) {
		const struct op *op = &w->ops[i];
		bool is_own = op->method == METHOD_ROOM_LEAVE || op->method == METHOD_ROOM_JOIN ||
			      op->method == METHOD_ROOM_DELETE_USER;
		bool is_hosts = op->method == METHOD_ROOM_KICK || op->method == METHOD_ROOM_REJECT;
		bool is_its =
			is_own && (op->user_id[0] == '\0' ? owner < 0 || owner == op->member
							  : strcmp(op->user_id, user_id) == 0);
		if (op->room == room && op->is_delivered &&
		    (op->answered == 0 || op->answered > r->taken.order) &&
		    (is_its || (is_hosts && strcmp(op->target, user_id) == 0))) {
			return true;
		}
	}
	return false;
}

static const char *undo_taken_from(const struct taken *taken, const char *user_id, bool *is_unsure)
{
	*is_unsure = false;
	for (size_t i = 0; i < taken->n; i++) {
		if (strcmp(taken->votes[i].user_id, user_id) == 0) {
			*is_unsure = taken->votes[i].is_unsure;
			return taken->votes[i].card;
		}
	}
	return "";
}

/* Planted faults: a vote does not come back, or comes back on a card that its seat chose earlier. */
static void undo_bend(struct world *w, int room, struct table_row *row)
{
	if (row->has_vote && planted(w, BREAK_LOSE_UNDO, 1)) {
		row->has_vote = false;
		row->vote[0] = '\0';
	}
	for (size_t i = 0; i < w->ops_n && w->o.planted == BREAK_OTHER_UNDO; i++) {
		const struct op *op = &w->ops[i];
		if (op->method == METHOD_ROOM_VOTE && op->room == room && op->is_ok &&
		    op->card[0] != '\0' && row->has_vote &&
		    strcmp(op->user_id, row->user_id) == 0 && strcmp(op->card, row->vote) != 0 &&
		    planted(w, BREAK_OTHER_UNDO, 1)) {
			memcpy(row->vote, op->card, sizeof(row->vote));
			return;
		}
	}
}

static void undo_after(struct world *w, const struct sim_commit *c)
{
	if (c->room < 0 || !w->rooms[c->room].taken.is_back) {
		return;
	}
	struct sim_room *r = &w->rooms[c->room];
	struct change ch = {w, c->room, r, &c->state, &c->state};
	TABLE_EACH (&w->table, ITEM_SEAT, row) {
		bool is_unsure;
		if (!row_is_in(w, row, c->room) || !row->has_name || row->is_spectator) {
			continue;
		}
		undo_bend(w, c->room, row);
		const char *card = undo_taken_from(&r->taken, row->user_id, &is_unsure);
		/* Of somebody who is away it may be over at once. */
		is_unsure = is_unsure || undo_seat_was_left(w, c->room, row->user_id) ||
			    rules_has_cause(&ch, METHODS_OF(METHOD_ROOM_VOTE), row->user_id) ||
			    room_away_since(r, row->user_id) != INT64_MAX;
		if (!is_unsure && strcmp(row->vote, card) != 0) {
			broken(w, CLAIM_RULES,
			       "a reset in %s is undone, and the vote of %s is \"%s\", not \"%s\"",
			       r->id, member_name(w, room_owner(r, row->user_id)), row->vote, card);
		}
	}
	r->taken.round = 0;
}

/* A commit that the server was never told of may have undone the reset, and taken others. */
static void undo_found(struct world *w, const char *room_id, const struct table *found)
{
	if (!table_expects(&w->table, room_id, found)) {
		w->rooms[room_of_id(w, slice_str(room_id))].taken.round = 0;
	}
}

const struct feature feature_rounds_undo = {
	.name = "rounds-undone",
	.found = undo_found,
	.commit_before = undo_before,
	.commit_after = undo_after,
};
