/*
 * pick_view.c - choosing a member by the arrows: whom to remove, whom to make
 * host, whom to let in.
 */
#include "client/tui/tui_state.h"

enum { PICK_NAME_X = 4 };

static size_t pick_count(struct listing l)
{
	return l.room->users.n;
}

static bool pick_shows(struct listing l, size_t at, const char *filter)
{
	const struct user_view *m = replica_member_at(l.room, at);
	return action_is_for(l.t->pick.action, l.room, m) &&
	       list_matches(tui_name_of(l.room, m), filter);
}

static uint64_t pick_key(struct listing l, size_t at)
{
	return list_key(replica_member_at(l.room, at)->user_id.data);
}

static const char *pick_what(const struct user_view *m)
{
	if (!m->is_connected) {
		return "away";
	}
	if (m->is_waiting) {
		return "waiting";
	}
	if (m->is_bot) {
		return "bot";
	}
	return m->username.data == NULL || m->role == ROLE_SPECTATOR ? "watching" : "";
}

static void pick_draw_one(struct listing l, struct grid *g, int y, size_t at, bool has_cursor)
{
	enum { WHAT_CELLS = 10 };
	const struct user_view *m = replica_member_at(l.room, at);
	int used =
		draw_cut(g, PICK_NAME_X, y, has_cursor ? STYLE_CHOSEN : STYLE_TEXT,
			 tui_name_of(l.room, m), g->width - PICK_NAME_X - WHAT_CELLS, l.t->signs);
	(void)grid_text(g, PICK_NAME_X + used + 2, y, STYLE_DIM, pick_what(m), -1);
}

static const struct list_rows pick_rows = {
	.count = pick_count,
	.shows = pick_shows,
	.key = pick_key,
	.draw = pick_draw_one,
	.sign_x = 2,
	.cursor_x = PICK_NAME_X,
};

static void pick_view_draw(struct tui *t, const struct replica *room, struct grid *g, int height)
{
	enum { FIRST = 2 };
	(void)grid_text(g, 1, 0, STYLE_TITLE, prompt_label(t->pick.action), -1);
	list_draw(tui_listing(t, room, VIEW_PICK), g, FIRST, height - FIRST, true);
}

static struct act pick_view_take_key(struct tui *t, const struct replica *room, int32_t key)
{
	if (key != TUI_KEY_ENTER) {
		return tui_act_on_key(t, room, key);
	}
	struct listing l = tui_listing(t, room, VIEW_PICK);
	size_t at = list_at(l);
	t->view = VIEW_ROOM;
	if (at >= room->users.n || !pick_shows(l, at, "")) {
		return (struct act){0}; /* all have left meanwhile */
	}
	return action_run(t, room, t->pick.action, replica_member_at(room, at)->user_id.data);
}

const struct view pick_view = {
	.draw = pick_view_draw,
	.take_key = pick_view_take_key,
	.rows = &pick_rows,
	.footer = "Up Down choose  Enter take",
};
