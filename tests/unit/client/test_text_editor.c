/*
 * test_text_editor.c - lines of text as they are written: rows, moves, deletions,
 * pastes and what does not fit.
 */
#include <stdlib.h>
#include <string.h>

#include "client/tui/tui.h"
#include "client/tui/widgets/text_editor.h"
#include "tests/support/lines_of_text.h"
#include "tests/support/test.h"

static struct text_editor sheet;

static void keys(const char *text)
{
	for (; *text != '\0'; text++) {
		assert_true(text_editor_take_key(&sheet, *text == '\n' ? TUI_KEY_ENTER : *text));
	}
}

static void key(int32_t k)
{
	assert_true(text_editor_take_key(&sheet, k));
}

/* As it is shown in that many cells and rows, and where the cursor is. */
static void assert_shown(int width, int height, const char *expected, int x, int y)
{
	struct grid g = {0};
	grid_resize(&g, width, height);
	text_editor_draw(&sheet, &g, 0, 0, width, height);
	char *dump = grid_dump(&g);
	assert_non_null(dump);
	assert_string_equal(dump, expected);
	assert_int_equal(g.cursor_x, x);
	assert_int_equal(g.cursor_y, y);
	free(dump);
	grid_finish(&g);
}

TEST(test_lines_end_with_enter_and_join_with_backspace)
{
	text_editor_set(&sheet, "", 100);
	keys("one\ntwo");
	assert_string_equal(sheet.text, "one\ntwo");
	key(TUI_KEY_HOME);
	key(TUI_KEY_BACKSPACE);
	assert_string_equal(sheet.text, "onetwo");
	keys("\n");
	key(TUI_KEY_LEFT);
	key(TUI_KEY_DELETE);
	assert_string_equal(sheet.text, "onetwo");
	assert_false(text_editor_take_key(&sheet, TUI_KEY_ESCAPE));
	assert_false(text_editor_take_key(&sheet, TUI_KEY_TAB));
}

TEST(test_long_lines_are_broken_at_blanks_or_where_they_must)
{
	text_editor_set(&sheet, "one two three\nincomprehensible\n\nend", 100);
	assert_shown(9, 7, "one two\nthree\nincompre\nhensible\n\nend\n\n", 3, 5);
	assert_shown(9, 2, "\nend\n", 3, 1);
}

TEST(test_up_and_down_keep_their_column_over_short_rows)
{
	text_editor_set(&sheet, "abcdef\nx\nabcdef", 100);
	assert_shown(20, 3, "abcdef\nx\nabcdef\n", 6, 2);
	key(TUI_KEY_LEFT);
	key(TUI_KEY_UP);
	assert_shown(20, 3, "abcdef\nx\nabcdef\n", 1, 1);
	key(TUI_KEY_UP);
	assert_shown(20, 3, "abcdef\nx\nabcdef\n", 5, 0);
	key(TUI_KEY_UP);
	key(TUI_KEY_PAGE_DOWN);
	assert_shown(20, 3, "abcdef\nx\nabcdef\n", 5, 2);
}

TEST(test_up_goes_on_over_rows_that_are_full)
{
	text_editor_set(&sheet, "aaaabbbbcccc", 100);
	assert_shown(5, 3, "aaaa\nbbbb\ncccc\n", 4, 2);
	key(TUI_KEY_UP);
	key(TUI_KEY_UP);
	assert_shown(5, 3, "aaaa\nbbbb\ncccc\n", 3, 0);
}

TEST(test_what_is_pasted_keeps_its_lines_and_nothing_that_hurts)
{
	text_editor_set(&sheet, "", 100);
	text_editor_insert(&sheet, SLICE("a\r\nb\rc\n\n\x1b[31m\td"));
	assert_string_equal(sheet.text, "a\nb\nc\n\n [31m\td");
	text_editor_set(&sheet, "", 100);
	text_editor_insert(&sheet, SLICE("e\xcc\x81\xe2\x80\xaex\xff"));
	assert_string_equal(sheet.text, "\xc3\xa9x\xef\xbf\xbd");
}

TEST(test_lines_are_edited_as_they_are)
{
	static const char *const texts[] = {
#define LINES_STORED(name, sent, stored, drawn) stored,
		LINES_OF_TEXT(LINES_STORED)};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		text_editor_set(&sheet, texts[i], 1000);
		assert_string_equal(sheet.text, texts[i]);
	}
}

/* Character by character, as keys bring it. */
static void assert_typed(const int32_t *points, const char *expected)
{
	text_editor_set(&sheet, "", 100);
	for (; *points != 0; points++) {
		key(*points);
	}
	assert_string_equal(sheet.text, expected);
}

