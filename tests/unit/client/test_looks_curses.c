/*
 * test_looks_curses.c - a room in every theme and number of colours, as a real terminal shows it.
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/tui/curses/screen_curses.h"
#include "client/tui/tui.h"
#include "tests/support/terminal.h"
#include "tests/support/test.h"
#include "tests/unit/client/a_room.h"

enum { WIDTH = 80, HEIGHT = 24 };

/* What the program on the terminal begins with. */
struct start {
	const char *term;
	enum theme_choice theme;
	enum colors_choice colors;
};

/* ---- the program: a room, painted after each key ---- */

struct show {
	struct screen *screen;
	struct grid grid;
	struct tui *tui;
	struct a_room room;
	int steps;
};

static bool show_paint(struct show *s)
{
	char line[40];
	tui_follow(s->tui, &s->room.r);
	tui_draw(s->tui, &s->room.r, &s->grid);
	snprintf(line, sizeof(line), "step %d", s->steps++);
	(void)grid_text(&s->grid, 0, HEIGHT - 2, STYLE_TEXT, line, -1);
	(void)grid_text(&s->grid, WIDTH - 1, HEIGHT - 1, STYLE_TEXT, "Z", -1);
	enum err e = screen_paint(s->screen, &s->grid);
	while (e == OK && screen_is_writing(s->screen)) {
		struct pollfd p = {.fd = STDOUT_FILENO, .events = POLLOUT};
		(void)poll(&p, 1, -1);
		e = screen_flush(s->screen);
	}
	return e == OK;
}

/* A theme by its number; whether it goes on. */
static bool show_key(struct show *s, int32_t key)
{
	enum theme_choice theme = (enum theme_choice)(key - '0');
	return key != 'q' && screen_set_look(s->screen, theme, COLORS_256) == OK && show_paint(s);
}

static void show_open(struct show *s)
{
	s->tui = tui_create(&(struct tui_options){.name_hint = NULL});
	grid_resize(&s->grid, WIDTH, HEIGHT);
	a_room_init(&s->room, "Sprint 42");
	a_room_seat(&s->room, "Ada", IS_HOST | HAS_VOTED, NULL);
	a_room_seat(&s->room, "me", IS_ME, "5");
	a_room_seat(&s->room, "Linus", IS_AWAY, NULL);
	tui_set_link(s->tui, LINK_LOST);
}

static int run_show(void *arg)
{
	static struct show s; /* the room is large */
	const struct start *start = arg;
	struct screen_options o = {.term = start->term,
				   .theme = start->theme,
				   .colors = start->colors};
	if (screen_open(&o, &s.screen) != OK) {
		return 5;
	}
	show_open(&s);
	bool goes_on = show_paint(&s);
	while (goes_on) {
		struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
		struct slice paste;
		int32_t key;
		(void)poll(&p, 1, -1);
		enum screen_event event = SCREEN_KEY;
		while (goes_on && event != SCREEN_NOTHING) {
			event = screen_read(s.screen, &key, &paste);
			goes_on = event == SCREEN_NOTHING ||
				  (event == SCREEN_KEY && show_key(&s, key));
		}
	}
	screen_close(s.screen);
	grid_finish(&s.grid);
	tui_destroy(s.tui);
	return 0;
}

/* ---- looking ---- */

enum { DEFAULT = -1 };

struct seen {
	bool is_bold, is_underlined, is_reversed;
	int ink, ground; /* of the palette, or DEFAULT */
};

static VTermScreenCell cell_at(struct terminal *t, int x, int y)
{
	VTermScreenCell cell;
	VTermPos at = {.row = y, .col = x};
	assert_int_equal(vterm_screen_get_cell(t->screen, at, &cell), 1);
	return cell;
}

static int color_of(const VTermColor *c)
{
	if (VTERM_COLOR_IS_DEFAULT_FG(c) || VTERM_COLOR_IS_DEFAULT_BG(c)) {
		return DEFAULT;
	}
	assert_true(VTERM_COLOR_IS_INDEXED(c));
	return c->indexed.idx;
}

static struct seen look_at(struct terminal *t, int x, int y)
{
	VTermScreenCell cell = cell_at(t, x, y);
	return (struct seen){
		.is_bold = cell.attrs.bold,
		.is_underlined = cell.attrs.underline != 0,
		.is_reversed = cell.attrs.reverse,
		.ink = color_of(&cell.fg),
		.ground = color_of(&cell.bg),
	};
}

static bool stands_at(struct terminal *t, int x, int y, const uint32_t *text, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (x + (int)i >= WIDTH || cell_at(t, x + (int)i, y).chars[0] != text[i]) {
			return false;
		}
	}
	return true;
}

