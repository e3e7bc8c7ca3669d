/*
 * text_editor.c - see text_editor.h.
 */
#include "client/tui/widgets/text_editor.h"

#include <string.h>

#include "client/tui/widgets/draw.h"
#include "client/tui/widgets/line_editor.h"
#include "client/tui/widgets/keys.h"
#include "proto/base/format.h"
#include "proto/text/text.h"

enum {
	SHEET_CHUNK_BYTES = 400, /* of what is inserted at once: softened it is three times that */
	SHEET_WIDTH_FIRST = 76,	 /* before it was drawn */
	SHEET_ROW_BYTES_MAX = 4096
};

static size_t text_editor_line_start(const struct text_editor *s, size_t at)
{
	while (at > 0 && s->text[at - 1] != '\n') {
		at--;
	}
	return at;
}

static size_t text_editor_line_end(const struct text_editor *s, size_t at)
{
	while (at < s->len && s->text[at] != '\n') {
		at++;
	}
	return at;
}

static struct slice text_editor_line(const struct text_editor *s, size_t start)
{
	return slice_of(s->text + start, text_editor_line_end(s, start) - start);
}

/* ---- changing ---- */

/* The bytes from `from` to `to` become these; false where they do not fit. */
static bool text_editor_splice(struct text_editor *s, size_t from, size_t to, const char *text,
			       size_t len)
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
static bool text_editor_insert_piece(struct text_editor *s, const char *text, size_t len)
{
	char raw[2 * SHEET_CHUNK_BYTES];
	char soft[4 * SHEET_CHUNK_BYTES];
	size_t start = text_editor_line_start(s, s->cursor);
	size_t from =
		start + line_editor_grapheme_before(text_editor_line(s, start), s->cursor - start);
	size_t before = s->cursor - from;
	if (before > SHEET_CHUNK_BYTES) {
		before = 0;
	}
	from = s->cursor - before;
	memcpy(raw, s->text + from, before);
	for (size_t i = 0; i < len; i++) {
		unsigned char byte = (unsigned char)text[i];
		bool is_control = (byte < 0x20 && byte != '\t') || byte == 0x7f;
		raw[before + i] = is_control ? ' ' : (char)byte;
	}
	size_t n = text_soften_lines(slice_of(raw, before + len), soft, sizeof(soft));
	return n <= sizeof(soft) && text_editor_splice(s, from, s->cursor, soft, n);
}

/* Between two characters of which none joins the other. */
static bool text_editor_may_cut(struct slice line, size_t at)
{
	static const char joiner[] = "\xe2\x80\x8d";
	enum { JOINER_BYTES = sizeof(joiner) - 1 };
	bool is_joined = at >= JOINER_BYTES &&
			 memcmp(line.data + at - JOINER_BYTES, joiner, JOINER_BYTES) == 0;
	return !is_joined && ((unsigned char)line.data[at] & 0xc0) != 0x80;
}

static bool text_editor_insert_line(struct text_editor *s, struct slice line)
{
	for (size_t at = 0; at < line.len;) {
		size_t n = line.len - at < SHEET_CHUNK_BYTES ? line.len - at : SHEET_CHUNK_BYTES;
		while (at + n < line.len && n > 1 && !text_editor_may_cut(line, at + n)) {
			n--;
		}
		if (!text_editor_insert_piece(s, line.data + at, n)) {
			return false;
		}
		at += n;
	}
	return true;
}

void text_editor_insert(struct text_editor *s, struct slice text)
{
	size_t at = 0;
	s->goal = -1;
	while (at < text.len) {
		size_t n = 0;
		while (at + n < text.len && text.data[at + n] != '\n' &&
		       text.data[at + n] != '\r') {
			n++;
		}
		if (!text_editor_insert_line(s, slice_of(text.data + at, n))) {
			return;
		}
		at += n;
		if (at == text.len || !text_editor_splice(s, s->cursor, s->cursor, "\n", 1)) {
			return;
		}
		at += text.data[at] == '\r' && at + 1 < text.len && text.data[at + 1] == '\n' ? 2
											      : 1;
	}
}

void text_editor_set(struct text_editor *s, const char *text, size_t bytes_max)
{
	s->len = 0;
	s->cursor = 0;
	s->text[0] = '\0';
	s->bytes_max = bytes_max < SHEET_BYTES_MAX ? bytes_max : SHEET_BYTES_MAX;
	s->top = 0;
	s->width = SHEET_WIDTH_FIRST;
	text_editor_insert(s, slice_str(text));
}