TEST(test_what_may_be_pasted_may_be_typed)
{
	assert_typed((const int32_t[]){0x645, 0x6cc, 0x200c, 0x62e, 0},
		     "\xd9\x85\xdb\x8c\xe2\x80\x8c\xd8\xae");
	assert_typed((const int32_t[]){0x915, 0x94d, 0x200d, 0x937, 0},
		     "\xe0\xa4\x95\xe0\xa5\x8d\xe2\x80\x8d\xe0\xa4\xb7");
	assert_typed((const int32_t[]){'a', 0x200f, '!', 0}, "a\xe2\x80\x8f!");
	assert_typed((const int32_t[]){'a', 0x200c, 0x202e, 0xad, 0xe000, 'b', 0}, "ab");
	assert_typed((const int32_t[]){'e', 0x301, 0}, "\xc3\xa9");
}

/* Pasted in pieces, of which none ends between two emoji that are one. */
TEST(test_a_long_line_of_joined_emoji_stays_joined)
{
	static const char family[] = "👨\xe2\x80\x8d👩\xe2\x80\x8d👧\xe2\x80\x8d👦";
	char line[100 * sizeof(family)];
	size_t len = 0;
	for (int i = 0; i < 100; i++) {
		memcpy(line + len, family, sizeof(family) - 1);
		len += sizeof(family) - 1;
	}
	line[len] = '\0';
	text_editor_set(&sheet, line, sizeof(line));
	assert_string_equal(sheet.text, line);
	key(TUI_KEY_BACKSPACE);
	assert_int_equal(sheet.len, len - (sizeof(family) - 1));
}

TEST(test_tabs_go_to_their_stops_under_the_cursor)
{
	text_editor_set(&sheet, "if x:\n\tgo  on\nab\tc", 100);
	assert_shown(20, 3, "if x:\n        go  on\nab      c\n", 9, 2);
	key(TUI_KEY_LEFT);
	assert_shown(20, 3, "if x:\n        go  on\nab      c\n", 8, 2);
	key(TUI_KEY_LEFT);
	assert_shown(20, 3, "if x:\n        go  on\nab      c\n", 2, 2);
	key(TUI_KEY_UP);
	assert_shown(20, 3, "if x:\n        go  on\nab      c\n", 0, 1);
}

TEST(test_characters_are_moved_over_and_deleted_whole)
{
	text_editor_set(&sheet, "計画 e\xcc\x81", 100);
	assert_true(text_editor_take_key(&sheet, 0x301)); /* composes with what stands before it */
	key(TUI_KEY_BACKSPACE);
	assert_string_equal(sheet.text, "計画 ");
	key(TUI_KEY_BACKSPACE);
	key(TUI_KEY_BACKSPACE);
	assert_string_equal(sheet.text, "計");
	key(TUI_KEY_LEFT);
	assert_int_equal(sheet.cursor, 0);
}

TEST(test_parts_of_a_line_go_at_once)
{
	enum { CTRL_K = 11, CTRL_U = 21, CTRL_W = 23 };
	text_editor_set(&sheet, "one two\nthree", 100);
	key(TUI_KEY_UP);
	key(CTRL_W);
	assert_string_equal(sheet.text, "one wo\nthree");
	key(CTRL_K);
	assert_string_equal(sheet.text, "one \nthree");
	key(CTRL_K);
	assert_string_equal(sheet.text, "one three");
	key(CTRL_U);
	assert_string_equal(sheet.text, "three");
}

TEST(test_what_does_not_fit_is_left_out)
{
	text_editor_set(&sheet, "", 8);
	keys("12345678\n9");
	assert_string_equal(sheet.text, "12345678");
	text_editor_set(&sheet, "much too long", 8);
	assert_true(sheet.len <= 8);
	char *large = malloc(3 * SHEET_BYTES_MAX);
	assert_non_null(large);
	memset(large, 'x', 3 * SHEET_BYTES_MAX);
	text_editor_set(&sheet, "", SHEET_BYTES_MAX);
	text_editor_insert(&sheet, slice_of(large, 3 * SHEET_BYTES_MAX));
	assert_true(sheet.len <= SHEET_BYTES_MAX);
	assert_true(sheet.len > SHEET_BYTES_MAX - 500);
	free(large);
}

TEST(test_a_text_from_elsewhere_leaves_the_cursor_alone)
{
	text_editor_set(&sheet, "one\ntwo", 100);
	text_editor_replace(&sheet, "one\ntwo\nthree");
	assert_int_equal(sheet.cursor, 13); /* at the end it stays at the end */
	key(TUI_KEY_UP);
	text_editor_replace(&sheet, "one\ntwo");
	text_editor_replace(&sheet, "one\ntwo\nthree");
	sheet.cursor = 7;
	text_editor_replace(&sheet, "計画ポー");
	assert_int_equal(sheet.cursor, 9); /* never inside a character */
	text_editor_replace(&sheet, "");
	assert_int_equal(sheet.cursor, 0);
}
