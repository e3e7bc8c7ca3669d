/*
 * list.c - see list.h.
 */
#include "client/tui/widgets/list.h"

#include <stdarg.h>
#include <string.h>

#include "client/model/memory.h"
#include "client/tui/widgets/draw.h"
#include "client/tui/widgets/keys.h"
#include "proto/base/format.h"
#include "proto/base/limits.h"
#include "proto/text/text.h"

enum {
	LIST_PAGE = 8, /* of what was not drawn yet */
	LIST_X = 3,    /* of the first column; the cursor's sign stands two cells before */
	LIST_GAP = 2,
	LIST_BESIDE_LEAST =
		12, /* cells of a column that is beside the first because the cursor is in it */
	LIST_BEHIND_LEAST =
		12, /* what is longer and is to stand behind a text has so much room, or is left out */
	LIST_LINES_MAX = 5000,
	LIST_TEXT_BYTES_MAX = 4 * EDIT_BYTES_MAX /* folding may make a text longer */
};

/* FNV-1a. */
uint64_t list_key(const char *text)
{
	uint64_t hash = 14695981039346656037U;
	for (; *text != '\0'; text++) {
		hash = (hash ^ (unsigned char)*text) * 1099511628211U;
	}
	return hash == 0 ? 1 : hash;
}

/* Folded, or as it is where it cannot be; NUL-terminated. */
static void list_fold(const char *text, char out[LIST_TEXT_BYTES_MAX + 1])
{
	struct slice in = slice_str(text);
	size_t n = 0;
	if (memory_check(text_fold(in, out, LIST_TEXT_BYTES_MAX, &n)) != OK) {
		n = in.len < LIST_TEXT_BYTES_MAX ? in.len : LIST_TEXT_BYTES_MAX;
		memcpy(out, in.data, n);
	}
	out[n] = '\0';
}

bool list_matches(const char *text, const char *filter)
{
	char in[LIST_TEXT_BYTES_MAX + 1];
	char what[LIST_TEXT_BYTES_MAX + 1];
	if (filter[0] == '\0' || text == NULL) {
		return filter[0] == '\0';
	}
	list_fold(text, in);
	list_fold(filter, what);
	return strstr(in, what) != NULL;
}

/* ---- which rows are shown ---- */

static size_t list_rows_n(struct listing l)
{
	return l.rows->rows != NULL    ? l.rows->rows(l)->n
	       : l.rows->count != NULL ? l.rows->count(l)
				       : l.rows->n;
}

static const void *list_record(struct listing l, size_t at)
{
	return l.rows->row != NULL    ? l.rows->row(l, at)
	       : l.rows->rows != NULL ? l.rows->rows(l)->items[at]
				      : NULL;
}

static uint64_t list_key_of(struct listing l, size_t at)
{
	if (l.rows->key == NULL && l.rows->rows != NULL) {
		struct slice id;
		memcpy(&id, field_member(l.rows->rows(l)->key, list_record(l, at)), sizeof(id));
		return list_key(id.data);
	}
	return l.rows->key == NULL ? at : l.rows->key(l, at);
}

const char *list_words(struct list_cell *c, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	(void)format_to_v(c->out, COLUMN_TEXT_BYTES, format, args);
	va_end(args);
	return c->out;
}

/* A field of the record: what people wrote, or a word of ours. */
static const char *list_field(const struct list_cell *c, const char *name)
{
	const struct record *record = c->l.rows->rows(c->l)->record;
	const struct field *f = record_field(record, slice_str(name));
	struct slice text;
	if (f->kind == FIELD_ENUM) {
		return words_text(f->words, field_enum(f, c->row));
	}
	memcpy(&text, field_member(f, c->row), sizeof(text));
	return text.data;
}

/* As it is shown; valid until the next call with the same c->out. */
static const char *list_text(struct list_cell *c)
{
	const struct column *column = &c->l.rows->columns[c->column];
	const char *text = column->field != NULL  ? list_field(c, column->field)
			   : column->text != NULL ? column->text(c)
						  : (const char *)c->row + column->chars;
	return text == NULL ? "" : text;
}

static bool list_shows(struct listing l, size_t row, const char *filter)
{
	char out[COLUMN_TEXT_BYTES];
	struct list_cell c = {.l = l, .at = row, .out = out};
	bool has_it = filter[0] == '\0' || l.rows->columns == NULL;
	if (l.rows->has != NULL && !l.rows->has(l, row)) {
		return false;
	}
	for (; !has_it && c.column < l.rows->columns_n; c.column++) {
		c.row = list_record(l, row);
		has_it = l.rows->columns[c.column].is_found && list_matches(list_text(&c), filter);
	}
	return has_it;
}

