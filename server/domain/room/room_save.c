/*
 * room_save.c - the estimate of a story that was made from an item goes back to the item.
 *
 * A room and an item are in two partitions, so that is two commits. The settlement
 * leaves a mark with the story, an UNSAVED item, in its own commit; the transaction
 * that follows writes the estimate to the item, once for each mark (team/story_save.c); then the
 * room is told, and the mark goes. Where one of these steps is lost, the
 * sweeper finds the UNSAVED item, whose time is over a moment after it was
 * written, and the transaction runs again.
 *
 *   round.settle --> mark --> item written --> mark gone
 *                     | |                       ^
 *                     | +-- lost: the sweeper --+
 *                     +--> item gone, or settled by no member: mark gone, unsaved_reason stays
 *
 * A settlement takes the place of the one before, whose mark nobody knows any
 * more. One with no value takes back what is not written yet, and no more: the
 * item belongs to the group. What else changes the story - another vote, an undone
 * reset, an estimate typed by hand - leaves the item as it is.
 */
#include "server/domain/room/room_state.h"

#include <string.h>

#include <utlist.h>

#include "proto/base/format.h"
#include "server/domain/room_directory.h"

static void set_mark(struct room *r, struct story *s, const char *mark)
{
	s->save_changed = s->save_changed || s->save_mark[0] != '\0' || mark[0] != '\0';
	(void)format_to(s->save_mark, sizeof(s->save_mark), "%s", mark);
	s->text.with_unsaved_reason = false;
	room_story_changed(r, s);
}

void room_save_story(struct room *r, struct story *s, const struct room_call *c)
{
	char mark[USER_ID_CHARS + 1] = "";
	if (!s->text.with_item) {
		return;
	}
	if (s->text.estimate.len > 0 && c->is_keyed) {
		code_make(c->random, mark, USER_ID_CHARS);
		(void)format_to(s->save_user, sizeof(s->save_user), "%.*s", (int)c->account_id.len,
				c->account_id.data);
		(void)format_to(s->save_card, sizeof(s->save_card), "%.*s",
				(int)s->text.estimate.len, s->text.estimate.data);
	}
	set_mark(r, s, mark);
	if (s->text.estimate.len > 0 && !c->is_keyed) {
		s->text.with_unsaved_reason = true;
		s->text.unsaved_reason = UNSAVED_NOT_A_MEMBER;
	}
}

/* Its key is "{story_id}#{mark}", and behind that, where nothing was written, "#" and the word of the reason. */
void room_story_saved(struct room *r, const struct room_task *task)
{
	struct slice parts[3] = {{0}};
	struct slice rest = task->key;
	for (size_t i = 0; i < 3; i++) {
		const char *end = rest.len == 0 ? NULL : memchr(rest.data, '#', rest.len);
		parts[i] = slice_of(rest.data, end == NULL ? rest.len : (size_t)(end - rest.data));
		rest = end == NULL ? (struct slice){0}
				   : slice_of(end + 1, rest.len - parts[i].len - 1);
	}
	struct story *s = room_story(r, parts[0]);
	if (s == NULL || parts[1].len == 0 || !slice_eq(parts[1], slice_str(s->save_mark))) {
		return; /* it was settled again, or this is not the first time */
	}
	set_mark(r, s, "");
	if (parts[2].len > 0) {
		s->text.with_unsaved_reason = true;
		s->text.unsaved_reason =
			(enum unsaved_reason)words_find(&words_unsaved_reason, parts[2]);
	}
}

/* ---- what follows ---- */

enum err room_follows(const struct room *r, struct arena *arena, struct room_follow **out)
{
	const struct story *s;
	*out = NULL;
	DL_FOREACH (r->stories_marked && !r->is_deleted ? r->stories : NULL, s) {
		if (s->save_changed && s->save_mark[0] != '\0' &&
		    room_add_follow(r, FOLLOW_SAVE_STORY, slice_str(s->story_id), arena, out) !=
			    OK) {
			return ERR_NOMEM;
		}
	}
	return room_follows_waiting(r, arena, out);
}