void text_editor_replace(struct text_editor *s, const char *text)
{
	size_t cursor = s->cursor == s->len ? SIZE_MAX : s->cursor;
	int top = s->top;
	int width = s->width;
	text_editor_set(s, text, s->bytes_max);
	s->top = top;
	s->width = width;
	if (cursor < s->len) {
		size_t start = text_editor_line_start(s, cursor);
		size_t at = 0;
		size_t cells;
		while (start + at < cursor &&
		       text_next(text_editor_line(s, start), &at, 0, &cells).len > 0) {
		}
		s->cursor = start + at;
	}
}

/* ---- rows ---- */

struct text_editor_row {
	size_t start;
	size_t end;  /* of what is shown */
	size_t next; /* start of the next one; behind the end of the text there is none */
};

/* As many graphemes as fit, broken behind the last blank among them where there is one. */
static struct text_editor_row text_editor_row_at(const struct text_editor *s, size_t start)
{
	struct slice line = text_editor_line(s, start);
	size_t at = 0;
	size_t blank = 0;
	size_t used = 0;
	while (at < line.len) {
		size_t begin = at;
		size_t cells = 0;
		if (text_next(line, &at, used, &cells).len == 0) {
			break;
		}
		if (used + cells > (size_t)s->width && begin > 0) {
			size_t end = blank > 0 ? blank : begin;
			return (struct text_editor_row){start, start + end - (blank > 0 ? 1 : 0),
							start + end};
		}
		used += cells;
		blank = line.data[begin] == ' ' || line.data[begin] == '\t' ? at : blank;
	}
	return (struct text_editor_row){start, start + line.len, start + line.len + 1};
}

/* The row the cursor is on, and which one it is. */
static struct text_editor_row text_editor_cursor_row(const struct text_editor *s, int *index)
{
	struct text_editor_row row = text_editor_row_at(s, 0);
	*index = 0;
	while (row.next <= s->cursor && row.next <= s->len) {
		row = text_editor_row_at(s, row.next);
		(*index)++;
	}
	return row;
}

static int text_editor_cursor_x(const struct text_editor *s, const struct text_editor_row *row)
{
	return (int)text_cells(slice_of(s->text + row->start, s->cursor - row->start));
}

/* ---- moving ---- */

static void text_editor_left(struct text_editor *s)
{
	size_t start = text_editor_line_start(s, s->cursor);
	if (s->cursor == start) {
		s->cursor -= start > 0 ? 1 : 0;
	} else {
		s->cursor = start + line_editor_grapheme_before(text_editor_line(s, start),
								s->cursor - start);
	}
}

static void text_editor_right(struct text_editor *s)
{
	if (s->cursor < s->len && s->text[s->cursor] == '\n') {
		s->cursor++;
	} else {
		size_t start = text_editor_line_start(s, s->cursor);
		size_t at = s->cursor - start;
		size_t cells;
		(void)text_next(text_editor_line(s, start), &at, 0, &cells);
		s->cursor = start + at;
	}
}

/* To the row with that index, or the last, at the column that is kept to. */
static void text_editor_go_row(struct text_editor *s, int index)
{
	struct text_editor_row row = text_editor_row_at(s, 0);
	for (int i = 0; i < index && row.next <= s->len; i++) {
		row = text_editor_row_at(s, row.next);
	}
	struct slice shown = slice_of(s->text + row.start, row.end - row.start);
	size_t at = text_fit(shown, (size_t)s->goal);
	if (row.start + at >=
	    row.next) { /* broken without a blank: its end is the next one's start */
		at = line_editor_grapheme_before(shown, at);
	}
	s->cursor = row.start + at;
}

static void text_editor_move_rows(struct text_editor *s, int by)
{
	int index;
	struct text_editor_row row = text_editor_cursor_row(s, &index);
	if (s->goal < 0) {
		s->goal = text_editor_cursor_x(s, &row);
	}
	text_editor_go_row(s, index + by < 0 ? 0 : index + by);
}

static bool text_editor_move(struct text_editor *s, int32_t key)
{
	enum { CTRL_A = 1, CTRL_E = 5 };
	int goal = s->goal;
	s->goal = -1;
	switch (key) {
	case TUI_KEY_LEFT:
		text_editor_left(s);
		return true;
	case TUI_KEY_RIGHT:
		text_editor_right(s);
		return true;
	case TUI_KEY_HOME:
	case CTRL_A:
		s->cursor = text_editor_line_start(s, s->cursor);
		return true;
	case TUI_KEY_END:
	case CTRL_E:
		s->cursor = text_editor_line_end(s, s->cursor);
		return true;
	case TUI_KEY_UP:
	case TUI_KEY_DOWN:
		s->goal = goal;
		text_editor_move_rows(s, key == TUI_KEY_UP ? -1 : 1);
		return true;
	case TUI_KEY_PAGE_UP:
	case TUI_KEY_PAGE_DOWN:
		s->goal = goal;
		text_editor_move_rows(s, key == TUI_KEY_PAGE_UP ? -draw_page(s->rows)
								: draw_page(s->rows));
		return true;
	}
	return false;
}

