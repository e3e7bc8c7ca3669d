/*
 * home_view.c - home: who one is, where rooms are made, and the rooms one was
 * in, the one used last first.
 */
#include "client/tui/tui_state.h"

#include "proto/format.h"

enum {
	HOME_ROOMY = 18,       /* rows from which there is air between the parts */
	HOME_WIDE = 60,	       /* columns from which names and long ages have their place */
	HOME_CELLS_MOST = 110, /* wider lines are hard to follow */
	HOME_CODE_X = 4,
	HOME_PAGE = 8,
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
	static const char *const words[] = {"connecting", "live", "no server"};
	static const enum style styles[] = {STYLE_WARN, STYLE_GOOD, STYLE_ERROR};
	const char *const marks[] = {t->signs->connecting, t->signs->live, t->signs->lost};
	char link[40];
	int x = 1 + grid_text(g, 1, 0, STYLE_TITLE, "aye", -1);
	x += grid_text(g, x, 0, STYLE_DIM, t->signs->dot, -1);
	(void)grid_text(g, x, 0, STYLE_STRONG, "Home", -1);
	(void)format_to(link, sizeof(link), "%s%s%s", marks[t->link],
			marks[t->link][0] == '\0' ? "" : " ", words[t->link]);
	(void)draw_right(g, g->width - 1, 0, styles[t->link], link);
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

/* The same code may be that of rooms on two servers. */
static uint32_t home_which(const struct recent_room *room)
{
	return mouse_which(room->room_id) ^ (mouse_which(room->server) << 1);
}

static void home_draw_one(const struct tui *t, struct grid *g, int y, int end, size_t at)
{
	const struct recent_room *room = &t->home->recent->rooms[at];
	bool has_focus = at == t->home_at;
	int title_x = HOME_CODE_X + home_code_cells(g, t->home->recent, at) + 2;
	(void)grid_text(g, HOME_CODE_X, y, has_focus ? STYLE_CHOSEN : STYLE_STRONG, room->room_id,
			-1);
	int title_end = home_draw_name(t, g, y, home_draw_when(t, g, y, end, room), room);
	home_draw_title(t, g, y, title_x, title_end, room);
	if (has_focus) {
		(void)grid_text(g, 2, y, STYLE_STRONG, ">", 1);
		grid_cursor(g, HOME_CODE_X, y);
	}
	grid_mark(g, 0, y, g->width, 1, (struct spot){SPOT_ROW, home_which(room)});
}

static void home_draw_list(struct tui *t, struct grid *g, int y, int height)
{
	size_t n = t->home->recent->n;
	size_t shown = height > 0 ? (size_t)height : 0;
	int end = g->width - 1 < HOME_CELLS_MOST ? g->width - 1 : HOME_CELLS_MOST;
	size_t top = t->home_at < shown ? 0 : t->home_at - shown + 1;
	for (size_t i = 0; i < shown && top + i < n; i++) {
		home_draw_one(t, g, y + (int)i, end, top + i);
	}
}

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
	int gap = g->height >= HOME_ROOMY ? 1 : 0;
	size_t n = t->home->recent->n;
	int y = 1 + gap;
	(void)room;
	t->home_at = n == 0 ? 0 : t->home_at >= n ? n - 1 : t->home_at;
	home_draw_header(t, g);
	home_draw_person(t, g, y++);
	y += gap;
	if (n == 0) {
		home_draw_welcome(t, g, y + gap, height - y - gap);
		return;
	}
	if (gap > 0) {
		(void)grid_text(g, 1, y, STYLE_TITLE, "Rooms you were in", -1);
		y += 2;
	}
	home_draw_list(t, g, y, height - y - gap);
}

/* ---- keys ---- */

static void home_move(struct tui *t, int by)
{
	size_t n = t->home->recent->n;
	size_t step = (size_t)(by < 0 ? -by : by);
	if (by < 0) {
		t->home_at -= t->home_at < step ? t->home_at : step;
	} else if (n > 0) {
		t->home_at = t->home_at + step < n ? t->home_at + step : n - 1;
	}
}

static struct act home_view_take_key(struct tui *t, const struct replica *room, int32_t key)
{
	int all = (int)t->home->recent->n;
	switch (key) {
	case TUI_KEY_UP:
		home_move(t, -1);
		return (struct act){0};
	case TUI_KEY_DOWN:
		home_move(t, 1);
		return (struct act){0};
	case TUI_KEY_PAGE_UP:
		home_move(t, -HOME_PAGE);
		return (struct act){0};
	case TUI_KEY_PAGE_DOWN:
		home_move(t, HOME_PAGE);
		return (struct act){0};
	case TUI_KEY_HOME:
		home_move(t, -all);
		return (struct act){0};
	case TUI_KEY_END:
		home_move(t, all);
		return (struct act){0};
	case TUI_KEY_ESCAPE:
		return t->home->is_entering ? (struct act){.local = LOCAL_STAY} : (struct act){0};
	}
	return tui_act_on_key(t, room, key);
}

static bool home_view_focus(struct tui *t, const struct replica *room, uint32_t which)
{
	const struct recent_rooms *recent = t->home->recent;
	(void)room;
	for (size_t i = 0; i < recent->n; i++) {
		if (home_which(&recent->rooms[i]) == which) {
			t->home_at = i;
			return true;
		}
	}
	return false;
}

const struct view home_view = {
	.focus = home_view_focus,
	.draw = home_view_draw,
	.take_key = home_view_take_key,
};
