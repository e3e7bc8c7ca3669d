/*
 * test_play_time.c - timers and breaks, and what is said once: nudges, reactions; notes
 * and confidence, which wait for the reveal.
 */
#include "tests/unit/server/table.h"

#include <stdio.h>

#include "tests/unit/server/play.h"

/* Three characters of two cells each. */
#define WIDE "\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e"

static int64_t start(struct rig_peer *p, int seconds, bool reveals)
{
	const char *result =
		rig_must(p, "timer.start", "'room_id':'%s','seconds':%d%s", p->rig->room_id,
			 seconds, reveals ? ",'reveal_at_zero':true" : "");
	const char *at = strstr(result, "'ends_at':");
	assert_non_null(at);
	return strtoll(at + 10, NULL, 10);
}

static void quiet(struct table *t)
{
	play_policy(t->ada, "'auto_reveal':false");
	rig_forget(t->ada);
	rig_forget(t->bob);
}

/* ---- timers ---- */

TABLE_TEST(test_a_timer_is_seen_by_everybody_and_ends_by_itself, t)
{
	int64_t ends_at = start(t->ada, 60, false);
	assert_true(ends_at == t->r.wall_ms + 60000);
	assert_true(rig_number(t->bob, "timer", "ends_at") == ends_at);
	play_vote(t->bob, "5");
	rig_advance(&t->r, 59999);
	assert_string_not_equal(rig_of(t->bob, "timer"), "");
	rig_advance(&t->r, 1);
	assert_string_equal(rig_of(t->bob, "timer"), "");
	assert_string_equal(rig_table(t->bob), "#1 hidden: ada host, bob voted");
}

TABLE_TEST(test_a_timer_that_reveals_turns_the_cards_over_at_zero, t)
{
	start(t->ada, 60, true);
	assert_non_null(strstr(rig_of(t->bob, "timer"), "'reveal_at_zero':true"));
	play_vote(t->bob, "5");
	rig_advance(&t->r, 60000);
	assert_string_equal(rig_table(t->bob), "#1 open: ada host, bob =5");
	assert_string_equal(rig_of(t->bob, "timer"), "");
	assert_int_equal(rig_stored(&t->r, "ROUND#"), 1);
}

TABLE_TEST(test_a_timer_reveals_nothing_where_nobody_voted, t)
{
	start(t->ada, 60, true);
	rig_advance(&t->r, 60000);
	assert_string_equal(rig_table(t->bob), "#1 hidden: ada host, bob");
	assert_string_equal(rig_of(t->bob, "timer"), "");
}

TABLE_TEST(test_a_timer_can_be_stopped_and_started_anew, t)
{
	start(t->ada, 60, true);
	rig_must(t->ada, "timer.stop", "'room_id':'%s'", t->r.room_id);
	assert_string_equal(rig_of(t->bob, "timer"), "");
	rig_must(t->ada, "timer.stop", "'room_id':'%s'", t->r.room_id);
	play_vote(t->bob, "5");
	rig_advance(&t->r, 61000);
	assert_string_equal(rig_of(t->bob, "phase"), "'voting'");
	start(t->ada, 10, true);
	start(t->ada, 100, false);
	rig_advance(&t->r, 50000);
	assert_string_equal(rig_of(t->bob, "phase"), "'voting'");
	assert_string_not_equal(rig_of(t->bob, "timer"), "");
	rig_advance(&t->r, 50000);
	assert_string_equal(rig_of(t->bob, "phase"), "'voting'");
	assert_string_equal(rig_of(t->bob, "timer"), "");
}

TABLE_TEST(test_a_reveal_ends_the_timer, t)
{
	start(t->ada, 60, true);
	play_open(t, "3", "5");
	assert_string_equal(rig_of(t->bob, "timer"), "");
}

