/*
 * team_view.c - the teams one is in, and the pages of one: its members and its invitations; and
 * an invitation that was made, with its code.
 */
#include "client/tui/actions/action_acts.h"
#include "client/tui/tui_state.h"

#include <string.h>

#include "proto/base/format.h"

enum {
	TEAM_X = 3,
	TEAM_WIDE = 60, /* columns from which on words are not shortened */
	MINUTE_MS = 60 * 1000,
	HOUR_MS = 60 * MINUTE_MS,
	DAY_MS = 24 * HOUR_MS
};

static const struct rows *team_view_rows(struct listing l)
{
	static const struct rows none;
	return l.t->teams == NULL
		       ? &none
		       : teams_rows(l.t->teams, team_list_of((enum view_kind)(l.spot - SPOT_ROW)));
}

/* ---- time ---- */

/* "<1 min", "54 min", "23 h", "6 days" */
static void team_span(int64_t ms, char *out, size_t cap)
{
	if (ms < MINUTE_MS) {
		(void)format_to(out, cap, "<1 min");
	} else if (ms < HOUR_MS) {
		(void)format_to(out, cap, "%lld min", (long long)(ms / MINUTE_MS));
	} else if (ms < 2 * (int64_t)DAY_MS) {
		(void)format_to(out, cap, "%lld h", (long long)(ms / HOUR_MS));
	} else {
		(void)format_to(out, cap, "%lld days", (long long)(ms / DAY_MS));
	}
}

/* What is left of a span that was chosen a moment ago reads as it was chosen. */
static int64_t team_left(int64_t ms)
{
	return ms + MINUTE_MS / 2;
}

int64_t team_changes_in_ms(const struct tui *t)
{
	enum { ROOMS_AGAIN_MS = 15000 };
	bool is_there = t->teams != NULL && t->teams->is_open && t->link == LINK_LIVE;
	enum team_list which = team_list_of(t->view);
	if (is_there && which != TEAM_LISTS_N && t->teams->lists[which].refused[0] != '\0') {
		return feed_wait(&t->teams->lists[which], t->now_ms);
	}
	if (which == TEAM_ROOMS) {
		int64_t ms = ROOMS_AGAIN_MS - (t->now_ms - t->team.rooms_at_ms);
		return !is_there ? -1 : ms < 0 ? 0 : ms;
	}
	return MINUTE_MS - t->now_ms % MINUTE_MS;
}

/* ---- columns ---- */

static const char *team_expiring(struct list_cell *c, const char *group_id,
				 const char *container_id)
{
	size_t n = expiring_count(&c->l.t->teams->expiring, group_id, container_id);
	return n == 0 ? NULL : list_words(c, "%zu expire%s", n, n == 1 ? "s" : "");
}

static const char *teams_expiring(struct list_cell *c)
{
	const struct group_entry *e = c->row;
	return team_expiring(c, e->group_id.data, NULL);
}

/* clang-format off */
static const struct column teams_columns[] = {
	{.field = "group_name", .look = STYLE_STRONG, .grows = true, .is_found = true},
	{.text = teams_expiring, .look = STYLE_WARN, .is_right = true},
	{.field = "role", .look = STYLE_DIM, .is_right = true},
};
/* clang-format on */

static const char *team_rooms_round(struct list_cell *c)
{
	const struct group_room *r = c->row;
	return list_words(c, "round %lld", (long long)r->round);
}

static const char *team_rooms_here(struct list_cell *c)
{
	const struct group_room *r = c->row;
	return list_words(c, r->users == 0 ? "empty" : "%lld here", (long long)r->users);
}

static enum style team_rooms_here_style(const struct list_cell *c)
{
	const struct group_room *r = c->row;
	return r->users == 0 ? STYLE_DIM : STYLE_GOOD;
}

/* clang-format off */
static const struct column team_rooms_columns[] = {
	{.field = "room_id", .look = STYLE_STRONG, .is_found = true},
	{.field = "title", .grows = true, .inside_below = TEAM_WIDE, .gap = 2, .is_found = true},
	{.text = team_rooms_round, .look = STYLE_DIM, .is_right = true, .from_width = TEAM_WIDE},
	{.text = team_rooms_here, .style = team_rooms_here_style, .is_right = true},
};
/* clang-format on */

