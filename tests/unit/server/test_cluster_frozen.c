/*
 * test_cluster_frozen.c - a node whose lease has ended: it says and does nothing, forgets
 * nothing, and goes on with what nobody has taken meanwhile.
 */
#include "tests/unit/server/cluster.h"

#include "server/core/cluster/cluster.h"

/* ---- frozen ---- */

CLUSTER_TEST(test_a_node_is_silent_until_its_key_and_the_list_are_there, t)
{
	rig_crash(&t->r);
	rig_hold(&t->r);
	struct rig_peer *cy = rig_connect(&t->r, "cy");
	uint32_t hello = rig_send(cy, "session.hello", "'protocol':1,'client':'test'");
	assert_string_equal(rig_heard(cy), "");
	rig_release(&t->r);
	assert_string_equal(rig_outcome(cy, hello), "ok");
}

CLUSTER_TEST(test_requests_wait_while_the_node_is_frozen, t)
{
	cut_for(t, LEASE_MS);
	uint32_t vote = rig_send(t->bob, "vote", "'vote':'5'");
	uint32_t get = rig_send(t->ada, "get", RIG_NONE);
	rig_advance(&t->r, 2000);
	assert_string_equal(rig_heard(t->bob), "");
	assert_string_equal(rig_heard(t->ada), "");
	rig_release(&t->r);
	assert_string_equal(rig_outcome(t->bob, vote), "ok");
	assert_string_equal(rig_outcome(t->ada, get), "ok");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob voted");
}

CLUSTER_TEST(test_the_time_in_which_it_is_frozen_is_counted, t)
{
	const struct counters *c = server_counters(t->r.server);
	uint64_t before_us = c->cluster_frozen_us;
	assert_int_equal(c->cluster_freezes, 1); /* at the start */
	cut_for(t, 2 * LEASE_MS);
	assert_int_equal(c->cluster_freezes, 2);
	rig_release(&t->r);
	assert_in_range(c->cluster_frozen_us - before_us, (LEASE_MS - 1000) * 1000,
			LEASE_MS * 1000);
}

CLUSTER_TEST(test_what_was_made_before_leaves_when_the_node_is_fresh_again, t)
{
	rig_hold(&t->r);
	uint32_t vote = rig_send(t->bob, "vote", "'vote':'5'");
	rig_advance(&t->r, LEASE_MS);
	rig_let(&t->r, 1); /* the commit is answered, no renewal is */
	assert_string_equal(rig_heard(t->bob), "");
	assert_string_equal(rig_heard(t->ada), "");
	rig_release(&t->r);
	assert_string_equal(rig_outcome(t->bob, vote), "ok");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob voted");
}

CLUSTER_TEST(test_after_ten_seconds_requests_are_refused, t)
{
	cut_for(t, LEASE_MS);
	uint32_t vote = rig_send(t->bob, "vote", "'vote':'5'");
	rig_advance(&t->r, FROZEN_WAIT_MS - 1000);
	assert_false(rig_is_answered(t->bob, vote));
	rig_advance(&t->r, 2000);
	assert_string_equal(rig_outcome(t->bob, vote), "UNAVAILABLE");
	assert_string_equal(rig_code(t->ada, "get", RIG_NONE), "UNAVAILABLE");
	assert_string_equal(rig_code(t->ada, "room.explode", RIG_NONE), "UNAVAILABLE");
	rig_release(&t->r);
	assert_string_equal(rig_code(t->bob, "vote", "'vote':'5'"), "ok");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob voted");
}

/* What waits to be sent is of before: the refusal must not take it along. */
CLUSTER_TEST(test_who_has_output_waiting_is_closed_in_place_of_a_refusal, t)
{
	rig_hold(&t->r);
	uint32_t vote = rig_send(t->bob, "vote", "'vote':'5'");
	rig_advance(&t->r, LEASE_MS);
	rig_let(&t->r, 1);
	uint32_t again = rig_send(t->bob, "vote", "'vote':'8'");
	rig_advance(&t->r, FROZEN_WAIT_MS + 1000);
	assert_false(t->bob->is_open);
	assert_false(rig_is_answered(t->bob, vote));
	assert_false(rig_is_answered(t->bob, again));
	assert_string_equal(rig_heard(t->bob), "");
	rig_release(&t->r);
}

CLUSTER_TEST(test_behind_a_refusal_nothing_else_leaves, t)
{
	rig_hold(&t->r);
	uint32_t vote = rig_send(t->ada, "vote", "'vote':'5'");
	rig_advance(&t->r, LEASE_MS + FROZEN_WAIT_MS + 1000);
	assert_string_equal(rig_code(t->ada, "get", RIG_NONE), "UNAVAILABLE");
	rig_let(&t->r, 1); /* the commit is answered */
	assert_false(rig_is_answered(t->ada, vote));
	rig_release(&t->r);
	assert_string_equal(rig_outcome(t->ada, vote), "ok");
}