TABLE_TEST(test_a_timer_is_1_s_to_90_days_and_the_hosts, t)
{
	static const char *const bad[] = {"0", "-1", "7776001", "'5'", "null", "1.5"};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_string_equal(rig_code(t->ada, "timer.start", "'room_id':'%s','seconds':%s",
					     t->r.room_id, bad[i]),
				    "VALIDATION_ERROR seconds");
	}
	assert_string_equal(rig_code(t->bob, "timer.start", "'room_id':'%s','seconds':5",
				     t->r.room_id),
			    "FORBIDDEN");
	assert_string_equal(rig_code(t->bob, "timer.stop", "'room_id':'%s'", t->r.room_id),
			    "FORBIDDEN");
	start(t->ada, 7776000, false);
	start(t->ada, 1, false);
}

/* A room that was made with a usual time takes it; any other has to be told. */
/* It reveals: the policy gives both to the same people. */
TABLE_TEST(test_only_who_may_reveal_starts_a_timer_that_does, t)
{
	static const struct {
		const char *rules, *reveals, *code;
	} rows[] = {
		{"'who_resets':'everyone','who_reveals':'host'", "true", "FORBIDDEN"},
		{"'who_resets':'everyone','who_reveals':'host'", "false", "ok"},
		{"'who_resets':'everyone','who_reveals':'everyone'", "true", "ok"},
		{"'who_resets':'host','who_reveals':'everyone'", "true", "FORBIDDEN"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		play_policy(t->ada, rows[i].rules);
		assert_string_equal(rig_code(t->bob, "timer.start",
					     "'room_id':'%s','seconds':5,'reveal_at_zero':%s",
					     t->r.room_id, rows[i].reveals),
				    rows[i].code);
	}
	start(t->ada, 60, true);
}

TABLE_TEST(test_a_timer_without_seconds_runs_as_long_as_the_room_says, t)
{
	assert_string_equal(rig_code(t->ada, "timer.start", "'room_id':'%s'", t->r.room_id),
			    "VALIDATION_ERROR seconds");
	rig_found(&t->r, t->ada, "'timer_seconds':90");
	rig_follow(t->ada, "");
	(void)rig_must(t->ada, "timer.start", "'room_id':'%s'", t->r.room_id);
	assert_int_equal(rig_number(t->ada, "timer", "ends_at"), t->r.wall_ms + 90000);
}

TABLE_TEST(test_a_timer_survives_a_restart, t)
{
	quiet(t);
	play_vote(t->bob, "5");
	int64_t ends_at = start(t->ada, 60, true);
	rig_advance(&t->r, 20000);
	rig_crash(&t->r);
	t->r.mono_ms += 123456; /* a clock that begins anew */
	t->r.wall_ms += 10000;
	struct rig_peer *ada = rig_return(t->ada, false);
	struct rig_peer *bob = rig_return(t->bob, false);
	assert_true(rig_number(ada, "timer", "ends_at") == ends_at);
	rig_advance(&t->r, 29999);
	assert_string_equal(rig_of(bob, "phase"), "'voting'");
	rig_advance(&t->r, 1);
	assert_string_equal(rig_table(bob), "#1 open: ada host, bob =5");
}

TABLE_TEST(test_a_timer_that_ended_while_the_server_was_away_ends_at_once, t)
{
	quiet(t);
	play_vote(t->bob, "5");
	start(t->ada, 60, true);
	rig_crash(&t->r);
	t->r.wall_ms += 10 * 60000;
	struct rig_peer *bob = rig_return(t->bob, false);
	assert_string_equal(rig_table(bob), "#1 open: ada host away, bob =5");
}

TABLE_TEST(test_a_clock_that_is_set_back_or_forward_changes_no_timer, t)
{
	quiet(t);
	play_vote(t->bob, "5");
	static const int64_t steps[] = {HOUR_MS, -HOUR_MS, -24 * HOUR_MS, 24 * HOUR_MS};
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		start(t->ada, 60, true);
		rig_advance(&t->r, 10000);
		t->r.wall_ms += steps[i];
		rig_must(t->ada, "set_title", "'title':'%zu'", i);
		rig_advance(&t->r, 49999);
		assert_string_equal(rig_of(t->bob, "phase"), "'voting'");
		rig_advance(&t->r, 1);
		assert_string_equal(rig_of(t->bob, "phase"), "'revealed'");
		rig_must(t->ada, "set_revealed", "'is_revealed':false");
	}
}

