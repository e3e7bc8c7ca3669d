/*
 * test_life.c - how long rooms live, how their end is announced, and what it
 * costs when many end at once.
 */
#include "tests/unit/server/table.h"

#include <stdio.h>

static bool is_there(struct table *t)
{
	return rig_stored(&t->r, "ROOM") == 1;
}

static struct rig_peer *watch(struct table *t)
{
	struct rig_peer *p = rig_guest(&t->r, "watcher");
	rig_follow(p, "");
	rig_forget(p);
	return p;
}

/* An hour, and the minute that the table may be late. */
TABLE_TEST(test_it_lives_an_hour_from_its_last_connected_member, t)
{
	rig_cut(t->bob);
	rig_advance(&t->r, 3 * HOUR_MS + 17 * MINUTE_MS);
	rig_cut(t->ada);
	rig_advance(&t->r, HOUR_MS - 1);
	assert_true(is_there(t));
	rig_advance(&t->r, 2 * MINUTE_MS);
	assert_false(is_there(t));
}

TABLE_TEST(test_leaving_does_not_extend_it, t)
{
	struct rig_peer *script = rig_guest(&t->r, "script");
	rig_cut(t->ada);
	rig_cut(t->bob);
	rig_advance(&t->r, 5 * MINUTE_MS);
	rig_must(script, "leave", "'user_key':'%s'", t->bob->user_key);
	rig_must(script, "delete_user", "'user_key':'%s'", t->ada->user_key);
	rig_advance(&t->r, 57 * MINUTE_MS);
	assert_false(is_there(t));
}

TABLE_TEST(test_a_vote_extends_it, t)
{
	struct rig_peer *script = rig_guest(&t->r, "script");
	rig_cut(t->ada);
	rig_cut(t->bob);
	rig_advance(&t->r, 9 * MINUTE_MS);
	rig_must(script, "vote", "'vote':'5','user_key':'%s'", t->bob->user_key);
	rig_advance(&t->r, HOUR_MS - 1);
	assert_true(is_there(t));
	rig_advance(&t->r, 2 * MINUTE_MS);
	assert_false(is_there(t));
}

TABLE_TEST(test_a_spectator_does_not_keep_it_and_is_warned, t)
{
	struct rig_peer *p = watch(t);
	rig_cut(t->ada);
	rig_cut(t->bob);
	int64_t warned[3] = {0};
	size_t n = 0;
	int64_t began = t->r.mono_ms;
	for (; rig_count(p, "room.expired") == 0; rig_advance(&t->r, 1000)) {
		assert_true(t->r.mono_ms - began < 2 * HOUR_MS);
		while (rig_count(p, "room.expiring") > n) {
			assert_in_range(n, 0, 1);
			warned[n++] = t->r.mono_ms;
		}
	}
	int64_t ended = t->r.mono_ms;
	assert_int_equal(n, 2);
	assert_in_range(ended - began, HOUR_MS - 1000, HOUR_MS + 2 * MINUTE_MS);
	assert_in_range(ended - warned[0], 5 * MINUTE_MS - 2000, 5 * MINUTE_MS + 2000);
	assert_in_range(ended - warned[1], MINUTE_MS - 2000, MINUTE_MS + 2000);
	assert_false(is_there(t));
	assert_string_equal(rig_code(p, "get", RIG_NONE), "ROOM_NOT_FOUND");
	rig_cut(p);
}

/* Whoever comes when half a minute is left, as in a room that lives no longer. */
TABLE_TEST(test_a_short_life_is_warned_of_once, t)
{
	rig_cut(t->ada);
	rig_cut(t->bob);
	t->r.wall_ms += HOUR_MS - MINUTE_MS / 2;
	rig_crash(&t->r);
	struct rig_peer *p = rig_guest(&t->r, "watcher");
	rig_follow(p, "");
	for (size_t i = 0; i < 20; i++) {
		rig_advance(&t->r, 1000);
	}
	assert_int_equal(rig_count(p, "room.expiring"), 1);
	rig_cut(p);
}

/*
 * Its full update stands behind the warning that the same unit of work sends to the others. That unit comes
 * together while a commit is on its way: the one that forgets the result of set_title, a day old.
 */
TABLE_TEST(test_a_subscriber_that_begins_with_the_warning_is_warned_too, t)
{
	struct rig_peer *p = watch(t);
	struct rig_peer *late = rig_guest(&t->r, "late");
	rig_must(t->ada, "set_title", "'title':'x','idempotency_key':'0123456789abcdef'");
	rig_advance(&t->r, 5 * MINUTE_MS + 2000);
	rig_must(t->ada, "keep", "'days':1");
	rig_cut(t->ada);
	rig_cut(t->bob);
	rig_advance(&t->r, DAY_MS - 5 * MINUTE_MS - 3000);
	rig_hold(&t->r);
	rig_advance(&t->r, 2000);
	uint32_t subscribe = rig_send(late, "subscribe", RIG_NONE);
	rig_advance(&t->r, 1000);
	assert_int_equal(rig_count(p, "room.expiring"), 0);
	rig_release(&t->r);
	assert_string_equal(rig_outcome(late, subscribe), "ok");
	assert_string_equal(rig_heard(late), "room.you room.update");
	assert_int_equal(rig_count(p, "room.expiring"), 1);
	rig_advance(&t->r, 1);
	assert_int_equal(rig_count(late, "room.expiring"), 1);
	assert_int_equal(rig_count(p, "room.expiring"), 2);
	rig_advance(&t->r, 3 * MINUTE_MS);
	assert_int_equal(rig_count(late, "room.expiring"), 1);
	rig_advance(&t->r, MINUTE_MS);
	assert_int_equal(rig_count(late, "room.expiring"), 2);
	rig_cut(late);
	rig_cut(p);
}

