/*
 * draw.c - see draw.h.
 */
#include "client/tui/widgets/draw.h"

#include <limits.h>
#include <string.h>

#include "proto/base/format.h"
#include "proto/text/text.h"

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
	.infinity = "∞",
	.half = "½",
	.coffee = "☕",
	.current = "▸",
	.arrows = "←→",
	.reactions = {"👍", "👎", "🎉", "😂", "🤔", "☕"},
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
	.infinity = "oo",
	.half = "1/2",
	.coffee = "coffee",
	.current = "*",
	.arrows = "arrows",
	.reactions = {"+1", "-1", "hooray", "haha", "hmm", "coffee"},
	.bar = {" ", " ", " ", " ", "=", "=", "=", "=", "="},
	.card = {".", ".", "'", "'", "-", "|"},
	.frame = {"+", "+", "+", "+", "-", "|"},
};

const struct signs *signs_of(bool ascii)
{
	return ascii ? &signs_ascii : &signs_unicode;
}

const char *draw_label(const struct signs *s, const char *label)
{
	if (label == NULL) {
		return NULL;
	}
	return strcmp(label, signs_unicode.infinity) == 0 ? s->infinity
	       : strcmp(label, signs_unicode.half) == 0	  ? s->half
	       : strcmp(label, signs_unicode.coffee) == 0 ? s->coffee
							  : label;
}

