/*
 * test_list.c - a cursor over rows that come, go and move, and what narrows them.
 */
#include <stdlib.h>
#include <string.h>

#include "client/tui/tui.h"
#include "client/tui/widgets/draw.h"
#include "client/tui/widgets/list.h"
#include "tests/support/test.h"

enum { ROWS_MAX = 40, SPOT = 7 };

static const char *names[ROWS_MAX + 1]; /* up to NULL */
static size_t begins_at;

static size_t count(struct listing l)
{
	size_t n = 0;
	(void)l;
	while (names[n] != NULL) {
		n++;
	}
	return n;
}

/* A row called "-" is none of the list's. */
static bool has(struct listing l, size_t row)
{
	(void)l;
	return strcmp(names[row], "-") != 0;
}

static uint64_t key(struct listing l, size_t row)
{
	(void)l;
	return list_key(names[row]);
}

static size_t start(struct listing l)
{
	(void)l;
	return begins_at;
}

static const char *name(struct list_cell *c)
{
	return names[c->at];
}

static const struct column columns[] = {{.text = name, .grows = true, .is_found = true}};
static const struct list_rows moving = {
	.count = count, .has = has, .key = key, .start = start, COLUMNS(columns)};
static const struct list_rows newest = {.count = count,
					.key = key,
					COLUMNS(columns),
					.newest_first = true};
static const struct list_rows fixed = {.count = count, COLUMNS(columns)};

static void set_rows(const char *letters)
{
	static char text[ROWS_MAX][2];
	size_t n = 0;
	for (; letters[n] != '\0'; n++) {
		text[n][0] = letters[n];
		names[n] = text[n];
	}
	names[n] = NULL;
	begins_at = 0;
}

static char at(struct listing l)
{
	return names[list_at(l)][0];
}

TEST(test_keys_move_the_cursor_and_stop_at_the_ends)
{
	static const struct {
		int32_t key;
		char at;
	} steps[] = {
		{TUI_KEY_UP, 'a'},	  {TUI_KEY_DOWN, 'b'},	    {TUI_KEY_DOWN, 'c'},
		{TUI_KEY_PAGE_DOWN, 'k'}, {TUI_KEY_PAGE_DOWN, 'l'}, {TUI_KEY_DOWN, 'l'},
		{TUI_KEY_PAGE_UP, 'd'},	  {TUI_KEY_PAGE_UP, 'a'},   {TUI_KEY_END, 'l'},
		{TUI_KEY_HOME, 'a'},
	};
	const struct list_rows *const kinds[] = {&moving, &newest, &fixed};
	set_rows("abcdefghijkl");
	for (size_t k = 0; k < 3; k++) {
		struct list list = {0};
		struct listing l = {.list = &list, .signs = signs_of(true), .rows = kinds[k]};
		for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
			assert_true(list_take_key(l, steps[i].key));
			assert_int_equal(at(l), steps[i].at);
		}
		assert_false(list_take_key(l, TUI_KEY_ENTER));
		assert_false(list_take_key(l, 'x'));
	}
}

/* The last row of before stays in sight, or all of them moved by. */
TEST(test_a_page_is_what_was_drawn_less_a_row)
{
	struct list list = {0};
	struct listing l = {.list = &list, .signs = signs_of(true), .rows = &fixed};
	struct grid g = {0};
	grid_resize(&g, 10, 6);
	set_rows("abcdefghijklmnopqrst");
	list_draw(l, &g, 0, 6, true);
	(void)list_take_key(l, TUI_KEY_PAGE_DOWN);
	assert_int_equal(at(l), 'f');
	(void)list_take_key(l, ' ');
	assert_int_equal(at(l), 'k');
	list_draw(l, &g, 0, 1, true);
	(void)list_take_key(l, TUI_KEY_PAGE_UP);
	assert_int_equal(at(l), 'j');
	grid_finish(&g);
}

TEST(test_a_text_scrolls_by_pages_and_to_its_ends)
{
	struct list list = {0};
	struct listing l = {.list = &list, .signs = signs_of(true), .rows = &list_of_text};
	assert_int_equal(list_scroll(l, 30, 10), 0);
	(void)list_take_key(l, ' ');
	assert_int_equal(list_scroll(l, 30, 10), 9);
	(void)list_take_key(l, TUI_KEY_END);
	assert_int_equal(list_scroll(l, 30, 10), 20);
	assert_int_equal(list_scroll(l, 30, 25), 5);
	assert_int_equal(list_scroll(l, 3, 25), 0);
}

TEST(test_without_rows_no_key_does_harm)
{
	struct list list = {0};
	struct listing l = {.list = &list, .signs = signs_of(true), .rows = &moving};
	set_rows("");
	assert_true(list_take_key(l, TUI_KEY_DOWN));
	assert_true(list_take_key(l, TUI_KEY_END));
	assert_int_equal(list_at(l), 0);
	assert_false(list.is_kept);
	set_rows("--");
	assert_true(list_take_key(l, TUI_KEY_END));
	assert_int_equal(list_shown(l), 0);
}

