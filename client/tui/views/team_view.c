/*
 * team_view.c - the teams one is in, and the pages of one: its members and its invitations; and
 * an invitation that was made, with its code.
 */
#include "client/tui/action_acts.h"
#include "client/tui/tui_state.h"

#include <string.h>

#include "proto/format.h"

enum {
	TEAM_X = 3,
	TEAM_WIDE = 60,	       /* columns from which on words are not shortened */
	TEAM_CELLS_MOST = 110, /* wider lines are hard to follow */
	TEAM_ROLE_CELLS = 8,
	TEAM_EXPIRING_CELLS = 11,
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

static int team_end(const struct grid *g)
{
	return g->width - 1 < TEAM_CELLS_MOST ? g->width - 1 : TEAM_CELLS_MOST;
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
	bool tells_time = t->view == VIEW_INVITATIONS || t->view == VIEW_INVITED;
	bool is_there = t->teams != NULL && t->teams->is_open && t->link == LINK_LIVE;
	enum team_list which = team_list_of(t->view);
	if (is_there && which != TEAM_LISTS_N && t->teams->lists[which].refused[0] != '\0') {
		return paged_wait(&t->teams->lists[which], t->now_ms);
	}
	if (t->view == VIEW_TEAM_ROOMS) {
		int64_t ms = ROOMS_AGAIN_MS - (t->now_ms - t->team_rooms_at_ms);
		return !is_there ? -1 : ms < 0 ? 0 : ms;
	}
	return tells_time ? MINUTE_MS - t->now_ms % MINUTE_MS : -1;
}

/* ---- rows ---- */

/* "2 expire", before what stands at the end of the line. */
static void team_draw_expiring(struct grid *g, int end, int y, size_t n)
{
	char line[32];
	if (n > 0) {
		(void)format_to(line, sizeof(line), "%zu expire%s", n, n == 1 ? "s" : "");
		(void)draw_right(g, end, y, STYLE_WARN, line);
	}
}

static size_t team_count(struct listing l)
{
	return team_view_rows(l)->n;
}

static uint64_t team_key(struct listing l, size_t at)
{
	const struct rows *rows = team_view_rows(l);
	struct slice id;
	memcpy(&id, field_member(rows->key, rows->items[at]), sizeof(id));
	return list_key(id.data);
}

static bool teams_shows(struct listing l, size_t at, const char *filter)
{
	const struct group_entry *g = team_view_rows(l)->items[at];
	return list_matches(g->group_name.data, filter);
}

static void teams_draw_one(struct listing l, struct grid *g, int y, size_t at, bool has_cursor)
{
	const struct group_entry *e = team_view_rows(l)->items[at];
	int end = team_end(g);
	(void)draw_right(g, end, y, STYLE_DIM, words_text(&words_group_role, (int)e->role));
	size_t n = expiring_count(&l.t->teams->expiring, e->group_id.data, NULL);
	team_draw_expiring(g, end - TEAM_ROLE_CELLS, y, n);
	(void)draw_cut(g, TEAM_X, y, has_cursor ? STYLE_CHOSEN : STYLE_STRONG, e->group_name.data,
		       end - TEAM_ROLE_CELLS - (n > 0 ? TEAM_EXPIRING_CELLS : 0) - TEAM_X,
		       l.t->signs);
}

static bool team_rooms_shows(struct listing l, size_t at, const char *filter)
{
	const struct group_room *r = team_view_rows(l)->items[at];
	return list_matches(r->room_id.data, filter) || list_matches(r->title.data, filter);
}

/* Its code and title, and how many are there now. */
static void team_rooms_draw_one(struct listing l, struct grid *g, int y, size_t at, bool has_cursor)
{
	enum { HERE_CELLS = 12, HERE_CELLS_SHORT = 9, ROUND_CELLS = 10 };
	const struct group_room *r = team_view_rows(l)->items[at];
	bool is_wide = g->width >= TEAM_WIDE;
	int end = team_end(g);
	char line[32];
	(void)format_to(line, sizeof(line), r->users == 0 ? "empty" : "%lld here",
			(long long)r->users);
	(void)draw_right(g, end, y, r->users == 0 ? STYLE_DIM : STYLE_GOOD, line);
	end -= is_wide ? HERE_CELLS : HERE_CELLS_SHORT;
	if (is_wide) {
		(void)format_to(line, sizeof(line), "round %lld", (long long)r->round);
		(void)draw_right(g, end, y, STYLE_DIM, line);
		end -= ROUND_CELLS;
	}
	int x = TEAM_X + 2 +
		grid_text(g, TEAM_X, y, has_cursor ? STYLE_CHOSEN : STYLE_STRONG, r->room_id.data,
			  -1);
	if (r->title.data != NULL) {
		(void)draw_cut(g, x, y, STYLE_TEXT, r->title.data, end - x, l.t->signs);
	}
}

static bool backlogs_shows(struct listing l, size_t at, const char *filter)
{
	const struct container_entry *c = team_view_rows(l)->items[at];
	return list_matches(c->container_name.data, filter);
}

static void backlogs_draw_one(struct listing l, struct grid *g, int y, size_t at, bool has_cursor)
{
	enum { ITEMS_CELLS = 14 };
	const struct container_entry *c = team_view_rows(l)->items[at];
	char line[32];
	int end = team_end(g);
	(void)format_to(line, sizeof(line), "%lld item%s", (long long)c->items,
			c->items == 1 ? "" : "s");
	(void)draw_right(g, end, y, STYLE_DIM, line);
	size_t n = expiring_count(&l.t->teams->expiring, NULL, c->container_id.data);
	team_draw_expiring(g, end - ITEMS_CELLS, y, n);
	(void)draw_cut(g, TEAM_X, y, has_cursor ? STYLE_CHOSEN : STYLE_STRONG,
		       c->container_name.data,
		       end - ITEMS_CELLS - (n > 0 ? TEAM_EXPIRING_CELLS : 0) - TEAM_X, l.t->signs);
}

static bool members_shows(struct listing l, size_t at, const char *filter)
{
	const struct group_user *u = team_view_rows(l)->items[at];
	return list_matches(u->user_name.data, filter) ||
	       list_matches(words_text(&words_group_role, (int)u->role), filter);
}

static void members_draw_one(struct listing l, struct grid *g, int y, size_t at, bool has_cursor)
{
	enum { SINCE_CELLS = 18 };
	const struct group_user *u = team_view_rows(l)->items[at];
	bool is_me = l.t->home != NULL && l.t->home->name != NULL &&
		     strcmp(l.t->home->name, u->user_name.data) == 0;
	int end = team_end(g);
	bool is_owner = u->role == GROUP_OWNER;
	char line[64];
	char span[24];
	team_span(l.t->now_ms - u->joined_on, span, sizeof(span));
	(void)format_to(line, sizeof(line), "for %s", span);
	int name_end = end;
	if (g->width >= TEAM_WIDE && l.t->now_ms > 0) {
		(void)draw_right(g, end, y, STYLE_DIM, line);
		name_end -= SINCE_CELLS;
	}
	(void)draw_right(g, name_end, y, is_owner ? STYLE_TEXT : STYLE_DIM,
			 words_text(&words_group_role, (int)u->role));
	int x = TEAM_X + draw_cut(g, TEAM_X, y, has_cursor ? STYLE_CHOSEN : STYLE_TEXT,
				  u->user_name.data, name_end - TEAM_ROLE_CELLS - 6 - TEAM_X,
				  l.t->signs);
	if (is_me) {
		(void)grid_text(g, x + 1, y, STYLE_DIM, "(you)", -1);
	}
}

static const char *invitations_maker(const struct tui *t, const struct invitation_view *i)
{
	const struct group_user *u = teams_user(t->teams, i->created_by);
	return u == NULL ? "somebody" : u->user_name.data;
}

static bool invitations_shows(struct listing l, size_t at, const char *filter)
{
	return list_matches(invitations_maker(l.t, team_view_rows(l)->items[at]), filter);
}

/* How long it is good still, and for how many. */
static void invitations_draw_one(struct listing l, struct grid *g, int y, size_t at,
				 bool has_cursor)
{
	enum { SPAN_CELLS = 20, SPAN_CELLS_SHORT = 10 };
	const struct invitation_view *i = team_view_rows(l)->items[at];
	bool is_wide = g->width >= TEAM_WIDE;
	int64_t ms = i->link_expiry_datetime - l.t->now_ms;
	char span[24];
	char line[64];
	team_span(team_left(ms), span, sizeof(span));
	(void)format_to(line, sizeof(line), "%s%s",
			ms <= 0	  ? "over"
			: is_wide ? "good for "
				  : "",
			ms <= 0 ? "" : span);
	(void)grid_text(g, TEAM_X, y, has_cursor ? STYLE_CHOSEN : STYLE_TEXT, line, -1);
	int x = TEAM_X + (is_wide ? SPAN_CELLS : SPAN_CELLS_SHORT);
	if (i->uses_left > 0) {
		(void)format_to(line, sizeof(line), is_wide ? "lets %lld more in" : "for %lld",
				(long long)i->uses_left);
	} else {
		(void)format_to(line, sizeof(line), is_wide ? "lets anybody in" : "for any");
	}
	x += grid_text(g, x, y, STYLE_TEXT, line, -1) + 2;
	(void)format_to(line, sizeof(line), "by %s", invitations_maker(l.t, i));
	int cells = draw_cells(line) < team_end(g) - x ? draw_cells(line) : team_end(g) - x;
	(void)draw_cut(g, team_end(g) - cells, y, STYLE_DIM, line, cells, l.t->signs);
}

/* ---- pages ---- */

/* Why there is no list. */
static const char *team_nothing(const struct tui *t, enum view_kind view)
{
	const struct teams *teams = t->teams;
	if (teams == NULL || t->link != LINK_LIVE) {
		return "Looking for the server";
	}
	if (!teams->is_open) {
		return "Teams are for who is logged in: aye login NAME, then come back";
	}
	if (!teams->lists[team_list_of(view)].is_known) {
		return "Asking for them";
	}
	if (view == VIEW_BACKLOG) {
		return "Nothing is in it yet. a adds an item.";
	}
	if (view == VIEW_TEAM_ROOMS) {
		return "This team has no room. n makes one, where its members go in as they are.";
	}
	if (view == VIEW_BACKLOGS || view == VIEW_SOURCES) {
		return "This team has no backlog. n makes one.";
	}
	return view == VIEW_TEAMS ? "You are in no team yet. n makes one; j joins one by the code "
				    "you were sent."
	       : view == VIEW_INVITATIONS
		       ? "No invitation is open. i makes one: a line to send to who shall join."
		       : "Nobody is here.";
}

void team_draw_list(struct tui *t, const struct replica *room, struct grid *g, int y, int height)
{
	enum team_list which = team_list_of(t->view);
	if (t->teams == NULL || teams_rows(t->teams, which)->n == 0) {
		const char *refused = t->teams == NULL ? "" : t->teams->lists[which].refused;
		char line[PAGED_REFUSED_BYTES_MAX + 64];
		(void)format_to(line, sizeof(line),
				"Refused: %s. It is asked for again in a while.", refused);
		(void)draw_wrapped(g, TEAM_X, y, STYLE_DIM,
				   refused[0] != '\0' ? line : team_nothing(t, t->view),
				   g->width - TEAM_X - 1);
		return;
	}
	struct listing l = tui_listing(t, room, t->view);
	list_draw(l, g, y, height - y, true);
	/* The next page, before one comes to the last row. */
	if (list_at(l) + (size_t)height >= teams_rows(t->teams, which)->n) {
		paged_more(&t->teams->lists[which]);
	}
}

/* Its name, and what one is in it; below it the pages there are, this one in brackets. */
static int team_draw_head(const struct tui *t, struct grid *g)
{
	static const struct {
		enum view_kind view;
		const char *title;
	} pages[] = {{VIEW_TEAM_ROOMS, "Rooms"},
		     {VIEW_BACKLOGS, "Backlogs"},
		     {VIEW_MEMBERS, "Members"},
		     {VIEW_INVITATIONS, "Invitations"}};
	const struct group_entry *e = t->teams == NULL ? NULL : teams_group(t->teams);
	bool is_roomy = g->height >= DRAW_ROOMY;
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
		x += grid_text(g, x, is_roomy ? 2 : 1, is_here ? STYLE_STRONG : STYLE_DIM, title,
			       -1);
	}
	return is_roomy ? 4 : 2;
}