/* How the first place looks where the text stands; `skip` characters of it are passed over. */
static struct seen look_of(struct terminal *t, const char *ascii, size_t skip)
{
	uint32_t text[16];
	size_t n = strlen(ascii);
	assert_true(n > skip && n <= 16);
	for (size_t i = 0; i < n; i++) {
		text[i] = ascii[i] == '#' ? 0x2591 : (uint32_t)ascii[i];
	}
	for (int y = 0; y < HEIGHT; y++) {
		for (int x = 0; x < WIDTH; x++) {
			if (stands_at(t, x, y, text, n)) {
				return look_at(t, x + (int)skip, y);
			}
		}
	}
	fail_msg("%s is not on the screen", ascii);
	return (struct seen){.ink = 0};
}

static void assert_look(struct terminal *t, const char *text, size_t skip, struct seen expected)
{
	struct seen seen = look_of(t, text, skip);
	if (seen.is_bold != expected.is_bold || seen.is_underlined != expected.is_underlined ||
	    seen.is_reversed != expected.is_reversed || seen.ink != expected.ink ||
	    seen.ground != expected.ground) {
		fail_msg("%s: bold %d underlined %d reversed %d ink %d ground %d", text,
			 seen.is_bold, seen.is_underlined, seen.is_reversed, seen.ink, seen.ground);
	}
}

/* ---- each theme, each number of colours ---- */

static char xterm[] = "xterm-256color";

#define BOLD	 .is_bold = true
#define REVERSED .is_reversed = true
/* clang-format off */
static const struct look_row {
	struct start start;
	struct seen own, back, away, error, chosen;
} look_rows[] = {
	{{xterm, THEME_DEFAULT, COLORS_AUTO}, {BOLD, .ink = 64, .ground = -1}, {.ink = 67, .ground = -1},
	 {.ink = 244, .ground = -1}, {BOLD, .ink = 196, .ground = -1}, {REVERSED, .ink = -1, .ground = -1}},
	{{xterm, THEME_DEFAULT, COLORS_16}, {BOLD, .ink = 2, .ground = -1}, {.ink = 6, .ground = -1},
	 {.ink = -1, .ground = -1}, {BOLD, .ink = 1, .ground = -1}, {REVERSED, .ink = -1, .ground = -1}},
	{{xterm, THEME_DEFAULT, COLORS_8}, {BOLD, .ink = 2, .ground = -1}, {.ink = 6, .ground = -1},
	 {.ink = -1, .ground = -1}, {BOLD, .ink = 1, .ground = -1}, {REVERSED, .ink = -1, .ground = -1}},
	{{xterm, THEME_DEFAULT, COLORS_NONE}, {BOLD, .ink = -1, .ground = -1}, {.ink = -1, .ground = -1},
	 {.ink = -1, .ground = -1}, {BOLD, .ink = -1, .ground = -1}, {REVERSED, .ink = -1, .ground = -1}},
	{{xterm, THEME_CONTRAST, COLORS_AUTO}, {BOLD, .ink = 226, .ground = 16}, {.ink = 51, .ground = 16},
	 {.ink = 231, .ground = 16}, {BOLD, REVERSED, .ink = 231, .ground = 16}, {BOLD, REVERSED, .ink = 231, .ground = 16}},
	{{xterm, THEME_CONTRAST, COLORS_16}, {BOLD, .ink = 11, .ground = 0}, {.ink = 14, .ground = 0},
	 {.ink = 15, .ground = 0}, {BOLD, REVERSED, .ink = 15, .ground = 0}, {BOLD, REVERSED, .ink = 15, .ground = 0}},
	{{xterm, THEME_CONTRAST, COLORS_8}, {BOLD, .ink = 3, .ground = 0}, {.ink = 6, .ground = 0},
	 {.ink = 7, .ground = 0}, {BOLD, REVERSED, .ink = 7, .ground = 0}, {BOLD, REVERSED, .ink = 7, .ground = 0}},
	{{xterm, THEME_CONTRAST, COLORS_NONE}, {BOLD, .ink = -1, .ground = -1}, {.ink = -1, .ground = -1},
	 {.ink = -1, .ground = -1}, {BOLD, REVERSED, .ink = -1, .ground = -1}, {BOLD, REVERSED, .ink = -1, .ground = -1}},
	{{xterm, THEME_MONO, COLORS_256}, {BOLD, .ink = -1, .ground = -1}, {.ink = -1, .ground = -1},
	 {.ink = -1, .ground = -1}, {BOLD, REVERSED, .ink = -1, .ground = -1}, {REVERSED, .ink = -1, .ground = -1}},
};
/* clang-format on */

static void open_show(struct terminal *t, const struct start *start)
{
	static struct start current;
	current = *start;
	terminal_open(t, WIDTH, HEIGHT, "before", run_show, &current);
	terminal_wait_row(t, HEIGHT - 2, "step 0");
}

