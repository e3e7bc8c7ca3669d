/*
 * room_stories.c - what a room has to estimate, in an order that people change
 * at the same time without losing each other's moves.
 */
#include "server/domain/room/room_state.h"
#include "proto/base/ascii.h"

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
	if (s->text.status != status) {
		s->text.status = status;
		room_story_changed(r, s);
		room_story_opened(r, s);
	}
}

bool room_story_settle(struct room *r, struct story *s, struct slice estimate,
		       enum story_status open, const struct room_call *c)
{
	struct story_view text = s->text;
	text.estimate = estimate;
	text.ends_at = estimate.len > 0 ? 0 : text.ends_at;
	text.with_ends_at = text.ends_at > 0;
	if (!room_story_set_text(r, s, text)) {
		return false;
	}
	room_story_changed(r, s);
	room_story_set_status(r, s, estimate.len > 0 ? STORY_DONE : open);
	room_save_story(r, s, c);
	return true;
}

/* ---- text ---- */

void story_destroy(struct story *s)
{
	fixed_result_clear(&s->revealed);
	free(s->block);
	free(s);
}

static size_t story_bytes(const struct story_view *text)
{
	return text->title.len + text->key.len + text->link.len + text->description.len +
	       text->estimate.len + text->item.container_id.len + text->item.item_id.len;
}

bool room_story_set_text(struct room *r, struct story *s, struct story_view text)
{
	struct slice *const strings[] = {&text.title,	    &text.key,	    &text.link,
					 &text.description, &text.estimate, &text.item.container_id,
					 &text.item.item_id};
	char *block = malloc(story_bytes(&text) + 1);
	if (block == NULL) {
		return false;
	}
	char *at = block;
	for (size_t i = 0; i < sizeof(strings) / sizeof(strings[0]); i++) {
		if (strings[i]->len == 0) {
			*strings[i] = (struct slice){0};
			continue;
		}
		memcpy(at, strings[i]->data, strings[i]->len);
		strings[i]->data = at;
		at += strings[i]->len;
	}
	r->stories_bytes += story_bytes(&text) - story_bytes(&s->text);
	free(s->block);
	s->block = block;
	s->text = text;
	return true;
}

struct story_view story_view(const struct story *s)
{
	struct story_view view = s->text;
	view.story_id = slice_str(s->story_id);
	view.rank = slice_str(s->rank.text);
	view.is_unsaved = s->save_mark[0] != '\0' || s->text.with_unsaved_reason;
	return view;
}

static int story_by_rank(const struct story *a, const struct story *b)
{
	return strcmp(a->rank.text, b->rank.text);
}

struct story *room_story_insert(struct room *r, struct story_view text, struct rank rank)
{
	struct story *s = calloc(1, sizeof(*s));
	if (s == NULL || !room_story_set_text(r, s, text)) {
		free(s);
		return NULL;
	}
	s->rank = rank;
	DL_INSERT_INORDER(r->stories, s, story_by_rank);
	r->stories_n++;
	return s;
}

/* What params of story.add and story.update say in place of what the text has. */
#define TAKE(field) text->field = p->with_##field ? p->field : text->field
#define TAKE_TEXT \
	TAKE(title), TAKE(key), TAKE(link), TAKE(description), TAKE(estimate), TAKE(status)

/* Whether the room takes `text` in place of `before`. */
static enum fault_code check_fits(const struct room *r, struct room_call *c,
				  const struct story_view *text, const struct story_view *before)
{
	size_t more = story_bytes(text);
	size_t less = story_bytes(before);
	if (more > less && r->stories_bytes + more - less > MAX_STORIES_BYTES) {
		(void)fault_set(c->fault, FAULT_TOO_LARGE,
				"the text of all stories together is at most %d bytes",
				MAX_STORIES_BYTES);
		return fault_bounds(c->fault, FAULT_RULE_LENGTH, 0, MAX_STORIES_BYTES, "bytes");
	}
	return more > less ? room_check_growth(r, c, more - less) : FAULT_NONE;
}

