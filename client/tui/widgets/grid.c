/*
 * grid.c - cells, cut at the edges, one grapheme each.
 *
 * What would harm a terminal becomes U+FFFD here, at the latest.
 */
#include "client/tui/widgets/grid.h"

#include <stdlib.h>
#include <string.h>

#include "client/model/memory.h"
#include "proto/base/buf.h"
#include "proto/text/text.h"

#define GRID_REPLACEMENT "\xef\xbf\xbd"

enum {
	GRID_SIDE_MAX = 4096,
	GRID_DUMP_BYTES_MAX = 512 << 20,
	GRID_CELL_BYTES_MAX = sizeof(((struct cell *)NULL)->text) - 1
};

static const struct cell grid_blank = {.text = " ", .len = 1, .style = STYLE_TEXT};

void grid_resize(struct grid *g, int width, int height)
{
	width = width < 0 ? 0 : width > GRID_SIDE_MAX ? GRID_SIDE_MAX : width;
	height = height < 0 ? 0 : height > GRID_SIDE_MAX ? GRID_SIDE_MAX : height;
	g->cells = memory_grow(g->cells, (size_t)width * (size_t)height, sizeof(*g->cells));
	g->width = width;
	g->height = height;
	g->stride = width;
	grid_clear(g);
}

void grid_finish(struct grid *g)
{
	free(g->cells);
	free(g->link);
	*g = (struct grid){0};
}

void grid_clear(struct grid *g)
{
	for (int y = 0; y < g->height; y++) {
		for (int x = 0; x < g->width; x++) {
			g->cells[(size_t)y * (size_t)g->stride + (size_t)x] = grid_blank;
		}
	}
	g->cursor_x = 0;
	g->cursor_y = 0;
	g->cursor_shown = false;
	grid_set_link(g, NULL);
}

/* Half of a wide grapheme must not stay behind when the other half is drawn over. */
static void grid_free_cell(struct cell *row, int width, int x)
{
	if (row[x].len == 0 && x > 0) {
		row[x - 1] = grid_blank;
	}
	if (x + 1 < width && row[x + 1].len == 0) {
		row[x + 1] = grid_blank;
	}
}

/*
 * The grapheme as it may go to a terminal. Text that comes here was softened
 * already, so this changes nothing; were it forgotten somewhere, a control or
 * an override still would not get out.
 */
static struct slice grid_safe(struct slice grapheme, char soft[static GRID_CELL_BYTES_MAX])
{
	unsigned char first = (unsigned char)grapheme.data[0];
	if (grapheme.len == 1 && first >= ' ' && first < 0x7f) {
		return grapheme;
	}
	if (grapheme.len > GRID_CELL_BYTES_MAX || first < ' ') {
		return SLICE(GRID_REPLACEMENT);
	}
	size_t n = text_soften_lines(grapheme, soft, GRID_CELL_BYTES_MAX);
	return n == 0 ? SLICE(GRID_REPLACEMENT) : slice_of(soft, n);
}

/*
 * Of several emoji that are joined into one the first: terminals do not agree on how wide the
 * others are, and a joiner between wide characters is where they come apart.
 */
static struct slice grid_unjoined(struct slice grapheme, int cells)
{
	static const char joiner[] = "\xe2\x80\x8d";
	for (size_t i = 1; cells == 2 && i + sizeof(joiner) - 1 <= grapheme.len; i++) {
		if (memcmp(grapheme.data + i, joiner, sizeof(joiner) - 1) == 0) {
			return slice_of(grapheme.data, i);
		}
	}
	return grapheme;
}

/* @grapheme  by grid_safe(). */
static void grid_put(struct grid *g, int x, int y, enum style style, struct slice grapheme,
		     int cells)
{
	struct cell *row = &g->cells[(size_t)y * (size_t)g->stride];
	for (int i = 0; i < cells; i++) {
		grid_free_cell(row, g->width, x + i);
	}
	struct cell *c = &row[x];
	*c = (struct cell){.len = (uint8_t)grapheme.len, .style = (uint8_t)style};
	memcpy(c->text, grapheme.data, grapheme.len);
	if (cells == 2) {
		row[x + 1] = (struct cell){.len = 0, .style = (uint8_t)style};
	}
}

