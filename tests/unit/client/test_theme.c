/*
 * test_theme.c - what can be said of the looks without a terminal: that they can be read.
 */
#include <stdlib.h>

#include "client/tui/widgets/theme.h"
#include "tests/support/test.h"

static const int depths[] = {0, 8, 16, 256};
enum { DEPTHS_N = sizeof(depths) / sizeof(depths[0]), FIXED_FROM = 16, THEMES_N = THEME_LIGHT + 1 };

/* ---- contrast, as the Web Content Accessibility Guidelines measure it ---- */

/* x to the power of 2.4: its square times the fifth root of its square, found by Newton's steps. */
static double to_linear(int level)
{
	double x = level / 255.0;
	double v = (x + 0.055) / 1.055;
	double root = 1.0;
	for (int i = 0; i < 60; i++) {
		root -= (root * root * root * root * root - v * v) /
			(5 * root * root * root * root);
	}
	return x <= 0.04045 ? x / 12.92 : v * v * root;
}

/* A colour of the 256 that no palette changes: the cube, and the greys behind it. */
static double luminance(int color)
{
	static const int level[6] = {0, 95, 135, 175, 215, 255};
	assert_in_range(color, FIXED_FROM, 255);
	if (color >= 232) {
		return to_linear(8 + (color - 232) * 10);
	}
	return 0.2126 * to_linear(level[(color - 16) / 36]) +
	       0.7152 * to_linear(level[(color - 16) / 6 % 6]) +
	       0.0722 * to_linear(level[(color - 16) % 6]);
}

static double contrast(double a, double b)
{
	return a > b ? (a + 0.05) / (b + 0.05) : (b + 0.05) / (a + 0.05);
}

/* Grounds that terminals have: black, the dark grey of most editors, white, and the cream of some themes. */
enum { EDITOR_GREY = 0x1e };

TEST(test_each_theme_can_be_read_on_the_grounds_it_is_for)
{
	const double dark = to_linear(EDITOR_GREY);
	const double cream =
		0.2126 * to_linear(0xfd) + 0.7152 * to_linear(0xf6) + 0.0722 * to_linear(0xe3);
	const struct {
		enum theme_choice theme;
		double least;
		double grounds[3];
	} rows[] = {
		{THEME_DEFAULT, 3.7, {0.0, dark, 1.0}},
		{THEME_DARK, 7.0, {0.0, dark, dark}},
		{THEME_LIGHT, 4.5, {1.0, cream, cream}},
	};
	for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++) {
		for (int i = 0; i < STYLE_SCAN; i++) {
			struct look look = theme_look(rows[r].theme, (enum style)i, 256);
			assert_int_equal(look.ground, LOOK_NO_COLOR);
			for (size_t g = 0; g < 3 && look.ink != LOOK_NO_COLOR; g++) {
				assert_true(contrast(luminance(look.ink), rows[r].grounds[g]) >=
					    rows[r].least);
			}
		}
	}
}

TEST(test_high_contrast_has_at_least_ten_to_one_and_a_ground_of_its_own)
{
	for (int i = 0; i < STYLE_COUNT; i++) {
		struct look look = theme_look(THEME_CONTRAST, (enum style)i, 256);
		assert_true(contrast(luminance(look.ink), luminance(look.ground)) >= 10.0);
		for (int d = 1; d < DEPTHS_N; d++) {
			look = theme_look(THEME_CONTRAST, (enum style)i, depths[d]);
			assert_int_not_equal(look.ink, LOOK_NO_COLOR);
			assert_int_not_equal(look.ground, LOOK_NO_COLOR);
			assert_true(look.ink < depths[d] && look.ground < depths[d]);
		}
	}
}

TEST(test_contrast_and_mono_dim_nothing)
{
	for (int i = 0; i < STYLE_COUNT; i++) {
		for (int d = 0; d < DEPTHS_N; d++) {
			struct look contrasting =
				theme_look(THEME_CONTRAST, (enum style)i, depths[d]);
			struct look mono = theme_look(THEME_MONO, (enum style)i, depths[d]);
			assert_int_equal((contrasting.flags | mono.flags) & LOOK_DIM, 0);
		}
	}
}

TEST(test_mono_and_no_colours_have_none)
{
	for (int theme = 0; theme < THEMES_N; theme++) {
		for (int i = 0; i < STYLE_COUNT; i++) {
			for (int d = 0; d < DEPTHS_N; d++) {
				struct look look = theme_look((enum theme_choice)theme,
							      (enum style)i, depths[d]);
				bool is_mono = theme == THEME_MONO && i != STYLE_SCAN;
				if (is_mono || depths[d] == 0) {
					assert_int_equal(look.ink, LOOK_NO_COLOR);
					assert_int_equal(look.ground, LOOK_NO_COLOR);
				}
				assert_true(look.ink < depths[d]);
			}
		}
	}
}

TEST(test_what_is_to_be_scanned_is_dark_on_light_in_every_theme)
{
	static const struct {
		int ink, ground;
	} looks[] = {{LOOK_NO_COLOR, LOOK_NO_COLOR}, {0, 7}, {0, 15}, {16, 231}};
	for (int theme = 0; theme < THEMES_N; theme++) {
		for (int d = 0; d < DEPTHS_N; d++) {
			struct look look =
				theme_look((enum theme_choice)theme, STYLE_SCAN, depths[d]);
			bool is_reversed = depths[d] == 0 && theme != THEME_LIGHT;
			assert_int_equal(look.ink, looks[d].ink);
			assert_int_equal(look.ground, looks[d].ground);
			assert_int_equal(look.flags, is_reversed ? LOOK_REVERSE : 0);
		}
	}
	assert_true(contrast(luminance(16), luminance(231)) >= 20.0);
}

/* The cursor's item and a trouble stand out without any colour. */
TEST(test_what_must_be_seen_stands_out_without_colour)
{
	static const enum style styles[] = {STYLE_CHOSEN, STYLE_ERROR, STYLE_OWN, STYLE_TITLE};
	for (int theme = 0; theme < THEMES_N; theme++) {
		for (size_t i = 0; i < sizeof(styles) / sizeof(styles[0]); i++) {
			struct look look = theme_look((enum theme_choice)theme, styles[i], 0);
			struct look text = theme_look((enum theme_choice)theme, STYLE_TEXT, 0);
			assert_int_not_equal(look.flags, text.flags);
		}
		assert_true(theme_look((enum theme_choice)theme, STYLE_CHOSEN, 0).flags &
			    LOOK_REVERSE);
	}
}
