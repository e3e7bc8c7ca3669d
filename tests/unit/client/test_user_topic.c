/*
 * test_user_topic.c - a user's sessions and rooms: a state, then changes of it by version.
 */
#include <stdio.h>

#include "client/model/lists/user_topic.h"
#include "tests/support/test.h"

static struct session_view sessions[] = {{.session_id = {"S1", 2}, .expires_at = 9},
					 {.session_id = {"S2", 2}, .expires_at = 10}};
static struct slice rooms[] = {{"K7QX3M", 6}, {"ABCDEF", 6}};

/* Version 5: two sessions, the first of them the connection's, and one room. */
static struct session_watch_result state_of(void)
{
	return (struct session_watch_result){
		.version = 5,
		.session_id = SLICE("S1"),
		.user_id = SLICE("U1"),
		.user_name = SLICE("Ada"),
		.sessions = sessions,
		.sessions_n = 2,
		.rooms = {rooms, 1},
	};
}

static struct user_topic known(void)
{
	struct user_topic u = {0};
	struct session_watch_result r = state_of();
	user_topic_set(&u, &r);
	return u;
}

static struct session_update update_of(int64_t since)
{
	return (struct session_update){.since = since, .version = since + 1};
}

TEST(test_a_state_replaces_what_was_known)
{
	struct user_topic u = known();
	struct session_watch_result r = state_of();
	assert_int_equal(u.version, 5);
	assert_string_equal(u.is->user_name.data, "Ada");
	assert_int_equal(u.sessions.n, 2);
	assert_string_equal(((const struct user_room *)u.rooms.items[0])->room_id.data, "K7QX3M");
	r.version = 1; /* of another connection */
	r.sessions_n = 1;
	r.rooms.n = 2;
	user_topic_set(&u, &r);
	assert_int_equal(u.version, 1);
	assert_int_equal(u.sessions.n, 1);
	assert_int_equal(u.rooms.n, 2);
	user_topic_finish(&u);
}

TEST(test_changes_are_applied_in_order)
{
	struct user_topic u = known();
	struct user_topic_news news;
	struct session_update up = update_of(5);
	up.with_started = true;
	up.started = (struct session_view){.session_id = SLICE("S3")};
	assert_int_equal(user_topic_apply(&u, &up, &news), USER_TOPIC_APPLIED);
	assert_true(news.has_started && !news.is_over);
	assert_int_equal(u.sessions.n, 3);
	up = update_of(6);
	up.with_ended = true;
	up.ended = SLICE("S2");
	assert_int_equal(user_topic_apply(&u, &up, &news), USER_TOPIC_APPLIED);
	assert_true(news.has_ended && !news.is_over);
	assert_string_equal(((const struct session_view *)u.sessions.items[1])->session_id.data,
			    "S3");
	up = update_of(7);
	up.with_joined = up.with_left = true;
	up.joined = rooms[1];
	up.left = rooms[0];
	assert_int_equal(user_topic_apply(&u, &up, &news), USER_TOPIC_APPLIED);
	assert_true(news.has_joined && news.has_left);
	assert_int_equal(u.rooms.n, 1);
	assert_string_equal(((const struct user_room *)u.rooms.items[0])->room_id.data, "ABCDEF");
	up = update_of(8);
	up.with_ended = true;
	up.ended = SLICE("S1");
	assert_int_equal(user_topic_apply(&u, &up, &news), USER_TOPIC_APPLIED);
	assert_true(news.is_over);
	assert_int_equal(u.version, 9);
	user_topic_finish(&u);
}

