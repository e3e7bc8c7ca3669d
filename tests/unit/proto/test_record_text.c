/*
 * test_record_text.c - fields that people write: clean when a server has read them, or refused.
 */
#include <string.h>

#include "proto/records/record.h"
#include "tests/support/test.h"

#define RECORD_page(F)                         \
	F(TEXT, name, 8, FIELD_OPT, 1, 16, "") \
	F(TEXT, link, 0, FIELD_NIL, 0, 16, "") \
	F(TEXT, notes, 0, FIELD_NIL | FIELD_LINES, 0, 16, "")
RECORD_DECLARE(page)
RECORD_DEFINE(page)

static struct arena arena;

static enum err read_page(const struct page *in, enum record_mode mode, struct page *out,
			  struct fault *f)
{
	struct buf bytes;
	buf_init(&bytes, 4096);
	record_write(&record_page, in, &bytes);
	enum err e = record_from_bytes(&record_page, buf_slice(&bytes), mode, &arena, out, f);
	buf_finish(&bytes);
	return e;
}

TEST(test_a_line_comes_out_clean)
{
	static const char *const rows[][2] = {
		{"ada", "ada"},
		{"  ada   b ", "ada b"},
		{"e\xcc\x81t\xc3\xa9", "\xc3\xa9t\xc3\xa9"}, /* NFC */
		{"12345678", "12345678"},
		{"      12345678      ", "12345678"}, /* longer than the row before it is clean */
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct page in = {.name = slice_str(rows[i][0]), .with_name = true}, out, again;
		struct fault f = {0};
		assert_int_equal(read_page(&in, RECORD_STRICT, &out, &f), OK);
		assert_true(slice_eq(out.name, slice_str(rows[i][1])));
		assert_int_equal(read_page(&out, RECORD_STRICT, &again, &f), OK);
		assert_true(slice_eq(again.name, out.name));
	}
}

TEST(test_what_cannot_be_shown_or_is_too_much_is_refused)
{
	static const char *const rows[][2] = {
		{"", "must not be blank"},
		{" \xc2\xa0 ", "must not be blank"},
		{"123456789", "is wider than 8 columns"},
		{"\xe8\xa8\x88\xe8\xa8\x88\xe8\xa8\x88\xe8\xa8\x88\xe8\xa8\x88",
		 "is wider than 8 columns"},
		{"12345678901234567", "is longer than 16 bytes"},
		{"\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9",
		 "is longer than 16 bytes"},
		{"a\x1b[31m", "has a character that may not be shown (U+001B)"},
		{"a\nb", "has a character that may not be shown (U+000A)"},
		{"\xff", "must be valid UTF-8"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct page in = {.name = slice_str(rows[i][0]), .with_name = true}, out;
		struct fault f = {0};
		assert_int_equal(read_page(&in, RECORD_STRICT, &out, &f), ERR_INVALID);
		assert_int_equal(f.code, FAULT_VALIDATION_ERROR);
		assert_string_equal(f.field, "name");
		assert_string_equal(f.message, rows[i][1]);
	}
}

TEST(test_lines_keep_their_blanks)
{
	struct page in = {.notes = SLICE(" a  b \r\n\n\tc\n"), .with_notes = true}, out;
	struct fault f = {0};
	assert_int_equal(read_page(&in, RECORD_STRICT, &out, &f), OK);
	assert_true(slice_eq(out.notes, SLICE(" a  b \n\n\tc")));
	assert_int_equal(read_page(&in, RECORD_LENIENT, &out, &f), OK);
	assert_true(slice_eq(out.notes, SLICE(" a  b \n\n\tc\n")));
	in.notes = SLICE(" \n\t\r\n\xe3\x80\x80");
	assert_int_equal(read_page(&in, RECORD_STRICT, &out, &f), OK);
	assert_true(out.notes.data != NULL && out.notes.len == 0);
	in.notes = SLICE("a\n\xe2\x80\xae");
	assert_int_equal(read_page(&in, RECORD_STRICT, &out, &f), ERR_INVALID);
	assert_string_equal(f.message, "has a character that may not be shown (U+202E)");
	in.notes = SLICE("123456789\n123456\n");
	assert_int_equal(read_page(&in, RECORD_STRICT, &out, &f), ERR_INVALID);
	assert_string_equal(f.message, "is longer than 16 bytes");
}

TEST(test_nothing_and_nil_differ)
{
	struct page in = {.link = SLICE("  "), .with_link = true, .with_notes = true}, out;
	struct fault f = {0};
	assert_int_equal(read_page(&in, RECORD_STRICT, &out, &f), OK);
	assert_true(out.with_link && out.link.data != NULL && out.link.len == 0);
	assert_true(out.with_notes && out.notes.data == NULL);
	assert_false(out.with_name);
}

TEST(test_what_a_server_sent_is_softened)
{
	struct page in = {.name = SLICE("a\x1b[31m"), .with_name = true}, out;
	struct fault f = {0};
	assert_int_equal(read_page(&in, RECORD_LENIENT, &out, &f), OK);
	assert_true(slice_eq(out.name, SLICE("a\xef\xbf\xbd[31m")));
}

TEST(test_what_a_server_sent_is_cut_to_its_row)
{
	static const char *const rows[][3] = {
		/* of up to 8 cells, of up to 16 bytes */
		{"12345678", "12345678", "12345678"},
		{"123456789", "12345678", "123456789"},
		{"1234567 9", "1234567", "1234567 9"},
		{"12345678901234567", "12345678", "1234567890123456"},
		{"123456789012345 7", "12345678", "123456789012345"},
		{" 12345678901234567", "12345678", "1234567890123456"},
		{"\xe8\xa8\x88\xe8\xa8\x88\xe8\xa8\x88\xe8\xa8\x88\xe8\xa8\x88",
		 "\xe8\xa8\x88\xe8\xa8\x88\xe8\xa8\x88\xe8\xa8\x88",
		 "\xe8\xa8\x88\xe8\xa8\x88\xe8\xa8\x88\xe8\xa8\x88\xe8\xa8\x88"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct slice text = slice_str(rows[i][0]);
		struct page in = {.name = text, .with_name = true, .link = text, .with_link = true};
		struct page out;
		struct fault f = {0};
		assert_int_equal(read_page(&in, RECORD_LENIENT, &out, &f), OK);
		assert_true(slice_eq(out.name, slice_str(rows[i][1])));
		assert_true(slice_eq(out.link, slice_str(rows[i][2])));
	}
}

static int forget(void **state)
{
	(void)state;
	arena_finish(&arena);
	return 0;
}

int main(void)
{
	return test_run(NULL, forget);
}