static void teams_view_draw(struct tui *t, const struct replica *room, struct grid *g, int height)
{
	char line[48];
	int y = draw_title(g, "Teams");
	if (t->teams != NULL && teams_rows(t->teams, TEAM_GROUPS)->n > 0) {
		(void)format_to(line, sizeof(line), "%s%zu%s", t->signs->dot,
				teams_rows(t->teams, TEAM_GROUPS)->n,
				t->teams->lists[TEAM_GROUPS].has_more ? " and more" : "");
		(void)grid_text(g, 6, 0, STYLE_DIM, line, -1);
	}
	team_draw_list(t, room, g, y, height);
}

static void team_page_draw(struct tui *t, const struct replica *room, struct grid *g, int height)
{
	team_draw_list(t, room, g, team_draw_head(t, g), height);
}

/* In a room: those of its team. */
static void sources_view_draw(struct tui *t, const struct replica *room, struct grid *g, int height)
{
	const struct group_entry *e = t->teams == NULL ? NULL : teams_group(t->teams);
	int y = draw_title(g, "Backlogs");
	int x = 1 + draw_cells("Backlogs");
	if (e != NULL) {
		x += grid_text(g, x, 0, STYLE_DIM, t->signs->dot, -1);
		(void)draw_cut(g, x, 0, STYLE_DIM, e->group_name.data, g->width - x - 1, t->signs);
	}
	team_draw_list(t, room, g, y, height);
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

#define TEAM_ROWS(symbol)                                    \
	static const struct list_rows symbol##_list_rows = { \
		.count = team_count,                         \
		.shows = symbol##_shows,                     \
		.key = team_key,                             \
		.draw = symbol##_draw_one,                   \
		.sign_x = 1,                                 \
		.cursor_x = TEAM_X,                          \
	}
