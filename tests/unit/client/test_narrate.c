/*
 * test_narrate.c - what happens in a room reads as sentences.
 */
#include "client/acts/narrate.h"
#include "tests/unit/client/replica_kit.h"

static void told(struct narrate *n, const struct replica *r, const char *expected)
{
	struct buf text;
	buf_init(&text, 65536);
	narrate_update(n, r, &text);
	assert_int_equal(buf_append(&text, "", 1), OK);
	assert_string_equal(text.data, expected);
	buf_finish(&text);
}

TEST(test_a_round_reads_as_sentences)
{
	struct replica r = {0};
	struct narrate n = {0};
	struct user_view grace = user("U2", "Grace");
	struct user_view both[] = {user("U1", "Ada"), user("U2", "Grace")};
	struct room_update u = update(5, 6);
	assert_int_equal(take_full(&r), OK);
	told(&n, &r, "Room K7QX3M: Sprint, round 1, cards 1 2 3\n  Ada\n  Grace\n");
	told(&n, &r, "");
	grace.has_vote = true;
	u.users = &grace;
	u.users_n = 1;
	u.with_users = true;
	assert_int_equal(replica_update(&r, &u), OK);
	told(&n, &r, "Grace has voted (1 of 2).\n");
	both[0].has_vote = both[1].has_vote = both[0].with_vote = both[1].with_vote = true;
	both[0].vote = SLICE("1");
	both[1].vote = SLICE("3");
	u = update(6, 7);
	u.users = both;
	u.users_n = 2;
	u.with_users = true;
	u.room = view(true);
	u.room.result = (struct room_result){.votes = 2,
					     .average = 2,
					     .with_average = true,
					     .median = 3,
					     .with_median = true,
					     .agreement_percent = 50};
	u.with_room = u.room.with_result = true;
	assert_int_equal(replica_update(&r, &u), OK);
	told(&n, &r,
	     "Ada has voted (2 of 2).\n"
	     "Revealed: Ada 1, Grace 3.\n"
	     "Average 2, median 3, agreement 50%.\n");
	narrate_finish(&n);
	replica_finish(&r);
}

/* Up to three are named; hosts, and those of whom a card lies there, always are. */
TEST(test_of_many_who_are_away_the_number_is_told)
{
	static const char *const ids[] = {"U1", "U2", "U3", "U4", "U5", "U6", "U7"};
	static const char *const names[] = {"Ada", "Grace", "Linus", "Hedy", "Ken", "Radia", "Tim"};
	struct user_view users[7];
	for (size_t i = 0; i < 7; i++) {
		users[i] = user(ids[i], names[i]);
		users[i].is_connected = i == 0;
	}
	users[1].is_host = true;
	users[2].has_vote = true;
	for (size_t n = 6; n <= 7; n++) {
		struct replica r = {0};
		struct narrate told_of = {0};
		assert_int_equal(take_full(&r), OK);
		assert_int_equal(take_users(&r, users, n, false), OK);
		told(&told_of, &r,
		     n == 6 ? "Room K7QX3M: Sprint, round 1, cards 1 2 3\n  Ada\n"
			      "  Grace, host, away\n  Linus, away, has voted\n"
			      "  Hedy, away\n  Ken, away\n  Radia, away\n"
			    : "Room K7QX3M: Sprint, round 1, cards 1 2 3\n  Ada\n"
			      "  Grace, host, away\n  Linus, away, has voted\n  and 4 away\n");
		narrate_finish(&told_of);
		replica_finish(&r);
	}
}

