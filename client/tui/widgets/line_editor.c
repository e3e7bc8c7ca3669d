/*
 * line_editor.c - see line_editor.h.
 */
#include "client/tui/widgets/line_editor.h"

#include <string.h>

#include "client/tui/widgets/keys.h"
#include "proto/text/text.h"

/* Keeps the ends from being trimmed while softening; nothing composes with it. */
#define EDIT_FENCE '|'

enum { EDIT_PASTE_BYTES_MAX = EDIT_BYTES_MAX - 1 };

/* Soften without trimming the ends; more than cap where it does not fit. */
static size_t edit_soften(const char *text, size_t len, char *out, size_t cap)
{
	char fenced[2 * EDIT_BYTES_MAX + 2];
	char soft[2 * EDIT_BYTES_MAX + 2];
	fenced[0] = EDIT_FENCE;
	memcpy(fenced + 1, text, len);
	fenced[len + 1] = EDIT_FENCE;
	size_t n = text_soften(slice_of(fenced, len + 2), soft, sizeof(soft));
	if (n < 2 || soft[0] != EDIT_FENCE || soft[n - 1] != EDIT_FENCE || n - 2 > cap) {
		return cap + 1;
	}
	memcpy(out, soft + 1, n - 2);
	return n - 2;
}

void line_editor_set(struct line_editor *e, const char *text)
{
	*e = (struct line_editor){0};
	if (text != NULL) {
		line_editor_insert(e, slice_str(text));
	}
}

void line_editor_offer(struct line_editor *e, const char *text)
{
	line_editor_set(e, text);
	e->is_offered = e->len > 0;
}

/*
 * The head (all before the cursor) becomes the softened bytes of head; false where that would not
 * fit.
 */
static bool edit_put_head(struct line_editor *e, const char *head, size_t head_len)
{
	char soft[EDIT_BYTES_MAX];
	size_t tail_len = e->len - e->cursor;
	size_t room = sizeof(e->text) - 1 - tail_len;
	size_t n = edit_soften(head, head_len, soft, room);
	if (n > room) {
		return false;
	}
	memmove(e->text + n, e->text + e->cursor, tail_len);
	memcpy(e->text, soft, n);
	e->cursor = n;
	e->len = n + tail_len;
	e->text[e->len] = '\0';
	return true;
}

void line_editor_insert(struct line_editor *e, struct slice text)
{
	char head[2 * EDIT_BYTES_MAX];
	size_t n = text.len < EDIT_PASTE_BYTES_MAX ? text.len : EDIT_PASTE_BYTES_MAX;
	if (e->is_offered) {
		*e = (struct line_editor){0};
	}
	while (n < text.len && n > 0 && ((unsigned char)text.data[n] & 0xc0) == 0x80) {
		n--;
	}
	memcpy(head, e->text, e->cursor);
	for (size_t i = 0; i < n; i++) {
		unsigned char byte = (unsigned char)text.data[i];
		head[e->cursor + i] = byte < 0x20 || byte == 0x7f ? ' ' : (char)byte;
	}
	while (n > 0 && !edit_put_head(e, head, e->cursor + n)) {
		/* Too long: take less of it, up to a character's end. */
		n /= 2;
		while (n > 0 && ((unsigned char)text.data[n] & 0xc0) == 0x80) {
			n--;
		}
	}
}

void line_editor_replace(struct line_editor *e, size_t start, struct slice text)
{
	if (start > e->cursor || text.len >= sizeof(e->text) - e->len) {
		return;
	}
	e->is_offered = false;
	memmove(e->text + start, e->text + e->cursor, e->len - e->cursor);
	e->len -= e->cursor - start;
	e->cursor = start;
	e->text[e->len] = '\0';
	line_editor_insert(e, text);
}

size_t line_editor_grapheme_before(struct slice line, size_t cursor)
{
	size_t at = 0;
	size_t begin = 0;
	while (at < cursor) {
		size_t cells;
		begin = at;
		if (text_next(line, &at, 0, &cells).len == 0) {
			break;
		}
	}
	return begin;
}

static size_t edit_before(const struct line_editor *e)
{
	return line_editor_grapheme_before(slice_of(e->text, e->len), e->cursor);
}

static size_t edit_after(const struct line_editor *e)
{
	size_t at = e->cursor;
	size_t cells;
	(void)text_next(slice_of(e->text, e->len), &at, 0, &cells);
	return at;
}

