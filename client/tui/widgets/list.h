/*
 * list.h - rows with a cursor: every list of the screen moves, pages, scrolls, is
 * narrowed and is clicked in the same way.
 *
 * The rows are the view's, and may come, go and move at any time; the list has
 * nothing of them but the cursor and the filter. From the first key on the cursor
 * stays on its row wherever that moves; when the row is gone, the cursor takes
 * the one in its place. A filter that no row has in it narrows nothing, so
 * the cursor is always on a row that is shown.
 *
 * What a row shows is said once, by columns: they are laid out, drawn, and searched by the filter here.
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

/* A zeroed one has its cursor at the start and shows all rows. */
struct list {
	bool is_kept; /* the cursor is of the row with that key */
	uint64_t key;
	size_t at; /* where the cursor was last */
	size_t page; /* rows that a page moves: all that were drawn last, less one; 0: not drawn yet */
	size_t tops; /* of a text: how many lines may be the first, as it was drawn last; 0: not drawn yet */
	size_t column; /* of a table: the one that the cursor is in */
	char filter[EDIT_BYTES_MAX];
};

/* A list with its rows: borrowed for a call. */
struct listing {
	struct list *list;
	const struct list_rows *rows;
	const struct tui *t;
	const struct replica *room;
	const struct signs *signs;
	uint8_t spot; /* the kind of what can be clicked */
};

/* What stands in one place of a list. */
struct list_cell {
	struct listing l;
	const void *row; /* the record; NULL where the list has none, but places alone */
	size_t at;	 /* the row's place */
	size_t column;
	int cells; /* how wide the column is; 0: it is asked for how wide it has to be, or for the filter */
	int width; /* of the screen, or of the part of it that the list is in */
	char *out; /* COLUMN_TEXT_BYTES, for list_words() */
};
enum { COLUMN_TEXT_BYTES = 2400, COLUMNS_MAX = 8 };

/*
 * How a row is shown. A column is as wide as its widest text, and is not there where it has none in any row; with
 * `cells` it always has so many. Those that grow share what the others leave. What does not fit is cut.
 */
struct column {
	const char *title;			   /* above it; NULL: none */
	const char *field;			   /* of the record, shown as it is; NULL: */
	const char *(*text)(struct list_cell *c); /* NULL or "": nothing. Itself NULL: the characters .. */
	size_t chars;				   /* .. at this offset in the row */
	enum style look;
	enum style (*style)(const struct list_cell *c); /* in place of look */
	uint8_t cells;
	bool grows;
	bool is_right;	    /* ends in one column, as numbers do */
	bool is_found;	    /* the filter looks there, too */
	uint8_t from_width; /* of the screen; below it is left out, unless it has a table's cursor */
	/*
	 * On narrower screens it has no place of its own, but stands behind the text before it, or at the end of its place
	 * (is_right), where a row has something to say. That text makes room for as much as `cells`.
	 */
	uint16_t inside_below;
	uint8_t gap; /* of one that can be inside; 0: one cell */
};
enum { COLUMN_INSIDE = UINT16_MAX /* whatever the width */ };
#define COLUMNS(array) .columns = (array), .columns_n = sizeof(array) / sizeof((array)[0])

/* What a view says of its rows. */
struct list_rows {
	/* Records under their keys, or .. */
	const struct rows *(*rows)(struct listing l);
	/* .. how many there are, where that never changes, or as they are counted. */
	size_t n;
	size_t (*count)(struct listing l);
	/* The record at a place; NULL: that of `rows` there, or none. */
	const void *(*row)(struct listing l, size_t at);
	/* The same for a row wherever it moves, as list_key() of its id; NULL: by the key of `rows`, or rows never move. */
	uint64_t (*key)(struct listing l, size_t at);
	/* Whether it is one of the list's; NULL: all are. */
	bool (*has)(struct listing l, size_t at);
	/* Where the cursor is before the first key; NULL: at the first row. */
	size_t (*start)(struct listing l);
	const struct column *columns; /* the list has a filter where there are any */
	size_t columns_n;
	size_t chosen; /* the column that shows the cursor */
	bool is_table; /* the cursor goes from column to column: it is in that of struct list */
	int cells_most; /* that a row takes: wider lines are hard to follow; 0: any */
	/* A sign of the row in front of it; NULL: none has one. */
	const char *(*mark)(const struct list_cell *c);
	bool newest_first; /* a cursor on the first row stays there when others come in front of it */
};

/* A number for a text, so that a row is found again; never 0. */
uint64_t list_key(const char *text);
/* Whether the filter stands somewhere in the text, in either case; the empty one does in any, NULL too. */
bool list_matches(const char *text, const char *filter);

/* The row with the cursor; 0 where there is none. */
size_t list_at(struct listing l);
/* Its record; NULL: there is no row. */
const void *list_row(struct listing l);
/* The column with the cursor. */
size_t list_column(struct listing l);
/* What stands in a cell, as it is shown; valid until the next call with the same `out`. */
const char *list_text(struct list_cell *c);
/* For column.text: these words. */
const char *list_words(struct list_cell *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The cursor goes to that row, and stays on it. */
void list_go(struct listing l, size_t row);
/* The row with that key, as far as a spot holds it; false: it is there no more. */
bool list_find(struct listing l, uint32_t which, size_t *row);
/* How many rows have the filter in them, and how many there are. */
size_t list_shown(struct listing l);
size_t list_all(struct listing l);

/* Up, Down, PageUp, PageDown or Space, Home and End; false: another key. */
bool list_take_key(struct listing l, int32_t key);

/* The rows that fit, those around the cursor; without one those around the start, beside another view. */
void list_draw(struct listing l, struct grid *g, int y, int height, bool has_cursor);
/* The titles of its columns, above them. */
void list_draw_titles(struct listing l, struct grid *g, int y);
/* What has no room beside the others of the row with the cursor, in a line. */
void list_draw_folded(struct listing l, struct grid *g, int y);

/*
 * A text that scrolls is a list without a cursor, whose rows are the lines that may be the first
 * of those shown: with these rows, and list_scroll() where it is drawn, which says
 * the first line of a text of `lines` in `height` rows.
 */
extern const struct list_rows list_of_text;
int list_scroll(struct listing l, int lines, int height);

#endif
