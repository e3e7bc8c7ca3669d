/*
 * text_editor.h - several lines of text being written.
 *
 * Like line_editor.h, with several lines: Enter ends a line, and a long line wraps over
 * several rows. Text that does not fit into bytes_max is dropped.
 *
 * Life: text_editor_set() first; nothing to free.
 */
#ifndef CLIENT_TUI_WIDGETS_TEXT_EDITOR_H
#define CLIENT_TUI_WIDGETS_TEXT_EDITOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/tui/widgets/grid.h"
#include "proto/base/limits.h"
#include "proto/base/slice.h"
#include "proto/records/record.h"

/* The longest text it edits: an answer, which may be longer than a note. */
enum { SHEET_BYTES_MAX = FIELD_CHAR_BYTES * MAX_QUESTION_ANSWER_CHARS };

struct text_editor {
	char text[SHEET_BYTES_MAX + 1]; /* lines separated by newlines; NUL-terminated */
	size_t len;
	size_t bytes_max; /* at most SHEET_BYTES_MAX */
	size_t cursor;	  /* a byte offset, between graphemes */
	int top;	  /* the first row shown */
	int width;	  /* the cells of a row when last drawn */
	int rows;	  /* the rows when last drawn */
	int goal;	  /* the column that Up and Down aim for; below 0: the cursor's */
};

/* Set the text, with the cursor at its end. */
void text_editor_set(struct text_editor *s, const char *text, size_t bytes_max);
/* Set the text and keep the cursor's offset, or move it to the end of a shorter text. */
void text_editor_replace(struct text_editor *s, const char *text);

/* Insert at the cursor; all kinds of line ends become newlines, other control characters blanks. */
void text_editor_insert(struct text_editor *s, struct slice text);

/* Take a key; false: not a key of the editor. */
bool text_editor_take_key(struct text_editor *s, int32_t key);

/* Draw in width x height cells with the cursor visible, and set the grid's cursor. */
void text_editor_draw(struct text_editor *s, struct grid *g, int x, int y, int width, int height);

#endif
