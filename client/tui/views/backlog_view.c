/*
 * backlog_view.c - a backlog as a table: a line for an item, its fields in columns, one of which has the
 * cursor. Where there is no room for all, the one that has it stands beside the name, and
 * the others in a line below the table. And the page that a note is written on.
 */
#include "client/tui/actions/action_acts.h"
#include "client/tui/tui_state.h"

#include <string.h>

#include "client/model/questions/question_text.h"
#include "proto/base/format.h"

enum {
	BACKLOG_X = 3,
	BACKLOG_WIDE = 70, /* columns of the screen from which on the table has all of its own */
	BACKLOG_NOTE_ROWS = 5,
	BACKLOG_NOTE_CELLS = 10, /* for its beginning; in fewer there is a sign for it */
	DAY_MS = 24 * 3600 * 1000
};

/* ---- rows ---- */

static const struct rows *backlog_rows(struct listing l)
{
	static const struct rows none;
	return l.t->teams == NULL ? &none : teams_rows(l.t->teams, TEAM_ITEMS);
}

static const void *backlog_row(struct listing l, size_t at)
{
	return backlog_item(&l.t->teams->backlog, backlog_rows(l), at);
}

/* ---- columns ---- */

/* What is being typed stands in its field already. */
static bool backlog_is_typed(const struct list_cell *c)
{
	const struct prompt *p = &c->l.t->prompt;
	const struct item_view *item = c->row;
	return p->kind == PROMPT_LINE && p->action == item_action((enum item_column)c->column) &&
	       strcmp(p->row_id, item->item_id.data) == 0;
}

static const char *backlog_text(struct list_cell *c)
{
	if (backlog_is_typed(c)) {
		question_one_line(c->l.t->prompt.line.text, c->out, COLUMN_TEXT_BYTES);
		return c->out;
	}
	return item_column_text(c->row, (enum item_column)c->column, c->out);
}

/* Its beginning, or where there is no room for one that there is a note; it stands below the table. */
static const char *backlog_note(struct list_cell *c)
{
	const struct item_view *item = c->row;
	if (c->cells == 0 || item->note.len == 0) {
		return item->note.data;
	}
	question_one_line(item->note.data, c->out, COLUMN_TEXT_BYTES);
	return c->cells < BACKLOG_NOTE_CELLS ? c->l.signs->cut : c->out;
}

const char *backlog_column_name(const struct tui *t, enum item_column column)
{
	struct listing l = {.t = t};
	bool is_estimate = column == ITEM_COLUMN_QUANTITY && t->teams != NULL &&
			   backlog_is_estimated(&t->teams->backlog, backlog_rows(l));
	return is_estimate ? "estimate" : item_column_name(column);
}

/* A backlog of stories has no need of a pantry's columns; the unit of estimates goes without saying. */
static const char *backlog_title(struct listing l, size_t column)
{
	if (l.t->teams == NULL) {
		return NULL;
	}
	const struct rows *rows = backlog_rows(l);
	struct backlog *b = &l.t->teams->backlog;
	bool is_used = backlog_uses(b, rows, (enum item_column)column) &&
		       (column != ITEM_COLUMN_UNIT || !backlog_is_estimated(b, rows));
	return is_used ? backlog_column_name(l.t, (enum item_column)column) : NULL;
}

static enum style backlog_expiry_style(const struct list_cell *c)
{
	const struct item_view *item = c->row;
	int64_t now_ms = c->l.t->now_ms;
	return now_ms > 0 && item->expiry < now_ms	     ? STYLE_ERROR
	       : item->expiry < now_ms + 7 * (int64_t)DAY_MS ? STYLE_WARN
							     : STYLE_DIM;
}

static const char *backlog_mark(const struct list_cell *c)
{
	return backlog_is_source(c->l.t) && item_is_story(c->l.room, c->row) ? "+" : NULL;
}

/* clang-format off */
static const struct column backlog_columns[] = {
	[ITEM_COLUMN_NAME] = {"name", .text = backlog_text, .look = STYLE_STRONG, .grows = true, .cells = 27, .is_found = true},
	[ITEM_COLUMN_QUANTITY] = {"quantity", .name = backlog_title, .text = backlog_text, .cells = 8, .from_width = BACKLOG_WIDE, .is_right = true, .is_found = true},
	[ITEM_COLUMN_UNIT] = {"unit", .name = backlog_title, .text = backlog_text, .cells = 7, .from_width = BACKLOG_WIDE, .is_found = true},
	[ITEM_COLUMN_CATEGORY] = {"category", .name = backlog_title, .text = backlog_text, .look = STYLE_DIM, .cells = 10, .from_width = BACKLOG_WIDE, .is_found = true},
	[ITEM_COLUMN_EXPIRY] = {"expiry", .name = backlog_title, .text = backlog_text, .style = backlog_expiry_style, .cells = 10, .from_width = BACKLOG_WIDE, .is_found = true},
	[ITEM_COLUMN_NOTE] = {"note", .name = backlog_title, .text = backlog_note, .look = STYLE_DIM, .grows = true, .cells = 4, .from_width = BACKLOG_WIDE, .is_found = true},
};
/* clang-format on */

/* ---- the page ---- */

