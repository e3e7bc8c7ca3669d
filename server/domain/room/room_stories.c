/*
 * room_stories.c - what a room has to estimate, in an order that people change
 * at the same time without losing each other's moves.
 *
 * A removed story keeps its place until the room ends, so that restoring it
 * puts it back where it was.
 */
#include "server/domain/room/room_state.h"

#include <stdlib.h>
#include <string.h>

#include <utlist.h>

struct story *room_story(struct room *r, struct slice story_id)
{
	struct story *s;
	if (story_id.len == 0) {
		return NULL;
	}
	DL_FOREACH (r->stories, s) {
		if (slice_eq(slice_str(s->story_id), story_id)) {
			return s;
		}
	}
	return NULL;
}

void room_story_changed(struct room *r, struct story *s)
{
	s->needs_write = true;
	r->stories_marked = true;
	r->is_touched = true;
}

void room_story_set_status(struct room *r, struct story *s, enum story_status status)
{
	if (s->status != status) {
		s->status = status;
		room_story_changed(r, s);
	}
}

bool room_story_set_estimate(struct room *r, struct story *s, struct slice estimate)
{
	size_t before = story_bytes(s);
	if (!room_set_text(&s->estimate, estimate)) {
		return false;
	}
	r->stories_bytes += story_bytes(s) - before;
	room_story_changed(r, s);
	return true;
}

static int story_by_rank(const struct story *a, const struct story *b)
{
	return strcmp(a->rank.text, b->rank.text);
}

void room_story_insert(struct room *r, struct story *s)
{
	DL_INSERT_INORDER(r->stories, s, story_by_rank);
	r->stories_n++;
	r->stories_bytes += story_bytes(s);
}

static struct story *find_story(struct room *r, struct room_call *c, const char *field,
				struct slice story_id)
{
	struct story *s = room_story(r, story_id);
	if (s == NULL) {
		fault_set_field(c->fault, FAULT_NOT_FOUND, field,
				"the room has no story with that story_id");
	}
	return s;
}

/* ---- places ---- */

/* Ranks far apart again, in the same order. */
static void renumber(struct room *r)
{
	struct story *s;
	size_t n = 0;
	DL_FOREACH (r->stories, s) {
		s->rank = rank_nth(n++);
		room_story_changed(r, s);
	}
}

/* The neighbours of the place that before or after name; at the end where neither does. */
struct place {
	struct story *left, *right;
};

static enum fault_code find_place(struct room *r, struct room_call *c, const struct story *mover,
				  struct slice before, struct slice after, struct place *out)
{
	if (before.len > 0 && after.len > 0) {
		return fault_field(c->fault, "after", "give either before or after, not both");
	}
	struct place at = {.left = r->stories == NULL ? NULL : r->stories->prev};
	if (before.len > 0) {
		at.right = find_story(r, c, "before", before);
		at.left = at.right == NULL || at.right == r->stories ? NULL : at.right->prev;
	} else if (after.len > 0) {
		at.left = find_story(r, c, "after", after);
		at.right = at.left == NULL ? NULL : at.left->next;
	}
	if ((before.len > 0 && at.right == NULL) || (after.len > 0 && at.left == NULL)) {
		return c->fault->code;
	}
	/* Next to itself is where it stands: look past it. */
	if (mover != NULL && at.left == mover) {
		at.left = mover == r->stories ? NULL : mover->prev;
	}
	if (mover != NULL && at.right == mover) {
		at.right = mover->next;
	}
	*out = at;
	return FAULT_NONE;
}

static struct rank rank_at(struct room *r, const struct place *at)
{
	struct rank rank;
	const struct rank *left = at->left == NULL ? NULL : &at->left->rank;
	const struct rank *right = at->right == NULL ? NULL : &at->right->rank;
	if (!rank_between(left, right, &rank)) {
		renumber(r);
		(void)rank_between(left, right, &rank); /* there is room now */
	}
	return rank;
}

/* ---- requests ---- */

