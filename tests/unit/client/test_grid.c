/*
 * test_grid.c - cells at the edges, wide graphemes under others, what is drawn with
 * them, and the line editor that lives on them.
 */
#include <stdlib.h>
#include <string.h>

#include "client/tui/tui.h"
#include "client/tui/widgets/draw.h"
#include "client/tui/widgets/grid.h"
#include "client/tui/widgets/large_label.h"
#include "client/tui/widgets/line_editor.h"
#include "tests/support/lines_of_text.h"
#include "tests/support/test.h"

static void assert_dump(const struct grid *g, const char *expected)
{
	char *dump = grid_dump(g);
	assert_non_null(dump);
	assert_string_equal(dump, expected);
	free(dump);
}

static void open_grid(struct grid *g, int width, int height)
{
	*g = (struct grid){0};
	grid_resize(g, width, height);
}

TEST(test_text_is_cut_at_every_edge)
{
	struct grid g;
	open_grid(&g, 6, 2);
	assert_int_equal(grid_text(&g, 4, 0, STYLE_TEXT, "abc", -1), 2);
	assert_int_equal(grid_text(&g, -1, 1, STYLE_TEXT, "xyz", -1), 3);
	assert_int_equal(grid_text(&g, 0, -1, STYLE_TEXT, "above", -1), 0);
	assert_int_equal(grid_text(&g, 0, 2, STYLE_TEXT, "below", -1), 0);
	assert_int_equal(grid_text(&g, 6, 0, STYLE_TEXT, "right", -1), 0);
	assert_int_equal(grid_text(&g, 2, 1, STYLE_TEXT, "12345", 2), 2);
	assert_int_equal(grid_text(&g, 0, 0, STYLE_TEXT, NULL, -1), 0);
	assert_dump(&g, "    ab\nyz12\n");
	grid_finish(&g);
}

TEST(test_a_wide_grapheme_takes_two_cells_or_none)
{
	struct grid g;
	open_grid(&g, 5, 1);
	assert_int_equal(grid_text(&g, 0, 0, STYLE_TEXT, "名前字", -1), 4);
	assert_int_equal(g.cells[1].len, 0);
	assert_dump(&g, "名前\n");
	assert_int_equal(grid_text(&g, 0, 0, STYLE_TEXT, "字", 1), 0);
	grid_finish(&g);
}

TEST(test_drawing_over_half_a_grapheme_removes_the_other_half)
{
	struct grid g;
	open_grid(&g, 6, 1);
	(void)grid_text(&g, 0, 0, STYLE_TEXT, "名前字", -1);
	(void)grid_text(&g, 1, 0, STYLE_TEXT, "a", -1);
	assert_dump(&g, " a前字\n");
	(void)grid_text(&g, 4, 0, STYLE_TEXT, "b", -1);
	assert_dump(&g, " a前b\n");
	(void)grid_text(&g, 1, 0, STYLE_TEXT, "名", -1);
	assert_dump(&g, " 名 b\n");
	grid_finish(&g);
}

TEST(test_no_control_character_becomes_a_cell)
{
	struct grid g;
	open_grid(&g, 40, 1);
	(void)grid_text(&g, 0, 0, STYLE_TEXT,
			"a\x1b[2J\n\t\x7f\xc2\x9b"
			"31m\xe2\x80\xae",
			-1);
	for (int x = 0; x < g.width; x++) {
		const unsigned char *text = (const unsigned char *)g.cells[x].text;
		assert_true(text[0] >= 0x20 && text[0] != 0x7f);
		assert_false(text[0] == 0xc2 && text[1] < 0xa0);
		assert_null(strstr(g.cells[x].text, "\xe2\x80\xae"));
	}
	grid_finish(&g);
}

TEST(test_the_cursor_is_shown_only_inside)
{
	struct grid g;
	open_grid(&g, 4, 2);
	grid_cursor(&g, 3, 1);
	assert_true(g.cursor_shown);
	grid_cursor(&g, 4, 1);
	assert_false(g.cursor_shown);
	grid_cursor(&g, 0, -1);
	assert_false(g.cursor_shown);
	grid_finish(&g);
}