/* It is sent everything anew, which the warning is no part of. */
TABLE_TEST(test_a_reader_that_falls_behind_the_warning_is_warned_when_it_reads, t)
{
	struct rig_peer *slow = watch(t);
	struct rig_peer *quick = watch(t);
	rig_cut(t->ada);
	rig_cut(t->bob);
	rig_advance(&t->r, 40 * MINUTE_MS);
	rig_window(slow, 0);
	for (size_t i = 0; i < 1800 && rig_count(quick, "room.expiring") == 0; i++) {
		rig_advance(&t->r, 1000);
	}
	for (size_t i = 0; i < 40; i++) {
		rig_cut(watch(t));
	}
	assert_int_equal(rig_count(slow, "room.expiring"), 0);
	rig_window(slow, RIG_UNBOUNDED);
	rig_advance(&t->r, 1000);
	assert_int_equal(rig_count(slow, "room.expiring"), 1);
	rig_cut(slow);
	rig_cut(quick);
}

TABLE_TEST(test_one_who_comes_when_others_were_warned_is_warned, t)
{
	struct rig_peer *first = watch(t);
	rig_cut(t->ada);
	rig_cut(t->bob);
	for (size_t i = 0; i < 70 && rig_count(first, "room.expiring") == 0; i++) {
		rig_advance(&t->r, MINUTE_MS);
	}
	struct rig_peer *next = watch(t);
	rig_advance(&t->r, 1000);
	assert_int_equal(rig_count(next, "room.expiring"), 1);
	rig_cut(next);
	rig_cut(first);
}

TABLE_TEST(test_one_who_comes_when_those_warned_have_gone_is_warned, t)
{
	struct rig_peer *first = watch(t);
	rig_cut(t->ada);
	rig_cut(t->bob);
	for (size_t i = 0; i < 70 && rig_count(first, "room.expiring") == 0; i++) {
		rig_advance(&t->r, MINUTE_MS);
	}
	rig_cut(first);
	struct rig_peer *next = watch(t);
	rig_advance(&t->r, 1000);
	assert_int_equal(rig_count(next, "room.expiring"), 1);
	rig_cut(next);
}

TABLE_TEST(test_one_who_comes_when_those_warned_gave_up_their_seats_is_warned, t)
{
	struct rig_peer *first = watch(t);
	rig_cut(t->ada);
	rig_cut(t->bob);
	for (size_t i = 0; i < 70 && rig_count(first, "room.expiring") == 0; i++) {
		rig_advance(&t->r, MINUTE_MS);
	}
	rig_must(first, "delete_user", RIG_NONE);
	struct rig_peer *next = watch(t);
	rig_advance(&t->r, 1000);
	assert_int_equal(rig_count(next, "room.expiring"), 1);
	rig_cut(next);
	rig_cut(first);
}

TABLE_TEST(test_nobody_is_warned_while_a_member_is_there, t)
{
	struct rig_peer *p = watch(t);
	rig_cut(t->bob);
	for (size_t i = 0; i < 300; i++) {
		rig_advance(&t->r, MINUTE_MS);
		assert_int_equal(rig_count(p, "room.expiring"), 0);
		rig_forget(p);
	}
	assert_true(is_there(t));
	rig_must(t->ada, "vote", "'vote':'5'");
}

TABLE_TEST(test_a_member_that_acts_on_the_warning_is_warned_of_the_next_end, t)
{
	struct rig_peer *p = watch(t);
	rig_cut(t->ada);
	rig_cut(t->bob);
	for (size_t i = 0; i < 70 && rig_count(p, "room.expiring") == 0; i++) {
		rig_advance(&t->r, MINUTE_MS);
	}
	assert_int_equal(rig_count(p, "room.expiring"), 1);
	rig_forget(p);
	rig_must(p, "set_title", "'title':'go on','host_key':'%s'", t->r.host_key);
	rig_advance(&t->r, 50 * MINUTE_MS);
	assert_int_equal(rig_count(p, "room.expiring"), 0);
	rig_advance(&t->r, 7 * MINUTE_MS);
	assert_int_equal(rig_count(p, "room.expiring"), 1);
	rig_advance(&t->r, 5 * MINUTE_MS);
	assert_int_equal(rig_count(p, "room.expired"), 1);
	rig_cut(p);
}

