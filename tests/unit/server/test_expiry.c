/*
 * test_expiry.c - rooms end when their time is over, and not before.
 */
#include <stdio.h>

#include "tests/support/store_mem.h"
#include "tests/unit/server/table.h"

/* n rooms beside the first one; the server starts again when the life of all is over. */
static void restart_overnight(struct table *t, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		rig_must(t->ada, "room.create", RIG_NONE);
	}
	rig_crash(&t->r);
	t->r.wall_ms += 9 * HOUR_MS;
}

static void leave_all(struct table *t)
{
	rig_cut(t->ada);
	rig_cut(t->bob);
}

static bool is_there(struct table *t)
{
	return rig_stored(&t->r, "ROOM") == 1;
}

TABLE_TEST(test_a_room_ends_an_hour_after_its_last_member_has_gone, t)
{
	leave_all(t);
	rig_advance(&t->r, HOUR_MS - 1000);
	assert_true(is_there(t));
	rig_advance(&t->r, 2 * MINUTE_MS);
	assert_int_equal(rig_stored(&t->r, ""), 0);
	struct rig_peer *bob = rig_guest(&t->r, "bob");
	assert_string_equal(rig_code(bob, "subscribe", "'user_key':'%s'", t->bob->user_key),
			    "ROOM_NOT_FOUND");
	assert_non_null(strstr(t->r.log.data, "event=room_expired"));
	assert_null(strstr(t->r.log.data, t->r.room_id));
	assert_non_null(strstr(t->r.log.data, "event=rooms_expired n=1\n"));
}

TABLE_TEST(test_a_room_does_not_end_while_somebody_is_there, t)
{
	rig_cut(t->bob);
	rig_advance(&t->r, 5 * HOUR_MS);
	assert_true(is_there(t));
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host");
	assert_string_equal(rig_code(t->ada, "vote", "'vote':'5'"), "ok");
	rig_cut(t->ada);
	rig_advance(&t->r, HOUR_MS - 1000);
	assert_true(is_there(t));
	rig_advance(&t->r, 2 * MINUTE_MS);
	assert_false(is_there(t));
}

TABLE_TEST(test_a_change_begins_the_hour_anew, t)
{
	leave_all(t);
	rig_advance(&t->r, 50 * MINUTE_MS);
	struct rig_peer *script = rig_guest(&t->r, "script");
	rig_must(script, "set_title", "'title':'x','host_key':'%s'", t->r.host_key);
	rig_advance(&t->r, 50 * MINUTE_MS);
	assert_true(is_there(t));
	rig_advance(&t->r, 12 * MINUTE_MS);
	assert_false(is_there(t));
}

TABLE_TEST(test_looking_at_a_room_does_not_keep_it, t)
{
	leave_all(t);
	struct rig_peer *script = rig_guest(&t->r, "script");
	for (size_t i = 0; i < 7; i++) {
		rig_advance(&t->r, 10 * MINUTE_MS);
		rig_code(script, "get", RIG_NONE);
	}
	assert_false(is_there(t));
}

TABLE_TEST(test_a_room_that_nobody_ever_entered_ends_too, t)
{
	rig_found(&t->r, t->ada, "");
	rig_advance(&t->r, HOUR_MS + 10000);
	assert_false(is_there(t));
	strcpy(t->ada->room_id, t->bob->room_id);
}

TABLE_TEST(test_rooms_that_ended_overnight_go_after_the_start, t)
{
	restart_overnight(t, 0);
	struct rig_peer *bob = rig_guest(&t->r, "bob");
	rig_advance(&t->r, 10000);
	assert_int_equal(rig_stored(&t->r, ""), 0);
	assert_string_equal(rig_code(bob, "subscribe", "'user_key':'%s'", t->bob->user_key),
			    "ROOM_NOT_FOUND");
	assert_int_equal(server_counters(t->r.server)->rooms_now, 0);
}

TABLE_TEST(test_a_short_night_keeps_everything, t)
{
	rig_must(t->bob, "vote", "'vote':'5'");
	rig_crash(&t->r);
	t->r.wall_ms += HOUR_MS - MINUTE_MS;
	struct rig_peer *bob = rig_return(t->bob, true);
	assert_string_equal(rig_table(bob), "#1 hidden: ada host away, bob voted");
	rig_advance(&t->r, 10 * MINUTE_MS);
	assert_true(is_there(t));
}

TABLE_TEST(test_more_rooms_than_one_go_takes_all_end, t)
{
	for (size_t i = 0; i < 1000; i++) {
		rig_must(t->ada, "room.create", RIG_NONE);
	}
	leave_all(t);
	rig_advance(&t->r, HOUR_MS + 2 * MINUTE_MS);
	assert_int_equal(server_counters(t->r.server)->rooms_ended, 1001);
	assert_int_equal(server_counters(t->r.server)->rooms_now, 0);
}

