/*
 * test_screen_curses.c - real terminals: what is painted stands there, what is
 * typed arrives, and whatever ends the program, the terminal is as it was.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/tui/tui.h"
#include "tests/support/echo.h"
#include "tests/support/terminal.h"
#include "tests/support/test.h"

static const char xterm[] = "xterm-256color";

static void open_with(struct terminal *t, struct echo_start start)
{
	terminal_open(t, 80, 24, "before", echo_run, &start);
}

static void open_echo(struct terminal *t, const char *type)
{
	open_with(t, (struct echo_start){.term = type, .flooded = -1});
}

static void open_ready(struct terminal *t)
{
	open_echo(t, xterm);
	terminal_wait_row(t, 1, "0 ready");
}

/* On a terminal where the program has painted its first screen. */
#define ECHO_TEST(name, t) TEST_OF(name, struct terminal, t, open_ready(t), terminal_close(t))

ECHO_TEST(test_a_link_is_told_to_a_terminal_that_opens_them, t)
{
	terminal_type(t, "L");
	terminal_wait_row(t, 5, "a link");
	assert_true(terminal_has_received(
		t, "\033]8;;https://example.org/%C3%A4%1B[2J\033\\link\033]8;;\033\\"));
}

TEST(test_a_link_is_only_text_where_it_is_not_wanted_or_not_known)
{
	struct terminal t;
	open_echo(&t, "linux");
	terminal_wait_row(&t, 1, "0 ready");
	terminal_type(&t, "L");
	terminal_wait_row(&t, 5, "a link");
	assert_false(terminal_has_received(&t, "\033]8;"));
	terminal_close(&t);
	open_ready(&t);
	terminal_type(&t, "NL");
	terminal_wait_row(&t, 5, "a link");
	assert_false(terminal_has_received(&t, "\033]8;;h"));
	terminal_close(&t);
}

static void assert_as_before(struct terminal *t)
{
	assert_true(terminal_is_restored(t));
	assert_false(t->is_alternate);
	assert_true(t->is_cursor_shown);
	assert_string_equal(terminal_row(t, 0), "before");
	assert_string_equal(terminal_row(t, 1), "");
	static const char *const modes[] = {"2004", "1004", "1000", "1002", "1006"};
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		char on[16];
		char off[16];
		snprintf(on, sizeof(on), "\033[?%sh", modes[i]);
		snprintf(off, sizeof(off), "\033[?%sl", modes[i]);
		assert_true(terminal_has_received(t, off));
		assert_false(terminal_is_on(t, on, off));
	}
}

ECHO_TEST(test_what_is_painted_stands_there, t)
{
	int x;
	int y;
	assert_string_equal(terminal_row(t, 0), "size 80x24");
	assert_true(t->is_alternate);
	terminal_type(t, "a");
	terminal_wait_row(t, 1, "1 key 61");
	terminal_cursor(t, &x, &y);
	assert_int_equal(x, 3);
	assert_int_equal(y, 4);
	assert_true(t->is_cursor_shown);
}

ECHO_TEST(test_behind_a_name_of_doubtful_width_ours_stands_in_its_place, t)
{
	VTermScreenCell cell;
	assert_int_equal(vterm_screen_get_cell(t->screen, (VTermPos){.row = 2, .col = 30}, &cell),
			 1);
	assert_int_equal(cell.chars[0], 'X');
	assert_non_null(strstr(terminal_row(t, 2), "░░ 名前"));
}

ECHO_TEST(test_only_differences_are_written, t)
{
	terminal_type(t, "a");
	terminal_wait_row(t, 1, "1 key 61");
	size_t before = t->bytes;
	terminal_type(t, "b");
	terminal_wait_row(t, 1, "2 key 62");
	/* Two digits have changed: two moves, two looks, two digits, and the cursor back. */
	assert_in_range(t->bytes - before, 1, 100);
	before = t->bytes;
	terminal_type(t, "\f");
	terminal_wait_row(t, 1, "3 key c");
	assert_true(t->bytes - before > 100);
	assert_string_equal(terminal_row(t, 0), "size 80x24");
}

ECHO_TEST(test_keys_arrive_whole, t)
{
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
	char expected[64];
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		terminal_type(t, rows[i].bytes);
		snprintf(expected, sizeof(expected), "%zu key %lx", i + 1, rows[i].key);
		terminal_wait_row(t, 1, expected);
	}
}

ECHO_TEST(test_a_paste_arrives_as_text, t)
{
	assert_true(terminal_has_received(t, "\033[?2004h"));
	terminal_type(t, "\033[200~q\r\303\266\033[201~x");
	terminal_wait_row(t, 1, "2 key 78");
	terminal_type(t, "\033[200~q\r\303\266\033[201~");
	terminal_wait_row(t, 1, "3 710dc3b6");
}