static const char *backlogs_items(struct list_cell *c)
{
	const struct container_entry *e = c->row;
	return list_words(c, "%lld item%s", (long long)e->items, e->items == 1 ? "" : "s");
}

static const char *backlogs_expiring(struct list_cell *c)
{
	const struct container_entry *e = c->row;
	return team_expiring(c, NULL, e->container_id.data);
}

/* clang-format off */
static const struct column backlogs_columns[] = {
	{.field = "container_name", .look = STYLE_STRONG, .grows = true, .is_found = true},
	{.text = backlogs_expiring, .look = STYLE_WARN, .is_right = true},
	{.text = backlogs_items, .look = STYLE_DIM, .is_right = true},
};
/* clang-format on */

static const char *members_you(struct list_cell *c)
{
	const struct group_user *u = c->row;
	const struct home *home = c->l.t->home;
	return home != NULL && home->name != NULL && strcmp(home->name, u->user_name.data) == 0
		       ? "(you)"
		       : NULL;
}

static enum style members_role_style(const struct list_cell *c)
{
	const struct group_user *u = c->row;
	return u->role == GROUP_OWNER ? STYLE_TEXT : STYLE_DIM;
}

static const char *members_since(struct list_cell *c)
{
	const struct group_user *u = c->row;
	char span[24];
	team_span(c->l.t->now_ms - u->joined_on, span, sizeof(span));
	return c->l.t->now_ms == 0 ? NULL : list_words(c, "for %s", span);
}

/* clang-format off */
static const struct column members_columns[] = {
	{.field = "user_name", .grows = true, .is_found = true},
	{.text = members_you, .look = STYLE_DIM, .cells = 5, .inside_below = COLUMN_INSIDE},
	{.field = "role", .style = members_role_style, .is_right = true, .is_found = true},
	{.text = members_since, .look = STYLE_DIM, .is_right = true, .from_width = TEAM_WIDE},
};
/* clang-format on */

/* How long it is good still, */
static const char *invitations_span(struct list_cell *c)
{
	const struct invitation_view *i = c->row;
	int64_t ms = i->link_expiry_datetime - c->l.t->now_ms;
	char span[24];
	team_span(team_left(ms), span, sizeof(span));
	return ms <= 0 ? "over"
		       : list_words(c, c->width >= TEAM_WIDE ? "valid for %s" : "%s", span);
}

/* for how many, */
static const char *invitations_uses(struct list_cell *c)
{
	const struct invitation_view *i = c->row;
	bool is_wide = c->width >= TEAM_WIDE;
	if (i->uses_left <= 0) {
		return is_wide ? "unlimited uses" : "unlimited";
	}
	return list_words(c,
			  !is_wide	      ? "for %lld"
			  : i->uses_left == 1 ? "%lld use left"
					      : "%lld uses left",
			  (long long)i->uses_left);
}

/* and who made it. */
static const char *invitations_maker(struct list_cell *c)
{
	const struct invitation_view *i = c->row;
	const struct group_user *u = teams_user(c->l.t->teams, i->created_by);
	return list_words(c, "by %s", u == NULL ? "someone" : u->user_name.data);
}

/* clang-format off */
static const struct column invitations_columns[] = {
	{.text = invitations_span},
	{.text = invitations_uses},
	{.text = invitations_maker, .look = STYLE_DIM, .grows = true, .is_right = true, .is_found = true},
};
/* clang-format on */

/* ---- pages ---- */

const char *team_waits(const struct tui *t, char out[TUI_WAITS_BYTES_MAX])
{
	const struct teams *teams = t->teams;
	const struct feed *list = teams == NULL ? NULL : &teams->lists[team_list_of(t->view)];
	if (teams != NULL && list->refused[0] != '\0') {
		(void)format_to(out, TUI_WAITS_BYTES_MAX, "Refused: %s. Retrying soon.",
				list->refused);
		return out;
	}
	if (teams == NULL || t->link != LINK_LIVE) {
		return "Looking for the server";
	}
	if (!teams->is_open) {
		return "Log in to use teams: aye login NAME";
	}
	return list->is_known ? "" : "Loading";
}

