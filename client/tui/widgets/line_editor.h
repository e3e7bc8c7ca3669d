/*
 * line_editor.h - one line of text being typed.
 *
 * Moves and deletes whole graphemes. Holds softened text only: what a name or
 * a title may not contain does not get in, from keys or from a paste.
 *
 * Life: a zeroed struct is an empty line; nothing to free.
 */
#ifndef CLIENT_TUI_WIDGETS_LINE_EDITOR_H
#define CLIENT_TUI_WIDGETS_LINE_EDITOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/tui/widgets/grid.h"
#include "proto/base/slice.h"

enum { EDIT_BYTES_MAX = 1024 };

struct line_editor {
	char text[EDIT_BYTES_MAX]; /* always NUL-terminated */
	size_t len;
	size_t cursor; /* a byte offset, between graphemes */
	bool is_offered; /* nobody typed it: what is typed replaces it, what moves the cursor keeps it */
};

/* The line becomes `text` (NULL: empty), cursor behind it. */
void line_editor_set(struct line_editor *e, const char *text);
/* The same with a text that is only offered. */
void line_editor_offer(struct line_editor *e, const char *text);

/* Insert at the cursor; line breaks and controls become blanks. What does not fit is left out. */
void line_editor_insert(struct line_editor *e, struct slice text);

/* Replace the bytes from `start` up to the cursor; for completion. */
void line_editor_replace(struct line_editor *e, size_t start, struct slice text);

/* One of the keys of a line editor, or a character. False: not a key of the editor. */
bool line_editor_take_key(struct line_editor *e, int32_t key);

/*
 * For editors of more than a line (text_editor.h): soften text of one line without
 * trimming its ends.
 *
 * @len  at most 2 * EDIT_BYTES_MAX.
 * Returns the length, or more than cap where it does not fit.
 */
size_t line_editor_soften(const char *text, size_t len, char *out, size_t cap);
/* A key that is a character, as UTF-8; *len 0: one that text may not hold. False: no character. */
bool line_editor_character(int32_t key, char out[4], size_t *len);
/* Where the grapheme before that place begins. */
size_t line_editor_grapheme_before(struct slice line, size_t cursor);

/* Draw in `width` cells with the cursor in view, and put the grid's cursor there. */
void line_editor_draw(const struct line_editor *e, struct grid *g, int x, int y, int width);

#endif