TEST(test_the_cursor_stays_on_its_row_or_takes_the_next)
{
	struct list list = {0};
	struct listing l = {.list = &list, .signs = signs_of(true), .rows = &moving};
	set_rows("abcd");
	begins_at = 1;
	assert_int_equal(at(l), 'b');
	begins_at = 2; /* no key yet: it goes along */
	assert_int_equal(at(l), 'c');
	list_go(l, list_at(l));
	begins_at = 0;
	assert_int_equal(at(l), 'c');
	set_rows("xyabcd");
	assert_int_equal(at(l), 'c');
	set_rows("xyabd");
	assert_int_equal(at(l), 'd');
	set_rows("ab");
	assert_int_equal(at(l), 'b');
	list_go(l, 99);
	assert_int_equal(at(l), 'b');
}

TEST(test_a_cursor_on_the_newest_stays_with_the_newest)
{
	struct list list = {0};
	struct listing l = {.list = &list, .signs = signs_of(true), .rows = &newest};
	set_rows("cba");
	list_go(l, 0);
	set_rows("dcba");
	assert_int_equal(at(l), 'd');
	(void)list_take_key(l, TUI_KEY_DOWN);
	set_rows("edcba");
	assert_int_equal(at(l), 'c');
}

TEST(test_a_filter_narrows_and_the_cursor_is_on_what_is_shown)
{
	struct list list = {0};
	struct listing l = {.list = &list, .signs = signs_of(true), .rows = &moving};
	set_rows("abxbcb");
	list_go(l, 2);
	strcpy(list.filter, "B");
	assert_int_equal(list_shown(l), 3);
	assert_int_equal(list_at(l), 3);
	(void)list_take_key(l, TUI_KEY_UP);
	assert_int_equal(list_at(l), 1);
	strcpy(list.filter, "c");
	assert_int_equal(list_at(l), 4);
	strcpy(list.filter, "q"); /* none: it narrows nothing */
	assert_int_equal(list_shown(l), 0);
	assert_int_equal(list_at(l), 1);
	list.filter[0] = '\0'; /* where it was */
	assert_int_equal(list_at(l), 1);
	assert_int_equal(list_shown(l), 6);
}

TEST(test_rows_that_are_none_are_never_shown)
{
	struct list list = {0};
	struct listing l = {.list = &list, .signs = signs_of(true), .rows = &moving};
	size_t row;
	set_rows("-a-b-");
	assert_int_equal(list_shown(l), 2);
	assert_int_equal(at(l), 'a');
	(void)list_take_key(l, TUI_KEY_END);
	assert_int_equal(at(l), 'b');
	strcpy(list.filter, "q");
	assert_int_equal(at(l), 'b');
	assert_false(list_find(l, (uint32_t)list_key("-"), &row));
}

TEST(test_a_filter_is_found_in_either_case)
{
	assert_true(list_matches("PAY-118 Refund", "refund"));
	assert_true(list_matches("PAY-118 Refund", "y-11"));
	assert_true(list_matches("Ärger", "äRG"));
	assert_true(list_matches("Straße", "STRASSE"));
	assert_true(list_matches("", ""));
	assert_true(list_matches(NULL, ""));
	assert_false(list_matches(NULL, "a"));
	assert_false(list_matches("PAY-118 Refund", "refunds"));
}

/* The screen as one string, a row's letter each, the cursor's in upper case. */
static void assert_drawn(struct listing l, int height, bool is_beside, const char *expected)
{
	struct grid g = {0};
	char seen[ROWS_MAX + 1] = "";
	grid_resize(&g, 10, ROWS_MAX);
	l.spot = SPOT;
	list_draw(l, &g, 1, height, !is_beside);
	for (int y = 1; y < ROWS_MAX && g.cells[y * g.stride + 3].text[0] != ' '; y++) {
		const struct cell *row = &g.cells[y * g.stride];
		bool has_cursor = row[1].text[0] == '>';
		seen[y - 1] = (char)(row[3].text[0] - (has_cursor ? 'a' - 'A' : 0));
		assert_int_equal(row[3].style, has_cursor ? STYLE_CHOSEN : STYLE_TEXT);
		assert_true(!has_cursor || (g.cursor_shown && g.cursor_y == y));
		struct spot spot = grid_spot(&g, 5, y);
		size_t found;
		assert_int_equal(spot.kind, SPOT);
		assert_true(list_find(l, spot.which, &found));
		assert_int_equal(names[found][0], row[3].text[0]);
	}
	assert_string_equal(seen, expected);
	grid_finish(&g);
}

TEST(test_it_scrolls_so_that_the_cursor_stays_in_sight)
{
	struct list list = {0};
	struct listing l = {.list = &list, .signs = signs_of(true), .rows = &moving};
	set_rows("abcdefghij");
	assert_drawn(l, 20, false, "Abcdefghij");
	assert_drawn(l, 4, false, "Abcd");
	list_go(l, 5);
	assert_drawn(l, 4, false, "deFg");
	assert_drawn(l, 1, false, "F");
	assert_drawn(l, 0, false, "");
	assert_drawn(l, -1, false, "");
	list_go(l, 9);
	assert_drawn(l, 4, false, "ghiJ");
	begins_at = 5; /* beside another view: around its start, the cursor unmoved */
	assert_drawn(l, 4, true, "defg");
	assert_drawn(l, 4, false, "ghiJ");
	set_rows("a-b-c-d-e-f");
	list_go(l, 6);
	assert_drawn(l, 3, false, "cDe");
	strcpy(list.filter, "f");
	assert_drawn(l, 3, false, "F");
}
