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
	/* One comes back as another goes: each is in one of the two lists. */
	struct news n = {.u = {.stories_n = 2}};
	n.stories[0] = story("S1", "e", "First again");
	n.stories[1] = story("S3", "c", "Third");
	n.stories[1].is_removed = true;
	assert_int_equal(replica_update(&r, news_of(&n, 6, 7)), OK);
	assert_int_equal(r.stories.n, 3);
	assert_int_equal(r.removed.n, 1);
	assert_string_equal(replica_story_at(&r, 2)->title.data, "First again");
	assert_string_equal(replica_story_at(&r, 3)->title.data, "Third");
	replica_finish(&r);
}

TEST(test_a_story_off_the_list_is_not_open_with_the_others)
{
	struct replica r = {0};
	assert_int_equal(take_played(&r), OK);
	r.room.policy.open_stories = true;
	assert_true(replica_is_open(&r, replica_story(&r, "S2")));
	assert_false(replica_is_open(&r, replica_story(&r, "S1")));
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
	assert_string_equal(r.room.result.cards[1].card.data, "3");
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

static const struct round_vote left_by_ada = {.vote = {"1", 1},
					      .user_id = {"U1", 2},
					      .username = {"Ada", 3},
					      .comment = {"small", 5}};

static void ada_goes(struct replica *r)
{
	struct round_vote left = left_by_ada;
	struct slice gone = SLICE("U1");
	struct news n = {.u = {.gone = {&gone, 1}, .left_votes = &left, .left_votes_n = 1}};
	assert_int_equal(replica_update(r, news_of(&n, 6, 7)), OK);
}

TEST(test_who_leaves_open_cards_is_among_their_votes_until_they_are_cleared)
{
	struct replica r = {0};
	struct replica copy;
	assert_int_equal(take_played(&r), OK);
	assert_int_equal(take_change(&r), OK);
	ada_goes(&r);
	replica_copy(&copy, &r);
	assert_int_equal(replica_votes_n(&copy), 2);
	assert_string_equal(replica_vote_at(&copy, 0).username.data, "Grace");
	assert_false(replica_has_gone(&copy, 0));
	assert_string_equal(replica_vote_at(&copy, 1).username.data, "Ada");
	assert_string_equal(replica_vote_at(&copy, 1).comment.data, "small");
	assert_true(replica_has_gone(&copy, 1));
	replica_finish(&copy);
	/* Ada is back, and only watches: the card is left still, and she is not. */
	struct news watches = {.users = {user("U1", "Ada")}, .u = {.users_n = 1}};
	watches.users[0].role = ROLE_SPECTATOR;
	assert_int_equal(replica_update(&r, news_of(&watches, 7, 8)), OK);
	assert_non_null(replica_left(&r, SLICE("U1")));
	assert_false(replica_has_gone(&r, 2));
	struct news cleared = {.u = {.left_cleared = true}};
	assert_int_equal(replica_update(&r, news_of(&cleared, 8, 9)), OK);
	assert_null(replica_left(&r, SLICE("U1")));
	struct room_update full = update(9, 10);
	full.full = true;
	full.since = 10;
	full.room = revealed_view();
	full.with_room = true;
	struct round_vote left = left_by_ada;
	full.left_votes = &left;
	full.left_votes_n = 1;
	assert_int_equal(replica_update(&r, &full), OK);
	assert_int_equal(r.left.n, 1);
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
