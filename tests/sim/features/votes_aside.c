/*
 * votes_aside.c - that a member who has voted, only watches, and votes again in the same round has the same vote as
 * before; and none where the cards were turned over meanwhile or the next round has begun.
 *
 * Looked at on the disk, as what a reset takes is (rounds_undo.c): where a commit is several changes, nothing is known
 * any more of those who watch then.
 */
#include "tests/sim/features/feature.h"

#include <string.h>

/* Of the room's seats, by user_id; NULL: of that one nothing is known. */
static struct vote_aside *aside_of(struct sim_room *r, const char *user_id)
{
	for (size_t i = 0; i < r->asides_n; i++) {
		if (strcmp(r->asides[i].user_id, user_id) == 0) {
			return &r->asides[i];
		}
	}
	return NULL;
}

static void aside_forget(struct sim_room *r, struct vote_aside *a)
{
	if (a != NULL) {
		*a = r->asides[--r->asides_n];
	}
}

/*
 * Votes are put aside for one round, until it is revealed, and for the names that it is to be revealed with. A card that
 * was left lies there only as long as the others lie open.
 */
static bool aside_ends(const struct vote_aside *v, const struct view *a, const struct view *b)
{
	return (v->is_left && a->is_revealed && !b->is_revealed) || b->round != a->round ||
	       (b->is_revealed && !a->is_revealed) || (a->policy.anonymous && !b->policy.anonymous);
}

/* Looked at before the commit is noted: who watches from then on, with which card. */
static void aside_before(struct world *w, const struct sim_commit *c)
{
	static struct view before;
	if (c->room < 0) {
		return;
	}
	struct sim_room *r = &w->rooms[c->room];
	struct change ch = {w, c->room, r, &before, &c->state};
	/* A round that comes back brings the votes that were aside in it. */
	if (!c->has_state || r->had_open_stories || !table_view(&w->table, r->id, &before) ||
	    !room_brings_one_change(r, &c->state) || c->state.round < before.round) {
		r->asides_n = 0;
		return;
	}
	for (size_t i = 0; i < r->asides_n; i++) {
		if (!aside_ends(&r->asides[i], &before, &c->state)) {
			continue;
		}
		const struct view_user *u = view_user_const(&c->state, r->asides[i].user_id);
		/* Who votes within the one change that turns the cards over does so before that: it was the last that was awaited. */
		bool still_watches = u == NULL || u->is_spectator;
		if (still_watches && !planted(w, BREAK_KEEP_ASIDE, 1)) {
			r->asides[i].card[0] = '\0';
		}
	}
	TABLE_EACH (&w->table, ITEM_SEAT, row) {
		if (!row_is_in(w, row, c->room)) {
			continue;
		}
		const struct view_user *u = view_user_const(&c->state, row->user_id);
		/* A vote for another card may be part of the commit. */
		bool is_unsure = rules_has_cause(&ch, METHODS_OF(METHOD_ROOM_VOTE), row->user_id);
		if (u == NULL || !u->has_name || is_unsure) {
			aside_forget(r, aside_of(r, row->user_id));
		} else if (!row->is_spectator && u->is_spectator) {
			aside_forget(r, aside_of(r, row->user_id));
			struct vote_aside *a = &r->asides[r->asides_n++];
			memcpy(a->user_id, row->user_id, sizeof(a->user_id));
			/* Of one who had left the room beside open cards, the card that was left. */
			const struct view_left *left = view_left(&c->state, row->user_id);
			memcpy(a->card, left != NULL ? left->vote : row->vote, sizeof(a->card));
			a->is_left = row->vote[0] == '\0';
		}
	}
}

/* Whoever votes by now has laid it again. */
static void aside_after(struct world *w, const struct sim_commit *c)
{
	char text[32];
	if (c->room < 0) {
		return;
	}
	struct sim_room *r = &w->rooms[c->room];
	for (size_t i = r->asides_n; i-- > 0 && !w->is_broken;) {
		struct vote_aside *a = &r->asides[i];
		const struct table_row *row =
			table_seat(&w->table, table_pk(text, r->id), a->user_id);
		const char *vote = row == NULL ? "" : row->vote;
		if (row != NULL && row->is_spectator) {
			continue;
		}
		if (vote[0] != '\0' && planted(w, BREAK_LOSE_ASIDE, 1)) {
			vote = "";
		}
		if (row != NULL && strcmp(vote, a->card) != 0) {
			broken(w, CLAIM_RULES,
			       "%s in %s votes again, and the vote is \"%s\", not \"%s\"",
			       member_name(w, room_owner(r, a->user_id)), r->id, vote, a->card);
		}
		aside_forget(r, a);
	}
}

/* A commit that the server was never told of may have laid them again, and others. */
static void aside_found(struct world *w, const char *room_id, const struct table *found)
{
	if (!table_expects(&w->table, room_id, found)) {
		w->rooms[room_of_id(w, slice_str(room_id))].asides_n = 0;
	}
}

const struct feature feature_votes_aside = {
	.name = "votes-aside",
	.found = aside_found,
	.commit_before = aside_before,
	.commit_after = aside_after,
};
