/*
 * test_replica_play.c - stories, policy and results in the copy of a room, and what is told of
 * them.
 */
#include <stdlib.h>
#include <string.h>

#include "client/model/narrate.h"
#include "client/model/replica.h"
#include "tests/support/test.h"

static struct slice cards[] = {{"1", 1}, {"2", 1}, {"3", 1}};
static struct slice ada[] = {{"U1", 2}};
static struct slice grace[] = {{"U2", 2}};
static struct result_card voted[] = {
	{.card = {"1", 1}, .votes = 1, .user_ids = {ada, 1}, .with_user_ids = true},
	{.card = {"3", 1}, .votes = 1, .user_ids = {grace, 1}, .with_user_ids = true},
};

static struct room_view view(void)
{
	return (struct room_view){
		.valid_sizes = {cards, 3},
		.round = 1,
		.story_round = 1,
		.phase = PHASE_VOTING,
		.policy = {.who_reveals = WHO_MAY_HOST,
			   .who_resets = WHO_MAY_HOST,
			   .who_edits_stories = WHO_MAY_EVERYONE,
			   .who_edits_data = DATA_EDITORS_MEMBERS,
			   .auto_reveal = true},
	};
}

static struct room_view revealed_view(void)
{
	struct room_view v = view();
	v.is_revealed = true;
	v.phase = PHASE_REVEALED;
	v.with_result = true;
	v.result = (struct room_result){
		.votes = 2,
		.cards = voted,
		.cards_n = 2,
		.average = 2,
		.with_average = true,
		.median = 2,
		.with_median = true,
		.mode = SLICE("1"),
		.with_mode = true,
		.agreement_percent = 50,
		.spread_steps = 2,
		.with_spread_steps = true,
		.lowest = SLICE("1"),
		.with_lowest = true,
		.highest = SLICE("3"),
		.with_highest = true,
	};
	return v;
}

static struct story_view story(const char *id, const char *rank, const char *title)
{
	return (struct story_view){.story_id = slice_str(id),
				   .rank = slice_str(rank),
				   .title = slice_str(title),
				   .status = STORY_TODO};
}

static struct user_view user(const char *id, const char *name)
{
	return (struct user_view){.user_id = slice_str(id),
				  .username = slice_str(name),
				  .role = ROLE_VOTER,
				  .is_connected = true};
}

/* What one update brings, put together by the tests. */
struct news {
	struct room_update u;
	struct user_view users[2];
	struct story_view stories[4];
};

static struct room_update *news_of(struct news *n, int64_t since, int64_t version)
{
	n->u.room_id = SLICE("K7QX3M");
	n->u.epoch = 7;
	n->u.since = since;
	n->u.version = version;
	n->u.users = n->users;
	n->u.with_users = n->u.users_n > 0;
	n->u.stories = n->stories;
	n->u.with_stories = n->u.stories_n > 0;
	return &n->u;
}

/* Version 5: Ada, Grace, and the stories b, a (removed) and c, in no order. */
static enum err take_full(struct replica *r)
{
	struct news n = {.u = {.full = true, .room = view(), .with_room = true}};
	n.users[0] = user("U1", "Ada");
	n.users[1] = user("U2", "Grace");
	n.u.users_n = 2;
	n.stories[0] = story("S3", "c", "Third");
	n.stories[1] = story("S1", "a", "First");
	n.stories[1].is_removed = n.stories[1].with_is_removed = true;
	n.stories[2] = story("S2", "b", "Second");
	n.stories[2].notes = SLICE("one\n\ttwo\x1b\n");
	n.stories[2].with_notes = true;
	n.u.stories_n = 3;
	return replica_update(r, news_of(&n, 5, 5));
}

static enum err take_change(struct replica *r)
{
	struct news n = {.u = {.room = revealed_view(), .with_room = true}};
	n.u.room.story_id = SLICE("S2");
	n.stories[0] = story("S2", "d", "Second and last");
	n.stories[0].estimate = SLICE("3");
	n.stories[0].with_estimate = true;
	n.stories[0].status = STORY_DONE;
	n.stories[1] = story("S4", "bb", "New");
	n.u.stories_n = 2;
	return replica_update(r, news_of(&n, 5, 6));
}

