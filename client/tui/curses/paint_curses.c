/*
 * paint_curses.c - what differs goes to the terminal, a frame in one write().
 *
 * It is made here from the terminal's capabilities, because curses would move
 * the cursor by its own idea of how wide a name is. Behind text that terminals
 * may disagree about we always move absolutely, so a wrong width moves one
 * name and nothing else.
 */
#include "client/tui/curses/screen_parts_curses.h"

#include <stdlib.h>
#include <string.h>

#include "client/model/memory.h"
#include "client/tui/widgets/theme.h"

/* After proto/base/err.h: curses calls success OK as well, with the same value, but by a macro. */
#include <curses.h>
#include <term.h>

/* ---- looks ---- */

static int paint_colors(enum colors_choice choice)
{
	const char *more = getenv("COLORTERM"); /* what TERM does not tell of */
	switch (choice) {
	case COLORS_NONE:
		return 0;
	case COLORS_8:
		return 8;
	case COLORS_16:
		return 16;
	case COLORS_256:
		return 256;
	case COLORS_AUTO:
		break;
	}
	if (max_colors >= 8 && more != NULL &&
	    (strcmp(more, "truecolor") == 0 || strcmp(more, "24bit") == 0)) {
		return 256;
	}
	return max_colors >= 256 ? 256 : max_colors >= 16 ? 16 : max_colors >= 8 ? 8 : 0;
}

/*
 * Where more is asked for than the terminal says it has, as all terminals have it; so too where it
 * takes numbers for shares of red, green and blue.
 */
static void paint_put_color(struct buf *b, int color, int colors, bool is_ground)
{
	char *capability = is_ground ? set_a_background : set_a_foreground;
	if (colors <= max_colors && max_colors <= 256 && capability != NULL) {
		screen_put(b, tparm(capability, (long)color, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L));
	} else if (color < 8) {
		(void)buf_printf(b, "\033[%dm", (is_ground ? 40 : 30) + color);
	} else if (color < 16) {
		(void)buf_printf(b, "\033[%dm", (is_ground ? 100 : 90) + color - 8);
	} else {
		(void)buf_printf(b, "\033[%d;5;%dm", is_ground ? 48 : 38, color);
	}
}

static void paint_put_look(struct buf *b, const struct look *look, int colors)
{
	screen_put(b, exit_attribute_mode);
	screen_put(b, (look->flags & LOOK_BOLD) != 0 ? enter_bold_mode : NULL);
	screen_put(b, (look->flags & LOOK_DIM) != 0 ? enter_dim_mode : NULL);
	screen_put(b, (look->flags & LOOK_UNDERLINE) != 0 ? enter_underline_mode : NULL);
	screen_put(b, (look->flags & LOOK_REVERSE) != 0 ? enter_reverse_mode : NULL);
	if (look->ink != LOOK_NO_COLOR) {
		paint_put_color(b, look->ink, colors, false);
	}
	if (look->ground != LOOK_NO_COLOR) {
		paint_put_color(b, look->ground, colors, true);
	}
}

enum err paint_set_look(struct screen *s, enum theme_choice theme, enum colors_choice choice)
{
	struct screen_bytes made[STYLE_COUNT];
	struct buf bytes; /* not s->out, where a frame may wait to be sent */
	int colors = paint_colors(choice);
	enum err e = OK;
	buf_init(&bytes, SCREEN_MODE_BYTES_MAX);
	for (int i = 0; i < STYLE_COUNT && e == OK; i++) {
		struct look look = theme_look(theme, (enum style)i, colors);
		paint_put_look(&bytes, &look, colors);
		e = screen_keep(&made[i], &bytes);
	}
	buf_finish(&bytes);
	if (e == OK) {
		memcpy(s->style, made, sizeof(made));
		s->has_ground = theme_look(theme, STYLE_TEXT, colors).ground != LOOK_NO_COLOR;
	}
	return e;
}

/* ---- cells ---- */

static bool paint_is_same(const struct cell *a, const struct cell *b)
{
	return a->len == b->len && a->style == b->style && a->is_link == b->is_link &&
	       memcmp(a->text, b->text, a->len) == 0;
}

/* The address of the grid begins or ends before the next cell; nothing where no links are told. */
static void paint_link(struct screen *s, const struct grid *g, bool is_link)
{
	is_link = is_link && s->has_links && hyperlink_is_one(g->link);
	if (is_link && !s->is_in_link) {
		hyperlink_begin(&s->out, g->link);
	} else if (!is_link && s->is_in_link) {
		(void)buf_append_slice(&s->out, SLICE(HYPERLINK_END));
	}
	s->is_in_link = is_link;
}

static void paint_cell(struct screen *s, const struct cell *c)
{
	if (s->last_style != c->style) {
		s->last_style = c->style;
		(void)buf_append(&s->out, s->style[c->style].data, s->style[c->style].len);
	}
	(void)buf_append(&s->out, c->text, c->len);
}

static void paint_move(struct screen *s, int x, int y)
{
	screen_put(&s->out, tparm(cursor_address, (long)y, (long)x, 0L, 0L, 0L, 0L, 0L, 0L, 0L));
}

