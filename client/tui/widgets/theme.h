/*
 * theme.h - how each style looks: by theme, and by how many colours there are.
 *
 * A look is a second sign beside words and shapes, so each theme may do
 * without any part of it. Colours are those of the terminal's palette up to 15
 * and of the 256 that all terminals agree about above.
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
	int ink;	/* the colour of what is written, or LOOK_NO_COLOR */
	int ground;	/* the colour behind it, or LOOK_NO_COLOR: the terminal's own */
};

/* @colors  how many there are: 0, 8, 16 or 256. */
struct look theme_look(enum theme_choice theme, enum style style, int colors);

#endif
