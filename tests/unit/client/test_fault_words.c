/*
 * test_fault_words.c - a refusal in the words of the screens.
 */
#include <string.h>

#include "client/acts/fault_words.h"
#include "tests/support/test.h"

static const char *words_of(const char *field, const char *message)
{
	static char out[FAULT_WORDS_BYTES_MAX];
	struct fault f;
	(void)fault_field(&f, field, "%s", message);
	fault_words(&f, out);
	return out;
}

TEST(test_a_field_is_what_the_screens_call_it)
{
	assert_string_equal(words_of("username", "is wider than 32 columns"),
			    "name: is wider than 32 columns");
	assert_string_equal(words_of("user_name", "is taken"), "name: is taken");
	assert_string_equal(words_of("title", "required"), "title: required");
	assert_string_equal(words_of("prompt", "must be 2 to 2000 characters long"),
			    "question: must be 2 to 2000 characters long");
	assert_string_equal(words_of("email_address",
				     "must be an address such as name@example.org"),
			    "email address: must be an address such as name@example.org");
	assert_string_equal(words_of("policy.keep_votes", "must be a boolean"),
			    "keep votes: must be a boolean");
}

TEST(test_one_of_a_list_has_its_number)
{
	assert_string_equal(words_of("valid_sizes", "must be 1 to 32 strings"),
			    "cards: must be 1 to 32 strings");
	assert_string_equal(words_of("valid_sizes[3]", "is wider than 8 columns"),
			    "card 4: is wider than 8 columns");
	assert_string_equal(words_of("options[1]", "is repeated"), "options 2: is repeated");
}

TEST(test_without_a_field_the_message_is_all)
{
	assert_string_equal(words_of("", "the room is locked"), "the room is locked");
}

TEST(test_what_a_server_makes_up_is_bounded)
{
	struct fault f = {.code = FAULT_VALIDATION_ERROR};
	char out[FAULT_WORDS_BYTES_MAX];
	memset(f.field, '_', sizeof(f.field) - 1);
	memset(f.message, 'm', sizeof(f.message) - 1);
	fault_words(&f, out);
	assert_int_equal(strlen(out), sizeof(f.field) - 1 + 2 + sizeof(f.message) - 1);
	f.field[sizeof(f.field) - 2] = '[';
	fault_words(&f, out);
	assert_string_equal(out + strlen(out) - 5, "mmmmm");
}