TABLE_TEST(test_a_clock_set_far_back_over_a_restart_ends_a_timer_within_the_longest, t)
{
	quiet(t);
	play_vote(t->bob, "5");
	start(t->ada, 60, true);
	rig_crash(&t->r);
	t->r.wall_ms -= 365 * 24 * HOUR_MS;
	struct rig_peer *bob = rig_return(t->bob, false);
	assert_string_equal(rig_of(bob, "phase"), "'voting'");
	rig_advance(&t->r, MAX_TIMER_SECONDS * INT64_C(1000));
	assert_string_equal(rig_of(bob, "phase"), "'revealed'");
}

TABLE_TEST(test_a_failed_commit_leaves_the_timer_that_was_there, t)
{
	int64_t ends_at = start(t->ada, 60, false);
	rig_fail_commits(&t->r, 1, ERR_IO);
	assert_string_equal(rig_code(t->ada, "timer.stop", "'room_id':'%s'", t->r.room_id),
			    "UNAVAILABLE");
	assert_true(rig_number(t->bob, "timer", "ends_at") == ends_at);
	rig_advance(&t->r, 60000);
	assert_string_equal(rig_of(t->bob, "timer"), "");
}

/* ---- breaks ---- */

static void pause_for(struct rig_peer *p, int minutes)
{
	rig_must(p, "pause", "'minutes':%d", minutes);
}

static int64_t pause_end(struct rig_peer *p)
{
	return strtoll(rig_of(p, "pause_ends_at"), NULL, 10);
}

TABLE_TEST(test_a_break_is_seen_by_everybody_and_ends_by_itself, t)
{
	quiet(t);
	pause_for(t->ada, 10);
	assert_true(pause_end(t->bob) == t->r.wall_ms + 600000);
	play_vote(t->bob, "5"); /* votes go on */
	rig_advance(&t->r, 599999);
	assert_string_not_equal(rig_of(t->bob, "pause_ends_at"), "");
	rig_advance(&t->r, 1);
	assert_string_equal(rig_of(t->bob, "pause_ends_at"), "");
	assert_string_equal(rig_table(t->bob), "#1 hidden: ada host, bob voted");
}

TABLE_TEST(test_a_break_can_be_changed_and_ended, t)
{
	pause_for(t->ada, 10);
	pause_for(t->ada, 1);
	assert_true(pause_end(t->bob) == t->r.wall_ms + 60000);
	pause_for(t->ada, 0);
	assert_string_equal(rig_of(t->bob, "pause_ends_at"), "");
	pause_for(t->ada, 0);
	assert_string_equal(rig_of(t->bob, "pause_ends_at"), "");
}

TABLE_TEST(test_a_break_is_up_to_a_day_and_of_who_may_reset, t)
{
	static const char *const bad[] = {"-1", "1441", "'5'", "null", "1.5"};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_string_equal(rig_code(t->ada, "pause", "'minutes':%s", bad[i]),
				    "VALIDATION_ERROR minutes");
	}
	assert_string_equal(rig_code(t->ada, "pause", RIG_NONE), "VALIDATION_ERROR minutes");
	assert_string_equal(rig_code(t->bob, "pause", "'minutes':5"), "FORBIDDEN");
	pause_for(t->ada, 1440);
	play_policy(t->ada, "'who_resets':'everyone'");
	pause_for(t->bob, 5);
	assert_true(pause_end(t->ada) == t->r.wall_ms + 300000);
}

