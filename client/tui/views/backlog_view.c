/*
 * backlog_view.c - a backlog as a table: a line for an item, its fields in columns, one of which has the
 * cursor. Where there is no room for all, the one that has it stands beside the name, and
 * the others in a line below the table. And the page that a note is written on.
 */
#include "client/tui/action_acts.h"
#include "client/tui/tui_state.h"

#include <string.h>

#include "client/model/question_text.h"
#include "proto/format.h"

enum {
	BACKLOG_X = 3,
	BACKLOG_WIDE = 70, /* columns of the screen from which on the table has all of its own */
	BACKLOG_NOTE_ROWS = 5,
	BACKLOG_NOTE_CELLS = 10, /* for its beginning; in fewer there is a sign for it */
	DAY_MS = 24 * 3600 * 1000
};

/* ---- rows ---- */

static const struct rows *backlog_rows(const struct tui *t)
{
	static const struct rows none;
	return t->teams == NULL ? &none : teams_rows(t->teams, TEAM_ITEMS);
}

static const struct item_view *backlog_at(const struct tui *t, size_t at)
{
	return backlog_item(&t->teams->backlog, backlog_rows(t), at);
}

static size_t backlog_count(struct listing l)
{
	return backlog_rows(l.t)->n;
}

static bool backlog_shows(struct listing l, size_t at, const char *filter)
{
	const struct item_view *item = backlog_at(l.t, at);
	bool has_it = filter[0] == '\0';
	for (enum item_column c = 0; !has_it && c < ITEM_COLUMNS_N; c++) {
		char cell[ITEM_CELL_BYTES];
		has_it = list_matches(item_column_text(item, c, cell), filter);
	}
	return has_it;
}

static uint64_t backlog_key(struct listing l, size_t at)
{
	return list_key(backlog_at(l.t, at)->item_id.data);
}

/* ---- columns ---- */

struct backlog_cells {
	int x[ITEM_COLUMNS_N]; /* where each begins; 0: it is folded away */
	int cells[ITEM_COLUMNS_N];
};

/* The name takes what the others leave, and the note a part of that on a large screen. */
static struct backlog_cells backlog_layout(const struct tui *t, const struct grid *g)
{
	static const int usual[ITEM_COLUMNS_N] = {
		[ITEM_COLUMN_QUANTITY] = 8, [ITEM_COLUMN_UNIT] = 7, [ITEM_COLUMN_CATEGORY] = 10,
		[ITEM_COLUMN_EXPIRY] = 10,  [ITEM_COLUMN_NOTE] = 4,
	};
	enum { GAP = 2, BESIDE = 12, NAME_MOST = 60 };
	struct backlog_cells l = {{0}, {0}};
	int left = g->width - 1 - BACKLOG_X;
	l.x[ITEM_COLUMN_NAME] = BACKLOG_X;
	if (g->width < BACKLOG_WIDE) {
		enum item_column beside = t->backlog.column == ITEM_COLUMN_NAME
						  ? ITEM_COLUMN_QUANTITY
						  : t->backlog.column;
		l.cells[ITEM_COLUMN_NAME] = left - BESIDE - GAP;
		l.x[beside] = g->width - 1 - BESIDE;
		l.cells[beside] = BESIDE;
		return l;
	}
	for (enum item_column c = ITEM_COLUMN_QUANTITY; c < ITEM_COLUMNS_N; c++) {
		l.cells[c] = usual[c];
		left -= usual[c] + GAP;
	}
	int name = left > NAME_MOST ? NAME_MOST : left;
	l.cells[ITEM_COLUMN_NAME] = name;
	l.cells[ITEM_COLUMN_NOTE] += left - name;
	for (enum item_column c = ITEM_COLUMN_QUANTITY; c < ITEM_COLUMNS_N; c++) {
		l.x[c] = l.x[c - 1] + l.cells[c - 1] + GAP;
	}
	return l;
}

/* Numbers end, words begin in one column. */
static void backlog_draw_cell(const struct tui *t, struct grid *g, int y, enum style style,
			      const struct backlog_cells *l, enum item_column c, const char *text)
{
	char line[256];
	question_one_line(text, line, sizeof(line));
	int cells = draw_cells(line);
	bool is_number = c == ITEM_COLUMN_QUANTITY && cells < l->cells[c];
	(void)draw_cut(g, l->x[c] + (is_number ? l->cells[c] - cells : 0), y, style, line,
		       l->cells[c], t->signs);
}

/* What is being typed stands in its field already. */
static bool backlog_is_typed(const struct tui *t, const struct item_view *item, enum item_column c)
{
	return t->prompt.kind == PROMPT_LINE && t->prompt.action == item_action(c) &&
	       strcmp(t->prompt.story_id, item->item_id.data) == 0;
}

