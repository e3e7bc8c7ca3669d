/*
 * test_text_merge.c - what two people made of one text, brought together.
 */
#include <stdlib.h>
#include <string.h>

#include "client/model/text_merge.h"
#include "tests/support/test.h"

static const struct {
	const char *base, *mine, *theirs, *both;
	bool is_same_place;
} rows[] = {
	{"", "", "", "", false},
	{"a\nb\nc", "a\nb\nc", "a\nB\nc", "a\nB\nc", false},
	{"a\nb\nc", "a\nb\nC", "a\nb\nc", "a\nb\nC", false},
	{"a\nb\nc", "A\nb\nc", "a\nb\nC", "A\nb\nC", false},
	{"a\nb\nc", "a\nb\nC", "A\nb\nc", "A\nb\nC", false},
	{"a\nb\nc", "a\nb\nc\nmine", "theirs\na\nb\nc", "theirs\na\nb\nc\nmine", false},
	{"a\nb\nc", "a\nc", "a\nb\nc\nd", "a\nc\nd", false},
	{"a\nb\nc", "a\nx\nc", "a\nx\nc", "a\nx\nc", false},
	/* the same place: theirs first, nothing is lost */
	{"a\nb\nc", "a\nmine\nc", "a\ntheirs\nc", "a\ntheirs\nmine\nc", true},
	{"a", "a\nmine", "a\ntheirs", "a\ntheirs\nmine", true},
	{"", "mine", "theirs", "theirs\nmine", true},
	{"a\nb\nc\nd", "a\nX\nY\nd", "a\nb\nZ\nd", "a\nb\nZ\nX\nY\nd", true},
	{"a\nb", "", "a\nB", "a\nB\n", true},
};

TEST(test_nothing_that_was_written_is_lost)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct buf out;
		buf_init(&out, 1000);
		bool is_same_place =
			text_merge_lines(rows[i].base, rows[i].mine, rows[i].theirs, &out);
		assert_int_equal(out.error, OK);
		assert_string_equal(out.data, rows[i].both);
		assert_int_equal(is_same_place, rows[i].is_same_place);
		buf_finish(&out);
	}
}

/* Each side changes each pair of lines: the lines that it wrote stand in what comes out, in order. */
TEST(test_every_line_of_either_side_is_there)
{
	enum { LINES = 4 };
	for (unsigned changed = 0; changed < 1u << (2 * LINES); changed++) {
		char text[3][64] = {"", "", ""};
		struct buf out;
		for (unsigned i = 0; i < LINES; i++) {
			char line[3][3] = {{(char)('a' + i)}, {(char)('a' + i)}, {(char)('a' + i)}};
			if ((changed >> i & 1) != 0) {
				line[1][0] = (char)('A' + i);
			}
			if ((changed >> (LINES + i) & 1) != 0) {
				line[2][0] = (char)('0' + i);
			}
			for (size_t k = 0; k < 3; k++) {
				strcat(text[k], i > 0 ? "\n" : "");
				strcat(text[k], line[k]);
			}
		}
		buf_init(&out, 1000);
		(void)text_merge_lines(text[0], text[1], text[2], &out);
		for (unsigned i = 0; i < LINES; i++) {
			if ((changed >> i & 1) != 0) {
				assert_non_null(strchr(out.data, (char)('A' + i)));
			}
			if ((changed >> (LINES + i) & 1) != 0) {
				assert_non_null(strchr(out.data, (char)('0' + i)));
			}
		}
		buf_finish(&out);
	}
}

TEST(test_a_lack_of_room_is_told)
{
	struct buf out;
	buf_init(&out, 5);
	(void)text_merge_lines("a", "a\nmine", "a\ntheirs", &out);
	assert_int_equal(out.error, ERR_TOO_LARGE);
	buf_finish(&out);
}
