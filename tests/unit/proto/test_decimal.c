/*
 * test_decimal.c - whole numbers, bounded and without overflow.
 */

#include "proto/text/decimal.h"
#include "tests/support/test.h"

TEST(test_a_number_is_read_whole_or_not_at_all)
{
	static const struct {
		const char *text;
		int64_t min, max, want; /* -1: none */
	} rows[] = {
		{"0", 0, 9, 0},
		{"7", 1, 9, 7},
		{"10", 1, 9, -1},
		{"0", 1, 9, -1},
		{"007", 1, 9, 7},
		{"", 0, 9, -1},
		{"-1", 0, 9, -1},
		{"+1", 0, 9, -1},
		{" 1", 0, 9, -1},
		{"1 ", 0, 9, -1},
		{"1x", 0, 9, -1},
		{"5", 0, 4, -1},
		{"65535", 0, 65535, 65535},
		{"65536", 0, 65535, -1},
		{"9223372036854775807", 0, INT64_MAX, INT64_MAX},
		{"9223372036854775808", 0, INT64_MAX, -1},
		{"99999999999999999999999999999999", 0, INT64_MAX, -1},
		{"00000000000000000000000000000001", 0, INT64_MAX, 1},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int64_t got = -1;
		bool is_one = decimal_read(slice_str(rows[i].text), rows[i].min, rows[i].max, &got);
		assert_int_equal(is_one, rows[i].want >= 0);
		assert_true(got == rows[i].want);
	}
}

TEST(test_a_number_in_front_says_where_it_ends)
{
	size_t digits;
	assert_int_equal(decimal_front(SLICE("12 pm"), 99, &digits), 12);
	assert_int_equal(digits, 2);
	assert_int_equal(decimal_front(SLICE("123 pm"), 99, &digits), -1);
	assert_int_equal(digits, 3);
	assert_int_equal(decimal_front(SLICE("pm"), 99, &digits), -1);
	assert_int_equal(digits, 0);
	assert_int_equal(decimal_front((struct slice){0}, 99, &digits), -1);
	assert_int_equal(digits, 0);
}

TEST(test_a_number_is_written_in_its_digits)
{
	static const struct {
		uint64_t number;
		const char *text;
	} rows[] = {{0, "0"},
		    {7, "7"},
		    {10, "10"},
		    {4095, "4095"},
		    {UINT64_MAX, "18446744073709551615"}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char out[DECIMAL_BYTES_MAX];
		size_t len = decimal_write(rows[i].number, out);
		assert_int_equal(len, strlen(rows[i].text));
		assert_memory_equal(out, rows[i].text, len);
	}
}
