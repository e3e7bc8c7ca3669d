/*
 * test_conflict.c - a room that another process has changed: what was asked for
 * runs again on the room as it is now, and each request is answered once; and a
 * commit of which nobody knows whether it was made: nobody is told that it was, or was not.
 */
#include "tests/unit/server/table.h"

/* The answer, and no second one. */
static const char *once(struct rig_peer *p, uint32_t msgid)
{
	static char outcome[64];
	strcpy(outcome, rig_outcome(p, msgid));
	assert_false(rig_is_answered(p, msgid));
	return outcome;
}

/* ---- runs again ---- */

TABLE_TEST(test_a_vote_on_a_room_that_another_process_changed_is_made_on_the_new_one, t)
{
	size_t commits = t->r.commits;
	size_t loads = t->r.loads;
	int64_t epoch = rig_copy(t->ada, t->ada->room_id)->epoch;
	rig_touch(&t->r);
	uint32_t msgid = rig_send(t->bob, "vote", "'vote':'5'");
	assert_string_equal(once(t->bob, msgid), "ok");
	assert_int_equal(t->r.commits, commits + 2);
	assert_int_equal(t->r.loads, loads + 1);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob voted");
	assert_string_equal(rig_self(t->bob), "bob voter =5");
	assert_true(rig_copy(t->ada, t->ada->room_id)->epoch != epoch);
	rig_must(t->ada, "vote", "'vote':'8'");
	assert_int_equal(t->r.commits, commits + 3);
}

TABLE_TEST(test_requests_of_the_flight_and_behind_it_run_again_in_their_order, t)
{
	rig_hold(&t->r);
	rig_touch(&t->r);
	uint32_t first = rig_send(t->bob, "vote", "'vote':'5'");
	uint32_t second = rig_send(t->bob, "vote", "'vote':'8'");
	uint32_t third = rig_send(t->ada, "set_revealed", "'is_revealed':true");
	uint32_t fourth = rig_send(t->bob, "vote", "'vote':'1'");
	uint32_t fifth = rig_send(t->ada, "get", RIG_NONE);
	rig_let(&t->r, 1);
	uint32_t later = rig_send(t->ada, "reset", RIG_NONE);
	assert_string_equal(rig_heard(t->bob), "");
	assert_string_equal(rig_heard(t->ada), "");
	rig_release(&t->r);
	assert_string_equal(once(t->bob, first), "ok");
	assert_string_equal(once(t->bob, second), "ok");
	assert_string_equal(once(t->ada, third), "ok");
	assert_string_equal(once(t->bob, fourth), "CONFLICT");
	assert_string_equal(once(t->ada, fifth), "ok");
	assert_string_equal(once(t->ada, later), "ok");
	assert_string_equal(rig_table(t->ada), "#2 hidden: ada host, bob");
}

TABLE_TEST(test_what_runs_again_happens_once, t)
{
	rig_touch(&t->r);
	rig_must(t->ada, "story.add", "'room_id':'%s','title':'Login'", t->r.room_id);
	assert_string_equal(rig_stories(t->bob), "Login: todo");
	assert_int_equal(rig_stored(&t->r, "STORY#"), 1);
	rig_forget(t->bob);
	rig_hold(&t->r);
	rig_touch(&t->r);
	uint32_t vote = rig_send(t->bob, "vote", "'vote':'5'");
	uint32_t react = rig_send(t->ada, "react", "'word':'coffee'");
	rig_release(&t->r);
	assert_string_equal(once(t->bob, vote), "ok");
	assert_string_equal(once(t->ada, react), "ok");
	assert_int_equal(rig_count(t->bob, "room.reaction"), 1);
}

TABLE_TEST(test_a_request_runs_eight_times_at_most, t)
{
	rig_hold(&t->r);
	uint32_t vote = rig_send(t->bob, "vote", "'vote':'5'");
	for (size_t runs = 0; runs < 8; runs++) {
		assert_false(rig_is_answered(t->bob, vote));
		rig_touch(&t->r);
		rig_let(&t->r, 1); /* the commit meets a conflict, */
		rig_let(&t->r, 1); /* the room is loaded */
	}
	rig_release(&t->r);
	assert_string_equal(once(t->bob, vote), "UNAVAILABLE");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob");
	assert_string_equal(rig_code(t->bob, "vote", "'vote':'5'"), "ok");
}

