/*
 * test_screens_seeing.c - what the screen shows of the round beside the cards: the
 * story's text, the round below other views. Compared with tests/tui/screens/.
 */
#include "tests/unit/client/screen_files.h"

#define SEEN		     SIZES({80, 24}, {40, 12}, {200, 60})
#define SPRINT_TEST(name, a) TEST_OF(name, struct a_room, a, a_room_init(a, "Sprint 42"), (void)a)

static struct story_view *a_long_story(struct a_room *a)
{
	(void)a_room_story(a, "A-1 Log in", STORY_DONE, "3");
	struct story_view *s = a_room_story(a, "A-2 Pay by card", STORY_VOTING, NULL);
	s->link = SLICE("https://example.org/browse/A-2");
	s->description = SLICE(
		"As a user I want to pay by card, so that I need no invoice.\n"
		"\n"
		"- Visa and Mastercard, with the second factor of the bank where it asks for one\n"
		"- no card is stored\n"
		"- a refund goes back to the same card\n"
		"\n"
		"Out of scope: gift cards, vouchers, and whatever else marketing may think of "
		"between now and the end of the quarter.\n"
		"See the minutes of Monday.\n"
		"Ask Katherine about the ledger.");
	return s;
}

SPRINT_TEST(test_the_table_shows_what_the_story_says_of_itself, a)
{
	(void)a_long_story(a);
	a_room_five(a, 0, a_room_voting);
	assert_screen(a, "about", .sizes = SEEN);
}

SPRINT_TEST(test_open_cards_leave_the_story_what_room_there_is, a)
{
	(void)a_long_story(a);
	a->r.room.is_revealed = true;
	a_room_five(a, IS_HOST, (const char *const[]){"5", "8", "3", "5", "5"});
	a_room_reveal(a);
	assert_screen(a, "about-revealed", .sizes = SEEN);
}

SPRINT_TEST(test_all_of_a_story_has_a_page, a)
{
	(void)a_long_story(a);
	a_room_five(a, 0, a_room_voting);
	assert_screen(a, "about-all", .keys = {'v'}, .sizes = SEEN);
}

SPRINT_TEST(test_other_views_tell_that_the_others_wait, a)
{
	(void)a_long_story(a);
	a_room_five(a, 0, (const char *const[]){"5", "8", "3", NULL, "5"});
	assert_screen(a, "elsewhere", .keys = {'S'}, .sizes = SEEN);
}
