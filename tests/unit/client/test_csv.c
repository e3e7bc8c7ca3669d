/*
 * test_csv.c - records out of text, cells into text, and formulas that stay text.
 */
#include <stdlib.h>
#include <string.h>

#include "client/formats/csv.h"
#include "tests/support/test.h"

/* Records as "[a][b]" each on its own, with the line before: "1[a][b]2[c]". */
static void read_all(struct slice text, struct buf *out)
{
	struct arena arena = {0};
	struct csv_record *r = calloc(1, sizeof(*r));
	struct csv c;
	assert_non_null(r);
	csv_begin(&c, text);
	while (csv_next(&c, &arena, r)) {
		(void)buf_printf(out, "%zu", r->line);
		if (r->bad != NULL) {
			(void)buf_printf(out, "!");
			continue;
		}
		for (size_t i = 0; i < r->n; i++) {
			(void)buf_printf(out, "[%.*s]", (int)r->cells[i].len,
					 r->cells[i].len == 0 ? "" : r->cells[i].data);
		}
	}
	(void)buf_append(out, "", 1);
	free(r);
	arena_finish(&arena);
}

static const struct {
	const char *text;
	const char *records;
} vectors[] = {
	{"", ""},
	{"\n\r\n\n", ""},
	{"a", "1[a]"},
	{"a,b\n", "1[a][b]"},
	{"a,b\r\nc,d\r\n", "1[a][b]2[c][d]"},
	{"a\rb", "1[a]2[b]"},
	{",", "1[][]"},
	{"a,,b,", "1[a][][b][]"},
	{"\"a,b\",c", "1[a,b][c]"},
	{"\"a\"\"b\"", "1[a\"b]"},
	{"\"\"", "1[]"},
	{"\"\"\"\"", "1[\"]"},
	{"\"\"\"a\"\"\"", "1[\"a\"]"},
	{"\"a\nb\",c\nd", "1[a\nb][c]3[d]"},
	{"\"a\r\nb\"\r\nd", "1[a\r\nb]3[d]"},
	{"\xef\xbb\xbf\"a\",b", "1[a][b]"},
	{"a b , c", "1[a b ][ c]"},
	{"a\"b,c", "1[a\"b][c]"},
	{"\"a\"b,c\nd", "1!2[d]"},
	{"x\n\"never closed, a\ny,z\n", "1[x]2!3[y][z]"},
	{"\"", "1!"},
	{"a;b\nc;d,e", "1[a][b]2[c][d,e]"},
	{"a\tb", "1[a][b]"},
	{"a,b;c", "1[a][b;c]"},
	{"\"a,b\";c", "1[a,b][c]"},
	{"\"a;b\"\tc", "1[a;b][c]"},
	{"\n\na\n\nb", "3[a]5[b]"},
};

TEST(test_records_come_with_the_line_they_began_on)
{
	for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++) {
		struct buf out;
		buf_init(&out, 4096);
		read_all(slice_str(vectors[i].text), &out);
		assert_string_equal(out.data, vectors[i].records);
		buf_finish(&out);
	}
}

TEST(test_too_many_cells_are_a_bad_record_and_no_more)
{
	char text[CSV_CELLS_MAX * 2 + 8];
	struct buf out;
	memset(text, ',', sizeof(text));
	text[sizeof(text) - 3] = '\n';
	text[sizeof(text) - 2] = 'x';
	text[sizeof(text) - 1] = '\n';
	buf_init(&out, 4096);
	read_all(slice_of(text, sizeof(text)), &out);
	assert_string_equal(out.data, "1!2[x]");
	out.len = 0;
	read_all(slice_of(text, CSV_CELLS_MAX), &out); /* a separator more than there may be */
	assert_string_equal(out.data, "1!");
	out.len = 0;
	read_all(slice_of(text, CSV_CELLS_MAX - 1), &out);
	assert_int_equal(out.len, 1 + 2 * CSV_CELLS_MAX + 1); /* "1[][]...", ended */
	buf_finish(&out);
}

static const char *const cells[] = {
	"",	 "a",	      "a,b",	 "a;b",	    "a\tb",    "\"",	   "a\"b\"", "line\nline",
	"\r\n",	 " a ",	      "=1+1",	 "+1",	    "-1",      "@x",	   "\tx",    "\rx",
	"\nx",	 "'",	      "'=1",	 "''=1",    "'a",      "'-",	   "=\"a\"", "=1,2",
	"é",	 "-",	      "'\t",	 "\"=1\"",  "= 1\n",   "'''+x",	   "a=1",    "1-2",
	"\x01x", "\uff1d1+1", "\uff0b1", "\uff0d1", "\uff20x", "'\uff1d1", "\uff11",
};

/* Some that read it take blanks at the ends off. */
TEST(test_blanks_at_the_ends_of_a_cell_are_quoted)
{
	struct buf out;
	buf_init(&out, 256);
	csv_put(&out, SLICE(" a"), true);
	csv_put(&out, SLICE("b "), false);
	csv_put(&out, SLICE("c d"), false);
	assert_true(slice_eq(buf_slice(&out), SLICE("\" a\",\"b \",c d")));
	buf_finish(&out);
}

TEST(test_what_is_written_is_what_is_read)
{
	struct arena arena = {0};
	struct csv_record *r = calloc(1, sizeof(*r));
	struct buf out;
	struct csv c;
	size_t n = sizeof(cells) / sizeof(cells[0]);
	assert_non_null(r);
	buf_init(&out, 65536);
	for (size_t i = 0; i < n; i++) {
		csv_put(&out, slice_str(cells[i]), i == 0);
	}
	csv_end_record(&out);
	for (size_t i = 0; i < n; i++) {
		csv_put_guarded(&out, slice_str(cells[i]), i == 0);
	}
	csv_end_record(&out);
	csv_begin(&c, buf_slice(&out));
	assert_true(csv_next(&c, &arena, r));
	assert_int_equal(r->n, n);
	for (size_t i = 0; i < n; i++) {
		assert_true(slice_eq(r->cells[i], slice_str(cells[i])));
	}
	assert_true(csv_next(&c, &arena, r));
	for (size_t i = 0; i < n; i++) {
		assert_true(slice_eq(csv_unguard(r->cells[i]), slice_str(cells[i])));
		assert_true(r->cells[i].len == 0 ||
			    strchr("=+-@\t\r\n\x01", r->cells[i].data[0]) == NULL);
		assert_true(!slice_starts(r->cells[i], SLICE("\uff1d")) &&
			    !slice_starts(r->cells[i], SLICE("\uff0b")) &&
			    !slice_starts(r->cells[i], SLICE("\uff0d")) &&
			    !slice_starts(r->cells[i], SLICE("\uff20")));
	}
	assert_false(csv_next(&c, &arena, r));
	free(r);
	buf_finish(&out);
	arena_finish(&arena);
}
