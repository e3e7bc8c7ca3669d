/*
 * grid.h - a rectangle of cells to draw into, and nothing of terminals.
 *
 * Drawing outside is cut silently, so a view may draw as if there were room.
 * A cell holds one grapheme and a style; a wide grapheme takes two cells, the
 * second of which is empty (len 0).
 *
 * Life: a zeroed struct, grid_resize() .. grid_finish().
 */
#ifndef CLIENT_TUI_WIDGETS_GRID_H
#define CLIENT_TUI_WIDGETS_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/err.h"
#include "proto/base/slice.h"

/* What a cell means; a theme says how that looks. Meaning is never carried by this alone. */
enum style {
	STYLE_TEXT,
	STYLE_DIM,
	STYLE_STRONG,
	STYLE_TITLE,
	STYLE_CARD_BACK,
	STYLE_CARD_FACE,
	STYLE_OWN,
	STYLE_CHOSEN,
	STYLE_GOOD,
	STYLE_WARN,
	STYLE_ERROR,
	STYLE_AWAY,
	STYLE_COUNT
};

/* What can be clicked at a cell, for who draws and who clicks to agree on; kind 0: nothing. */
struct spot {
	uint8_t kind;
	uint32_t which;
};

struct cell {
	char text[23]; /* UTF-8 of one grapheme */
	uint8_t len;   /* 0: the right half of a wide one */
	uint8_t style; /* enum style */
	struct spot spot;
	bool is_link; /* leads to the grid's link, where the terminal opens such */
};

struct grid {
	int width;
	int height;
	int stride;	    /* cells from one row to the next */
	struct cell *cells; /* height rows of width */
	int cursor_x;
	int cursor_y;
	bool cursor_shown;
	char *link; /* where cells lead to that say so; NULL: nowhere */
};

/* Sets the size and clears it. */
void grid_resize(struct grid *g, int width, int height);
void grid_finish(struct grid *g);
/* Blanks in STYLE_TEXT everywhere, cursor hidden, no link. */
void grid_clear(struct grid *g);

/* Draw UTF-8 text from (x, y) to the right, at most max_cells cells (negative: to the edge).
 * Returns the cells used. */
int grid_text(struct grid *g, int x, int y, enum style style, const char *text, int max_cells);
void grid_fill(struct grid *g, int x, int y, int width, int height, enum style style,
	       const char *grapheme);
void grid_cursor(struct grid *g, int x, int y);

/* What is drawn there can be clicked; drawing over it takes that away. */
void grid_mark(struct grid *g, int x, int y, int width, int height, struct spot spot);
struct spot grid_spot(const struct grid *g, int x, int y);

/* The one address that cells may lead to; NULL or "": none. Before it is drawn on, and never for a part. */
void grid_set_link(struct grid *g, const char *address);
/* What is drawn there leads to it; drawing over it takes that away. Nothing where there is none. */
void grid_mark_link(struct grid *g, int x, int y, int width);

/*
 * The columns from x on as a grid of their own, which draws into the same
 * cells; valid until the next grid_resize(), never to be resized or finished
 * itself. What its cursor says, grid_part_cursor() takes over.
 */
struct grid grid_part(const struct grid *g, int x, int width);
/* Likewise the rows from y on; of no height where there are none. */
struct grid grid_rows(const struct grid *g, int y, int height);
void grid_part_cursor(struct grid *g, const struct grid *part, int x);

/* Every row as a line of text with trailing blanks cut, for tests. The caller frees it. */
char *grid_dump(const struct grid *g);

#endif
