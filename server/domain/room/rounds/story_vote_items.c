/*
 * story_vote_items.c - votes on open stories as items hold them and as updates show them.
 */
#include "server/domain/room/room_state.h"

#include <stdlib.h>

#include <utlist.h>

#include "proto/base/assert.h"
#include "proto/base/format.h"

/* ---- items ---- */

bool room_story_votes_need_write(const struct room *r)
{
	const struct story *s = r->story_votes_marked ? r->stories : NULL;
	while (s != NULL && !s->revealed_marked) {
		s = s->next;
	}
	return s != NULL;
}

size_t seat_story_vote_items(const struct seat *seat, struct story_vote_item out[MAX_STORY_VOTES])
{
	const struct story_vote *v;
	size_t n = 0;
	DL_FOREACH2(seat->story_votes, v, next_of_seat)
	{
		out[n++] = (struct story_vote_item){
			.story_id = slice_str(v->story->story_id),
			.vote = slice_str(v->card),
			.comment = slice_str(v->comment),
			.confidence = v->confidence,
			.is_changed = v->is_changed,
		};
	}
	return n;
}

bool room_read_story_vote(struct room *r, struct seat *seat, const struct story_vote_item *item)
{
	struct story *s = room_story(r, item->story_id);
	char *comment = NULL;
	if (s == NULL || item->vote.len > MAX_CARD_BYTES) {
		return true; /* nothing that this version wrote */
	}
	struct story_vote *v = NULL;
	if (!room_set_text(&comment, item->comment) || (v = story_vote_add(r, seat, s)) == NULL) {
		free(comment);
		return false;
	}
	story_vote_set_comment(r, v, comment);
	(void)format_to(v->card, sizeof(v->card), "%.*s", (int)item->vote.len, item->vote.data);
	v->confidence = (int)item->confidence;
	v->is_changed = item->is_changed;
	return true;
}

enum err room_read_story_votes(struct room *r, struct story *s, struct slice votes)
{
	struct arena arena = {0};
	struct story_votes shown;
	struct fault fault;
	enum err e = record_from_bytes(&record_story_votes, votes, RECORD_LENIENT, &arena, &shown,
				       &fault);
	if (e == OK) {
		s->revealed_at = shown.revealed_at;
		s->shown_n = shown.votes_n;
		r->story_votes_bytes += votes.len;
		r->revealed_stories_n++;
		e = fixed_result_set(&s->revealed, votes) ? OK : ERR_NOMEM;
	}
	arena_finish(&arena);
	return e == OK || e == ERR_NOMEM ? e : ERR_CORRUPT;
}

/* ---- updates ---- */

size_t seat_view_story_votes(const struct seat *seat, struct own_vote out[OWN_VOTES_MAX])
{
	const struct story_vote *v;
	size_t n = 0;
	/* Before those that are there: one may have ended, and another been cast. */
	DL_FOREACH2(seat->needs_all_votes ? NULL : seat->gone_votes, v, next_of_seat)
	{
		out[n++] = (struct own_vote){.story_id = slice_str(v->story->story_id)};
	}
	DL_FOREACH2(seat->story_votes, v, next_of_seat)
	{
		if (seat->needs_all_votes || v->needs_you) {
			ASSERT_CMP(n, <, OWN_VOTES_MAX);
			out[n++] = (struct own_vote){
				.story_id = slice_str(v->story->story_id),
				.vote = slice_str(v->card),
				.comment = slice_str(v->comment),
				.confidence = v->confidence,
			};
		}
	}
	return n;
}

/* Whether an update has the votes on the story: one with all of them, or with what changed. */
static bool is_told(const struct room *r, const struct story *s, bool all)
{
	return all ? s->revealed.len > 0 || story_count_votes(r, s) > 0 : s->votes_marked;
}

bool room_view_story_votes(const struct room *r, bool all, struct arena *arena,
			   struct room_update *u)
{
	struct story *s;
	if (!all && !r->story_votes_marked) {
		return true;
	}
	size_t n = 0;
	DL_FOREACH (r->stories, s) {
		n += is_told(r, s, all);
	}
	u->story_votes = arena_alloc(arena, (n + 1) * sizeof(*u->story_votes));
	DL_FOREACH (u->story_votes == NULL ? NULL : r->stories, s) {
		if (!is_told(r, s, all)) {
			continue;
		}
		struct story_votes *out = &u->story_votes[u->story_votes_n++];
		*out = (struct story_votes){
			.story_id = slice_str(s->story_id),
			.voted = story_count_votes(r, s),
		};
		if (s->revealed.len > 0 && !story_revealed_read(s, arena, out)) {
			return false;
		}
	}
	return u->story_votes != NULL;
}