/* Until the room is loaded: whose answer may be long is read no further, the others are. */
TABLE_TEST(test_only_a_request_that_reads_keeps_its_connection_waiting, t)
{
	rig_hold(&t->r);
	rig_touch(&t->r);
	uint32_t vote = rig_send(t->bob, "vote", "'vote':'5'");
	uint32_t get = rig_send(t->ada, "get", RIG_NONE);
	rig_let(&t->r, 1);
	uint32_t again = rig_send(t->bob, "vote", "'vote':'8'");
	uint32_t last = rig_send(t->ada, "set_title", "'title':'x'");
	assert_false(t->bob->is_paused);
	assert_true(t->ada->is_paused);
	rig_release(&t->r);
	assert_string_equal(once(t->bob, vote), "ok");
	assert_string_equal(once(t->ada, get), "ok");
	assert_string_equal(once(t->bob, again), "ok");
	assert_string_equal(once(t->ada, last), "ok");
}

TABLE_TEST(test_where_the_room_cannot_be_loaded_the_requests_are_refused, t)
{
	rig_hold(&t->r);
	rig_touch(&t->r);
	uint32_t vote = rig_send(t->ada, "vote", "'vote':'5'");
	uint32_t leave = rig_send(t->bob, "unsubscribe", RIG_NONE);
	store_mem_fail_reads(t->r.store, 1, ERR_IO);
	rig_release(&t->r);
	assert_string_equal(once(t->ada, vote), "UNAVAILABLE");
	assert_string_equal(once(t->bob, leave), "UNAVAILABLE");
	rig_advance(&t->r, 2000);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob");
	assert_string_equal(rig_table(t->bob), "#1 hidden: ada host, bob");
}

TABLE_TEST(test_a_request_whose_connection_has_closed_is_dropped, t)
{
	rig_hold(&t->r);
	rig_touch(&t->r);
	rig_send(t->bob, "vote", "'vote':'5'");
	uint32_t vote = rig_send(t->ada, "vote", "'vote':'8'");
	rig_cut(t->bob);
	rig_release(&t->r);
	assert_string_equal(once(t->ada, vote), "ok");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host voted, bob away");
}

/* ---- subscriptions ---- */

TABLE_TEST(test_a_subscription_that_runs_again_begins_once, t)
{
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	rig_hold(&t->r);
	rig_touch(&t->r);
	rig_send(t->ada, "set_title", "'title':'x'");
	uint32_t subscribe = rig_send(cy, "subscribe", RIG_NONE);
	uint32_t join = rig_send(cy, "join", "'username':'cy'");
	rig_release(&t->r);
	assert_string_equal(once(cy, subscribe), "ok");
	assert_string_equal(once(cy, join), "ok");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob, cy");
	assert_string_equal(rig_table(cy), "#1 hidden: ada host, bob, cy");
}

TABLE_TEST(test_a_subscription_that_begins_and_ends_again_is_over, t)
{
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	rig_hold(&t->r);
	rig_touch(&t->r);
	rig_send(t->ada, "set_title", "'title':'x'");
	uint32_t subscribe = rig_send(cy, "subscribe", RIG_NONE);
	uint32_t join = rig_send(cy, "join", "'username':'cy'");
	uint32_t leave = rig_send(cy, "unsubscribe", RIG_NONE);
	rig_release(&t->r);
	assert_string_equal(once(cy, subscribe), "ok");
	assert_string_equal(once(cy, join), "ok");
	assert_string_equal(once(cy, leave), "ok");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob, cy away");
	rig_copies_free(cy);
	rig_must(t->ada, "vote", "'vote':'5'");
	assert_string_equal(rig_heard(cy), "");
}