TABLE_TEST(test_a_break_survives_a_restart, t)
{
	quiet(t);
	pause_for(t->ada, 10);
	int64_t ends_at = pause_end(t->bob);
	rig_crash(&t->r);
	t->r.mono_ms += 123456; /* a clock that begins anew */
	t->r.wall_ms += 60000;
	struct rig_peer *bob = rig_return(t->bob, false);
	assert_true(pause_end(bob) == ends_at);
	rig_advance(&t->r, ends_at - t->r.wall_ms - 1);
	assert_true(pause_end(bob) == ends_at);
	rig_advance(&t->r, 1);
	assert_string_equal(rig_of(bob, "pause_ends_at"), "");
}

TABLE_TEST(test_a_break_that_ended_while_the_server_was_away_is_over_at_once, t)
{
	quiet(t);
	pause_for(t->ada, 10);
	rig_crash(&t->r);
	t->r.wall_ms += 20 * 60000;
	struct rig_peer *bob = rig_return(t->bob, false);
	assert_string_equal(rig_of(bob, "pause_ends_at"), "");
}

TABLE_TEST(test_a_clock_that_is_set_moves_the_end_of_a_break, t)
{
	quiet(t);
	pause_for(t->ada, 10);
	t->r.wall_ms -= 5 * 60000;
	rig_advance(&t->r, 10 * 60000);
	assert_string_not_equal(rig_of(t->bob, "pause_ends_at"), "");
	rig_advance(&t->r, 5 * 60000);
	assert_string_equal(rig_of(t->bob, "pause_ends_at"), "");
	pause_for(t->ada, 10);
	t->r.wall_ms += 10 * 60000;
	rig_must(t->ada, "set_title", "'title':'late'");
	rig_advance(&t->r, 1);
	assert_string_equal(rig_of(t->bob, "pause_ends_at"), "");
}

TABLE_TEST(test_a_failed_commit_leaves_the_break_that_was_there, t)
{
	pause_for(t->ada, 10);
	int64_t ends_at = pause_end(t->bob);
	rig_fail_commits(&t->r, 1, ERR_IO);
	assert_string_equal(rig_code(t->ada, "pause", "'minutes':0"), "UNAVAILABLE");
	assert_true(pause_end(t->bob) == ends_at);
}

/* ---- nudges ---- */

TABLE_TEST(test_a_nudge_rings_who_has_not_voted_and_nobody_else, t)
{
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	struct rig_peer *eve = rig_sit(&t->r, "eve");
	rig_must(eve, "join", "'username':'eve','role':'spectator'");
	play_vote(cy, "5");
	struct rig_peer *const all[] = {t->ada, t->bob, cy, eve};
	for (size_t i = 0; i < 4; i++) {
		rig_forget(all[i]);
	}
	assert_non_null(strstr(rig_must(eve, "nudge", RIG_NONE), "{'nudged':2,"));
	assert_string_equal(rig_heard(t->ada), "room.nudged");
	assert_string_equal(rig_next(t->ada), "room.nudged {'room_id':'ROOM','by':'eve'}");
	assert_string_equal(rig_next(t->bob), "room.nudged {'room_id':'ROOM','by':'eve'}");
	assert_string_equal(rig_heard(cy), "");
	assert_string_equal(rig_heard(eve), "");
}

TABLE_TEST(test_a_member_is_rung_once_in_30_s, t)
{
	assert_non_null(strstr(rig_must(t->ada, "nudge", RIG_NONE), "{'nudged':1,"));
	assert_non_null(strstr(rig_must(t->ada, "nudge", RIG_NONE), "{'nudged':0,"));
	rig_advance(&t->r, 10000);
	const char *error = rig_refused(t->ada, "nudge", "'user_id':'%s'", t->bob->user_id);
	assert_non_null(strstr(error, "'code':'RATE_LIMITED'"));
	assert_non_null(strstr(error, "'retry_after_ms':20000"));
	rig_advance(&t->r, 19999);
	assert_string_equal(rig_code(t->ada, "nudge", "'user_id':'%s'", t->bob->user_id),
			    "RATE_LIMITED");
	rig_advance(&t->r, 1);
	assert_string_equal(rig_code(t->ada, "nudge", "'user_id':'%s'", t->bob->user_id), "ok");
	assert_int_equal(rig_count(t->bob, "room.nudged"), 2);
}