ECHO_TEST(test_no_escape_in_a_paste_makes_keys_of_what_follows, t)
{
	static const struct {
		const char *paste;
		const char *told;
	} rows[] = {
		{"\033[200~a\033[31mq\033[0m\033[201~", "1 611b5b33316d711b5b306d"},
		{"\033[200~a\033]0;t\007q\033\033[201~", "2 611b5d303b7407711b"},
		{"\033[200~a\033[Aq\033[201~", "3 6171"},
		{"\033[200~a\033", "4 61"}, /* the end got lost: a key pressed goes on */
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		terminal_type(t, rows[i].paste);
		terminal_wait_row(t, 1, rows[i].told);
	}
}

ECHO_TEST(test_the_mouse_arrives_in_cells_and_never_as_keys, t)
{
	static const struct {
		const char *bytes;
		const char *told;
	} rows[] = {
		{"\033[<0;12;5M", "mouse 0 11 4"},
		{"\033[<64;1;1M", "mouse 1 0 0"},
		{"\033[<0;12;5m\033[<65;80;24M", "mouse 2 79 23"},
		{"\033[<1;3;3Ma", "key 61"},
		{"\033[<99999999999999999999999;7Mb", "key 62"},
		{"\033[<0;;Mc", "key 63"},
		{"\033[M 15d", "key 64"},
		{"\033[M\377\303\200e", "key 65"},
		{"\033", "key 11000d"}, /* and the rest of it a little later */
		{"[<0;2;2M", "mouse 0 1 1"},
		{"\033[<0;3", NULL},
		{";4M", "mouse 0 2 3"},
		{"\033[200~\033[<0;12;5M\033[201~", "303b31323b354d"}, /* pasted: text */
		{"\033[A", "key 110001"},
	};
	char expected[64];
	int events = 0;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		terminal_type(t, rows[i].bytes);
		if (rows[i].told != NULL) {
			snprintf(expected, sizeof(expected), "%d %s", ++events, rows[i].told);
			terminal_wait_row(t, 1, expected);
		}
	}
	terminal_type(t, "M");
	terminal_wait_row(t, 1, "14 key 4d");
	terminal_type(t, "f"); /* behind the frame that turned it off */
	terminal_wait_row(t, 1, "15 key 66");
	assert_false(terminal_is_on(t, "\033[?1000h", "\033[?1000l"));
	terminal_type(t, "\033[<0;12;5Mg");
	terminal_wait_row(t, 1, "16 key 67");
}

ECHO_TEST(test_a_new_size_is_painted_whole, t)
{
	terminal_resize(t, 40, 12);
	terminal_wait_row(t, 0, "size 40x12");
	terminal_resize(t, 120, 40);
	terminal_wait_row(t, 0, "size 120x40");
	terminal_wait_row(t, 1, "0 ready");
}

TEST(test_every_end_leaves_the_terminal_as_it_was)
{
	static const struct {
		const char *key; /* NULL: the signal comes from outside */
		int number;	 /* 0: the program ends by itself */
	} rows[] = {{"q", 0},	     {NULL, SIGTERM}, {NULL, SIGHUP},  {NULL, SIGINT},
		    {NULL, SIGQUIT}, {NULL, SIGSEGV}, {NULL, SIGABRT}, {NULL, SIGBUS},
		    {NULL, SIGFPE},  {NULL, SIGILL},  {"A", SIGABRT},  {"O", SIGSEGV}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct terminal t;
		char expected[32];
		open_ready(&t);
		assert_false(terminal_is_restored(&t));
		assert_true(terminal_is_on(&t, "\033[?1000h", "\033[?1000l"));
		if (rows[i].key != NULL) {
			terminal_type(&t, rows[i].key);
		} else {
			terminal_signal(&t, rows[i].number);
		}
		snprintf(expected, sizeof(expected), rows[i].number == 0 ? "exit %d" : "signal %d",
			 rows[i].number);
		assert_string_equal(terminal_wait_end(&t), expected);
		assert_as_before(&t);
		terminal_close(&t);
	}
}

static void assert_stopped(struct terminal *t)
{
	assert_string_equal(terminal_wait_end(t), "stop");
	assert_as_before(t);
}

static void assert_all_there_again(struct terminal *t)
{
	assert_string_equal(terminal_row(t, 0), "size 80x24");
	assert_false(terminal_is_restored(t));
	assert_true(t->is_alternate);
	assert_true(terminal_is_on(t, "\033[?1004h", "\033[?1004l"));
	assert_true(terminal_is_on(t, "\033[?2004h", "\033[?2004l"));
	assert_true(terminal_is_on(t, "\033[?1000h", "\033[?1000l"));
	assert_true(terminal_is_on(t, "\033[?1006h", "\033[?1006l"));
	terminal_type(t, "q");
	assert_string_equal(terminal_wait_end(t), "exit 0");
	assert_as_before(t);
}

/* In front again, for the first time. */
static void assert_back(struct terminal *t)
{
	terminal_continue(t);
	terminal_wait_row(t, 1, "1 back");
	assert_all_there_again(t);
}

TEST(test_stopped_and_continued_it_is_all_there_again)
{
	struct terminal t;
	static const char *const keys[] = {"\032", "Z"};
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		open_ready(&t);
		terminal_type(&t, keys[i]);
		assert_stopped(&t);
		terminal_continue(&t);
		terminal_wait_row(&t, 1, i == 0 ? "1 back" : "2 back");
		assert_all_there_again(&t);
		terminal_close(&t);
	}
}