/*
 * Terminals agree about ASCII and about the line and block characters that we
 * draw with; behind anything else the place of the cursor is not relied on.
 */
static bool paint_is_certain(const struct cell *c)
{
	unsigned char first = (unsigned char)c->text[0];
	if (c->len == 1) {
		return true;
	}
	/* U+2500 to U+259F */
	return c->len == 3 && first == 0xe2 &&
	       ((unsigned char)c->text[1] == 0x94 || (unsigned char)c->text[1] == 0x95 ||
		((unsigned char)c->text[1] == 0x96 && (unsigned char)c->text[2] < 0xa0));
}

static void paint_row(struct screen *s, const struct grid *g, int y, bool is_clear)
{
	const struct cell *row = &g->cells[(size_t)y * (size_t)g->width];
	const struct cell *old = &s->shown.cells[(size_t)y * (size_t)g->width];
	bool is_placed = false; /* the cursor stands before cell x, beyond doubt */
	/*
	 * One cell drawn wider than we think may have pushed others aside: such a row is drawn from
	 * there to its end.
	 */
	bool is_doubtful = false;
	bool has_same_link = strcmp(g->link == NULL ? "" : g->link,
				    s->shown.link == NULL ? "" : s->shown.link) == 0;
	for (int x = 0; x < g->width; x++) {
		bool is_same =
			paint_is_same(&row[x], &old[x]) && (has_same_link || !row[x].is_link);
		if (row[x].len == 0) {
			continue;
		}
		bool has_changed = !is_same ||
				   (x + 1 < g->width && row[x + 1].len == 0 && old[x + 1].len != 0);
		if (has_changed && !is_clear &&
		    (!paint_is_certain(&row[x]) || !paint_is_certain(&old[x]))) {
			is_doubtful = true;
		}
		if (!has_changed && !is_doubtful) {
			is_placed = false;
			continue;
		}
		/* The last cell of the last row scrolls terminals that do not wait with the next line. */
		if (y == g->height - 1 && x == g->width - 1 && auto_right_margin &&
		    !eat_newline_glitch) {
			break;
		}
		if (!is_placed) {
			paint_move(s, x, y);
		}
		paint_link(s, g, row[x].is_link);
		paint_cell(s, &row[x]);
		is_placed = paint_is_certain(&row[x]);
	}
	paint_link(s, g, false);
}

/* Not every terminal clears to our ground, whatever it says: blanks are drawn as well. */
static void paint_forget(struct screen *s)
{
	size_t n = (size_t)s->shown.width * (size_t)s->shown.height;
	for (size_t i = 0; i < n; i++) {
		s->shown.cells[i].style = STYLE_COUNT;
	}
}

static void paint_start_over(struct screen *s, const struct grid *g)
{
	grid_resize(&s->shown, g->width, g->height);
	(void)buf_append(&s->out, s->style[STYLE_TEXT].data, s->style[STYLE_TEXT].len);
	screen_put(&s->out, clear_screen);
	s->last_style = STYLE_TEXT;
	s->is_in_link = false;
	if (s->has_ground) {
		paint_forget(s);
	}
}

static void paint_cursor(struct screen *s, const struct grid *g)
{
	if (g->cursor_shown) {
		paint_move(s, g->cursor_x, g->cursor_y);
		screen_put(&s->out, cursor_normal);
	} else {
		screen_put(&s->out, cursor_invisible);
	}
}

/* What differs, the cursor behind it, and the notices; nothing where nothing differs. */
static enum err paint_frame(struct screen *s, const struct grid *g)
{
	bool is_whole = s->is_stale || s->shown.width != g->width || s->shown.height != g->height;
	bool is_moved = is_whole || s->shown.cursor_shown != g->cursor_shown ||
			s->shown.cursor_x != g->cursor_x || s->shown.cursor_y != g->cursor_y;
	if (is_whole) {
		paint_start_over(s, g);
	}
	for (int y = 0; y < g->height; y++) {
		paint_row(s, g, y, is_whole);
	}
	if (s->out.len > 0 || is_moved) {
		paint_cursor(s, g);
	}
	if (s->notice.len > 0) {
		(void)buf_append_slice(&s->out, buf_slice(&s->notice));
		buf_clear(&s->notice);
	}
	return memory_check(s->out.error);
}

enum err screen_paint(struct screen *s, const struct grid *g)
{
	output_check_back(s);
	if (screen_is_writing(s)) {
		return ERR_BUSY;
	}
	buf_clear(&s->out);
	s->sent = 0;
	enum err e = paint_frame(s, g);
	s->is_stale = e != OK;
	if (e != OK) {
		buf_clear(&s->out); /* half a frame is none */
		return e;
	}
	memcpy(s->shown.cells, g->cells, (size_t)g->width * (size_t)g->height * sizeof(*g->cells));
	grid_set_link(&s->shown, g->link);
	s->shown.cursor_shown = g->cursor_shown;
	s->shown.cursor_x = g->cursor_x;
	s->shown.cursor_y = g->cursor_y;
	return screen_flush(s);
}
