/*
 * qr_view.c - the link that opens the room in a browser, as a QR code for a telephone's camera.
 *
 * The code is as large as it is: where the window has no room for it, the view says how much it
 * needs. The link stands beside it, or below it where the window is narrow.
 */
#include "client/tui/tui_state.h"

#include "client/tui/widgets/qr.h"
#include "proto/base/format.h"

enum { QR_TEXT_LEAST = 24, QR_GAP = 2 };

/* In rows of eight pairs: that many fit, and can be compared without losing the place. */
enum { QR_HEX_ROW = 8 * 3, QR_HEX_ROWS = (FINGERPRINT_HEX_CHARS + 1) / QR_HEX_ROW };

/* Whole or not at all: one that is compared in part proves nothing. */
static void qr_view_draw_fingerprint(struct grid *g, int x, int y, const char *hex, int cells)
{
	int rows = draw_wrapped(NULL, 0, 0, STYLE_TEXT, INVITE_WEB_WARNS, cells);
	if (y + rows + QR_HEX_ROWS > g->height) {
		return;
	}
	y += draw_wrapped(g, x, y, STYLE_TEXT, INVITE_WEB_WARNS, cells);
	for (size_t at = 0; at < FINGERPRINT_HEX_CHARS; at += QR_HEX_ROW) {
		(void)grid_text(g, x, y++, STYLE_STRONG, hex + at, QR_HEX_ROW - 1);
	}
}

/*
 * The link, in as many rows as it takes; a click opens it where the terminal has links. Then what a
 * browser warns of.
 */
static void qr_view_draw_link(const struct tui *t, struct grid *g, int x, int y, const char *link,
			      int cells)
{
	char hex[FINGERPRINT_HEX_CHARS + 1];
	int rows = draw_wrapped(g, x, y, STYLE_STRONG, link, cells);
	for (int i = 0; i < rows; i++) {
		grid_mark_link(g, x, y + i, cells);
	}
	if (invite_web_warns(&t->share.place, hex)) {
		qr_view_draw_fingerprint(g, x, y + rows + 1, hex, cells);
	}
}

static void qr_view_draw_beside(const struct tui *t, struct grid *g, int x, const char *link)
{
	int cells = g->width - x - 1;
	int y = draw_wrapped(g, x, 1, STYLE_TITLE, "Join on a phone", cells) + 2;
	y += draw_wrapped(g, x, y, STYLE_TEXT, "Scan the code, or open", cells);
	qr_view_draw_link(t, g, x, y, link, cells);
}

/* @columns, @rows  the least of a window that has room for it */
static void qr_view_draw_small(const struct tui *t, struct grid *g, int columns, int rows,
			       const char *link)
{
	char text[160];
	int y = draw_title(g, "Join on a phone");
	(void)format_to(text, sizeof(text),
			"The QR code needs a window of %d columns and %d rows. Enlarge it, use a "
			"smaller font, or open",
			columns, rows);
	y += draw_wrapped(g, 3, y, STYLE_TEXT, text, g->width - 4);
	qr_view_draw_link(t, g, 3, y, link, g->width - 4);
}

static void qr_view_draw(const struct tui *t, const struct replica *room, struct grid *g,
			 int height)
{
	char link[INVITE_LINK_BYTES_MAX + 1];
	struct qr code;
	bool ascii = t->signs == signs_of(true);
	invite_link(&t->share.place, room->room_id, link);
	grid_set_link(g, link);
	struct grid view = grid_rows(g, 0, height);
	if (link[0] == '\0' ||
	    qr_init(&code, link) != OK) { /* the page is gone since it was opened */
		(void)draw_title(&view, "This server has no page for browsers");
		return;
	}
	int width = qr_width(&code, ascii);
	int rows = qr_height(&code, ascii);
	int below = draw_wrapped(NULL, 0, 0, STYLE_STRONG, link, width);
	if (rows <= height && g->width >= width + QR_GAP + QR_TEXT_LEAST) {
		qr_draw(&code, &view, 0, 0, ascii);
		qr_view_draw_beside(t, &view, width + QR_GAP, link);
	} else if (rows + below <= height && g->width >= width) {
		qr_draw(&code, &view, 0, 0, ascii);
		qr_view_draw_link(t, &view, 0, rows, link, width);
	} else {
		qr_view_draw_small(t, &view, width, rows + below + g->height - height, link);
	}
	qr_finish(&code);
}

const struct view qr_view = {
	.draw = qr_view_draw,
	.is_page = true,
	.is_over = true,
};
