/*
 * list.h - a list of rows with a cursor: all lists of the screen move, page, scroll,
 * filter and take clicks in the same way.
 *
 * The rows are the view's, and may be inserted, removed and moved at any time; the list
 * keeps only the cursor and the filter. From the first key on, the cursor follows its
 * row; when that row is removed, the cursor stays at the same index. A filter that
 * matches no row is ignored, so the cursor is always on a visible row.
 *
 * Columns define what a row shows; this file lays them out, draws and filters them.
 */
#ifndef CLIENT_TUI_WIDGETS_LIST_H
#define CLIENT_TUI_WIDGETS_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/model/rows.h"
#include "client/tui/widgets/grid.h"
#include "client/tui/widgets/line_editor.h"

struct tui;
struct replica;
struct signs; /* client/tui/widgets/draw.h */

/* A zeroed list has its cursor at the start and shows all rows. */
struct list {
	bool is_kept; /* the cursor follows the row with `key` */
	uint64_t key;
	size_t at; /* the last index of the cursor */
	/* the rows that a page key moves: those drawn last, less one; 0: not drawn yet */
	size_t page;
	/* of a text: the number of lines it may scroll to, when last drawn; 0: not drawn yet */
	size_t tops;
	size_t column; /* of a table: the column of the cursor */
	char filter[EDIT_BYTES_MAX];
};

/* A list with its rows; the pointers are borrowed for one call. */
struct listing {
	struct list *list;
	const struct list_rows *rows;
	const struct tui *t;
	const struct replica *room;
	const struct signs *signs;
	uint8_t spot; /* the kind of its rows' clickable spots */
};

/* One cell of a list: a row and a column. */
struct list_cell {
	struct listing l;
	const void *row; /* the record; NULL: the list has indices only */
	size_t at;	 /* the row's index */
	size_t column;
	int cells; /* the width of the column; 0: the text is for measuring, or for the filter */
	int width; /* of the screen, or of the part that the list is in */
	char *out; /* COLUMN_TEXT_BYTES, for list_words() */
};
enum { COLUMN_TEXT_BYTES = 2400, COLUMNS_MAX = 8 };

/*
 * A column is as wide as its widest text, and is omitted if no row has a text; with `cells` it has
 * that width. Columns that grow share the rest of the width. Text that does not fit is cut.
 */
struct column {
	const char *title;			   /* above it; NULL: none */
	/*
	 * If not NULL: the title now; NULL: the column is not in use, and omitted unless the cursor
	 * of a table is in it
	 */
	const char *(*name)(struct listing l, size_t column);
	/* the field of the record to show; NULL: use text() */
	const char *field;
	/* returns NULL or "" for no text. If NULL, use chars */
	const char *(*text)(struct list_cell *c);
	size_t chars;				   /* the offset of a char array in the row */
	enum style look;
	enum style (*style)(const struct list_cell *c); /* if not NULL, replaces look */
	uint8_t cells;
	bool grows;
	bool is_right;	    /* right-aligned, for numbers */
	bool is_found;	    /* the filter searches it */
	/* on narrower screens it is omitted, unless the cursor of a table is in it */
	uint8_t from_width;
	/*
	 * On screens narrower than this it shares the place of the column before it: after that
	 * column's text, or with is_right at the end of its place, in rows where it has a text.
	 * The other text leaves up to `cells` for it.
	 */
	uint16_t inside_below;
	uint8_t gap; /* the cells before it when it shares a place; 0: one */
};
enum { COLUMN_INSIDE = UINT16_MAX /* always shares a place */ };
#define COLUMNS(array) .columns = (array), .columns_n = sizeof(array) / sizeof((array)[0])

/* How a view provides its rows. */
struct list_rows {
	/* The records of the list; NULL: use n or count(). */
	const struct rows *(*rows)(struct listing l);
	/* The constant number of rows, or a function that counts them. */
	size_t n;
	size_t (*count)(struct listing l);
	/* The record at an index; NULL: that of rows(), if any. */
	const void *(*row)(struct listing l, size_t at);
	/*
	 * A list_key() that identifies the row when it moves; NULL: the key of rows(), or rows
	 * never move.
	 */
	uint64_t (*key)(struct listing l, size_t at);
	/* Whether the row belongs to the list; NULL: all do. */
	bool (*has)(struct listing l, size_t at);
	/* The index of the cursor before the first key; NULL: the first row. */
	size_t (*start)(struct listing l);
	const struct column *columns; /* a list with columns has a filter */
	size_t columns_n;
	size_t chosen; /* the column that shows the cursor */
	bool is_table; /* the cursor also moves between columns: see column of struct list */
	int cells_most; /* the greatest width of a row, for legibility; 0: no limit */
	/* The sign before a row; NULL: none. */
	const char *(*mark)(const struct list_cell *c);
	/* a cursor on the first row stays first when rows are inserted before it */
	bool newest_first;
};

/* A hash of an id, to find its row again; never 0. */
uint64_t list_key(const char *text);
/*
 * Whether the text contains the filter, ignoring case; an empty filter matches any text, and NULL.
 */
bool list_matches(const char *text, const char *filter);

/* The index of the row with the cursor; 0 if there are no rows. */
size_t list_at(struct listing l);
/* The record of that row; NULL: there are no rows, or no records. */
const void *list_row(struct listing l);
/* For column.text(): format into c->out, and return it. */
const char *list_words(struct list_cell *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Move the cursor to that row, and let it follow the row. */
void list_go(struct listing l, size_t row);
/*
 * Find the row of a clicked spot by the bits of its key that a spot holds; false: it no longer
 * exists.
 */
bool list_find(struct listing l, uint32_t which, size_t *row);
/* The number of rows that match the filter, and of all rows. */
size_t list_shown(struct listing l);
size_t list_all(struct listing l);

/* Take Up, Down, PageUp, PageDown, Space, Home or End; false: another key. */
bool list_take_key(struct listing l, int32_t key);

/*
 * Draw the rows around the cursor that fit; without has_cursor (next to another view), those around
 * the start.
 */
void list_draw(struct listing l, struct grid *g, int y, int height, bool has_cursor);
/* Draw the titles of the columns in row y. */
void list_draw_titles(struct listing l, struct grid *g, int y);
/* Draw, in one line, the columns of the cursor's row that the screen has no room for. */
void list_draw_folded(struct listing l, struct grid *g, int y);

/*
 * A scrolling text is a list without a visible cursor; its rows are the lines that it may scroll
 * to. Use list_of_text as its rows, and list_scroll() when drawing: it returns the first line to
 * show of a text with `lines` lines in `height` rows.
 */
extern const struct list_rows list_of_text;
int list_scroll(struct listing l, int lines, int height);

#endif
