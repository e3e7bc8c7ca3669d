/*
 * theme.c - the looks, as tables; see theme.h.
 *
 * default   legible on dark and on light grounds: of the 256 colours it takes
 *           those whose contrast to black, to the dark grey of most editors and
 *           to white is at least 3.7; no colour has more than 4.1 to all three.
 *           Of the palette's own eight only red and magenta are legible
 *           everywhere, so the others are for marks, for shapes and for good news.
 * dark      for dark grounds alone, where text has a contrast of 7 to 1,
 * light     and for light ones, with more than 4.5.
 * contrast  bright on black whatever the terminal's ground, nothing dimmed.
 * mono      no colour: bold, underlined, reverse.
 *
 * What is to be scanned looks the same in all of them: theme_scan().
 */
#include "client/tui/widgets/theme.h"

#include "proto/base/assert.h"

struct theme_row {
	unsigned flags;
	int16_t ink8, ink16, ink256;
};

enum { NONE = LOOK_NO_COLOR };
enum { THEMED_N = STYLE_SCAN }; /* the styles in front of it, which is the last */
enum { RED = 1, GREEN, YELLOW, BLUE, MAGENTA, CYAN, WHITE };
enum { BRIGHT = 8 };

/* clang-format off */
static const struct theme_row theme_default[THEMED_N] = {
	/*                    flags                        8       16      256 */
	[STYLE_TEXT]      = {0,                            NONE,   NONE,   NONE},
	[STYLE_DIM]       = {LOOK_DIM,                     NONE,   NONE,   244},
	[STYLE_STRONG]    = {LOOK_BOLD,                    NONE,   NONE,   NONE},
	[STYLE_TITLE]     = {LOOK_BOLD,                    NONE,   NONE,   31},
	[STYLE_CARD_BACK] = {0,                            CYAN,   CYAN,   67},
	[STYLE_CARD_FACE] = {LOOK_BOLD,                    NONE,   NONE,   NONE},
	[STYLE_OWN]       = {LOOK_BOLD,                    GREEN,  GREEN,  64},
	[STYLE_CHOSEN]    = {LOOK_REVERSE,                 NONE,   NONE,   NONE},
	[STYLE_GOOD]      = {0,                            GREEN,  GREEN,  64},
	[STYLE_WARN]      = {0,                            MAGENTA, MAGENTA, 166},
	[STYLE_ERROR]     = {LOOK_BOLD,                    RED,    RED,    196},
	[STYLE_AWAY]      = {LOOK_DIM,                     NONE,   NONE,   244},
};

static const struct theme_row theme_dark[THEMED_N] = {
	/*                    flags                        8       16               256 */
	[STYLE_TEXT]      = {0,                            NONE,   NONE,            NONE},
	[STYLE_DIM]       = {LOOK_DIM,                     NONE,   NONE,            248},
	[STYLE_STRONG]    = {LOOK_BOLD,                    NONE,   NONE,            NONE},
	[STYLE_TITLE]     = {LOOK_BOLD,                    CYAN,   BRIGHT + CYAN,   117},
	[STYLE_CARD_BACK] = {0,                            CYAN,   BRIGHT + CYAN,   110},
	[STYLE_CARD_FACE] = {LOOK_BOLD,                    NONE,   NONE,            NONE},
	[STYLE_OWN]       = {LOOK_BOLD,                    GREEN,  BRIGHT + GREEN,  114},
	[STYLE_CHOSEN]    = {LOOK_REVERSE,                 NONE,   NONE,            NONE},
	[STYLE_GOOD]      = {0,                            GREEN,  BRIGHT + GREEN,  114},
	[STYLE_WARN]      = {0,                            YELLOW, BRIGHT + YELLOW, 215},
	[STYLE_ERROR]     = {LOOK_BOLD,                    RED,    BRIGHT + RED,    210},
	[STYLE_AWAY]      = {LOOK_DIM,                     NONE,   NONE,            248},
};

static const struct theme_row theme_light[THEMED_N] = {
	/*                    flags                        8       16      256 */
	[STYLE_TEXT]      = {0,                            NONE,   NONE,   NONE},
	[STYLE_DIM]       = {LOOK_DIM,                     NONE,   NONE,   240},
	[STYLE_STRONG]    = {LOOK_BOLD,                    NONE,   NONE,   NONE},
	[STYLE_TITLE]     = {LOOK_BOLD,                    BLUE,   BLUE,   25},
	[STYLE_CARD_BACK] = {0,                            BLUE,   BLUE,   61},
	[STYLE_CARD_FACE] = {LOOK_BOLD,                    NONE,   NONE,   NONE},
	[STYLE_OWN]       = {LOOK_BOLD,                    GREEN,  GREEN,  22},
	[STYLE_CHOSEN]    = {LOOK_REVERSE,                 NONE,   NONE,   NONE},
	[STYLE_GOOD]      = {0,                            GREEN,  GREEN,  22},
	[STYLE_WARN]      = {0,                            MAGENTA, MAGENTA, 94},
	[STYLE_ERROR]     = {LOOK_BOLD,                    RED,    RED,    124},
	[STYLE_AWAY]      = {LOOK_DIM,                     NONE,   NONE,   240},
};

