/*
 * text_editor.c - see text_editor.h.
 */
#include "client/tui/text_editor.h"

#include <string.h>

#include "client/tui/draw.h"
#include "client/tui/line_editor.h"
#include "client/tui/tui.h"
#include "proto/format.h"
#include "proto/text.h"

enum {
	SHEET_CHUNK_BYTES = 400, /* of what is inserted at once: softened it is three times that */
	SHEET_WIDTH_FIRST = 76,	 /* before it was drawn */
	SHEET_ROW_BYTES_MAX = 4096
};

static size_t sheet_line_start(const struct sheet *s, size_t at)
{
	while (at > 0 && s->text[at - 1] != '\n') {
		at--;
	}
	return at;
}

static size_t sheet_line_end(const struct sheet *s, size_t at)
{
	while (at < s->len && s->text[at] != '\n') {
		at++;
	}
	return at;
}

static struct slice sheet_line(const struct sheet *s, size_t start)
{
	return slice_of(s->text + start, sheet_line_end(s, start) - start);
}

/* ---- changing ---- */

/* The bytes from `from` to `to` become these; false where they do not fit. */
static bool sheet_splice(struct sheet *s, size_t from, size_t to, const char *text, size_t len)
{
	if (s->len - (to - from) + len > s->bytes_max) {
		return false;
	}
	memmove(s->text + from + len, s->text + to, s->len - to);
	memcpy(s->text + from, text, len);
	s->len = s->len - (to - from) + len;
	s->text[s->len] = '\0';
	s->cursor = from + len;
	return true;
}

/* Text of one line; what comes before it on the line may compose with it. */
static bool sheet_insert_piece(struct sheet *s, const char *text, size_t len)
{
	char raw[2 * SHEET_CHUNK_BYTES];
	char soft[4 * SHEET_CHUNK_BYTES];
	size_t start = sheet_line_start(s, s->cursor);
	size_t from = start + line_editor_grapheme_before(sheet_line(s, start), s->cursor - start);
	size_t before = s->cursor - from;
	if (before > SHEET_CHUNK_BYTES) {
		before = 0;
	}
	from = s->cursor - before;
	memcpy(raw, s->text + from, before);
	for (size_t i = 0; i < len; i++) {
		unsigned char byte = (unsigned char)text[i];
		raw[before + i] = byte < 0x20 || byte == 0x7f ? ' ' : (char)byte;
	}
	size_t n = line_editor_soften(raw, before + len, soft, sizeof(soft));
	return n <= sizeof(soft) && sheet_splice(s, from, s->cursor, soft, n);
}

static bool sheet_insert_line(struct sheet *s, struct slice line)
{
	for (size_t at = 0; at < line.len;) {
		size_t n = line.len - at < SHEET_CHUNK_BYTES ? line.len - at : SHEET_CHUNK_BYTES;
		while (at + n < line.len && n > 1 &&
		       ((unsigned char)line.data[at + n] & 0xc0) == 0x80) {
			n--;
		}
		if (!sheet_insert_piece(s, line.data + at, n)) {
			return false;
		}
		at += n;
	}
	return true;
}

void text_editor_insert(struct sheet *s, struct slice text)
{
	size_t at = 0;
	s->goal = -1;
	while (at < text.len) {
		size_t n = 0;
		while (at + n < text.len && text.data[at + n] != '\n' &&
		       text.data[at + n] != '\r') {
			n++;
		}
		if (!sheet_insert_line(s, slice_of(text.data + at, n))) {
			return;
		}
		at += n;
		if (at == text.len || !sheet_splice(s, s->cursor, s->cursor, "\n", 1)) {
			return;
		}
		at += text.data[at] == '\r' && at + 1 < text.len && text.data[at + 1] == '\n' ? 2
											      : 1;
	}
}

void text_editor_set(struct sheet *s, const char *text, size_t bytes_max)
{
	s->len = 0;
	s->cursor = 0;
	s->text[0] = '\0';
	s->bytes_max = bytes_max < SHEET_BYTES_MAX ? bytes_max : SHEET_BYTES_MAX;
	s->top = 0;
	s->width = SHEET_WIDTH_FIRST;
	text_editor_insert(s, slice_str(text));
}

