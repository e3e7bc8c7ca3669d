/*
 * test_replica.c - the copy of a room takes every update whole or not at all.
 */
#include <stdlib.h>
#include <string.h>

#include "client/model/narrate.h"
#include "client/model/replica.h"
#include "proto/format.h"
#include "tests/support/test.h"

static struct slice three_cards[] = {{"1", 1}, {"2", 1}, {"3", 1}};

static struct room_view view(bool is_revealed)
{
	return (struct room_view){
		.title = SLICE("Sprint"),
		.valid_sizes = {three_cards, 3},
		.is_revealed = is_revealed,
		.round = 1,
		.host_user_id = SLICE("U1"),
		.phase = PHASE_VOTING,
		.story_round = 1,
		.policy = {.who_reveals = WHO_MAY_HOST,
			   .who_resets = WHO_MAY_HOST,
			   .who_edits_stories = WHO_MAY_EVERYONE,
			   .who_edits_data = DATA_EDITORS_MEMBERS},
	};
}

/* All that there is of somebody. */
static struct user_view user(const char *id, const char *name)
{
	return (struct user_view){
		.user_id = slice_str(id),
		.username = slice_str(name),
		.with_username = true,
		.role = ROLE_VOTER,
		.with_role = true,
		.with_is_bot = true,
		.is_connected = true,
		.with_is_connected = true,
		.with_is_host = true,
		.with_has_vote = true,
	};
}

static struct room_update update(int64_t since, int64_t version)
{
	return (struct room_update){.room_id = SLICE("K7QX3M"),
				    .epoch = 7,
				    .since = since,
				    .version = version};
}

/* A room at version 5 with Ada and Grace. */
static enum err take_full(struct replica *r)
{
	struct user_view users[] = {user("U1", "Ada"), user("U2", "Grace")};
	struct room_update u = update(5, 5);
	u.full = u.with_full = true;
	u.room = view(false);
	u.with_room = true;
	u.users = users;
	u.users_n = 2;
	u.with_users = true;
	return replica_update(r, &u);
}

TEST(test_a_full_update_is_the_room)
{
	struct replica r = {0};
	assert_int_equal(take_full(&r), OK);
	assert_true(r.has_state);
	assert_string_equal(r.room_id, "K7QX3M");
	assert_int_equal(r.version, 5);
	assert_int_equal(r.epoch, 7);
	assert_string_equal(r.room.title.data, "Sprint");
	assert_int_equal(r.room.valid_sizes.n, 3);
	assert_string_equal(replica_card(&r, 2), "3");
	assert_int_equal(r.users.n, 2);
	assert_string_equal(replica_member_at(&r, 0)->username.data, "Ada");
	assert_string_equal(replica_member(&r, "U2")->username.data, "Grace");
	assert_null(replica_member(&r, "U3"));
	replica_finish(&r);
}

TEST(test_what_changed_replaces_appends_and_removes)
{
	struct replica r = {0};
	struct user_view users[] = {user("U2", "Grace H."), user("U3", NULL)};
	struct slice gone[] = {SLICE("U1"), SLICE("unheard of")};
	struct room_update u = update(5, 8);
	assert_int_equal(take_full(&r), OK);
	users[0].has_vote = true;
	u.users = users;
	u.users_n = 2;
	u.with_users = true;
	u.gone = (struct slices){gone, 2};
	u.with_gone = true;
	assert_int_equal(replica_update(&r, &u), OK);
	assert_int_equal(r.version, 8);
	assert_int_equal(r.users.n, 2);
	assert_string_equal(replica_member_at(&r, 0)->username.data, "Grace H.");
	assert_true(replica_member_at(&r, 0)->has_vote);
	assert_null(replica_member_at(&r, 1)->username.data);
	assert_string_equal(r.room.title.data, "Sprint");
	replica_finish(&r);
}

