/*
 * test_durability.c - nothing is sent before it is on disk, and nothing that
 * was sent is lost.
 */
#include "tests/unit/server/table.h"

#include <stdio.h>

/* ---- waiting ---- */

/* promise: answered */
TABLE_TEST(test_no_answer_and_no_update_leave_before_the_commit, t)
{
	rig_hold(&t->r);
	uint32_t msgid = rig_send(t->bob, "vote", "'vote':'5'");
	rig_advance(&t->r, 30000);
	assert_string_equal(rig_heard(t->ada), "");
	assert_string_equal(rig_heard(t->bob), "");
	rig_release(&t->r);
	assert_string_equal(rig_outcome(t->bob, msgid), "ok");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob voted");
}

TABLE_TEST(test_no_subscription_begins_before_what_it_shows_is_durable, t)
{
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	rig_hold(&t->r);
	rig_send(t->ada, "set_title", "'title':'x'");
	uint32_t msgid = rig_send(cy, "subscribe", RIG_NONE);
	assert_string_equal(rig_heard(cy), "");
	assert_string_equal(rig_heard(t->ada), "");
	rig_release(&t->r);
	assert_string_equal(rig_outcome(cy, msgid), "ok");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob, -");
}

TABLE_TEST(test_a_new_room_is_announced_when_it_is_durable, t)
{
	rig_hold(&t->r);
	uint32_t msgid = rig_send(t->ada, "room.create", RIG_NONE);
	rig_let(&t->r, 1); /* the load that shows that the code is free */
	assert_string_equal(rig_heard(t->ada), "");
	rig_let(&t->r, 1);
	assert_string_equal(rig_outcome(t->ada, msgid), "ok");
	rig_release(&t->r);
}

TABLE_TEST(test_a_kick_and_a_delete_are_sent_when_they_are_durable, t)
{
	rig_hold(&t->r);
	rig_send(t->ada, "kick", "'user_id':'%s'", t->bob->user_id);
	assert_string_equal(rig_heard(t->bob), "");
	rig_let(&t->r, 1);
	assert_string_equal(rig_heard(t->bob), "room.kicked");
	rig_forget(t->ada);
	rig_send(t->ada, "delete", RIG_NONE);
	assert_string_equal(rig_heard(t->ada), "");
	rig_let(&t->r, 1);
	assert_string_equal(rig_heard(t->ada), "answer room.deleted");
	rig_release(&t->r);
	rig_copies_free(t->ada);
	rig_copies_free(t->bob);
}

TABLE_TEST(test_refusals_wait_for_what_they_depend_on, t)
{
	rig_hold(&t->r);
	rig_send(t->ada, "set_revealed", "'is_revealed':true");
	uint32_t msgid = rig_send(t->bob, "vote", "'vote':'5'");
	assert_false(rig_is_answered(t->bob, msgid));
	rig_release(&t->r);
	assert_string_equal(rig_outcome(t->bob, msgid), "CONFLICT");
}

TABLE_TEST(test_what_changes_nothing_durable_needs_no_commit, t)
{
	size_t commits = t->r.commits;
	rig_must(t->ada, "get", RIG_NONE);
	rig_must(t->bob, "vote", "'vote':null");
	rig_must(t->ada, "subscribe", RIG_NONE);
	assert_int_equal(t->r.commits, commits);
}

/* ---- batching ---- */

TABLE_TEST(test_votes_during_one_commit_become_one_commit_and_one_update, t)
{
	struct rig_peer *members[20];
	for (size_t i = 0; i < 20; i++) {
		char name[8];
		(void)snprintf(name, sizeof(name), "m%zu", i);
		members[i] = rig_sit(&t->r, name);
	}
	rig_forget(t->ada);
	size_t commits = t->r.commits;
	rig_hold(&t->r);
	rig_send(t->bob, "vote", "'vote':'1'");
	for (size_t i = 0; i < 20; i++) {
		rig_send(members[i], "vote", "'vote':'5'");
	}
	assert_int_equal(t->r.commits, commits + 1);
	rig_let(&t->r, 1);
	assert_int_equal(t->r.commits, commits + 2);
	assert_int_equal(rig_count(t->ada, "room.update"), 1);
	rig_let(&t->r, 1);
	assert_int_equal(t->r.commits, commits + 2);
	assert_int_equal(rig_count(t->ada, "room.update"), 2);
	rig_release(&t->r);
	for (size_t i = 0; i < 20; i++) {
		char self[24];
		(void)snprintf(self, sizeof(self), "m%zu voter =5", i);
		assert_string_equal(rig_self(members[i]), self);
	}
}

