/*
 * test_txn.c - transactions on the directory, by what sessions show of them:
 * who comes second runs on what the first one has written, those on one partition wait in line, nobody is told of a
 * commit whose outcome is unknown, and what waits is bounded.
 */
#include "tests/support/store_mem.h"
#include "tests/unit/server/desk.h"

static uint64_t reruns(struct desk *d)
{
	return server_counters(d->r.server)->transactions_rerun;
}

/* Names that compare as the same have one item and, spelled differently, lines of their own. */
DESK_TEST(test_a_transaction_that_was_overtaken_runs_on_what_is_there, d)
{
	both_greet(d);
	rig_hold(&d->r);
	uint32_t first = rig_send(d->ada, "session.login", "'user_name':'Ada'");
	uint32_t second = rig_send(d->bob, "session.login", "'user_name':'ADA'");
	rig_release(&d->r);
	assert_string_equal(rig_outcome(d->ada, first), "ok");
	assert_string_equal(rig_outcome(d->bob, second), "NAME_TAKEN");
	assert_int_equal(reruns(d), 0);
}

DESK_TEST(test_those_on_one_partition_wait_in_line_without_a_conflict, d)
{
	struct rig_peer *peers[8];
	uint32_t calls[8];
	rig_hold(&d->r);
	size_t loads = d->r.loads;
	for (size_t i = 0; i < 8; i++) {
		peers[i] = rig_guest(&d->r, "p");
		calls[i] = rig_send(peers[i], "session.login", "'user_name':'Ada'");
	}
	assert_int_equal(d->r.loads - loads, 1);
	rig_release(&d->r);
	for (size_t i = 0; i < 8; i++) {
		const char *outcome = rig_outcome(peers[i], calls[i]);
		assert_string_equal(outcome, i == 0 ? "ok" : "NAME_TAKEN");
	}
	assert_int_equal(reruns(d), 0);
}

DESK_TEST(test_the_line_goes_on_where_the_first_has_gone_or_failed, d)
{
	both_greet(d);
	struct rig_peer *cy = rig_guest(&d->r, "cy");
	rig_hold(&d->r);
	rig_send(d->ada, "session.login", "'user_name':'Ada'");
	uint32_t second = rig_send(d->bob, "session.login", "'user_name':'Ada'");
	uint32_t third = rig_send(cy, "session.login", "'user_name':'Ada'");
	rig_cut(d->ada);
	rig_fail_commits(&d->r, 1, ERR_IO);
	rig_release(&d->r);
	assert_string_equal(rig_outcome(d->bob, second), "ok");
	assert_string_equal(rig_outcome(cy, third), "NAME_TAKEN");
}

/* A commit of which nobody knows whether it was made: with `made` it was. */
static void unknown_next(struct desk *d, size_t made)
{
	rig_fail_commits(&d->r, 1 - made, ERR_UNKNOWN);
	store_mem_lose_answers(d->r.store, made);
}

DESK_TEST(test_who_waits_for_a_commit_of_unknown_outcome_is_closed, d)
{
	both_greet(d);
	for (size_t made = 0; made < 2; made++) {
		size_t commits = d->r.commits;
		struct rig_peer *p = guest(d, "p");
		unknown_next(d, made);
		uint32_t call = rig_send(p, "session.login", "'user_name':'Ada'");
		assert_false(rig_is_answered(p, call));
		assert_int_equal(rig_count(p, "server.closing"), 1);
		assert_false(p->is_open);
		assert_int_equal(d->r.commits - commits, 1);
		assert_int_equal(reruns(d), 0);
		assert_int_equal(server_counters(d->r.server)->commits_unknown, made + 1);
	}
	assert_string_equal(rig_code(d->ada, "session.login", "'user_name':'Ada'"), "NAME_TAKEN");
}

/* Whoever has the session learns from the table whether it has ended. */
DESK_TEST(test_connections_of_a_session_whose_end_is_unknown_are_closed, d)
{
	both_greet(d);
	for (size_t made = 0; made < 2; made++) {
		struct rig_peer *p = guest(d, "p");
		struct rig_peer *q = guest(d, "q");
		struct session s = login(p, "Eve");
		assert_string_equal(resume(q, s.token), "ok");
		unknown_next(d, made);
		(void)rig_send(p, "session.logout", RIG_NONE);
		assert_false(p->is_open);
		assert_false(q->is_open);
		assert_string_equal(resume(d->bob, s.token), made == 1 ? "UNAUTHENTICATED" : "ok");
		if (made == 0) {
			rig_must(d->bob, "session.logout", RIG_NONE);
		}
	}
}