static enum err take_users(struct replica *r, struct user_view *users, size_t n, bool votes_cleared)
{
	struct room_update u = update(r->version, r->version + 1);
	u.users = users;
	u.users_n = n;
	u.with_users = n > 0;
	u.votes_cleared = u.with_votes_cleared = votes_cleared;
	return replica_update(r, &u);
}

TEST(test_what_an_update_does_not_say_of_a_user_stays)
{
	struct replica r = {0};
	assert_int_equal(take_full(&r), OK);
	struct user_view votes = {.user_id = SLICE("U2"), .has_vote = true, .with_has_vote = true};
	assert_int_equal(take_users(&r, &votes, 1, false), OK);
	struct user_view opens = {.user_id = SLICE("U2"),
				  .vote = SLICE("3"),
				  .with_vote = true,
				  .note = SLICE("too big"),
				  .with_note = true,
				  .confidence = 2,
				  .with_confidence = true,
				  .is_changed = true,
				  .with_is_changed = true};
	assert_int_equal(take_users(&r, &opens, 1, false), OK);
	const struct user_view *grace = replica_member(&r, "U2");
	assert_string_equal(grace->username.data, "Grace");
	assert_true(grace->is_connected && grace->has_vote && grace->is_changed);
	assert_string_equal(grace->vote.data, "3");
	assert_string_equal(grace->note.data, "too big");
	assert_int_equal(grace->confidence, 2);
	struct user_view goes = {.user_id = SLICE("U2"), .with_is_connected = true};
	assert_int_equal(take_users(&r, &goes, 1, false), OK);
	grace = replica_member(&r, "U2"); /* an update may move them */
	assert_false(grace->is_connected);
	assert_string_equal(grace->vote.data, "3");
	/* nil takes away. */
	struct user_view hides = {.user_id = SLICE("U2"),
				  .with_username = true,
				  .with_vote = true,
				  .with_note = true,
				  .with_confidence = true,
				  .with_is_changed = true};
	assert_int_equal(take_users(&r, &hides, 1, false), OK);
	grace = replica_member(&r, "U2");
	assert_null(grace->username.data);
	assert_null(grace->vote.data);
	assert_null(grace->note.data);
	assert_int_equal(grace->confidence, 0);
	assert_true(grace->has_vote && !grace->is_changed);
	assert_int_equal(r.users.n, 2);
	replica_finish(&r);
}

TEST(test_all_votes_are_cleared_before_those_that_an_update_brings)
{
	struct replica r = {0};
	struct user_view open[] = {user("U1", "Ada"), user("U2", "Grace")};
	assert_int_equal(take_full(&r), OK);
	for (size_t i = 0; i < 2; i++) {
		open[i].has_vote = open[i].with_vote = true;
		open[i].vote = SLICE("2");
		open[i].note = SLICE("why");
		open[i].with_note = true;
	}
	assert_int_equal(take_users(&r, open, 2, false), OK);
	struct user_view again = {.user_id = SLICE("U1"), .has_vote = true, .with_has_vote = true};
	assert_int_equal(take_users(&r, &again, 1, true), OK);
	assert_true(replica_member_at(&r, 0)->has_vote);
	assert_false(replica_member_at(&r, 1)->has_vote);
	for (size_t i = 0; i < 2; i++) {
		assert_null(replica_member_at(&r, i)->vote.data);
		assert_null(replica_member_at(&r, i)->note.data);
		assert_non_null(replica_member_at(&r, i)->username.data);
	}
	assert_int_equal(take_users(&r, NULL, 0, true), OK);
	assert_false(replica_member_at(&r, 0)->has_vote);
	replica_finish(&r);
}

TEST(test_an_update_that_does_not_follow_changes_nothing)
{
	struct replica r = {0};
	struct room_update gap = update(6, 7);
	struct room_update early = update(4, 6);
	struct room_update elsewhen = update(5, 6);
	assert_int_equal(replica_update(&r, &gap), ERR_CONFLICT);
	assert_false(r.has_state);
	assert_int_equal(take_full(&r), OK);
	elsewhen.epoch = 8;
	assert_int_equal(replica_update(&r, &gap), ERR_CONFLICT);
	assert_int_equal(replica_update(&r, &early), ERR_CONFLICT);
	assert_int_equal(replica_update(&r, &elsewhen), ERR_CONFLICT);
	assert_int_equal(r.version, 5);
	assert_int_equal(r.epoch, 7);
	replica_finish(&r);
}

