/*
 * test_idempotency.c - calls that are repeated with an idempotency_key.
 */
#include "tests/unit/server/table.h"

#define KEY   "'idempotency_key':'0123456789abcdef'"
#define OTHER "'idempotency_key':'another-key-0001'"

/* promise: once */
TABLE_TEST(test_a_repeat_gets_the_first_result_and_changes_nothing, t)
{
	assert_string_equal(rig_must(t->ada, "reset", KEY), "{'round':2,'version':5}");
	rig_must(t->bob, "vote", "'vote':'5'");
	assert_string_equal(rig_must(t->ada, "reset", KEY), "{'round':2,'version':5}");
	assert_string_equal(rig_table(t->bob), "#2 hidden: ada host, bob voted");
}

TABLE_TEST(test_another_key_is_another_call, t)
{
	rig_must(t->ada, "reset", KEY);
	assert_string_equal(rig_must(t->ada, "reset", OTHER), "{'round':3,'version':6}");
}

TABLE_TEST(test_a_repeat_from_another_connection_of_the_seat_counts, t)
{
	rig_must(t->bob, "vote", "'vote':'5'," KEY);
	rig_must(t->bob, "vote", "'vote':'8'");
	struct rig_peer *phone = rig_guest(&t->r, "phone");
	assert_string_equal(rig_must(phone, "vote", "'vote':'5'," KEY ",'user_key':'%s'",
				     t->bob->user_key),
			    "{'has_vote':true,'version':5}");
	assert_string_equal(rig_self(t->bob), "bob voter =8");
}

TABLE_TEST(test_a_key_is_its_callers_own, t)
{
	rig_must(t->ada, "vote", "'vote':'5'," KEY);
	assert_string_equal(rig_must(t->bob, "vote", "'vote':'8'," KEY),
			    "{'has_vote':true,'version':6}");
	assert_string_equal(rig_self(t->bob), "bob voter =8");
}

TABLE_TEST(test_a_key_used_for_another_method_is_refused, t)
{
	rig_must(t->ada, "vote", "'vote':'5'," KEY);
	assert_string_equal(rig_code(t->ada, "reset", KEY), "VALIDATION_ERROR idempotency_key");
	assert_string_equal(rig_table(t->bob), "#1 hidden: ada host voted, bob");
}

TABLE_TEST(test_a_refusal_is_not_remembered, t)
{
	rig_must(t->ada, "set_revealed", "'is_revealed':true");
	assert_string_equal(rig_code(t->bob, "vote", "'vote':'5'," KEY), "CONFLICT");
	rig_must(t->ada, "reset", RIG_NONE);
	assert_string_equal(rig_code(t->bob, "vote", "'vote':'5'," KEY), "ok");
	assert_string_equal(rig_self(t->bob), "bob voter =5");
}

TABLE_TEST(test_a_repeat_is_recognised_while_the_first_is_on_its_way, t)
{
	rig_hold(&t->r);
	uint32_t first = rig_send(t->ada, "reset", KEY);
	uint32_t again = rig_send(t->ada, "reset", KEY);
	rig_release(&t->r);
	bool is_refusal;
	assert_string_equal(rig_answer(t->ada, first, &is_refusal), "{'round':2,'version':5}");
	assert_string_equal(rig_answer(t->ada, again, &is_refusal), "{'round':2,'version':5}");
}

TABLE_TEST(test_a_repeat_after_a_failed_commit_is_a_first_call, t)
{
	rig_fail_commits(&t->r, 1, ERR_IO);
	assert_string_equal(rig_code(t->ada, "reset", KEY), "UNAVAILABLE");
	assert_non_null(strstr(rig_must(t->ada, "reset", KEY), "'round':2,"));
	assert_string_equal(rig_table(t->bob), "#2 hidden: ada host, bob");
}

TABLE_TEST(test_a_repeat_is_recognised_after_a_crash, t)
{
	rig_must(t->ada, "reset", KEY);
	rig_crash(&t->r);
	struct rig_peer *ada = rig_return(t->ada, false);
	assert_string_equal(rig_must(ada, "reset", KEY), "{'round':2,'version':5}");
	assert_string_equal(rig_table(ada), "#2 hidden: ada host, bob away");
	assert_int_equal(rig_stored(&t->r, "ONCE#"), 1);
}

TABLE_TEST(test_a_key_is_remembered_for_a_day_and_then_goes, t)
{
	rig_must(t->ada, "reset", KEY);
	rig_advance(&t->r, DAY_MS - 1000);
	assert_string_equal(rig_must(t->ada, "reset", KEY), "{'round':2,'version':5}");
	assert_int_equal(rig_stored(&t->r, "ONCE#"), 1);
	rig_advance(&t->r, 7000);
	assert_int_equal(rig_stored(&t->r, "ONCE#"), 0);
	assert_non_null(strstr(rig_must(t->ada, "reset", KEY), "'round':3,"));
}

