/*
 * writing.c - see writing.h.
 */
#include "client/tui/writing.h"

#include <assert.h>
#include <string.h>

#include "client/model/memory.h"
#include "client/model/room/shared_conventions.h"
#include "client/model/text_merge.h"
#include "client/tui/actions/action_acts.h"
#include "client/tui/tui_state.h"
#include "proto/base/format.h"

static_assert((int)SHARED_NOTE_BYTES_MAX <= (int)SHEET_BYTES_MAX, "notes can be written");

static size_t writing_bytes_max(enum writing_what what)
{
	return what == WRITING_NOTES ? SHARED_NOTE_BYTES_MAX : MAX_STORY_DESCRIPTION_BYTES;
}

/* What the server has; NULL: it is not there any more, or cannot be read here. */
static const char *writing_theirs(const struct replica *room, enum writing_what what,
				  const char *key, int64_t *revision)
{
	*revision = 0;
	if (what == WRITING_DESCRIPTION) {
		const struct story_view *s = replica_story(room, key);
		return s == NULL ? NULL : s->description.data == NULL ? "" : s->description.data;
	}
	const struct shared_note *n = replica_note(room, key);
	*revision = n == NULL ? 0 : n->revision;
	return n == NULL ? "" : n->text.data;
}

bool writing_is_changed(const struct writing *w)
{
	return strcmp(w->sheet->text, w->is_acked ? w->sent : w->base) != 0;
}

bool writing_has_news(const struct writing *w, const struct replica *room)
{
	int64_t revision;
	const char *theirs = writing_theirs(room, w->what, w->key, &revision);
	return !w->is_saving && !w->is_acked && theirs != NULL && strcmp(theirs, w->base) != 0;
}

static void writing_rebase(struct writing *w, const char *theirs, int64_t revision)
{
	(void)format_to(w->base, sizeof(w->base), "%s", theirs);
	w->revision = revision;
}

void writing_open(struct tui *t, const struct replica *room, enum writing_what what,
		  const char *key)
{
	struct writing *w = &t->writing;
	int64_t revision;
	const char *theirs = writing_theirs(room, what, key, &revision);
	if (theirs == NULL || strlen(theirs) > writing_bytes_max(what)) {
		said_reply(t, "Another program wrote content that this screen cannot show");
		return;
	}
	w->what = what;
	(void)format_to(w->key, sizeof(w->key), "%s", key);
	w->is_saving = false;
	w->is_acked = false;
	w->leaves = false;
	w->has_typed = false;
	text_editor_set(w->sheet, theirs, writing_bytes_max(what));
	writing_rebase(w, w->sheet->text, revision);
	tui_open(t, VIEW_WRITING);
}

void writing_follow(struct tui *t, const struct replica *room)
{
	struct writing *w = &t->writing;
	int64_t revision;
	const char *theirs = writing_theirs(room, w->what, w->key, &revision);
	if (theirs == NULL || w->is_saving || (w->is_acked && strcmp(theirs, w->base) == 0)) {
		return;
	}
	if (w->is_acked) {
		w->is_acked = false;
		writing_rebase(w, w->sent, revision);
	}
	if (strcmp(theirs, w->base) == 0) {
		w->revision = revision;
	} else if (!writing_is_changed(w)) {
		text_editor_replace(w->sheet, theirs);
		writing_rebase(w, w->sheet->text, revision);
	} else if (strcmp(theirs, w->sheet->text) == 0) {
		writing_rebase(w, theirs, revision); /* it is the same by now */
	}
}

/* Put both together, to be looked over before it is saved. */
static void writing_merge(struct tui *t, const struct replica *room)
{
	struct writing *w = &t->writing;
	int64_t revision;
	const char *theirs = writing_theirs(room, w->what, w->key, &revision);
	struct buf both;
	buf_init(&both, writing_bytes_max(w->what) + 1);
	bool is_same_place = text_merge_lines(w->base, w->sheet->text, theirs, &both);
	if (memory_check(both.error) != OK) {
		said_reply(t, "Others wrote too, and both are too long together: shorten yours");
	} else {
		text_editor_replace(w->sheet, both.data);
		writing_rebase(w, theirs, revision);
		said_reply(t,
			   is_same_place
				   ? "Others wrote at the same place; both are kept. Check, then ^S"
				   : "Others' text was merged. Check, then ^S");
	}
	buf_finish(&both);
}

