/*
 * pick_view.c - choosing a member by the arrows: whom to remove, whom to make
 * host, whom to let in.
 */
#include "client/acts/narrate.h"
#include "client/tui/tui_state.h"

static const struct rows *pick_members(struct listing l)
{
	return &l.room->users;
}

/* Not who has left: the seat is kept for a while, without a name. */
static bool pick_has(struct listing l, size_t at)
{
	const struct user_view *m = replica_member_at(l.room, at);
	return (m->username.data != NULL || m->is_connected) &&
	       action_is_for(l.t->pick.action, l.room, m);
}

static const char *pick_name(struct list_cell *c)
{
	return replica_name_of(c->l.room, c->row);
}

static const char *pick_what(struct list_cell *c)
{
	const struct user_view *m = c->row;
	return !m->is_connected ? narrate_away(m, c->l.t->now_ms, c->out)
	       : m->is_waiting	? "waiting"
	       : m->is_bot	? "bot"
	       : m->username.data == NULL || m->role == ROLE_SPECTATOR ? "watching"
								       : "";
}

static const struct column pick_columns[] = {
	{.text = pick_name, .grows = true, .is_found = true},
	{.text = pick_what,
	 .look = STYLE_DIM,
	 .cells = 11,
	 .inside_below = COLUMN_INSIDE,
	 .gap = 2},
};

static int pick_draw_head(const struct tui *t, const struct replica *room, struct grid *g, int y)
{
	enum { FIRST = 2 };
	(void)room, (void)y;
	(void)grid_text(g, 1, 0, STYLE_TITLE, prompt_label(t->pick.action), -1);
	return FIRST;
}

static struct act pick_view_take_key(struct tui *t, const struct replica *room, int32_t key)
{
	if (key != TUI_KEY_ENTER) {
		return tui_act_on_key(t, room, key);
	}
	const struct user_view *m = list_row(tui_listing(t, room, VIEW_PICK));
	t->view = VIEW_ROOM;
	return m == NULL ? (struct act){0} /* all have left meanwhile */
			 : action_run(t, room, t->pick.action, m->user_id.data);
}

const struct view pick_view = {
	.head = pick_draw_head,
	.take_key = pick_view_take_key,
	.rows =
		&(const struct list_rows){
			.rows = pick_members,
			.has = pick_has,
			COLUMNS(pick_columns),
		},
	.footer = "Up Down choose  Enter take",
};