TABLE_TEST(test_each_member_is_rung_by_their_own_time, t)
{
	rig_must(t->ada, "nudge", "'user_id':'%s'", t->bob->user_id);
	rig_advance(&t->r, 15000);
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	assert_non_null(strstr(rig_must(t->ada, "nudge", RIG_NONE), "{'nudged':1,"));
	assert_int_equal(rig_count(cy, "room.nudged"), 1);
	assert_int_equal(rig_count(t->bob, "room.nudged"), 1);
}

TABLE_TEST(test_nobody_is_rung_whom_nobody_waits_for, t)
{
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	rig_follow(cy, "");
	assert_string_equal(rig_code(t->ada, "nudge", "'user_id':'NOBODY'"), "NOT_FOUND user_id");
	assert_string_equal(rig_code(t->ada, "nudge", "'user_id':'%s'", cy->user_id), "CONFLICT");
	play_vote(t->bob, "5");
	assert_string_equal(rig_code(t->ada, "nudge", "'user_id':'%s'", t->bob->user_id),
			    "CONFLICT");
	rig_must(t->bob, "vote", "'vote':null");
	rig_cut(t->bob);
	assert_string_equal(rig_code(t->ada, "nudge", "'user_id':'%s'", t->bob->user_id),
			    "CONFLICT");
	rig_must(t->ada, "set_revealed", "'is_revealed':true");
	assert_string_equal(rig_code(t->ada, "nudge", RIG_NONE), "CONFLICT");
}

TABLE_TEST(test_a_nudge_changes_nothing_and_is_not_stored, t)
{
	size_t commits = t->r.commits;
	char *before = play_state(t->bob);
	rig_must(t->ada, "nudge", RIG_NONE);
	char *after = play_state(t->bob);
	assert_string_equal(after, before);
	assert_int_equal(t->r.commits, commits);
	assert_int_equal(rig_count(t->bob, "room.update"), 0);
	free(before);
	free(after);
}

TABLE_TEST(test_all_connections_of_a_seat_are_rung, t)
{
	struct rig_peer *phone = rig_return(t->bob, false);
	rig_must(t->ada, "nudge", RIG_NONE);
	assert_int_equal(rig_count(t->bob, "room.nudged"), 1);
	assert_int_equal(rig_count(phone, "room.nudged"), 1);
}

TABLE_TEST(test_a_host_without_a_seat_rings_without_a_name, t)
{
	struct rig_peer *script = rig_guest(&t->r, "script");
	rig_must(script, "nudge", "'host_key':'%s'", t->r.host_key);
	assert_string_equal(rig_next(t->bob), "room.nudged {'room_id':'ROOM'}");
	/* Whose key it is has made the room, and is the one who nudges. */
	assert_int_equal(rig_count(t->ada, "room.nudged"), 0);
}

/* ---- reactions ---- */

TABLE_TEST(test_a_reaction_is_shown_to_everybody_once, t)
{
	size_t commits = t->r.commits;
	rig_must(t->bob, "react", "'word':' coffee '");
	static const char *const said =
		"room.reaction {'room_id':'ROOM','user_id':'@bob','word':'coffee'}";
	assert_string_equal(rig_next(t->ada), said);
	assert_string_equal(rig_next(t->bob), said);
	assert_string_equal(rig_heard(t->ada), "");
	assert_int_equal(t->r.commits, commits);
	assert_false(play_is_stored(&t->r, "coffee"));
}

TABLE_TEST(test_a_reaction_is_one_word_or_emoji_of_up_to_12_cells, t)
{
	static const char *const bad[] = {"",		" ",
					  "two words",	"1234567890123",
					  "\\u001b[2J", "a\\nb",
					  "a\\u202eb",	(WIDE WIDE "\xe6\x97\xa5")};
	static const char *const good[] = {"123456789012", "\xf0\x9f\x91\x8d", "yes!", (WIDE WIDE)};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_string_equal(rig_code(t->bob, "react", "'word':'%s'", bad[i]),
				    "VALIDATION_ERROR word");
	}
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_string_equal(rig_code(t->bob, "react", "'word':'%s'", good[i]), "ok");
	}
	assert_int_equal(rig_count(t->ada, "room.reaction"), sizeof(good) / sizeof(good[0]));
}