/* Its name, and what one is in it; below it the pages there are, this one in brackets. */
static int team_draw_head(const struct tui *t, const struct replica *room, struct grid *g, int y)
{
	static const struct {
		enum view_kind view;
		const char *title;
	} pages[] = {{VIEW_TEAM_ROOMS, "Rooms"},
		     {VIEW_BACKLOGS, "Backlogs"},
		     {VIEW_MEMBERS, "Members"},
		     {VIEW_INVITATIONS, "Invitations"}};
	const struct group_entry *e = t->teams == NULL ? NULL : teams_group(t->teams);
	(void)room;
	const char *role = e == NULL ? "" : words_text(&words_group_role, (int)e->role);
	int role_cells = e == NULL ? 0 : draw_cells(t->signs->dot) + draw_cells(role);
	int x = 1 + draw_cut(g, 1, 0, STYLE_TITLE, e == NULL ? "Team" : e->group_name.data,
			     g->width - 2 - role_cells, t->signs);
	if (e != NULL) {
		x += grid_text(g, x, 0, STYLE_DIM, t->signs->dot, -1);
		(void)grid_text(g, x, 0, STYLE_DIM, role, -1);
	}
	x = 1;
	for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++) {
		bool is_here = pages[i].view == t->view;
		char title[24];
		(void)format_to(title, sizeof(title), is_here ? "[%s]" : " %s ", pages[i].title);
		x += grid_text(g, x, y, is_here ? STYLE_STRONG : STYLE_DIM, title, -1);
	}
	return 2 * y;
}

static bool teams_has_more(const struct tui *t)
{
	return t->teams->lists[TEAM_GROUPS].has_more;
}

/* In a room: those of its team. */
static int sources_draw_head(const struct tui *t, const struct replica *room, struct grid *g, int y)
{
	const struct group_entry *e = t->teams == NULL ? NULL : teams_group(t->teams);
	int x = 1 + draw_cells("Backlogs");
	(void)room;
	if (e != NULL) {
		x += grid_text(g, x, 0, STYLE_DIM, t->signs->dot, -1);
		(void)draw_cut(g, x, 0, STYLE_DIM, e->group_name.data, g->width - x - 1, t->signs);
	}
	return y;
}

static struct act team_page_take_key(struct tui *t, const struct replica *room, int32_t key)
{
	if (key == TUI_KEY_ESCAPE && t->home != NULL && t->home->is_entering) {
		return (struct act){.local = LOCAL_STAY};
	}
	if (key == TUI_KEY_LEFT || key == TUI_KEY_RIGHT) {
		team_go_aside(t, key == TUI_KEY_LEFT ? -1 : 1);
		return (struct act){0};
	}
	return tui_act_on_key(t, room, key);
}

static bool backlogs_is_done(const struct rows *rows, size_t at)
{
	const struct container_entry *c = rows->items[at];
	return c->with_unestimated && c->unestimated == 0;
}

/* Those that are known to have nothing to estimate come after all others. */
static const void *backlogs_row(struct listing l, size_t at)
{
	const struct rows *rows = teams_rows(l.t->teams, TEAM_CONTAINERS);
	size_t done = 0;
	for (size_t i = 0; i < rows->n; i++) {
		done += backlogs_is_done(rows, i);
	}
	bool is_behind = at >= rows->n - done;
	size_t nth = is_behind ? at - (rows->n - done) : at;
	size_t i = 0;
	while (backlogs_is_done(rows, i) != is_behind || nth-- > 0) {
		i++;
	}
	return rows->items[i];
}

/* A page of teams; from so many cells on wider lines are hard to follow. */
#define TEAM_LIST(columns, row_of)                                                            \
	.waits = team_waits, .changes_in_ms = team_changes_in_ms,                             \
	.rows = &(const struct list_rows)                                                     \
	{                                                                                     \
		.rows = team_view_rows, .row = (row_of), .cells_most = 107, COLUMNS(columns), \
	}