TEST(test_cut_text_shows_that_it_was_cut)
{
	struct grid g;
	open_grid(&g, 12, 1);
	assert_int_equal(draw_cut(&g, 0, 0, STYLE_TEXT, "Katherine", 5, signs_of(false)), 5);
	assert_dump(&g, "Kath…\n");
	grid_clear(&g);
	assert_int_equal(draw_cut(&g, 0, 0, STYLE_TEXT, "山田太郎", 6, signs_of(false)), 5);
	assert_dump(&g, "山田…\n");
	grid_finish(&g);
}

TEST(test_wrapped_lines_break_at_blanks)
{
	struct grid g;
	open_grid(&g, 10, 4);
	assert_int_equal(draw_wrapped(&g, 0, 0, STYLE_TEXT, "one two three incomprehensibly", 10),
			 4);
	assert_dump(&g, "one two\nthree\nincomprehe\nnsibly\n");
	assert_int_equal(draw_wrapped(NULL, 0, 0, STYLE_TEXT, "one two", 0), 0);
	grid_finish(&g);
}

/* In a box that is beside others: what is around it stays as it was. */
TEST(test_lines_are_drawn_in_their_shape_and_in_their_box)
{
	static const struct {
		const char *name, *stored, *drawn;
	} rows[] = {
#define LINES_ROW(name, sent, stored, drawn) {name, stored, drawn},
		LINES_OF_TEXT(LINES_ROW)};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct grid g, box;
		int lines = draw_text(NULL, 0, 0, STYLE_TEXT, rows[i].stored, LINES_OF_TEXT_CELLS,
				      0, 0);
		open_grid(&g, LINES_OF_TEXT_CELLS + 6, lines);
		grid_fill(&g, 0, 0, g.width, g.height, STYLE_TEXT, "#");
		grid_fill(&g, 3, 0, LINES_OF_TEXT_CELLS, g.height, STYLE_TEXT, " ");
		assert_int_equal(draw_text(&g, 3, 0, STYLE_TEXT, rows[i].stored,
					   LINES_OF_TEXT_CELLS, 0, lines),
				 lines);
		for (int y = 0; y < lines; y++) {
			for (int x = 0; x < 3; x++) {
				const struct cell *row = &g.cells[(size_t)y * (size_t)g.stride];
				assert_string_equal(row[x].text, "#");
				assert_string_equal(row[3 + LINES_OF_TEXT_CELLS + x].text, "#");
			}
		}
		box = grid_part(&g, 3, LINES_OF_TEXT_CELLS);
		char *dump = grid_dump(&box);
		if (strcmp(dump, rows[i].drawn) != 0) {
			fail_msg("%s:\n%s", rows[i].name, dump);
		}
		free(dump);
		grid_finish(&g);
	}
}

TEST(test_lines_fit_whatever_the_width)
{
	static const char *const texts[] = {
#define LINES_STORED(name, sent, stored, drawn) stored,
		LINES_OF_TEXT(LINES_STORED)};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		for (int cells = 0; cells < 20; cells++) {
			struct grid g;
			open_grid(&g, cells + 1, 200);
			int lines = draw_text(&g, 0, 0, STYLE_TEXT, texts[i], cells, 0, 200);
			assert_in_range(lines, 1, 200);
			for (int y = 0; y < lines; y++) {
				assert_string_equal(
					g.cells[(size_t)y * (size_t)g.stride + (size_t)cells].text,
					" ");
			}
			grid_finish(&g);
		}
	}
}

TEST(test_what_is_indented_by_more_than_half_goes_on_at_the_edge)
{
	struct grid g;
	open_grid(&g, 12, 5);
	assert_int_equal(draw_text(&g, 0, 0, STYLE_TEXT, "    one two three\n\t\tdeep\n\tas code",
				   12, 0, 5),
			 5);
	assert_dump(&g, "    one two\n    three\ndeep\n        as\ncode\n");
	grid_finish(&g);
}

static void type_keys(struct line_editor *e, const int32_t *keys, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		(void)line_editor_take_key(e, keys[i]);
	}
}