struct story *room_find_story(struct room *r, struct room_call *c, const char *field,
			      struct slice story_id)
{
	struct story *s = room_story(r, story_id);
	if (s == NULL) {
		fault_set_field(c->fault, FAULT_NOT_FOUND, field,
				"story not found; check its story_id");
	}
	return s;
}

/* ---- order ---- */

/* The story in front of the place that params.before or after name; NULL: the end. */
static enum fault_code find_place(struct room *r, struct room_call *c, struct slice before,
				  struct slice after, struct story **later)
{
	struct slice named = before.len > 0 ? before : after;
	struct story *s = NULL;
	if (before.len > 0 && after.len > 0) {
		return fault_field(c->fault, "after", "cannot be combined with before");
	}
	if (named.len > 0 &&
	    (s = room_find_story(r, c, before.len > 0 ? "before" : "after", named)) == NULL) {
		return c->fault->code;
	}
	*later = s != NULL && after.len > 0 ? s->next : s;
	return FAULT_NONE;
}

static void put_story(struct room *r, struct story *s, struct story *later)
{
	struct story *other;
	bool is_renumbered;
	later = later == s ? s->next : later; /* in front of itself is where it stands */
	DL_DELETE(r->stories, s);
	RANK_INSERT(r->stories, s, later, other, is_renumbered);
	DL_FOREACH (is_renumbered ? r->stories : NULL, other) {
		room_story_changed(r, other);
	}
	room_story_changed(r, s);
}

/* ---- requests ---- */

/* Title, description and where they are from, as the caller's item has them. */
static enum fault_code take_item(struct room_call *c, struct story_view *text)
{
	const struct story_add_params *p = c->params;
	if (!p->with_container_id) {
		return fault_field(c->fault, "container_id", "required with item_id");
	}
	if (!c->is_keyed) {
		return fault_set(c->fault, FAULT_FORBIDDEN,
				 "guests cannot do that; log in with a key");
	}
	if (c->facts == NULL || c->facts->item_id.len == 0) {
		return fault_set_field(c->fault, FAULT_NOT_FOUND, "item_id",
				       "item not found; check its id");
	}
	if (c->facts->item_quantity.len > 0) {
		return fault_set_field(c->fault, FAULT_CONFLICT, "item_id",
				       "%.*s has a quantity: %.*s", (int)c->facts->item_name.len,
				       c->facts->item_name.data, (int)c->facts->item_quantity.len,
				       c->facts->item_quantity.data);
	}
	*text = (struct story_view){
		.title = c->facts->item_name,
		.description = c->facts->item_note,
		.item = {.container_id = c->facts->container_id, .item_id = c->facts->item_id},
		.with_item = true,
	};
	return FAULT_NONE;
}

/* #12 of another repository has another link. */
static bool has_key(const struct room *r, const struct story_add_params *p)
{
	const struct story *s;
	DL_FOREACH (r->stories, s) {
		bool is_same_link = p->link.len == 0 || s->text.link.len == 0 ||
				    slice_eq(p->link, s->text.link);
		if (!s->text.is_removed && is_same_link && ascii_is_alike(p->key, s->text.key)) {
			return true;
		}
	}
	return false;
}

static void set_deadline(struct room *r, struct story *s, int64_t seconds,
			 const struct room_call *c)
{
	room_story_set_end(r, s, seconds, c->wall_ms);
	if (seconds > 0) { /* whoever comes then finds what it revealed */
		room_extend(r, s->text.ends_at, room_life_ms(r, c->limits));
	}
}