TABLE_TEST(test_rooms_that_are_due_at_once_do_not_wait_for_one_another, t)
{
	restart_overnight(t, 1000);
	rig_tick(&t->r);
	rig_settle(&t->r);
	assert_int_equal(server_counters(t->r.server)->rooms_ended, 1001);
	assert_int_equal(rig_stored(&t->r, ""), 0);
}

/* The most rooms that are in memory at once, to be looked at, while the store does n things. */
static uint64_t most_at_once(struct table *t, size_t n)
{
	uint64_t most = 0;
	for (size_t i = 0; i < n; i++) {
		rig_let(&t->r, 1);
		uint64_t now = server_counters(t->r.server)->rooms_now;
		most = now > most ? now : most;
	}
	return most;
}

TABLE_TEST(test_beside_people_portions_are_small_also_where_they_follow_at_once, t)
{
	restart_overnight(t, 500);
	rig_hold(&t->r);
	(void)rig_guest(&t->r, "bob");
	/* The first had begun before anybody asked for anything. */
	assert_int_equal(most_at_once(t, 2 * MAX_SWEEP_ITEMS + 1), MAX_SWEEP_ITEMS);
	assert_in_range(most_at_once(t, 200), 8, 40);
	rig_advance(&t->r, 100);
	assert_in_range(most_at_once(t, 300), MAX_SWEEP_ITEMS, MAX_SWEEP_ITEMS + 40);
	rig_release(&t->r);
	rig_advance(&t->r, 10000);
	assert_int_equal(server_counters(t->r.server)->rooms_ended, 501);
}

/* The portions are those of a server that people ask, and none waits for the clock: where the store is quiet, it is idle. */
TABLE_TEST(test_beside_people_the_next_portion_follows_when_the_store_is_quiet, t)
{
	restart_overnight(t, 500);
	rig_hold(&t->r);
	(void)rig_guest(&t->r, "bob");
	assert_int_equal(most_at_once(t, 2 * MAX_SWEEP_ITEMS + 1), MAX_SWEEP_ITEMS);
	assert_in_range(most_at_once(t, 3000), 8, 40);
	assert_int_equal(server_counters(t->r.server)->rooms_ended, 501);
	rig_release(&t->r);
}

/* The rooms that expired, as the log counts them. */
static unsigned long told_expired(struct table *t)
{
	static const char line[] = "event=rooms_expired n=";
	unsigned long n = 0;
	assert_int_equal(buf_append(&t->r.log, "", 1), OK);
	const char *at = t->r.log.data;
	while ((at = strstr(at, line)) != NULL) {
		at += strlen(line);
		n += strtoul(at, NULL, 10);
	}
	t->r.log.len--;
	return n;
}

TABLE_TEST(test_the_log_counts_rooms_that_end_at_once, t)
{
	restart_overnight(t, 1000);
	size_t lines = t->r.log_lines;
	rig_tick(&t->r);
	rig_settle(&t->r);
	assert_int_equal(t->r.log_lines, lines);
	rig_advance(&t->r, 2000);
	assert_int_equal(told_expired(t), 1001);
	assert_int_equal(t->r.log_lines, lines + 1);
}

TABLE_TEST(test_rooms_that_ended_last_are_logged_before_the_server_stops, t)
{
	restart_overnight(t, 0);
	rig_tick(&t->r);
	rig_settle(&t->r);
	assert_int_equal(told_expired(t), 0);
	rig_stop(&t->r);
	assert_int_equal(told_expired(t), 1);
}

/* While commits do not come back, only so many rooms are looked at. */
TABLE_TEST(test_a_busy_store_is_not_given_more_and_more_to_do, t)
{
	restart_overnight(t, 1000);
	size_t loads = t->r.loads;
	rig_hold(&t->r);
	rig_tick(&t->r);
	rig_let(&t->r, 1);
	assert_int_equal(t->r.loads, loads + MAX_SWEEP_ITEMS);
	rig_let(&t->r, MAX_SWEEP_ITEMS);
	rig_settle(&t->r);
	assert_int_equal(t->r.loads, loads + MAX_SWEEP_ITEMS);
	rig_release(&t->r);
	assert_int_equal(server_counters(t->r.server)->rooms_ended, 1001);
}

TABLE_TEST(test_what_cannot_be_removed_is_not_tried_over_and_over, t)
{
	restart_overnight(t, 300);
	rig_fail_commits(&t->r, SIZE_MAX, ERR_IO);
	size_t commits = t->r.commits;
	rig_advance(&t->r, 100);
	assert_in_range(t->r.commits - commits, 1, 4 * MAX_SWEEP_ITEMS);
	rig_fail_commits(&t->r, 0, ERR_IO);
	rig_advance(&t->r, 10000);
	assert_int_equal(rig_stored(&t->r, ""), 0);
	assert_int_equal(server_counters(t->r.server)->rooms_now, 0);
}