TEAM_ROWS(teams);
TEAM_ROWS(team_rooms);
TEAM_ROWS(backlogs);
TEAM_ROWS(members);
TEAM_ROWS(invitations);
#undef TEAM_ROWS

const struct view teams_view = {.draw = teams_view_draw, .rows = &teams_list_rows};
const struct view team_rooms_view = {
	.draw = team_page_draw,
	.take_key = team_page_take_key,
	.rows = &team_rooms_list_rows,
};
const struct view backlogs_view = {
	.draw = team_page_draw,
	.take_key = team_page_take_key,
	.rows = &backlogs_list_rows,
};
const struct view sources_view = {.draw = sources_view_draw, .rows = &backlogs_list_rows};
const struct view members_view = {
	.draw = team_page_draw,
	.take_key = team_page_take_key,
	.rows = &members_list_rows,
};
const struct view invitations_view = {
	.draw = team_page_draw,
	.take_key = team_page_take_key,
	.rows = &invitations_list_rows,
};

/* ---- the invitation that was made ---- */

static void invited_view_draw(struct tui *t, const struct replica *room, struct grid *g, int height)
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
				   "The server told no code of an invitation's form.", cells);
		return;
	}
	y += draw_wrapped(g, TEAM_X, y, STYLE_TEXT, "Send this line to who shall join:", cells);
	y += is_roomy ? 1 : 0;
	team_line(t, line);
	y += draw_wrapped(g, TEAM_X, y, STYLE_STRONG, line, cells);
	y += is_roomy ? 1 : 0;
	team_span(team_left(made->ends_at - t->now_ms), span, sizeof(span));
	(void)format_to(line, sizeof(line),
			"It is good for %s. The code is shown now, and never again.", span);
	y += draw_wrapped(g, TEAM_X, y, STYLE_TEXT, line, cells);
	if (t->place.is_own && t->place.n == 0) {
		(void)draw_wrapped(g, TEAM_X, y, STYLE_WARN,
				   "Your own server is reached by you alone: aye serve lets others "
				   "in.",
				   cells);
	}
}

const struct view invited_view = {.draw = invited_view_draw};