/* Of those who were away longer than a moment, where the time is known. */
TEST(test_who_comes_back_is_told_with_how_long_they_were_away)
{
	struct replica r = {0};
	struct narrate n = {0};
	struct user_view one = user("U1", "Ada");
	assert_int_equal(take_full(&r), OK);
	assert_int_equal(take_users(&r, &one, 1, false), OK);
	told(&n, &r, "Room K7QX3M: Sprint, round 1, cards 1 2 3\n  Ada\n  Grace\n");
	for (int64_t now = 1030000; now <= 3000000; now += 1970000) {
		struct user_view goes = {.user_id = SLICE("U1"),
					 .with_is_connected = true,
					 .away_since = 1000000,
					 .with_away_since = true};
		assert_int_equal(take_users(&r, &goes, 1, true), OK);
		n.now_ms = 1005000;
		told(&n, &r, "Ada is away.\n");
		goes.is_connected = true;
		goes.away_since = 0;
		assert_int_equal(take_users(&r, &goes, 1, true), OK);
		n.now_ms = now;
		told(&n, &r,
		     now == 3000000 ? "Ada is back after 33 min.\n" : "Ada is back after 30 s.\n");
	}
	narrate_finish(&n);
	replica_finish(&r);
}

/* Grace stands in for Ada, who comes back. */
static void told_of_return(bool is_ada, const char *on_entry, const char *on_return)
{
	struct replica r = {0};
	struct narrate n = {.tells_mine = true};
	struct user_view users[] = {user("U1", "Ada"), user("U2", "Grace")};
	struct room_update u = update(5, 6);
	assert_int_equal(take_full(&r), OK);
	r.you.user_id = is_ada ? SLICE("U1") : SLICE("U2");
	users[0].is_connected = false;
	users[1].is_host = true;
	u.users = users;
	u.users_n = 2;
	u.room = view(false);
	u.room.host_user_id = SLICE("U2");
	u.room.host_kept_for = SLICE("U1");
	u.with_users = u.with_room = true;
	assert_int_equal(replica_update(&r, &u), OK);
	told(&n, &r, on_entry);
	users[0].is_connected = users[0].is_host = true;
	users[1].is_host = false;
	u.since = 6;
	u.version = 7;
	u.room.host_user_id = SLICE("U1");
	u.room.host_kept_for = (struct slice){0};
	assert_int_equal(replica_update(&r, &u), OK);
	r.you.is_host_again = is_ada;
	told(&n, &r, on_return);
	narrate_finish(&n);
	r.you.user_id = (struct slice){0}; /* ours, as above */
	replica_finish(&r);
}

TEST(test_a_host_who_is_back_is_told_to_all_and_to_that_host)
{
	const char *entry = "Room K7QX3M: Sprint, round 1, cards 1 2 3\n  Ada, away\n"
			    "  Grace, host until Ada is back\n";
	told_of_return(false, entry,
		       "Ada is back.\nGrace is not a host now.\nAda is host again.\n");
	told_of_return(true, entry,
		       "Ada is back.\nGrace is not a host now.\nYou are host again.\n");
}

TEST(test_deeds_are_told_with_who_did_them)
{
	struct replica r = {0};
	struct narrate n = {0};
	struct room_update u = update(5, 6);
	assert_int_equal(take_full(&r), OK);
	told(&n, &r, "Room K7QX3M: Sprint, round 1, cards 1 2 3\n  Ada\n  Grace\n");
	u.room = view(false);
	u.room.title = SLICE("Sprint 43");
	u.with_room = true;
	u.by = SLICE("U2");
	assert_int_equal(replica_update(&r, &u), OK);
	told(&n, &r, "Grace: The room is called Sprint 43.\n");
	/* What came in two updates was not all the deed of the one who is named last. */
	u = update(6, 7);
	u.room = view(false);
	u.room.round = 2;
	u.with_room = true;
	assert_int_equal(replica_update(&r, &u), OK);
	u.since = 7;
	u.version = 8;
	u.by = SLICE("U2");
	assert_int_equal(replica_update(&r, &u), OK);
	told(&n, &r, "The room is called Sprint.\nRound 2 started.\n");
	narrate_finish(&n);
	replica_finish(&r);
}

