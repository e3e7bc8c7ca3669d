/*
 * line_editor.h - one line of text being typed.
 *
 * Moves and deletes whole graphemes. Holds softened text only: characters that a name
 * or a title may not contain are kept out, whether typed or pasted.
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
	bool is_offered; /* a suggested text: typing replaces it, moving the cursor accepts it */
};

/* Set the line to `text` (NULL: empty), with the cursor at its end. */
void line_editor_set(struct line_editor *e, const char *text);
/* The same with a suggested text. */
void line_editor_offer(struct line_editor *e, const char *text);

/*
 * Insert at the cursor; line breaks and control characters become blanks. Text that does not fit is
 * dropped.
 */
void line_editor_insert(struct line_editor *e, struct slice text);

/* Replace the bytes from `start` up to the cursor; for completion. */
void line_editor_replace(struct line_editor *e, size_t start, struct slice text);

/* Take an editing key or a character. False: not a key of the editor. */
bool line_editor_take_key(struct line_editor *e, int32_t key);

/* Encode a key that is a character in UTF-8; returns its length, 0: not a character. */
size_t line_editor_encode(int32_t key, char out[4]);
/* The byte offset of the grapheme before the cursor. */
size_t line_editor_grapheme_before(struct slice line, size_t cursor);

/* Draw in `width` cells with the cursor visible, and set the grid's cursor. */
void line_editor_draw(const struct line_editor *e, struct grid *g, int x, int y, int width);

#endif
