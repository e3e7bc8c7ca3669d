/*
 * home_view.c - home: who one is, where rooms are made, and the rooms one was
 * in, the one used last first.
 */
#include "client/tui/tui_state.h"

#include "proto/format.h"

enum {
	HOME_WIDE = 60,	       /* columns from which names and long ages have their place */
	HOME_CELLS_MOST = 110, /* wider lines are hard to follow */
	HOME_CODE_X = 4,
	MINUTE_MS = 60 * 1000,
	HOUR_MS = 60 * MINUTE_MS,
	DAY_MS = 24 * HOUR_MS
};

/* ---- how long ago ---- */

static void home_age(int64_t now_ms, int64_t then_ms, bool is_wide, char *out, size_t cap)
{
	int64_t age_ms = now_ms - then_ms;
	const char *ago = is_wide ? " ago" : "";
	out[0] = '\0';
	if (now_ms == 0) {
		return;
	}
	if (age_ms < MINUTE_MS) {
		(void)format_to(out, cap, "just now");
	} else if (age_ms < HOUR_MS) {
		(void)format_to(out, cap, "%lld min%s", (long long)(age_ms / MINUTE_MS), ago);
	} else if (age_ms < DAY_MS) {
		(void)format_to(out, cap, "%lld h%s", (long long)(age_ms / HOUR_MS), ago);
	} else if (age_ms < 2 * (int64_t)DAY_MS) {
		(void)format_to(out, cap, "yesterday");
	} else {
		(void)format_to(out, cap, "%lld days%s", (long long)(age_ms / DAY_MS), ago);
	}
}

int64_t home_changes_in_ms(const struct tui *t)
{
	int64_t next = -1;
	for (size_t i = 0; i < t->home->recent->n; i++) {
		int64_t age_ms = t->now_ms - t->home->recent->rooms[i].used_at_ms;
		age_ms = age_ms < 0 ? 0 : age_ms;
		int64_t step = age_ms < HOUR_MS ? MINUTE_MS : age_ms < DAY_MS ? HOUR_MS : DAY_MS;
		int64_t left = step - age_ms % step;
		next = next < 0 || left < next ? left : next;
	}
	return next;
}

/* ---- the lines above the list ---- */

static void home_draw_header(const struct tui *t, struct grid *g)
{
	int x = 1 + grid_text(g, 1, 0, STYLE_TITLE, "aye", -1);
	x += grid_text(g, x, 0, STYLE_DIM, t->signs->dot, -1);
	(void)grid_text(g, x, 0, STYLE_STRONG, "Home", -1);
	(void)room_view_draw_link(t, g, "no server");
}

/* Who one is, and where. */
static void home_draw_person(const struct tui *t, struct grid *g, int y)
{
	const struct home *home = t->home;
	int x = 1;
	int end = g->width - 1;
	if (home->name == NULL || home->name[0] == '\0') {
		x += grid_text(g, x, y, STYLE_TEXT, "You have no name yet: n takes one", end - x);
	} else {
		x += grid_text(g, x, y, STYLE_DIM,
			       home->is_signed_in ? "Logged in as " : "You are ", -1);
		x += draw_cut(g, x, y, STYLE_STRONG, home->name, end - x, t->signs);
	}
	if (home->server[0] != '\0' && x + 4 < end) {
		x += grid_text(g, x, y, STYLE_DIM, t->signs->dot, -1);
		(void)draw_cut(g, x, y, STYLE_DIM, home->server, end - x, t->signs);
	}
}

