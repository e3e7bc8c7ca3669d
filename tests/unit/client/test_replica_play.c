/*
 * test_replica_play.c - stories, policy and results in the copy of a room.
 */
#include "tests/unit/client/replica_kit.h"

TEST(test_stories_are_in_order_and_removed_ones_behind)
{
	struct replica r = {0};
	assert_int_equal(take_played(&r), OK);
	assert_int_equal(r.stories.n, 2);
	assert_int_equal(r.removed.n, 1);
	assert_string_equal(replica_story_at(&r, 0)->title.data, "Second");
	assert_string_equal(replica_story_at(&r, 1)->title.data, "Third");
	assert_string_equal(replica_story_at(&r, 2)->title.data, "First");
	assert_true(replica_story(&r, "S1")->is_removed);
	assert_null(replica_story(&r, "S9"));
	assert_null(replica_story(&r, NULL));
	assert_int_equal(strncmp(replica_story_at(&r, 0)->description.data, "one\n", 4), 0);
	assert_null(strchr(replica_story_at(&r, 0)->description.data, 0x1b));
	assert_int_equal(take_change(&r), OK);
	assert_int_equal(r.stories.n, 3);
	assert_string_equal(replica_story_at(&r, 0)->title.data, "New");
	assert_string_equal(replica_story_at(&r, 1)->title.data, "Third");
	assert_string_equal(replica_story_at(&r, 2)->title.data, "Second and last");
	assert_string_equal(replica_story_at(&r, 2)->estimate.data, "3");
	assert_int_equal(replica_story_at(&r, 2)->status, STORY_DONE);
	replica_finish(&r);
}

TEST(test_a_result_is_there_while_the_cards_lie_open)
{
	struct replica r = {0};
	assert_int_equal(take_played(&r), OK);
	assert_null(replica_result(&r));
	assert_int_equal(r.room.phase, PHASE_VOTING);
	assert_int_equal(take_change(&r), OK);
	assert_non_null(replica_result(&r));
	assert_int_equal(r.room.phase, PHASE_REVEALED);
	assert_string_equal(r.room.result.lowest.data, "1");
	assert_int_equal(r.room.result.cards_n, 2);
	assert_string_equal(r.room.result.cards[1].user_ids.items[0].data, "U2");
	assert_null(r.room.result.suggestion.data);
	struct news n = {.u = {.room = played_view(), .with_room = true}};
	n.u.room.phase = PHASE_COUNTDOWN;
	n.u.room.with_countdown = true;
	n.u.room.countdown = (struct countdown_view){.ends_at = 99, .token = 3};
	assert_int_equal(replica_update(&r, news_of(&n, 6, 7)), OK);
	assert_null(replica_result(&r));
	assert_int_equal(r.room.phase, PHASE_COUNTDOWN);
	assert_int_equal(r.room.countdown.token, 3);
	replica_finish(&r);
}

TEST(test_what_the_server_would_refuse_is_known_before)
{
	struct replica r = {0};
	const char *why = NULL;
	assert_int_equal(take_played(&r), OK);
	struct room_you you = {.room_id = SLICE("K7QX3M"),
			       .user_id = SLICE("U1"),
			       .username = SLICE("Ada"),
			       .role = ROLE_VOTER};
	replica_you(&r, &you);
	struct standing s = replica_standing(&r, false);
	assert_int_equal(right_refusal(RIGHT_REVEAL, &s, &why), FAULT_FORBIDDEN);
	assert_non_null(why);
	assert_int_equal(right_refusal(RIGHT_EDIT_STORIES, &s, &why), FAULT_NONE);
	assert_int_equal(right_refusal(RIGHT_VOTE, &s, &why), FAULT_NONE);
	s = replica_standing(&r, true);
	assert_int_equal(right_refusal(RIGHT_LEAD, &s, &why), FAULT_NONE);
	you.is_waiting = you.with_is_waiting = true;
	replica_you(&r, &you);
	s = replica_standing(&r, false);
	assert_int_equal(right_refusal(RIGHT_READ, &s, &why), FAULT_FORBIDDEN);
	replica_finish(&r);
}