enum fault_code on_STORY_ADD(struct room *r, struct room_call *c)
{
	const struct story_add_params *p = c->params;
	const struct story_view nothing = {0};
	struct story_view added = {0};
	struct story_view *text = &added;
	struct story *later = NULL;
	if (p->with_item_id && take_item(c, text) != FAULT_NONE) {
		return c->fault->code;
	}
	TAKE_TEXT;
	if (text->title.len == 0) {
		return fault_field(c->fault, "title", "required");
	}
	if (p->is_unique && p->key.len > 0 && has_key(r, p)) {
		return fault_set_field(c->fault, FAULT_CONFLICT, "key",
				       "a story in the room has that key");
	}
	if (r->stories_n >= MAX_STORIES) {
		(void)fault_set(c->fault, FAULT_TOO_LARGE,
				"a room has at most %d stories, including removed ones",
				MAX_STORIES);
		return fault_bounds(c->fault, FAULT_RULE_COUNT, 0, MAX_STORIES, "stories");
	}
	if (check_fits(r, c, text, &nothing) != FAULT_NONE ||
	    find_place(r, c, p->before, p->after, &later) != FAULT_NONE) {
		return c->fault->code;
	}
	struct story *s = room_story_insert(r, added, rank_nth(0));
	if (s == NULL) {
		return room_out_of_memory(c);
	}
	put_story(r, s, later);
	code_make(c->random, s->story_id, USER_ID_CHARS);
	s->created_on = c->wall_ms;
	if (p->with_reveal_in_seconds) {
		set_deadline(r, s, p->reveal_in_seconds, c);
	}
	struct story_result *result = c->result;
	result->story_id = slice_str(s->story_id);
	return FAULT_NONE;
}

enum fault_code on_STORY_UPDATE(struct room *r, struct room_call *c)
{
	const struct story_update_params *p = c->params;
	struct story *s = room_find_story(r, c, "story_id", p->story_id);
	if (s == NULL) {
		return c->fault->code;
	}
	struct story_view updated = s->text;
	struct story_view *text = &updated;
	TAKE_TEXT;
	if (check_fits(r, c, text, &s->text) != FAULT_NONE) {
		return c->fault->code;
	}
	enum story_status status = updated.status;
	updated.status = s->text.status;
	if (!room_story_set_text(r, s, updated)) {
		return room_out_of_memory(c);
	}
	if (p->with_reveal_in_seconds) {
		set_deadline(r, s, p->reveal_in_seconds, c);
	}
	room_story_changed(r, s);
	room_story_set_status(r, s, status);
	return FAULT_NONE;
}

enum fault_code on_STORY_MOVE(struct room *r, struct room_call *c)
{
	const struct story_move_params *p = c->params;
	struct story *later = NULL;
	struct story *s = room_find_story(r, c, "story_id", p->story_id);
	if (s == NULL) {
		return c->fault->code;
	}
	if (p->before.len == 0 && p->after.len == 0) {
		return fault_field(c->fault, "before", "give either before or after");
	}
	if (find_place(r, c, p->before, p->after, &later) != FAULT_NONE) {
		return c->fault->code;
	}
	put_story(r, s, later);
	return FAULT_NONE;
}