TABLE_TEST(test_a_vote_writes_one_item, t)
{
	size_t ops = t->r.ops;
	rig_must(t->bob, "vote", "'vote':'5'");
	rig_must(t->ada, "vote", "'vote':'5'");
	assert_int_equal(t->r.ops, ops + 2);
}

TABLE_TEST(test_rooms_do_not_wait_for_each_other, t)
{
	rig_found(&t->r, t->ada, "");
	rig_hold(&t->r);
	size_t commits = t->r.commits;
	rig_send(t->bob, "vote", "'vote':'5'");
	rig_send(t->ada, "set_title", "'title':'x'");
	assert_int_equal(t->r.commits, commits + 2);
	rig_release(&t->r);
	strcpy(t->ada->room_id, t->bob->room_id);
}

/* ---- failing ---- */

TABLE_TEST(test_a_failed_commit_is_answered_and_changes_nothing, t)
{
	static const enum err errors[] = {ERR_IO, ERR_FULL, ERR_NOMEM, ERR_CLOSED};
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
		rig_fail_commits(&t->r, 1, errors[i]);
		assert_string_equal(rig_code(t->bob, "vote", "'vote':'5'"), "UNAVAILABLE");
		assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob");
		assert_string_equal(rig_self(t->bob), "bob voter");
	}
	assert_string_equal(rig_code(t->bob, "vote", "'vote':'5'"), "ok");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob voted");
}

static unsigned log_lines(const struct table *t, const char *event)
{
	unsigned n = 0;
	const char *at = t->r.log.data;
	while ((at = strstr(at, event)) != NULL) {
		at += strlen(event);
		n++;
	}
	return n;
}

/* A vote on a full disk fails, a deletion may be made. */
TABLE_TEST(test_commits_that_fail_for_one_reason_are_told_once_and_counted, t)
{
	for (unsigned i = 0; i < 4; i++) {
		rig_fail_commits(&t->r, 1, ERR_FULL);
		assert_string_equal(rig_code(t->bob, "vote", "'vote':'5'"), "UNAVAILABLE");
		rig_must(t->bob, "vote", "'vote':'%s'", i % 2 == 0 ? "8" : "5");
	}
	assert_int_equal(log_lines(t, "event=commit_failed "), 1);
	assert_int_equal(log_lines(t, "event=commits_failed "), 0);
	rig_advance(&t->r, 10000);
	rig_must(t->bob, "vote", "'vote':'13'");
	assert_int_equal(log_lines(t, "event=commits_failed reason=\"no space is left\" commits=4"),
			 1);
	rig_fail_commits(&t->r, 1, ERR_IO);
	rig_refused(t->bob, "vote", "'vote':'8'");
	rig_advance(&t->r, 2000);
	rig_fail_commits(&t->r, 1, ERR_FULL);
	rig_refused(t->bob, "vote", "'vote':'8'");
	assert_int_equal(log_lines(t, "event=commit_failed "), 3);
}

TABLE_TEST(test_a_failed_commit_gives_watchers_everything_in_a_new_epoch, t)
{
	int64_t epoch = rig_copy(t->ada, t->ada->room_id)->epoch;
	rig_fail_commits(&t->r, 1, ERR_IO);
	rig_send(t->bob, "vote", "'vote':'5'");
	assert_string_equal(rig_heard(t->ada), "room.you room.update");
	assert_string_equal(rig_heard(t->bob), "answer room.you room.update");
	assert_true(rig_copy(t->ada, t->ada->room_id)->epoch != epoch);
	assert_true(rig_copy(t->bob, t->bob->room_id)->epoch != epoch);
}