static size_t list_count(struct listing l, const char *filter)
{
	size_t shown = 0;
	for (size_t i = 0, n = list_rows_n(l); i < n; i++) {
		shown += list_shows(l, i, filter) ? 1 : 0;
	}
	return shown;
}

size_t list_shown(struct listing l)
{
	return list_count(l, l.list->filter);
}

size_t list_all(struct listing l)
{
	return list_count(l, "");
}

/* The rows as they are shown now: how many, and which of those has the cursor. */
struct list_place {
	const char *filter;
	size_t n;
	size_t at;
};

static struct list_place list_place(struct listing l, size_t cursor)
{
	struct list_place p = {.filter = l.list->filter};
	size_t before = 0;
	p.n = list_count(l, p.filter);
	if (p.n == 0) {
		p.filter = "";
		p.n = list_count(l, p.filter);
	}
	for (size_t i = 0; i < cursor; i++) {
		before += list_shows(l, i, p.filter) ? 1 : 0;
	}
	p.at = before < p.n ? before : p.n == 0 ? 0 : p.n - 1;
	return p;
}

/* The nth of those that are shown. */
static size_t list_nth(struct listing l, const char *filter, size_t nth)
{
	for (size_t i = 0, n = list_rows_n(l); i < n; i++) {
		if (list_shows(l, i, filter) && nth-- == 0) {
			return i;
		}
	}
	return 0;
}

/* Where the cursor would be if all were shown. */
static size_t list_cursor(struct listing l)
{
	size_t n = list_rows_n(l);
	if (!l.list->is_kept) {
		l.list->at = l.rows->start == NULL ? 0 : l.rows->start(l);
	}
	for (size_t i = 0; l.list->is_kept && i < n; i++) {
		if (list_key_of(l, i) == l.list->key) {
			l.list->at = i;
			break;
		}
	}
	l.list->at = l.list->at < n ? l.list->at : n == 0 ? 0 : n - 1;
	return l.list->at;
}

size_t list_at(struct listing l)
{
	struct list_place p = list_place(l, list_cursor(l));
	return list_nth(l, p.filter, p.at);
}

const void *list_row(struct listing l)
{
	size_t at = list_at(l);
	return at < list_rows_n(l) && list_shows(l, at, "") ? list_record(l, at) : NULL;
}

/* With the cursor. */
static size_t list_column(struct listing l)
{
	return l.rows->is_table ? l.list->column : l.rows->chosen;
}

void list_go(struct listing l, size_t row)
{
	if (row < list_rows_n(l)) {
		l.list->at = row;
		l.list->is_kept = row > 0 || !l.rows->newest_first;
		l.list->key = list_key_of(l, row);
	}
}

bool list_find(struct listing l, uint32_t which, size_t *row)
{
	for (size_t i = 0, n = list_rows_n(l); i < n; i++) {
		if ((uint32_t)list_key_of(l, i) == which && list_shows(l, i, "")) {
			*row = i;
			return true;
		}
	}
	return false;
}

/* ---- keys ---- */

bool list_take_key(struct listing l, int32_t key)
{
	struct list_place p = list_place(l, list_cursor(l));
	size_t last = p.n == 0 ? 0 : p.n - 1;
	size_t page = l.list->page > 0 ? l.list->page : LIST_PAGE;
	size_t step = key == TUI_KEY_UP || key == TUI_KEY_DOWN ? 1 : page;
	size_t to = 0;
	switch (key) {
	case TUI_KEY_UP:
	case TUI_KEY_PAGE_UP:
		to = p.at > step ? p.at - step : 0;
		break;
	case TUI_KEY_DOWN:
	case TUI_KEY_PAGE_DOWN:
	case ' ':
		to = p.at + step < last ? p.at + step : last;
		break;
	case TUI_KEY_HOME:
		break;
	case TUI_KEY_END:
		to = last;
		break;
	default:
		return false;
	}
	list_go(l, list_nth(l, p.filter, to));
	return true;
}

/* ---- columns ---- */

/* Where each column begins and how wide it is; 0: it is not there, or inside the one before. */
struct list_layout {
	int x[COLUMNS_MAX];
	int cells[COLUMNS_MAX];
};

static bool list_is_inside(struct listing l, size_t column, int width)
{
	return column < l.rows->columns_n && width < (int)l.rows->columns[column].inside_below;
}

