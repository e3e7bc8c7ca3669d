/*
 * story_votes.c - the votes on open stories: each in the list of its seat and of its story, how many
 * count, what their changes mark, and the limits on them. Not who may cast one (room_story_votes.c).
 */
#include "server/domain/room/room_state.h"

#include <stdlib.h>
#include <string.h>

#include <utlist.h>

struct story_vote *story_vote_find(const struct seat *seat, const struct story *s)
{
	struct story_vote *v;
	DL_FOREACH2(seat->story_votes, v, next_of_seat)
	{
		if (v->story == s) {
			return v;
		}
	}
	return NULL;
}

static void free_votes(struct story_vote **list)
{
	struct story_vote *v = *list;
	while (v != NULL) {
		struct story_vote *later = v->next_of_seat;
		free(v->comment);
		free(v);
		v = later;
	}
	*list = NULL;
}

static void forget_gone(struct seat *seat)
{
	free_votes(&seat->gone_votes);
	seat->gone_votes_n = 0;
}

void seat_clear_story_marks(struct seat *seat)
{
	struct story_vote *v;
	forget_gone(seat);
	DL_FOREACH2(seat->story_votes, v, next_of_seat)
	{
		v->needs_you = false;
	}
}

void seat_free_story_votes(struct seat *seat)
{
	free_votes(&seat->gone_votes);
	free_votes(&seat->story_votes);
}

struct story_vote *story_vote_add(struct room *r, struct seat *seat, struct story *s)
{
	struct story_vote *v = calloc(1, sizeof(*v));
	if (v != NULL) {
		v->seat = seat;
		v->story = s;
		DL_APPEND(s->votes, v);
		DL_APPEND2(seat->story_votes, v, prev_of_seat, next_of_seat);
		seat->story_votes_n++;
		r->story_votes_n++;
	}
	return v;
}

void story_vote_set_comment(struct room *r, struct story_vote *v, char *comment)
{
	size_t had = v->comment == NULL ? 0 : strlen(v->comment);
	size_t has = comment == NULL ? 0 : strlen(comment);
	v->seat->story_comments_bytes += has - had;
	r->story_votes_bytes += has - had;
	free(v->comment);
	v->comment = comment;
}

void story_vote_remove(struct room *r, struct story_vote *v)
{
	story_vote_set_comment(r, v, NULL);
	DL_DELETE(v->story->votes, v);
	DL_DELETE2(v->seat->story_votes, v, prev_of_seat, next_of_seat);
	v->seat->story_votes_n--;
	r->story_votes_n--;
	DL_APPEND2(v->seat->gone_votes, v, prev_of_seat, next_of_seat);
	if (++v->seat->gone_votes_n > MAX_STORY_VOTES) { /* simpler to say what is left */
		v->seat->needs_all_votes = true;
		forget_gone(v->seat);
	}
}

/* ---- marks ---- */

void story_hold(struct room *r, struct story *s, bool is_held)
{
	if (s->is_held != is_held) {
		s->is_held = is_held;
		room_story_changed(r, s);
	}
}

void story_mark(struct room *r, struct story *s)
{
	s->votes_marked = true;
	r->story_votes_marked = true;
	r->is_touched = true;
}

void story_mark_vote(struct room *r, struct seat *seat, struct story *s)
{
	story_mark(r, s);
	room_seat_changed(r, seat, SEAT_STORIES_VOTED);
}

void room_story_opened(struct room *r, struct story *s)
{
	struct story_vote *v;
	DL_FOREACH (s->votes, v) {
		room_show_seat(r, v->seat, SEAT_STORIES_VOTED);
	}
}

void room_recount_story_votes(struct room *r)
{
	struct story *s;
	DL_FOREACH (r->stories, s) {
		if (s->votes != NULL) {
			story_mark(r, s);
			room_story_opened(r, s);
		}
	}
}

void room_end_story_votes(struct room *r, struct seat *seat)
{
	while (seat->story_votes != NULL) {
		struct story *s = seat->story_votes->story;
		story_vote_remove(r, seat->story_votes);
		story_mark_vote(r, seat, s);
	}
}

/* ---- which count ---- */

bool story_is_elsewhere(const struct room *r, struct slice story_id)
{
	return story_id.len > 0 && !slice_eq(story_id, slice_str(r->story_id));
}

bool room_story_is_open(const struct room *r, const struct story *s)
{
	return r->policy.open_stories && s->text.status == STORY_TODO && !s->text.is_removed;
}

bool story_seat_counts(const struct room *r, const struct seat *seat)
{
	return seat->role == ROLE_VOTER && (!seat->is_bot || r->policy.bots_count);
}

int64_t story_count_votes(const struct room *r, const struct story *s)
{
	int64_t n = 0;
	const struct story_vote *v;
	DL_FOREACH (s->votes, v) {
		n += story_seat_counts(r, v->seat);
	}
	return n;
}

size_t seat_stories_voted(const struct room *r, const struct seat *seat)
{
	size_t n = 0;
	const struct story_vote *v;
	DL_FOREACH2(seat->story_votes, v, next_of_seat)
	{
		n += room_story_is_open(r, v->story);
	}
	return n;
}

/* ---- limits ---- */

enum fault_code story_refuse_votes(struct room_call *c, int64_t most, const char *whose)
{
	(void)fault_set(
		c->fault, FAULT_TOO_LARGE,
		"at most %lld votes on open stories of %s; take some back, or settle stories",
		(long long)most, whose);
	return fault_bounds(c->fault, FAULT_RULE_COUNT, 0, most, "votes");
}

static enum fault_code refuse_comments(struct room_call *c)
{
	fault_set_field(c->fault, FAULT_TOO_LARGE, "comment",
			"the comments on one member's votes are at most %d bytes together",
			MAX_STORY_COMMENTS_BYTES);
	return fault_bounds(c->fault, FAULT_RULE_LENGTH, 0, MAX_STORY_COMMENTS_BYTES, "bytes");
}

enum fault_code story_check_results(const struct room *r, struct room_call *c)
{
	if (r->story_votes_bytes < MAX_STORY_RESULTS_BYTES) {
		return FAULT_NONE;
	}
	(void)fault_set(c->fault, FAULT_TOO_LARGE,
			"the revealed votes of a room are at most %d bytes; settle some stories",
			MAX_STORY_RESULTS_BYTES);
	return fault_bounds(c->fault, FAULT_RULE_LENGTH, 0, MAX_STORY_RESULTS_BYTES, "bytes");
}

enum fault_code story_check_place(const struct room *r, struct room_call *c,
				  const struct seat *seat, size_t votes, size_t comment_bytes)
{
	if (seat->story_votes_n + votes > MAX_STORY_VOTES) {
		return story_refuse_votes(c, MAX_STORY_VOTES, "one member");
	}
	if (r->story_votes_n + votes > MAX_ROOM_STORY_VOTES) {
		return story_refuse_votes(c, MAX_ROOM_STORY_VOTES, "a room");
	}
	return seat->story_comments_bytes + comment_bytes > MAX_STORY_COMMENTS_BYTES
		       ? refuse_comments(c)
		       : FAULT_NONE;
}