int grid_text(struct grid *g, int x, int y, enum style style, const char *text, int max_cells)
{
	if (text == NULL || y < 0 || y >= g->height || x >= g->width) {
		return 0;
	}
	int end = max_cells < 0 || max_cells > g->width - x ? g->width : x + max_cells;
	int start = x;
	struct slice all = slice_str(text);
	size_t at = 0;
	for (;;) {
		size_t cells = 0;
		struct slice grapheme = text_next(all, &at, (size_t)(x - start), &cells);
		if (grapheme.len == 0) {
			break;
		}
		int n = (int)cells;
		if (n == 0) {
			continue; /* such as a mark of direction, which would reach beyond its text */
		}
		if (n > end - x) {
			break;
		}
		if (text_is_space(grapheme)) {
			grid_fill(g, x, y, n, 1, style, " ");
		} else if (x >= 0) {
			char soft[GRID_CELL_BYTES_MAX];
			grid_put(g, x, y, style, grid_safe(grid_unjoined(grapheme, n), soft), n);
		}
		x += n;
	}
	return x - start;
}

void grid_fill(struct grid *g, int x, int y, int width, int height, enum style style,
	       const char *grapheme)
{
	char soft[GRID_CELL_BYTES_MAX];
	struct slice safe = grid_safe(slice_str(grapheme), soft);
	for (int row = y < 0 ? 0 : y; row < y + height && row < g->height; row++) {
		for (int col = x < 0 ? 0 : x; col < x + width && col < g->width; col++) {
			grid_put(g, col, row, style, safe, 1);
		}
	}
}

void grid_mark(struct grid *g, int x, int y, int width, int height, struct spot spot)
{
	for (int row = y < 0 ? 0 : y; row < y + height && row < g->height; row++) {
		for (int col = x < 0 ? 0 : x; col < x + width && col < g->width; col++) {
			g->cells[(size_t)row * (size_t)g->stride + (size_t)col].spot = spot;
		}
	}
}

void grid_set_link(struct grid *g, const char *address)
{
	free(g->link);
	g->link = address == NULL || address[0] == '\0' ? NULL : memory_text(address);
}

void grid_mark_link(struct grid *g, int x, int y, int width)
{
	bool is_there = g->link != NULL && y >= 0 && y < g->height;
	for (int col = x < 0 ? 0 : x; is_there && col < x + width && col < g->width; col++) {
		g->cells[(size_t)y * (size_t)g->stride + (size_t)col].is_link = true;
	}
}

struct spot grid_spot(const struct grid *g, int x, int y)
{
	if (x < 0 || y < 0 || x >= g->width || y >= g->height) {
		return (struct spot){0};
	}
	return g->cells[(size_t)y * (size_t)g->stride + (size_t)x].spot;
}

void grid_cursor(struct grid *g, int x, int y)
{
	g->cursor_shown = x >= 0 && y >= 0 && x < g->width && y < g->height;
	if (g->cursor_shown) {
		g->cursor_x = x;
		g->cursor_y = y;
	}
}

struct grid grid_part(const struct grid *g, int x, int width)
{
	struct grid part = *g;
	x = x < 0 ? 0 : x > g->width ? g->width : x;
	part.width = width < 0 ? 0 : width > g->width - x ? g->width - x : width;
	part.cells = g->cells + x;
	part.cursor_shown = false;
	return part;
}

struct grid grid_rows(const struct grid *g, int y, int height)
{
	struct grid part = *g;
	y = y < 0 ? 0 : y > g->height ? g->height : y;
	part.height = height < 0 ? 0 : height > g->height - y ? g->height - y : height;
	part.cells = part.height == 0 ? NULL : g->cells + (size_t)y * (size_t)g->stride;
	part.cursor_shown = false;
	return part;
}

void grid_part_cursor(struct grid *g, const struct grid *part, int x)
{
	if (part->cursor_shown) {
		grid_cursor(g, part->cursor_x + x, part->cursor_y);
	}
}

char *grid_dump(const struct grid *g)
{
	struct buf b;
	buf_init(&b, GRID_DUMP_BYTES_MAX);
	for (int y = 0; y < g->height; y++) {
		const struct cell *row = &g->cells[(size_t)y * (size_t)g->stride];
		int end = g->width;
		while (end > 0 && row[end - 1].len == 1 && row[end - 1].text[0] == ' ') {
			end--;
		}
		for (int x = 0; x < end; x++) {
			(void)buf_append(&b, row[x].text, row[x].len);
		}
		(void)buf_append(&b, "\n", 1);
	}
	(void)buf_append(&b, "", 1);
	(void)memory_check(b.error);
	return buf_take(&b);
}