TABLE_TEST(test_requests_on_top_of_a_failing_one_fail_too, t)
{
	rig_hold(&t->r);
	uint32_t first = rig_send(t->bob, "vote", "'vote':'5'");
	uint32_t second = rig_send(t->ada, "set_revealed", "'is_revealed':true");
	uint32_t third = rig_send(t->bob, "vote", "'vote':'8'");
	uint32_t fourth = rig_send(t->ada, "get", RIG_NONE);
	rig_fail_commits(&t->r, 1, ERR_IO);
	rig_release(&t->r);
	assert_string_equal(rig_outcome(t->bob, first), "UNAVAILABLE");
	assert_string_equal(rig_outcome(t->ada, second), "UNAVAILABLE");
	assert_string_equal(rig_outcome(t->bob, third), "UNAVAILABLE");
	assert_string_equal(rig_outcome(t->ada, fourth), "UNAVAILABLE");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob");
}

TABLE_TEST(test_requests_while_the_room_is_loaded_again_wait_and_succeed, t)
{
	rig_hold(&t->r);
	rig_fail_commits(&t->r, 1, ERR_IO);
	rig_send(t->bob, "vote", "'vote':'5'");
	rig_let(&t->r, 1); /* the commit fails, the load is asked for */
	uint32_t msgid = rig_send(t->bob, "vote", "'vote':'8'");
	assert_false(rig_is_answered(t->bob, msgid));
	rig_release(&t->r);
	assert_string_equal(rig_outcome(t->bob, msgid), "ok");
	assert_string_equal(rig_self(t->bob), "bob voter =8");
}

TABLE_TEST(test_a_failed_subscription_follows_nothing, t)
{
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	rig_hold(&t->r);
	rig_send(t->ada, "set_title", "'title':'x'");
	uint32_t msgid = rig_send(cy, "subscribe", RIG_NONE);
	rig_fail_commits(&t->r, 1, ERR_IO);
	rig_release(&t->r);
	assert_string_equal(rig_outcome(cy, msgid), "UNAVAILABLE");
	rig_must(t->ada, "vote", "'vote':'5'");
	assert_string_equal(rig_heard(cy), "");
	assert_string_equal(rig_table(t->bob), "#1 hidden: ada host voted, bob");
	assert_string_equal(rig_code(cy, "subscribe", RIG_NONE), "ok");
	assert_string_equal(rig_table(t->bob), "#1 hidden: ada host voted, bob, -");
}

/* Bob unsubscribes, behind a subscription or not; the commit fails that it is in, or the one in flight before it. */
static void unsubscribe_and_fail(struct table *t, bool subscribes, bool in_flight)
{
	rig_hold(&t->r);
	if (in_flight) {
		rig_send(t->ada, "set_title", "'title':'x'");
	}
	rig_send(t->ada, "vote", "'vote':'8'");
	if (subscribes) {
		rig_send(t->bob, "subscribe", RIG_NONE);
	}
	if (in_flight) {
		rig_let(&t->r, 1);
	}
	uint32_t msgid = rig_send(t->bob, "unsubscribe", RIG_NONE);
	if (!in_flight) {
		rig_send(t->ada, "vote", "'vote':'5'");
		rig_let(&t->r, 1);
	}
	rig_fail_commits(&t->r, 1, ERR_IO);
	rig_release(&t->r);
	bool is_done = strcmp(rig_outcome(t->bob, msgid), "ok") == 0;
	rig_forget(t->bob);
	rig_must(t->ada, "vote", "'vote':'1'");
	assert_int_equal(rig_count(t->bob, "room.update"), is_done ? 0 : 1);
	if (is_done) {
		rig_copies_free(t->bob);
	}
}

TABLE_TEST(test_unsubscribing_in_a_failing_unit_is_as_the_answer_says, t)
{
	unsubscribe_and_fail(t, false, false);
}

TABLE_TEST(test_unsubscribing_behind_a_subscription_in_a_failing_unit_is_as_the_answer_says, t)
{
	unsubscribe_and_fail(t, true, false);
}

TABLE_TEST(test_unsubscribing_behind_a_subscription_in_a_failing_flight_is_as_the_answer_says, t)
{
	unsubscribe_and_fail(t, true, true);
}