static void assert_looks(struct terminal *t, const struct look_row *row)
{
	assert_look(t, "you", 0, row->own);
	assert_look(t, "##", 0, row->back);
	assert_look(t, "away", 0, row->away);
	assert_look(t, "lost", 0, row->error);
	assert_look(t, "[5]", 1, row->chosen);
}

TEST(test_each_theme_looks_as_its_table_says_in_any_number_of_colours)
{
	for (size_t i = 0; i < sizeof(look_rows) / sizeof(look_rows[0]); i++) {
		struct terminal t;
		open_show(&t, &look_rows[i].start);
		assert_looks(&t, &look_rows[i]);
		terminal_close(&t);
	}
}

/* Whether a control sequence among what came sets a colour. */
static bool has_color_sequence(const struct terminal *t)
{
	for (const char *at = strstr(t->raw, "\033["); at != NULL; at = strstr(at + 2, "\033[")) {
		const char *end = at + 2 + strspn(at + 2, "0123456789;:");
		for (const char *p = at + 2; *end == 'm' && p < end; p++) {
			long number = strtol(p, NULL, 10);
			if ((number >= 30 && number <= 49) || (number >= 90 && number <= 107)) {
				return true;
			}
			p += strcspn(p, ";:m");
		}
	}
	return false;
}

TEST(test_without_colours_none_is_ever_sent)
{
	static const struct start starts[] = {
		{xterm, THEME_MONO, COLORS_AUTO},      {xterm, THEME_MONO, COLORS_256},
		{xterm, THEME_DEFAULT, COLORS_NONE},   {xterm, THEME_CONTRAST, COLORS_NONE},
		{"vt100", THEME_DEFAULT, COLORS_AUTO}, {"vt220", THEME_CONTRAST, COLORS_AUTO},
	};
	static const struct start colored = {xterm, THEME_DEFAULT, COLORS_8};
	struct terminal t;
	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
		open_show(&t, &starts[i]);
		assert_false(has_color_sequence(&t));
		terminal_close(&t);
	}
	open_show(&t, &colored);
	assert_true(has_color_sequence(&t));
	terminal_close(&t);
}

TEST(test_auto_takes_what_the_terminal_has_and_what_is_asked_for_more)
{
	static const struct {
		struct start start;
		const char *colorterm;
		int own_ink;
	} rows[] = {
		{{"xterm-256color", THEME_CONTRAST, COLORS_AUTO}, NULL, 226},
		{{"xterm", THEME_CONTRAST, COLORS_AUTO}, NULL, 3},
		{{"xterm", THEME_CONTRAST, COLORS_AUTO}, "truecolor", 226},
		{{"vt100", THEME_CONTRAST, COLORS_AUTO}, "truecolor", DEFAULT},
		{{"xterm", THEME_CONTRAST, COLORS_16}, NULL, 11},
		{{"xterm", THEME_CONTRAST, COLORS_256}, NULL, 226},
		{{"vt100", THEME_CONTRAST, COLORS_8}, NULL, 3},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct terminal t;
		const char *more = rows[i].colorterm;
		assert_int_equal(more == NULL ? unsetenv("COLORTERM")
					      : setenv("COLORTERM", more, 1),
				 0);
		open_show(&t, &rows[i].start);
		assert_int_equal(look_of(&t, "you", 0).ink, rows[i].own_ink);
		terminal_close(&t);
	}
	assert_int_equal(unsetenv("COLORTERM"), 0);
}

static void assert_ground_everywhere(struct terminal *t, int ground)
{
	for (int y = 0; y < HEIGHT; y++) {
		for (int x = 0; x < WIDTH; x++) {
			assert_int_equal(look_at(t, x, y).ground, ground);
		}
	}
}

/* Also where nothing stands, and in the last corner, which would scroll some terminals. */
TEST(test_a_switch_paints_everything_anew)
{
	static const struct start start = {"screen-256color", THEME_DEFAULT, COLORS_256};
	struct terminal t;
	open_show(&t, &start);
	assert_ground_everywhere(&t, DEFAULT);
	terminal_type(&t, "1");
	terminal_wait_row(&t, HEIGHT - 2, "step 1");
	assert_ground_everywhere(&t, 16);
	assert_looks(&t, &look_rows[4]);
	terminal_type(&t, "2");
	terminal_wait_row(&t, HEIGHT - 2, "step 2");
	assert_ground_everywhere(&t, DEFAULT);
	assert_looks(&t, &look_rows[8]);
	terminal_type(&t, "0");
	terminal_wait_row(&t, HEIGHT - 2, "step 3");
	assert_looks(&t, &look_rows[0]);
	assert_int_equal(cell_at(&t, WIDTH - 1, HEIGHT - 1).chars[0], 'Z');
	terminal_close(&t);
}

int main(void)
{
	(void)unsetenv("COLORTERM");
	return test_run(NULL, NULL);
}