/* "2 questions wait, i opens them"; how many rows that takes. */
static int home_draw_waiting(const struct tui *t, struct grid *g, int y)
{
	const struct inbox *in = t->home->inbox;
	size_t n = in == NULL ? 0 : inbox_waiting(in);
	char line[64];
	if (n == 0) {
		return 0;
	}
	(void)format_to(line, sizeof(line), "%zu%s %s", n,
			in->lists[INBOX_WAITING].has_more ? " and more" : "",
			n == 1 ? "question waits, i opens it" : "questions wait, i opens them");
	int cells = draw_cut(g, 1, y, STYLE_WARN, line, g->width - 2, t->signs);
	mouse_mark_key(g, 1, y, cells, action_rows[ACTION_INBOX].key);
	return 1;
}

/* "3 items expire this week: press t"; how many rows that takes. */
static int home_draw_expiring(const struct tui *t, struct grid *g, int y)
{
	size_t n = t->teams == NULL ? 0 : expiring_count(&t->teams->expiring, NULL, NULL);
	char line[64];
	if (n == 0) {
		return 0;
	}
	(void)format_to(line, sizeof(line), "%zu item%s this week: press t", n,
			n == 1 ? " expires" : "s expire");
	int cells = draw_cut(g, 1, y, STYLE_WARN, line, g->width - 2, t->signs);
	mouse_mark_key(g, 1, y, cells, action_rows[ACTION_TEAMS].key);
	return 1;
}

/* ---- the list ---- */

/* Titles begin in one column, where there is room for columns. */
static int home_code_cells(const struct grid *g, const struct recent_rooms *recent, size_t at)
{
	if (g->width < HOME_WIDE) {
		return draw_cells(recent->rooms[at].room_id);
	}
	int most = CODE_CHARS;
	for (size_t i = 0; i < recent->n; i++) {
		int cells = draw_cells(recent->rooms[i].room_id);
		most = cells > most ? cells : most;
	}
	return most;
}

/* What stands at the end of the line: when, or that it is no more. Returns where it begins. */
static int home_draw_when(const struct tui *t, struct grid *g, int y, int end,
			  const struct recent_room *room)
{
	enum { AGE_CELLS = 14, AGE_CELLS_LEAST = 10 };
	bool is_wide = g->width >= HOME_WIDE;
	char age[40];
	home_age(t->now_ms, room->used_at_ms, is_wide, age, sizeof(age));
	(void)draw_right(g, end, y, room->is_gone ? STYLE_WARN : STYLE_DIM,
			 room->is_gone ? "not found" : age);
	return end - (is_wide ? AGE_CELLS : AGE_CELLS_LEAST);
}

static int home_draw_name(const struct tui *t, struct grid *g, int y, int end,
			  const struct recent_room *room)
{
	enum { NAME_CELLS = 16 };
	if (g->width < HOME_WIDE) {
		return end;
	}
	(void)draw_cut(g, end - NAME_CELLS, y, STYLE_DIM, room->name, NAME_CELLS - 2, t->signs);
	return end - NAME_CELLS;
}

/* The title, that one hosts, and the server where that is not home's. */
static void home_draw_title(const struct tui *t, struct grid *g, int y, int x, int end,
			    const struct recent_room *room)
{
	enum { ELSEWHERE_LEAST = 12 };
	x += draw_cut(g, x, y, STYLE_TEXT, room->title, end - x - 2, t->signs);
	if (room->is_host && x + 3 < end) {
		x += grid_text(g, x + (room->title[0] != '\0' ? 1 : 0), y, STYLE_TEXT,
			       t->signs->host, -1) +
		     1;
	}
	if (room->is_elsewhere && end - x > ELSEWHERE_LEAST) {
		x += grid_text(g, x + 1, y, STYLE_DIM, "on ", -1) + 1;
		(void)draw_cut(g, x, y, STYLE_DIM, room->server, end - x - 1, t->signs);
	}
}

static size_t home_count(struct listing l)
{
	return l.t->home->recent->n;
}

static bool home_shows(struct listing l, size_t at, const char *filter)
{
	const struct recent_room *r = &l.t->home->recent->rooms[at];
	return list_matches(r->room_id, filter) || list_matches(r->title, filter);
}