TABLE_TEST(test_a_failed_kick_kicks_nobody, t)
{
	rig_fail_commits(&t->r, 1, ERR_IO);
	assert_string_equal(rig_code(t->ada, "kick", "'user_id':'%s'", t->bob->user_id),
			    "UNAVAILABLE");
	assert_int_equal(rig_count(t->bob, "room.kicked"), 0);
	assert_string_equal(rig_code(t->bob, "vote", "'vote':'5'"), "ok");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob voted");
}

/* What comes behind the kick is undone to what there was when it came: nothing, once the kick is stored. */
TABLE_TEST(test_a_member_is_kicked_once_whatever_fails_behind_the_kick, t)
{
	rig_must(t->ada, "set_policy", "'policy':{'locked':true}");
	rig_hold(&t->r);
	rig_send(t->ada, "kick", "'user_id':'%s'", t->bob->user_id);
	rig_send(t->ada, "set_title", "'title':'x'");
	uint32_t again = rig_send(t->bob, "subscribe", RIG_NONE);
	rig_let(&t->r, 1);
	assert_int_equal(rig_count(t->bob, "room.kicked"), 1);
	rig_fail_commits(&t->r, 1, ERR_IO);
	rig_release(&t->r);
	assert_string_equal(rig_outcome(t->bob, again), "UNAVAILABLE");
	assert_int_equal(rig_count(t->bob, "room.kicked"), 1);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host");
	rig_copies_free(t->bob);
}

TABLE_TEST(test_a_failed_delete_deletes_nothing, t)
{
	rig_fail_commits(&t->r, 1, ERR_IO);
	assert_string_equal(rig_code(t->ada, "delete", RIG_NONE), "UNAVAILABLE");
	assert_int_equal(rig_count(t->bob, "room.deleted"), 0);
	assert_string_equal(rig_code(t->bob, "vote", "'vote':'5'"), "ok");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob voted");
}

TABLE_TEST(test_a_failed_create_makes_no_room, t)
{
	rig_fail_commits(&t->r, 1, ERR_FULL);
	assert_string_equal(rig_code(t->ada, "room.create", RIG_NONE), "UNAVAILABLE");
	assert_int_equal(server_counters(t->r.server)->rooms_now, 1);
}

TABLE_TEST(test_a_busy_store_is_asked_again_until_it_takes_the_commit, t)
{
	t->r.busy = 5;
	size_t commits = t->r.commits;
	assert_string_equal(rig_code(t->bob, "vote", "'vote':'5'"), "ok");
	assert_int_equal(t->r.commits, commits + 6);
	assert_int_equal(rig_count(t->ada, "room.update"), 1);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob voted");
}

TABLE_TEST(test_a_room_that_cannot_be_loaded_is_unavailable_until_it_can, t)
{
	rig_crash(&t->r);
	struct rig_peer *bob = rig_guest(&t->r, "bob");
	store_mem_fail_reads(t->r.store, 1, ERR_IO);
	assert_string_equal(rig_code(bob, "subscribe", "'user_key':'%s'", t->bob->user_key),
			    "UNAVAILABLE");
	assert_string_equal(rig_code(bob, "subscribe", "'user_key':'%s'", t->bob->user_key), "ok");
	assert_string_equal(rig_table(bob), "#1 hidden: ada host away, bob");
}

TABLE_TEST(test_watchers_of_a_room_that_cannot_be_loaded_again_get_it_later, t)
{
	rig_fail_commits(&t->r, 1, ERR_IO);
	store_mem_fail_reads(t->r.store, 3, ERR_IO);
	assert_string_equal(rig_code(t->bob, "vote", "'vote':'5'"), "UNAVAILABLE");
	assert_string_equal(rig_heard(t->ada), "");
	uint32_t msgid = rig_send(t->ada, "vote", "'vote':'8'");
	rig_advance(&t->r, 10000);
	assert_string_not_equal(rig_outcome(t->ada, msgid), "none");
	assert_string_equal(rig_code(t->bob, "vote", "'vote':'5'"), "ok");
	assert_non_null(strstr(rig_table(t->ada), "bob voted"));
}

/* ---- crashing ---- */

