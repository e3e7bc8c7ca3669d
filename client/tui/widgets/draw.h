/*
 * draw.h - what the views draw with: signs, boxes, text that is cut visibly.
 *
 * Every sign of ours is one cell wide on every terminal, and has an ASCII form.
 */
#ifndef CLIENT_TUI_WIDGETS_DRAW_H
#define CLIENT_TUI_WIDGETS_DRAW_H

#include <stdbool.h>

#include "client/tui/widgets/grid.h"

struct box_signs {
	const char *top_left, *top_right, *bottom_left, *bottom_right, *across, *down;
};

struct signs {
	const char *dot; /* between parts of a line, with its blanks */
	const char *host;
	const char *live, *connecting, *lost;
	const char *back;     /* fills a card that lies face down */
	const char *thinking; /* on the place of a card that is missing */
	const char *choosing; /* the same, while they go through their cards */
	const char *looking;  /* before who looks at a story */
	const char *cut;      /* where text was cut */
	const char *more_left, *more_right;
	const char *infinity, *half; /* the cards of our decks that are no ASCII */
	const char *current; /* beside the story that is voted on */
	const char *arrows; /* names of the arrow keys */
	const char *bar[9]; /* eighths of a cell, 0 to 8 */
	struct box_signs card, frame;
};

const struct signs *signs_of(bool ascii);

/* The nearest to it between both; `least` where there is nothing between. */
static inline int draw_between(int least, int n, int most)
{
	return n > most && most > least ? most : n < least || most <= least ? least : n;
}

/* How far a page key moves where that many rows are shown: the last one of before stays in sight. */
static inline int draw_page(int rows)
{
	return rows > 1 ? rows - 1 : 1;
}

int draw_cells(const char *text);

/* A card's label as it is shown: a card of our decks in the signs there are, what people made as they wrote it. */
const char *draw_label(const struct signs *s, const char *label);

/* The other way: the card of these that is meant where its label in ASCII was typed and none is called so; else what was typed. */
struct slice draw_label_meant(const struct slices *cards, struct slice typed);

void draw_box(struct grid *g, int x, int y, int width, int height, enum style style,
	      const struct box_signs *box);

/* Text in at most `cells` cells; where it is cut, the last one shows so. Returns the cells used. */
int draw_cut(struct grid *g, int x, int y, enum style style, const char *text, int cells,
	     const struct signs *s);

/* The same in the middle of `cells` cells. */
void draw_centred(struct grid *g, int x, int y, enum style style, const char *text, int cells,
		  const struct signs *s);

/* Ends before column `end`. Returns where it begins. */
int draw_right(struct grid *g, int end, int y, enum style style, const char *text);

/* From here on there is air between the parts of a page. */
enum { DRAW_ROOMY = 18 };
/* The first row of a page, at its left. Returns the row that the page begins in. */
int draw_title(struct grid *g, const char *title);

/*
 * A command of ASCII for a shell, which takes it as it stands there: in column x, further left where it needs that; on
 * several rows where one is too short, each but the last with a backslash behind it. Returns the rows.
 */
int draw_command(struct grid *g, int x, int y, const char *line);
int draw_command_rows(int width, const char *line);

/* Lines of at most `cells` cells, broken at blanks; returns how many. With g NULL it only counts.
 */
int draw_wrapped(struct grid *g, int x, int y, enum style style, const char *text, int cells);

/*
 * Text of several lines, each wrapped likewise: `rows` of what it comes to, from the line `first` on.
 * Returns how many lines it comes to. With g NULL it only counts.
 */
int draw_text(struct grid *g, int x, int y, enum style style, const char *text, int cells, int first, int rows);

/* Names beside each other and in as many rows as there may be; then how many more there are: "Ada  Grace  +7". */
struct draw_names {
	struct grid *g; /* of no height: the rows are only counted */
	const struct signs *signs;
	int left, end; /* columns */
	int x, y;      /* behind the last name */
	int rows;      /* that there may be from this one on */
	size_t n;      /* names to come */
	bool is_full;
};
void draw_name(struct draw_names *names, enum style style, const char *name);

/* How many of `all` rows are shown in `height`: where not all fit, the last row tells of the others. */
static inline int draw_shown(int all, int height)
{
	return all <= height ? all : height > 1 ? height - 1 : height;
}
/*
 * The part of the grid for them, to draw into from row -*top on, which is brought within bounds.
 *
 * @up, @down  the keys that show the others.
 */
struct grid draw_scrolled(struct grid *g, int y, int height, int all, int *top, const char *up, const char *down);

#endif
