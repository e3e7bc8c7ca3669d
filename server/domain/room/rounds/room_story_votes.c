/*
 * room_story_votes.c - votes on stories that are open together: cast, revealed and settled one
 * story at a time, and brought to the table and back.
 *
 *   hidden --quorum, timer, by hand--> revealed --settled--> a round of the history
 *     ^  |                               |  ^
 *     |  +--selected--> the table <------+  |
 *     +----------- left without an estimate +
 *
 * The votes are the seats'. What a reveal showed is an encoded record of the story, as a round's
 * is: a member who leaves stays in it, and a vote after the reveal changes one of its entries.
 */
#include "server/domain/room/room_state.h"

#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "proto/base/assert.h"
#include "proto/base/format.h"

/* What store/items.h lets a story's item hold. */
#define REVEALED_BYTES_MAX ((size_t)4 << 20)

/* ---- the votes ---- */

bool room_story_is_open(const struct room *r, const struct story *s)
{
	return r->policy.open_stories && s->text.status == STORY_TODO && !s->text.is_removed;
}

static struct story_vote *vote_of(const struct seat *seat, const struct story *s)
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

/* NULL when memory is out. */
static struct story_vote *vote_add(struct room *r, struct seat *seat, struct story *s)
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

static void vote_set_comment(struct room *r, struct story_vote *v, char *comment)
{
	size_t had = v->comment == NULL ? 0 : strlen(v->comment);
	size_t has = comment == NULL ? 0 : strlen(comment);
	v->seat->story_comments_bytes += has - had;
	r->story_votes_bytes += has - had;
	free(v->comment);
	v->comment = comment;
}

static void vote_remove(struct room *r, struct story_vote *v)
{
	vote_set_comment(r, v, NULL);
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

static void mark_story(struct room *r, struct story *s)
{
	s->votes_marked = true;
	r->story_votes_marked = true;
	r->is_touched = true;
}

/* A seat's vote on the story was cast, changed or has ended. */
static void mark_vote(struct room *r, struct seat *seat, struct story *s)
{
	mark_story(r, s);
	room_seat_changed(r, seat, SEAT_STORIES_VOTED);
}

/* Who became a spectator votes again as a voter; until then the vote waits, as at the table. */
static bool counts(const struct room *r, const struct seat *seat)
{
	return seat->role == ROLE_VOTER && (!seat->is_bot || r->policy.bots_count);
}

static int64_t count_votes(const struct room *r, const struct story *s)
{
	int64_t n = 0;
	const struct story_vote *v;
	DL_FOREACH (s->votes, v) {
		n += counts(r, v->seat);
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
			mark_story(r, s);
			room_story_opened(r, s);
		}
	}
}

void room_end_story_votes(struct room *r, struct seat *seat)
{
	while (seat->story_votes != NULL) {
		struct story *s = seat->story_votes->story;
		vote_remove(r, seat->story_votes);
		mark_vote(r, seat, s);
	}
}

/* ---- what a reveal shows ---- */

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

static void revealed_clear(struct room *r, struct story *s)
{
	if (s->revealed.len > 0) {
		r->story_votes_bytes -= s->revealed.len;
		r->revealed_stories_n--;
		fixed_result_clear(&s->revealed);
		s->revealed_at = 0;
		s->revealed_marked = true;
		mark_story(r, s);
	}
}

/* Encode the votes and their result. False when memory is out. */
static bool revealed_set(struct room *r, struct story *s, struct story_votes *shown)
{
	struct buf b = {.max = REVEALED_BYTES_MAX};
	record_write(&record_story_votes, shown, &b);
	size_t had = s->revealed.len;
	bool ok = b.error == OK && fixed_result_set(&s->revealed, buf_slice(&b));
	if (ok) {
		r->story_votes_bytes += s->revealed.len - had;
		r->revealed_stories_n += had == 0;
		s->revealed_at = shown->revealed_at;
		s->shown_n = shown->votes_n;
		s->revealed_marked = true;
		mark_story(r, s);
	}
	buf_finish(&b);
	return ok;
}

/* False when memory is out. */
static bool revealed_read(const struct story *s, struct arena *arena, struct story_votes *out)
{
	struct fault fault;
	return record_from_bytes(&record_story_votes, slice_of(s->revealed.bytes, s->revealed.len),
				 RECORD_LENIENT, arena, out, &fault) == OK;
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
	       revealed_set(r, s, shown);
}

static void reveal_story(struct room *r, struct story *s, int64_t wall_ms)
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

static bool has_enough(const struct room *r, const struct story *s)
{
	return r->policy.auto_reveal && r->policy.quorum > 0 && !s->is_held &&
	       count_votes(r, s) >= r->policy.quorum;
}

void room_reveal_enough(struct room *r, int64_t wall_ms)
{
	struct story *s;
	DL_FOREACH (r->stories, s) {
		if (s->revealed.len == 0 && room_story_is_open(r, s) && has_enough(r, s)) {
			reveal_story(r, s, wall_ms);
		}
	}
}

