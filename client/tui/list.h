/*
 * list.h - rows with a cursor: every list of the screen moves, pages, scrolls, is
 * narrowed and is clicked in the same way.
 *
 * The rows are the view's, and may come, go and move at any time; the list has
 * nothing of them but the cursor and the filter. From the first key on the cursor
 * stays on its row wherever that moves; when the row is gone, the cursor takes
 * the one in its place. A filter that no row has in it narrows nothing, so
 * the cursor is always on a row that is shown.
 */
#ifndef CLIENT_TUI_LIST_H
#define CLIENT_TUI_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/tui/grid.h"
#include "client/tui/line_editor.h"

struct tui;
struct replica;

/* A zeroed one has its cursor at the start and shows all rows. */
struct list {
	bool is_kept; /* the cursor is of the row with that key */
	uint64_t key;
	size_t at; /* where the cursor was last */
	size_t page; /* rows that a page moves: all that were drawn last, less one; 0: not drawn yet */
	size_t tops; /* of a text: how many lines may be the first, as it was drawn last; 0: not drawn yet */
	char filter[EDIT_BYTES_MAX];
};

/* A list with its rows: borrowed for a call. */
struct listing {
	struct list *list;
	const struct list_rows *rows;
	const struct tui *t;
	const struct replica *room;
	uint8_t spot; /* the kind of what can be clicked */
};

/* What a view says of its rows. */
struct list_rows {
	size_t n; /* how many there are, where that never changes */
	size_t (*count)(struct listing l);
	/* Whether it is one of the list's and has the filter (list_matches()) in it; NULL: all are, and the list has no filter. */
	bool (*shows)(struct listing l, size_t row, const char *filter);
	/* The same for a row wherever it moves, as list_key() of its id; NULL: rows never move. */
	uint64_t (*key)(struct listing l, size_t row);
	/* Where the cursor is before the first key; NULL: at the first row. */
	size_t (*start)(struct listing l);
	/* The row, without the cursor's sign. */
	void (*draw)(struct listing l, struct grid *g, int y, size_t row, bool has_cursor);
	int sign_x;	   /* of the cursor's sign */
	int cursor_x;	   /* of the terminal's cursor */
	bool newest_first; /* a cursor on the first row stays there when others come in front of it */
};

/* A number for a text, so that a row is found again; never 0. */
uint64_t list_key(const char *text);
/* Whether the filter stands somewhere in the text, in either case; the empty one does in any, NULL too. */
bool list_matches(const char *text, const char *filter);

/* The row with the cursor; 0 where there is none. */
size_t list_at(struct listing l);
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

/*
 * A text that scrolls is a list without a cursor, whose rows are the lines that may be the first
 * of those shown: with these rows in the view, and list_scroll() where it is drawn, which says
 * the first line of a text of `lines` in `height` rows.
 */
extern const struct list_rows list_of_text;
int list_scroll(struct listing l, int lines, int height);

#endif
