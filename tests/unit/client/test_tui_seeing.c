/*
 * test_tui_seeing.c - what goes on is seen wherever one looks: the story's text, the
 * round below other views, what others did.
 */
#include "tests/unit/client/tui_kit.h"

static bool shows(struct tui *t, const struct a_room *a, int width, int height, const char *text)
{
	struct grid g = {0};
	grid_resize(&g, width, height);
	tui_draw(t, &a->r, &g);
	char *dump = grid_dump(&g);
	bool is_there = strstr(dump, text) != NULL;
	free(dump);
	grid_finish(&g);
	return is_there;
}

VOTING_TEST(test_the_table_shows_link_and_description)
{
	a->stories[1].link = SLICE("https://example.org/2");
	a->stories[1].notes = SLICE("First line.\nSecond line.");
	assert_row(t, a, 2, "   https://example.org/2");
	assert_row(t, a, 3, "   First line.");
	assert_row(t, a, 4, "   Second line.");
}

VOTING_TEST(test_d_shows_all_of_the_description)
{
	char text[2000] = "";
	for (int i = 0; i < 40; i++) {
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "Line %d\n", i);
	}
	a->stories[1].notes = slice_str(text);
	assert_true(shows(t, a, 80, 24, "d shows all"));
	assert_false(shows(t, a, 80, 24, "Line 39"));
	assert_nothing(type(t, a, "d"));
	(void)shows(t, a, 80, 24, "");
	(void)tui_take_key(t, &a->r, TUI_KEY_END);
	assert_true(shows(t, a, 80, 24, "Line 39"));
	assert_nothing(type(t, a, "d"));
	assert_true(shows(t, a, 80, 24, "d shows all"));
}

MEMBER_TEST(test_d_without_a_story_says_so)
{
	assert_nothing(type(t, a, "d"));
	assert_message(t, a, " No story is voted on: press S");
}

static const char *const views[] = {"S", "h", "P", "o", "?", "d"};

VOTING_TEST(test_every_other_view_ends_with_a_line_of_the_round)
{
	for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++) {
		(void)type(t, a, views[i]);
		char *row = row_from_below(t, a, 2);
		assert_string_equal(row, " 1 of 3 voted · waiting for Grace and Linus");
		free(row);
		(void)tui_take_key(t, &a->r, TUI_KEY_ESCAPE);
	}
}

VOTING_TEST(test_other_views_say_that_the_others_wait_for_us)
{
	a->r.you.vote = (struct slice){0};
	a->members[0].has_vote = false;
	a->members[1].has_vote = true;
	a->members[2].has_vote = true;
	(void)type(t, a, "S");
	char *row = row_from_below(t, a, 2);
	assert_string_equal(row, " 2 of 3 voted · the others wait for you");
	free(row);
}

VOTING_TEST(test_digits_vote_wherever_no_text_is_typed)
{
	for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++) {
		(void)type(t, a, views[i]);
		assert_request(type(t, a, "8"), METHOD_ROOM_VOTE, "vote", "8", NULL);
		(void)tui_take_key(t, &a->r, TUI_KEY_ESCAPE);
	}
	(void)type(t, a, "w");
	assert_nothing(type(t, a, "8"));
}
