/*
 * test_cluster_homes.c - a node's rooms: taken before anything of them is loaded, refused where
 * another node is their home, left when it is another, or when another has taken them.
 */
#include "tests/unit/server/cluster.h"

#include "server/core/cluster/rendezvous.h"

CLUSTER_TEST(test_its_key_says_where_the_node_is_and_what_it_speaks, t)
{
	assert_int_equal(t->r.own.number, RIG_NODE);
	assert_string_equal(t->r.own.address, "10.0.0.1:7000");
	assert_string_equal(t->r.own.announce, "tls://ayed1:7433");
	assert_int_equal(t->r.own.preface_version, NODE_PREFACE_VERSION);
	assert_int_equal(t->r.own.items_version, NODE_ITEMS_VERSION);
	assert_false(t->r.own.is_leaving);
}

CLUSTER_TEST(test_of_a_node_that_differs_is_warned_once, t)
{
	struct cluster_node other = t->r.own;
	other.number = 2;
	t->r.nodes[t->r.nodes_n++] = other;
	rig_advance(&t->r, 2000);
	assert_null(strstr(t->r.log.data, "node_differs"));
	t->r.nodes[0].has_command = true;
	t->r.nodes[0].items_version++;
	rig_advance(&t->r, 2000);
	assert_non_null(
		strstr(t->r.log.data, "node=0000000000000002 address=10.0.0.1:7000 what=command"));
	assert_non_null(strstr(t->r.log.data, "what=items"));
	assert_null(strstr(t->r.log.data, "what=limits"));
	const size_t lines = t->r.log_lines;
	rig_advance(&t->r, 2000);
	assert_int_equal(t->r.log_lines, lines);
}

/* ---- taking ---- */

CLUSTER_TEST(test_a_room_is_played_as_on_one_server, t)
{
	rig_must(t->bob, "vote", "'vote':'5'");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob voted");
	rig_must(t->ada, "vote", "'vote':'8'");
	rig_must(t->ada, "set_revealed", "'is_revealed':true");
	assert_string_equal(rig_table(t->bob), "#1 open: ada host =8, bob =5");
	assert_true(rig_is_taken(&t->r));
}

CLUSTER_TEST(test_a_bucket_is_taken_before_anything_of_it_is_loaded, t)
{
	rig_crash(&t->r);
	t->r.own.number = 0;
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	size_t loads = t->r.loads;
	rig_hold(&t->r);
	uint32_t get = rig_send(cy, "room.get", "'room_id':'%s'", t->r.room_id);
	assert_int_equal(t->r.loads, loads); /* the taking waits in the table */
	rig_let(&t->r, 1);
	assert_int_equal(t->r.loads, loads + 1);
	rig_release(&t->r);
	assert_string_equal(rig_outcome(cy, get), "ok");
}

CLUSTER_TEST(test_where_a_bucket_cannot_be_taken_requests_are_refused, t)
{
	rig_crash(&t->r);
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	rig_node(&t->r, rig_rival(&t->r), false);
	rig_advance(&t->r, 2000);
	assert_string_equal(rig_code(cy, "room.get", "'room_id':'%s'", t->r.room_id), "ELSEWHERE");
}

CLUSTER_TEST(test_new_rooms_are_in_buckets_of_the_node_that_makes_them, t)
{
	const uint64_t nodes[] = {RIG_NODE, 2, 3};
	rig_node(&t->r, 2, false);
	rig_node(&t->r, 3, false);
	rig_advance(&t->r, 2000);
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	for (int i = 0; i < 40; i++) {
		struct item_pk pk;
		char room_id[CODE_CHARS_MAX + 1];
		rig_field(rig_must(cy, "room.create", RIG_NONE), "room_id", room_id,
			  sizeof(room_id));
		assert_int_equal(strlen(room_id), SHARED_CODE_CHARS);
		unsigned bucket = item_scope_of(item_pk_of(&pk, ITEM_ROOM, slice_str(room_id)));
		assert_int_equal(rendezvous_home(nodes, 3, bucket), RIG_NODE);
	}
}

/* Its code follows from the key: another node may be its home. */
CLUSTER_TEST(test_a_room_with_a_key_is_made_at_its_home, t)
{
	size_t refused = 0;
	rig_node(&t->r, 2, false);
	rig_advance(&t->r, 2000);
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	for (int i = 0; i < 40; i++) {
		uint32_t create = rig_send(cy, "room.create",
					   "'idempotency_key':'the-key-of-this-call-%d'", i);
		const char *outcome = rig_outcome(cy, create);
		assert_true(strcmp(outcome, "ok") == 0 || strcmp(outcome, "ELSEWHERE") == 0);
		refused += strcmp(outcome, "ok") != 0;
	}
	assert_in_range(refused, 10, 30);
}

/* ---- another home ---- */

CLUSTER_TEST(test_a_bucket_whose_home_is_another_is_given_up, t)
{
	const struct counters *c = server_counters(t->r.server);
	assert_int_equal(c->cluster_takings, 1);
	assert_int_equal(c->cluster_homes, 1);
	rival_comes(t);
	assert_int_equal(c->cluster_nodes, 2);
	assert_int_equal(c->cluster_homes, 0);
	assert_int_equal(c->cluster_fenced, 0);
	assert_string_equal(rig_heard(t->bob), "server.closing");
	assert_string_equal(rig_heard(t->ada), "server.closing");
	assert_false(t->bob->is_open);
	assert_false(rig_is_taken(&t->r));
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	assert_string_equal(rig_code(cy, "room.get", "'room_id':'%s'", t->r.room_id), "ELSEWHERE");
}