/* The same code may be that of rooms on two servers. */
static uint64_t home_key(struct listing l, size_t at)
{
	const struct recent_room *r = &l.t->home->recent->rooms[at];
	return list_key(r->room_id) ^ (list_key(r->server) << 1);
}

static void home_draw_one(struct listing l, struct grid *g, int y, size_t at, bool has_cursor)
{
	const struct recent_room *r = &l.t->home->recent->rooms[at];
	int end = g->width - 1 < HOME_CELLS_MOST ? g->width - 1 : HOME_CELLS_MOST;
	int title_x = HOME_CODE_X + home_code_cells(g, l.t->home->recent, at) + 2;
	(void)grid_text(g, HOME_CODE_X, y, has_cursor ? STYLE_CHOSEN : STYLE_STRONG, r->room_id,
			-1);
	int title_end = home_draw_name(l.t, g, y, home_draw_when(l.t, g, y, end, r), r);
	home_draw_title(l.t, g, y, title_x, title_end, r);
}

static const struct list_rows home_rows = {
	.count = home_count,
	.shows = home_shows,
	.key = home_key,
	.draw = home_draw_one,
	.sign_x = 2,
	.cursor_x = HOME_CODE_X,
	.newest_first = true,
};

/* The first time: what there is to do, the cursor on what comes first. */
static void home_draw_welcome(const struct tui *t, struct grid *g, int y, int height)
{
	enum { KEY_X = 3, TEXT_X = 6 };
	static const struct {
		const char *key;
		const char *text;
	} lines[] = {
		{"", "All in favour say aye."},
		{"", ""},
		{"c", "make a room and read out its code"},
		{"j", "join a room by the code you got"},
		{"", ""},
		{"", "Rooms you were in will stand here."},
	};
	bool is_roomy = height >= (int)(sizeof(lines) / sizeof(lines[0]));
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		bool has_key = lines[i].key[0] != '\0';
		if (!is_roomy && !has_key) {
			continue;
		}
		(void)grid_text(g, KEY_X, y, STYLE_STRONG, lines[i].key, -1);
		(void)draw_cut(g, has_key ? TEXT_X : KEY_X, y, has_key ? STYLE_TEXT : STYLE_DIM,
			       lines[i].text, g->width - (has_key ? TEXT_X : KEY_X) - 1, t->signs);
		if (has_key && lines[i].key[0] == 'c') {
			grid_cursor(g, KEY_X, y);
		}
		y++;
	}
}

static void home_view_draw(struct tui *t, const struct replica *room, struct grid *g, int height)
{
	int gap = g->height >= DRAW_ROOMY ? 1 : 0;
	int y = 1 + gap;
	home_draw_header(t, g);
	home_draw_person(t, g, y++);
	y += home_draw_waiting(t, g, y);
	y += home_draw_expiring(t, g, y);
	y += gap;
	if (t->home->recent->n == 0) {
		home_draw_welcome(t, g, y + gap, height - y - gap);
		return;
	}
	if (gap > 0) {
		(void)grid_text(g, 1, y, STYLE_TITLE, "Rooms you were in", -1);
		y += 2;
	}
	list_draw(tui_listing(t, room, VIEW_HOME), g, y, height - y - gap, true);
}

static struct act home_view_take_key(struct tui *t, const struct replica *room, int32_t key)
{
	bool is_nudged = t->nudge[0] != '\0';
	t->nudge[0] = '\0'; /* whatever is pressed, it was seen */
	if (is_nudged && key == TUI_KEY_ENTER) {
		return home_follow_nudge(t);
	}
	if (key == TUI_KEY_ESCAPE) {
		return t->home->is_entering ? (struct act){.local = LOCAL_STAY} : (struct act){0};
	}
	return tui_act_on_key(t, room, key);
}

const struct view home_view = {
	.draw = home_view_draw,
	.take_key = home_view_take_key,
	.rows = &home_rows,
};
