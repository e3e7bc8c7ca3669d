/*
 * test_replica.c - the copy of a room takes every update whole or not at all.
 */
#include "proto/base/format.h"
#include "tests/unit/client/replica_kit.h"

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

TEST(test_what_an_update_does_not_say_of_a_user_stays)
{
	struct replica r = {0};
	assert_int_equal(take_full(&r), OK);
	struct user_view votes = {.user_id = SLICE("U2"), .has_vote = true, .with_has_vote = true};
	assert_int_equal(take_users(&r, &votes, 1, false), OK);
	struct user_view opens = {.user_id = SLICE("U2"),
				  .vote = SLICE("3"),
				  .with_vote = true,
				  .comment = SLICE("too big"),
				  .with_comment = true,
				  .confidence = 2,
				  .with_confidence = true,
				  .is_changed = true,
				  .with_is_changed = true};
	assert_int_equal(take_users(&r, &opens, 1, false), OK);
	const struct user_view *grace = replica_member(&r, "U2");
	assert_string_equal(grace->username.data, "Grace");
	assert_true(grace->is_connected && grace->has_vote && grace->is_changed);
	assert_string_equal(grace->vote.data, "3");
	assert_string_equal(grace->comment.data, "too big");
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
				  .with_comment = true,
				  .with_confidence = true,
				  .with_is_changed = true};
	assert_int_equal(take_users(&r, &hides, 1, false), OK);
	grace = replica_member(&r, "U2");
	assert_null(grace->username.data);
	assert_null(grace->vote.data);
	assert_null(grace->comment.data);
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
		open[i].comment = SLICE("why");
		open[i].with_comment = true;
	}
	assert_int_equal(take_users(&r, open, 2, false), OK);
	struct user_view again = {.user_id = SLICE("U1"), .has_vote = true, .with_has_vote = true};
	assert_int_equal(take_users(&r, &again, 1, true), OK);
	assert_true(replica_member_at(&r, 0)->has_vote);
	assert_false(replica_member_at(&r, 1)->has_vote);
	for (size_t i = 0; i < 2; i++) {
		assert_null(replica_member_at(&r, i)->vote.data);
		assert_null(replica_member_at(&r, i)->comment.data);
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

TEST(test_own_votes_on_open_stories_change_one_by_one_and_all_together)
{
	struct replica r = {0};
	struct own_vote votes[] = {{.story_id = SLICE("S1"), .vote = SLICE("3")},
				   {.story_id = SLICE("S2"), .vote = SLICE("5")}};
	struct own_vote retracted = {.story_id = SLICE("S1")};
	struct story_view first = {.story_id = SLICE("S1")}, second = {.story_id = SLICE("S2")};
	struct room_you y = {.room_id = SLICE("K7QX3M"), .user_id = SLICE("U1")};
	y.story_votes = votes;
	y.story_votes_n = 2;
	y.all_story_votes = true;
	replica_you(&r, &y);
	assert_string_equal(replica_own_story_vote(&r, &first)->vote.data, "3");
	assert_string_equal(replica_own_story_vote(&r, &second)->vote.data, "5");
	y.story_votes = &retracted;
	y.story_votes_n = 1;
	y.all_story_votes = false;
	replica_you(&r, &y);
	assert_null(replica_own_story_vote(&r, &first));
	assert_non_null(replica_own_story_vote(&r, &second));
	/* All there are: one that is not among them has gone. */
	y.story_votes = votes;
	y.all_story_votes = true;
	replica_you(&r, &y);
	assert_non_null(replica_own_story_vote(&r, &first));
	assert_null(replica_own_story_vote(&r, &second));
	replica_finish(&r);
}

TEST(test_a_barred_member_is_found_by_id_and_by_a_name_that_is_the_only_one)
{
	struct replica r = {0};
	struct barred_view barred[] = {{.user_id = SLICE("U5"), .username = SLICE("Eve")},
				       {.user_id = SLICE("U6"), .username = SLICE("Mallory")},
				       {.user_id = SLICE("U7"), .username = SLICE("Eve")}};
	struct room_you y = {.room_id = SLICE("K7QX3M"), .user_id = SLICE("U1")};
	y.barred = barred;
	y.barred_n = 3;
	replica_you(&r, &y);
	assert_string_equal(replica_barred(&r, "U7"), "U7");
	assert_string_equal(replica_barred(&r, "Mallory"), "U6");
	assert_null(replica_barred(&r, "Eve"));
	assert_null(replica_barred(&r, "Bob"));
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
	/* Where who voted is hidden, the number has the votes of those who are away. */
	for (size_t i = 0; i < 6; i++) {
		users[i].has_vote = false;
	}
	u.version = 2;
	u.room.policy.hide_who_voted = true;
	u.votes_n = 2;
	u.with_votes_n = true;
	assert_int_equal(replica_update(&r, &u), OK);
	replica_count_votes(&r, &voters, &voted);
	assert_int_equal(voters, 3);
	assert_int_equal(voted, 2);
	u = update(2, 3); /* of something else */
	assert_int_equal(replica_update(&r, &u), OK);
	replica_count_votes(&r, &voters, &voted);
	assert_int_equal(voted, 2);
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
