/*
 * test_json.c - MessagePack as JSON and back, and what has no other form.
 */
#include <string.h>

#include "proto/base/limits.h"
#include "proto/json.h"
#include "tests/support/heap.h"
#include "tests/support/test.h"

#define BYTES(literal)                       \
	{                                    \
		literal, sizeof(literal) - 1 \
	}

static void assert_shown(struct slice bytes, const char *want)
{
	struct buf b;
	buf_init(&b, 1 << 16);
	assert_int_equal(json_from_bytes(bytes, &b), OK);
	buf_append(&b, "", 1);
	assert_string_equal(b.data, want);
	buf_finish(&b);
}

static const struct {
	struct slice bytes;
	const char *json;
} both_ways[] = {
	{BYTES("\xc0"), "null"},
	{BYTES("\xc2"), "false"},
	{BYTES("\xc3"), "true"},
	{BYTES("\x00"), "0"},
	{BYTES("\x7f"), "127"},
	{BYTES("\xcc\x80"), "128"},
	{BYTES("\xcd\x01\x00"), "256"},
	{BYTES("\xce\x00\x01\x00\x00"), "65536"},
	{BYTES("\xcf\x00\x00\x00\x01\x00\x00\x00\x00"), "4294967296"},
	{BYTES("\xcf\x7f\xff\xff\xff\xff\xff\xff\xff"), "9223372036854775807"},
	{BYTES("\xff"), "-1"},
	{BYTES("\xe0"), "-32"},
	{BYTES("\xd0\xdf"), "-33"},
	{BYTES("\xd3\x80\x00\x00\x00\x00\x00\x00\x00"), "-9223372036854775808"},
	{BYTES("\xcb\x3f\xf8\x00\x00\x00\x00\x00\x00"), "1.5"},
	{BYTES("\xcb\x40\x00\x00\x00\x00\x00\x00\x00"), "2.0"},
	{BYTES("\xcb\x3f\xb9\x99\x99\x99\x99\x99\x9a"), "0.1"},
	{BYTES("\xcb\x3f\xd5\x55\x55\x55\x55\x55\x55"), "0.3333333333333333"},
	{BYTES("\xcb\x7e\x37\xe4\x3c\x88\x00\x75\x9c"), "1e+300"},
	{BYTES("\xa0"), "\"\""},
	{BYTES("\xa1z"), "\"z\""},
	{BYTES("\xa3\xe2\x88\x9e"), "\"\xe2\x88\x9e\""},
	{BYTES("\xa2\"\\"), "\"\\\"\\\\\""},
	{BYTES("\xa3\n\t\r"), "\"\\n\\t\\r\""},
	{BYTES("\xa1\x00"), "\"\\u0000\""},
	{BYTES("\xa4z\x1b[m"), "\"z\\u001b[m\""},
	{BYTES("\xa1\x7f"), "\"\\u007f\""},
	{BYTES("\xa2\xc2\x9b"), "\"\\u009b\""},
	{BYTES("\xa3\xe2\x80\xa8"), "\"\\u2028\""},
	{BYTES("\xa3\xe2\x80\xae"), "\"\\u202e\""},
	{BYTES("\xa4\xf3\xa0\x80\xa1"), "\"\\udb40\\udc21\""},
	{BYTES("\x90"), "[]"},
	{BYTES("\x80"), "{}"},
	{BYTES("\x93\x01\xa1z\xc0"), "[1,\"z\",null]"},
	{BYTES("\x82\xa1z\x01\xa1y\x02"), "{\"z\":1,\"y\":2}"},
	{BYTES("\x81\xa1z\x92\x80\x90"), "{\"z\":[{},[]]}"},
	{BYTES("\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x90"),
	 "[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]"},
};

TEST(test_values_are_the_same_both_ways)
{
	for (size_t i = 0; i < sizeof(both_ways) / sizeof(both_ways[0]); i++) {
		assert_shown(both_ways[i].bytes, both_ways[i].json);
		struct buf b;
		struct errmsg why = {""};
		buf_init(&b, 1 << 16);
		if (json_to_bytes(slice_str(both_ways[i].json), &b, &why) != OK) {
			fail_msg("row %zu: %s", i, why.text);
		}
		if (!slice_eq(buf_slice(&b), both_ways[i].bytes)) {
			fail_msg("row %zu differs", i);
		}
		buf_finish(&b);
	}
}

TEST(test_short_floats_are_shown_as_numbers)
{
	assert_shown((struct slice)BYTES("\xca\x3f\xc0\x00\x00"), "1.5");
}

TEST(test_large_unsigned_integers_are_shown)
{
	assert_shown((struct slice)BYTES("\xcf\xff\xff\xff\xff\xff\xff\xff\xff"),
		     "18446744073709551615");
}