/* Of so many that are due first an item is damaged: they stay, and the others do not wait for them. */
TABLE_TEST(test_what_is_damaged_does_not_keep_others, t)
{
	enum { DAMAGED = MAX_SWEEP_ITEMS + 10, ALL = DAMAGED + 20 };
	char pk[ALL][32];
	for (size_t i = 0; i < ALL; i++) {
		char id[16];
		rig_field(rig_must(t->ada, "room.create", RIG_NONE), "room_id", id, sizeof(id));
		(void)snprintf(pk[i], sizeof(pk[i]), "ROOM:%s", id);
		rig_advance(&t->r, 1);
	}
	leave_all(t);
	rig_advance(&t->r, 1);
	for (size_t i = 0; i < DAMAGED; i++) {
		store_mem_damage(t->r.store, slice_str(pk[i]), SLICE("ROOM"));
	}
	restart_overnight(t, 0);
	rig_advance(&t->r, MINUTE_MS);
	assert_int_equal(server_counters(t->r.server)->rooms_ended, 1 + ALL - DAMAGED);
	assert_int_equal(server_counters(t->r.server)->rooms_now, 0);
	/* And those that come later neither. */
	struct rig_peer *bob = rig_guest(&t->r, "bob");
	rig_must(bob, "room.create", RIG_NONE);
	rig_cut(bob);
	rig_advance(&t->r, HOUR_MS + MINUTE_MS);
	assert_int_equal(server_counters(t->r.server)->rooms_ended, 2 + ALL - DAMAGED);
}

TABLE_TEST(test_a_room_whose_end_cannot_be_written_ends_later, t)
{
	leave_all(t);
	rig_advance(&t->r, HOUR_MS - 1000);
	rig_fail_commits(&t->r, 3, ERR_IO);
	store_mem_fail_reads(t->r.store, 2, ERR_IO);
	rig_advance(&t->r, 5 * MINUTE_MS);
	assert_int_equal(rig_stored(&t->r, ""), 0);
}

TABLE_TEST(test_an_index_that_lags_ends_nothing_early, t)
{
	store_mem_delay_indexes(t->r.store, 5);
	leave_all(t);
	rig_advance(&t->r, 50 * MINUTE_MS);
	struct rig_peer *script = rig_guest(&t->r, "script");
	rig_must(script, "set_title", "'title':'x','host_key':'%s'", t->r.host_key);
	rig_advance(&t->r, 50 * MINUTE_MS);
	assert_true(is_there(t));
}

/* promise: never-shorter */
TABLE_TEST(test_a_clock_that_jumps_back_ends_nothing_early, t)
{
	leave_all(t);
	rig_advance(&t->r, 30 * MINUTE_MS);
	t->r.wall_ms -= DAY_MS;
	rig_advance(&t->r, 40 * MINUTE_MS);
	assert_true(is_there(t));
	t->r.wall_ms += DAY_MS;
	rig_advance(&t->r, MINUTE_MS);
	assert_false(is_there(t));
}

TABLE_TEST(test_a_clock_that_jumps_on_ends_no_room_that_is_in_use, t)
{
	t->r.wall_ms += DAY_MS;
	rig_advance(&t->r, MINUTE_MS);
	assert_true(is_there(t));
	assert_string_equal(rig_code(t->ada, "vote", "'vote':'5'"), "ok");
	assert_string_equal(rig_table(t->bob), "#1 hidden: ada host voted, bob");
}

TEST(test_remembered_calls_go_after_a_day_although_the_room_is_not_in_use)
{
	struct rig r;
	rig_init(&r);
	r.config.limits[LIMIT_ROOM_LIFE_MS] = 10 * DAY_MS;
	rig_start(&r);
	struct rig_peer *ada = rig_guest(&r, "ada");
	rig_found(&r, ada, "");
	rig_must(ada, "reset", "'idempotency_key':'0123456789abcdef'");
	rig_must(ada, "reset", "'idempotency_key':'0123456789abcdeg'");
	rig_cut(ada);
	rig_advance(&r, 10 * MINUTE_MS);
	assert_int_equal(server_counters(r.server)->rooms_now, 0);
	assert_int_equal(rig_stored(&r, "ONCE#"), 2);
	rig_advance(&r, DAY_MS);
	assert_int_equal(rig_stored(&r, "ONCE#"), 0);
	assert_int_equal(rig_stored(&r, ""), 1);
	rig_finish(&r);
}

TABLE_TEST(test_a_room_that_nobody_uses_leaves_memory_and_comes_back, t)
{
	rig_must(t->bob, "vote", "'vote':'5'");
	leave_all(t);
	rig_advance(&t->r, 12 * MINUTE_MS);
	assert_int_equal(server_counters(t->r.server)->rooms_now, 0);
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	rig_follow(cy, "");
	assert_string_equal(rig_table(cy), "#1 hidden: -");
	assert_int_equal(server_counters(t->r.server)->rooms_now, 1);
}