struct slice draw_label_meant(const struct slices *cards, struct slice typed)
{
	struct slice meant = typed;
	for (size_t i = 0; i < cards->n; i++) {
		struct slice card = cards->items[i];
		if (slice_eq(card, typed)) {
			return typed;
		}
		if (slice_eq(slice_str(draw_label(&signs_ascii, card.data)), typed)) {
			meant = card;
		}
	}
	return meant;
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

static bool draw_ends_at(const struct cell *c)
{
	bool is_gap = c[0].text[0] == ' ' && c[-1].text[0] == ' ';
	return is_gap || c[0].style == STYLE_TITLE;
}

void draw_right_over(struct grid *g, int end, int y, enum style style, const char *text)
{
	int x = end - draw_cells(text);
	int from = x;
	while (from > 1 && from <= g->width && !draw_ends_at(&g->cells[y * g->stride + from - 1])) {
		from--;
	}
	grid_fill(g, from, y, x - from, 1, STYLE_TEXT, " ");
	(void)draw_right(g, end, y, style, text);
}

int draw_title(struct grid *g, const char *title)
{
	(void)grid_text(g, 1, 0, STYLE_TITLE, title, -1);
	return g->height >= DRAW_ROOMY ? 2 : 1;
}

static bool draw_is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* The blanks that a line begins with. */
static size_t draw_indent(struct slice text)
{
	size_t n = 0;
	while (n < text.len && draw_is_blank(text.data[n])) {
		n++;
	}
	return n;
}

/* How much of the text stands in a line of so many cells; *next: where the line below begins. */
static size_t draw_line_end(struct slice text, int cells, size_t *next)
{
	size_t fits = text_fit(text, (size_t)cells);
	size_t indent = draw_indent(text);
	size_t end = fits;
	if (fits < text.len && !draw_is_blank(text.data[fits])) {
		while (end > indent && !draw_is_blank(text.data[end - 1])) {
			end--;
		}
		end = end <= indent ? fits : end;
	}
	*next = end;
	while (*next < text.len && draw_is_blank(text.data[*next])) {
		(*next)++;
	}
	return end;
}

/*
 * One line of a text, wrapped; what draw_text() says of a whole one. Code keeps its shape: what
 * does not fit goes on below as far to the right as the line began, unless that is half of it.
 */
static int draw_line(struct grid *g, int x, int y, enum style style, struct slice rest, int cells,
		     int first, int rows)
{
	int lines = 0;
	int indent = (int)text_cells(slice_of(rest.data, draw_indent(rest)));
	while (rest.len > 0 && cells > 0) {
		size_t next;
		size_t end = draw_line_end(rest, cells, &next);
		if (next == 0) {
			break;
		}
		if (end <= draw_indent(rest)) { /* nothing but blanks fits */
			rest = slice_of(rest.data + next, rest.len - next);
			continue;
		}
		if (g != NULL && lines >= first && lines - first < rows) {
			(void)grid_text(g, x, y + lines - first, style, rest.data,
					(int)text_cells(slice_of(rest.data, end)));
		}
		if (lines == 0 && indent <= cells / 2) {
			x += indent;
			cells -= indent;
		}
		lines++;
		rest = slice_of(rest.data + next, rest.len - next);
	}
	return lines;
}

int draw_wrapped(struct grid *g, int x, int y, enum style style, const char *text, int cells)
{
	return draw_line(g, x, y, style, slice_str(text), cells, 0, INT_MAX);
}

/* Where a command of one option breaks best, as far as both parts fit a row; NULL: nowhere. */
static const char *draw_command_break(int width, const char *line)
{
	const char *option = strstr(line, " --");
	bool fits = option != NULL && option - line + 2 <= width && (int)strlen(option) <= width;
	return fits ? option : NULL;
}

int draw_command_rows(int width, const char *line)
{
	int cells = (int)strlen(line);
	if (cells <= width || draw_command_break(width, line) != NULL) {
		return cells <= width ? 1 : 2;
	}
	return 1 + (cells - width + width - 2) / (width - 1);
}

/* It breaks before its option, or, where that is not enough, anywhere: then each row begins at the edge, since a blank
 * would end the word. */
int draw_command(struct grid *g, int x, int y, const char *line)
{
	int rows = draw_command_rows(g->width, line);
	int cells = (int)strlen(line);
	const char *option = draw_command_break(g->width, line);
	if (rows == 1) {
		x = x + cells > g->width ? g->width - cells : x;
		(void)grid_text(g, x, y, STYLE_STRONG, line, -1);
	} else if (rows == 2 && option != NULL) {
		int head = (int)(option - line) + 2;
		int longest = head > (int)strlen(option) ? head : (int)strlen(option);
		x = x + longest > g->width ? g->width - longest : x;
		(void)grid_text(g, x, y, STYLE_STRONG, line, head - 2);
		(void)grid_text(g, x + head - 2, y, STYLE_STRONG, " \\", -1);
		(void)grid_text(g, x, y + 1, STYLE_STRONG, option, -1);
	} else {
		for (int row = 0; row < rows; row++, line += g->width - 1) {
			bool is_last = row + 1 == rows;
			(void)grid_text(g, 0, y + row, STYLE_STRONG, line,
					is_last ? g->width : g->width - 1);
			(void)grid_text(g, g->width - 1, y + row, STYLE_STRONG, is_last ? "" : "\\",
					-1);
		}
	}
	return rows;
}

int draw_text(struct grid *g, int x, int y, enum style style, const char *text, int cells,
	      int first, int rows)
{
	int lines = 0;
	for (const char *at = text; at != NULL && *at != '\0';) {
		size_t len = strcspn(at, "\n");
		int above = lines < first ? 0 : lines - first; /* drawn already */
		int n = draw_line(g, x, y + above, style, slice_of(at, len), cells,
				  lines < first ? first - lines : 0, rows - above);
		lines += n > 0 ? n : 1;
		at += len + (at[len] == '\n' ? 1 : 0);
	}
	return lines;
}

void draw_bar(struct grid *g, int x, int y, int cells, int64_t n, int64_t most, enum style style,
	      const struct signs *s)
{
	int eighths = most < 1 ? 0 : (int)((double)n * cells * 8 / (double)most);
	eighths = eighths < 4 ? 4 : eighths;
	grid_fill(g, x, y, eighths / 8, 1, style, s->bar[8]);
	if (eighths % 8 != 0) {
		(void)grid_text(g, x + eighths / 8, y, style, s->bar[eighths % 8], 1);
	}
}

void draw_number(double value, int places, char *out, size_t cap)
{
	size_t n = format_to(out, cap, "%.*f", places, value);
	while (n > 0 && out[n - 1] == '0' && memchr(out, '.', n) != NULL) {
		out[--n] = '\0';
	}
	if (n > 0 && out[n - 1] == '.') {
		out[n - 1] = '\0';
	}
}

void draw_name(struct draw_names *names, enum style style, const char *name)
{
	enum { GAP = 2, LEGIBLE = 3 };
	char more[24];
	int cells = draw_cells(name);
	int more_cells = (int)format_to(more, sizeof(more), "+%zu", names->n);
	int gap = 0;
	int space = 0;
	for (;;) {
		bool is_last_row = names->rows <= 1;
		gap = names->x > names->left ? GAP : 0;
		space = names->end - names->x - gap -
			(is_last_row && names->n > 1 ? GAP + more_cells : 0);
		if (cells <= space || gap == 0 || is_last_row) {
			break;
		}
		names->x = names->left;
		names->y++;
		names->rows--;
	}
	if (names->is_full) {
		return;
	}
	if (cells > space && (space < LEGIBLE || (gap > 0 && names->n > 1))) {
		(void)grid_text(names->g, names->x + gap, names->y, STYLE_DIM, more, -1);
		names->is_full = true;
		return;
	}
	(void)draw_cut(names->g, names->x + gap, names->y, style, name, space, names->signs);
	names->x += gap + (cells < space ? cells : space);
	names->n--;
}

struct grid draw_scrolled(struct grid *g, int y, int height, int all, int *top, const char *up,
			  const char *down)
{
	enum { LEFT = 2 };
	char line[80];
	int shown = draw_shown(all, height);
	*top = draw_between(0, *top, all - shown);
	if (shown < all && shown < height) {
		(void)format_to(line, sizeof(line), "rows %d to %d of %d, %s for more", *top + 1,
				*top + shown, all, *top + shown < all ? down : up);
		(void)grid_text(g, LEFT, y + height - 1, STYLE_DIM, line, -1);
	}
	return grid_rows(g, y, shown);
}