static const struct theme_row theme_contrast[THEMED_N] = {
	/*                    flags                        8       16               256 */
	[STYLE_TEXT]      = {0,                            WHITE,  BRIGHT + WHITE,  231},
	[STYLE_DIM]       = {0,                            WHITE,  BRIGHT + WHITE,  231},
	[STYLE_STRONG]    = {LOOK_BOLD,                    WHITE,  BRIGHT + WHITE,  231},
	[STYLE_TITLE]     = {LOOK_BOLD,                    CYAN,   BRIGHT + CYAN,   51},
	[STYLE_CARD_BACK] = {0,                            CYAN,   BRIGHT + CYAN,   51},
	[STYLE_CARD_FACE] = {LOOK_BOLD,                    WHITE,  BRIGHT + WHITE,  231},
	[STYLE_OWN]       = {LOOK_BOLD,                    YELLOW, BRIGHT + YELLOW, 226},
	[STYLE_CHOSEN]    = {LOOK_BOLD | LOOK_REVERSE,     WHITE,  BRIGHT + WHITE,  231},
	[STYLE_GOOD]      = {LOOK_BOLD,                    GREEN,  BRIGHT + GREEN,  46},
	[STYLE_WARN]      = {LOOK_BOLD,                    YELLOW, BRIGHT + YELLOW, 226},
	[STYLE_ERROR]     = {LOOK_BOLD | LOOK_REVERSE,     WHITE,  BRIGHT + WHITE,  231},
	[STYLE_AWAY]      = {0,                            WHITE,  BRIGHT + WHITE,  231},
};

static const struct theme_row theme_mono[THEMED_N] = {
	[STYLE_TEXT]      = {0,                            NONE,   NONE,   NONE},
	[STYLE_DIM]       = {0,                            NONE,   NONE,   NONE},
	[STYLE_STRONG]    = {LOOK_BOLD,                    NONE,   NONE,   NONE},
	[STYLE_TITLE]     = {LOOK_BOLD,                    NONE,   NONE,   NONE},
	[STYLE_CARD_BACK] = {0,                            NONE,   NONE,   NONE},
	[STYLE_CARD_FACE] = {LOOK_BOLD,                    NONE,   NONE,   NONE},
	[STYLE_OWN]       = {LOOK_BOLD,                    NONE,   NONE,   NONE},
	[STYLE_CHOSEN]    = {LOOK_REVERSE,                 NONE,   NONE,   NONE},
	[STYLE_GOOD]      = {LOOK_BOLD,                    NONE,   NONE,   NONE},
	[STYLE_WARN]      = {LOOK_UNDERLINE,               NONE,   NONE,   NONE},
	[STYLE_ERROR]     = {LOOK_BOLD | LOOK_REVERSE,     NONE,   NONE,   NONE},
	[STYLE_AWAY]      = {0,                            NONE,   NONE,   NONE},
};
/* clang-format on */

static const struct theme_row *theme_rows(enum theme_choice theme)
{
	switch (theme) {
	case THEME_DEFAULT:
		return theme_default;
	case THEME_CONTRAST:
		return theme_contrast;
	case THEME_MONO:
		return theme_mono;
	case THEME_DARK:
		return theme_dark;
	case THEME_LIGHT:
		return theme_light;
	}
	return theme_default;
}

/* The black that no palette changes, where there are colours enough. */
static int theme_ground(enum theme_choice theme, int colors)
{
	enum { BLACK = 0, TRUE_BLACK = 16 };
	if (theme != THEME_CONTRAST || colors == 0) {
		return LOOK_NO_COLOR;
	}
	return colors >= 256 ? TRUE_BLACK : BLACK;
}

/*
 * Black on white, whatever the theme: cameras may not see a code that is light on dark. Without
 * colours there are only the terminal's own two, which are reversed on the ground that most have.
 */
static struct look theme_scan(enum theme_choice theme, int colors)
{
	enum { BLACK = 0, TRUE_BLACK = 16, TRUE_WHITE = 231 };
	if (colors == 0) {
		return (struct look){.flags = theme == THEME_LIGHT ? 0 : LOOK_REVERSE,
				     .ink = LOOK_NO_COLOR,
				     .ground = LOOK_NO_COLOR};
	}
	return (struct look){
		.ink = colors >= 256 ? TRUE_BLACK : BLACK,
		.ground = colors >= 256	 ? TRUE_WHITE
			  : colors >= 16 ? BRIGHT + WHITE
					 : WHITE,
	};
}

struct look theme_look(enum theme_choice theme, enum style style, int colors)
{
	ASSERT_CMP((int)style, <, STYLE_COUNT);
	if (style == STYLE_SCAN) {
		return theme_scan(theme, colors);
	}
	const struct theme_row *row = &theme_rows(theme)[style];
	struct look look = {.flags = row->flags, .ink = LOOK_NO_COLOR};
	if (colors >= 256) {
		look.ink = row->ink256;
	} else if (colors > 0) {
		look.ink = colors >= 16 ? row->ink16 : row->ink8;
	}
	look.ground = theme_ground(theme, colors);
	/* A grey of our own is sure to be legible; how far a terminal dims is not. */
	if (look.ink != LOOK_NO_COLOR) {
		look.flags &= ~(unsigned)LOOK_DIM;
	}
	return look;
}
