/*
 * test_forms.c - what strings look like when they have been read from a server.
 */
#include <string.h>

#include "proto/methods.h"
#include "proto/text/text.h"
#include "tests/support/test.h"

#define FORM_ROWS(F)                                        \
	F(STR, code, _, FIELD_OPT | FIELD_CODE, 6, 16, "")  \
	F(STRS, codes, _, FIELD_OPT | FIELD_CODE, 0, 8, "") \
	F(STR, id, _, FIELD_NIL | FIELD_ID, 1, 64, "")      \
	F(STR, line, _, FIELD_OPT | FIELD_LINE, 1, 16, "")  \
	F(STRS, lines, _, FIELD_OPT | FIELD_LINE, 0, 8, "")
#define RECORD_form(F) FORM_ROWS(F)
RECORD_DECLARE(form)
RECORD_DEFINE(form)

static struct arena arena;

static enum err read_form(enum record_mode mode, struct form *in, struct form *out)
{
	struct buf bytes;
	struct fault f = {0};
	buf_init(&bytes, 4096);
	record_write(&record_form, in, &bytes);
	enum err e = record_from_bytes(&record_form, buf_slice(&bytes), mode, &arena, out, &f);
	buf_finish(&bytes);
	if (e != OK) {
		assert_int_equal(e, ERR_INVALID);
		assert_true(f.field[0] != '\0');
	}
	return e;
}

static void expect_codes(struct slice text, enum err expected)
{
	struct form out;
	struct slice items[] = {SLICE("K7QX3M"), text};
	struct form one = {.code = text, .with_code = true};
	struct form all = {.codes = {items, 2}, .with_codes = true};
	assert_int_equal(read_form(RECORD_LENIENT, &one, &out), expected);
	assert_int_equal(read_form(RECORD_LENIENT, &all, &out), expected);
	/* A server explains in its own words what is wrong with a code, and takes lower case. */
	assert_int_equal(read_form(RECORD_STRICT, &one, &out), OK);
	assert_true(slice_eq(out.code, text));
}

TEST(test_a_code_is_one_in_upper_case)
{
	expect_codes(SLICE("K7QX3M"), OK);
	expect_codes(SLICE("23456789ABCDEFGH"), OK);
	expect_codes(SLICE("k7qx3m"), ERR_INVALID);
	expect_codes(SLICE("K7QX30"), ERR_INVALID);
	expect_codes(SLICE("K7QX3M\n"), ERR_INVALID);
	expect_codes(SLICE("$(id>F)"), ERR_INVALID);
	expect_codes(slice_of("K7QX\0M", 6), ERR_INVALID);
}

TEST(test_an_id_is_a_word_for_any_shell)
{
	static const char *const bad[] = {"a b", "a;b",	  "$x",	      "a/b",
					  "..",	 "a\x7f", "\xc3\xa9", "a\n"};
	struct form out;
	struct form good = {.id = SLICE("Az0-9_"), .with_id = true};
	assert_int_equal(read_form(RECORD_LENIENT, &good, &out), OK);
	struct form nil = {.with_id = true};
	assert_int_equal(read_form(RECORD_LENIENT, &nil, &out), OK);
	assert_null(out.id.data);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct form one = {.id = slice_str(bad[i]), .with_id = true};
		assert_int_equal(read_form(RECORD_LENIENT, &one, &out), ERR_INVALID);
		assert_int_equal(read_form(RECORD_STRICT, &one, &out), OK);
	}
}

TEST(test_a_line_comes_out_soft_and_within_its_row)
{
	static const char *const lines[] = {
		"plain",
		"two words",
		" a",
		"a ",
		"a  b",
		"a\nb",
		"\x1b[2J",
		"\xe2\x80\xae",
		"\x7f",
		"\xc2\x9b[2J",
		"e\xcc\x81",
		"\xe2\x80\x8b",
		"\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01",
	};
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		char soft[64];
		struct form out;
		struct slice items[] = {slice_str(lines[i])};
		struct form in = {.line = slice_str(lines[i]),
				  .with_line = true,
				  .lines = {items, 1},
				  .with_lines = true};
		size_t len = text_soften(in.line, soft, 16);
		assert_int_equal(read_form(RECORD_LENIENT, &in, &out), OK);
		struct slice expected = len == 0 ? SLICE("\xef\xbf\xbd") : slice_of(soft, len);
		assert_true(slice_eq(out.line, expected));
		len = text_soften(in.line, soft, sizeof(soft));
		assert_true(slice_eq(out.lines.items[0], slice_of(soft, len)));
		assert_int_equal(read_form(RECORD_STRICT, &in, &out), OK);
		assert_true(slice_eq(out.line, in.line));
	}
}

/* ---- the rows of what a server sends ---- */

static bool ends_with(const struct field *f, const char *end)
{
	size_t len = strlen(end);
	return f->name_len >= len && memcmp(f->name + f->name_len - len, end, len) == 0;
}

/* A list's entry may have any id that its creator chose. */
static unsigned form_needed(const struct field *f)
{
	bool is_text = f->kind == FIELD_STR || f->kind == FIELD_STRS;
	if (!is_text || strcmp(f->name, "entry_id") == 0) {
		return 0;
	}
	if (strcmp(f->name, "room_id") == 0) {
		return FIELD_CODE;
	}
	bool is_id = ends_with(f, "_id") || ends_with(f, "_ids") || ends_with(f, "_key") ||
		     ends_with(f, "token") || ends_with(f, "nonce");
	bool is_line = ends_with(f, "title") || ends_with(f, "name") || ends_with(f, "message") ||
		       ends_with(f, "reason");
	return is_id ? FIELD_ID : is_line ? FIELD_LINE : 0;
}

static void check_rows(const struct record *rec)
{
	for (size_t i = 0; i < rec->n; i++) {
		const struct field *f = &rec->fields[i];
		unsigned needed = form_needed(f);
		bool is_data = strcmp(rec->name, "data_change") == 0;
		if (!is_data && (f->flags & needed) != needed) {
			fail_msg("%s.%s does not say what it looks like", rec->name, f->name);
		}
		if (f->of != NULL) {
			check_rows(f->of);
		}
	}
}

TEST(test_no_row_of_what_a_server_sends_is_without_its_form)
{
	for (int m = 0; m < METHOD_COUNT; m++) {
		check_rows(method_rows[m].result);
	}
	for (int n = 0; n < NOTICE_COUNT; n++) {
		check_rows(notice_rows[n].record);
	}
	check_rows(&record_error_view);
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
