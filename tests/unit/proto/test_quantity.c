/*
 * test_quantity.c - quantities as text: exact, bounded, and of one form.
 */
#include <math.h>
#include <string.h>

#include "proto/text/quantity.h"
#include "tests/support/test.h"

TEST(test_a_quantity_is_kept_as_hundredths)
{
	static const struct {
		const char *text;
		int64_t hundredths;
		const char *back;
	} rows[] = {
		{"0", 0, "0"},
		{"0.0", 0, "0"},
		{"0.00", 0, "0"},
		{"1", 100, "1"},
		{"12", 1200, "12"},
		{"007", 700, "7"},
		{"0.5", 50, "0.5"},
		{"0.05", 5, "0.05"},
		{"1.50", 150, "1.5"},
		{"3.25", 325, "3.25"},
		{"10.10", 1010, "10.1"},
		{"0.07", 7, "0.07"},
		{"999999999999", QUANTITY_MAX - 99, "999999999999"},
		{"999999999999.99", QUANTITY_MAX, "999999999999.99"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int64_t got = -1;
		const char *why = NULL;
		char back[QUANTITY_BYTES_MAX + 1];
		assert_true(quantity_read(slice_str(rows[i].text), &got, &why));
		assert_true(got == rows[i].hundredths);
		assert_int_equal(quantity_write(got, back), strlen(rows[i].back));
		assert_string_equal(back, rows[i].back);
	}
}

TEST(test_what_has_another_form_is_refused_with_a_reason)
{
	static const struct {
		const char *text, *why;
	} rows[] = {
		{"", "not a number"},
		{"1e3", "not a number"},
		{"-0", "not a number"},
		{"-1", "not a number"},
		{"+1", "not a number"},
		{".5", "not a number"},
		{"5.", "not a number"},
		{".", "not a number"},
		{"1,5", "not a number"},
		{"1.5.1", "not a number"},
		{"1. 5", "not a number"},
		{" 1", "not a number"},
		{"1 ", "not a number"},
		{"0x1", "not a number"},
		{"NaN", "not a number"},
		{"inf", "not a number"},
		{"1.5e3", "not a number"},
		{"\xd9\xa1", "not a number"}, /* a digit, but not of ASCII */
		{"0.001", "two decimals"},
		{"0.500", "two decimals"},
		{"1.99999999999999999999999999", "two decimals"},
		{"1000000000000", "more than 999999999999.99"},
		{"0000000000001", "more than 999999999999.99"},
		{"99999999999999999999999999.1", "more than 999999999999.99"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int64_t got = 42;
		const char *why = "";
		assert_false(quantity_read(slice_str(rows[i].text), &got, &why));
		assert_non_null(strstr(why, rows[i].why));
		assert_true(got == 42);
	}
}

TEST(test_a_change_may_have_a_sign_unless_it_is_nothing)
{
	static const struct {
		const char *text;
		int64_t hundredths;
	} rows[] = {
		{"-1.5", -150},
		{"+1.5", 150},
		{"1.5", 150},
		{"0", 0},
		{"-999999999999.99", -QUANTITY_MAX},
	};
	static const char *const wrong[] = {"-0",  "+0",     "-0.00", "--1",
					    "+-1", "-",	     "+",     "- 1",
					    "-.5", "-1.005", "-NaN",  "-1000000000000"};
	int64_t got = 42;
	const char *why;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_true(quantity_read_change(slice_str(rows[i].text), &got, &why));
		assert_true(got == rows[i].hundredths);
	}
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		got = 42;
		why = NULL;
		assert_false(quantity_read_change(slice_str(wrong[i]), &got, &why));
		assert_non_null(why);
		assert_true(got == 42);
	}
}

TEST(test_a_number_is_its_text)
{
	static const struct {
		double number;
		const char *text;
	} rows[] = {
		{0, "0"},	  {-0.0, "0"},	  {12, "12"},
		{0.07, "0.07"},	  {1.1, "1.1"},	  {999999999999.99, "999999999999.99"},
		{-1.25, "-1.25"}, {4.35, "4.35"}, {-999999999999.99, "-999999999999.99"},
	};
	static const double wrong[] = {0.1 + 0.2, 0.001, 1e12,	   -1e300,    0.0049,
				       1.0f / 3,  0.1f,	 INFINITY, -INFINITY, NAN};
	char text[QUANTITY_BYTES_MAX + 1];
	const char *why;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(quantity_of_number(rows[i].number, text, &why),
				 strlen(rows[i].text));
		assert_string_equal(text, rows[i].text);
	}
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		why = NULL;
		assert_int_equal(quantity_of_number(wrong[i], text, &why), 0);
		assert_non_null(why);
	}
}

/* Whatever the program can write it reads again as the same. */
/* promise: exact-quantity */
TEST(test_every_quantity_comes_back)
{
	uint64_t n = 88172645463325252u;
	for (size_t i = 0; i < 20000; i++) {
		char text[QUANTITY_BYTES_MAX + 1];
		int64_t got = -1;
		const char *why;
		n ^= n << 13;
		n ^= n >> 7;
		n ^= n << 17;
		int64_t hundredths = (int64_t)(i < 10000 ? i : n % (QUANTITY_MAX + 1));
		size_t len = quantity_write(hundredths, text);
		assert_true(quantity_read(slice_of(text, len), &got, &why));
		assert_true(got == hundredths);
		char again[QUANTITY_BYTES_MAX + 1];
		assert_int_equal(quantity_of_number((double)hundredths / 100.0, again, &why), len);
		assert_string_equal(again, text);
	}
}
