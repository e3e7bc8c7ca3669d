/*
 * test_data_presence.c - presences: one value a user, live only, seldom enough
 * for those who read it.
 */
#include "tests/unit/server/data.h"

static int lay(void **state)
{
	table_lay(state);
	struct table *t = *state;
	data_must(t->ada, "presence.create", "p", "");
	rig_advance(&t->r, 1000);
	rig_forget(t->ada);
	rig_forget(t->bob);
	return 0;
}

#define PRESENCE_TEST(name, t) TEST_IN(name, struct table, t, lay, scene_clear)

PRESENCE_TEST(test_each_user_has_one_value_replaced_whole, t)
{
	data_show(t->ada, "p", "{'at':1,'typing':true}");
	data_show(t->bob, "p", "2");
	data_show(t->ada, "p", "{'at':3}");
	rig_advance(&t->r, 50);
	const char *told = rig_data(t->bob, "presence", "p"); /* in the order of chance user_ids */
	assert_true(strcmp(told, "@ada={'at':3}, @bob=?") == 0 ||
		    strcmp(told, "@bob=?, @ada={'at':3}") == 0);
	const char *answer = data_must(t->bob, "presence.get", "p", "");
	assert_non_null(strstr(answer, "'@ada':{'at':3}"));
	assert_non_null(strstr(answer, "'@bob':2"));
}

PRESENCE_TEST(test_what_one_connection_of_a_user_sets_the_others_are_sent, t)
{
	struct rig_peer *other = rig_return(t->ada, false);
	data_show(t->ada, "p", "1");
	rig_advance(&t->r, 1000);
	assert_string_equal(rig_data(other, "presence", "p"), "@ada=1");
	data_show(other, "p", "2");
	rig_advance(&t->r, 1000);
	assert_string_equal(rig_data(t->ada, "presence", "p"), "@ada=2");
	data_show(t->ada, "p", "3");
	rig_advance(&t->r, 1000);
	assert_string_equal(rig_data(other, "presence", "p"), "@ada=3");
	assert_string_equal(rig_data(t->bob, "presence", "p"), "@ada=3");
}

PRESENCE_TEST(test_nobody_can_be_present_for_another, t)
{
	char more[128];
	data_show(t->ada, "p", "1");
	(void)snprintf(more, sizeof(more), "'value':2,'user_id':'%s'", t->ada->user_id);
	data_code(t->bob, "presence.set", "p", more);
	rig_advance(&t->r, 50);
	assert_non_null(strstr(data_must(t->bob, "presence.get", "p", ""), "'@ada':1"));
	(void)snprintf(more, sizeof(more), "'user_id':'%s'", t->ada->user_id);
	data_must(t->bob, "presence.set", "p", "'value':3");
	data_code(t->bob, "presence.remove", "p", more);
	rig_advance(&t->r, 50);
	assert_non_null(strstr(data_must(t->bob, "presence.get", "p", ""), "'@ada':1"));
}

/* Also where they come back at once: they sit there as somebody new. */
PRESENCE_TEST(test_a_kicked_member_is_present_no_more, t)
{
	data_show(t->bob, "p", "1");
	data_show(t->ada, "p", "2");
	rig_advance(&t->r, 50);
	rig_must(t->ada, "kick", "'user_id':'%s'", t->bob->user_id);
	rig_follow(t->bob, "");
	rig_advance(&t->r, 50);
	assert_string_equal(rig_data(t->bob, "presence", "p"), "@ada=2");
	assert_null(strstr(data_must(t->ada, "presence.get", "p", ""), "@bob"));
}

PRESENCE_TEST(test_what_is_not_there_cannot_be_removed, t)
{
	assert_string_equal(data_code(t->ada, "presence.remove", "p", ""), "NOT_FOUND");
	data_show(t->ada, "p", "1");
	data_must(t->ada, "presence.remove", "p", "");
	assert_string_equal(data_code(t->ada, "presence.remove", "p", ""), "NOT_FOUND");
	rig_advance(&t->r, 50);
	assert_string_equal(rig_data(t->bob, "presence", "p"), "");
}

/* 60 a second for three seconds: no more than one frame in 50 ms, the last value in the end. */
/* promise: presence */
PRESENCE_TEST(test_bursts_reach_others_every_50_ms_with_the_latest, t)
{
	char value[32];
	int64_t last = -1000;
	size_t frames = 0;
	for (int i = 0; i < 180; i++) {
		(void)snprintf(value, sizeof(value), "%d", i);
		data_show(t->ada, "p", value);
		size_t n = rig_count(t->bob, "room.update");
		assert_in_range(n, 0, 1);
		if (n == 1) {
			assert_true(t->r.mono_ms - last >= 50);
			last = t->r.mono_ms;
			(void)snprintf(value, sizeof(value), "@ada=%d", i);
			assert_string_equal(rig_data(t->bob, "presence", "p"), value);
			frames++;
		}
		rig_forget(t->bob);
		for (int ms = 0; ms < 16; ms++) {
			rig_advance(&t->r, 1);
			n = rig_count(t->bob, "room.update");
			assert_in_range(n, 0, 1);
			if (n == 1) {
				assert_true(t->r.mono_ms - last >= 50);
				last = t->r.mono_ms;
				frames++;
			}
			rig_forget(t->bob);
		}
	}
	assert_in_range(frames, 50, 60);
	rig_advance(&t->r, 50);
	assert_string_equal(rig_data(t->bob, "presence", "p"), "@ada=179");
}

