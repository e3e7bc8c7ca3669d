/*
 * test_mouse.c - what terminals say of their mouse, and what a click on what is
 * drawn asks for. Real terminals are test_screen_curses.c's part.
 */
#include "tests/unit/client/tui_kit.h"

#include <stdio.h>
#include <string.h>

#include "client/tui/curses/mouse_report.h"
#include "client/tui/views/views.h"
#include "proto/base/slice.h"

/* ---- reports ---- */

/* What the bytes behind ESC [ < come to; the number of bytes that were left as keys in *keys. */
static size_t take_all(enum mouse_report_state state, struct slice bytes, struct tui_mouse *last,
		       size_t *keys)
{
	struct mouse_report r = {0};
	size_t events = 0;
	*keys = 0;
	mouse_report_begin(&r, state);
	for (size_t i = 0; i < bytes.len; i++) {
		switch (mouse_report_take(&r, (unsigned char)bytes.data[i], last)) {
		case MOUSE_REPORT_EVENT:
			events++;
			break;
		case MOUSE_REPORT_NOT_MINE:
			(*keys)++;
			break;
		case MOUSE_REPORT_MORE:
			break;
		}
	}
	return events;
}

TEST(test_presses_and_the_wheel_are_told_in_cells_from_0)
{
	static const struct {
		const char *bytes;
		struct tui_mouse expected;
	} rows[] = {
		{"0;12;5M", {TUI_MOUSE_PRESS, 11, 4}},
		{"0;1;1M", {TUI_MOUSE_PRESS, 0, 0}},
		{"64;80;24M", {TUI_MOUSE_WHEEL_UP, 79, 23}},
		{"65;9999;9999M", {TUI_MOUSE_WHEEL_DOWN, 9998, 9998}},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct tui_mouse m;
		size_t keys;
		assert_int_equal(take_all(MOUSE_REPORT_SGR, slice_str(rows[i].bytes), &m, &keys),
				 1);
		assert_int_equal(keys, 0);
		assert_int_equal(m.kind, rows[i].expected.kind);
		assert_int_equal(m.x, rows[i].expected.x);
		assert_int_equal(m.y, rows[i].expected.y);
	}
}

/* Each is one sequence whole; the digit behind it is a key. */
TEST(test_what_is_no_press_is_swallowed_and_nothing_behind_it)
{
	static const char *const rows[] = {
		"0;12;5m7", /* a release */
		"1;12;5M7", /* another button */
		"2;12;5M7",
		"4;12;5M7",  /* Shift */
		"32;12;5M7", /* a motion */
		"66;12;5M7",
		"0;0;5M7",
		"0;5;0M7",
		"0;12M7",
		"0;12;5;6M7",
		";;M7",
		"M7",
		"0;;5M7",
		"0;12;5A7",
		"0;12;5~7",
		"0;<;5M7",
		"0;99999;5M7",
		"00000000000000000000000;1;1M7", /* too long */
		"4294967296;1;1M7",
		"0;12;5\0337", /* cut off by an Escape, which is a key */
		"0;12;5\r7",
		"0;12;5\3037",
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct tui_mouse m;
		size_t keys;
		assert_int_equal(take_all(MOUSE_REPORT_SGR, slice_str(rows[i]), &m, &keys), 0);
		bool is_cut = i + 3 >= sizeof(rows) / sizeof(rows[0]);
		assert_int_equal(keys, is_cut ? 2 : 1);
	}
}

TEST(test_a_report_without_end_is_given_up)
{
	struct mouse_report r = {0};
	struct tui_mouse m;
	size_t taken = 0;
	mouse_report_begin(&r, MOUSE_REPORT_SGR);
	while (mouse_report_take(&r, '0', &m) == MOUSE_REPORT_MORE) {
		taken++;
		assert_true(r.len <= MOUSE_REPORT_SWALLOWED_MAX);
	}
	assert_int_equal(taken, MOUSE_REPORT_SWALLOWED_MAX + 1);
}

TEST(test_reports_of_the_old_form_are_three_bytes_whatever_they_are)
{
	struct tui_mouse m;
	size_t keys;
	assert_int_equal(take_all(MOUSE_REPORT_OLD, SLICE(" 157"), &m, &keys), 0);
	assert_int_equal(keys, 1);
	assert_int_equal(take_all(MOUSE_REPORT_OLD, SLICE("\xff\xc3\x80"), &m, &keys), 0);
	assert_int_equal(keys, 0);
}

