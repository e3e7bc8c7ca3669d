/*
 * theme.h - the look of each style, by theme and number of colours.
 *
 * A look only adds to words and shapes, so a theme may leave out any part of it.
 * Colours 0 to 15 are the terminal's own palette; 16 to 255 are the same on all
 * terminals with 256 colours.
 */
#ifndef CLIENT_TUI_WIDGETS_THEME_H
#define CLIENT_TUI_WIDGETS_THEME_H

#include <stdint.h>

#include "client/model/settings.h"
#include "client/tui/widgets/grid.h"

enum look_flag {
	LOOK_BOLD = 1 << 0,
	LOOK_DIM = 1 << 1,
	LOOK_UNDERLINE = 1 << 2,
	LOOK_REVERSE = 1 << 3
};

#define LOOK_NO_COLOR (-1)

struct look {
	unsigned flags; /* enum look_flag */
	int ink;	/* the foreground colour, or LOOK_NO_COLOR: the terminal's default */
	int ground;	/* the background colour, or LOOK_NO_COLOR: the terminal's default */
};

/* @colors  how many colours the terminal has: 0, 8, 16 or 256. */
struct look theme_look(enum theme_choice theme, enum style style, int colors);

#endif
