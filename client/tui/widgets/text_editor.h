/*
 * text_editor.h - several lines of text being written.
 *
 * As line_editor.h, with lines: they end where Enter was pressed, and are shown in
 * as many rows as they need. What does not fit is left out.
 *
 * Life: text_editor_set() first; nothing to free.
 */
#ifndef CLIENT_TUI_WIDGETS_TEXT_EDITOR_H
#define CLIENT_TUI_WIDGETS_TEXT_EDITOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/model/room/shared_conventions.h"
#include "client/tui/widgets/grid.h"
#include "proto/base/limits.h"
#include "proto/base/slice.h"
#include "proto/records/record.h"

/* The longest text that is written so: an answer, which is longer than a note may be. */
enum { SHEET_BYTES_MAX = FIELD_CHAR_BYTES * MAX_QUESTION_ANSWER_CHARS };

struct text_editor {
	char text[SHEET_BYTES_MAX + 1]; /* lines end with newlines, the last with nothing; NUL-terminated */
	size_t len;
	size_t bytes_max; /* at most SHEET_BYTES_MAX */
	size_t cursor;	  /* a byte offset, between graphemes */
	int top;	  /* first row shown */
	int width;	  /* cells of a row, as it was drawn last */
	int rows;	  /* that fitted then */
	int goal;	  /* the column that Up and Down keep to; below 0: the cursor's */
};

/* The text becomes that, cursor behind it. */
void text_editor_set(struct text_editor *s, const char *text, size_t bytes_max);
/* The same, and the cursor stays where it is as far as there is text, or at the end. */
void text_editor_replace(struct text_editor *s, const char *text);

/* Insert at the cursor: any ends of lines become ours, other controls blanks. */
void text_editor_insert(struct text_editor *s, struct slice text);

/* Take a key; false where it is none of an editor's. */
bool text_editor_take_key(struct text_editor *s, int32_t key);

/* Draw in that many cells with the cursor in sight, and put the grid's cursor there. */
void text_editor_draw(struct text_editor *s, struct grid *g, int x, int y, int width, int height);

#endif