TEST(test_who_asks_for_it_hears_of_the_own_card)
{
	struct replica r = {0};
	struct narrate n = {.tells_mine = true};
	struct user_view ada = user("U1", "Ada");
	struct room_update u = update(5, 6);
	struct room_you y = {.room_id = SLICE("K7QX3M"),
			     .user_id = SLICE("U1"),
			     .username = SLICE("Ada"),
			     .role = ROLE_VOTER};
	assert_int_equal(take_full(&r), OK);
	replica_you(&r, &y);
	told(&n, &r, "Room K7QX3M: Sprint, round 1, cards 1 2 3\n  Ada\n  Grace\n");
	y.vote = SLICE("3");
	y.comment = SLICE("too big");
	y.confidence = 2;
	y.with_vote = y.with_comment = y.with_confidence = true;
	replica_you(&r, &y);
	told(&n, &r, "Your card is 3.\nYour comment: too big\nYou voted with medium confidence.\n");
	ada.has_vote = true;
	u.users = &ada;
	u.users_n = 1;
	u.with_users = true;
	assert_int_equal(replica_update(&r, &u), OK);
	told(&n, &r, ""); /* it was told, and better */
	y.vote = SLICE("2");
	replica_you(&r, &y);
	told(&n, &r, "Your card is 2.\n");
	narrate_finish(&n);
	replica_finish(&r);
}

TEST(test_a_withdrawn_card_is_told_to_whose_it_is_and_counted_at_the_reveal)
{
	struct replica r = {0};
	struct narrate n = {.tells_mine = true};
	struct room_you y = {.room_id = SLICE("K7QX3M"),
			     .user_id = SLICE("U1"),
			     .username = SLICE("Ada"),
			     .vote = SLICE("8"),
			     .with_is_withdrawn = true,
			     .role = ROLE_VOTER};
	struct user_view ada = {.user_id = SLICE("U1"), .has_vote = true, .with_has_vote = true};
	assert_int_equal(take_full(&r), OK);
	replica_you(&r, &y);
	assert_int_equal(take_users(&r, &ada, 1, false), OK);
	assert_false(r.you.is_withdrawn);
	told(&n, &r,
	     "Room K7QX3M: Sprint, round 1, cards 1 2 3\n  Ada, has voted\n  Grace\n"
	     "Your card is 8.\n");
	y.is_withdrawn = true;
	replica_you(&r, &y);
	assert_true(r.you.is_withdrawn);
	told(&n, &r, "Your card 8 is not in the new deck. Vote again.\n");
	told(&n, &r, "");
	struct room_update u = update(6, 7);
	ada.has_vote = false;
	u.users = &ada;
	u.users_n = 1;
	u.with_users = true;
	u.room = view(true);
	u.room.result.withdrawn = 1;
	u.room.result.with_withdrawn = u.room.with_result = true;
	u.with_room = true;
	assert_int_equal(replica_update(&r, &u), OK);
	told(&n, &r,
	     "Revealed: nobody has voted.\n"
	     "1 vote was withdrawn: not in the deck now.\n");
	narrate_finish(&n);
	replica_finish(&r);
}

/* An update of the room with its policy; votes_n below 0: none, as where who voted is not hidden. */
static enum err take_policy(struct replica *r, bool hides, bool is_revealed, int64_t votes_n,
			    struct user_view *users, size_t users_n)
{
	struct room_update u = update(r->version, r->version + 1);
	u.room = view(is_revealed);
	u.room.policy.hide_who_voted = hides;
	u.with_room = true;
	u.votes_n = votes_n;
	u.with_votes_n = votes_n >= 0;
	u.users = users;
	u.users_n = users_n;
	u.with_users = users_n > 0;
	return replica_update(r, &u);
}