void text_editor_replace(struct sheet *s, const char *text)
{
	size_t cursor = s->cursor == s->len ? SIZE_MAX : s->cursor;
	int top = s->top;
	int width = s->width;
	text_editor_set(s, text, s->bytes_max);
	s->top = top;
	s->width = width;
	if (cursor < s->len) {
		size_t start = sheet_line_start(s, cursor);
		size_t at = 0;
		size_t cells;
		while (start + at < cursor &&
		       text_next(sheet_line(s, start), &at, &cells).len > 0) {
		}
		s->cursor = start + at;
	}
}

/* ---- rows ---- */

struct sheet_row {
	size_t start;
	size_t end;  /* of what is shown */
	size_t next; /* start of the next one; behind the end of the text there is none */
};

/* As many graphemes as fit, broken behind the last blank among them where there is one. */
static struct sheet_row sheet_row_at(const struct sheet *s, size_t start)
{
	struct slice line = sheet_line(s, start);
	size_t at = 0;
	size_t blank = 0;
	size_t used = 0;
	while (at < line.len) {
		size_t begin = at;
		size_t cells = 0;
		if (text_next(line, &at, &cells).len == 0) {
			break;
		}
		if (used + cells > (size_t)s->width && begin > 0) {
			size_t end = blank > 0 ? blank : begin;
			return (struct sheet_row){start, start + end - (blank > 0 ? 1 : 0),
						  start + end};
		}
		used += cells;
		blank = line.data[begin] == ' ' ? at : blank;
	}
	return (struct sheet_row){start, start + line.len, start + line.len + 1};
}

/* The row the cursor is on, and which one it is. */
static struct sheet_row sheet_cursor_row(const struct sheet *s, int *index)
{
	struct sheet_row row = sheet_row_at(s, 0);
	*index = 0;
	while (row.next <= s->cursor && row.next <= s->len) {
		row = sheet_row_at(s, row.next);
		(*index)++;
	}
	return row;
}

static int sheet_cursor_x(const struct sheet *s, const struct sheet_row *row)
{
	return (int)text_cells(slice_of(s->text + row->start, s->cursor - row->start));
}

/* ---- moving ---- */

static void sheet_left(struct sheet *s)
{
	size_t start = sheet_line_start(s, s->cursor);
	if (s->cursor == start) {
		s->cursor -= start > 0 ? 1 : 0;
	} else {
		s->cursor = start +
			    line_editor_grapheme_before(sheet_line(s, start), s->cursor - start);
	}
}

static void sheet_right(struct sheet *s)
{
	if (s->cursor < s->len && s->text[s->cursor] == '\n') {
		s->cursor++;
	} else {
		size_t start = sheet_line_start(s, s->cursor);
		size_t at = s->cursor - start;
		size_t cells;
		(void)text_next(sheet_line(s, start), &at, &cells);
		s->cursor = start + at;
	}
}

/* To the row with that index, or the last, at the column that is kept to. */
static void sheet_go_row(struct sheet *s, int index)
{
	struct sheet_row row = sheet_row_at(s, 0);
	for (int i = 0; i < index && row.next <= s->len; i++) {
		row = sheet_row_at(s, row.next);
	}
	struct slice shown = slice_of(s->text + row.start, row.end - row.start);
	size_t at = text_fit(shown, (size_t)s->goal);
	if (row.start + at >=
	    row.next) { /* broken without a blank: its end is the next one's start */
		at = line_editor_grapheme_before(shown, at);
	}
	s->cursor = row.start + at;
}

static void sheet_move_rows(struct sheet *s, int by)
{
	int index;
	struct sheet_row row = sheet_cursor_row(s, &index);
	if (s->goal < 0) {
		s->goal = sheet_cursor_x(s, &row);
	}
	sheet_go_row(s, index + by < 0 ? 0 : index + by);
}

