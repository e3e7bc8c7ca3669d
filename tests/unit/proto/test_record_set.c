/*
 * test_record_set.c - fields that are one of a few words, and setting one field by its name.
 */
#include <string.h>

#include "proto/records/record.h"
#include "tests/support/test.h"

#define WORDS_size(W) W(SIZE_SMALL, "small") W(SIZE_MEDIUM, "medium") W(SIZE_LARGE, "large")
WORDS_DECLARE(size, SIZE_MEDIUM)
WORDS_DEFINE(size, SIZE_MEDIUM)

#define RECORD_shirt(F)                                               \
	F(ENUM, size, size, FIELD_REQ, 0, WORDS_LAST(size), "")       \
	F(ENUM, wanted, size, FIELD_OPT, SIZE_SMALL, SIZE_MEDIUM, "") \
	F(STR, name, _, FIELD_NIL, 2, 8, "")                          \
	F(INT, price, _, FIELD_OPT, 1, 99, "")                        \
	F(BOOL, is_clean, _, FIELD_OPT, 0, 0, "")
RECORD_DECLARE(shirt)
RECORD_DEFINE(shirt)

static struct arena arena;

/* A map of two entries at most, written by hand so that it may hold what no writer would. */
static enum err read_map(const char *bytes, size_t len, enum record_mode mode, struct shirt *out,
			 struct fault *f)
{
	return record_from_bytes(&record_shirt, slice_of(bytes, len), mode, &arena, out, f);
}
#define READ(bytes, mode, out, f) read_map(bytes, sizeof(bytes) - 1, mode, out, f)

TEST(test_a_word_travels_and_its_value_comes_out)
{
	struct shirt in = {.size = SIZE_LARGE, .wanted = SIZE_SMALL, .with_wanted = true}, out;
	struct fault f;
	struct buf b;
	buf_init(&b, 256);
	record_write(&record_shirt, &in, &b);
	assert_true(slice_eq(buf_slice(&b), SLICE("\x82\xa4size\xa5large\xa6wanted\xa5small")));
	assert_int_equal(record_from_bytes(&record_shirt, buf_slice(&b), RECORD_STRICT, &arena,
					   &out, &f),
			 OK);
	assert_int_equal(out.size, SIZE_LARGE);
	assert_int_equal(out.wanted, SIZE_SMALL);
	assert_true(out.with_wanted);
	buf_finish(&b);
}

TEST(test_a_strict_reader_refuses_a_word_with_those_there_are)
{
	struct shirt out;
	struct fault f;
	assert_int_equal(READ("\x81\xa4size\xa4huge", RECORD_STRICT, &out, &f), ERR_INVALID);
	assert_string_equal(f.field, "size");
	assert_string_equal(f.message, "must be small, medium or large");
	assert_int_equal(READ("\x81\xa4size\x05", RECORD_STRICT, &out, &f), ERR_INVALID);
	assert_string_equal(f.message, "must be small, medium or large");
	/* A row may take fewer than there are. */
	assert_int_equal(READ("\x82\xa4size\xa5large\xa6wanted\xa5large", RECORD_STRICT, &out, &f),
			 ERR_INVALID);
	assert_string_equal(f.field, "wanted");
	assert_string_equal(f.message, "must be small or medium");
}

TEST(test_a_lenient_reader_takes_a_newer_word_for_another)
{
	struct shirt out;
	struct fault f;
	assert_int_equal(READ("\x81\xa4size\xa4huge", RECORD_LENIENT, &out, &f), OK);
	assert_int_equal(out.size, SIZE_MEDIUM);
	assert_int_equal(READ("\x81\xa4size\x05", RECORD_LENIENT, &out, &f), ERR_INVALID);
}

TEST(test_every_table_has_each_word_once)
{
	for (const struct words *const *words = word_enums; *words != NULL; words++) {
		assert_in_range((*words)->otherwise, 0, (*words)->n - 1);
		for (int i = 0; i < (*words)->n; i++) {
			const char *text = words_text(*words, i);
			assert_int_equal(strlen(text), (*words)->list[i].len);
			assert_int_equal(words_find(*words, slice_str(text)), i);
		}
		assert_int_equal(words_find(*words, SLICE("no such word")), -1);
		assert_int_equal(words_find(*words, SLICE("")), -1);
	}
}

TEST(test_a_field_is_set_by_its_name)
{
	struct shirt s = {.size = SIZE_LARGE};
	struct fault f;
	const struct record *rec = &record_shirt;
	assert_true(record_set_text(rec, &s, SLICE("size"), SLICE("medium"), &f));
	assert_true(record_set_text(rec, &s, SLICE("name"), SLICE("blue"), &f));
	assert_true(record_set_int(rec, &s, SLICE("price"), 7, &f));
	assert_true(record_set_bool(rec, &s, SLICE("is_clean"), true, &f));
	assert_int_equal(s.size, SIZE_MEDIUM);
	assert_true(s.with_size && s.with_name && s.with_price && s.with_is_clean);
	assert_true(slice_eq(s.name, SLICE("blue")));
	assert_int_equal(s.price, 7);
	assert_true(s.is_clean);
	assert_true(record_set_nil(rec, &s, SLICE("name"), &f));
	assert_true(s.with_name && s.name.data == NULL);
}

TEST(test_what_a_row_does_not_allow_is_not_set)
{
	static const struct {
		const char *field, *text, *at, *message;
	} texts[] = {
		{"colour", "blue", "colour", "unknown field"},
		{"", "blue", "?", "unknown field"},
		{"size", "huge", "size", "must be small, medium or large"},
		{"wanted", "large", "wanted", "must be small or medium"},
		{"name", "b", "name", "must be 2 to 8 bytes long"},
		{"name", "\xff\xff", "name", "must be valid UTF-8"},
		{"price", "7", "price", "is not text"},
	};
	const struct shirt none = {0};
	struct shirt s = {0};
	struct fault f;
	const struct record *rec = &record_shirt;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		assert_false(record_set_text(rec, &s, slice_str(texts[i].field),
					     slice_str(texts[i].text), &f));
		assert_int_equal(f.code, FAULT_VALIDATION_ERROR);
		assert_string_equal(f.field, texts[i].at);
		assert_string_equal(f.message, texts[i].message);
	}
	assert_false(record_set_int(rec, &s, SLICE("price"), 100, &f));
	assert_string_equal(f.message, "must be 1 to 99");
	assert_false(record_set_int(rec, &s, SLICE("name"), 1, &f));
	assert_false(record_set_bool(rec, &s, SLICE("price"), true, &f));
	assert_false(record_set_nil(rec, &s, SLICE("price"), &f));
	assert_string_equal(f.message, "is required");
	assert_false(record_set_nil(rec, &s, SLICE("colour"), &f));
	assert_memory_equal(&s, &none, sizeof(s));
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