PRESENCE_TEST(test_one_that_moves_costs_no_commit, t)
{
	data_show(t->ada, "p", "0");
	size_t before = t->r.commits;
	for (int i = 0; i < 100; i++) {
		data_show(t->ada, "p", "1");
		rig_advance(&t->r, 20);
	}
	assert_int_equal(t->r.commits, before);
	assert_int_equal(rig_stored(&t->r, "PRESENCE#p#"), 0);
	assert_int_equal(rig_stored(&t->r, "PRESENCE#"), 1);
}

PRESENCE_TEST(test_it_ends_with_its_ttl_unless_it_is_renewed, t)
{
	data_must(t->ada, "presence.set", "p", "'value':1,'ttl_ms':2000");
	rig_advance(&t->r, 1500);
	data_must(t->ada, "presence.set", "p", "'value':2,'ttl_ms':2000");
	rig_advance(&t->r, 1999);
	assert_string_equal(rig_data(t->bob, "presence", "p"), "@ada=2");
	rig_advance(&t->r, 1);
	assert_string_equal(rig_data(t->bob, "presence", "p"), "");
	assert_non_null(strstr(data_must(t->bob, "presence.get", "p", ""), "{'entries':{},"));
	data_must(t->ada, "presence.set", "p", "'value':3,'ttl_ms':2000");
	data_must(t->ada, "presence.set", "p", "'value':4");
	rig_advance(&t->r, 10000);
	assert_string_equal(rig_data(t->bob, "presence", "p"), "@ada=4");
}

PRESENCE_TEST(test_it_ends_15_s_after_the_last_connection, t)
{
	data_show(t->ada, "p", "1");
	struct rig_peer *phone = rig_return(t->ada, false);
	rig_cut(t->ada);
	rig_advance(&t->r, 60000);
	assert_string_equal(rig_data(t->bob, "presence", "p"), "@ada=1");
	rig_cut(phone);
	rig_advance(&t->r, 14999);
	assert_string_equal(rig_data(t->bob, "presence", "p"), "@ada=1");
	rig_advance(&t->r, 1);
	assert_string_equal(rig_data(t->bob, "presence", "p"), "");
}

PRESENCE_TEST(test_a_member_that_reconnects_in_time_was_never_away, t)
{
	data_show(t->ada, "p", "1");
	for (size_t i = 0; i < 4; i++) {
		rig_cut(t->ada);
		rig_advance(&t->r, 14000);
		t->ada = rig_return(t->ada, true);
	}
	assert_string_equal(rig_data(t->bob, "presence", "p"), "@ada=1");
	rig_advance(&t->r, 60000);
	assert_string_equal(rig_data(t->bob, "presence", "p"), "@ada=1");
}

PRESENCE_TEST(test_a_member_without_a_seat_is_not_present, t)
{
	data_show(t->bob, "p", "1");
	rig_must(t->ada, "kick", "'user_id':'%s'", t->bob->user_id);
	rig_advance(&t->r, 15000);
	assert_string_equal(rig_data(t->ada, "presence", "p"), "");
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	data_show(cy, "p", "1");
	rig_must(cy, "delete_user", RIG_NONE);
	rig_cut(t->bob);
	rig_cut(cy);
	rig_advance(&t->r, 15000);
	assert_string_equal(rig_data(t->ada, "presence", "p"), "");
}

PRESENCE_TEST(test_a_client_without_a_subscription_is_not_present, t)
{
	char more[128];
	struct rig_peer *script = rig_guest(&t->r, "script");
	rig_cut(t->bob);
	(void)snprintf(more, sizeof(more), "'value':1,'user_key':'%s'", t->bob->user_key);
	assert_string_equal(data_code(script, "presence.set", "p", more), "CONFLICT");
}

PRESENCE_TEST(test_a_restart_empties_it, t)
{
	data_show(t->ada, "p", "1");
	rig_crash(&t->r);
	t->bob = rig_return(t->bob, false);
	assert_non_null(strstr(data_must(t->bob, "presence.get", "p", ""), "{'entries':{},"));
	assert_string_equal(rig_data(t->bob, "presence", "p"), "");
	data_show(t->bob, "p", "2");
}

PRESENCE_TEST(test_a_newcomer_sees_who_is_present_now, t)
{
	data_show(t->ada, "p", "1");
	data_show(t->ada, "p", "2");
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	assert_string_equal(rig_data(cy, "presence", "p"), "@ada=2");
	rig_advance(&t->r, 50);
	assert_string_equal(rig_data(cy, "presence", "p"), "@ada=2");
	assert_string_equal(rig_data(t->bob, "presence", "p"), "@ada=2");
}

PRESENCE_TEST(test_deleting_it_forgets_what_was_to_be_said, t)
{
	data_show(t->ada, "p", "1");
	data_show(t->ada, "p", "2");
	data_must(t->ada, "presence.delete", "p", "");
	data_must(t->bob, "presence.create", "p", "");
	rig_advance(&t->r, 100);
	assert_string_equal(rig_data(t->bob, "presence", "p"), "");
}

PRESENCE_TEST(test_a_failed_commit_of_others_leaves_nobody_with_a_gap, t)
{
	data_show(t->ada, "p", "1");
	rig_fail_commits(&t->r, 1, ERR_IO);
	rig_refused(t->bob, "vote", "'vote':'5'");
	rig_advance(&t->r, 100);
	data_show(t->ada, "p", "2");
	rig_advance(&t->r, 100);
	assert_string_equal(rig_data(t->bob, "presence", "p"), "@ada=2");
	rig_assert_all_same(&t->r);
}