TEST(test_where_who_voted_is_hidden_their_number_reads_as_a_sentence)
{
	struct replica r = {0};
	struct narrate n = {.has_begun = false};
	struct buf text;
	size_t voters;
	size_t voted;
	struct user_view grace = {.user_id = SLICE("U2"), .has_vote = true, .with_has_vote = true};
	assert_int_equal(take_full(&r), OK);
	assert_int_equal(take_users(&r, &grace, 1, false), OK);
	buf_init(&text, 65536);
	narrate_update(&n, &r, &text);
	buf_finish(&text);
	assert_int_equal(take_policy(&r, true, false, 1, NULL, 0), OK);
	assert_false(replica_member(&r, "U2")->has_vote);
	told(&n, &r,
	     "Only the number of votes is shown now.\n"
	     "1 of 2 have voted.\n");
	assert_int_equal(take_policy(&r, true, false, 2, NULL, 0), OK);
	told(&n, &r, "2 of 2 have voted.\n");
	replica_count_votes(&r, &voters, &voted);
	assert_int_equal(voters, 2);
	assert_int_equal(voted, 2);
	assert_int_equal(take_policy(&r, false, false, -1, &grace, 1), OK);
	told(&n, &r, "Members who have voted are shown now.\nGrace has voted (1 of 2).\n");
	narrate_finish(&n);
	replica_finish(&r);
}

#define PLAYED                                \
	"Room K7QX3M, round 1, cards 1 2 3\n" \
	"Stories: 2, 0 with an estimate\n"    \
	"  Ada\n"                             \
	"  Grace\n"

TEST(test_a_story_with_a_description_says_so)
{
	struct replica r = {0};
	struct narrate n = {0};
	assert_int_equal(take_played(&r), OK);
	told(&n, &r, PLAYED);
	struct news next = {.u = {.room = played_view(), .with_room = true, .stories_n = 1}};
	next.u.room.story_id = SLICE("S2");
	next.stories[0] = story("S2", "b", "Second");
	next.stories[0].description = SLICE("one\ntwo");
	next.stories[0].with_description = true;
	assert_int_equal(replica_update(&r, news_of(&next, 5, 6)), OK);
	told(&n, &r, "Voting on: Second (with a description)\n");
	narrate_finish(&n);
	replica_finish(&r);
}

TEST(test_what_is_played_reads_as_sentences)
{
	struct replica r = {0};
	struct narrate n = {0};
	assert_int_equal(take_played(&r), OK);
	told(&n, &r, PLAYED);
	assert_int_equal(take_change(&r), OK);
	told(&n, &r,
	     "Story added: New\n"
	     "Story moved: Second and last\n"
	     "Story Second is now called Second and last\n"
	     "Estimate of Second and last: 3\n"
	     "Voting on: Second and last\n"
	     "Revealed: Ada 1, Grace 3.\n"
	     "Average 2, median 2, agreement 50%.\n"
	     "To speak first: 1 by Ada; 3 by Grace.\n");
	struct news next = {.u = {.room = played_view(), .with_room = true}};
	next.u.room.policy.who_reveals = WHO_MAY_EVERYONE;
	next.u.room.policy.lobby = true;
	next.u.room.round = 2;
	next.u.room.with_timer = true;
	next.u.room.timer.ends_at = (13 * 3600 + 5 * 60 + 9) * 1000;
	next.users[0] = user("U3", "Linus");
	next.users[0].is_waiting = next.users[0].with_is_waiting = true;
	next.u.users_n = 1;
	assert_int_equal(replica_update(&r, news_of(&next, 6, 7)), OK);
	told(&n, &r,
	     "Round 2 started.\n"
	     "Everyone can reveal now.\n"
	     "Newcomers now wait in the lobby.\n"
	     "A timer is running until 13:05:09 UTC.\n"
	     "Linus waits in the lobby.\n");
	next.u.room.policy.keep_votes = true;
	next.u.room.timer.ends_at += 3 * INT64_C(86400000);
	next.u.room.timer.reveal_at_zero = true;
	assert_int_equal(replica_update(&r, news_of(&next, 7, 8)), OK);
	told(&n, &r,
	     "Votes are now kept until the round ends, even of members who leave.\n"
	     "Votes are revealed on 1970-01-04 at 13:05:09 UTC.\n");
	narrate_finish(&n);
	replica_finish(&r);
}