/* Its name, how many are in it and how they stand. */
static int backlog_draw_head(const struct tui *t, const struct replica *room, struct grid *g, int y)
{
	const struct teams *teams = t->teams;
	(void)room;
	if (teams == NULL) {
		return y;
	}
	const struct container_entry *c = teams_container(teams);
	const struct feed *list = &teams->lists[TEAM_ITEMS];
	char line[128];
	size_t n = 0;
	long long all = c == NULL || c->items < (int64_t)list->rows.n ? (long long)list->rows.n
								      : (long long)c->items;
	line[0] = '\0';
	if (list->is_known && (g->width >= BACKLOG_WIDE || !teams->backlog.is_sorted)) {
		n = format_to(line, sizeof(line), "%lld item%s", all, all == 1 ? "" : "s");
	}
	if (list->has_more &&
	    (teams->backlog.is_sorted || t->lists[VIEW_BACKLOG].filter[0] != '\0')) {
		n += format_to(line + n, sizeof(line) - n, "%sthe first %zu", t->signs->dot,
			       list->rows.n);
	}
	if (teams->backlog.is_sorted) {
		(void)format_to(line + n, sizeof(line) - n, "%sby %s%s", n > 0 ? t->signs->dot : "",
				backlog_column_name(t, teams->backlog.by),
				teams->backlog.is_down ? ", descending" : "");
	}
	int used = draw_cells(line);
	int x = 1 + draw_cut(g, 1, 0, STYLE_TITLE, c == NULL ? "Backlog" : c->container_name.data,
			     g->width - used - 5, t->signs);
	if (t->link == LINK_LIVE && used > 0) { /* else that stands there */
		x += grid_text(g, x, 0, STYLE_DIM, t->signs->dot, -1);
		(void)draw_cut(g, x, 0, STYLE_DIM, line, g->width - x - 1, t->signs);
	}
	return y;
}

static void backlog_view_draw(const struct tui *t, const struct replica *room, struct grid *g,
			      int height)
{
	bool is_folded = g->width < BACKLOG_WIDE;
	const struct item_view *item = t->teams == NULL ? NULL : item_focus(t);
	int cells = g->width - BACKLOG_X - 1;
	int y = tui_draw_head(t, room, g);
	int note = is_folded || item == NULL || item->note.len == 0
			   ? 0
			   : draw_text(NULL, 0, 0, STYLE_TEXT, item->note.data, cells, 0, 0);
	note = note > BACKLOG_NOTE_ROWS ? BACKLOG_NOTE_ROWS : note;
	int below = is_folded ? 1 : note > 0 ? note + 1 : 0;
	tui_draw_list(t, room, g, y, height - below);
	if (is_folded) {
		list_draw_folded(tui_listing(t, room, VIEW_BACKLOG), g, height - 1);
	} else if (note > 0) {
		(void)draw_text(g, BACKLOG_X, height - note, STYLE_DIM, item->note.data, cells, 0,
				note);
	}
}

static struct act backlog_view_take_key(struct tui *t, const struct replica *room, int32_t key)
{
	if (key == TUI_KEY_LEFT || key == TUI_KEY_RIGHT) {
		size_t *column = &t->lists[VIEW_BACKLOG].column;
		*column =
			(*column + (key == TUI_KEY_LEFT ? ITEM_COLUMNS_N - 1 : 1)) % ITEM_COLUMNS_N;
		return (struct act){0};
	}
	return tui_act_on_key(t, room, key);
}

const struct view backlog_view = {
	.is_over = true,
	.team_lists = {1 + TEAM_ITEMS, 1 + TEAM_CONTAINERS},
	.pastes = ACTION_ITEM_ADD,
	.changes_in_ms = team_changes_in_ms,
	.head = backlog_draw_head,
	.waits = team_waits,
	.empty = "Empty. Press a to add an item.",
	.draw = backlog_view_draw,
	.take_key = backlog_view_take_key,
	.rows =
		&(const struct list_rows){
			.rows = backlog_rows,
			.row = backlog_row,
			COLUMNS(backlog_columns),
			.is_table = true,
			.mark = backlog_mark,
		},
};

/* ---- the note of an item ---- */

static void item_note_draw(const struct tui *t, const struct replica *room, struct grid *g,
			   int height)
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
	text_editor_draw(t->backlog.note, g, 2, y, g->width - 3, height - y - (is_roomy ? 1 : 0));
}

static bool item_note_is_changed(const struct tui *t)
{
	const struct item_view *item = teams_item(t->teams, slice_str(t->backlog.note_id));
	return item != NULL &&
	       !slice_eq(item->note, slice_of(t->backlog.note->text, t->backlog.note->len));
}

/* Escape keeps what was written, too: nothing that was typed is lost. */
static struct act item_note_take_key(struct tui *t, const struct replica *room, int32_t key)
{
	(void)room;
	enum { CTRL_S = 19 };
	if (key != TUI_KEY_ESCAPE && key != CTRL_S) {
		(void)text_editor_take_key(t->backlog.note, key);
		return (struct act){0};
	}
	tui_go_back(t);
	if (!item_note_is_changed(t)) {
		return (struct act){0};
	}
	struct request *r = tui_request(t, ACTION_ITEM_NOTE, METHOD_ITEM_UPDATE);
	request_text(r, "container_id", t->teams->container_id);
	request_text(r, "item_id", t->backlog.note_id);
	if (t->backlog.note_revision > 0) {
		request_int(r, "if_revision", t->backlog.note_revision);
	}
	request_value(r, "note", t->backlog.note->text);
	struct act act = tui_send(t, ACTION_ITEM_NOTE);
	t->backlog.is_note_sent = act.request != NULL;
	return act;
}

void item_note_again(struct tui *t)
{
	t->backlog.is_note_sent = false;
	t->backlog.note_revision = 0;
	if (tui_is_in(t, IN_BACKLOG) && t->prompt.kind == PROMPT_NONE) {
		t->view = VIEW_ITEM_NOTE;
	}
}

const struct view item_note_view = {
	.parent = VIEW_BACKLOG,
	.sheet = offsetof(struct tui, backlog.note),
	.draw = item_note_draw,
	.take_key = item_note_take_key,
	.footer = "^S save  Esc save and leave  Enter new line",
};
