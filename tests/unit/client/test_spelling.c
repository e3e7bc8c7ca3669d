/*
 * test_spelling.c - what is near to a word that was typed.
 */
#include <stdio.h>
#include <string.h>

#include "client/acts/spelling.h"
#include "tests/support/test.h"

static const char *meant(const char *typed)
{
	static const char *const words[] = {"join", "new", "room", "reset", "restore", "colors"};
	static char out[40];
	struct spelling s = {.typed = slice_str(typed)};
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		(void)spelling_offer(&s, slice_str(words[i]));
	}
	(void)snprintf(out, sizeof(out), "%.*s", (int)s.meant.len,
		       s.meant.len == 0 ? "" : s.meant.data);
	return out;
}

TEST(test_a_slip_of_the_fingers_is_near)
{
	assert_string_equal(meant("jion"), "join");
	assert_string_equal(meant("romo"), "room");
	assert_string_equal(meant("joim"), "join");
	assert_string_equal(meant("colours"), "colors");
	assert_string_equal(meant("nw"), "new");
	assert_string_equal(meant("resset"), "reset");
}

TEST(test_a_beginning_is_near_and_the_first_of_equals_is_meant)
{
	assert_string_equal(meant("color"), "colors");
	assert_string_equal(meant("resto"), "restore");
	assert_string_equal(meant("res"), "reset");
}

TEST(test_what_is_far_away_is_not_offered)
{
	assert_string_equal(meant(""), "");
	assert_string_equal(meant("x"), "");
	assert_string_equal(meant("vote"), "");
	assert_string_equal(meant("join the room of the whole wide world"), "");
}
