/*
 * large_label.h - the label of a card in large characters, if the card has room for them.
 */
#ifndef CLIENT_TUI_WIDGETS_LARGE_LABEL_H
#define CLIENT_TUI_WIDGETS_LARGE_LABEL_H

#include "client/tui/widgets/grid.h"

enum { LARGE_LABEL_ROWS = 5 }; /* the fewest that a large label needs */

/*
 * Draw the label centred in these cells, as large as fits. Draws nothing and returns
 * false if they are too few, or the label has a character without a large form.
 *
 * @ink  the sign that filled cells are drawn with.
 */
bool large_label_draw(struct grid *g, int x, int y, int width, int height, enum style style, const char *label,
		      const char *ink);

#endif
