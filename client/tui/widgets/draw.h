/*
 * draw.h - drawing functions for the views: signs, boxes, and text with a mark where it is cut.
 *
 * Every sign is one cell wide on every terminal, and has an ASCII form.
 */
#ifndef CLIENT_TUI_WIDGETS_DRAW_H
#define CLIENT_TUI_WIDGETS_DRAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/tui/widgets/grid.h"
#include "proto/base/limits.h"

struct box_signs {
	const char *top_left, *top_right, *bottom_left, *bottom_right, *across, *down;
};

struct signs {
	const char *dot; /* the separator of parts of a line, with blanks */
	const char *host;
	const char *live, *connecting, *lost;
	const char *back;     /* fills a hidden card */
	const char *thinking; /* in place of a missing card */
	const char *choosing; /* the same, while the member moves through the hand */
	const char *looking;  /* before the members who look at a story */
	const char *cut;      /* where text was cut */
	const char *more_left, *more_right;
	const char *infinity, *half; /* the non-ASCII cards of the built-in decks */
	const char *coffee;	     /* a card for a break */
	const char *current; /* next to the story being voted on */
	const char *arrows; /* names of the arrow keys */
	const char *reactions[MAX_REACTIONS];
	const char *bar[9]; /* bars of 0 to 8 eighths of a cell */
	struct box_signs card, frame;
};

const struct signs *signs_of(bool ascii);

/* Clamp n to least .. most; `least` if the range is empty. */
static inline int draw_between(int least, int n, int most)
{
	return n > most && most > least ? most : n < least || most <= least ? least : n;
}

/* The rows that a page key moves if that many are shown: one row stays visible. */
static inline int draw_page(int rows)
{
	return rows > 1 ? rows - 1 : 1;
}

/* The width of the text, in cells. */
int draw_cells(const char *text);

/*
 * The label of a card as shown: cards of the built-in decks use the given signs, others stay as
 * written.
 */
const char *draw_label(const struct signs *s, const char *label);

/*
 * The reverse: the card whose ASCII label was typed, if no card has exactly that label; otherwise
 * what was typed.
 */
struct slice draw_label_meant(const struct slices *cards, struct slice typed);

void draw_box(struct grid *g, int x, int y, int width, int height, enum style style,
	      const struct box_signs *box);

/*
 * Draw text in at most `cells` cells; if it is cut, the last cell shows that. Returns the cells
 * used.
 */
int draw_cut(struct grid *g, int x, int y, enum style style, const char *text, int cells,
	     const struct signs *s);

/* The same, centred in `cells` cells. */
void draw_centred(struct grid *g, int x, int y, enum style style, const char *text, int cells,
		  const struct signs *s);

/* Draw text that ends before column `end`. Returns the column where it starts. */
int draw_right(struct grid *g, int end, int y, enum style style, const char *text);
/*
 * The same over a text that stands there, of which nothing is left: it begins after two blanks or
 * a title.
 */
void draw_right_over(struct grid *g, int end, int y, enum style style, const char *text);

/* From this height on, the parts of a page are separated by blank rows. */
enum { DRAW_ROOMY = 18 };
/*
 * Draw the title of a page, at the left of its first row. Returns the first row of the page's body.
 */
int draw_title(struct grid *g, const char *title);

/*
 * Draw an ASCII shell command so that it can be copied from the screen: in column x, or further
 * left if it needs the room; on several rows if one is too short, all but the last ending in a
 * backslash. Returns the number of rows; draw_command_rows() only counts them.
 */
int draw_command(struct grid *g, int x, int y, const char *line);
int draw_command_rows(int width, const char *line);

/*
 * Draw text in lines of at most `cells` cells, broken at blanks. Returns the number of lines. With
 * g NULL, only count.
 */
int draw_wrapped(struct grid *g, int x, int y, enum style style, const char *text, int cells);

/*
 * Draw text of several lines, each wrapped in the same way: at most `rows` of the wrapped lines,
 * from the line `first` on. Returns the number of wrapped lines. With g NULL, only count.
 */
int draw_text(struct grid *g, int x, int y, enum style style, const char *text, int cells, int first, int rows);

/* Draw a bar of n / most of `cells`, in eighths of a cell; any n is visible. */
void draw_bar(struct grid *g, int x, int y, int cells, int64_t n, int64_t most, enum style style,
	      const struct signs *s);
/* Write a number with at most `places` decimals, without trailing zeros. */
void draw_number(double value, int places, char *out, size_t cap);

/*
 * Names next to each other, in up to `rows` rows, and the number of those left out: "Ada  Grace
 * +7".
 */
struct draw_names {
	struct grid *g; /* with height 0 the rows are only counted */
	const struct signs *signs;
	int left, end; /* columns */
	int x, y;      /* after the last name */
	int rows;      /* that may be used, from this one on */
	size_t n;      /* names still to draw */
	bool is_full;
};
void draw_name(struct draw_names *names, enum style style, const char *name);

/*
 * How many of `all` rows are shown in `height`: if not all fit, the last row tells how many more
 * there are.
 */
static inline int draw_shown(int all, int height)
{
	return all <= height ? all : height > 1 ? height - 1 : height;
}
/*
 * Return the part of the grid for these rows; draw row 0 at -*top. *top is first clamped.
 *
 * @up, @down  the names of the keys that scroll.
 */
struct grid draw_scrolled(struct grid *g, int y, int height, int all, int *top, const char *up, const char *down);

#endif