TABLE_TEST(test_a_subscription_that_ended_is_there_while_what_came_before_runs_again, t)
{
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	rig_follow(cy, "");
	rig_hold(&t->r);
	rig_touch(&t->r);
	uint32_t join = rig_send(cy, "join", "'username':'cy'");
	uint32_t leave = rig_send(cy, "unsubscribe", RIG_NONE);
	uint32_t again = rig_send(cy, "unsubscribe", RIG_NONE);
	rig_release(&t->r);
	assert_string_equal(once(cy, join), "ok");
	assert_string_equal(once(cy, leave), "ok");
	assert_string_equal(once(cy, again), "CONFLICT");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob, cy away");
	assert_int_equal(rig_count(cy, "room.kicked"), 0);
	rig_copies_free(cy);
}

TABLE_TEST(test_a_subscription_moves_to_another_key_once, t)
{
	rig_hold(&t->r);
	rig_touch(&t->r);
	uint32_t vote = rig_send(t->bob, "vote", "'vote':'5'");
	uint32_t moved = rig_send(t->bob, "subscribe",
				  "'user_key':'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'");
	uint32_t join = rig_send(t->bob, "join", "'username':'rob'");
	rig_release(&t->r);
	assert_string_equal(once(t->bob, vote), "ok");
	assert_string_equal(once(t->bob, moved), "ok");
	assert_string_equal(once(t->bob, join), "ok");
	assert_int_equal(rig_count(t->bob, "room.kicked"), 0);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob away voted, rob");
}

TABLE_TEST(test_a_kick_and_a_delete_run_again_and_are_sent_once, t)
{
	rig_touch(&t->r);
	rig_must(t->ada, "kick", "'user_id':'%s'", t->bob->user_id);
	assert_int_equal(rig_count(t->bob, "room.kicked"), 1);
	rig_touch(&t->r);
	rig_must(t->ada, "delete", RIG_NONE);
	assert_int_equal(rig_count(t->ada, "room.deleted"), 1);
	assert_int_equal(rig_stored(&t->r, ""), 0);
	rig_copies_free(t->ada);
	rig_copies_free(t->bob);
}

/* ---- nobody knows ---- */

/* The next change is made on the room that was loaded. */
static void goes_on(struct table *t, struct rig_peer *p)
{
	assert_string_equal(rig_code(p, "vote", "'vote':'8'"), "ok");
	rig_assert_all_same(&t->r);
}

TABLE_TEST(test_who_waits_for_a_commit_of_unknown_end_is_closed_and_the_others_see_that_it_was_made,
	   t)
{
	size_t commits = t->r.commits;
	size_t loads = t->r.loads;
	int64_t epoch = rig_copy(t->ada, t->ada->room_id)->epoch;
	store_mem_lose_answers(t->r.store, 1);
	uint32_t vote = rig_send(t->bob, "vote", "'vote':'5'");
	assert_false(rig_is_answered(t->bob, vote));
	assert_int_equal(rig_count(t->bob, "server.closing"), 1);
	assert_false(t->bob->is_open);
	assert_int_equal(t->r.loads, loads + 1);
	assert_int_equal(t->r.commits, commits + 1);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob away voted");
	assert_true(rig_copy(t->ada, t->ada->room_id)->epoch != epoch);
	assert_int_equal(server_counters(t->r.server)->commits_unknown, 1);
	goes_on(t, t->ada);
}

TABLE_TEST(test_who_waits_for_a_commit_of_unknown_end_is_closed_and_the_others_see_that_it_was_not,
	   t)
{
	rig_fail_commits(&t->r, 1, ERR_UNKNOWN);
	uint32_t vote = rig_send(t->bob, "vote", "'vote':'5'");
	assert_false(rig_is_answered(t->bob, vote));
	assert_false(t->bob->is_open);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob away");
	goes_on(t, t->ada);
}