TABLE_TEST(test_a_room_that_is_kept_lives_for_days, t)
{
	const char *answer = rig_must(t->ada, "keep", "'days':3");
	char expected[64];
	(void)snprintf(expected, sizeof(expected), "'expires_at':%lld",
		       (long long)(t->r.wall_ms + 3 * DAY_MS));
	assert_non_null(strstr(answer, expected));
	rig_cut(t->ada);
	rig_cut(t->bob);
	rig_advance(&t->r, 2 * DAY_MS);
	rig_crash(&t->r);
	rig_advance(&t->r, DAY_MS - MINUTE_MS);
	assert_true(is_there(t));
	rig_advance(&t->r, 3 * MINUTE_MS);
	assert_int_equal(rig_stored(&t->r, ""), 0);
}

TABLE_TEST(test_only_a_host_may_keep_it_and_not_for_ever, t)
{
	assert_string_equal(rig_code(t->bob, "keep", "'days':1"), "FORBIDDEN");
	assert_string_equal(rig_code(t->ada, "keep", "'days':0"), "VALIDATION_ERROR days");
	assert_string_equal(rig_code(t->ada, "keep", "'days':91"), "VALIDATION_ERROR days");
	assert_string_equal(rig_code(t->ada, "keep", "'days':90"), "ok");
	/* It is not shortened by keeping it for less. */
	rig_must(t->ada, "keep", "'days':1");
	rig_cut(t->ada);
	rig_cut(t->bob);
	rig_advance(&t->r, 2 * DAY_MS);
	assert_true(is_there(t));
}

TABLE_TEST(test_after_a_night_down_it_is_over_for_the_first_to_return, t)
{
	rig_must(t->bob, "vote", "'vote':'5'");
	rig_crash(&t->r);
	t->r.wall_ms += 8 * HOUR_MS;
	struct rig_peer *p = rig_guest(&t->r, "bob");
	assert_string_equal(rig_code(p, "subscribe", "'user_key':'%s'", t->bob->user_key),
			    "ROOM_NOT_FOUND");
	assert_string_equal(rig_code(p, "vote", "'vote':'8','user_key':'%s'", t->bob->user_key),
			    "ROOM_NOT_FOUND");
	assert_string_equal(rig_code(p, "get", RIG_NONE), "ROOM_NOT_FOUND");
	assert_int_equal(rig_stored(&t->r, ""), 0);
}

TABLE_TEST(test_a_clock_set_forward_ends_no_room_in_which_somebody_sits, t)
{
	t->r.wall_ms += 10 * HOUR_MS;
	rig_advance(&t->r, MINUTE_MS);
	assert_true(is_there(t));
	rig_must(t->bob, "vote", "'vote':'5'");
	t->r.wall_ms -= 20 * HOUR_MS;
	rig_advance(&t->r, MINUTE_MS);
	rig_must(t->bob, "vote", "'vote':'8'");
	assert_true(is_there(t));
}

TABLE_TEST(test_an_end_that_is_not_stored_is_tried_again, t)
{
	rig_cut(t->ada);
	rig_cut(t->bob);
	rig_advance(&t->r, 50 * MINUTE_MS);
	rig_fail_commits(&t->r, 1, ERR_IO);
	rig_advance(&t->r, 13 * MINUTE_MS);
	assert_false(is_there(t));
}

/* Thousands due at once, and a vote among them: it waits for one step's worth at most. */
TABLE_TEST(test_many_that_end_at_once_do_not_keep_a_vote_waiting, t)
{
	struct rig_peer *maker = rig_connect_as(&t->r, "maker", PEER_UNIX, 0, true);
	char name[16];
	rig_hello(maker);
	for (int i = 0; i < 5000; i++) {
		(void)snprintf(name, sizeof(name), "n%d", i);
		rig_send(maker, "session.login", "'user_name':'%s'", name);
		if (i % 200 == 0) {
			rig_forget(maker);
			buf_clear(&maker->in);
			maker->read_at = 0;
		}
	}
	rig_cut(maker);
	t->r.wall_ms += HOUR_MS + MINUTE_MS;
	rig_hold(&t->r);
	rig_advance(&t->r, MINUTE_MS / 10);
	size_t commits = t->r.commits;
	for (size_t i = 0; i < 20; i++) {
		/* What is found, what ends, and the vote beside it. */
		uint32_t vote = rig_send(t->bob, "vote", "'vote':'%s'", i % 2 == 0 ? "3" : "5");
		rig_let(&t->r, 1 + MAX_SWEEP_ITEMS);
		rig_let(&t->r, 1 + MAX_SWEEP_ITEMS);
		assert_string_equal(rig_outcome(t->bob, vote), "ok");
		rig_forget(t->bob);
		rig_forget(t->ada);
	}
	assert_true(t->r.commits > commits + 100);
	rig_release(&t->r);
	assert_true(t->r.commits - commits >= 5000); /* a name and its session go together */
}