static enum style backlog_style(const struct tui *t, const struct item_view *item,
				enum item_column c, bool has_cursor)
{
	bool is_over = c == ITEM_COLUMN_EXPIRY && t->now_ms > 0 && item->expiry < t->now_ms;
	bool is_soon = c == ITEM_COLUMN_EXPIRY && item->expiry < t->now_ms + 7 * (int64_t)DAY_MS;
	if (has_cursor && c == t->backlog.column) {
		return STYLE_CHOSEN;
	}
	return is_over			   ? STYLE_ERROR
	       : is_soon		   ? STYLE_WARN
	       : c == ITEM_COLUMN_NAME	   ? STYLE_STRONG
	       : c >= ITEM_COLUMN_CATEGORY ? STYLE_DIM
					   : STYLE_TEXT;
}

static void backlog_draw_one(struct listing l, struct grid *g, int y, size_t at, bool has_cursor)
{
	const struct tui *t = l.t;
	const struct item_view *item = backlog_at(t, at);
	struct backlog_cells layout = backlog_layout(t, g);
	if (t->home == NULL && item_is_story(l.room, item)) {
		(void)grid_text(g, BACKLOG_X - 1, y, STYLE_GOOD, "+", 1); /* among the stories */
	}
	for (enum item_column c = 0; c < ITEM_COLUMNS_N; c++) {
		char cell[ITEM_CELL_BYTES];
		const char *text = item_column_text(item, c, cell);
		if (layout.x[c] == 0) {
			continue;
		}
		bool is_here = has_cursor && c == t->backlog.column;
		text = backlog_is_typed(t, item, c) ? t->prompt.line.text : text;
		if (c == ITEM_COLUMN_NOTE && layout.cells[c] < BACKLOG_NOTE_CELLS &&
		    text[0] != '\0') {
			text = t->signs->cut; /* there is one; it stands below the table */
		}
		/* An empty field shows where the cursor is, without colours, too. */
		text = is_here && text[0] == '\0' ? "_" : text;
		backlog_draw_cell(t, g, y, backlog_style(t, item, c, has_cursor), &layout, c, text);
	}
}

static const struct list_rows backlog_list_rows = {
	.count = backlog_count,
	.shows = backlog_shows,
	.key = backlog_key,
	.draw = backlog_draw_one,
	.sign_x = 1,
	.cursor_x = BACKLOG_X,
};

/* ---- the page ---- */

/* Its name, how many are in it and how they stand. */
static void backlog_draw_head(struct tui *t, const struct replica *room, struct grid *g)
{
	const struct teams *teams = t->teams;
	const struct container_entry *c = teams_container(teams);
	const struct paged *list = &teams->lists[TEAM_ITEMS];
	struct listing l = tui_listing(t, room, VIEW_BACKLOG);
	char line[128];
	size_t n = 0;
	long long all = c == NULL || c->items < (int64_t)list->rows.n ? (long long)list->rows.n
								      : (long long)c->items;
	line[0] = '\0';
	if (list->is_known && (g->width >= BACKLOG_WIDE || !teams->backlog.is_sorted)) {
		n = format_to(line, sizeof(line), "%lld item%s", all, all == 1 ? "" : "s");
	}
	if (list->has_more && (teams->backlog.is_sorted || l.list->filter[0] != '\0')) {
		n += format_to(line + n, sizeof(line) - n, "%sthe first %zu", t->signs->dot,
			       list->rows.n);
	}
	if (teams->backlog.is_sorted) {
		(void)format_to(line + n, sizeof(line) - n, "%sby %s%s", n > 0 ? t->signs->dot : "",
				item_column_name(teams->backlog.by),
				teams->backlog.is_down ? ", last first" : "");
	}
	int used = draw_cells(line);
	int x = 1 + draw_cut(g, 1, 0, STYLE_TITLE, c == NULL ? "Backlog" : c->container_name.data,
			     g->width - used - 5, t->signs);
	if (t->link == LINK_LIVE && used > 0) { /* else that stands there */
		x += grid_text(g, x, 0, STYLE_DIM, t->signs->dot, -1);
		(void)draw_cut(g, x, 0, STYLE_DIM, line, g->width - x - 1, t->signs);
	}
}

static void backlog_draw_titles(const struct tui *t, struct grid *g, int y)
{
	struct backlog_cells layout = backlog_layout(t, g);
	for (enum item_column c = 0; c < ITEM_COLUMNS_N; c++) {
		bool is_here = c == t->backlog.column;
		if (layout.x[c] > 0) {
			backlog_draw_cell(t, g, y, is_here ? STYLE_STRONG : STYLE_DIM, &layout, c,
					  item_column_name(c));
		}
	}
}

/* What is folded away of the item in focus, in a line. */
static void backlog_draw_folded(const struct tui *t, struct grid *g, int y,
				const struct item_view *item)
{
	struct backlog_cells layout = backlog_layout(t, g);
	int x = BACKLOG_X;
	for (enum item_column c = 0; c < ITEM_COLUMNS_N; c++) {
		char cell[ITEM_CELL_BYTES];
		char line[256];
		question_one_line(item_column_text(item, c, cell), line, sizeof(line));
		if (layout.x[c] == 0 && line[0] != '\0' && x < g->width - 1) {
			if (x > BACKLOG_X) {
				x += grid_text(g, x, y, STYLE_DIM, t->signs->dot, -1);
			}
			x += draw_cut(g, x, y, STYLE_DIM, line, g->width - 1 - x, t->signs);
		}
	}
}

