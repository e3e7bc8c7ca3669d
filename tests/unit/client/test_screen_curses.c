/*
 * test_screen_curses.c - real terminals: what is painted stands there, what is
 * typed arrives, and whatever ends the program, the terminal is as it was.
 */
#include <errno.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "client/tui/screen_curses.h"
#include "client/tui/tui.h"
#include "tests/support/terminal.h"

/* A face that the width tables of the world disagree about. */
#define DOUBTFUL "\xf0\x9f\xab\xa0"

static int new_size[2]; /* a pipe: a signal that comes just before poll() must not be missed */

static void on_new_size(int number)
{
	(void)number;
	(void)!write(new_size[1], "w", 1);
}

struct echo {
	struct screen *screen;
	struct grid grid;
	int events;
};

static int echo_fail(const char *what)
{
	(void)!write(STDOUT_FILENO, what, strlen(what));
	return 9;
}

static bool echo_paint(struct echo *e, const char *what)
{
	char line[400];
	snprintf(line, sizeof(line), "%d %s", e->events, what);
	grid_fill(&e->grid, 0, 1, e->grid.width, 1, STYLE_TEXT, " ");
	(void)grid_text(&e->grid, 0, 1, STYLE_OWN, line, -1);
	grid_cursor(&e->grid, 3, 4);
	return screen_paint(e->screen, &e->grid) == OK;
}

static bool echo_resize(struct echo *e)
{
	char line[80];
	int width;
	int height;
	screen_size(e->screen, &width, &height);
	if (grid_resize(&e->grid, width, height) != OK) {
		return false;
	}
	snprintf(line, sizeof(line), "size %dx%d", width, height);
	(void)grid_text(&e->grid, 0, 0, STYLE_TITLE, line, -1);
	(void)grid_text(&e->grid, 0, 2, STYLE_CARD_BACK, "░░ 名前 e\xcc\x81" DOUBTFUL, -1);
	(void)grid_text(&e->grid, 30, 2, STYLE_WARN, "X", -1);
	return echo_paint(e, "ready");
}

/* The keys that do something; all others are only told. */
static void echo_act(int32_t key)
{
	switch (key) {
	case 'S':
		(void)raise(SIGSEGV);
		break;
	case 'A':
		abort();
	case 'T':
		(void)raise(SIGTERM);
		break;
	case 'H':
		(void)raise(SIGHUP);
		break;
	case 'Z':
		(void)raise(SIGTSTP);
		break;
	}
}

/* One event; false when it is time to go. */
static bool echo_event(struct echo *e, enum screen_event event, int32_t key, struct slice paste)
{
	char line[300];
	e->events++;
	switch (event) {
	case SCREEN_KEY:
		if (key == 'q') {
			return false;
		}
		echo_act(key);
		snprintf(line, sizeof(line), "key %lx", (unsigned long)key);
		return echo_paint(e, line);
	case SCREEN_PASTE:
		for (size_t i = 0; i < paste.len && i < 100; i++) {
			snprintf(line + 2 * i, sizeof(line) - 2 * i, "%02x",
				 (unsigned char)paste.data[i]);
		}
		return echo_paint(e, line);
	case SCREEN_CHANGED:
		return echo_resize(e) && echo_paint(e, "back");
	case SCREEN_GONE:
	case SCREEN_NOTHING:
		break;
	}
	return false;
}

/* A program that paints what it gets. arg: the terminal's type. */
static int run_echo(void *arg)
{
	struct echo e = {0};
	struct sigaction resized = {.sa_handler = on_new_size};
	if (pipe(new_size) != 0 || sigaction(SIGWINCH, &resized, NULL) != 0) {
		return 6;
	}
	/* Sanitizers take these for themselves; a program of its own would not. */
	(void)signal(SIGSEGV, SIG_DFL);
	(void)signal(SIGABRT, SIG_DFL);
	enum err opened = screen_open(&(struct screen_options){.term = arg}, &e.screen);
	if (opened != OK) {
		(void)echo_fail("not opened");
		return opened == ERR_NOT_FOUND ? 4 : 5;
	}
	bool goes_on = echo_resize(&e);
	while (goes_on) {
		struct pollfd p[] = {{.fd = STDIN_FILENO, .events = POLLIN},
				     {.fd = new_size[0], .events = POLLIN}};
		int32_t key = 0;
		struct slice paste = {0};
		enum screen_event event;
		char byte;
		if (poll(p, 2, -1) < 0 && errno != EINTR) {
			break;
		}
		if (p[1].revents != 0 && read(new_size[0], &byte, 1) == 1) {
			goes_on = echo_resize(&e);
		}
		while (goes_on && (event = screen_read(e.screen, &key, &paste)) != SCREEN_NOTHING) {
			goes_on = echo_event(&e, event, key, paste);
		}
	}
	screen_close(e.screen);
	grid_finish(&e.grid);
	return 0;
}

