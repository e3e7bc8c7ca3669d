/*
 * test_ascii.c - ascii.h: all 256 characters, and texts that differ in their case.
 */
#include <string.h>

#include "proto/base/ascii.h"
#include "tests/support/test.h"

TEST(test_each_character_is_what_its_row_says)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
	for (int i = 0; i < 256; i++) {
		char c = (char)i;
		const char *at = i == 0 ? NULL : strchr(letters, c);
		bool is_digit = i != 0 && strchr("0123456789", c) != NULL;
		assert_int_equal(ascii_is_letter(c), at != NULL);
		assert_int_equal(ascii_is_digit(c), is_digit);
		assert_int_equal(ascii_is_alnum(c), at != NULL || is_digit);
		assert_int_equal(ascii_lower(c), at == NULL ? c : letters[(at - letters) % 26]);
		assert_int_equal(ascii_upper(c),
				 at == NULL ? c : letters[(at - letters) % 26 + 26]);
	}
}

TEST(test_texts_are_alike_but_for_the_case_of_letters)
{
	assert_true(ascii_is_alike(SLICE("PAY-12"), SLICE("pay-12")));
	assert_true(ascii_is_alike(SLICE(""), SLICE("")));
	assert_false(ascii_is_alike(SLICE("PAY-12"), SLICE("pay-1")));
	assert_false(ascii_is_alike(SLICE("[x]"), SLICE("{x}")));
	assert_true(ascii_starts(SLICE("Authorization"), SLICE("author")));
	assert_true(ascii_starts(SLICE("x"), SLICE("")));
	assert_false(ascii_starts(SLICE("au"), SLICE("author")));
}