TEST(test_a_report_whose_escape_came_alone_is_one_all_the_same)
{
	struct tui_mouse m;
	size_t keys;
	assert_int_equal(take_all(MOUSE_REPORT_ESCAPED, SLICE("[<0;12;5M"), &m, &keys), 1);
	assert_int_equal(keys, 0);
	assert_int_equal(take_all(MOUSE_REPORT_ESCAPED, SLICE("[M 15"), &m, &keys), 0);
	assert_int_equal(keys, 0);
	assert_int_equal(take_all(MOUSE_REPORT_ESCAPED, SLICE("[1;5A"), &m, &keys), 0);
	assert_int_equal(keys, 0);
	assert_int_equal(take_all(MOUSE_REPORT_ESCAPED, SLICE("q[<"), &m, &keys), 0);
	assert_int_equal(keys, 3);
}

TEST(test_any_bytes_end_in_cells_that_may_be)
{
	uint32_t dice = 1;
	struct mouse_report r = {0};
	for (int i = 0; i < 200000; i++) {
		static const char likely[] = "0123456789;;;MMm<[\033 A\xff";
		struct tui_mouse m = {TUI_MOUSE_PRESS, -1, -1};
		dice = dice * 1664525U + 1013904223U;
		int code = (unsigned char)likely[(dice >> 16) % (sizeof(likely) - 1)];
		if (mouse_report_take(&r, code, &m) == MOUSE_REPORT_EVENT) {
			assert_in_range(m.x, 0, 9998);
			assert_in_range(m.y, 0, 9998);
		}
		if (r.state == MOUSE_REPORT_NONE) {
			mouse_report_begin(&r, MOUSE_REPORT_SGR);
		}
		assert_true(r.len <= MOUSE_REPORT_SWALLOWED_MAX);
	}
}

/* ---- clicks ---- */

struct desk {
	struct a_room a;
	struct tui *tui;
	struct grid grid;
};

static void desk_open(struct desk *d, void (*init)(struct a_room *a), int width, int height)
{
	init(&d->a);
	d->tui = open_tui();
	d->grid = (struct grid){0};
	grid_resize(&d->grid, width, height);
}

static void desk_close(struct desk *d)
{
	tui_destroy(d->tui);
	grid_finish(&d->grid);
}

#define DESK_TEST(name, d, init) \
	TEST_OF(name, struct desk, d, desk_open(d, init, 80, 24), desk_close(d))

static void init_stories(struct a_room *a)
{
	init_host(a);
	(void)a_room_story(a, "Refund", STORY_TODO, NULL);
	(void)a_room_story(a, "Receipt", STORY_TODO, NULL);
	(void)a_room_story(a, "Report", STORY_TODO, NULL);
	a->r.room.is_revealed = true;
}

static struct act press_at(struct desk *d, int x, int y)
{
	return tui_take_mouse(d->tui, &d->a.r, &d->grid,
			      &(struct tui_mouse){TUI_MOUSE_PRESS, x, y});
}

/* Where the text stands on the screen as it is now; drawn anew. */
static void find(struct desk *d, const char *text, int *x, int *y)
{
	tui_follow(d->tui, &d->a.r);
	tui_draw(d->tui, &d->a.r, &d->grid);
	for (*y = 0; *y < d->grid.height; (*y)++) {
		for (*x = 0; *x < d->grid.width; (*x)++) {
			size_t n = 0;
			for (int i = *x; i < d->grid.width && text[n] != '\0'; i++) {
				const struct cell *c =
					&d->grid.cells[(size_t)*y * (size_t)d->grid.width +
						       (size_t)i];
				if (strncmp(text + n, c->text, c->len) != 0) {
					break;
				}
				n += c->len;
			}
			if (text[n] == '\0') {
				return;
			}
		}
	}
	fail_msg("\"%s\" is not on the screen", text);
}

static struct act click(struct desk *d, const char *text)
{
	int x = 0;
	int y = 0;
	find(d, text, &x, &y);
	return press_at(d, x, y);
}

