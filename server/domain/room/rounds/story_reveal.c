/*
 * story_reveal.c - what the reveal of an open story shows: an encoded record of the story, as a
 * round's is. A member who leaves stays in it, and a vote after the reveal changes one of its entries.
 */
#include "server/domain/room/room_state.h"

#include <string.h>

#include <utlist.h>

/* ---- the record ---- */

void story_revealed_clear(struct room *r, struct story *s)
{
	if (s->revealed.len > 0) {
		r->story_votes_bytes -= s->revealed.len;
		r->revealed_stories_n--;
		fixed_result_clear(&s->revealed);
		s->revealed_at = 0;
		s->revealed_marked = true;
		story_mark(r, s);
	}
}

bool story_revealed_set(struct room *r, struct story *s, struct story_votes *shown)
{
	struct buf b = {.max = MAX_ROUNDS_BYTES};
	record_write(&record_story_votes, shown, &b);
	size_t had = s->revealed.len;
	bool ok = b.error == OK && fixed_result_set(&s->revealed, buf_slice(&b));
	if (ok) {
		r->story_votes_bytes += s->revealed.len - had;
		r->revealed_stories_n += had == 0;
		s->revealed_at = shown->revealed_at;
		s->shown_n = shown->votes_n;
		s->revealed_marked = true;
		story_mark(r, s);
	}
	buf_finish(&b);
	return ok;
}

bool story_revealed_read(const struct story *s, struct arena *arena, struct story_votes *out)
{
	struct fault fault;
	return record_from_bytes(&record_story_votes, slice_of(s->revealed.bytes, s->revealed.len),
				 RECORD_LENIENT, arena, out, &fault) == OK;
}

bool story_round_view(const struct room *r, const struct story *s, struct arena *arena,
		      struct round_view *out)
{
	struct story_votes shown;
	if (!story_revealed_read(s, arena, &shown)) {
		return false;
	}
	*out = (struct round_view){
		.n = r->round,
		.story_id = slice_str(s->story_id),
		.story = s->text.title,
		.key = s->text.key,
		.story_round = room_story_round(r, s->story_id),
		.started_at = s->created_on,
		.revealed_at = shown.revealed_at,
		.votes = shown.votes,
		.votes_n = shown.votes_n,
		.result = shown.result,
	};
	return true;
}

/* ---- revealing ---- */

static struct round_vote shown_vote(const struct story_vote *v)
{
	return (struct round_vote){
		.vote = slice_str(v->card),
		.user_id = slice_str(v->seat->user_id),
		.username = slice_str(v->seat->username),
		.role = v->seat->role,
		.is_bot = v->seat->is_bot,
		.comment = slice_str(v->comment),
		.confidence = v->confidence,
		.is_changed = v->is_changed,
	};
}

/*
 * Show them: with names or without, and only cards that are still of the deck. @withdrawn: how many that count were not
 * shown at the reveal. False when memory is out.
 */
static bool show_votes(struct room *r, struct story *s, struct arena *arena,
		       struct story_votes *shown, int64_t withdrawn)
{
	if (!room_result_of_votes(r, arena, shown->votes, shown->votes_n, &shown->result)) {
		return false;
	}
	shown->result.withdrawn += withdrawn;
	shown->voted = shown->result.votes + shown->result.withdrawn;
	size_t n = 0;
	for (size_t i = 0; i < shown->votes_n; i++) {
		if (deck_find(r->deck, shown->votes[i].vote) >= 0) {
			shown->votes[n++] = shown->votes[i];
		}
	}
	shown->votes_n = n;
	return (!r->policy.anonymous || room_take_names(r, arena, &shown->votes, shown->votes_n)) &&
	       story_revealed_set(r, s, shown);
}

void story_reveal(struct room *r, struct story *s, int64_t wall_ms)
{
	struct arena arena = {0};
	struct story_votes shown = {
		.story_id = slice_str(s->story_id),
		.revealed_at = wall_ms,
		.with_result = true,
	};
	const struct story_vote *v;
	size_t n = 0;
	DL_COUNT(s->votes, v, n);
	shown.votes = arena_alloc(&arena, (n + 1) * sizeof(*shown.votes));
	/* Comments beyond what a room may show are left out; no vote is. */
	bool is_short = r->story_votes_bytes > MAX_STORY_RESULTS_BYTES / 2;
	DL_FOREACH (shown.votes == NULL ? NULL : s->votes, v) {
		if (v->seat->role == ROLE_VOTER) {
			struct round_vote *one = &shown.votes[shown.votes_n++];
			*one = shown_vote(v);
			one->comment = is_short ? (struct slice){0} : one->comment;
		}
	}
	bool ok = shown.votes != NULL && show_votes(r, s, &arena, &shown, 0);
	r->is_short_of_memory = r->is_short_of_memory || !ok;
	arena_finish(&arena);
}

bool story_has_enough(const struct room *r, const struct story *s)
{
	return r->policy.auto_reveal && r->policy.quorum > 0 && !s->is_held &&
	       story_count_votes(r, s) >= r->policy.quorum;
}

void room_reveal_enough(struct room *r, int64_t wall_ms)
{
	struct story *s;
	DL_FOREACH (r->stories, s) {
		if (s->revealed.len == 0 && room_story_is_open(r, s) && story_has_enough(r, s)) {
			story_reveal(r, s, wall_ms);
		}
	}
}

void room_reveal_stories(struct room *r, int64_t wall_ms)
{
	struct story *s;
	DL_FOREACH (r->stories, s) {
		if (s->revealed.len == 0 && room_story_is_open(r, s) &&
		    story_count_votes(r, s) > 0) {
			story_reveal(r, s, wall_ms);
		}
	}
}

/* ---- after the reveal ---- */

void room_show_stories_again(struct room *r)
{
	struct story *s;
	DL_FOREACH (r->stories, s) {
		struct arena arena = {0};
		struct story_votes shown;
		bool ok = s->revealed.len == 0;
		if (!ok && story_revealed_read(s, &arena, &shown)) {
			ok = show_votes(r, s, &arena, &shown, shown.result.withdrawn);
		}
		r->is_short_of_memory = r->is_short_of_memory || !ok;
		arena_finish(&arena);
	}
}

void story_show_late_vote(struct room *r, const struct story_vote *v, bool had_vote)
{
	struct arena arena = {0};
	struct story_votes shown;
	struct round_vote *votes = NULL;
	bool is_counted = story_seat_counts(r, v->seat);
	if (story_revealed_read(v->story, &arena, &shown)) {
		votes = arena_alloc(&arena, (shown.votes_n + 1) * sizeof(*votes));
	}
	bool ok = votes != NULL;
	if (ok) {
		size_t at = shown.votes_n;
		for (size_t i = 0; i < shown.votes_n; i++) {
			votes[i] = shown.votes[i];
			at = slice_eq(votes[i].user_id, slice_str(v->seat->user_id)) ? i : at;
		}
		bool was_withdrawn = had_vote && is_counted && at == shown.votes_n;
		int64_t withdrawn = shown.result.withdrawn;
		withdrawn -= was_withdrawn && withdrawn > 0;
		shown.votes_n += at == shown.votes_n;
		votes[at] = shown_vote(v);
		shown.votes = votes;
		ok = show_votes(r, v->story, &arena, &shown, withdrawn);
	}
	r->is_short_of_memory = r->is_short_of_memory || !ok;
	arena_finish(&arena);
}
