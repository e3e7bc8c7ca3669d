/*
 * list.c - see list.h.
 */
#include "client/tui/list.h"

#include <string.h>

#include "client/model/memory.h"
#include "client/tui/draw.h"
#include "client/tui/tui.h"
#include "proto/limits.h"
#include "proto/text.h"

enum {
	LIST_PAGE = 8, /* of what was not drawn yet */
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
	return l.rows->count == NULL ? l.rows->n : l.rows->count(l);
}

static bool list_shows(struct listing l, size_t row, const char *filter)
{
	return l.rows->shows == NULL || l.rows->shows(l, row, filter);
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
	for (size_t i = 0; l.list->is_kept && l.rows->key != NULL && i < n; i++) {
		if (l.rows->key(l, i) == l.list->key) {
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

void list_go(struct listing l, size_t row)
{
	if (row < list_rows_n(l)) {
		l.list->at = row;
		l.list->is_kept = row > 0 || !l.rows->newest_first;
		l.list->key = l.rows->key == NULL ? 0 : l.rows->key(l, row);
	}
}

bool list_find(struct listing l, uint32_t which, size_t *row)
{
	for (size_t i = 0, n = list_rows_n(l); i < n; i++) {
		uint64_t key = l.rows->key == NULL ? i : l.rows->key(l, i);
		if ((uint32_t)key == which && list_shows(l, i, "")) {
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

/* ---- drawing ---- */

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
	for (size_t i = 0, n = list_rows_n(l); i < n && nth < top + fit; i++) {
		if (!list_shows(l, i, p.filter) || nth++ < top) {
			continue;
		}
		bool is_here = has_cursor && nth == p.at + 1;
		uint64_t key = l.rows->key == NULL ? i : l.rows->key(l, i);
		l.rows->draw(l, g, y, i, is_here);
		if (is_here) {
			(void)grid_text(g, l.rows->sign_x, y, STYLE_STRONG, ">", 1);
			grid_cursor(g, l.rows->cursor_x, y);
		}
		grid_mark(g, 0, y, g->width, 1, (struct spot){l.spot, (uint32_t)key});
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
