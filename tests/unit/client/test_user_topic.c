/*
 * test_user_topic.c - a user's sessions and rooms: a state, then changes of it by version.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/model/user_topic.h"
#include "tests/support/heap.h"

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
	assert_int_equal(user_topic_set(&u, &r), OK);
	return u;
}

static struct session_update update_of(int64_t since)
{
	return (struct session_update){.since = since, .version = since + 1};
}

static void test_a_state_replaces_what_was_known(void **state)
{
	struct user_topic u = known();
	struct session_watch_result r = state_of();
	(void)state;
	assert_int_equal(u.version, 5);
	assert_string_equal(u.user_name, "Ada");
	assert_int_equal(u.sessions_n, 2);
	assert_string_equal(u.rooms[0].room_id, "K7QX3M");
	r.version = 1; /* of another connection */
	r.sessions_n = 1;
	r.rooms.n = 2;
	assert_int_equal(user_topic_set(&u, &r), OK);
	assert_int_equal(u.version, 1);
	assert_int_equal(u.sessions_n, 1);
	assert_int_equal(u.rooms_n, 2);
	user_topic_finish(&u);
}

static void test_changes_are_applied_in_order(void **state)
{
	struct user_topic u = known();
	struct user_topic_news news;
	struct session_update up = update_of(5);
	(void)state;
	up.with_started = true;
	up.started = (struct session_view){.session_id = SLICE("S3")};
	assert_int_equal(user_topic_apply(&u, &up, &news), USER_TOPIC_APPLIED);
	assert_true(news.has_started && !news.is_over);
	assert_int_equal(u.sessions_n, 3);
	up = update_of(6);
	up.with_ended = true;
	up.ended = SLICE("S2");
	assert_int_equal(user_topic_apply(&u, &up, &news), USER_TOPIC_APPLIED);
	assert_true(news.has_ended && !news.is_over);
	assert_string_equal(u.sessions[1].session_id, "S3");
	up = update_of(7);
	up.with_joined = up.with_left = true;
	up.joined = rooms[1];
	up.left = rooms[0];
	assert_int_equal(user_topic_apply(&u, &up, &news), USER_TOPIC_APPLIED);
	assert_true(news.has_joined && news.has_left);
	assert_int_equal(u.rooms_n, 1);
	assert_string_equal(u.rooms[0].room_id, "ABCDEF");
	up = update_of(8);
	up.with_ended = true;
	up.ended = SLICE("S1");
	assert_int_equal(user_topic_apply(&u, &up, &news), USER_TOPIC_APPLIED);
	assert_true(news.is_over);
	assert_int_equal(u.version, 9);
	user_topic_finish(&u);
}

static void test_what_is_known_changes_nothing(void **state)
{
	struct user_topic u = known();
	struct user_topic_news news;
	struct session_update up = update_of(5);
	(void)state;
	up.with_started = up.with_ended = up.with_joined = up.with_left = true;
	up.started = sessions[1];
	up.ended = SLICE("S9");
	up.joined = rooms[0];
	up.left = rooms[1];
	assert_int_equal(user_topic_apply(&u, &up, &news), USER_TOPIC_APPLIED);
	assert_false(news.has_started || news.has_ended || news.has_joined || news.has_left);
	assert_int_equal(u.sessions_n, 2);
	assert_int_equal(u.rooms_n, 1);
	user_topic_finish(&u);
}

static void test_versions_say_what_fits(void **state)
{
	struct user_topic u = {0};
	struct user_topic_news news;
	struct session_update up = update_of(5);
	(void)state;
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
	assert_int_equal(u.rooms_n, 1);
	user_topic_finish(&u);
}

static void test_the_same_state_is_known_in_any_order(void **state)
{
	struct user_topic u = known();
	struct session_watch_result r = state_of();
	struct session_view turned[] = {sessions[1], sessions[0]};
	(void)state;
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

/* A change that does not fit in memory, or has an id of no form, changes nothing. */
static void test_it_is_all_or_nothing(void **state)
{
	struct user_topic u = known();
	struct user_topic_news news;
	struct session_watch_result r = state_of();
	char long_id[70] = {0};
	(void)state;
	memset(long_id, 'X', sizeof(long_id));
	struct session_update up = update_of(5);
	up.with_left = up.with_started = true;
	up.left = rooms[0];
	up.started = (struct session_view){.session_id = {long_id, sizeof(long_id)}};
	assert_int_equal(user_topic_apply(&u, &up, &news), USER_TOPIC_AGAIN);
	assert_int_equal(u.rooms_n, 1);
	assert_int_equal(u.version, 5);
	rooms[1].data = "";
	rooms[1].len = 0;
	r.rooms.n = 2;
	assert_int_equal(user_topic_set(&u, &r), ERR_TOO_LARGE);
	rooms[1] = SLICE("ABCDEF");
	assert_int_equal(u.rooms_n, 1);
	bool is_over = false;
	for (size_t nth = 0; !is_over; nth++) {
		heap_fail_nth(nth, false);
		enum err e = user_topic_set(&u, &r);
		is_over = !heap_has_failed();
		heap_fail_never();
		assert_int_equal(e, is_over ? OK : ERR_NOMEM);
		assert_int_equal(u.rooms_n, is_over ? 2 : 1);
	}
	while (u.sessions_n < u.sessions_cap) {
		u.sessions[u.sessions_n++] = u.sessions[1];
	}
	up.started = (struct session_view){.session_id = SLICE("S3")};
	heap_fail_nth(0, false);
	assert_int_equal(user_topic_apply(&u, &up, &news), USER_TOPIC_AGAIN);
	heap_fail_never();
	assert_int_equal(u.rooms_n, 2);
	user_topic_finish(&u);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_state_replaces_what_was_known),
		cmocka_unit_test(test_changes_are_applied_in_order),
		cmocka_unit_test(test_what_is_known_changes_nothing),
		cmocka_unit_test(test_versions_say_what_fits),
		cmocka_unit_test(test_the_same_state_is_known_in_any_order),
		cmocka_unit_test(test_it_is_all_or_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