ECHO_TEST(test_a_stop_from_outside_needs_no_key_to_be_noticed, t)
{
	terminal_signal(t, SIGTSTP);
	assert_stopped(t);
	assert_back(t);
}

/* Nothing can be put back before SIGSTOP; whoever uses the terminal next changes it as they like. */
ECHO_TEST(test_after_sigstop_the_modes_are_set_anew, t)
{
	static const char left[] = "\033[?1049l\033[?2004l\033[?1004l";
	terminal_signal(t, SIGSTOP);
	assert_string_equal(terminal_wait_end(t), "stop");
	assert_int_equal(tcsetattr(t->master, TCSANOW, &t->before), 0);
	terminal_show(t, left);
	assert_string_equal(terminal_row(t, 0), "before");
	terminal_continue(t);
	terminal_wait_row(t, 0, "size 80x24");
	terminal_wait_row(t, 1, "1 back");
	assert_all_there_again(t);
}

ECHO_TEST(test_in_the_background_it_stops_again_and_leaves_the_terminal_alone, t)
{
	terminal_signal(t, SIGTSTP);
	assert_stopped(t);
	terminal_continue_behind(t);
	assert_stopped(t);
	assert_back(t);
}

ECHO_TEST(test_the_window_says_when_it_has_the_focus, t)
{
	assert_true(terminal_has_received(t, "\033[?1004h"));
	terminal_type(t, "\033[O");
	terminal_wait_row(t, 1, "1 elsewhere");
	terminal_type(t, "\033[I\033OA");
	terminal_wait_row(t, 1, "3 key 110001");
	terminal_type(t, "\033[200~a\033[Ob\033[201~");
	terminal_wait_row(t, 1, "4 6162");
}

TEST(test_what_goes_to_stderr_waits_for_the_end)
{
	static const char *const ends[] = {"q", "A"};
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		struct terminal t;
		open_with(&t, (struct echo_start){.term = xterm, .is_loud = true, .flooded = -1});
		terminal_wait_row(&t, 1, "0 ready");
		terminal_type(&t, "E");
		terminal_wait_row(&t, 1, "1 key 45");
		assert_false(terminal_has_received(&t, "a warning"));
		terminal_type(&t, ends[i]);
		(void)terminal_wait_end(&t);
		assert_true(terminal_is_restored(&t));
		assert_string_equal(terminal_row(&t, 0), "before");
		assert_string_equal(terminal_row(&t, 1), "a warning");
		terminal_close(&t);
	}
}

ECHO_TEST(test_a_terminal_that_takes_nothing_does_not_keep_the_program, t)
{
	terminal_type(t, "FFFFxq");
	assert_string_equal(terminal_wait_end(t), "exit 0");
	assert_as_before(t);
}

/* It takes 96 bytes at a time, and none before all 200 frames could have been made. */
TEST(test_a_slow_terminal_gets_few_frames_and_the_last_one_whole)
{
	enum { BYTES_AT_A_TIME = 96, FRAMES_MOST = 50, PATIENCE_MS = 30000 };
	static const char told[] = "1 key 46 ";
	struct terminal t;
	int flooded[2];
	char byte;
	assert_int_equal(pipe(flooded), 0);
	open_with(&t, (struct echo_start){.term = xterm, .flooded = flooded[1]});
	terminal_wait_row(&t, 1, "0 ready");
	terminal_type(&t, "F");
	assert_int_equal(read(flooded[0], &byte, 1), 1);
	while (strncmp(terminal_row(&t, 1), told, strlen(told)) != 0) {
		assert_true(terminal_take(&t, BYTES_AT_A_TIME, PATIENCE_MS) > 0);
	}
	assert_in_range(strtol(terminal_row(&t, 1) + strlen(told), NULL, 10), 1, FRAMES_MOST);
	terminal_type(&t, "x");
	terminal_wait_row(&t, 1, "2 key 78");
	for (int row = 3; row < 23; row++) {
		assert_int_equal(strspn(terminal_row(&t, row), "r"), 80);
	}
	terminal_close(&t);
	assert_int_equal(close(flooded[0]), 0);
	assert_int_equal(close(flooded[1]), 0);
}

TEST(test_an_unknown_terminal_is_taken_for_xterm)
{
	struct terminal t;
	open_echo(&t, "no-such-terminal");
	terminal_wait_row(&t, 1, "0 ready");
	terminal_type(&t, "q");
	assert_string_equal(terminal_wait_end(&t), "exit 0");
	assert_as_before(&t);
	terminal_close(&t);
}

TEST(test_a_dumb_terminal_is_left_alone)
{
	struct terminal t;
	open_echo(&t, "dumb");
	assert_string_equal(terminal_wait_end(&t), "exit 4");
	assert_true(terminal_is_restored(&t));
	assert_false(terminal_has_received(&t, "\033"));
	terminal_close(&t);
}
