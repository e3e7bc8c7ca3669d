/*
 * grid.h - a rectangle of cells to draw into, independent of terminals.
 *
 * Drawing outside it is clipped silently, so a view may draw as if there were room.
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

#include "proto/base/slice.h"

/* What a cell means; a theme maps it to a look. Nothing is told by the style alone. */
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
	STYLE_SCAN, /* for a camera: dark on light */
	STYLE_COUNT
};

/* What a click on a cell means, set by the drawing code for the mouse code; kind 0: nothing. */
struct spot {
	uint8_t kind;
	uint32_t which;
};

struct cell {
	char text[23]; /* one grapheme in UTF-8 */
	uint8_t len;   /* 0: the right half of a wide grapheme */
	uint8_t style; /* enum style */
	struct spot spot;
	bool is_link; /* a hyperlink to the grid's link, if the terminal supports them */
};

struct grid {
	int width;
	int height;
	int stride;	    /* cells from one row to the next */
	struct cell *cells; /* height rows of width */
	int cursor_x;
	int cursor_y;
	bool cursor_shown;
	char *link; /* the target of cells with is_link; owned; NULL: none */
};

/* Set the size and clear the grid. */
void grid_resize(struct grid *g, int width, int height);
void grid_finish(struct grid *g);
/* Fill with blanks in STYLE_TEXT, hide the cursor, and drop the link. */
void grid_clear(struct grid *g);

/* Draw UTF-8 text from (x, y) to the right, at most max_cells cells (negative: to the edge).
 * Returns the cells used. */
int grid_text(struct grid *g, int x, int y, enum style style, const char *text, int max_cells);
void grid_fill(struct grid *g, int x, int y, int width, int height, enum style style,
	       const char *grapheme);
void grid_cursor(struct grid *g, int x, int y);

/* Make these cells clickable, until they are drawn over. */
void grid_mark(struct grid *g, int x, int y, int width, int height, struct spot spot);
struct spot grid_spot(const struct grid *g, int x, int y);

/*
 * Set the one link target of the grid; copied; NULL or "": none. Call it before drawing, and not on
 * a part.
 */
void grid_set_link(struct grid *g, const char *address);
/*
 * Make these cells hyperlinks, until they are drawn over. Does nothing if there is no link target.
 */
void grid_mark_link(struct grid *g, int x, int y, int width);

/*
 * The columns from x on as a grid of its own that shares the cells. Valid until the
 * next grid_resize(); do not resize or finish a part. grid_part_cursor() copies the
 * part's cursor to the whole grid.
 */
struct grid grid_part(const struct grid *g, int x, int width);
/* The same for the rows from y on; of height 0 if there are none. */
struct grid grid_rows(const struct grid *g, int y, int height);
void grid_part_cursor(struct grid *g, const struct grid *part, int x);

/* Every row as a line of text without trailing blanks, for tests. The caller frees it. */
char *grid_dump(const struct grid *g);

#endif
