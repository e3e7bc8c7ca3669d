/*
 * qr.c - see qr.h.
 */
#include "client/tui/widgets/qr.h"

#include <errno.h>
#include <stdlib.h>

#include <qrencode.h>

#include "client/model/memory.h"

/* Light modules on each side, by ISO/IEC 18004. */
enum { QR_QUIET = 4 };

static QRcode *qr_encode(const char *text, QRecLevel level)
{
	QRcode *code = QRcode_encodeString(text, 0, level, QR_MODE_8, 1);
	if (code == NULL && errno == ENOMEM) {
		memory_is_out();
	}
	return code;
}

/* The level with the most correction whose code is no larger than that with the least. */
static QRcode *qr_encode_small(const char *text)
{
	static const QRecLevel levels[] = {QR_ECLEVEL_M, QR_ECLEVEL_Q, QR_ECLEVEL_H};
	QRcode *best = qr_encode(text, QR_ECLEVEL_L);
	for (size_t i = 0; best != NULL && i < sizeof(levels) / sizeof(levels[0]); i++) {
		QRcode *next = qr_encode(text, levels[i]);
		if (next == NULL || next->width > best->width) {
			QRcode_free(next);
			break;
		}
		QRcode_free(best);
		best = next;
	}
	return best;
}

enum err qr_init(struct qr *out, const char *text)
{
	*out = (struct qr){0};
	QRcode *code = qr_encode_small(text);
	if (code == NULL) {
		return ERR_TOO_LARGE;
	}
	size_t n = (size_t)code->width * (size_t)code->width;
	out->side = code->width;
	out->dark = memory_new(n, 1);
	for (size_t i = 0; i < n; i++) {
		out->dark[i] = (char)(code->data[i] & 1); /* the other bits say what it is for */
	}
	QRcode_free(code);
	return OK;
}

void qr_finish(struct qr *q)
{
	free(q->dark);
	*q = (struct qr){0};
}

bool qr_is_dark(const struct qr *q, int column, int row)
{
	return column >= 0 && column < q->side && row >= 0 && row < q->side &&
	       q->dark[row * q->side + column] != 0;
}

int qr_width(const struct qr *q, bool ascii)
{
	return (q->side + 2 * QR_QUIET) * (ascii ? 2 : 1);
}

int qr_height(const struct qr *q, bool ascii)
{
	int rows = q->side + 2 * QR_QUIET;
	return ascii ? rows : (rows + 1) / 2;
}

void qr_draw(const struct qr *q, struct grid *g, int x, int y, bool ascii)
{
	static const char *const halves[2][2] = {{" ", "▄"}, {"▀", "█"}}; /* upper, lower */
	int width = qr_width(q, ascii);
	int height = qr_height(q, ascii);
	for (int row = 0; row < height; row++) {
		for (int column = 0; column < width; column++) {
			int top = ascii ? row : 2 * row;
			int left = ascii ? column / 2 : column;
			bool upper = qr_is_dark(q, left - QR_QUIET, top - QR_QUIET);
			bool lower = qr_is_dark(q, left - QR_QUIET, top + 1 - QR_QUIET);
			const char *sign = !ascii ? halves[upper][lower] : upper ? "#" : " ";
			grid_fill(g, x + column, y + row, 1, 1, STYLE_SCAN, sign);
		}
	}
}