TABLE_TEST(test_one_seat_reacts_20_times_a_minute_and_others_as_they_like, t)
{
	size_t taken = 0;
	while (strcmp(rig_code(t->bob, "react", "'word':'x'"), "ok") == 0) {
		taken++;
		assert_in_range(taken, 1, 20);
	}
	assert_int_equal(taken, 5); /* at once; then one in 3 s */
	const char *error = rig_refused(t->bob, "react", "'word':'x'");
	assert_non_null(strstr(error, "'code':'RATE_LIMITED'"));
	assert_non_null(strstr(error, "'retry_after_ms':3000"));
	assert_string_equal(rig_code(t->ada, "react", "'word':'x'"), "ok");
	for (size_t i = 0; i < 60; i++) {
		rig_advance(&t->r, 1000);
		taken += strcmp(rig_code(t->bob, "react", "'word':'x'"), "ok") == 0;
	}
	assert_int_equal(taken, 25);
	assert_int_equal(rig_count(t->ada, "room.reaction"), 26);
}

TABLE_TEST(test_a_refused_reaction_costs_nothing, t)
{
	for (size_t i = 0; i < 20; i++) {
		(void)rig_code(t->bob, "react", "'word':'two words'");
	}
	assert_string_equal(rig_code(t->bob, "react", "'word':'x'"), "ok");
}

TABLE_TEST(test_reactions_come_in_order_with_updates, t)
{
	rig_must(t->bob, "react", "'word':'one'");
	rig_must(t->bob, "vote", "'vote':'5'");
	rig_must(t->bob, "react", "'word':'two'");
	assert_string_equal(rig_heard(t->ada), "room.reaction room.update room.reaction");
	rig_forget(t->ada);
	rig_hold(&t->r);
	(void)rig_send(t->bob, "vote", "'vote':'8'");
	(void)rig_send(t->bob, "react", "'word':'three'");
	assert_string_equal(rig_heard(t->ada), "");
	rig_release(&t->r);
	assert_string_equal(rig_heard(t->ada), "room.update room.reaction");
}

TABLE_TEST(test_a_client_that_resumes_gets_the_updates_and_not_the_reactions_before_them, t)
{
	play_vote(t->bob, "5");
	(void)rig_table(t->ada);
	rig_cut(t->ada);
	rig_must(t->bob, "react", "'word':'missed'");
	rig_settle(&t->r);
	struct rig_peer *ada = rig_return(t->ada, true);
	rig_assert_same(ada);
	assert_string_equal(rig_table(ada), "#1 hidden: ada host, bob voted");
	assert_int_equal(rig_count(ada, "room.reaction"), 0);
}

TABLE_TEST(test_a_client_that_has_read_everything_resumes_with_no_reaction, t)
{
	play_vote(t->bob, "5");
	rig_must(t->bob, "react", "'word':'seen'");
	struct rig_peer *phone = rig_return(t->bob, true);
	assert_int_equal(rig_count(phone, "room.reaction"), 0);
	rig_must(t->ada, "react", "'word':'new'");
	assert_int_equal(rig_count(phone, "room.reaction"), 1);
	t->bob->copies = NULL;
	rig_cut(t->bob);
}

TABLE_TEST(test_a_latecomer_is_sent_no_earlier_reaction, t)
{
	rig_must(t->bob, "react", "'word':'early'");
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	assert_int_equal(rig_count(cy, "room.reaction"), 0);
}

/* ---- notes and confidence ---- */