TEST(test_a_repeat_is_no_change)
{
	struct replica r = {0};
	struct room_update repeat = update(3, 5);
	struct slice gone[] = {SLICE("U1")};
	assert_int_equal(take_full(&r), OK);
	repeat.gone = (struct slices){gone, 1};
	repeat.with_gone = true;
	assert_int_equal(replica_update(&r, &repeat), OK);
	assert_int_equal(r.users.n, 2);
	replica_finish(&r);
}

TEST(test_a_full_update_of_another_epoch_replaces_everything)
{
	struct replica r = {0};
	struct room_update u = update(1, 1);
	assert_int_equal(take_full(&r), OK);
	u.epoch = 99;
	u.full = u.with_full = true;
	assert_int_equal(replica_update(&r, &u), ERR_CONFLICT); /* whole means with the room */
	u.room = view(true);
	u.with_room = true;
	assert_int_equal(replica_update(&r, &u), OK);
	assert_int_equal(r.epoch, 99);
	assert_int_equal(r.version, 1);
	assert_int_equal(r.users.n, 0);
	assert_true(r.room.is_revealed);
	replica_finish(&r);
}

TEST(test_news_of_another_room_is_passed_over)
{
	struct replica r = {0};
	struct room_update u = update(5, 6);
	struct room_you y = {.room_id = SLICE("AAAAAA"),
			     .user_id = SLICE("U9"),
			     .role = ROLE_VOTER};
	assert_int_equal(take_full(&r), OK);
	u.room_id = SLICE("AAAAAA");
	assert_int_equal(replica_update(&r, &u), OK);
	assert_int_equal(r.version, 5);
	replica_you(&r, &y);
	assert_null(r.you.user_id.data);
	replica_finish(&r);
}

TEST(test_hostile_text_is_safe_to_draw)
{
	static const char *const names[] = {"\033[2J\007boom", "a\nb",
					    ("abc\xe2\x80\xae"
					     "cba"),
					    "\xff\xfe", "x\xe2\x80\x8by"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct replica r = {0};
		struct user_view users[] = {user("U1", names[i])};
		struct room_update u = update(1, 1);
		u.full = u.with_full = true;
		u.room = view(false);
		u.room.title = slice_str(names[i]);
		u.with_room = true;
		u.users = users;
		u.users_n = 1;
		u.with_users = true;
		assert_int_equal(replica_update(&r, &u), OK);
		for (const char *at = replica_member_at(&r, 0)->username.data; *at != '\0'; at++) {
			assert_true((unsigned char)*at >= ' ' && *at != 0x7f);
		}
		assert_null(strstr(replica_member_at(&r, 0)->username.data, "\xe2\x80\xae"));
		assert_null(strstr(r.room.title.data, "\xe2\x80\x8b"));
		replica_finish(&r);
	}
}

TEST(test_what_only_we_may_know_comes_from_you)
{
	struct replica r = {0};
	struct room_you y = {
		.room_id = SLICE("K7QX3M"),
		.user_id = SLICE("U1"),
		.username = SLICE("Ada"),
		.vote = SLICE("3"),
		.role = ROLE_SPECTATOR,
		.is_host = true,
	};
	replica_you(&r, &y);
	assert_string_equal(r.you.user_id.data, "U1");
	assert_string_equal(r.you.username.data, "Ada");
	assert_string_equal(r.you.vote.data, "3");
	assert_true(r.you.role == ROLE_SPECTATOR);
	assert_true(r.you.is_host);
	y.vote = (struct slice){0};
	replica_you(&r, &y);
	assert_null(r.you.vote.data);
	replica_finish(&r);
}