static int list_widest(struct listing l, size_t column, int width)
{
	char out[COLUMN_TEXT_BYTES];
	struct list_cell c = {.l = l, .column = column, .width = width, .out = out};
	int title = draw_cells(l.rows->columns[column].title);
	int widest = 0;
	for (size_t n = list_rows_n(l); c.at < n; c.at++) {
		c.row = list_record(l, c.at);
		int cells = list_shows(l, c.at, "") ? draw_cells(list_text(&c)) : 0;
		widest = cells > widest ? cells : widest;
	}
	widest = widest > width / 3 ? width / 3 : widest; /* others have something to say, too */
	return widest > 0 && widest < title ? title : widest;
}

/* NULL: it has none, or is not in use. */
static const char *list_title(struct listing l, size_t column)
{
	const struct column *c = &l.rows->columns[column];
	const char *name = c->name == NULL ? c->title : c->name(l, column);
	bool is_here = l.rows->is_table && column == l.list->column;
	return name == NULL && is_here ? c->title : name;
}

/*
 * How wide it is without what is left over; 0: it is left out. A table that has no room for all its columns
 * has that of the cursor beside the first, or the second one.
 */
static int list_least(struct listing l, size_t column, int width)
{
	const struct column *c = &l.rows->columns[column];
	size_t beside = l.list->column == 0 ? 1 : l.list->column;
	bool is_beside = l.rows->is_table && column == beside && c->cells < LIST_BESIDE_LEAST;
	if (c->name != NULL && list_title(l, column) == NULL) {
		return 0;
	}
	if (width < (int)c->from_width) {
		return is_beside ? LIST_BESIDE_LEAST : 0;
	}
	return c->cells > 0 ? c->cells : c->grows ? 1 : list_widest(l, column, width);
}

static struct list_layout list_lay_out(struct listing l, int width)
{
	struct list_layout layout = {{0}, {0}};
	bool grows[COLUMNS_MAX] = {false};
	int most = l.rows->cells_most;
	int left = width - 1 - LIST_X;
	int growing = 0;
	left = (most > 0 && most < left ? most : left) + LIST_GAP;
	for (size_t i = 0, place = 0; i < l.rows->columns_n; i++) {
		bool is_inside = list_is_inside(l, i, width);
		place = is_inside ? place : i;
		layout.cells[i] = is_inside ? 0 : list_least(l, i, width);
		left -= layout.cells[i] > 0 ? layout.cells[i] + LIST_GAP : 0;
		if (l.rows->columns[i].grows && layout.cells[place] > 0 && !grows[place]) {
			grows[place] = true; /* for what stands inside it, too */
			growing++;
		}
	}
	for (size_t i = 0; i < l.rows->columns_n; i++) {
		layout.x[i] = i == 0 ? LIST_X : layout.x[i - 1];
		layout.x[i] +=
			i == 0 || layout.cells[i - 1] <= 0 ? 0 : layout.cells[i - 1] + LIST_GAP;
		if (grows[i]) {
			layout.cells[i] += left < 0 ? left : left / growing;
			left = left < 0 ? 0 : left; /* the first alone has less */
		}
	}
	return layout;
}

/* ---- drawing ---- */

/* How many cells a text that stands inside another's place is sure to have, with the gap before it. */
static int list_reserved(struct list_cell c)
{
	const struct column *column = &c.l.rows->columns[c.column];
	int cells = draw_cells(list_text(&c));
	int most = column->is_right ? cells : column->cells;
	cells = cells < most ? cells : most;
	return cells == 0 ? 0 : cells + (column->gap > 0 ? column->gap : 1);
}

static enum style list_style(const struct list_cell *c, bool is_chosen)
{
	const struct column *column = &c->l.rows->columns[c->column];
	return is_chosen ? STYLE_CHOSEN : column->style != NULL ? column->style(c) : column->look;
}

/* A column, and those inside its place. Returns the next one. */
static size_t list_draw_place(struct list_cell c, struct grid *g, int y,
			      const struct list_layout *layout, bool has_cursor)
{
	size_t first = c.column;
	int x = layout->x[first];
	int end = x + layout->cells[first];
	do {
		const struct column *column = &c.l.rows->columns[c.column];
		bool is_chosen = has_cursor && c.column == list_column(c.l);
		int gap = x == layout->x[first] ? 0 : column->gap > 0 ? column->gap : 1;
		struct list_cell next = c;
		c.cells = end - x - gap;
		while (list_is_inside(c.l, ++next.column, c.width)) {
			c.cells -= list_reserved(next);
		}
		const char *text = list_text(&c);
		if (is_chosen && text[0] == '\0') {
			text = "_"; /* an empty field shows the cursor without colours, too */
		}
		int cells = draw_cells(text);
		bool is_sure = column->inside_below != COLUMN_INSIDE || column->cells > 0 ||
			       column->is_right;
		if (cells == 0 || (cells > c.cells && !is_sure && c.cells < LIST_BEHIND_LEAST)) {
			continue;
		}
		int to = column->is_right && cells < c.cells ? end - cells : x + gap;
		x = to + draw_cut(g, to, y, list_style(&c, is_chosen), text, c.cells, c.l.signs);
	} while (list_is_inside(c.l, ++c.column, c.width));
	return c.column;
}