TEST(test_the_session_of_the_connection_gets_another_name)
{
	struct user_topic u = known();
	struct user_topic_news news;
	struct session_update up = update_of(5);
	up.with_renamed = true;
	up.renamed = (struct session_renamed){.session_id = SLICE("S2"), .user_name = SLICE("Bob")};
	assert_int_equal(user_topic_apply(&u, &up, &news), USER_TOPIC_APPLIED);
	assert_false(news.has_name);
	up.since = 6;
	up.version = 7;
	up.renamed.session_id = SLICE("S1");
	assert_int_equal(user_topic_apply(&u, &up, &news), USER_TOPIC_APPLIED);
	assert_true(news.has_name);
	assert_string_equal(u.is->user_name.data, "Bob");
	assert_int_equal(u.sessions.n, 2);
	user_topic_finish(&u);
}

TEST(test_what_is_known_changes_nothing)
{
	struct user_topic u = known();
	struct user_topic_news news;
	struct session_update up = update_of(5);
	up.with_started = up.with_ended = up.with_joined = up.with_left = true;
	up.started = sessions[1];
	up.ended = SLICE("S9");
	up.joined = rooms[0];
	up.left = rooms[1];
	assert_int_equal(user_topic_apply(&u, &up, &news), USER_TOPIC_APPLIED);
	assert_false(news.has_started || news.has_ended || news.has_joined || news.has_left);
	assert_int_equal(u.sessions.n, 2);
	assert_int_equal(u.rooms.n, 1);
	user_topic_finish(&u);
}

TEST(test_versions_say_what_fits)
{
	struct user_topic u = {0};
	struct user_topic_news news;
	struct session_update up = update_of(5);
	assert_int_equal(user_topic_apply(&u, &up, &news), USER_TOPIC_AGAIN);
	u = known();
	up = update_of(4);
	up.with_left = true;
	up.left = rooms[0];
	assert_int_equal(user_topic_apply(&u, &up, &news), USER_TOPIC_OLD);
	up = update_of(6);
	assert_int_equal(user_topic_apply(&u, &up, &news), USER_TOPIC_AGAIN);
	up = (struct session_update){.since = 5, .version = 5, .with_reset = true, .reset = true};
	assert_int_equal(user_topic_apply(&u, &up, &news), USER_TOPIC_AGAIN);
	up = (struct session_update){.since = 3, .version = 7}; /* several in one */
	assert_int_equal(user_topic_apply(&u, &up, &news), USER_TOPIC_APPLIED);
	assert_int_equal(u.version, 7);
	assert_int_equal(u.rooms.n, 1);
	user_topic_finish(&u);
}

TEST(test_the_same_state_is_known_in_any_order)
{
	struct user_topic u = known();
	struct session_watch_result r = state_of();
	struct session_view turned[] = {sessions[1], sessions[0]};
	r.version = 1;
	r.sessions = turned;
	turned[0].expires_at = 99;
	assert_true(user_topic_is(&u, &r));
	turned[0].session_id = SLICE("S3");
	assert_false(user_topic_is(&u, &r));
	r = state_of();
	r.rooms.n = 2;
	assert_false(user_topic_is(&u, &r));
	r = state_of();
	r.user_name = SLICE("Grace");
	assert_false(user_topic_is(&u, &r));
	user_topic_finish(&u);
}

/* What a list has twice counts once, and a server cannot make it grow for ever. */
TEST(test_a_user_has_each_of_them_once_and_not_too_many)
{
	struct user_topic u = known();
	struct user_topic_news news;
	struct session_watch_result r = state_of();
	struct slice same[] = {rooms[0], rooms[1], rooms[0]};
	r.rooms = (struct slices){same, 3};
	user_topic_set(&u, &r);
	assert_int_equal(u.rooms.n, 2);
	struct session_update up = update_of(5);
	up.with_started = true;
	for (int i = 0; u.version < up.version; i++) {
		char id[16];
		snprintf(id, sizeof(id), "N%d", i);
		up.started = (struct session_view){.session_id = slice_str(id)};
		if (user_topic_apply(&u, &up, &news) == USER_TOPIC_AGAIN) {
			break;
		}
		up = update_of(up.version);
		up.with_started = true;
	}
	assert_int_equal(u.sessions.n, USER_TOPIC_MAX);
	user_topic_finish(&u);
}