TEST(test_the_editor_moves_and_deletes_whole_graphemes)
{
	struct line_editor e;
	line_editor_set(&e, "a");
	type_keys(&e, (int32_t[]){'q', 0x308, 'b', 0x540d}, 4);
	assert_string_equal(e.text, "aq\xcc\x88"
				    "b名");
	type_keys(&e, (int32_t[]){TUI_KEY_BACKSPACE, TUI_KEY_LEFT, TUI_KEY_BACKSPACE}, 3);
	assert_string_equal(e.text, "ab");
	type_keys(&e, (int32_t[]){'X', TUI_KEY_HOME, TUI_KEY_DELETE, TUI_KEY_END, '!'}, 5);
	assert_string_equal(e.text, "Xb!");
	enum { CTRL_U = 21, CTRL_W = 23 };
	line_editor_set(&e, "one two ");
	type_keys(&e, (int32_t[]){CTRL_W}, 1);
	assert_string_equal(e.text, "one ");
	type_keys(&e,
		  (int32_t[]){CTRL_U, TUI_KEY_BACKSPACE, TUI_KEY_DELETE, TUI_KEY_LEFT,
			      TUI_KEY_RIGHT},
		  5);
	assert_string_equal(e.text, "");
}

TEST(test_what_no_name_may_hold_cannot_be_typed)
{
	struct line_editor e;
	line_editor_set(&e, "");
	static const int32_t keys[] = {'a',    1,      7,	27,	0x9b,	  0x202e,
				       0x200b, 0xfeff, 0xe0041, 0xd800, 0x110000, 'b'};
	type_keys(&e, keys, sizeof(keys) / sizeof(keys[0]));
	/* ^A went to the beginning, as in every line editor. */
	assert_string_equal(e.text, "ba");
}

TEST(test_the_editor_is_full_when_it_is_full)
{
	struct line_editor e;
	char much[4 * EDIT_BYTES_MAX];
	memset(much, 'x', sizeof(much));
	line_editor_set(&e, "");
	line_editor_insert(&e, slice_of(much, sizeof(much)));
	assert_in_range(e.len, EDIT_BYTES_MAX / 2, EDIT_BYTES_MAX - 1);
	for (int i = 0; i < 2 * EDIT_BYTES_MAX; i++) {
		(void)line_editor_take_key(&e, 0x540d);
	}
	assert_in_range(e.len, EDIT_BYTES_MAX - 4, EDIT_BYTES_MAX - 1);
	assert_int_equal(strlen(e.text), e.len);
	memset(much, 0xff, sizeof(much));
	line_editor_set(&e, "");
	line_editor_insert(&e, slice_of(much, sizeof(much)));
	assert_int_equal(strlen(e.text), e.len);
}

TEST(test_a_long_line_shows_the_part_with_the_cursor)
{
	struct grid g;
	struct line_editor e;
	open_grid(&g, 8, 1);
	line_editor_set(&e, "abcdefghijkl");
	line_editor_draw(&e, &g, 2, 0, 5);
	assert_dump(&g, "  ijkl\n");
	assert_int_equal(g.cursor_x, 6);
	(void)line_editor_take_key(&e, TUI_KEY_HOME);
	grid_clear(&g);
	line_editor_draw(&e, &g, 2, 0, 5);
	assert_dump(&g, "  abcde\n");
	assert_int_equal(g.cursor_x, 2);
	grid_finish(&g);
}

TEST(test_a_part_draws_into_the_same_cells_and_not_beside_them)
{
	struct grid g = {0};
	grid_resize(&g, 10, 2);
	(void)grid_text(&g, 0, 0, STYLE_TEXT, "0123456789", -1);
	struct grid part = grid_part(&g, 6, 3);
	assert_int_equal(part.width, 3);
	(void)grid_text(&part, 0, 1, STYLE_TEXT, "abcdef", -1);
	grid_cursor(&part, 1, 1);
	grid_part_cursor(&g, &part, 6);
	assert_int_equal(g.cursor_x, 7);
	assert_int_equal(g.cursor_y, 1);
	grid_clear(&part);
	(void)grid_text(&part, 0, 0, STYLE_TEXT, "\xe6\xbc\xa2\xe6\xbc\xa2", -1);
	char *dump = grid_dump(&g);
	assert_string_equal(dump, "012345\xe6\xbc\xa2 9\n\n");
	free(dump);
	part = grid_part(&g, 20, 5);
	assert_int_equal(part.width, 0);
	(void)grid_text(&part, 0, 0, STYLE_TEXT, "x", -1);
	grid_finish(&g);
}