TEST(test_only_present_people_who_vote_are_counted)
{
	struct replica r = {0};
	struct user_view users[] = {user("1", "Ada"),	user("2", "Bot"), user("3", "Away"),
				    user("4", "Looks"), user("5", NULL),  user("6", "Grace")};
	struct room_update u = update(1, 1);
	size_t voters;
	size_t voted;
	users[0].has_vote = users[1].has_vote = users[2].has_vote = true;
	users[1].is_bot = true;
	users[2].is_connected = false;
	users[3].role = ROLE_SPECTATOR;
	u.full = u.with_full = true;
	u.room = view(false);
	u.with_room = true;
	u.users = users;
	u.users_n = 6;
	u.with_users = true;
	assert_int_equal(replica_update(&r, &u), OK);
	replica_count_votes(&r, &voters, &voted);
	assert_int_equal(voters, 2);
	assert_int_equal(voted, 1);
	replica_finish(&r);
}

/* As many as a room takes, each as short as it can be: more values in fewer bytes than anything
 * else we are sent. */
TEST(test_the_largest_room_travels_and_is_taken)
{
	struct room_update u = update(1, 1);
	struct room_update read;
	struct replica r = {0};
	struct arena arena = {0};
	struct fault fault;
	struct buf bytes;
	char(*ids)[8] = calloc(MAX_ROOM_SEATS, sizeof(*ids));
	u.users = calloc(MAX_ROOM_SEATS, sizeof(*u.users));
	assert_non_null(ids);
	assert_non_null(u.users);
	for (size_t i = 0; i < MAX_ROOM_SEATS; i++) {
		format_to(ids[i], sizeof(ids[i]), "%zu", i);
		u.users[i] = user(ids[i], NULL);
	}
	u.users_n = MAX_ROOM_SEATS;
	u.with_users = u.full = u.with_full = u.with_room = true;
	u.room = view(false);
	buf_init(&bytes, 4 << 20);
	record_write(&record_room_update, &u, &bytes);
	assert_int_equal(bytes.error, OK);
	assert_int_equal(record_from_bytes(&record_room_update, buf_slice(&bytes), RECORD_LENIENT,
					   &arena, &read, &fault),
			 OK);
	assert_int_equal(replica_update(&r, &read), OK);
	assert_int_equal(r.users.n, MAX_ROOM_SEATS);
	replica_finish(&r);
	arena_finish(&arena);
	buf_finish(&bytes);
	free(u.users);
	free(ids);
}

/* ---- narration ---- */

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
					     .median = 2,
					     .with_median = true,
					     .agreement_percent = 50};
	u.with_room = u.room.with_result = true;
	assert_int_equal(replica_update(&r, &u), OK);
	told(&n, &r,
	     "Ada has voted (2 of 2).\nThe cards lie open: Ada 1, Grace 3.\n"
	     "Average 2, median 2, agreement 50 %.\n");
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
	y.note = SLICE("too big");
	y.confidence = 2;
	y.with_vote = y.with_note = y.with_confidence = true;
	replica_you(&r, &y);
	told(&n, &r, "Your card is 3.\nYour note: too big\nYou are fairly sure.\n");
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
	told(&n, &r, "Your card 8 is not in the new deck: choose again.\n");
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
	     "The cards lie open: nobody has voted.\n1 vote was withdrawn: no longer in the "
	     "deck.\n");
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
	     "Only how many have voted is shown now, not who.\n"
	     "1 of 2 have voted.\n");
	assert_int_equal(take_policy(&r, true, false, 2, NULL, 0), OK);
	told(&n, &r, "2 of 2 have voted.\n");
	replica_count_votes(&r, &voters, &voted);
	assert_int_equal(voters, 2);
	assert_int_equal(voted, 2);
	assert_int_equal(take_policy(&r, false, false, -1, &grace, 1), OK);
	told(&n, &r, "Who has voted is shown now.\nGrace has voted (1 of 2).\n");
	narrate_finish(&n);
	replica_finish(&r);
}