void room_reveal_stories(struct room *r, int64_t wall_ms)
{
	struct story *s;
	DL_FOREACH (r->stories, s) {
		if (s->revealed.len == 0 && s->votes != NULL && room_story_is_open(r, s)) {
			reveal_story(r, s, wall_ms);
		}
	}
}

void room_show_stories_again(struct room *r)
{
	struct story *s;
	DL_FOREACH (r->stories, s) {
		struct arena arena = {0};
		struct story_votes shown;
		bool ok = s->revealed.len == 0;
		if (!ok && revealed_read(s, &arena, &shown)) {
			ok = show_votes(r, s, &arena, &shown, shown.result.withdrawn);
		}
		r->is_short_of_memory = r->is_short_of_memory || !ok;
		arena_finish(&arena);
	}
}

/*
 * A vote after the reveal takes its voter's place in what was shown, or is added to it. @had_vote: whose card was not
 * shown then was withdrawn, and is so no longer.
 */
static void show_late_vote(struct room *r, const struct story_vote *v, bool had_vote)
{
	struct arena arena = {0};
	struct story_votes shown;
	struct round_vote *votes = NULL;
	bool is_counted = counts(r, v->seat);
	if (revealed_read(v->story, &arena, &shown)) {
		votes = arena_alloc(&arena, (shown.votes_n + 1) * sizeof(*votes));
	}
	bool ok = votes != NULL;
	if (ok) {
		size_t at = 0;
		memcpy(votes, shown.votes, shown.votes_n * sizeof(*votes));
		while (at < shown.votes_n &&
		       !slice_eq(votes[at].user_id, slice_str(v->seat->user_id))) {
			at++;
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

/* ---- requests ---- */

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
		  : s->text.is_removed		 ? "that story was removed"
		  : s->text.status == STORY_DONE ? "that story has its estimate"
						 : "that story is skipped");
	return NULL;
}

static enum fault_code refuse_votes(struct room_call *c, int64_t most, const char *whose)
{
	(void)fault_set(c->fault, FAULT_TOO_LARGE, "at most %lld votes on open stories of %s",
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

/* Whether so many more votes of the seat, and so many more bytes of comments, are within the limits. */
static enum fault_code check_place(const struct room *r, struct room_call *c,
				   const struct seat *seat, size_t votes, size_t comment_bytes)
{
	if (seat->story_votes_n + votes > MAX_STORY_VOTES) {
		return refuse_votes(c, MAX_STORY_VOTES, "one member");
	}
	if (r->story_votes_n + votes > MAX_ROOM_STORY_VOTES) {
		return refuse_votes(c, MAX_ROOM_STORY_VOTES, "a room");
	}
	return seat->story_comments_bytes + comment_bytes > MAX_STORY_COMMENTS_BYTES
		       ? refuse_comments(c)
		       : FAULT_NONE;
}

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
			f = check_place(r, c, seat, 1, comment == NULL ? 0 : strlen(comment));
		}
	}
	return f == FAULT_NONE && r->story_votes_n + n > MAX_ROOM_STORY_VOTES
		       ? refuse_votes(c, MAX_ROOM_STORY_VOTES, "a room")
		       : f;
}

/* Whether a vote after the reveal has place in what was shown: those who left would else make it as long as they like. */
static enum fault_code check_shown(const struct room *r, struct room_call *c, const struct story *s,
				   bool had_vote)
{
	if (!had_vote && (int64_t)s->shown_n >= c->limits[LIMIT_ROOM_SEATS]) {
		return fault_set(c->fault, FAULT_CONFLICT, "this story is full; settle it");
	}
	if (r->story_votes_bytes >= MAX_STORY_RESULTS_BYTES) {
		(void)fault_set(
			c->fault, FAULT_TOO_LARGE,
			"the revealed votes of a room are at most %d bytes; settle some stories",
			MAX_STORY_RESULTS_BYTES);
		return fault_bounds(c->fault, FAULT_RULE_LENGTH, 0, MAX_STORY_RESULTS_BYTES,
				    "bytes");
	}
	return FAULT_NONE;
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
	struct story_vote *v = vote_of(c->seat, s);
	bool had_vote = v != NULL;
	result->has_vote = !is_retracted;
	if (is_retracted) {
		if (v != NULL) {
			vote_remove(r, v);
			mark_vote(r, c->seat, s);
		}
		return FAULT_NONE;
	}
	size_t had_bytes = v == NULL || v->comment == NULL ? 0 : strlen(v->comment);
	size_t more_bytes = p->comment.len > had_bytes ? p->comment.len - had_bytes : 0;
	if (check_place(r, c, c->seat, !had_vote, more_bytes) != FAULT_NONE ||
	    (s->revealed.len > 0 && check_shown(r, c, s, had_vote) != FAULT_NONE)) {
		return c->fault->code;
	}
	char *comment = NULL;
	if (!room_set_text(&comment, p->comment) ||
	    (v == NULL && (v = vote_add(r, c->seat, s)) == NULL)) {
		free(comment);
		return room_out_of_memory(c);
	}
	if (p->with_comment) {
		vote_set_comment(r, v, comment);
	}
	bool is_same = slice_eq(slice_str(v->card), p->vote);
	v->is_changed = s->revealed.len > 0 && (v->is_changed || !is_same);
	v->confidence = p->with_confidence ? (int)p->confidence : v->confidence;
	(void)format_to(v->card, sizeof(v->card), "%.*s", (int)p->vote.len, p->vote.data);
	v->needs_you = true;
	s->is_held = false;
	forget_undo_of(r, s);
	mark_vote(r, c->seat, s);
	if (s->revealed.len > 0) {
		show_late_vote(r, v, had_vote);
	} else if (has_enough(r, s)) {
		reveal_story(r, s, c->wall_ms);
	}
	return FAULT_NONE;
}

