/*
 * home_view.c - home: who one is, where rooms are made, and the rooms one was
 * in, the one used last first.
 */
#include "client/tui/tui_state.h"

#include "proto/base/format.h"

enum {
	HOME_WIDE = 60, /* columns from which names and long ages have their place */
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

static int64_t home_changes_in_ms(const struct tui *t)
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
		x += grid_text(g, x, y, STYLE_TEXT, "No name yet: press n to set one", end - x);
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
	const struct inbox *in = t->inbox;
	size_t n = in == NULL ? 0 : inbox_waiting(in);
	char line[64];
	if (n == 0) {
		return 0;
	}
	(void)format_to(line, sizeof(line), "%zu%s question%s for you: press %s", n,
			in->lists[INBOX_WAITING].has_more ? " and more" : "", n == 1 ? "" : "s",
			action_rows[ACTION_INBOX].key_name);
	int cells = draw_cut(g, 1, y, STYLE_WARN, line, g->width - 2, t->signs);
	mouse_mark_key(g, 1, y, cells, action_rows[ACTION_INBOX].key);
	return 1;
}

/* "3 items expire this week: press T"; how many rows that takes. */
static int home_draw_expiring(const struct tui *t, struct grid *g, int y)
{
	size_t n = t->teams == NULL ? 0 : expiring_count(&t->teams->expiring, NULL, NULL);
	char line[64];
	if (n == 0) {
		return 0;
	}
	(void)format_to(line, sizeof(line), "%zu item%s this week: press %s", n,
			n == 1 ? " expires" : "s expire", action_rows[ACTION_TEAMS].key_name);
	int cells = draw_cut(g, 1, y, STYLE_WARN, line, g->width - 2, t->signs);
	mouse_mark_key(g, 1, y, cells, action_rows[ACTION_TEAMS].key);
	return 1;
}

/* ---- the list ---- */

static size_t home_count(struct listing l)
{
	return l.t->home->recent->n;
}

static const void *home_row(struct listing l, size_t at)
{
	return &l.t->home->recent->rooms[at];
}

/* The same code may be that of rooms on two servers. */
static uint64_t home_key(struct listing l, size_t at)
{
	const struct recent_room *r = home_row(l, at);
	return list_key(r->room_id) ^ (list_key(r->server) << 1);
}

static const char *home_host(struct list_cell *c)
{
	const struct recent_room *r = c->row;
	return r->is_host ? c->l.signs->host : NULL;
}

static const char *home_server(struct list_cell *c)
{
	const struct recent_room *r = c->row;
	return r->is_elsewhere ? list_words(c, "on %s", r->server) : NULL;
}

/* When, or that it is no more. */
static const char *home_when(struct list_cell *c)
{
	const struct recent_room *r = c->row;
	home_age(c->l.t->now_ms, r->used_at_ms, c->width >= HOME_WIDE, c->out, COLUMN_TEXT_BYTES);
	return r->is_gone ? "not found" : c->out;
}

static enum style home_when_style(const struct list_cell *c)
{
	const struct recent_room *r = c->row;
	return r->is_gone ? STYLE_WARN : STYLE_DIM;
}

/* clang-format off */
static const struct column home_columns[] = {
	{.chars = offsetof(struct recent_room, room_id), .look = STYLE_STRONG, .is_found = true},
	{.chars = offsetof(struct recent_room, title), .grows = true, .inside_below = HOME_WIDE, .gap = 2, .is_found = true},
	{.text = home_host, .cells = 1, .inside_below = COLUMN_INSIDE},
	{.text = home_server, .look = STYLE_DIM, .inside_below = COLUMN_INSIDE},
	{.chars = offsetof(struct recent_room, name), .look = STYLE_DIM, .from_width = HOME_WIDE},
	{.text = home_when, .style = home_when_style, .is_right = true},
};
/* clang-format on */

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
		{"c", "create a room and share its code"},
		{"j", "join a room with its code"},
		{"", ""},
		{"", "Recent rooms will appear here."},
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

static void home_view_draw(const struct tui *t, const struct replica *room, struct grid *g,
			   int height)
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
		(void)grid_text(g, 1, y, STYLE_TITLE, "Recent rooms", -1);
		y += 2;
	}
	tui_draw_list(t, room, g, y, height - gap);
}

static struct act home_view_take_key(struct tui *t, const struct replica *room, int32_t key)
{
	bool is_nudged = t->said.nudge[0] != '\0';
	t->said.nudge[0] = '\0'; /* whatever is pressed, it was seen */
	if (is_nudged && key == TUI_KEY_ENTER) {
		return home_follow_nudge(t);
	}
	if (key == TUI_KEY_ESCAPE) {
		return t->home->is_entering ? (struct act){.local = LOCAL_STAY} : (struct act){0};
	}
	return tui_act_on_key(t, room, key);
}

const struct view home_view = {
	.changes_in_ms = home_changes_in_ms,
	.draw = home_view_draw,
	.take_key = home_view_take_key,
	.rows =
		&(const struct list_rows){
			.count = home_count,
			.row = home_row,
			.key = home_key,
			COLUMNS(home_columns),
			.cells_most = 107,
			.newest_first = true,
		},
};
