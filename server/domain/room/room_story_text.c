/*
 * room_story_text.c - one story by itself: what people write in it, how much that
 * may be, and how it is shown. Where it stands among others is room_stories.c's.
 */
#include "server/domain/room/room_state.h"

#include <stdlib.h>
#include <string.h>

void story_destroy(struct story *s)
{
	if (s != NULL) {
		free(s->title);
		free(s->link);
		free(s->notes);
		free(s->estimate);
		free(s);
	}
}

static size_t text_bytes(const char *text)
{
	return text == NULL ? 0 : strlen(text);
}

size_t story_bytes(const struct story *s)
{
	return text_bytes(s->title) + text_bytes(s->link) + text_bytes(s->notes) +
	       text_bytes(s->estimate);
}

void room_view_story(const struct story *s, struct story_view *out)
{
	*out = (struct story_view){
		.story_id = slice_str(s->story_id),
		.rank = slice_str(s->rank.text),
		.title = slice_str(s->title),
		.link = slice_str(s->link),
		.notes = slice_str(s->notes),
		.status = s->status,
		.estimate = slice_str(s->estimate),
		.is_removed = s->is_removed,
	};
}

/* ---- what people write ---- */

/* All or nothing: copies first, then the old ones go. */
bool story_text_apply(struct story *s, const struct story_text *t)
{
	struct story fresh = {0};
	bool ok = (!t->with_title || room_set_text(&fresh.title, t->title)) &&
		  (!t->with_link || room_set_text(&fresh.link, t->link)) &&
		  (!t->with_notes || room_set_text(&fresh.notes, t->notes)) &&
		  (!t->with_estimate || room_set_text(&fresh.estimate, t->estimate));
	if (!ok) {
		free(fresh.title);
		free(fresh.link);
		free(fresh.notes);
		free(fresh.estimate);
		return false;
	}
	struct {
		bool with;
		char **old, *new;
	} fields[] = {
		{t->with_title, &s->title, fresh.title},
		{t->with_link, &s->link, fresh.link},
		{t->with_notes, &s->notes, fresh.notes},
		{t->with_estimate, &s->estimate, fresh.estimate},
	};
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		if (fields[i].with) {
			free(*fields[i].old);
			*fields[i].old = fields[i].new;
		}
	}
	s->status = t->with_status ? t->status : s->status;
	return true;
}

static size_t story_text_bytes(const struct story_text *t)
{
	return t->title.len + t->link.len + t->notes.len + t->estimate.len;
}

static size_t replaced_bytes(const struct story *s, const struct story_text *t)
{
	return (t->with_title ? text_bytes(s->title) : 0) +
	       (t->with_link ? text_bytes(s->link) : 0) +
	       (t->with_notes ? text_bytes(s->notes) : 0) +
	       (t->with_estimate ? text_bytes(s->estimate) : 0);
}

/* Whether the text fits in place of the story's own; s is NULL for a new one. */
enum fault_code room_check_story_fits(const struct room *r, struct room_call *c,
				      const struct story *s, const struct story_text *t)
{
	size_t more = story_text_bytes(t);
	size_t less = s == NULL ? 0 : replaced_bytes(s, t);
	if (s == NULL && r->stories_n >= MAX_STORIES) {
		return fault_set(c->fault, FAULT_TOO_LARGE,
				 "a room has at most %d stories, removed ones counted",
				 MAX_STORIES);
	}
	if (more > less && r->stories_bytes + more - less > MAX_STORIES_BYTES) {
		return fault_set(c->fault, FAULT_TOO_LARGE,
				 "the text of all stories together is at most %d bytes",
				 MAX_STORIES_BYTES);
	}
	return FAULT_NONE;
}