enum fault_code on_STORY_ADD(struct room *r, struct room_call *c)
{
	const struct story_add_params *p = c->params;
	struct story_text t = {
		.with_title = true,
		.title = p->title,
		.with_link = p->with_link,
		.link = p->link,
		.with_notes = p->with_notes,
		.notes = p->notes,
		.with_estimate = p->with_estimate,
		.estimate = p->estimate,
		.with_status = p->with_status,
		.status = p->status,
	};
	struct place at = {NULL, NULL};
	enum fault_code f = room_check_right(r, c, RIGHT_EDIT_STORIES);
	f = f == FAULT_NONE ? room_check_story_fits(r, c, NULL, &t) : f;
	f = f == FAULT_NONE ? find_place(r, c, NULL, p->before, p->after, &at) : f;
	if (f != FAULT_NONE) {
		return f;
	}
	struct story *s = calloc(1, sizeof(*s));
	if (s == NULL || !story_text_apply(s, &t)) {
		free(s);
		return room_out_of_memory(c);
	}
	code_make(c->random, s->story_id, USER_ID_CHARS);
	s->created_on = c->wall_ms;
	s->rank = rank_at(r, &at);
	room_story_insert(r, s);
	room_story_changed(r, s);
	struct story_result *result = c->result;
	result->story_id = slice_str(s->story_id);
	return FAULT_NONE;
}

enum fault_code on_STORY_UPDATE(struct room *r, struct room_call *c)
{
	const struct story_update_params *p = c->params;
	struct story_text t = {
		.with_title = p->with_title,
		.title = p->title,
		.with_link = p->with_link,
		.link = p->link,
		.with_notes = p->with_notes,
		.notes = p->notes,
		.with_estimate = p->with_estimate,
		.estimate = p->estimate,
		.with_status = p->with_status,
		.status = p->status,
	};
	enum fault_code f = room_check_right(r, c, RIGHT_EDIT_STORIES);
	struct story *s = f == FAULT_NONE ? find_story(r, c, "story_id", p->story_id) : NULL;
	f = s == NULL ? c->fault->code : room_check_story_fits(r, c, s, &t);
	if (f != FAULT_NONE) {
		return f;
	}
	size_t before = story_bytes(s);
	if (!story_text_apply(s, &t)) {
		return room_out_of_memory(c);
	}
	r->stories_bytes += story_bytes(s) - before;
	room_story_changed(r, s);
	return FAULT_NONE;
}

enum fault_code on_STORY_MOVE(struct room *r, struct room_call *c)
{
	const struct story_move_params *p = c->params;
	struct place at = {NULL, NULL};
	enum fault_code f = room_check_right(r, c, RIGHT_EDIT_STORIES);
	struct story *s = f == FAULT_NONE ? find_story(r, c, "story_id", p->story_id) : NULL;
	if (s == NULL) {
		return c->fault->code;
	}
	if (p->before.len == 0 && p->after.len == 0) {
		return fault_field(c->fault, "before", "say before or after which story it goes");
	}
	f = find_place(r, c, s, p->before, p->after, &at);
	if (f != FAULT_NONE) {
		return f;
	}
	DL_DELETE(r->stories, s);
	s->rank = rank_at(r, &at);
	DL_INSERT_INORDER(r->stories, s, story_by_rank);
	room_story_changed(r, s);
	return FAULT_NONE;
}

static enum fault_code story_set_removed(struct room *r, struct room_call *c, bool is_removed)
{
	const struct story_params *p = c->params;
	enum fault_code f = room_check_right(r, c, RIGHT_EDIT_STORIES);
	struct story *s = f == FAULT_NONE ? find_story(r, c, "story_id", p->story_id) : NULL;
	if (s == NULL) {
		return c->fault->code;
	}
	if (is_removed && strcmp(s->story_id, r->story_id) == 0) {
		return fault_set(c->fault, FAULT_CONFLICT,
				 "that story is being voted on; choose another one first");
	}
	if (is_removed && strcmp(s->story_id, r->undo.story_id) == 0) {
		room_forget_undo(r); /* it would bring the story back to the table */
	}
	if (s->is_removed != is_removed) {
		s->is_removed = is_removed;
		room_story_changed(r, s);
	}
	return FAULT_NONE;
}

enum fault_code on_STORY_REMOVE(struct room *r, struct room_call *c)
{
	return story_set_removed(r, c, true);
}

enum fault_code on_STORY_RESTORE(struct room *r, struct room_call *c)
{
	return story_set_removed(r, c, false);
}

/* ---- what is voted on ---- */