static void backlog_view_draw(struct tui *t, const struct replica *room, struct grid *g, int height)
{
	bool is_roomy = g->height >= DRAW_ROOMY;
	bool is_folded = g->width < BACKLOG_WIDE;
	const struct item_view *item = t->teams == NULL ? NULL : item_focus(t);
	int y = is_roomy ? 2 : 1;
	if (t->teams == NULL) {
		return;
	}
	backlog_draw_head(t, room, g);
	if (item == NULL) {
		team_draw_list(t, room, g, y, height);
		return;
	}
	int cells = g->width - BACKLOG_X - 1;
	int note = is_folded || item->note.len == 0
			   ? 0
			   : draw_text(NULL, 0, 0, STYLE_TEXT, item->note.data, cells, 0, 0);
	note = note > BACKLOG_NOTE_ROWS ? BACKLOG_NOTE_ROWS : note;
	int below = is_folded ? 1 : note > 0 ? note + 1 : 0;
	backlog_draw_titles(t, g, y);
	team_draw_list(t, room, g, y + 1, height - below);
	if (is_folded) {
		backlog_draw_folded(t, g, height - 1, item);
	} else if (note > 0) {
		(void)draw_text(g, BACKLOG_X, height - note, STYLE_DIM, item->note.data, cells, 0,
				note);
	}
	struct backlog_cells layout = backlog_layout(t, g);
	if (g->cursor_shown) {
		grid_cursor(g, layout.x[t->backlog.column], g->cursor_y);
	}
}

static struct act backlog_view_take_key(struct tui *t, const struct replica *room, int32_t key)
{
	if (key == TUI_KEY_LEFT || key == TUI_KEY_RIGHT) {
		int by = key == TUI_KEY_LEFT ? ITEM_COLUMNS_N - 1 : 1;
		t->backlog.column =
			(enum item_column)(((int)t->backlog.column + by) % ITEM_COLUMNS_N);
		return (struct act){0};
	}
	if (key == TUI_KEY_ENTER && t->home != NULL) {
		key = 'e';
	}
	return tui_act_on_key(t, room, key);
}

const struct view backlog_view = {
	.draw = backlog_view_draw,
	.take_key = backlog_view_take_key,
	.rows = &backlog_list_rows,
};

/* ---- the note of an item ---- */

static void item_note_draw(struct tui *t, const struct replica *room, struct grid *g, int height)
{
	const struct item_view *item = teams_item(t->teams, slice_str(t->backlog.note_id));
	bool is_roomy = g->height >= DRAW_ROOMY;
	(void)room;
	int x = 1 + grid_text(g, 1, 0, STYLE_TITLE, "Note", -1);
	if (item != NULL) {
		x += grid_text(g, x, 0, STYLE_DIM, t->signs->dot, -1);
		(void)draw_cut(g, x, 0, STYLE_DIM, item->name.data, g->width - x - 1, t->signs);
	}
	int y = is_roomy ? 2 : 1;
	text_editor_draw(&t->answer, g, 2, y, g->width - 3, height - y - (is_roomy ? 1 : 0));
	if (t->answer.len == 0 && height > y) {
		(void)draw_cut(g, 3, y, STYLE_DIM, "Nothing here yet: write", g->width - 4,
			       t->signs);
	}
}

static bool item_note_is_changed(const struct tui *t)
{
	const struct item_view *item = teams_item(t->teams, slice_str(t->backlog.note_id));
	return item != NULL && !slice_eq(item->note, slice_of(t->answer.text, t->answer.len));
}

/* Escape keeps what was written, too: nothing that was typed is lost. */
static struct act item_note_take_key(struct tui *t, const struct replica *room, int32_t key)
{
	enum { CTRL_S = 19 };
	if (key != TUI_KEY_ESCAPE && key != CTRL_S) {
		(void)text_editor_take_key(&t->answer, key);
		return (struct act){0};
	}
	t->view = VIEW_BACKLOG;
	if (!item_note_is_changed(t)) {
		return (struct act){0};
	}
	struct request *r = tui_request(t, ACTION_ITEM_NOTE, METHOD_ITEM_UPDATE);
	item_fill(t, room, r);
	request_text(r, "item_id", t->backlog.note_id);
	if (t->backlog.note_revision > 0) {
		request_int(r, "if_revision", t->backlog.note_revision);
	}
	request_value(r, "note", t->answer.text);
	struct act act = tui_send(t, ACTION_ITEM_NOTE);
	t->backlog.is_note_sent = act.request != NULL;
	return act;
}

void item_note_again(struct tui *t)
{
	t->backlog.is_note_sent = false;
	t->backlog.note_revision = 0;
	if (t->view == VIEW_BACKLOG && t->prompt.kind == PROMPT_NONE) {
		t->view = VIEW_ITEM_NOTE;
	}
}

const struct view item_note_view = {
	.draw = item_note_draw,
	.take_key = item_note_take_key,
	.footer = "^S save  Esc save and go back  Enter a new line",
};