TABLE_TEST(test_a_room_remembers_1024_keys_and_forgets_the_oldest, t)
{
	for (int i = 0; i < MAX_ONCE_PER_ROOM; i++) {
		rig_must(t->ada, "vote", "'vote':null,'idempotency_key':'key-number-%06d'", i);
	}
	assert_int_equal(rig_stored(&t->r, "ONCE#"), MAX_ONCE_PER_ROOM);
	rig_must(t->ada, "reset", "'idempotency_key':'key-number-%06d'", MAX_ONCE_PER_ROOM);
	assert_int_equal(rig_stored(&t->r, "ONCE#"), MAX_ONCE_PER_ROOM);
	assert_string_equal(rig_code(t->ada, "reset", "'idempotency_key':'key-number-000001'"),
			    "VALIDATION_ERROR idempotency_key");
	assert_string_equal(rig_code(t->ada, "reset", "'idempotency_key':'key-number-000000'"),
			    "ok");
}

/* Results that are pushed out before they were ever written are no longer waited for. */
TABLE_TEST(test_more_keyed_calls_than_are_remembered_in_one_commit, t)
{
	enum { PEERS = 17, CALLS = MAX_REQUESTS_PENDING };
	struct rig_peer *peers[PEERS];
	rig_must(t->ada, "set_policy", "'policy':{'auto_reveal':false}");
	for (size_t i = 0; i < PEERS; i++) {
		char name[8] = {'p', (char)('a' + i), '\0'};
		peers[i] = rig_sit(&t->r, name);
	}
	rig_hold(&t->r);
	rig_send(t->ada, "set_title", "'title':'on its way'");
	size_t commits = t->r.commits;
	for (size_t i = 0; i < PEERS; i++) {
		struct buf bytes = {.max = 65536};
		for (int j = 0; j < CALLS; j++) {
			rig_compose(peers[i], &bytes, "vote",
				    "'vote':'%d','idempotency_key':'key-number-%06d'",
				    j % 2 == 0 ? 3 : 5, j);
		}
		rig_bytes(peers[i], buf_slice(&bytes));
		buf_finish(&bytes);
	}
	assert_int_equal(t->r.commits, commits);
	rig_release(&t->r);
	assert_int_equal(t->r.commits, commits + 1);
	for (size_t i = 0; i < PEERS; i++) {
		for (uint32_t j = 0; j < CALLS; j++) {
			assert_string_equal(rig_outcome(peers[i], peers[i]->last_msgid - j), "ok");
		}
	}
	assert_int_equal(rig_stored(&t->r, "ONCE#"), MAX_ONCE_PER_ROOM);
	rig_must(t->ada, "set_title", "'title':'and on'");
	rig_must(peers[0], "vote", "'vote':'8','idempotency_key':'key-number-999999'");
	assert_int_equal(rig_stored(&t->r, "ONCE#"), MAX_ONCE_PER_ROOM);
}

TABLE_TEST(test_keys_without_a_login_are_16_to_64_bytes, t)
{
	assert_string_equal(rig_code(t->ada, "reset", "'idempotency_key':'short'"),
			    "VALIDATION_ERROR idempotency_key");
	assert_string_equal(rig_code(t->ada, "reset",
				     "'idempotency_key':'0123456789012345678901234567890123456789"
				     "0123456789012345678901234'"),
			    "VALIDATION_ERROR idempotency_key");
	assert_string_equal(rig_code(t->ada, "reset",
				     "'idempotency_key':'0123456789012345678901234567890123456789"
				     "012345678901234567890123'"),
			    "ok");
}

/* ---- room.create ---- */

/* From any connection of the same user of the unix socket. */
TABLE_TEST(test_a_repeated_create_makes_one_room, t)
{
	struct rig_peer *again = rig_guest(&t->r, "ada");
	char *first = strdup(rig_must(t->ada, "room.create", "'deck':'fist'," KEY));
	assert_string_equal(rig_must(t->ada, "room.create", "'deck':'fist'," KEY), first);
	assert_string_equal(rig_must(again, "room.create", "'deck':'fist'," KEY), first);
	assert_string_not_equal(rig_must(t->ada, "room.create", "'deck':'fist'," OTHER), first);
	assert_int_equal(server_counters(t->r.server)->rooms_created, 3);
	free(first);
}

TABLE_TEST(test_a_repeated_create_is_recognised_after_a_crash, t)
{
	char *first = strdup(rig_must(t->ada, "room.create", KEY));
	rig_crash(&t->r);
	struct rig_peer *ada = rig_guest(&t->r, "ada");
	assert_string_equal(rig_must(ada, "room.create", KEY), first);
	assert_int_equal(server_counters(t->r.server)->rooms_created, 0);
	free(first);
}

TABLE_TEST(test_two_creates_at_once_with_one_key_make_one_room, t)
{
	struct rig_peer *again = rig_guest(&t->r, "ada");
	rig_hold(&t->r);
	uint32_t a = rig_send(t->ada, "room.create", KEY);
	uint32_t b = rig_send(again, "room.create", KEY);
	rig_release(&t->r);
	bool is_refusal;
	char *first = strdup(rig_answer(t->ada, a, &is_refusal));
	assert_false(is_refusal);
	assert_string_equal(rig_answer(again, b, &is_refusal), first);
	assert_int_equal(server_counters(t->r.server)->rooms_created, 2);
	free(first);
}

TABLE_TEST(test_without_a_key_every_create_makes_a_room, t)
{
	char *first = strdup(rig_must(t->ada, "room.create", RIG_NONE));
	assert_string_not_equal(rig_must(t->ada, "room.create", RIG_NONE), first);
	free(first);
}
