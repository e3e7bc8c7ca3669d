/*
 * test_session_summary.c - what is said of a session when the room is left.
 */
#include "client/model/room/session_summary.h"

#include "tests/support/test.h"
#include "tests/unit/client/a_room.h"

enum { MINUTE_MS = 60000 };

struct summary_test {
	struct a_room a;
	struct session_summary s;
	int64_t now_ms;
};

static void open_summary(struct summary_test *t)
{
	memset(t, 0, sizeof(*t));
	a_room_init(&t->a, "Sprint 42");
	a_room_seat(&t->a, "Ada", IS_ME, NULL);
	a_room_seat(&t->a, "Grace", IS_VOTER, NULL);
	t->now_ms = 1000;
	session_summary_take(&t->s, &t->a.r, t->now_ms);
}

#define SUMMARY_TEST(name, t) TEST_OF(name, struct summary_test, t, open_summary(t), (void)(t))

static void assert_text(struct summary_test *t, const char *expected)
{
	struct buf text;
	buf_init(&text, SESSION_SUMMARY_BYTES_MAX);
	session_summary_end(&t->s, &t->a.r);
	session_summary_text(&t->s, &text);
	assert_int_equal(buf_append(&text, "", 1), OK);
	assert_string_equal(text.data, expected);
	buf_finish(&text);
}

/* The next round begins, on a story or none, and is revealed with these votes. */
static void play(struct summary_test *t, const struct story_view *story, int64_t story_round,
		 const char *ada, const char *grace)
{
	t->a.r.room.round++;
	t->a.r.room.story_round = story_round;
	t->a.r.room.story_id = story == NULL ? (struct slice){0} : story->story_id;
	t->a.r.room.is_revealed = false;
	t->a.r.room.with_result = false;
	session_summary_take(&t->s, &t->a.r, t->now_ms);
	t->a.members[0].vote = slice_str(ada);
	t->a.members[1].vote = slice_str(grace);
	a_room_reveal(&t->a);
	t->now_ms += 3 * MINUTE_MS;
	session_summary_take(&t->s, &t->a.r, t->now_ms);
	session_summary_take(&t->s, &t->a.r, t->now_ms + MINUTE_MS); /* something else */
}

SUMMARY_TEST(test_where_nothing_was_voted_nothing_is_said, t)
{
	a_room_story(&t->a, "Refunds", STORY_DONE, "5");
	session_summary_take(&t->s, &t->a.r, t->now_ms);
	assert_text(t, "");
	play(t, NULL, 1, NULL, NULL);
	assert_text(t, "");
}

SUMMARY_TEST(test_a_session_says_stories_points_rounds_and_the_widest_spread, t)
{
	struct story_view *refunds = a_room_story(&t->a, "Refunds", STORY_VOTING, NULL);
	struct story_view *receipts = a_room_story(&t->a, "Receipts", STORY_TODO, NULL);
	a_room_story(&t->a, "Payouts", STORY_TODO, NULL);
	receipts->key = SLICE("PAY-3");
	play(t, refunds, 1, "3", "5");
	refunds->estimate = SLICE("5");
	play(t, receipts, 1, "1", "13");
	play(t, receipts, 2, "5", "8");
	receipts->estimate = SLICE("8");
	session_summary_take(&t->s, &t->a.r, t->now_ms);
	assert_text(
		t, "2 of 3 stories estimated, 13 points; 3 rounds in 9 min, 1 of them voted again\n"
		   "Widest spread: 1 to 13 on PAY-3 Receipts\n");
}

SUMMARY_TEST(test_rounds_without_stories_have_their_number, t)
{
	play(t, NULL, 1, "5", "5");
	assert_text(t, "1 round in 3 min\n");
	t->a.members[1].vote = SLICE("20"); /* it was changed behind the reveal */
	a_room_reveal(&t->a);
	session_summary_take(&t->s, &t->a.r, t->now_ms);
	assert_text(t, "1 round in 3 min\nWidest spread: 5 to 20 on round 2\n");
}

SUMMARY_TEST(test_cards_that_lay_open_on_entry_are_of_an_earlier_session, t)
{
	a_room_reveal(&t->a);
	t->s = (struct session_summary){.has_begun = false};
	t->a.members[0].vote = SLICE("5");
	a_room_reveal(&t->a);
	session_summary_take(&t->s, &t->a.r, t->now_ms);
	session_summary_take(&t->s, &t->a.r, t->now_ms);
	assert_text(t, "");
}

SUMMARY_TEST(test_a_round_that_is_hidden_and_revealed_again_is_one, t)
{
	play(t, NULL, 1, "5", "5");
	t->a.r.room.is_revealed = false;
	t->a.r.room.with_result = false;
	session_summary_take(&t->s, &t->a.r, t->now_ms);
	a_room_reveal(&t->a);
	session_summary_take(&t->s, &t->a.r, t->now_ms);
	assert_text(t, "1 round in 3 min\n");
}

SUMMARY_TEST(test_what_is_no_number_is_no_point_and_half_a_point_is_one, t)
{
	struct story_view *refunds = a_room_story(&t->a, "Refunds", STORY_DONE, "?");
	play(t, refunds, 1, "5", "5");
	assert_text(t, "1 of 1 story estimated; 1 round in 3 min\n");
	refunds->estimate = SLICE("0.5");
	session_summary_take(&t->s, &t->a.r, t->now_ms);
	assert_text(t, "1 of 1 story estimated, 0.5 points; 1 round in 3 min\n");
	t->s.revealed_ms = t->s.began_ms + 125 * MINUTE_MS;
	assert_text(t, "1 of 1 story estimated, 0.5 points; 1 round in 2 h 5 min\n");
}
