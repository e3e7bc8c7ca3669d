/*
 * large_label.h - what stands on a card, in large signs, where a card has room for them.
 */
#ifndef CLIENT_TUI_WIDGETS_LARGE_LABEL_H
#define CLIENT_TUI_WIDGETS_LARGE_LABEL_H

#include "client/tui/widgets/grid.h"

/*
 * Draws the label in the middle of these cells, as large as they let it be with a margin.
 * False, and nothing is drawn: they are too few, or it has a character of which there is no large sign.
 *
 * @ink  the sign that full cells are made of.
 */
bool large_label_draw(struct grid *g, int x, int y, int width, int height, enum style style, const char *label,
		      const char *ink);

#endif
