/*
 * test_story_find.c - what a story is called, and which one a word means.
 */
#include <stdio.h>
#include <string.h>

#include "client/model/room/story_find.h"
#include "tests/support/test.h"
#include "tests/unit/client/a_room.h"

static struct a_room *a_backlog(void)
{
	static struct a_room a;
	a_room_init(&a, "Sprint");
	a_room_story(&a, "Pay by card", STORY_TODO, NULL)->key = SLICE("PAY-1");
	a_room_story(&a, "Refund a split payment", STORY_TODO, NULL)->key = SLICE("PAY-3");
	a_room_story(&a, "Refunds in \xc3\x84rmelkanal", STORY_TODO, NULL)->key = SLICE("PAY-31");
	a_room_story(&a, "Sign out", STORY_TODO, NULL)->key = SLICE("#12");
	a_room_story(&a, "Sign in", STORY_TODO, NULL);
	a_room_story(&a, "Sign in", STORY_TODO, NULL);
	return &a;
}

/* The story that the word means, "" for none, or how many it could be. */
static const char *found(const char *word)
{
	static char text[24];
	struct story_found f;
	struct a_room *a = a_backlog();
	story_find(&a->r, word, false, &f);
	if (f.one != NULL || f.n == 0) {
		return f.one != NULL ? f.one->story_id.data : "";
	}
	(void)snprintf(text, sizeof(text), "%zu", f.n);
	return text;
}

TEST(test_a_story_is_called_by_its_key_and_its_title)
{
	struct story_name name;
	struct a_room *a = a_backlog();
	assert_string_equal(story_name(&a->stories[0], &name), "PAY-1 Pay by card");
	assert_string_equal(story_name(&a->stories[4], &name), "Sign in");
}

TEST(test_the_votes_on_a_story_are_counted_in_words)
{
	static const struct {
		int64_t n;
		const char *text;
	} rows[] = {{1, "1st vote"},	 {2, "2nd vote"},    {3, "3rd vote"},	{4, "4th vote"},
		    {11, "11th vote"},	 {12, "12th vote"},  {13, "13th vote"}, {21, "21st vote"},
		    {102, "102nd vote"}, {112, "112th vote"}};
	char out[STORY_VOTE_CHARS + 1];
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_string_equal(story_vote(rows[i].n, out), rows[i].text);
	}
	struct round_view r = {.key = SLICE("PAY-1"), .story = SLICE("Refund"), .story_round = 2};
	struct story_name name;
	assert_string_equal(story_name_of_round(&r, &name), "PAY-1 Refund, 2nd vote");
	r.story_round = 1;
	assert_string_equal(story_name_of_round(&r, &name), "PAY-1 Refund");
}

TEST(test_a_story_without_a_link_gets_it_from_its_key)
{
	struct story_link link;
	struct a_room *a = a_backlog();
	assert_string_equal(story_link(&a->r, &a->stories[0], &link), "");
	a->r.room.link_template = SLICE("https://x.example/{key}");
	assert_string_equal(story_link(&a->r, &a->stories[0], &link), "https://x.example/PAY-1");
	assert_string_equal(story_link(&a->r, &a->stories[4], &link), "");
	a->stories[0].link = SLICE("http://y.example/1");
	assert_string_equal(story_link(&a->r, &a->stories[0], &link), "http://y.example/1");
	a->r.room.link_template = SLICE("javascript:{key}");
	assert_string_equal(story_link(&a->r, &a->stories[1], &link), "");
}

TEST(test_a_story_is_found_by_what_people_call_it)
{
	static const char *const rows[][2] = {
		{"s02", "s02"},
		{"PAY-3", "s01"}, /* and not PAY-31, which begins so */
		{"pay-31", "s02"},
		{"#12", "s03"},
		{"1", "s00"},
		{"4", "s03"},
		{"pay by CARD", "s00"},
		{"refund", "s01"}, /* a whole word comes first */
		{"Refunds", "s02"},
		{"refunds in \xc3\xa4", "s02"},
		{"PAY-3 ref", "s01"},
		{"pay-1 pay by card", "s00"},
		{"sign o", "s03"},
		{"pay", "3"},
		{"Sign in", "2"},
		{"sig", "3"},
		{"", ""},
		{"7", ""},
		{"card", ""},
		{"PAY-4", ""},
		{"PAY-", "3"},
		{"S02", ""},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_string_equal(found(rows[i][0]), rows[i][1]);
	}
}

TEST(test_what_could_be_several_is_named)
{
	char why[STORY_FOUND_TEXT_MAX];
	struct story_found f;
	struct a_room *a = a_backlog();
	story_find(&a->r, "pay", false, &f);
	story_found_text(&a->r, &f, "pay", why, sizeof(why));
	assert_string_equal(why,
			    "pay could be 1: PAY-1 Pay by card, 2: PAY-3 Refund a split payment or "
			    "3: PAY-31 Refunds in \xc3\x84rmelkanal; use the number");
	story_find(&a->r, "sign", false, &f);
	assert_int_equal(f.n, 3);
	story_find(&a->r, "nothing", false, &f);
	story_found_text(&a->r, &f, "nothing", why, sizeof(why));
	assert_string_equal(why, "No story nothing");
}

TEST(test_a_key_in_the_same_case_comes_before_others)
{
	struct story_found f;
	struct a_room *a = a_backlog();
	a_room_story(a, "dup", STORY_TODO, NULL)->key = SLICE("pay-3");
	story_find(&a->r, "PAY-3", false, &f);
	assert_ptr_equal(f.one, &a->stories[1]);
	story_find(&a->r, "pay-3", false, &f);
	assert_ptr_equal(f.one, &a->stories[6]);
	story_find(&a->r, "Pay-3", false, &f);
	assert_int_equal(f.n, 2);
}

TEST(test_a_long_name_among_several_ends_with_a_word)
{
	char why[STORY_FOUND_TEXT_MAX];
	struct story_found f;
	struct a_room *a = a_backlog();
	a_room_story(a, "Long division of what is left to the customers", STORY_TODO, NULL);
	a_room_story(a, "Long_division_of_what_is_left_to_the_customers", STORY_TODO, NULL);
	story_find(&a->r, "long", false, &f);
	story_found_text(&a->r, &f, "long", why, sizeof(why));
	assert_string_equal(why, "long could be 7: Long division of what is left to the... or 8: "
				 "Long_division_of_what_is_left_to_the_cus...; use the number");
}

TEST(test_removed_stories_come_behind_those_on_the_list_but_for_restoring)
{
	struct story_found f;
	struct a_room *a = a_backlog();
	a->stories[4].is_removed = true;
	a->stories[1].is_removed = true;
	a->removed[0] = &a->stories[1];
	a->removed[1] = &a->stories[4];
	a->r.removed.n = 2;
	a->listed[1] = &a->stories[2];
	a->listed[2] = &a->stories[3];
	a->listed[3] = &a->stories[5];
	a->r.stories.n = 4;
	story_find(&a->r, "sign in", false, &f);
	assert_ptr_equal(f.one, &a->stories[5]);
	assert_int_equal(story_place(&a->r, f.one), 4);
	story_find(&a->r, "sign in", true, &f);
	assert_ptr_equal(f.one, &a->stories[4]);
	assert_int_equal(story_place(&a->r, f.one), 0);
	story_find(&a->r, "refund", false, &f);
	assert_ptr_equal(f.one, &a->stories[1]);
	story_find(&a->r, "PAY-3", false, &f);
	assert_ptr_equal(f.one, &a->stories[1]);
}
