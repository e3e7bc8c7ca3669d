/*
 * test_qr.c - what is drawn of a QR code is, module for module, what libqrencode made.
 */
#include <stdlib.h>
#include <string.h>

#include <qrencode.h>

#include "client/tui/widgets/qr.h"
#include "proto/link.h"
#include "tests/support/test.h"

enum { QUIET = 4 };

/* Light modules around a drawn code, and what is dark in it. */
struct drawing {
	struct grid g;
	bool ascii;
	int side; /* with the light modules around */
};

static void draw(struct drawing *d, const struct qr *q, bool ascii)
{
	*d = (struct drawing){.ascii = ascii, .side = q->side + 2 * QUIET};
	grid_resize(&d->g, qr_width(q, ascii), qr_height(q, ascii));
	qr_draw(q, &d->g, 0, 0, ascii);
}

static bool cell_is(const struct drawing *d, int x, int y, const char *sign)
{
	const struct cell *c = &d->g.cells[y * d->g.width + x];
	assert_int_equal(c->style, STYLE_SCAN);
	return c->len == strlen(sign) && memcmp(c->text, sign, c->len) == 0;
}

/* As a camera sees it: what a cell's sign covers with ink is dark. */
static bool is_dark(const struct drawing *d, int column, int row)
{
	if (d->ascii) {
		bool left = cell_is(d, 2 * column, row, "#");
		assert_int_equal(left, cell_is(d, 2 * column + 1, row, "#"));
		assert_true(left || cell_is(d, 2 * column, row, " "));
		return left;
	}
	bool both = cell_is(d, column, row / 2, "█");
	bool upper = cell_is(d, column, row / 2, "▀");
	bool lower = cell_is(d, column, row / 2, "▄");
	assert_true(both || upper || lower || cell_is(d, column, row / 2, " "));
	return both || (row % 2 == 0 ? upper : lower);
}

static bool is_as_made(const struct drawing *d, const QRcode *code)
{
	for (int row = 0; row < code->width; row++) {
		for (int column = 0; column < code->width; column++) {
			bool dark = (code->data[row * code->width + column] & 1) != 0;
			if (dark != is_dark(d, column + QUIET, row + QUIET)) {
				return false;
			}
		}
	}
	return true;
}

static void assert_light_around(const struct drawing *d)
{
	for (int at = 0; at < d->side; at++) {
		for (int edge = 0; edge < QUIET; edge++) {
			assert_false(is_dark(d, at, edge));
			assert_false(is_dark(d, at, d->side - 1 - edge));
			assert_false(is_dark(d, edge, at));
			assert_false(is_dark(d, d->side - 1 - edge, at));
		}
	}
}

/* The smallest square, and of the levels whose code is no larger that with the most correction. */
static void assert_drawn(const char *text, bool ascii)
{
	struct qr q;
	struct drawing d;
	assert_int_equal(qr_init(&q, text), OK);
	draw(&d, &q, ascii);
	QRcode *least = QRcode_encodeString(text, 0, QR_ECLEVEL_L, QR_MODE_8, 1);
	assert_non_null(least);
	assert_int_equal(q.side, least->width);
	bool is_found = false;
	for (int level = QR_ECLEVEL_H; level >= QR_ECLEVEL_L && !is_found; level--) {
		QRcode *code = QRcode_encodeString(text, 0, (QRecLevel)level, QR_MODE_8, 1);
		if (code != NULL && code->width == q.side) {
			assert_true(is_as_made(&d, code));
			is_found = true;
		}
		QRcode_free(code);
	}
	assert_true(is_found);
	assert_light_around(&d);
	QRcode_free(least);
	grid_finish(&d.g);
	qr_finish(&q);
}

TEST(test_the_drawing_has_the_modules_of_the_code)
{
	static const char *const texts[] = {
		"https://poker.example/#K7QX3M",
		"http://192.168.178.123:2938/#K7QX3MHQ2MB4XNAW",
		"https://[2001:db8:1234:5678:9abc:def0:1234:5678]:29380/#q_K7QX3M7HQ2",
		"x",
	};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		assert_drawn(texts[i], false);
		assert_drawn(texts[i], true);
	}
}

TEST(test_the_longest_link_has_a_code_and_longer_texts_may_have_none)
{
	struct qr q;
	char link[LINK_OF_PAGE_BYTES_MAX + 1];
	memset(link, 'a', LINK_OF_PAGE_BYTES_MAX);
	link[LINK_OF_PAGE_BYTES_MAX] = '\0';
	assert_drawn(link, false);
	char *text = malloc(4001);
	assert_non_null(text);
	memset(text, 'a', 4000);
	text[4000] = '\0';
	assert_int_equal(qr_init(&q, text), ERR_TOO_LARGE);
	assert_null(q.dark);
	qr_finish(&q);
	free(text);
}

TEST(test_outside_of_the_code_all_is_light)
{
	struct qr q;
	assert_int_equal(qr_init(&q, "https://poker.example/#K7QX3M"), OK);
	assert_true(qr_is_dark(&q, 0, 0)); /* the corner of a mark */
	assert_false(qr_is_dark(&q, -1, 0));
	assert_false(qr_is_dark(&q, 0, -1));
	assert_false(qr_is_dark(&q, q.side, 0));
	assert_false(qr_is_dark(&q, 0, q.side));
	qr_finish(&q);
}

TEST(test_a_grid_that_is_too_small_has_a_part_of_it)
{
	struct qr q;
	struct grid g = {0};
	assert_int_equal(qr_init(&q, "https://poker.example/#K7QX3M"), OK);
	grid_resize(&g, 10, 3);
	qr_draw(&q, &g, 5, 1, false);
	qr_draw(&q, &g, -20, -9, true);
	grid_finish(&g);
	qr_finish(&q);
}