TABLE_TEST(test_what_was_acknowledged_is_there_after_a_crash, t)
{
	rig_must(t->ada, "set_valid_sizes", "'valid_sizes':['a','b','c']");
	rig_must(t->ada, "set_title", "'title':'Sprint'");
	rig_must(t->ada, "reset", RIG_NONE);
	rig_must(t->bob, "vote", "'vote':'b'");
	rig_must(t->ada, "vote", "'vote':'c'");
	rig_must(t->bob, "join", "'username':'Bob','is_bot':true");
	rig_must(t->ada, "set_revealed", "'is_revealed':true");
	rig_crash(&t->r);
	struct rig_peer *ada = rig_return(t->ada, true);
	assert_string_equal(rig_table(ada), "#2 open: ada host =c, Bob bot away =b");
	struct rig_peer *bob = rig_return(t->bob, true);
	assert_string_equal(rig_self(bob), "Bob voter =b");
	assert_string_equal(rig_code(ada, "reset", RIG_NONE), "ok");
}

TABLE_TEST(test_what_was_not_acknowledged_may_be_lost_whole, t)
{
	rig_hold(&t->r);
	uint32_t msgid = rig_send(t->bob, "vote", "'vote':'5'");
	assert_false(rig_is_answered(t->bob, msgid));
	rig_crash(&t->r);
	t->r.holds = false;
	struct rig_peer *ada = rig_return(t->ada, true);
	assert_string_equal(rig_table(ada), "#1 hidden: ada host, bob away");
}

TABLE_TEST(test_seats_come_back_in_the_order_they_sat_down, t)
{
	static const char *const names[] = {"cy", "dan", "eve", "fay", "gil", "hal"};
	for (size_t i = 0; i < 6; i++) {
		rig_advance(&t->r, 5);
		rig_sit(&t->r, names[i]);
	}
	rig_crash(&t->r);
	struct rig_peer *ada = rig_return(t->ada, true);
	assert_string_equal(rig_table(ada),
			    "#1 hidden: ada host, bob away, cy away, dan away, eve away, fay away, "
			    "gil away, hal away");
}

TABLE_TEST(test_a_crash_begins_the_minute_of_everybody_anew, t)
{
	rig_must(t->bob, "vote", "'vote':'5'");
	rig_cut(t->bob);
	rig_advance(&t->r, 59000);
	rig_crash(&t->r);
	struct rig_peer *ada = rig_return(t->ada, true);
	rig_advance(&t->r, 59999);
	assert_string_equal(rig_table(ada), "#1 hidden: ada host, bob away voted");
	rig_advance(&t->r, 1);
	assert_string_equal(rig_table(ada), "#1 hidden: ada host, bob away");
}

TABLE_TEST(test_a_rooms_epoch_is_new_after_a_crash, t)
{
	int64_t epoch = rig_copy(t->ada, t->ada->room_id)->epoch;
	rig_crash(&t->r);
	struct rig_peer *ada = rig_return(t->ada, true);
	assert_true(rig_copy(ada, ada->room_id)->epoch != epoch);
}

/* ---- stopping ---- */

TABLE_TEST(test_stopping_finishes_what_is_on_its_way, t)
{
	rig_hold(&t->r);
	uint32_t msgid = rig_send(t->bob, "vote", "'vote':'5'");
	rig_stop(&t->r);
	assert_string_equal(rig_next(t->ada), "server.closing {'reason':'the server was stopped'}");
	assert_false(t->ada->is_open);
	assert_true(t->bob->is_open);
	assert_false(server_is_idle(t->r.server));
	rig_release(&t->r);
	assert_string_equal(rig_outcome(t->bob, msgid), "ok");
	assert_false(t->bob->is_open);
	assert_true(server_is_idle(t->r.server));
	rig_crash(&t->r);
	struct rig_peer *bob = rig_return(t->bob, false);
	assert_string_equal(rig_self(bob), "bob voter =5");
}

TABLE_TEST(test_a_server_that_stops_takes_no_new_work, t)
{
	rig_hold(&t->r);
	rig_send(t->bob, "vote", "'vote':'5'");
	rig_stop(&t->r);
	uint32_t msgid = rig_send(t->bob, "vote", "'vote':'8'");
	assert_string_equal(rig_outcome(t->bob, msgid), "UNAVAILABLE");
	struct rig_peer *cy = rig_connect(&t->r, "cy");
	assert_string_equal(rig_next(cy), "server.closing {'reason':'the server was stopped'}");
	assert_false(cy->is_open);
	rig_release(&t->r);
}