static char xterm[] = "xterm-256color";

static void open_echo(struct terminal *t, char *type)
{
	terminal_open(t, 80, 24, "before", run_echo, type);
}

static void assert_as_before(struct terminal *t)
{
	assert_true(terminal_is_restored(t));
	assert_false(t->is_alternate);
	assert_true(t->is_cursor_shown);
	assert_string_equal(terminal_row(t, 0), "before");
	assert_string_equal(terminal_row(t, 1), "");
	assert_true(terminal_has_received(t, "\033[?2004l"));
}

static void test_what_is_painted_stands_there(void **state)
{
	(void)state;
	struct terminal t;
	int x;
	int y;
	open_echo(&t, xterm);
	terminal_wait_row(&t, 1, "0 ready");
	assert_string_equal(terminal_row(&t, 0), "size 80x24");
	assert_true(t.is_alternate);
	terminal_type(&t, "a");
	terminal_wait_row(&t, 1, "1 key 61");
	terminal_cursor(&t, &x, &y);
	assert_int_equal(x, 3);
	assert_int_equal(y, 4);
	assert_true(t.is_cursor_shown);
	terminal_close(&t);
}

static void test_behind_a_name_of_doubtful_width_ours_stands_in_its_place(void **state)
{
	(void)state;
	struct terminal t;
	VTermScreenCell cell;
	open_echo(&t, xterm);
	terminal_wait_row(&t, 1, "0 ready");
	assert_int_equal(vterm_screen_get_cell(t.screen, (VTermPos){.row = 2, .col = 30}, &cell),
			 1);
	assert_int_equal(cell.chars[0], 'X');
	assert_non_null(strstr(terminal_row(&t, 2), "░░ 名前"));
	terminal_close(&t);
}

static void test_only_differences_are_written(void **state)
{
	(void)state;
	struct terminal t;
	open_echo(&t, xterm);
	terminal_wait_row(&t, 1, "0 ready");
	terminal_type(&t, "a");
	terminal_wait_row(&t, 1, "1 key 61");
	size_t before = t.bytes;
	terminal_type(&t, "b");
	terminal_wait_row(&t, 1, "2 key 62");
	/* Two digits have changed: two moves, two looks, two digits, and the cursor back. */
	assert_in_range(t.bytes - before, 1, 100);
	before = t.bytes;
	terminal_type(&t, "\f");
	terminal_wait_row(&t, 1, "3 key c");
	assert_true(t.bytes - before > 100);
	assert_string_equal(terminal_row(&t, 0), "size 80x24");
	terminal_close(&t);
}

static void test_keys_arrive_whole(void **state)
{
	(void)state;
	static const struct {
		const char *bytes;
		long key;
	} rows[] = {
		{"\033[A", TUI_KEY_UP},
		{"\033OA", TUI_KEY_UP},
		{"\033[D", TUI_KEY_LEFT},
		{"\033OC", TUI_KEY_RIGHT},
		{"\033[5~", TUI_KEY_PAGE_UP},
		{"\033[6~", TUI_KEY_PAGE_DOWN},
		{"\033[H", TUI_KEY_HOME},
		{"\033OF", TUI_KEY_END},
		{"\033[3~", TUI_KEY_DELETE},
		{"\r", TUI_KEY_ENTER},
		{"\t", TUI_KEY_TAB},
		{"\177", TUI_KEY_BACKSPACE},
		{"\b", TUI_KEY_BACKSPACE},
		{"\003", 3},
		{"\303\266", 0xf6},
		{"\345\220\215", 0x540d},
		{"\360\237\230\200", 0x1f600},
		{"\377"
		 "a",
		 'a'},
		{"\303"
		 "b",
		 'b'},
		{"\033", TUI_KEY_ESCAPE},
	};
	struct terminal t;
	char expected[64];
	open_echo(&t, xterm);
	terminal_wait_row(&t, 1, "0 ready");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		terminal_type(&t, rows[i].bytes);
		snprintf(expected, sizeof(expected), "%zu key %lx", i + 1, rows[i].key);
		terminal_wait_row(&t, 1, expected);
	}
	terminal_close(&t);
}