TEST(test_who_leaves_open_cards_is_still_read_among_them)
{
	struct replica r = {0};
	struct narrate n = {0};
	struct buf out;
	struct round_vote left = {.vote = SLICE("1"),
				  .user_id = SLICE("U1"),
				  .username = SLICE("Ada"),
				  .comment = SLICE("small")};
	struct slice gone = SLICE("U1");
	assert_int_equal(take_played(&r), OK);
	assert_int_equal(take_change(&r), OK);
	struct news goes = {.u = {.gone = {&gone, 1}, .left_votes = &left, .left_votes_n = 1}};
	buf_init(&out, 65536);
	narrate_update(&n, &r, &out);
	assert_int_equal(replica_update(&r, news_of(&goes, 6, 7)), OK);
	told(&n, &r, "Ada left.\n");
	buf_clear(&out);
	narrate_room(&r, 0, &out);
	buf_append(&out, "", 1);
	assert_non_null(strstr(out.data, "Revealed: Grace 3, Ada (left) 1.\n"
					 "Ada commented: small\n"));
	assert_non_null(strstr(out.data, "To speak first: 1 by Ada (left); 3 by Grace.\n"));
	buf_finish(&out);
	narrate_finish(&n);
	replica_finish(&r);
}

TEST(test_a_break_is_told_at_its_beginning_at_its_end_and_to_newcomers)
{
	struct replica r = {0};
	struct narrate n = {0};
	struct buf out;
	assert_int_equal(take_played(&r), OK);
	told(&n, &r, PLAYED);
	struct news pause = {.u = {.room = played_view(), .with_room = true}};
	pause.u.room.pause_ends_at = (int64_t)(10 * 3600 + 20 * 60) * 1000;
	assert_int_equal(replica_update(&r, news_of(&pause, 5, 6)), OK);
	told(&n, &r, "There is a break until 10:20:00 UTC.\n");
	buf_init(&out, 65536);
	narrate_room(&r, 0, &out);
	buf_append(&out, "", 1);
	assert_non_null(strstr(out.data, "\nThere is a break until 10:20:00 UTC.\n"));
	buf_finish(&out);
	pause.u.room.pause_ends_at = 0;
	assert_int_equal(replica_update(&r, news_of(&pause, 6, 7)), OK);
	told(&n, &r, "The break is over.\n");
	narrate_finish(&n);
	replica_finish(&r);
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
	assert_news(&n, &a, MEMBERSHIP_NEWS_ROOM, "You are in the lobby; a host must admit you.\n");
	assert_news(&n, &a, MEMBERSHIP_NEWS_ROOM, "");
	a.room.you.is_waiting = false;
	assert_news(&n, &a, MEMBERSHIP_NEWS_ROOM, "You were admitted.\n");
	assert_int_equal(take_full(&a.room), OK);
	assert_news(&n, &a, MEMBERSHIP_NEWS_NUDGED, "ada asks you to vote.\n");
	assert_news(&n, &a, MEMBERSHIP_NEWS_REACTION, "Someone: tea?\n");
	strcpy(a.reaction_user_id, "U1");
	assert_news(&n, &a, MEMBERSHIP_NEWS_REACTION, "Ada: tea?\n");
	assert_news(&n, &a, MEMBERSHIP_NEWS_EXPIRING,
		    "The room is deleted in 5 minutes if unused.\n");
	assert_news(&n, &a, MEMBERSHIP_NEWS_STALE | MEMBERSHIP_NEWS_PENDING,
		    "The next round has started: vote again.\n");
	a.nudged_by[0] = '\0';
	assert_news(&n, &a, MEMBERSHIP_NEWS_NUDGED, "Someone asks you to vote.\n");
	narrate_finish(&n);
	membership_finish(&a);
}