TABLE_TEST(test_a_note_is_sent_to_its_owner_and_to_all_after_the_reveal, t)
{
	rig_must(t->bob, "vote", "'vote':'5','comment':'  like  the last one '");
	assert_non_null(strstr(play_you(t->bob), "'comment':'like the last one'"));
	assert_false(play_was_sent(t->ada, "like the last one"));
	rig_must(t->ada, "set_revealed", "'is_revealed':true");
	assert_true(play_was_sent(t->ada, "like the last one"));
	rig_must(t->ada, "set_revealed", "'is_revealed':false");
	play_forget_bytes(t->ada);
	(void)rig_must(t->ada, "get", RIG_NONE);
	assert_false(play_was_sent(t->ada, "like the last one"));
}

TABLE_TEST(test_a_note_stays_with_the_vote_until_it_is_changed_or_taken_back, t)
{
	rig_must(t->bob, "vote", "'vote':'5','comment':'first'");
	rig_must(t->bob, "vote", "'vote':'8'");
	assert_non_null(strstr(play_you(t->bob), "'comment':'first'"));
	rig_must(t->bob, "vote", "'vote':'8','comment':'second'");
	assert_non_null(strstr(play_you(t->bob), "'comment':'second'"));
	rig_must(t->bob, "vote", "'vote':'8','comment':null");
	assert_null(strstr(play_you(t->bob), "'comment'"));
	rig_must(t->bob, "vote", "'vote':'8','comment':'third'");
	rig_must(t->bob, "vote", "'vote':null");
	rig_must(t->bob, "vote", "'vote':'8'");
	assert_null(strstr(play_you(t->bob), "'comment'"));
	rig_must(t->bob, "vote", "'vote':'8','comment':'fourth'");
	rig_must(t->ada, "reset", RIG_NONE);
	play_vote(t->bob, "8");
	assert_null(strstr(play_you(t->bob), "'comment'"));
}

TABLE_TEST(test_a_note_is_one_line_of_up_to_80_cells, t)
{
	char note[82];
	memset(note, 'n', 81);
	note[81] = '\0';
	assert_string_equal(rig_code(t->bob, "vote", "'vote':'5','comment':'%s'", note),
			    "VALIDATION_ERROR comment");
	assert_string_equal(rig_code(t->bob, "vote", "'vote':'5','comment':'%s'", note + 1), "ok");
	assert_string_equal(rig_code(t->bob, "vote", "'vote':'5','comment':'a\\nb'"),
			    "VALIDATION_ERROR comment");
	assert_string_equal(rig_code(t->bob, "vote", "'vote':'5','comment':'\\u001b[2J'"),
			    "VALIDATION_ERROR comment");
}

TABLE_TEST(test_confidence_is_taken_only_where_the_policy_asks_for_it, t)
{
	assert_string_equal(rig_code(t->bob, "vote", "'vote':'5','confidence':2"),
			    "VALIDATION_ERROR confidence");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob");
	play_policy(t->ada, "'confidence':true");
	static const char *const bad[] = {"0", "4", "-1", "'2'", "2.5"};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_string_equal(rig_code(t->bob, "vote", "'vote':'5','confidence':%s", bad[i]),
				    "VALIDATION_ERROR confidence");
	}
	rig_must(t->bob, "vote", "'vote':'5','confidence':2");
	assert_non_null(strstr(play_you(t->bob), "'confidence':2"));
	rig_must(t->bob, "vote", "'vote':'8','confidence':3");
	assert_non_null(strstr(play_you(t->bob), "'confidence':3"));
	rig_must(t->ada, "set_revealed", "'is_revealed':true");
	assert_non_null(strstr(rig_must(t->ada, "get", RIG_NONE), "'vote':'8','confidence':3"));
}

TABLE_TEST(test_notes_and_confidence_survive_a_restart, t)
{
	play_policy(t->ada, "'confidence':true");
	rig_must(t->bob, "vote", "'vote':'5','comment':'kept','confidence':1");
	rig_crash(&t->r);
	struct rig_peer *bob = rig_return(t->bob, false);
	assert_non_null(strstr(play_you(bob), "'comment':'kept','confidence':1"));
}