static bool sheet_move(struct sheet *s, int32_t key)
{
	enum { CTRL_A = 1, CTRL_E = 5 };
	int goal = s->goal;
	s->goal = -1;
	switch (key) {
	case TUI_KEY_LEFT:
		sheet_left(s);
		return true;
	case TUI_KEY_RIGHT:
		sheet_right(s);
		return true;
	case TUI_KEY_HOME:
	case CTRL_A:
		s->cursor = sheet_line_start(s, s->cursor);
		return true;
	case TUI_KEY_END:
	case CTRL_E:
		s->cursor = sheet_line_end(s, s->cursor);
		return true;
	case TUI_KEY_UP:
	case TUI_KEY_DOWN:
		s->goal = goal;
		sheet_move_rows(s, key == TUI_KEY_UP ? -1 : 1);
		return true;
	case TUI_KEY_PAGE_UP:
	case TUI_KEY_PAGE_DOWN:
		s->goal = goal;
		sheet_move_rows(s,
				key == TUI_KEY_PAGE_UP ? -draw_page(s->rows) : draw_page(s->rows));
		return true;
	}
	return false;
}

/* ---- deleting ---- */

/* What lies between the cursor and where `move` takes it. */
static void sheet_erase(struct sheet *s, void (*move)(struct sheet *))
{
	size_t was = s->cursor;
	move(s);
	size_t from = s->cursor < was ? s->cursor : was;
	(void)sheet_splice(s, from, s->cursor < was ? was : s->cursor, "", 0);
}

static void sheet_to_word(struct sheet *s)
{
	size_t start = sheet_line_start(s, s->cursor);
	while (s->cursor > start && s->text[s->cursor - 1] == ' ') {
		s->cursor--;
	}
	while (s->cursor > start && s->text[s->cursor - 1] != ' ') {
		s->cursor--;
	}
}

static void sheet_to_start(struct sheet *s)
{
	s->cursor = sheet_line_start(s, s->cursor);
}

/* At the end of a line its end goes, as in every editor. */
static void sheet_to_end(struct sheet *s)
{
	size_t end = sheet_line_end(s, s->cursor);
	s->cursor = end == s->cursor && end < s->len ? end + 1 : end;
}

bool text_editor_take_key(struct sheet *s, int32_t key)
{
	enum { CTRL_D = 4, CTRL_H = 8, CTRL_K = 11, CTRL_U = 21, CTRL_W = 23, DEL = 127 };
	char bytes[4];
	size_t n;

	if (sheet_move(s, key)) {
		return true;
	}
	switch (key) {
	case TUI_KEY_ENTER:
		(void)sheet_splice(s, s->cursor, s->cursor, "\n", 1);
		return true;
	case TUI_KEY_BACKSPACE:
	case CTRL_H:
	case DEL:
		sheet_erase(s, sheet_left);
		return true;
	case TUI_KEY_DELETE:
	case CTRL_D:
		sheet_erase(s, sheet_right);
		return true;
	case CTRL_K:
		sheet_erase(s, sheet_to_end);
		return true;
	case CTRL_U:
		sheet_erase(s, sheet_to_start);
		return true;
	case CTRL_W:
		sheet_erase(s, sheet_to_word);
		return true;
	}
	if (!line_editor_character(key, bytes, &n)) {
		return false;
	}
	if (n > 0) {
		(void)sheet_insert_piece(s, bytes, n);
	}
	return true;
}

/* ---- drawing ---- */

void text_editor_draw(struct sheet *s, struct grid *g, int x, int y, int width, int height)
{
	int index;
	if (width < 2 || height < 1) {
		return;
	}
	s->rows = height;
	s->width = width - 1; /* behind the last cell the cursor has its own */
	struct sheet_row cursor_row = sheet_cursor_row(s, &index);
	s->top = index < s->top ? index : index >= s->top + height ? index - height + 1 : s->top;
	struct sheet_row row = sheet_row_at(s, 0);
	for (int i = 0; i < s->top + height; i++) {
		char line[SHEET_ROW_BYTES_MAX];
		if (i >= s->top) {
			(void)format_to(line, sizeof(line), "%.*s", (int)(row.end - row.start),
					s->text + row.start);
			(void)grid_text(g, x, y + i - s->top, STYLE_TEXT, line, s->width);
		}
		if (row.next > s->len) {
			break;
		}
		row = sheet_row_at(s, row.next);
	}
	int at = sheet_cursor_x(s, &cursor_row);
	grid_cursor(g, x + (at > s->width ? s->width : at), y + index - s->top);
}