static void wheel(struct desk *d, enum tui_mouse_kind kind)
{
	tui_follow(d->tui, &d->a.r);
	tui_draw(d->tui, &d->a.r, &d->grid);
	(void)tui_take_mouse(d->tui, &d->a.r, &d->grid, &(struct tui_mouse){kind, 10, 10});
}

static void assert_stands(struct desk *d, const char *text)
{
	int x;
	int y;
	find(d, text, &x, &y);
}

TEST(test_a_click_on_a_card_puts_it_down_and_on_the_own_one_nothing)
{
	static const int sizes[][2] = {{80, 24}, {40, 12}};
	for (size_t i = 0; i < 2; i++) {
		struct desk d;
		desk_open(&d, init_member, sizes[i][0], sizes[i][1]);
		assert_request(click(&d, " 13 "), METHOD_ROOM_VOTE, "vote", "13", NULL);
		assert_request(click(&d, "∞"), METHOD_ROOM_VOTE, "vote", "∞", NULL);
		d.a.r.pending_vote = "13";
		assert_nothing(click(&d, "(13)"));
		d.a.r.pending_vote = NULL;
		d.a.r.you.vote = SLICE("13");
		assert_nothing(click(&d, "[13]"));
		assert_request(click(&d, " 20 "), METHOD_ROOM_VOTE, "vote", "20", NULL);
		desk_close(&d);
	}
}

DESK_TEST(test_a_click_where_nothing_is_does_nothing, d, init_member)
{
	tui_follow(d->tui, &d->a.r);
	tui_draw(d->tui, &d->a.r, &d->grid);
	static const int places[][2] = {{0, 0}, {79, 1}, {-1, 5}, {80, 5}, {5, 24}, {9998, 9998}};
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		assert_nothing(press_at(d, places[i][0], places[i][1]));
	}
	assert_message(d->tui, &d->a, "");
}

DESK_TEST(test_a_click_means_the_card_that_was_seen_or_none, d, init_member)
{
	int x = 0;
	int y = 0;
	find(d, " 8 ", &x, &y);
	a_room_deck(&d->a, "0 1 2 3 5 8 13 21"); /* not drawn yet */
	assert_request(press_at(d, x + 1, y), METHOD_ROOM_VOTE, "vote", "8", NULL);
	a_room_deck(&d->a, "S M L");
	assert_nothing(press_at(d, x + 1, y));
}

DESK_TEST(test_a_click_on_a_hint_is_its_key, d, init_host)
{
	(void)a_room_story(&d->a, "Refund", STORY_TODO, NULL);
	assert_nothing(click(d, "reveal"));
	assert_stands(d, "have not voted. Reveal? y / n");
	assert_request(click(d, "yes"), METHOD_ROOM_SET_REVEALED, "is_revealed", "true", NULL);
	(void)click(d, "S stories");
	assert_stands(d, "0 of 1 estimated");
	(void)click(d, "a add");
	assert_stands(d, "New story:");
	(void)click(d, "cancel");
	(void)tui_take_key(d->tui, &d->a.r, TUI_KEY_ESCAPE);
	assert_stands(d, "your card");
	(void)click(d, "help");
	assert_stands(d, "Keys");
	(void)click(d, "back");
	assert_stands(d, "your card");
}

/* Else a click on the hand behind it would be a vote one did not mean. */
DESK_TEST(test_nothing_behind_a_question_or_a_line_is_clicked, d, init_host)
{
	(void)type(d->tui, &d->a, "R");
	assert_nothing(click(d, " 13 "));
	assert_stands(d, "Reveal? y / n");
	assert_nothing(click(d, "no"));
	(void)click(d, "Esc no");
	(void)type(d->tui, &d->a, ":");
	assert_nothing(click(d, " 13 "));
	wheel(d, TUI_MOUSE_WHEEL_DOWN);
	(void)type(d->tui, &d->a, "vote 13");
	assert_request(tui_take_key(d->tui, &d->a.r, TUI_KEY_ENTER), METHOD_ROOM_VOTE, "vote", "13",
		       NULL);
}

DESK_TEST(test_a_click_on_a_story_goes_there_and_the_next_one_opens_it, d, init_stories)
{
	(void)type(d->tui, &d->a, "S");
	assert_nothing(click(d, "Report"));
	assert_stands(d, ">  3  Report");
	assert_nothing(click(d, "Receipt"));
	assert_stands(d, ">  2  Receipt");
	assert_nothing(click(d, "Receipt"));
	assert_stands(d, "No description. S, then E to write one");
}

