/*
 * pick_view.c - choosing a member by the arrows: whom to remove, whom to make
 * host, whom to let in.
 */
#include "client/tui/tui_state.h"

static bool pick_is_meant(enum action a, const struct replica *room, const struct user_view *m)
{
	if (action_rows[a].takes == TAKES_WAITING) {
		return m->is_waiting;
	}
	if (a == ACTION_UNHOST) {
		return m->is_host;
	}
	return !tui_is_me(room, m) && (a != ACTION_COHOST || !(m->is_host || m->is_waiting));
}

/* The nth member who is meant, or NULL. */
static const struct user_view *pick_member(const struct tui *t, const struct replica *room,
					   size_t nth)
{
	for (size_t i = 0; i < room->users.n; i++) {
		if (pick_is_meant(t->pick_action, room, replica_member_at(room, i)) && nth-- == 0) {
			return replica_member_at(room, i);
		}
	}
	return NULL;
}

static size_t pick_count(const struct tui *t, const struct replica *room)
{
	size_t n = 0;
	for (size_t i = 0; i < room->users.n; i++) {
		n += pick_is_meant(t->pick_action, room, replica_member_at(room, i)) ? 1 : 0;
	}
	return n;
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

static void pick_view_draw(struct tui *t, const struct replica *room, struct grid *g, int height)
{
	enum { NAME_X = 4, WHAT_CELLS = 10 };
	int first = 2;
	size_t n = pick_count(t, room);
	size_t shown = height > first ? (size_t)(height - first) : 0;
	t->pick_at = n == 0 ? 0 : t->pick_at >= n ? n - 1 : t->pick_at;
	(void)grid_text(g, 1, 0, STYLE_TITLE, talk_label(t->pick_action), -1);
	if (shown == 0) {
		return;
	}
	size_t top = t->pick_at < shown ? 0 : t->pick_at - shown + 1;
	for (size_t i = 0; i < shown && top + i < n; i++) {
		const struct user_view *m = pick_member(t, room, top + i);
		int y = first + (int)i;
		bool has_focus = top + i == t->pick_at;
		int width = g->width - NAME_X - WHAT_CELLS;
		int used = draw_cut(g, NAME_X, y, has_focus ? STYLE_CHOSEN : STYLE_TEXT,
				    tui_name_of(room, m), width, t->signs);
		(void)grid_text(g, NAME_X + used + 2, y, STYLE_DIM, pick_what(m), -1);
		if (has_focus) {
			(void)grid_text(g, 2, y, STYLE_STRONG, ">", -1);
			grid_cursor(g, NAME_X, y);
		}
		grid_mark(g, 0, y, g->width, 1,
			  (struct spot){SPOT_ROW, mouse_which(m->user_id.data)});
	}
}

static struct act pick_view_take_key(struct tui *t, const struct replica *room, int32_t key)
{
	const struct user_view *m;

	switch (key) {
	case TUI_KEY_UP:
		t->pick_at -= t->pick_at > 0 ? 1 : 0;
		break;
	case TUI_KEY_DOWN:
		t->pick_at += t->pick_at + 1 < pick_count(t, room) ? 1 : 0;
		break;
	case TUI_KEY_ESCAPE:
	case 'q':
		t->view = VIEW_ROOM;
		break;
	case TUI_KEY_ENTER:
		t->view = VIEW_ROOM;
		m = pick_member(t, room, t->pick_at);
		if (m != NULL) {
			return action_run(t, room, t->pick_action, m->user_id.data);
		}
		break;
	}
	return (struct act){0};
}

static bool pick_view_focus(struct tui *t, const struct replica *room, uint32_t which)
{
	size_t n = pick_count(t, room);
	for (size_t i = 0; i < n; i++) {
		if (mouse_which(pick_member(t, room, i)->user_id.data) == which) {
			t->pick_at = i;
			return true;
		}
	}
	return false;
}

const struct view pick_view = {
	.focus = pick_view_focus,
	.draw = pick_view_draw,
	.take_key = pick_view_take_key,
	.footer = "Up Down choose  Enter take  Esc back",
};