TEST(test_rows_of_a_grid_cut_what_is_above_and_below_them)
{
	struct grid g = {0};
	grid_resize(&g, 3, 4);
	struct grid rows = grid_rows(&g, 1, 2);
	for (int y = -1; y < 4; y++) {
		(void)grid_text(&rows, 0, y, STYLE_TEXT, "ab", -1);
	}
	assert_dump(&g, "\nab\nab\n\n");
	assert_int_equal(grid_rows(&g, 3, 5).height, 1);
	assert_int_equal(grid_rows(&g, 9, 1).height, 0);
	grid_finish(&g);
}

/* ---- what is drawn with it ---- */

/* These names in so many cells and rows; how many rows they took. */
static int draw_names_in(struct grid *g, int width, int rows, size_t n, const char *const names[])
{
	struct draw_names list = {
		.g = g, .signs = signs_of(true), .end = width, .rows = rows, .n = n};
	for (size_t i = 0; i < n; i++) {
		draw_name(&list, STYLE_TEXT, names[i]);
	}
	return list.y + 1;
}

static void assert_names(int width, int rows, size_t n, const char *const names[], const char *dump)
{
	struct grid g = {0};
	grid_resize(&g, width, 3);
	struct grid none = grid_rows(&g, 0, 0);
	int took = draw_names_in(&g, width, rows, n, names);
	assert_int_equal(draw_names_in(&none, width, rows, n, names), took);
	assert_dump(&g, dump);
	grid_finish(&g);
}

TEST(test_names_are_wrapped_and_what_does_not_fit_is_counted)
{
	static const char *const names[] = {"Ada", "Grace", "Linus", "Katherine"};
	assert_names(30, 1, 4, names, "Ada  Grace  Linus  Katherine\n\n\n");
	assert_names(20, 2, 4, names, "Ada  Grace  Linus\nKatherine\n\n");
	assert_names(20, 1, 4, names, "Ada  Grace  +2\n\n\n");
	assert_names(15, 2, 4, names, "Ada  Grace\nLinus  Katheri~\n\n");
	assert_names(6, 1, 4, names, "+4\n\n\n");
	assert_names(12, 1, 1, &names[3], "Katherine\n\n\n");
	assert_names(7, 1, 1, &names[3], "Kather~\n\n\n");
}

static void assert_large(int width, int height, const char *label, const char *dump)
{
	struct grid g = {0};
	grid_resize(&g, width, height);
	assert_true(large_label_draw(&g, 0, 0, width, height, STYLE_TEXT, label, "#"));
	assert_dump(&g, dump);
	grid_finish(&g);
}

TEST(test_labels_are_drawn_large_where_they_fit)
{
	struct grid g = {0};
	assert_large(15, 7, "13",
		     "\n"
		     "  ##    ######\n"
		     "####        ##\n"
		     "  ##    ######\n"
		     "  ##        ##\n"
		     "######  ######\n\n");
	grid_resize(&g, 14, 6);
	assert_true(large_label_draw(&g, 0, 0, 14, 6, STYLE_TEXT, "XL", "#"));
	assert_false(large_label_draw(&g, 0, 0, 13, 6, STYLE_TEXT, "XL", "#"));
	assert_true(large_label_draw(&g, 0, 0, 14, LARGE_LABEL_ROWS, STYLE_TEXT, "XL", "#"));
	assert_false(large_label_draw(&g, 0, 0, 14, LARGE_LABEL_ROWS - 1, STYLE_TEXT, "XL", "#"));
	assert_false(large_label_draw(&g, 0, 0, 14, 6, STYLE_TEXT, "½", "#"));
	assert_false(large_label_draw(&g, 0, 0, 14, 6, STYLE_TEXT, "", "#"));
	grid_finish(&g);
}

TEST(test_cards_of_our_decks_are_ascii_where_signs_are)
{
	assert_string_equal(draw_label(signs_of(true), "∞"), "oo");
	assert_string_equal(draw_label(signs_of(true), "½"), "1/2");
	assert_string_equal(draw_label(signs_of(false), "∞"), "∞");
	assert_string_equal(draw_label(signs_of(true), "größer"), "größer");
	assert_null(draw_label(signs_of(true), NULL));
}
