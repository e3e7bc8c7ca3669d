/*
 * room_story_votes.c - requests on stories that are open together: to vote on one, to reveal or hide
 * its votes, to settle it, and to settle all that agree.
 *
 *   hidden --quorum, timer, by hand--> revealed --settled--> a round of the history
 *     ^  |                               |  ^
 *     |  +--selected--> the table <------+  |
 *     +----------- left without an estimate +
 *
 * The votes are in story_votes.c, what a reveal shows in story_reveal.c, the way to the table and
 * back in story_table.c.
 */
#include "server/domain/room/room_state.h"

#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "proto/base/format.h"

/* The round that could be undone was on the story, and would bring other votes of it to the table. */
static void forget_undo_of(struct room *r, const struct story *s)
{
	if (strcmp(s->story_id, r->undo.story_id) == 0) {
		room_forget_undo(r);
	}
}

/* The open story of the params; NULL with *c->fault. */
static struct story *find_open(struct room *r, struct room_call *c, struct slice story_id)
{
	struct story *s = room_find_story(r, c, "story_id", story_id);
	if (s == NULL || room_story_is_open(r, s)) {
		return s;
	}
	fault_set(c->fault, FAULT_CONFLICT,
		  !r->policy.open_stories
			  ? "stories are voted on one at a time here; choose the one at the table"
		  : s->text.is_removed		 ? "that story was removed; restore it first"
		  : s->text.status == STORY_DONE ? "already settled; a host can set it to do again"
						 : "that story is skipped; set it to do first");
	return NULL;
}

/* ---- cast ---- */

/* Whether a vote after the reveal has place in what was shown: those who left would else make it as long as they like. */
static enum fault_code check_shown(const struct room *r, struct room_call *c, const struct story *s,
				   bool had_vote)
{
	if (!had_vote && (int64_t)s->shown_n >= c->limits[LIMIT_ROOM_SEATS]) {
		return fault_set(c->fault, FAULT_CONFLICT, "this story is full; settle it");
	}
	return story_check_results(r, c);
}

enum fault_code room_vote_on_story(struct room *r, struct room_call *c)
{
	const struct room_vote_params *p = c->params;
	struct room_vote_result *result = c->result;
	struct story *s = find_open(r, c, p->story_id);
	bool is_retracted = p->vote.data == NULL;
	if (s == NULL) {
		return c->fault->code;
	}
	if (s->revealed.len > 0 && (r->policy.anonymous || is_retracted)) {
		return fault_set(c->fault, FAULT_CONFLICT,
				 r->policy.anonymous
					 ? "already revealed; results without names do not change"
					 : "already revealed; change your vote instead");
	}
	struct story_vote *v = story_vote_find(c->seat, s);
	bool had_vote = v != NULL;
	result->has_vote = !is_retracted;
	if (is_retracted) {
		if (v != NULL) {
			story_vote_remove(r, v);
			story_mark_vote(r, c->seat, s);
		}
		return FAULT_NONE;
	}
	size_t had_bytes = v == NULL || v->comment == NULL ? 0 : strlen(v->comment);
	size_t more_bytes = p->comment.len > had_bytes ? p->comment.len - had_bytes : 0;
	if (story_check_place(r, c, c->seat, !had_vote, more_bytes) != FAULT_NONE ||
	    (s->revealed.len > 0 && check_shown(r, c, s, had_vote) != FAULT_NONE)) {
		return c->fault->code;
	}
	char *comment = NULL;
	if (!room_set_text(&comment, p->comment) ||
	    (v == NULL && (v = story_vote_add(r, c->seat, s)) == NULL)) {
		free(comment);
		return room_out_of_memory(c);
	}
	if (p->with_comment) {
		story_vote_set_comment(r, v, comment);
	}
	bool is_same = slice_eq(slice_str(v->card), p->vote);
	v->is_changed = s->revealed.len > 0 && (v->is_changed || !is_same);
	v->confidence = p->with_confidence ? (int)p->confidence : v->confidence;
	(void)format_to(v->card, sizeof(v->card), "%.*s", (int)p->vote.len, p->vote.data);
	v->needs_you = true;
	story_hold(r, s, false);
	forget_undo_of(r, s);
	story_mark_vote(r, c->seat, s);
	if (s->revealed.len > 0) {
		story_show_late_vote(r, v, had_vote);
	} else if (story_has_enough(r, s)) {
		story_reveal(r, s, c->wall_ms);
	}
	return FAULT_NONE;
}

/* ---- revealed and hidden ---- */

