/*
 * activity.c - what we do now, as others may know it, and what they do.
 *
 * That we go through our cards is told, never which one we look at.
 */
#include "client/tui/tui_state.h"

#include <string.h>

#include "proto/format.h"
#include "proto/text.h"

enum { DOING_WORDS_CELLS = 12 }; /* with less for the name there is no room for more words */

static bool doing_is_seated(const struct replica *room)
{
	return room->has_state && room->my_name != NULL && !room->i_am_waiting;
}

static bool doing_is_choosing_here(const struct tui *t, const struct replica *room)
{
	/* Who still chooses has not voted. */
	return !replica_hides_voters(room) && t->view == VIEW_ROOM && t->choosing_round != 0 &&
	       t->choosing_round == room->round && room->my_vote == NULL &&
	       action_is_allowed(ACTION_CHOOSE, room);
}

enum activity tui_doing(struct tui *t, const struct replica *room, const char **story_id)
{
	*story_id = NULL;
	if (!doing_is_seated(room)) {
		return ACTIVITY_NOTHING;
	}
	if (t->view == VIEW_WRITING) {
		*story_id = t->writing.key;
		return t->writing.has_typed ? ACTIVITY_TYPING : ACTIVITY_LOOKING;
	}
	if (t->view == VIEW_STORIES && room->stories_n > 0) {
		*story_id = room->stories[stories_list_focus(t, room)].story_id;
		return ACTIVITY_LOOKING;
	}
	return doing_is_choosing_here(t, room) ? ACTIVITY_CHOOSING : ACTIVITY_NOTHING;
}

bool doing_is_choosing(const struct replica *room, const struct member *m)
{
	const char *ignored = NULL;
	return !room->is_revealed && !replica_hides_voters(room) && !m->has_vote &&
	       m->is_connected && !tui_is_me(room, m) &&
	       replica_doing(room, m->user_id, &ignored) == ACTIVITY_CHOOSING;
}

/* What a member who is here does at that story. */
static enum activity doing_there(const struct replica *room, const struct member *m,
				 const char *story_id)
{
	const char *at = NULL;
	enum activity doing = replica_doing(room, m->user_id, &at);
	bool is_there = at != NULL && strcmp(at, story_id) == 0 && m->username != NULL &&
			m->is_connected && !tui_is_me(room, m);
	return is_there ? doing : ACTIVITY_NOTHING;
}

void doing_at_story(const struct tui *t, const struct replica *room, const char *story_id,
		    int cells, char *out, size_t cap)
{
	const struct member *first = NULL;
	enum activity what = ACTIVITY_NOTHING;
	size_t n = 0;
	out[0] = '\0';
	for (size_t i = 0; i < room->members_n && room->data.presents_n > 0; i++) {
		enum activity doing = doing_there(room, &room->members[i], story_id);
		n += doing != ACTIVITY_NOTHING ? 1 : 0;
		if (doing > what) { /* who types is the one to know of */
			first = &room->members[i];
			what = doing;
		}
	}
	if (first == NULL) {
		return;
	}
	struct slice name = slice_str(first->username);
	bool is_cut = draw_cells(first->username) > cells;
	size_t len = is_cut ? text_fit(name, (size_t)(cells > 1 ? cells - 1 : 0)) : name.len;
	size_t used =
		format_to(out, cap, "%.*s%s%s", (int)len, first->username,
			  is_cut ? t->signs->cut : "",
			  what == ACTIVITY_TYPING && cells >= DOING_WORDS_CELLS ? " types" : "");
	if (n > 1) {
		(void)format_to(out + used, cap - used, " +%zu", n - 1);
	}
}
