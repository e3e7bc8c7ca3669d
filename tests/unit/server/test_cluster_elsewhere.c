/*
 * test_cluster_elsewhere.c - what clients are told that come to a node, and another one has their
 * room: which room it is, and of no room whether there is one.
 */
#include "tests/unit/server/cluster.h"

#include "proto/base/ascii.h"
#include "proto/base/format.h"
#include "server/core/cluster/rendezvous.h"

/* As one whose address is limited. */
static struct rig_peer *stranger(struct table *t)
{
	struct rig_peer *p = rig_connect_as(&t->r, "peer", PEER_NETWORK, 7, false);
	rig_hello(p);
	return p;
}

/* A code of no room, whose bucket is not the server's. */
static void no_room_of(uint64_t node, uint64_t other, char out[SHARED_CODE_CHARS + 1])
{
	const uint64_t nodes[] = {node, other};
	struct item_pk pk;
	unsigned i = 0;
	do {
		(void)format_to(out, SHARED_CODE_CHARS + 1, "2222%c%c22", "23456789"[i / 8 % 8],
				"23456789"[i % 8]);
		i++;
	} while (rendezvous_home(nodes, 2,
				 item_scope_of(item_pk_of(&pk, ITEM_ROOM, slice_str(out)))) !=
		 node);
}

CLUSTER_TEST(test_the_refusal_names_the_room, t)
{
	rival_comes(t);
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	char lower[CODE_CHARS_MAX + 1] = {0};
	for (size_t i = 0; t->r.room_id[i] != '\0'; i++) {
		lower[i] = ascii_lower(t->r.room_id[i]);
	}
	assert_string_equal(rig_refused(cy, "room.get", "'room_id':'%s'", lower),
			    "{'code':'ELSEWHERE','message':'another server has this room now; "
			    "connect again','room_id':'ROOM'}");
}

CLUSTER_TEST(test_a_hello_for_a_room_of_another_node_is_refused_likewise, t)
{
	rival_comes(t);
	struct rig_peer *cy = rig_connect(&t->r, "cy");
	assert_string_equal(rig_code(cy, "session.hello",
				     "'protocol':1,'client':'cy','room_id':'%s'", t->r.room_id),
			    "ELSEWHERE");
	assert_string_equal(rig_code(cy, "session.whoami", RIG_NONE), "UNAUTHENTICATED");
	assert_true(cy->is_open); /* it may still say hello for no room */
	rig_hello(cy);
}

CLUSTER_TEST(test_a_hello_for_a_room_of_this_node_is_one_as_ever, t)
{
	struct rig_peer *cy = rig_connect(&t->r, "cy");
	rig_must(cy, "session.hello", "'protocol':1,'client':'cy','room_id':'%s'", t->r.room_id);
	rig_must(cy, "room.get", "'room_id':'%s'", t->r.room_id);
}

TABLE_TEST(test_one_server_serves_whoever_names_a_room, t)
{
	static const char *const named[] = {"222222", "!!!!!!", "kkkkkkkkkkkkkkkk"};
	for (size_t i = 0; i < 3; i++) {
		struct rig_peer *cy = rig_connect(&t->r, "cy");
		const char *hello = rig_must(cy, "session.hello",
					     "'protocol':1,'client':'cy','room_id':'%s'", named[i]);
		assert_null(strstr(hello, "home"));
		rig_must(cy, "room.get", "'room_id':'%s'", t->r.room_id);
	}
}

/* ---- guesses ---- */

CLUSTER_TEST(test_a_code_of_no_room_is_refused_as_that_of_a_room, t)
{
	uint64_t rival = rival_comes(t);
	char nowhere[SHARED_CODE_CHARS + 1];
	no_room_of(rival, RIG_NODE, nowhere);
	struct rig_peer *peers[2] = {stranger(t), stranger(t)};
	char refused[2][200];
	const char *rooms[2] = {t->r.room_id, nowhere};
	rig_alias(&t->r, nowhere, "ROOM");
	for (size_t i = 0; i < 2; i++) {
		(void)format_to(refused[i], sizeof(refused[i]), "%s",
				rig_refused(peers[i], "room.subscribe", "'room_id':'%s'",
					    rooms[i]));
	}
	assert_string_equal(refused[0], refused[1]);
}

CLUSTER_TEST(test_each_such_refusal_is_a_guess, t)
{
	rival_comes(t);
	struct rig_peer *p = stranger(t);
	for (size_t i = 0; i < MAX_ROOM_MISSES_PER_MINUTE; i++) {
		assert_string_equal(rig_code(p, "room.get", "'room_id':'%s'", t->r.room_id),
				    "ELSEWHERE");
	}
	assert_string_equal(rig_code(p, "room.get", "'room_id':'%s'", t->r.room_id),
			    "RATE_LIMITED");
	assert_string_equal(rig_code(stranger(t), "room.get", "'room_id':'%s'", t->r.room_id),
			    "RATE_LIMITED");
}

/* Of a subscription and the join behind it only the first is one, as of a room that does not exist. */
CLUSTER_TEST(test_a_join_behind_a_subscription_is_no_second_guess, t)
{
	rival_comes(t);
	struct rig_peer *p = stranger(t);
	strcpy(p->room_id, t->r.room_id);
	for (size_t i = 0; i < MAX_ROOM_MISSES_PER_MINUTE - 1; i++) {
		assert_string_equal(rig_code(p, "subscribe", RIG_NONE), "ELSEWHERE");
		assert_string_equal(rig_code(p, "join", "'username':'cy'"), "ELSEWHERE");
	}
	assert_string_equal(rig_code(p, "subscribe", RIG_NONE), "ELSEWHERE");
	assert_string_equal(rig_code(p, "subscribe", RIG_NONE), "RATE_LIMITED");
}

CLUSTER_TEST(test_who_may_have_a_seat_is_told_however_much_others_guess, t)
{
	rival_comes(t);
	struct rig_peer *p = stranger(t);
	for (size_t i = 0; i <= MAX_ROOM_MISSES_PER_MINUTE; i++) {
		(void)rig_code(p, "room.get", "'room_id':'%s'", t->r.room_id);
	}
	assert_string_equal(rig_code(stranger(t), "room.subscribe",
				     "'room_id':'%s','user_key':'%s'", t->r.room_id,
				     t->bob->user_key),
			    "ELSEWHERE");
}