TEST(test_what_has_no_json_form_is_refused_and_leaves_nothing)
{
	static const struct {
		struct slice bytes;
		enum err want;
	} rows[] = {
		{BYTES("\x92\x01\xc4\x01z"), ERR_INVALID},
		{BYTES("\x81\x01\x02"), ERR_INVALID},
		{BYTES("\x81\xc0\x02"), ERR_INVALID},
		{BYTES("\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00"), ERR_INVALID},
		{BYTES("\xcb\x7f\xf0\x00\x00\x00\x00\x00\x00"), ERR_INVALID},
		{BYTES("\xcb\xff\xf0\x00\x00\x00\x00\x00\x00"), ERR_INVALID},
		{BYTES("\xc7\x00\x01"), ERR_INVALID},
		{BYTES("\x92\xd4\x00\x00\x01"), ERR_INVALID},
		{BYTES("\xc1"), ERR_PROTO},
		{BYTES(""), ERR_PROTO},
		{BYTES("\x01\x02"), ERR_PROTO},
		{BYTES("\x92\x01"), ERR_PROTO},
		{BYTES("\xa1\xff"), ERR_INVALID},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct buf b;
		buf_init(&b, 1 << 16);
		buf_append(&b, "before", 6);
		assert_int_equal(json_from_bytes(rows[i].bytes, &b), rows[i].want);
		assert_true(slice_eq(buf_slice(&b), SLICE("before")));
		buf_finish(&b);
	}
}

TEST(test_bad_json_is_refused_with_its_place)
{
	static const char *const rows[] = {
		"",
		" ",
		"{",
		"[1,]",
		"{\"z\":1,}",
		"{z:1}",
		"'z'",
		"nul",
		"[1] [2]",
		"{\"z\":1,\"z\":2}",
		"9223372036854775808",
		"-9223372036854775809",
		"1e999",
		"\"\xff\"",
		"\"\xed\xa0\x80\"",
		"\"\\ud800\"",
		"\"\n\"",
		"NaN",
		"[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]",
		"{\"\\u0000\":1}",
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct buf b;
		struct errmsg why = {""};
		buf_init(&b, 1 << 16);
		buf_append(&b, "before", 6);
		if (json_to_bytes(slice_str(rows[i]), &b, &why) != ERR_INVALID) {
			fail_msg("row %zu was taken", i);
		}
		assert_int_equal(strncmp(why.text, "JSON ", 5), 0);
		assert_true(slice_eq(buf_slice(&b), SLICE("before")));
		buf_finish(&b);
	}
}

TEST(test_the_reason_never_repeats_the_text)
{
	static const char *const rows[] = {
		"{\"host_key\":SECRETSECRET}",
		"{\"SECRETSECRET\":1,\"SECRETSECRET\":2}",
		"[\"SECRETSECRET\" \"SECRETSECRET\"]",
		"{\"host_key\":\"SECRETSECRET\xff\"}",
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct buf b;
		struct errmsg why = {""};
		buf_init(&b, 1 << 16);
		assert_int_equal(json_to_bytes(slice_str(rows[i]), &b, &why), ERR_INVALID);
		assert_null(strstr(why.text, "SECRET"));
		buf_finish(&b);
	}
}

TEST(test_each_failed_allocation_is_out_of_memory)
{
	char text[600];
	memset(text, 'z', sizeof(text));
	text[0] = text[sizeof(text) - 1] = '"';
	size_t failures = 0;
	for (size_t nth = 0; nth < 50; nth++) {
		struct buf b, again;
		struct errmsg why;
		buf_init(&b, 1 << 16);
		buf_init(&again, 1 << 16);
		heap_fail_nth(nth, false);
		enum err e = json_to_bytes(slice_of(text, sizeof(text)), &b, &why);
		if (e == OK) {
			e = json_from_bytes(buf_slice(&b), &again);
		}
		bool failed = heap_has_failed();
		heap_fail_never();
		assert_int_equal(e, failed ? ERR_NOMEM : OK);
		buf_finish(&b);
		buf_finish(&again);
		if (!failed) {
			break;
		}
		failures++;
	}
	assert_in_range(failures, 2, 49);
}

TEST(test_a_full_buffer_keeps_what_it_had)
{
	struct buf b;
	struct errmsg why;
	buf_init(&b, 8);
	assert_int_equal(json_to_bytes(SLICE("[1,2,3]"), &b, &why), OK);
	assert_int_equal(b.len, 4);
	assert_int_equal(json_to_bytes(SLICE("[1,2,3,4,5,6]"), &b, &why), ERR_TOO_LARGE);
	assert_int_equal(b.len, 4);
	buf_finish(&b);
}