/* With its key a request is made once, whatever became of the first. */
TABLE_TEST(test_what_had_no_answer_is_repeated_with_its_key, t)
{
	static const char *const adds[] = {"'title':'Login','idempotency_key':'0123456789abcdef'",
					   "'title':'Pay','idempotency_key':'fedcba9876543210'"};
	for (size_t made = 0; made < 2; made++) {
		rig_fail_commits(&t->r, 1 - made, ERR_UNKNOWN);
		store_mem_lose_answers(t->r.store, made);
		(void)rig_send(t->bob, "story.add", "'room_id':'%s',%s", t->r.room_id, adds[made]);
		assert_false(t->bob->is_open);
		assert_int_equal(rig_stored(&t->r, "STORY#"), 2 * made);
		t->bob = rig_return(t->bob, true);
		rig_must(t->bob, "story.add", "'room_id':'%s',%s", t->r.room_id, adds[made]);
		assert_int_equal(rig_stored(&t->r, "STORY#"), 1 + made);
	}
	assert_string_equal(rig_stories(t->ada), "Login: todo, Pay: todo");
}

/* What came behind the commit was surely not made. */
TABLE_TEST(test_requests_behind_a_commit_of_unknown_end_run_again, t)
{
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	rig_hold(&t->r);
	store_mem_lose_answers(t->r.store, 1);
	uint32_t vote = rig_send(t->bob, "vote", "'vote':'5'");
	uint32_t title = rig_send(t->ada, "set_title", "'title':'x'");
	uint32_t behind = rig_send(t->bob, "vote", "'vote':'8'");
	uint32_t other = rig_send(cy, "vote", "'vote':'3'");
	rig_release(&t->r);
	assert_false(rig_is_answered(t->bob, vote));
	assert_false(rig_is_answered(t->bob, behind));
	assert_false(t->bob->is_open);
	assert_string_equal(once(t->ada, title), "ok");
	assert_string_equal(once(cy, other), "ok");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob away voted, cy voted");
	assert_string_equal(rig_self(cy), "cy voter =3");
	goes_on(t, t->ada);
}

/* It asked for nothing durable: it was done, whatever became of the others. */
TABLE_TEST(test_who_unsubscribed_in_a_commit_of_unknown_end_is_answered, t)
{
	rig_hold(&t->r);
	(void)rig_send(t->ada, "set_title", "'title':'x'");
	uint32_t vote = rig_send(t->bob, "vote", "'vote':'5'");
	uint32_t leave = rig_send(t->ada, "unsubscribe", RIG_NONE);
	rig_let(&t->r, 1);
	store_mem_lose_answers(t->r.store, 1);
	rig_release(&t->r);
	assert_false(rig_is_answered(t->bob, vote));
	assert_string_equal(once(t->ada, leave), "ok");
	assert_true(t->ada->is_open);
	rig_copies_free(t->ada);
}

TABLE_TEST(test_a_room_whose_end_is_unknown_is_there_or_not, t)
{
	for (int is_made = 0; is_made < 2; is_made++) {
		rig_fail_commits(&t->r, is_made == 0, ERR_UNKNOWN);
		store_mem_lose_answers(t->r.store, is_made == 1);
		(void)rig_send(t->ada, "delete", RIG_NONE);
		assert_false(t->ada->is_open);
		assert_int_equal(rig_count(t->bob, "room.deleted"), is_made);
		if (is_made == 0) {
			assert_string_equal(rig_table(t->bob), "#1 hidden: ada host away, bob");
			t->ada = rig_return(t->ada, true);
		}
	}
	assert_int_equal(rig_stored(&t->r, ""), 0);
	rig_copies_free(t->ada);
	rig_copies_free(t->bob);
}

/* ---- the same again ---- */

TABLE_TEST(test_a_commit_that_finds_the_store_busy_is_made_once, t)
{
	size_t loads = t->r.loads;
	t->r.busy = 3;
	uint32_t title = rig_send(t->ada, "set_title", "'title':'x'");
	assert_string_equal(once(t->ada, title), "ok");
	assert_int_equal(rig_count(t->bob, "room.update"), 1);
	assert_int_equal(t->r.loads, loads);
	assert_string_equal(rig_code(t->ada, "set_title", "'title':'y'"), "ok");
}