/* ---- deleting ---- */

/* What lies between the cursor and where `move` takes it. */
static void text_editor_erase(struct text_editor *s, void (*move)(struct text_editor *))
{
	size_t was = s->cursor;
	move(s);
	size_t from = s->cursor < was ? s->cursor : was;
	(void)text_editor_splice(s, from, s->cursor < was ? was : s->cursor, "", 0);
}

static void text_editor_to_word(struct text_editor *s)
{
	size_t start = text_editor_line_start(s, s->cursor);
	while (s->cursor > start && s->text[s->cursor - 1] == ' ') {
		s->cursor--;
	}
	while (s->cursor > start && s->text[s->cursor - 1] != ' ') {
		s->cursor--;
	}
}

static void text_editor_to_start(struct text_editor *s)
{
	s->cursor = text_editor_line_start(s, s->cursor);
}

/* At the end of a line its end goes, as in every editor. */
static void text_editor_to_end(struct text_editor *s)
{
	size_t end = text_editor_line_end(s, s->cursor);
	s->cursor = end == s->cursor && end < s->len ? end + 1 : end;
}

/*
 * Whether it may stand anywhere in a text: after a letter of a script that joins its letters every
 * joiner may. What softening would replace the server would refuse.
 */
static bool text_editor_may_type(const char *character, size_t len)
{
	enum { LETTER_BYTES = 2 };
	char probe[8] = "\xd8\xa8";
	char clean[16];
	memcpy(probe + LETTER_BYTES, character, len);
	size_t n = text_soften_lines(slice_of(probe, LETTER_BYTES + len), clean, sizeof(clean));
	return n > LETTER_BYTES && memcmp(clean + LETTER_BYTES, "\xef\xbf\xbd", 3) != 0;
}

static bool text_editor_type(struct text_editor *s, int32_t key)
{
	char bytes[4];
	size_t n = line_editor_encode(key, bytes);
	if (n > 0 && text_editor_may_type(bytes, n)) {
		(void)text_editor_insert_piece(s, bytes, n);
	}
	return n > 0;
}

bool text_editor_take_key(struct text_editor *s, int32_t key)
{
	enum { CTRL_D = 4, CTRL_H = 8, CTRL_K = 11, CTRL_U = 21, CTRL_W = 23, DEL = 127 };
	if (text_editor_move(s, key)) {
		return true;
	}
	switch (key) {
	case TUI_KEY_ENTER:
		(void)text_editor_splice(s, s->cursor, s->cursor, "\n", 1);
		return true;
	case TUI_KEY_BACKSPACE:
	case CTRL_H:
	case DEL:
		text_editor_erase(s, text_editor_left);
		return true;
	case TUI_KEY_DELETE:
	case CTRL_D:
		text_editor_erase(s, text_editor_right);
		return true;
	case CTRL_K:
		text_editor_erase(s, text_editor_to_end);
		return true;
	case CTRL_U:
		text_editor_erase(s, text_editor_to_start);
		return true;
	case CTRL_W:
		text_editor_erase(s, text_editor_to_word);
		return true;
	}
	return text_editor_type(s, key);
}

/* ---- drawing ---- */

void text_editor_draw(struct text_editor *s, struct grid *g, int x, int y, int width, int height)
{
	int index;
	if (width < 2 || height < 1) {
		return;
	}
	s->rows = height;
	s->width = width - 1; /* behind the last cell the cursor has its own */
	struct text_editor_row cursor_row = text_editor_cursor_row(s, &index);
	s->top = index < s->top ? index : index >= s->top + height ? index - height + 1 : s->top;
	struct text_editor_row row = text_editor_row_at(s, 0);
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
		row = text_editor_row_at(s, row.next);
	}
	if (s->len == 0) {
		(void)grid_text(g, x + 1, y, STYLE_DIM, "Nothing here yet. Start typing",
				s->width - 1);
	}
	int at = text_editor_cursor_x(s, &cursor_row);
	grid_cursor(g, x + (at > s->width ? s->width : at), y + index - s->top);
}