DESK_TEST(test_a_key_between_two_clicks_makes_them_two, d, init_stories)
{
	(void)type(d->tui, &d->a, "S");
	assert_nothing(click(d, "Receipt"));
	(void)type(d->tui, &d->a, "j");
	assert_nothing(click(d, "Receipt"));
}

DESK_TEST(test_who_may_not_select_reads_why, d, init_stories)
{
	d->a.r.you.is_host = false;
	d->a.members[0].is_host = false;
	(void)type(d->tui, &d->a, "S");
	assert_nothing(click(d, "Report"));
	assert_nothing(type(d->tui, &d->a, "V"));
	assert_stands(d, "Only a host can do that here");
}

DESK_TEST(test_beside_the_table_a_story_opens_the_list, d, init_stories)
{
	grid_resize(&d->grid, 140, 40);
	assert_nothing(click(d, "Report"));
	assert_stands(d, ">  3  Report");
}

DESK_TEST(test_the_wheel_scrolls_lists_and_text, d, init_stories)
{
	(void)type(d->tui, &d->a, "S");
	wheel(d, TUI_MOUSE_WHEEL_DOWN);
	assert_stands(d, ">  2  Receipt");
	wheel(d, TUI_MOUSE_WHEEL_UP);
	assert_stands(d, ">  1  Refund");
	(void)type(d->tui, &d->a, "?");
	assert_stands(d, " 0%");
	wheel(d, TUI_MOUSE_WHEEL_UP);
	assert_stands(d, " 0%");
	for (int i = 0; i < 40; i++) {
		wheel(d, TUI_MOUSE_WHEEL_DOWN);
	}
	assert_stands(d, " 100%");
}

DESK_TEST(test_a_row_of_a_page_is_gone_to_and_then_taken, d, init_host)
{
	(void)type(d->tui, &d->a, "o");
	assert_nothing(click(d, "theme"));
	assert_nothing(click(d, "motion"));
	assert_int_equal(tui_settings(d->tui)->value[SETTING_MOTION], MOTION_ON);
	(void)click(d, "motion");
	assert_int_equal(tui_settings(d->tui)->value[SETTING_MOTION], MOTION_OFF);
	(void)tui_take_key(d->tui, &d->a.r, TUI_KEY_ESCAPE);
	(void)type(d->tui, &d->a, "K");
	assert_nothing(click(d, "Linus"));
	assert_nothing(click(d, "Linus"));
	assert_stands(d, "Remove Linus from the room? y / n");
}

DESK_TEST(test_a_row_of_a_page_that_is_closed_is_nothing, d, init_host)
{
	(void)type(d->tui, &d->a, "K");
	static const enum view_kind closed[] = {VIEW_PICK, VIEW_HOME, VIEW_DECKS, VIEW_HELP};
	(void)tui_take_key(d->tui, &d->a.r, TUI_KEY_ESCAPE);
	for (size_t i = 0; i < sizeof(closed) / sizeof(closed[0]); i++) {
		struct tui_mouse m = {.kind = TUI_MOUSE_PRESS, .x = 0, .y = 9};
		grid_mark(&d->grid, 0, 9, 1, 1, (struct spot){(uint8_t)(SPOT_ROW + closed[i]), 1});
		assert_nothing(tui_take_mouse(d->tui, &d->a.r, &d->grid, &m));
		assert_nothing(tui_take_mouse(d->tui, &d->a.r, &d->grid, &m));
	}
	assert_message(d->tui, &d->a, "");
}

DESK_TEST(test_the_mouse_is_off_until_asked_for, d, init_member)
{
	assert_int_equal(tui_settings(d->tui)->value[SETTING_MOUSE], MOUSE_OFF);
	(void)type(d->tui, &d->a, "m");
	assert_int_equal(tui_settings(d->tui)->value[SETTING_MOUSE], MOUSE_ON);
	assert_message(d->tui, &d->a, " mouse is on; select text with Shift");
	(void)type(d->tui, &d->a, ":mouse");
	(void)tui_take_key(d->tui, &d->a.r, TUI_KEY_ENTER);
	assert_int_equal(tui_settings(d->tui)->value[SETTING_MOUSE], MOUSE_OFF);
	assert_message(d->tui, &d->a, " mouse is off");
}
