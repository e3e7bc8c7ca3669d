/*
 * qr.h - a text as a QR code, in cells of a grid, for a telephone's camera.
 *
 * A code is a square of modules, light or dark. It is drawn with the four light modules around it
 * that scanners ask for, in STYLE_SCAN, which is dark on light whatever the theme. A row of cells
 * holds two rows of modules as half blocks; in ASCII a module is two cells of a row of its own.
 *
 * Only qr.c knows libqrencode.
 *
 * Life: qr_init() .. qr_finish().
 */
#ifndef CLIENT_TUI_WIDGETS_QR_H
#define CLIENT_TUI_WIDGETS_QR_H

#include <stdbool.h>

#include "client/tui/widgets/grid.h"
#include "proto/base/err.h"

struct qr {
	int side;   /* modules of a side, without the light ones around */
	char *dark; /* side rows of side modules, 1 if dark; owned */
};

/*
 * Encode the text, in the smallest square that holds it, with as many bytes for correction as leave
 * it that small.
 *
 * ERR_TOO_LARGE  no code holds so much; *out is zeroed. Any text of LINK_OF_PAGE_BYTES_MAX fits.
 */
NODISCARD enum err qr_init(struct qr *out, const char *text);
void qr_finish(struct qr *q);

/* Whether the module is dark; those outside of the code are light. */
bool qr_is_dark(const struct qr *q, int column, int row);

/* The cells that it takes, with the light modules around it. */
int qr_width(const struct qr *q, bool ascii);
int qr_height(const struct qr *q, bool ascii);

/* Draw it with its upper left corner in that cell. */
void qr_draw(const struct qr *q, struct grid *g, int x, int y, bool ascii);

#endif