/* clang-format off */
const struct view teams_view = {
	.is_over = true,
	.title = "Teams",
	.pastes = ACTION_TEAM_JOIN,
	.has_more = teams_has_more,
	.empty = "No teams yet. A team keeps rooms, backlogs and rules between sessions. Press a "
		 "to create one, j to join one.",
	.team_lists = {1 + TEAM_GROUPS},
	TEAM_LIST(teams_columns, NULL),
};
const struct view team_rooms_view = {
	.head = team_draw_head,
	.empty = "No rooms yet. Press a to create one for the team.",
	.parent = VIEW_TEAMS,
	.take_key = team_page_take_key,
	.team_lists = {1 + TEAM_ROOMS, 1 + TEAM_GROUPS},
	TEAM_LIST(team_rooms_columns, NULL),
};
const struct view backlogs_view = {
	.head = team_draw_head,
	.empty = "No backlogs. Press a to create one.",
	.parent = VIEW_TEAMS,
	.take_key = team_page_take_key,
	.team_lists = {1 + TEAM_CONTAINERS, 1 + TEAM_GROUPS},
	TEAM_LIST(backlogs_columns, backlogs_row),
};
const struct view sources_view = {
	.title = "Backlogs",
	.parent = VIEW_STORIES,
	.head = sources_draw_head,
	.empty = "The team has no backlogs. Press T, then a on its page to create one.",
	.team_lists = {1 + TEAM_CONTAINERS, 1 + TEAM_GROUPS},
	TEAM_LIST(backlogs_columns, backlogs_row),
};
const struct view members_view = {
	.head = team_draw_head,
	.empty = "No members.",
	.parent = VIEW_TEAMS,
	.take_key = team_page_take_key,
	.team_lists = {1 + TEAM_USERS, 1 + TEAM_GROUPS},
	TEAM_LIST(members_columns, NULL),
};
const struct view invitations_view = {
	.head = team_draw_head,
	.empty = "No invitations. Press I to create one.",
	.parent = VIEW_TEAMS,
	.take_key = team_page_take_key,
	.team_lists = {1 + TEAM_INVITATIONS, 1 + TEAM_USERS, 1 + TEAM_GROUPS},
	TEAM_LIST(invitations_columns, NULL),
};
/* clang-format on */

/* ---- the invitation that was made ---- */

static void invited_view_draw(const struct tui *t, const struct replica *room, struct grid *g,
			      int height)
{
	const struct team_made *made = t->teams == NULL ? NULL : &t->teams->made;
	bool is_roomy = g->height >= DRAW_ROOMY;
	int cells = g->width - TEAM_X - 1;
	char line[INVITE_LINE_BYTES_MAX + 1];
	char span[24];
	int y = draw_title(g, "An invitation");
	(void)room, (void)height;
	if (made == NULL || made->code[0] == '\0') {
		(void)draw_wrapped(g, TEAM_X, y, STYLE_WARN,
				   "The server sent an invalid invitation code.", cells);
		return;
	}
	y += draw_wrapped(g, TEAM_X, y, STYLE_TEXT, "Send this command to new members:", cells);
	y += is_roomy ? 1 : 0;
	team_line(t, line);
	y += draw_command(g, TEAM_X, y, line);
	y += is_roomy ? 1 : 0;
	team_span(team_left(made->ends_at - t->now_ms), span, sizeof(span));
	(void)format_to(line, sizeof(line), "Valid for %s. Copy it now: it is not shown again.",
			span);
	y += draw_wrapped(g, TEAM_X, y, STYLE_TEXT, line, cells);
	if (t->share.place.is_own && t->share.place.n == 0) {
		(void)draw_wrapped(
			g, TEAM_X, y, STYLE_WARN,
			"Only you can reach your own server. To open it to others: aye serve.",
			cells);
	}
}

static void invited_leave(struct tui *t)
{
	teams_forget_made(t->teams);
}

const struct view invited_view = {
	.draw = invited_view_draw,
	.parent = VIEW_INVITATIONS,
	.leave = invited_leave,
	.changes_in_ms = team_changes_in_ms,
};