static void list_draw_row(struct listing l, struct grid *g, int y, size_t at,
			  const struct list_layout *layout, bool has_cursor)
{
	char out[COLUMN_TEXT_BYTES];
	struct list_cell c = {
		.l = l, .row = list_record(l, at), .at = at, .width = g->width, .out = out};
	const char *mark = l.rows->mark == NULL ? NULL : l.rows->mark(&c);
	if (mark != NULL) {
		(void)grid_text(g, LIST_X - 1, y, STYLE_GOOD, mark, 1);
	}
	while (c.column < l.rows->columns_n) {
		c.column = list_draw_place(c, g, y, layout, has_cursor);
	}
	if (has_cursor) {
		(void)grid_text(g, LIST_X - 2, y, STYLE_STRONG, ">", 1);
		grid_cursor(g, layout->x[list_column(l)], y);
	}
	grid_mark(g, 0, y, g->width, 1, (struct spot){l.spot, (uint32_t)list_key_of(l, at)});
}

void list_draw_titles(struct listing l, struct grid *g, int y)
{
	struct list_layout layout = list_lay_out(l, g->width);
	for (size_t i = 0; i < l.rows->columns_n; i++) {
		const struct column *c = &l.rows->columns[i];
		bool is_here = l.rows->is_table && i == l.list->column;
		const char *title = list_title(l, i);
		int cells = layout.cells[i] <= 0 ? 0 : draw_cells(title);
		int gap = c->is_right && cells < layout.cells[i] ? layout.cells[i] - cells : 0;
		(void)draw_cut(g, layout.x[i] + gap, y, is_here ? STYLE_STRONG : STYLE_DIM, title,
			       cells, l.signs);
	}
}

void list_draw_folded(struct listing l, struct grid *g, int y)
{
	char out[COLUMN_TEXT_BYTES];
	struct list_layout layout = list_lay_out(l, g->width);
	struct list_cell c = {
		.l = l, .row = list_row(l), .at = list_at(l), .cells = g->width, .out = out};
	int x = LIST_X;
	for (; c.row != NULL && c.column < l.rows->columns_n; c.column++) {
		const char *text = layout.cells[c.column] > 0 ? "" : list_text(&c);
		if (text[0] != '\0' && x > LIST_X) {
			x += grid_text(g, x, y, STYLE_DIM, l.signs->dot, -1);
		}
		x += draw_cut(g, x, y, STYLE_DIM, text, g->width - 1 - x, l.signs);
	}
}

/* The cursor stays in the middle where there is more on both sides. */
void list_draw(struct listing l, struct grid *g, int y, int height, bool has_cursor)
{
	struct list beside = {0};
	l.list = has_cursor ? l.list : &beside;
	struct list_place p = list_place(l, list_cursor(l));
	size_t fit = height < 0 ? 0 : (size_t)height;
	l.list->page = (size_t)draw_page(height);
	size_t last_top = p.n > fit ? p.n - fit : 0;
	size_t top = p.at < fit / 2 ? 0 : p.at - fit / 2;
	top = top > last_top ? last_top : top;
	size_t nth = 0;
	struct list_layout layout = list_lay_out(l, g->width);
	for (size_t i = 0, n = list_rows_n(l); i < n && nth < top + fit; i++) {
		if (!list_shows(l, i, p.filter) || nth++ < top) {
			continue;
		}
		bool is_here = has_cursor && nth == p.at + 1;
		list_draw_row(l, g, y, i, &layout, is_here);
		y++;
	}
}

/* ---- text ---- */

static size_t list_tops(struct listing l)
{
	return l.list->tops == 0 ? LIST_LINES_MAX : l.list->tops;
}

const struct list_rows list_of_text = {.count = list_tops};

int list_scroll(struct listing l, int lines, int height)
{
	l.list->tops = lines > height ? (size_t)(lines - height) + 1 : 1;
	l.list->page = (size_t)draw_page(height);
	return (int)list_at(l);
}