CLUSTER_TEST(test_a_bucket_is_given_up_only_when_its_commits_are_answered, t)
{
	rig_hold(&t->r);
	uint32_t vote = rig_send(t->bob, "vote", "'vote':'5'");
	rig_node(&t->r, rig_rival(&t->r), false);
	/* The list is answered, the commit waits. */
	rig_advance(&t->r, 1500);
	rig_answer_asked(&t->r);
	rig_settle(&t->r);
	assert_true(t->bob->is_open);
	assert_string_equal(rig_code(t->ada, "vote", "'vote':'8'"), "ELSEWHERE");
	rig_let(&t->r, 1);
	assert_string_equal(rig_outcome(t->bob, vote), "ok");
	assert_false(t->bob->is_open);
	rig_release(&t->r);
	assert_false(rig_is_taken(&t->r));
}

/* The new home may have written the room by then: what is sent here would be older than a lease. */
CLUSTER_TEST(test_who_follows_a_room_that_is_left_waits_for_its_commits_a_lease_at_most, t)
{
	rig_hold(&t->r);
	rig_send(t->bob, "vote", "'vote':'5'");
	rig_node(&t->r, rig_rival(&t->r), false);
	for (int i = 0; i < 3; i++) {
		rig_advance(&t->r, 1000);
		rig_answer_asked(&t->r);
	}
	assert_true(t->ada->is_open);
	for (int i = 0; i < 3; i++) {
		rig_advance(&t->r, 1000);
		rig_answer_asked(&t->r);
	}
	assert_false(t->ada->is_open);
	rig_release(&t->r);
	assert_false(rig_is_taken(&t->r));
}

CLUSTER_TEST(test_a_room_comes_back_with_its_home, t)
{
	rig_must(t->bob, "vote", "'vote':'5'");
	uint64_t rival = rival_comes(t);
	rig_node_ends(&t->r, rival);
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	assert_string_equal(rig_code(cy, "room.get", "'room_id':'%s'", t->r.room_id), "ELSEWHERE");
	rig_advance(&t->r, 3000);
	rig_must(cy, "room.get", "'room_id':'%s'", t->r.room_id);
	struct rig_peer *bob = rig_return(t->bob, true);
	assert_string_equal(rig_self(bob), "bob voter =5");
}

CLUSTER_TEST(test_who_leaves_gives_its_buckets_up, t)
{
	rig_must(t->bob, "vote", "'vote':'5'");
	rig_stop(&t->r);
	assert_true(t->r.own.is_leaving);
	assert_true(t->r.own.has_left);
	assert_true(server_is_idle(t->r.server));
	assert_false(rig_is_taken(&t->r));
}

CLUSTER_TEST(test_who_leaves_is_not_idle_before_its_buckets_are_given_up, t)
{
	rig_hold(&t->r);
	rig_stop(&t->r);
	assert_false(server_is_idle(t->r.server));
	assert_false(t->r.own.has_left);
	rig_release(&t->r);
	assert_true(t->r.own.has_left);
	assert_true(server_is_idle(t->r.server));
}

/* ---- taken by another ---- */

CLUSTER_TEST(test_a_commit_that_is_fenced_is_refused_and_its_room_is_left, t)
{
	rig_rival_takes(&t->r);
	uint32_t vote = rig_send(t->bob, "vote", "'vote':'5'");
	assert_false(t->bob->is_open);
	assert_false(t->ada->is_open);
	assert_string_equal(rig_outcome(t->bob, vote), "UNAVAILABLE");
	assert_true(rig_is_taken(&t->r)); /* by the rival, as before */
	assert_int_equal(server_counters(t->r.server)->cluster_fenced, 1);
	assert_int_equal(server_counters(t->r.server)->cluster_homes, 0);
}

/* The list names no other node: whoever took the bucket is there no more. */
CLUSTER_TEST(test_a_lost_bucket_is_taken_again_when_the_list_says_that_it_is_ours, t)
{
	rig_must(t->bob, "vote", "'vote':'5'");
	rig_rival_takes(&t->r);
	rig_send(t->ada, "vote", "'vote':'8'");
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	rig_advance(&t->r, 1);
	rig_must(cy, "room.get", "'room_id':'%s'", t->r.room_id);
	struct rig_peer *bob = rig_return(t->bob, true);
	assert_string_equal(rig_table(bob), "#1 hidden: ada host away, bob voted");
}

CLUSTER_TEST(test_a_load_that_is_fenced_is_refused, t)
{
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	rig_cut(t->ada);
	rig_cut(t->bob);
	rig_advance(&t->r, INT64_C(1000) * 3600 * 24); /* it leaves memory */
	assert_string_equal(rig_truth(cy), "nothing");
	rig_rival_takes(&t->r);
	rig_hold(&t->r);
	uint32_t get = rig_send(cy, "room.get", "'room_id':'%s'", t->r.room_id);
	rig_let(&t->r, 1);
	assert_string_equal(rig_outcome(cy, get), "UNAVAILABLE");
}