TEST(test_stories_are_in_order_and_removed_ones_behind)
{
	struct replica r = {0};
	assert_int_equal(take_full(&r), OK);
	assert_int_equal(r.stories.n, 2);
	assert_int_equal(r.removed.n, 1);
	assert_string_equal(replica_story_at(&r, 0)->title.data, "Second");
	assert_string_equal(replica_story_at(&r, 1)->title.data, "Third");
	assert_string_equal(replica_story_at(&r, 2)->title.data, "First");
	assert_true(replica_story(&r, "S1")->is_removed);
	assert_null(replica_story(&r, "S9"));
	assert_null(replica_story(&r, NULL));
	assert_int_equal(strncmp(replica_story_at(&r, 0)->notes.data, "one\n", 4), 0);
	assert_null(strchr(replica_story_at(&r, 0)->notes.data, 0x1b));
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
	assert_int_equal(take_full(&r), OK);
	assert_null(replica_result(&r));
	assert_int_equal(r.room.phase, PHASE_VOTING);
	assert_int_equal(take_change(&r), OK);
	assert_non_null(replica_result(&r));
	assert_int_equal(r.room.phase, PHASE_REVEALED);
	assert_string_equal(r.room.result.lowest.data, "1");
	assert_int_equal(r.room.result.cards_n, 2);
	assert_string_equal(r.room.result.cards[1].user_ids.items[0].data, "U2");
	assert_null(r.room.result.suggestion.data);
	struct news n = {.u = {.room = view(), .with_room = true}};
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
	assert_int_equal(take_full(&r), OK);
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

TEST(test_what_is_played_reads_as_sentences)
{
	struct replica r = {0};
	struct narrate n = {0};
	struct buf out;
	buf_init(&out, 65536);
	assert_int_equal(take_full(&r), OK);
	narrate_update(&n, &r, &out);
	buf_append(&out, "", 1);
	assert_non_null(strstr(out.data, "Stories: 2, 0 with an estimate\n"));
	buf_clear(&out);
	assert_int_equal(take_change(&r), OK);
	narrate_update(&n, &r, &out);
	buf_append(&out, "", 1);
	assert_string_equal(out.data, "Story added: New\n"
				      "Story moved: Second and last\n"
				      "Story Second is now called Second and last\n"
				      "Estimate of Second and last: 3\n"
				      "Voting on: Second and last\n"
				      "The cards lie open: nobody has voted.\n"
				      "Average 2, median 2, agreement 50 %.\n"
				      "To speak first: 1 by Ada; 3 by Grace.\n");
	buf_clear(&out);
	struct news next = {.u = {.room = view(), .with_room = true}};
	next.u.room.policy.who_reveals = WHO_MAY_EVERYONE;
	next.u.room.policy.lobby = true;
	next.u.room.round = 2;
	next.u.room.with_timer = true;
	next.u.room.timer.ends_at = (13 * 3600 + 5 * 60 + 9) * 1000;
	next.users[0] = user("U3", "Linus");
	next.users[0].is_waiting = next.users[0].with_is_waiting = true;
	next.u.users_n = 1;
	assert_int_equal(replica_update(&r, news_of(&next, 6, 7)), OK);
	narrate_update(&n, &r, &out);
	buf_append(&out, "", 1);
	assert_string_equal(out.data, "Round 2 begins.\n"
				      "Everyone may reveal now.\n"
				      "Who joins waits in the lobby now.\n"
				      "A timer runs until 13:05:09 UTC.\n"
				      "Linus waits in the lobby.\n");
	struct news pause = {.u = {.room = next.u.room, .with_room = true}};
	pause.u.room.pause_ends_at = (int64_t)(10 * 3600 + 20 * 60) * 1000;
	assert_int_equal(replica_update(&r, news_of(&pause, 7, 8)), OK);
	buf_clear(&out);
	narrate_update(&n, &r, &out);
	buf_append(&out, "", 1);
	assert_string_equal(out.data, "There is a break until 10:20:00 UTC.\n");
	buf_clear(&out);
	narrate_room(&r, &out);
	buf_append(&out, "", 1);
	assert_non_null(strstr(out.data, "\nThere is a break until 10:20:00 UTC.\n"));
	pause.u.room.pause_ends_at = 0;
	assert_int_equal(replica_update(&r, news_of(&pause, 8, 9)), OK);
	buf_clear(&out);
	narrate_update(&n, &r, &out);
	buf_append(&out, "", 1);
	assert_string_equal(out.data, "The break is over.\n");
	narrate_finish(&n);
	replica_finish(&r);
	buf_finish(&out);
}

/* What is printed of these news. */
static void assert_news(struct narrate *n, const struct membership *a, unsigned news,
			const char *text)
{
	struct buf out;
	buf_init(&out, 65536);
	narrate_news(n, a, news, &out);
	buf_append(&out, "", 1);
	assert_string_equal(out.data, text);
	buf_finish(&out);
}

TEST(test_what_only_a_member_is_told_reads_as_sentences)
{
	struct narrate n = {0};
	struct membership a = {.expires_in_ms = 300000,
			       .nudged_by = "ada",
			       .reaction_word = "tea?"};
	a.room.you.is_waiting = true;
	assert_news(&n, &a, MEMBERSHIP_NEWS_ROOM,
		    "You are in the lobby until a host admits you.\n");
	assert_news(&n, &a, MEMBERSHIP_NEWS_ROOM, "");
	a.room.you.is_waiting = false;
	assert_news(&n, &a, MEMBERSHIP_NEWS_ROOM, "You were admitted.\n");
	assert_int_equal(take_full(&a.room), OK);
	assert_news(&n, &a, MEMBERSHIP_NEWS_NUDGED, "ada waits for your vote.\n");
	assert_news(&n, &a, MEMBERSHIP_NEWS_REACTION, "Somebody: tea?\n");
	strcpy(a.reaction_user_id, "U1");
	assert_news(&n, &a, MEMBERSHIP_NEWS_REACTION, "Ada: tea?\n");
	assert_news(&n, &a, MEMBERSHIP_NEWS_EXPIRING,
		    "The room ends in 5 minutes if nothing happens in it.\n");
	assert_news(&n, &a, MEMBERSHIP_NEWS_STALE | MEMBERSHIP_NEWS_PENDING,
		    "The next round had begun: choose a card again.\n");
	a.nudged_by[0] = '\0';
	assert_news(&n, &a, MEMBERSHIP_NEWS_NUDGED, "Somebody waits for your vote.\n");
	narrate_finish(&n);
	membership_finish(&a);
}