static void leave_story(struct room *r)
{
	struct story *s = room_story(r, slice_str(r->story_id));
	if (s != NULL && s->status == STORY_VOTING) {
		room_story_set_status(r, s, s->estimate != NULL ? STORY_DONE : STORY_TODO);
	}
}

/* A round that nobody has voted in yet only gets another target; otherwise the next one begins. */
static void take_story(struct room *r, struct story *s, int64_t wall_ms)
{
	const char *story_id = s == NULL ? "" : s->story_id;
	if (strcmp(r->story_id, story_id) == 0) {
		return;
	}
	leave_story(r);
	if (r->is_revealed || room_has_votes(r)) {
		room_next_round(r, story_id, wall_ms);
	} else {
		strcpy(r->story_id, story_id);
		r->started_at = wall_ms;
		room_forget_undo(r); /* what it would go back to was on another story */
		room_count_story_rounds(r);
		room_changed(r);
	}
	if (s != NULL) {
		room_story_set_status(r, s, STORY_VOTING);
	}
}

enum fault_code on_STORY_SELECT(struct room *r, struct room_call *c)
{
	const struct story_select_params *p = c->params;
	struct room_reset_result *result = c->result;
	struct story *s = NULL;
	enum fault_code f = room_check_right(r, c, RIGHT_RESET);
	if (f != FAULT_NONE) {
		return f;
	}
	if (p->story_id.len > 0) {
		s = find_story(r, c, "story_id", p->story_id);
		if (s == NULL) {
			return c->fault->code;
		}
		if (s->is_removed) {
			return fault_set(c->fault, FAULT_CONFLICT,
					 "that story was removed; restore it first");
		}
	}
	take_story(r, s, c->wall_ms);
	result->round = r->round;
	return FAULT_NONE;
}

/* The first one to do behind the current one, else the first of all. */
static struct story *next_story(struct room *r)
{
	struct story *current = room_story(r, slice_str(r->story_id));
	struct story *first = NULL;
	bool is_behind = current == NULL;
	struct story *s;
	DL_FOREACH (r->stories, s) {
		bool fits = s->status == STORY_TODO && !s->is_removed && s != current;
		if (fits && is_behind) {
			return s;
		}
		first = fits && first == NULL ? s : first;
		is_behind = is_behind || s == current;
	}
	return first;
}

enum fault_code on_STORY_NEXT(struct room *r, struct room_call *c)
{
	struct story_result *result = c->result;
	enum fault_code f = room_check_right(r, c, RIGHT_RESET);
	if (f != FAULT_NONE) {
		return f;
	}
	struct story *s = next_story(r);
	take_story(r, s, c->wall_ms);
	result->story_id = s == NULL ? (struct slice){0} : slice_str(s->story_id);
	return FAULT_NONE;
}

/* The cursor is the story_id of the last one; removed ones come behind all others. */
enum fault_code on_STORY_LIST(struct room *r, struct room_call *c)
{
	const struct page_params *p = c->params;
	struct story_list_result *out = c->result;
	size_t limit = p->with_limit ? (size_t)p->limit : MAX_PAGE;
	bool is_begun = p->cursor.len == 0;
	size_t bytes = 0;
	enum fault_code f = room_check_right(r, c, RIGHT_READ);
	if (f != FAULT_NONE) {
		return f;
	}
	out->stories = arena_alloc(c->arena, limit * sizeof(*out->stories));
	if (out->stories == NULL) {
		return room_out_of_memory(c);
	}
	for (int removed = 0; removed <= 1; removed++) {
		struct story *s;
		DL_FOREACH (r->stories, s) {
			if (s->is_removed != (removed == 1)) {
				continue;
			}
			if (!is_begun) {
				is_begun = slice_eq(slice_str(s->story_id), p->cursor);
				continue;
			}
			bytes += story_bytes(s) + 128;
			if (out->stories_n == limit ||
			    (out->stories_n > 0 && bytes > MAX_FRAME_BYTES)) {
				out->cursor = out->stories[out->stories_n - 1].story_id;
				return FAULT_NONE;
			}
			room_view_story(s, &out->stories[out->stories_n++]);
		}
	}
	return is_begun ? FAULT_NONE
			: fault_field(c->fault, "cursor",
				      "is none that story.list gave, or its story is gone");
}