enum fault_code room_set_story_revealed(struct room *r, struct room_call *c)
{
	const struct room_set_revealed_params *p = c->params;
	struct story *s = find_open(r, c, p->story_id);
	if (s == NULL) {
		return c->fault->code;
	}
	if (p->is_revealed && s->revealed.len == 0) {
		forget_undo_of(r, s);
		reveal_story(r, s, c->wall_ms);
	} else if (!p->is_revealed && s->revealed.len > 0) {
		if (r->policy.anonymous) {
			return fault_set(c->fault, FAULT_CONFLICT,
					 "votes without names cannot be hidden again");
		}
		revealed_clear(r, s);
		s->is_held = true; /* all votes are still there: not until the next */
	}
	return FAULT_NONE;
}

/* ---- settled ---- */

/* What was revealed of the story, as the round of that number. False when memory is out. */
static bool round_of(const struct room *r, const struct story *s, struct arena *arena,
		     struct round_view *out)
{
	struct story_votes shown;
	if (!revealed_read(s, arena, &shown)) {
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
	bool ok = round_of(r, s, &arena, &view);
	view.outcome = estimate;
	view.with_outcome = true;
	ok = ok && room_renumber_round(r, c->wall_ms) && room_record_view(r, &view, c->wall_ms) &&
	     room_story_settle(r, s, estimate, STORY_TODO, c);
	while (ok && s->votes != NULL) {
		struct seat *seat = s->votes->seat;
		vote_remove(r, s->votes);
		mark_vote(r, seat, s);
	}
	if (ok) {
		revealed_clear(r, s);
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
		return fault_field(c->fault, "estimate", "required for an open story");
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
	if (s->revealed.len == 0 || !room_story_is_open(r, s) || !revealed_read(s, arena, &shown)) {
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

/* ---- to the table, and back ---- */

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
		vote_remove(r, s->votes);
		mark_vote(r, seat, s);
	}
	if (ok && is_revealed) {
		ok = round_of(r, s, &arena, &view) && room_record_view(r, &view, wall_ms);
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
	revealed_clear(r, s);
	r->is_short_of_memory = r->is_short_of_memory || !ok;
	arena_finish(&arena);
}

/* False when memory is out. */
static bool park_vote(struct room *r, struct seat *seat, struct story *s)
{
	struct story_vote *v = vote_of(seat, s);
	bool is_aside = seat->card == CARD_NONE;
	v = v == NULL ? vote_add(r, seat, s) : v;
	struct slice card = room_card(r, is_aside ? seat->last.card : seat->card);
	if (v == NULL) {
		return false;
	}
	(void)format_to(v->card, sizeof(v->card), "%.*s", (int)card.len, card.data);
	v->needs_you = true;
	v->confidence = is_aside ? seat->last.confidence : seat->confidence;
	v->is_changed = is_aside ? seat->last.is_changed : seat->is_changed;
	char **comment = is_aside ? &seat->last.comment : &seat->comment;
	vote_set_comment(r, v, *comment);
	*comment = NULL;
	if (is_aside) {
		last_vote_clear(&seat->last);
		seat->is_vote_aside = false;
		mark_vote(r, seat, s);
	} else {
		room_drop_card(r, seat);
		mark_vote(r, seat, s);
	}
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
		ok = ok && revealed_set(r, s, &shown);
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
	s->is_held = r->is_held;
	r->is_revealed = false;
	r->revealed_at = 0;
	r->is_held = false;
	r->is_armed = false;
	r->is_short_of_memory = r->is_short_of_memory || !ok;
	room_changed(r);
	arena_finish(&arena);
}

/* ---- as items, and as others see it ---- */

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
	if (!room_set_text(&comment, item->comment) || (v = vote_add(r, seat, s)) == NULL) {
		free(comment);
		return false;
	}
	vote_set_comment(r, v, comment);
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
	return all ? s->revealed.len > 0 || count_votes(r, s) > 0 : s->votes_marked;
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
			.voted = count_votes(r, s),
		};
		if (s->revealed.len > 0 && !revealed_read(s, arena, out)) {
			return false;
		}
	}
	return u->story_votes != NULL;
}