/* Of a line that is only offered the first key that erases takes all. */
static void edit_erase(struct line_editor *e, size_t from, size_t to)
{
	if (e->is_offered) {
		*e = (struct line_editor){0};
		return;
	}
	memmove(e->text + from, e->text + to, e->len - to);
	e->len -= to - from;
	e->cursor = from;
	e->text[e->len] = '\0';
}

/* Start of the word before the cursor, as ^W takes it. */
static size_t edit_word(const struct line_editor *e)
{
	size_t at = e->cursor;
	while (at > 0 && e->text[at - 1] == ' ') {
		at--;
	}
	while (at > 0 && e->text[at - 1] != ' ') {
		at--;
	}
	return at;
}

size_t line_editor_encode(int32_t key, char out[4])
{
	if (key < 0x20 || (key >= 0x7f && key < 0xa0) || key > 0x10ffff ||
	    (key >= 0xd800 && key < 0xe000)) {
		return 0;
	}
	if (key < 0x80) {
		out[0] = (char)key;
		return 1;
	}
	size_t n = key < 0x800 ? 2 : key < 0x10000 ? 3 : 4;
	static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
	for (size_t i = n - 1; i > 0; i--) {
		out[i] = (char)(0x80 | (key & 0x3f));
		key >>= 6;
	}
	out[0] = (char)(lead[n] | key);
	return n;
}

/* A character that softening would replace is one that the server would refuse: it does not get in. */
static bool edit_may_type(const char *character, size_t len)
{
	char clean[16];
	char probe[8] = "a";
	memcpy(probe + 1, character, len);
	size_t soft = edit_soften(probe, len + 1, clean, sizeof(clean));
	bool is_replaced = soft == 4 && memcmp(clean + 1, "\xef\xbf\xbd", 3) == 0;
	return soft > 1 && soft <= sizeof(clean) && !is_replaced;
}

static bool edit_type(struct line_editor *e, int32_t key)
{
	char bytes[4];
	size_t n = line_editor_encode(key, bytes);
	if (n > 0 && edit_may_type(bytes, n)) {
		line_editor_insert(e, slice_of(bytes, n));
	}
	return n > 0;
}

bool line_editor_take_key(struct line_editor *e, int32_t key)
{
	enum {
		CTRL_A = 1,
		CTRL_D = 4,
		CTRL_E,
		CTRL_H = 8,
		CTRL_K = 11,
		CTRL_U = 21,
		CTRL_W = 23,
		DEL = 127
	};

	switch (key) {
	case TUI_KEY_LEFT:
		e->cursor = edit_before(e);
		e->is_offered = false;
		return true;
	case TUI_KEY_RIGHT:
		e->cursor = edit_after(e);
		e->is_offered = false;
		return true;
	case TUI_KEY_HOME:
	case CTRL_A:
		e->cursor = 0;
		e->is_offered = false;
		return true;
	case TUI_KEY_END:
	case CTRL_E:
		e->cursor = e->len;
		e->is_offered = false;
		return true;
	case TUI_KEY_BACKSPACE:
	case CTRL_H:
	case DEL:
		edit_erase(e, edit_before(e), e->cursor);
		return true;
	case TUI_KEY_DELETE:
	case CTRL_D:
		edit_erase(e, e->cursor, edit_after(e));
		return true;
	case CTRL_K:
		edit_erase(e, e->cursor, e->len);
		return true;
	case CTRL_U:
		edit_erase(e, 0, e->cursor);
		return true;
	case CTRL_W:
		edit_erase(e, edit_word(e), e->cursor);
		return true;
	}
	return edit_type(e, key);
}

void line_editor_draw(const struct line_editor *e, struct grid *g, int x, int y, int width)
{
	if (width < 2) {
		return;
	}
	/* Leave graphemes out on the left until the cursor has a cell of its own. */
	size_t from = 0;
	while (text_cells(slice_of(e->text + from, e->cursor - from)) >= (size_t)width) {
		size_t cells;
		if (text_next(slice_of(e->text, e->len), &from, 0, &cells).len == 0) {
			break;
		}
	}
	(void)grid_text(g, x, y, e->is_offered ? STYLE_CHOSEN : STYLE_TEXT, e->text + from, width);
	grid_cursor(g, x + (int)text_cells(slice_of(e->text + from, e->cursor - from)), y);
}