enum fault_code room_set_story_revealed(struct room *r, struct room_call *c)
{
	const struct room_set_revealed_params *p = c->params;
	struct story *s = find_open(r, c, p->story_id);
	if (s == NULL) {
		return c->fault->code;
	}
	if (p->is_revealed && s->revealed.len == 0) {
		if (story_count_votes(r, s) ==
		    0) { /* all later votes would be seen as they are cast */
			return fault_set(c->fault, FAULT_CONFLICT,
					 "nobody has voted on that story yet; wait for the first "
					 "vote");
		}
		forget_undo_of(r, s);
		story_reveal(r, s, c->wall_ms);
	} else if (!p->is_revealed && s->revealed.len > 0) {
		if (r->policy.anonymous) {
			return fault_set(c->fault, FAULT_CONFLICT,
					 "votes without names cannot be hidden again");
		}
		story_revealed_clear(r, s);
		story_hold(r, s, true); /* all votes are still there: not until the next */
	}
	return FAULT_NONE;
}

/* ---- settled ---- */

/*
 * The story gets its estimate, and its votes become a round of the history: the one before the
 * table's, which goes on. False when memory is out: the unit of work fails.
 */
static bool settle_story(struct room *r, struct story *s, struct slice estimate,
			 const struct room_call *c)
{
	struct arena arena = {0};
	struct round_view view;
	room_settle_round(r);
	bool ok = story_round_view(r, s, &arena, &view);
	view.outcome = estimate;
	view.with_outcome = true;
	ok = ok && room_renumber_round(r, c->wall_ms) && room_record_view(r, &view, c->wall_ms) &&
	     room_story_settle(r, s, estimate, STORY_TODO, c);
	while (ok && s->votes != NULL) {
		struct seat *seat = s->votes->seat;
		story_vote_remove(r, s->votes);
		story_mark_vote(r, seat, s);
	}
	if (ok) {
		story_revealed_clear(r, s);
		room_forget_undo(r); /* it counts rounds from the one before */
	}
	r->is_short_of_memory = r->is_short_of_memory || !ok;
	arena_finish(&arena);
	return ok;
}

enum fault_code room_settle_open_story(struct room *r, struct room_call *c)
{
	const struct round_settle_params *p = c->params;
	struct story *s = find_open(r, c, p->story_id);
	if (s == NULL) {
		return c->fault->code;
	}
	if (p->estimate.len == 0) {
		return fault_field(c->fault, "estimate", "is required for an open story");
	}
	if (s->revealed.len == 0) {
		return fault_set(c->fault, FAULT_CONFLICT,
				 "reveal the votes before you settle on an estimate");
	}
	if (room_check_growth(r, c, 1) != FAULT_NONE) {
		return c->fault->code;
	}
	return settle_story(r, s, p->estimate, c) ? FAULT_NONE : room_out_of_memory(c);
}

/* At least the quorum, all within one card of each other, and one card to suggest. */
static bool is_agreed(const struct room *r, const struct story *s, struct arena *arena,
		      struct slice *estimate)
{
	struct story_votes shown;
	int64_t enough = r->policy.quorum > 0 ? r->policy.quorum : 1;
	if (s->revealed.len == 0 || !room_story_is_open(r, s) ||
	    !story_revealed_read(s, arena, &shown)) {
		return false;
	}
	const struct room_result *result = &shown.result;
	*estimate = result->suggestion;
	return result->votes >= enough && result->suggestion.len > 0 &&
	       (!result->with_spread_steps || result->spread_steps <= 1);
}

enum fault_code on_ROUND_SETTLE_AGREED(struct room *r, struct room_call *c)
{
	struct round_settle_agreed_result *result = c->result;
	result->settled.items = arena_alloc(c->arena, (r->stories_n + 1) * sizeof(struct slice));
	if (result->settled.items == NULL) {
		return room_out_of_memory(c);
	}
	if (!r->policy.open_stories) {
		return fault_set(c->fault, FAULT_CONFLICT,
				 "stories are voted on one at a time here; settle the one at the "
				 "table");
	}
	if (room_check_growth(r, c, 1) != FAULT_NONE) {
		return c->fault->code;
	}
	struct story *s;
	DL_FOREACH (r->stories, s) {
		struct slice estimate;
		if (!is_agreed(r, s, c->arena, &estimate)) {
			continue;
		}
		if (!settle_story(r, s, estimate, c)) {
			return room_out_of_memory(c);
		}
		result->settled.items[result->settled.n++] = slice_str(s->story_id);
	}
	return FAULT_NONE;
}