/* They run on what the table says, and are told what they would have been told if they had come later. */
DESK_TEST(test_those_behind_a_commit_of_unknown_outcome_run_again, d)
{
	static const char *const second[] = {"ok", "NAME_TAKEN"};
	for (size_t made = 0; made < 2; made++) {
		struct rig_peer *p = guest(d, "p");
		struct rig_peer *q = guest(d, "q");
		const char *name = made == 0 ? "Eve" : "Finn";
		rig_hold(&d->r);
		uint32_t first = rig_send(p, "session.login", "'user_name':'%s'", name);
		uint32_t then = rig_send(q, "session.login", "'user_name':'%s'", name);
		unknown_next(d, made);
		rig_release(&d->r);
		assert_false(rig_is_answered(p, first));
		assert_false(p->is_open);
		assert_string_equal(rig_outcome(q, then), second[made]);
	}
}

DESK_TEST(test_a_busy_store_gets_the_same_commit_again, d)
{
	both_greet(d);
	d->r.busy = 3;
	struct session s = login(d->ada, "Ada");
	assert_string_equal(resume(d->bob, s.token), "ok");
	assert_int_equal(reruns(d), 0);
}

DESK_TEST(test_a_read_that_fails_refuses_and_the_next_one_works, d)
{
	both_greet(d);
	store_mem_fail_reads(d->r.store, 1, ERR_CORRUPT);
	assert_string_equal(rig_code(d->ada, "session.login", "'user_name':'Ada'"), "UNAVAILABLE");
	login(d->ada, "Ada");
	store_mem_fail_reads(d->r.store, 1, ERR_IO);
	assert_string_equal(rig_code(d->ada, "session.whoami", RIG_NONE), "UNAVAILABLE");
	assert_true(is_logged_in(d->ada));
}

/* One connection may have 64 requests unanswered: many connections reach the bound of all. */
DESK_TEST(test_what_waits_is_bounded_and_later_requests_are_served, d)
{
	both_greet(d);
	size_t sent = 0;
	rig_hold(&d->r);
	while (sent < MAX_TRANSACTIONS) {
		struct rig_peer *p = rig_guest(&d->r, "p");
		for (size_t i = 0; i < MAX_REQUESTS_PENDING - 1; i++, sent++) {
			rig_send(p, "session.resume", "'token':'none'");
		}
	}
	assert_string_equal(rig_code(d->ada, "session.login", "'user_name':'Ada'"), "UNAVAILABLE");
	rig_release(&d->r);
	login(d->ada, "Ada");
}

DESK_TEST(test_a_line_is_bounded_and_keeps_nobody_else_out, d)
{
	both_greet(d);
	size_t sent = 0;
	rig_hold(&d->r);
	while (sent < MAX_TRANSACTIONS_IN_LINE) {
		struct rig_peer *p = rig_guest(&d->r, "p");
		for (size_t i = 0; i < MAX_REQUESTS_PENDING - 1 && sent < MAX_TRANSACTIONS_IN_LINE;
		     i++, sent++) {
			rig_send(p, "session.login", "'user_name':'Ada'");
		}
	}
	const char *refused = rig_refused(d->ada, "session.login", "'user_name':'Ada'");
	assert_non_null(strstr(refused, "UNAVAILABLE"));
	assert_non_null(strstr(refused, "waiting for the same thing"));
	uint32_t other = rig_send(d->bob, "session.login", "'user_name':'Bob'");
	rig_release(&d->r);
	assert_string_equal(rig_outcome(d->bob, other), "ok");
	assert_string_equal(rig_code(d->ada, "session.login", "'user_name':'Ada'"), "NAME_TAKEN");
}

/* The server ends while a line waits: nothing of it is left, and nothing is answered. */
DESK_TEST(test_a_line_that_waits_ends_with_the_server, d)
{
	rig_hold(&d->r);
	for (size_t i = 0; i < 8; i++) {
		rig_send(rig_guest(&d->r, "p"), "session.login", "'user_name':'Ada'");
	}
	rig_crash(&d->r);
	rig_release(&d->r);
	login(guest(d, "p"), "Ada");
}
