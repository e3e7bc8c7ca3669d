/*
 * activity.c - what we do now, as others may know it, and what they do.
 *
 * That we go through our cards is told, never which one we look at.
 */
#include "client/tui/tui_state.h"

#include <string.h>

#include "proto/base/format.h"
#include "proto/text/text.h"

enum { DOING_WORDS_CELLS = 12 }; /* with less for the name there is no room for more words */

static bool doing_is_seated(const struct replica *room)
{
	return room->has_state && room->you.username.data != NULL && !room->you.is_waiting;
}

static bool doing_is_choosing_here(const struct tui *t, const struct replica *room)
{
	/* Who still chooses has not voted. */
	return !replica_hides_voters(room) && tui_is_in(t, IN_ROOM) &&
	       t->table.choosing_round != 0 && t->table.choosing_round == room->room.round &&
	       room->you.vote.data == NULL && action_is_allowed(ACTION_CHOOSE, room);
}

enum activity tui_doing(struct tui *t, const struct replica *room, const char **story_id)
{
	*story_id = NULL;
	if (!doing_is_seated(room)) {
		return ACTIVITY_NOTHING;
	}
	const struct view *view = view_of(t->view);
	*story_id = view->story == NULL ? NULL : view->story(t, room);
	if (*story_id != NULL) {
		bool is_typing = view->sheet != 0 && t->writing.has_typed;
		return is_typing ? ACTIVITY_TYPING : ACTIVITY_LOOKING;
	}
	return doing_is_choosing_here(t, room) ? ACTIVITY_CHOOSING : ACTIVITY_NOTHING;
}

bool doing_is_choosing(const struct replica *room, const struct user_view *m)
{
	const char *ignored = NULL;
	return !room->room.is_revealed && !replica_hides_voters(room) && !m->has_vote &&
	       m->is_connected && !replica_is_me(room, m) &&
	       replica_doing(room, m->user_id.data, &ignored) == ACTIVITY_CHOOSING;
}

/* What a member who is here does at that story. */
static enum activity doing_there(const struct replica *room, const struct user_view *m,
				 const char *story_id)
{
	const char *at = NULL;
	enum activity doing = replica_doing(room, m->user_id.data, &at);
	bool is_there = at != NULL && strcmp(at, story_id) == 0 && m->username.data != NULL &&
			m->is_connected && !replica_is_me(room, m);
	return is_there ? doing : ACTIVITY_NOTHING;
}

void doing_at_story(const struct tui *t, const struct replica *room, const char *story_id,
		    int cells, char *out, size_t cap)
{
	const struct user_view *first = NULL;
	enum activity what = ACTIVITY_NOTHING;
	size_t n = 0;
	out[0] = '\0';
	for (size_t i = 0; i < room->users.n && room->data.presents.n > 0; i++) {
		enum activity doing = doing_there(room, replica_member_at(room, i), story_id);
		n += doing != ACTIVITY_NOTHING ? 1 : 0;
		if (doing > what) { /* who types is the one to know of */
			first = replica_member_at(room, i);
			what = doing;
		}
	}
	if (first == NULL) {
		return;
	}
	struct slice name = first->username;
	bool is_cut = draw_cells(first->username.data) > cells;
	size_t len = is_cut ? text_fit(name, (size_t)(cells > 1 ? cells - 1 : 0)) : name.len;
	size_t used =
		format_to(out, cap, "%.*s%s%s", (int)len, first->username.data,
			  is_cut ? t->signs->cut : "",
			  what == ACTIVITY_TYPING && cells >= DOING_WORDS_CELLS ? " types" : "");
	if (n > 1) {
		(void)format_to(out + used, cap - used, " +%zu", n - 1);
	}
}