CLUSTER_TEST(test_no_countdown_ends_while_the_node_is_frozen, t)
{
	rig_must(t->ada, "vote", "'vote':'5'");
	rig_must(t->bob, "vote", "'vote':'5'");
	assert_true(rig_number(t->ada, "countdown", "token") >= 0);
	cut_for(t, 8000);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host voted, bob voted");
	rig_release(&t->r);
	rig_advance(&t->r, 1);
	assert_string_equal(rig_table(t->ada), "#1 open: ada host =5, bob =5");
}

CLUSTER_TEST(test_nobody_is_closed_for_the_time_a_node_is_frozen, t)
{
	struct rig_peer *cy = rig_connect(&t->r, "cy");
	cut_for(t, 8000);
	uint32_t hello = rig_send(cy, "session.hello", "'protocol':1,'client':'test'");
	rig_release(&t->r);
	assert_string_equal(rig_outcome(cy, hello), "ok");
	rig_advance(&t->r, 10);
	assert_true(cy->is_open && t->ada->is_open && t->bob->is_open);
}

/* ---- and on ---- */

CLUSTER_TEST(test_what_nobody_took_goes_on_as_it_was, t)
{
	int64_t epoch = rig_copy(t->ada, t->ada->room_id)->epoch;
	size_t loads = t->r.loads;
	rig_must(t->ada, "presence.create", "'room_id':'%s','name':'cursor'", t->r.room_id);
	rig_must(t->ada, "presence.set", "'room_id':'%s','name':'cursor','value':1", t->r.room_id);
	cut_for(t, 20000);
	rig_release(&t->r);
	assert_true(t->ada->is_open);
	assert_int_equal(t->r.loads, loads + 1); /* to see whether anybody has taken it */
	assert_string_equal(rig_data(t->bob, "presence", "cursor"), "@ada=1");
	rig_must(t->bob, "vote", "'vote':'5'");
	assert_true(rig_copy(t->ada, t->ada->room_id)->epoch == epoch);
}

CLUSTER_TEST(test_what_another_took_is_left, t)
{
	cut_for(t, 8000);
	rig_rival_takes(&t->r);
	uint32_t get = rig_send(t->ada, "get", RIG_NONE);
	rig_release(&t->r);
	assert_false(t->ada->is_open);
	assert_false(t->bob->is_open);
	assert_string_equal(rig_outcome(t->ada, get), "ELSEWHERE");
	assert_string_equal(rig_heard(t->bob), "server.closing");
}

/* A failover took a commit back, or another wrote without taking: the memory is not what the table has. */
CLUSTER_TEST(test_a_bucket_whose_version_is_another_is_loaded_again, t)
{
	int64_t epoch = rig_copy(t->ada, t->ada->room_id)->epoch;
	cut_for(t, 8000);
	rig_touch(&t->r);
	uint32_t get = rig_send(t->ada, "get", RIG_NONE);
	rig_release(&t->r);
	assert_string_equal(rig_outcome(t->ada, get), "ok");
	assert_true(t->ada->is_open && t->bob->is_open);
	assert_true(rig_copy(t->ada, t->ada->room_id)->epoch != epoch);
	assert_string_equal(rig_table(t->bob), "#1 hidden: ada host, bob");
}

CLUSTER_TEST(test_a_commit_on_its_way_is_no_other_version, t)
{
	int64_t epoch = rig_copy(t->ada, t->ada->room_id)->epoch;
	rig_hold(&t->r);
	uint32_t vote = rig_send(t->bob, "vote", "'vote':'5'");
	rig_advance(&t->r, 8000);
	rig_release(&t->r);
	assert_string_equal(rig_outcome(t->bob, vote), "ok");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob voted");
	assert_true(rig_copy(t->ada, t->ada->room_id)->epoch == epoch);
}

/* Its key was gone for a moment, though it was never late: others may have taken its rooms. */
CLUSTER_TEST(test_a_lapsed_key_is_read_and_the_buckets_are_checked, t)
{
	rig_rival_takes(&t->r);
	rig_advance(&t->r, 2500);
	assert_true(t->ada->is_open);
	t->r.own_until_ms = 0;
	rig_advance(&t->r, 2500);
	assert_false(t->ada->is_open);
	assert_false(t->bob->is_open);
}

CLUSTER_TEST(test_a_check_that_fails_loads_the_rooms_again, t)
{
	size_t loads = t->r.loads;
	cut_for(t, 8000);
	store_mem_fail_reads(t->r.store, 1, ERR_IO);
	rig_release(&t->r);
	assert_int_equal(t->r.loads, loads + 2);
	assert_true(t->ada->is_open);
	assert_string_equal(rig_code(t->bob, "vote", "'vote':'5'"), "ok");
}

CLUSTER_TEST(test_a_node_whose_table_refuses_to_answer_freezes_too, t)
{
	t->r.fails_asked = true;
	rig_advance(&t->r, LEASE_MS + 100);
	uint32_t vote = rig_send(t->bob, "vote", "'vote':'5'");
	assert_false(rig_is_answered(t->bob, vote));
	t->r.fails_asked = false;
	rig_advance(&t->r, 2000);
	assert_string_equal(rig_outcome(t->bob, vote), "ok");
}