/* What was sent last, as the notes of that story, where they are still of that revision. */
static struct act writing_send_notes(struct tui *t, const char *key, int64_t revision)
{
	struct buf value;
	struct request *r = tui_request(t, ACTION_NOTES, METHOD_MAP_SET);
	buf_init(&value, MAX_DATA_VALUE_BYTES);
	shared_text_write(t->writing.sent, &value);
	if (memory_check(value.error) == OK) {
		request_text(r, "name", SHARED_NOTES);
		request_text(r, "key", key);
		request_bytes(r, "value", buf_slice(&value));
		request_int(r, "if_revision", revision);
	}
	buf_finish(&value);
	struct act act = tui_send(t, ACTION_NOTES);
	act.text = t->writing.sent;
	return act;
}

struct act writing_save(struct tui *t, const struct replica *room)
{
	struct writing *w = &t->writing;
	int64_t revision;
	if (w->is_saving || w->is_acked) {
		return (struct act){0};
	}
	if (writing_theirs(room, w->what, w->key, &revision) == NULL) {
		said_reply(t, "Story not found");
		return (struct act){0};
	}
	if (writing_has_news(w, room)) {
		w->leaves = false;
		writing_merge(t, room);
		return (struct act){0};
	}
	if (!writing_is_changed(w)) {
		said_reply(t, "No changes");
		return (struct act){0};
	}
	(void)format_to(w->sent, sizeof(w->sent), "%s", w->sheet->text);
	struct act act;
	if (w->what == WRITING_NOTES) {
		act = writing_send_notes(t, w->key, w->revision);
	} else {
		struct request *r = tui_request(t, ACTION_DESCRIBE, METHOD_STORY_UPDATE);
		request_text(r, "story_id", w->key);
		request_value(r, "description", w->sent);
		act = tui_send(t, ACTION_DESCRIBE);
	}
	w->is_saving = act.request != NULL;
	return act;
}

/* The answer to whether to, on the way out. */
struct act act_keep(struct tui *t, const struct replica *room, enum action a, const char *arg)
{
	(void)a, (void)arg;
	t->writing.leaves = true;
	return writing_save(t, room);
}

void tui_take_saved(struct tui *t, bool is_done)
{
	struct writing *w = &t->writing;
	if (!w->is_saving) {
		return;
	}
	w->is_saving = false;
	if (!is_done) {
		w->leaves = false;
		return;
	}
	w->is_acked = true;
	said_reply(t, "Saved");
	if (w->leaves && !writing_is_changed(w) && tui_is_in(t, IN_WRITING)) {
		writing_drop(t);
	}
}

void writing_leave(struct tui *t)
{
	struct writing *w = &t->writing;
	if (w->is_saving) {
		w->leaves = true;
	} else if (!writing_is_changed(w)) {
		writing_drop(t);
	} else {
		prompt_ask(t, ACTION_KEEP, NULL, "Save your text?");
	}
}

void writing_drop(struct tui *t)
{
	tui_go_back(t);
}

bool writing_is_unsaved(const struct tui *t)
{
	return tui_is_in(t, IN_WRITING) && writing_is_changed(&t->writing);
}

/* ---- a line in passing ---- */

const char *writing_key_here(const struct tui *t, const struct replica *room)
{
	const struct view *view = view_of(t->view);
	const char *focus = view->story == NULL ? NULL : view->story(t, room);
	if (focus != NULL) {
		return focus;
	}
	return room->room.story_id.data != NULL ? room->room.story_id.data : SHARED_NOTES_QUICK;
}

struct act writing_add_line(struct tui *t, const struct replica *room, enum action a,
			    const char *line)
{
	struct writing *w = &t->writing;
	int64_t revision;
	const char *key = writing_key_here(t, room);
	const char *theirs = writing_theirs(room, WRITING_NOTES, key, &revision);
	size_t len = theirs == NULL ? 0 : strlen(theirs);
	(void)a;
	if (theirs == NULL || w->is_saving || len + strlen(line) + 1 > SHARED_NOTE_BYTES_MAX) {
		said_reply(t, "These notes are full");
		return (struct act){0};
	}
	bool is_new_line = len > 0 && theirs[len - 1] != '\n';
	(void)format_to(w->sent, sizeof(w->sent), "%s%s%s", theirs, is_new_line ? "\n" : "", line);
	return writing_send_notes(t, key, revision);
}
