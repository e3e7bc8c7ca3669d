/*
 * sheet.h - several lines of text being written.
 *
 * As edit.h, with lines: they end where Enter was pressed, and are shown in
 * as many rows as they need. What does not fit is left out.
 *
 * Life: sheet_set() first; nothing to free.
 */
#ifndef CLIENT_TUI_SHEET_H
#define CLIENT_TUI_SHEET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/model/shared.h"
#include "client/tui/grid.h"
#include "proto/slice.h"

enum { SHEET_BYTES_MAX = SHARED_NOTE_BYTES_MAX };

struct sheet {
	char text[SHEET_BYTES_MAX + 1]; /* lines end with newlines, the last with nothing; NUL-terminated */
	size_t len;
	size_t bytes_max; /* at most SHEET_BYTES_MAX */
	size_t cursor;	  /* a byte offset, between graphemes */
	int top;	  /* first row shown */
	int width;	  /* cells of a row, as it was drawn last */
	int goal;	  /* the column that Up and Down keep to; below 0: the cursor's */
};

/* The text becomes that, cursor behind it. */
void sheet_set(struct sheet *s, const char *text, size_t bytes_max);
/* The same, and the cursor stays where it is as far as there is text, or at the end. */
void sheet_replace(struct sheet *s, const char *text);

/* Insert at the cursor: any ends of lines become ours, other controls blanks. */
void sheet_insert(struct sheet *s, struct slice text);

/* Take a key; false where it is none of an editor's. */
bool sheet_take_key(struct sheet *s, int32_t key);

/* Draw in that many cells with the cursor in sight, and put the grid's cursor there. */
void sheet_draw(struct sheet *s, struct grid *g, int x, int y, int width, int height);

#endif