static void test_a_paste_arrives_as_text(void **state)
{
	(void)state;
	struct terminal t;
	open_echo(&t, xterm);
	terminal_wait_row(&t, 1, "0 ready");
	assert_true(terminal_has_received(&t, "\033[?2004h"));
	terminal_type(&t, "\033[200~q\r\303\266\033[201~x");
	terminal_wait_row(&t, 1, "2 key 78");
	terminal_type(&t, "\033[200~q\r\303\266\033[201~");
	terminal_wait_row(&t, 1, "3 710dc3b6");
	terminal_close(&t);
}

static void test_a_new_size_is_painted_whole(void **state)
{
	(void)state;
	struct terminal t;
	open_echo(&t, xterm);
	terminal_wait_row(&t, 1, "0 ready");
	terminal_resize(&t, 40, 12);
	terminal_wait_row(&t, 0, "size 40x12");
	terminal_resize(&t, 120, 40);
	terminal_wait_row(&t, 0, "size 120x40");
	terminal_wait_row(&t, 1, "0 ready");
	terminal_close(&t);
}

static void test_every_end_leaves_the_terminal_as_it_was(void **state)
{
	(void)state;
	static const struct {
		const char *key;
		int number; /* 0: the program ends by itself */
	} rows[] = {{"q", 0}, {"S", SIGSEGV}, {"A", SIGABRT}, {"T", SIGTERM}, {"H", SIGHUP}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct terminal t;
		char expected[32];
		open_echo(&t, xterm);
		terminal_wait_row(&t, 1, "0 ready");
		assert_false(terminal_is_restored(&t));
		terminal_type(&t, rows[i].key);
		snprintf(expected, sizeof(expected), rows[i].number == 0 ? "exit %d" : "signal %d",
			 rows[i].number);
		assert_string_equal(terminal_wait_end(&t), expected);
		assert_as_before(&t);
		terminal_close(&t);
	}
}

static void test_stopped_and_continued_it_is_all_there_again(void **state)
{
	(void)state;
	struct terminal t;
	static const char *const keys[] = {"\032", "Z"};
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		open_echo(&t, xterm);
		terminal_wait_row(&t, 1, "0 ready");
		terminal_type(&t, keys[i]);
		assert_string_equal(terminal_wait_end(&t), "stop");
		assert_as_before(&t);
		terminal_continue(&t);
		terminal_wait_row(&t, 1, i == 0 ? "1 back" : "2 back");
		assert_string_equal(terminal_row(&t, 0), "size 80x24");
		assert_false(terminal_is_restored(&t));
		assert_true(t.is_alternate);
		terminal_type(&t, "q");
		assert_string_equal(terminal_wait_end(&t), "exit 0");
		assert_as_before(&t);
		terminal_close(&t);
	}
}

static void test_an_unknown_terminal_is_taken_for_xterm(void **state)
{
	(void)state;
	static char unknown[] = "no-such-terminal";
	struct terminal t;
	open_echo(&t, unknown);
	terminal_wait_row(&t, 1, "0 ready");
	terminal_type(&t, "q");
	assert_string_equal(terminal_wait_end(&t), "exit 0");
	assert_as_before(&t);
	terminal_close(&t);
}

static void test_a_dumb_terminal_is_left_alone(void **state)
{
	(void)state;
	static char dumb[] = "dumb";
	struct terminal t;
	open_echo(&t, dumb);
	assert_string_equal(terminal_wait_end(&t), "exit 4");
	assert_true(terminal_is_restored(&t));
	assert_false(terminal_has_received(&t, "\033"));
	terminal_close(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_is_painted_stands_there),
		cmocka_unit_test(test_behind_a_name_of_doubtful_width_ours_stands_in_its_place),
		cmocka_unit_test(test_only_differences_are_written),
		cmocka_unit_test(test_keys_arrive_whole),
		cmocka_unit_test(test_a_paste_arrives_as_text),
		cmocka_unit_test(test_a_new_size_is_painted_whole),
		cmocka_unit_test(test_every_end_leaves_the_terminal_as_it_was),
		cmocka_unit_test(test_stopped_and_continued_it_is_all_there_again),
		cmocka_unit_test(test_an_unknown_terminal_is_taken_for_xterm),
		cmocka_unit_test(test_a_dumb_terminal_is_left_alone),
	};
	return cmocka_run_group_tests_name("screen_curses", tests, NULL, NULL);
}