static enum fault_code story_set_removed(struct room *r, struct room_call *c, bool is_removed)
{
	const struct story_params *p = c->params;
	struct story *s = room_find_story(r, c, "story_id", p->story_id);
	if (s == NULL) {
		return c->fault->code;
	}
	if (is_removed && strcmp(s->story_id, r->story_id) == 0) {
		return fault_set(c->fault, FAULT_CONFLICT,
				 "that story is being voted on; select another first");
	}
	if (is_removed && strcmp(s->story_id, r->undo.story_id) == 0) {
		room_forget_undo(r); /* it would bring the story back to the table */
	}
	if (s->text.is_removed != is_removed) {
		s->text.is_removed = is_removed;
		room_story_changed(r, s);
		room_story_opened(r, s);
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

/* A round that nobody has voted in yet only gets another target; otherwise the next one begins. */
static enum fault_code take_story(struct room *r, struct room_call *c, struct story *s)
{
	const char *story_id = s == NULL ? "" : s->story_id;
	struct story *left = room_story(r, slice_str(r->story_id));
	bool is_parked = r->policy.open_stories && left != NULL && r->outcome[0] == '\0';
	bool is_next = !is_parked && (r->is_revealed || room_has_votes(r));
	if (strcmp(r->story_id, story_id) == 0) {
		return FAULT_NONE;
	}
	if ((is_next && room_check_growth(r, c, 1) != FAULT_NONE) ||
	    (is_parked && room_check_park(r, c) != FAULT_NONE)) {
		return c->fault->code;
	}
	if (is_parked) {
		room_park_votes(r, left);
	}
	if (left != NULL && left->text.status == STORY_VOTING) {
		room_story_set_status(r, left,
				      left->text.estimate.len > 0 ? STORY_DONE : STORY_TODO);
	}
	if (is_next) {
		room_next_round(r, story_id, c->wall_ms);
	} else {
		strcpy(r->story_id, story_id);
		r->started_at = c->wall_ms;
		room_forget_undo(r); /* what it would go back to was on another story */
		room_count_story_rounds(r);
		room_changed(r);
	}
	if (s != NULL) {
		room_story_set_status(r, s, STORY_VOTING);
		room_lay_story_votes(r, s, c->wall_ms);
	}
	return FAULT_NONE;
}

enum fault_code on_STORY_SELECT(struct room *r, struct room_call *c)
{
	const struct story_select_params *p = c->params;
	struct room_reset_result *result = c->result;
	struct story *s = NULL;
	if (p->story_id.len > 0 && (s = room_find_story(r, c, "story_id", p->story_id)) == NULL) {
		return c->fault->code;
	}
	if (s != NULL && s->text.is_removed) {
		return fault_set(c->fault, FAULT_CONFLICT,
				 "that story was removed; restore it first");
	}
	enum fault_code code = take_story(r, c, s);
	result->round = r->round;
	return code;
}

/* The first story to do behind the current one, else the first of all. */
enum fault_code on_STORY_NEXT(struct room *r, struct room_call *c)
{
	struct story_result *result = c->result;
	const struct story *current = room_story(r, slice_str(r->story_id));
	struct story *first = NULL;
	struct story *behind = NULL;
	bool is_behind = current == NULL;
	struct story *s;
	DL_FOREACH (r->stories, s) {
		if (s->text.status == STORY_TODO && !s->text.is_removed && s != current) {
			first = first == NULL ? s : first;
			behind = behind == NULL && is_behind ? s : behind;
		}
		is_behind = is_behind || s == current;
	}
	s = behind != NULL ? behind : first;
	enum fault_code code = take_story(r, c, s);
	result->story_id = s == NULL ? (struct slice){0} : slice_str(s->story_id);
	return code;
}

/* The cursor is the story_id of the last one; removed ones come behind all others. */
enum fault_code on_STORY_LIST(struct room *r, struct room_call *c)
{
	const struct page_params *p = c->params;
	struct story_list_result *out = c->result;
	size_t limit = p->with_limit ? (size_t)p->limit : MAX_PAGE;
	bool is_begun = p->cursor.len == 0;
	size_t bytes = 0;
	out->stories = arena_alloc(c->arena, limit * sizeof(*out->stories));
	if (out->stories == NULL) {
		return room_out_of_memory(c);
	}
	for (int removed = 0; removed <= 1; removed++) {
		struct story *s;
		DL_FOREACH (r->stories, s) {
			if (s->text.is_removed != (removed == 1)) {
				continue;
			}
			if (!is_begun) {
				is_begun = slice_eq(slice_str(s->story_id), p->cursor);
				continue;
			}
			bytes += story_bytes(&s->text) + 128;
			if (out->stories_n == limit ||
			    (out->stories_n > 0 && bytes > MAX_FRAME_BYTES)) {
				out->cursor = out->stories[out->stories_n - 1].story_id;
				return FAULT_NONE;
			}
			out->stories[out->stories_n++] = story_view(s);
		}
	}
	return is_begun ? FAULT_NONE
			: fault_field(c->fault, "cursor",
				      "is not a cursor of story.list, or its story was deleted");
}
