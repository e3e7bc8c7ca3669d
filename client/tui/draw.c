/*
 * draw.c - see draw.h.
 */
#include "client/tui/draw.h"

#include <string.h>

#include "proto/text.h"

static const struct signs signs_unicode = {
	.dot = " · ",
	.host = "★",
	.live = "●",
	.connecting = "○",
	.lost = "×",
	.back = "░",
	.thinking = "·",
	.choosing = "…",
	.looking = "◂",
	.cut = "…",
	.more_left = "‹",
	.more_right = "›",
	.current = "▸",
	.arrows = "←→",
	.bar = {" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"},
	.card = {"╭", "╮", "╰", "╯", "─", "│"},
	.frame = {"┌", "┐", "└", "┘", "─", "│"},
};

static const struct signs signs_ascii = {
	.dot = " - ",
	.host = "*",
	.live = "",
	.connecting = "",
	.lost = "",
	.back = "#",
	.thinking = ".",
	.choosing = ":",
	.looking = "<",
	.cut = "~",
	.more_left = "<",
	.more_right = ">",
	.current = "*",
	.arrows = "arrows",
	.bar = {" ", " ", " ", " ", "=", "=", "=", "=", "="},
	.card = {".", ".", "'", "'", "-", "|"},
	.frame = {"+", "+", "+", "+", "-", "|"},
};

const struct signs *signs_of(bool ascii)
{
	return ascii ? &signs_ascii : &signs_unicode;
}

int draw_cells(const char *text)
{
	return text == NULL ? 0 : (int)text_cells(slice_str(text));
}

void draw_box(struct grid *g, int x, int y, int width, int height, enum style style,
	      const struct box_signs *box)
{
	if (width < 2 || height < 2) {
		return;
	}
	int right = x + width - 1;
	int bottom = y + height - 1;
	grid_fill(g, x + 1, y, width - 2, 1, style, box->across);
	grid_fill(g, x + 1, bottom, width - 2, 1, style, box->across);
	grid_fill(g, x, y + 1, 1, height - 2, style, box->down);
	grid_fill(g, right, y + 1, 1, height - 2, style, box->down);
	(void)grid_text(g, x, y, style, box->top_left, 1);
	(void)grid_text(g, right, y, style, box->top_right, 1);
	(void)grid_text(g, x, bottom, style, box->bottom_left, 1);
	(void)grid_text(g, right, bottom, style, box->bottom_right, 1);
}

int draw_cut(struct grid *g, int x, int y, enum style style, const char *text, int cells,
	     const struct signs *s)
{
	if (cells <= 0 || text == NULL) {
		return 0;
	}
	if (draw_cells(text) <= cells) {
		return grid_text(g, x, y, style, text, cells);
	}
	int used = grid_text(g, x, y, style, text, cells - 1);
	return used + grid_text(g, x + used, y, style, s->cut, 1);
}

void draw_centred(struct grid *g, int x, int y, enum style style, const char *text, int cells,
		  const struct signs *s)
{
	int width = draw_cells(text);
	int left = width < cells ? (cells - width) / 2 : 0;
	(void)draw_cut(g, x + left, y, style, text, cells - left, s);
}

int draw_right(struct grid *g, int end, int y, enum style style, const char *text)
{
	int x = end - draw_cells(text);
	(void)grid_text(g, x, y, style, text, -1);
	return x;
}

int draw_title(struct grid *g, const char *title)
{
	(void)grid_text(g, 1, 0, STYLE_TITLE, title, -1);
	return g->height >= DRAW_ROOMY ? 2 : 1;
}

int draw_wrapped(struct grid *g, int x, int y, enum style style, const char *text, int cells)
{
	int lines = 0;
	struct slice rest = slice_str(text);
	while (rest.len > 0 && cells > 0) {
		size_t fits = text_fit(rest, (size_t)cells);
		size_t end = fits;
		if (fits < rest.len && rest.data[fits] != ' ') {
			while (end > 0 && rest.data[end - 1] != ' ') {
				end--;
			}
			end = end == 0 ? fits : end;
		}
		if (end == 0) {
			break;
		}
		if (g != NULL) {
			(void)grid_text(g, x, y + lines, style, rest.data,
					(int)text_cells(slice_of(rest.data, end)));
		}
		lines++;
		while (end < rest.len && rest.data[end] == ' ') {
			end++;
		}
		rest = slice_of(rest.data + end, rest.len - end);
	}
	return lines;
}
