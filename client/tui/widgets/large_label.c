/*
 * large_label.c - signs of five rows of dots. A dot is twice as many cells wide as it is high,
 * as cells are narrow.
 */
#include "client/tui/widgets/large_label.h"

#include <string.h>

#include "proto/text/text.h"

enum { LARGE_SCALE_MAX = 4 };

struct large_sign {
	const char *text;
	const char *rows[LARGE_LABEL_ROWS];
};

/* clang-format off */
static const struct large_sign large_signs[] = {
	{"0", {"###", "# #", "# #", "# #", "###"}},
	{"1", {" # ", "## ", " # ", " # ", "###"}},
	{"2", {"###", "  #", "###", "#  ", "###"}},
	{"3", {"###", "  #", "###", "  #", "###"}},
	{"4", {"# #", "# #", "###", "  #", "  #"}},
	{"5", {"###", "#  ", "###", "  #", "###"}},
	{"6", {"###", "#  ", "###", "# #", "###"}},
	{"7", {"###", "  #", "  #", "  #", "  #"}},
	{"8", {"###", "# #", "###", "# #", "###"}},
	{"9", {"###", "# #", "###", "  #", "###"}},
	{".", {" ", " ", " ", " ", "#"}},
	{"-", {"   ", "   ", "###", "   ", "   "}},
	{"/", {"  #", "  #", " # ", "#  ", "#  "}},
	{"?", {"###", "  #", " ##", "   ", " # "}},
	{"L", {"#  ", "#  ", "#  ", "#  ", "###"}},
	{"M", {"#   #", "## ##", "# # #", "#   #", "#   #"}},
	{"S", {"###", "#  ", "###", "  #", "###"}},
	{"X", {"# #", "# #", " # ", "# #", "# #"}},
	{"∞", {"       ", " ## ## ", "#  #  #", " ## ## ", "       "}},
};
/* clang-format on */

static const struct large_sign *large_sign_of(struct slice grapheme)
{
	for (size_t i = 0; i < sizeof(large_signs) / sizeof(large_signs[0]); i++) {
		if (slice_eq(slice_str(large_signs[i].text), grapheme)) {
			return &large_signs[i];
		}
	}
	return NULL;
}

/* How many dots wide it is, with one between two signs; 0: it has no large signs. */
static int large_dots(const char *label)
{
	struct slice all = slice_str(label);
	size_t at = 0;
	size_t cells = 0;
	int dots = 0;
	while (at < all.len) {
		const struct large_sign *sign = large_sign_of(text_next(all, &at, 0, &cells));
		if (sign == NULL) {
			return 0;
		}
		dots += (dots > 0 ? 1 : 0) + (int)strlen(sign->rows[0]);
	}
	return dots;
}

static void large_draw_sign(struct grid *g, int x, int y, int scale, enum style style,
			    const struct large_sign *sign, const char *ink)
{
	for (int row = 0; row < LARGE_LABEL_ROWS; row++) {
		for (int dot = 0; sign->rows[row][dot] != '\0'; dot++) {
			if (sign->rows[row][dot] == '#') {
				grid_fill(g, x + dot * 2 * scale, y + row * scale, 2 * scale, scale,
					  style, ink);
			}
		}
	}
}

bool large_label_draw(struct grid *g, int x, int y, int width, int height, enum style style,
		      const char *label, const char *ink)
{
	struct slice all = slice_str(label);
	int dots = large_dots(label);
	int scale = LARGE_SCALE_MAX;
	while (scale > 0 && (dots * 2 * scale > width || LARGE_LABEL_ROWS * scale > height)) {
		scale--;
	}
	if (dots == 0 || scale == 0) {
		return false;
	}
	x += (width - dots * 2 * scale) / 2;
	y += (height - LARGE_LABEL_ROWS * scale) / 2;
	for (size_t at = 0, cells = 0; at < all.len;) {
		const struct large_sign *sign = large_sign_of(text_next(all, &at, 0, &cells));
		large_draw_sign(g, x, y, scale, style, sign, ink);
		x += ((int)strlen(sign->rows[0]) + 1) * 2 * scale;
	}
	return true;
}
