/*
 * test_tui_rules.c - who may do what: the rules of a room, its hosts and its
 * lobby, by keys and commands.
 */
#include "tests/unit/client/tui_kit.h"

#include "client/tui/actions/action_table.h"

/* ---- who may ---- */

GUEST_TEST(test_the_policy_gives_everyone_what_it_says)
{
	a->members[2].has_vote = true;
	assert_nothing(type(t, a, "R"));
	a->r.room.policy.who_reveals = WHO_MAY_EVERYONE;
	assert_request(type(t, a, "R"), METHOD_ROOM_SET_REVEALED, "is_revealed", "true", NULL);
	assert_request(type(t, a, "A"), METHOD_REVEAL_ARM, NULL);
	assert_nothing(type(t, a, "t"));
	assert_message(t, a, " Only a host can do that here (Ada)");
	a->r.room.policy.who_resets = WHO_MAY_EVERYONE;
	assert_nothing(type(t, a, "t"));
	assert_message(t, a, " Timer: 5m");
}

GUEST_TEST(test_what_is_not_everyone_s_is_refused_in_the_views_too)
{
	a->r.room.policy.who_edits_stories = WHO_MAY_HOST;
	(void)type(t, a, "S");
	for (const char *key = "aeA>dJKV"; *key != '\0'; key++) {
		assert_nothing(tui_take_key(t, &a->r, *key));
		assert_message(t, a, " Only a host can do that here (Ada)");
	}
	(void)tui_take_key(t, &a->r, TUI_KEY_ESCAPE);
	(void)type(t, a, "P");
	assert_nothing(tui_take_key(t, &a->r, TUI_KEY_ENTER));
	assert_message(t, a, " Only a host can do that (Ada)");
	assert_nothing(type(t, a, "p"));
	assert_message(t, a, " Only a host can do that (Ada)");
}

/* ---- rules, the lobby, hosts ---- */

VOTING_TEST(test_rules_are_switched_by_key_and_by_name)
{
	(void)type(t, a, "P");
	struct act act = tui_take_key(t, &a->r, TUI_KEY_ENTER);
	assert_request(act, METHOD_ROOM_SET_POLICY, "policy.who_reveals", "everyone", NULL);
	(void)type(t, a, "jjj");
	a->r.room.policy.who_edits_data = DATA_EDITORS_MEMBERS;
	static const char *const next[] = {"everyone", "host", "members"};
	for (size_t i = 0; i < 3; i++) {
		act = tui_take_key(t, &a->r, TUI_KEY_ENTER);
		assert_request(act, METHOD_ROOM_SET_POLICY, "policy.who_edits_data", next[i], NULL);
		const struct room_set_policy_params *set = act.request->params;
		a->r.room.policy.who_edits_data = set->policy.who_edits_data;
	}
	act = enter(t, a, ":rule who_edits_data host");
	assert_request(act, METHOD_ROOM_SET_POLICY, "policy.who_edits_data", "host", NULL);
	assert_refused(t, a, ":rule who_edits_data nobody",
		       "who edits data: must be members, everyone or host");
	(void)type(t, a, "j");
	act = type(t, a, " ");
	assert_request(act, METHOD_ROOM_SET_POLICY, "policy.auto_reveal", "false", NULL);
	act = enter(t, a, ":rule lobby on");
	assert_request(act, METHOD_ROOM_SET_POLICY, "policy.lobby", "true", NULL);
	act = enter(t, a, ":rule who_resets everyone");
	assert_request(act, METHOD_ROOM_SET_POLICY, "policy.who_resets", "everyone", NULL);
	assert_refused(t, a, ":rule lobby perhaps", "lobby: must be on or off");
	assert_refused(t, a, ":rule silence on", "No rule silence");
	(void)type(t, a, ":rule lo");
	(void)tui_take_key(t, &a->r, TUI_KEY_TAB);
	assert_message(t, a, " :rule lo");
	(void)type(t, a, "b");
	(void)tui_take_key(t, &a->r, TUI_KEY_TAB);
	(void)type(t, a, " of");
	(void)tui_take_key(t, &a->r, TUI_KEY_TAB);
	act = tui_take_key(t, &a->r, TUI_KEY_ENTER);
	assert_request(act, METHOD_ROOM_SET_POLICY, "policy.lobby", "false", NULL);
}

/* It is one letter short of the command that only shows them. */
VOTING_TEST(test_a_rule_that_is_not_in_sight_is_not_changed_unnamed)
{
	assert_refused(t, a, ":rule", "Which rule? Example: rule lobby on");
	(void)type(t, a, "P");
	assert_request(enter(t, a, ":rule"), METHOD_ROOM_SET_POLICY, "policy.who_reveals",
		       "everyone", NULL);
}

VOTING_TEST(test_every_rule_is_a_field_that_the_server_takes)
{
	(void)type(t, a, "P");
	for (size_t i = 0; i + 2 < record_policy_change.n;
	     i++) { /* all but the quorum and the passcode, which are typed */
		struct act act = tui_take_key(t, &a->r, TUI_KEY_ENTER);
		assert_request(act, METHOD_ROOM_SET_POLICY, NULL);
		const struct room_set_policy_params *set = act.request->params;
		assert_true(field_with(&record_policy_change.fields[i], &set->policy));
		(void)tui_take_key(t, &a->r, TUI_KEY_DOWN);
	}
}

VOTING_TEST(test_a_quorum_is_typed_under_its_line_or_as_a_command)
{
	(void)type(t, a, "P");
	for (size_t i = 0; i + 2 < record_policy_change.n; i++) {
		(void)tui_take_key(t, &a->r, TUI_KEY_DOWN);
	}
	(void)tui_take_key(t, &a->r, TUI_KEY_ENTER);
	(void)type(t, a, "5");
	assert_request(tui_take_key(t, &a->r, TUI_KEY_ENTER), METHOD_ROOM_SET_POLICY,
		       "policy.quorum", "5", NULL);
	assert_request(enter(t, a, ":quorum 0"), METHOD_ROOM_SET_POLICY, "policy.quorum", "0",
		       NULL);
	assert_refused(t, a, ":quorum 2501", "Enter a number up to 2500; 0 for everyone");
}

VOTING_TEST(test_a_passcode_never_stands_on_the_screen)
{
	assert_nothing(enter(t, a, ":passcode sesame"));
	assert_message(t, a, " Passcode (hidden):");
	(void)type(t, a, "open");
	assert_message(t, a, " Passcode (hidden):");
	struct act act = tui_take_key(t, &a->r, TUI_KEY_ENTER);
	assert_request(act, METHOD_ROOM_SET_POLICY, "policy.passcode", "open", NULL);
	struct request *secret = request_ref(act.request);
	(void)tui_take_key(t, &a->r, TUI_KEY_RIGHT);
	assert_int_equal(secret->refs, 1); /* nor is it kept for longer */
	request_free(secret);
}

VOTING_TEST(test_the_only_one_who_waits_is_let_in_at_once)
{
	assert_nothing(type(t, a, "+"));
	assert_message(t, a, " The lobby is empty");
	a_room_seat(a, "Zoe", IS_WAITING, NULL);
	assert_request(type(t, a, "+"), METHOD_ROOM_ADMIT, "user_id", a->members[3].user_id.data,
		       NULL);
	a_room_seat(a, "Hal", IS_WAITING, NULL);
	assert_nothing(type(t, a, "+"));
	(void)tui_take_key(t, &a->r, TUI_KEY_DOWN);
	assert_request(tui_take_key(t, &a->r, TUI_KEY_ENTER), METHOD_ROOM_ADMIT, "user_id",
		       a->members[4].user_id.data, NULL);
	assert_request(enter(t, a, ":admit Zoe"), METHOD_ROOM_ADMIT, "user_id",
		       a->members[3].user_id.data, NULL);
	assert_nothing(enter(t, a, ":reject Zoe"));
	assert_message(t, a, " Reject Zoe? y / n");
	assert_request(type(t, a, "y"), METHOD_ROOM_REJECT, "user_id", a->members[3].user_id.data,
		       NULL);
}

VOTING_TEST(test_hosts_are_made_and_unmade_by_name)
{
	(void)enter(t, a, ":cohost Grace");
	assert_message(t, a, " Make Grace a co-host? y / n");
	assert_request(type(t, a, "y"), METHOD_ROOM_SET_HOST, "user_id", a->members[1].user_id.data,
		       NULL);
	a->members[1].is_host = true;
	(void)type(t, a, ":unhost L");
	(void)tui_take_key(t, &a->r, TUI_KEY_TAB);
	assert_message(t, a, " :unhost L");
	(void)tui_take_key(t, &a->r, TUI_KEY_ESCAPE);
	(void)type(t, a, ":unhost G");
	(void)tui_take_key(t, &a->r, TUI_KEY_TAB);
	assert_message(t, a, " :unhost Grace");
	(void)tui_take_key(t, &a->r, TUI_KEY_ESCAPE);
	assert_request(enter(t, a, ":unhost Grace"), METHOD_ROOM_UNSET_HOST, "user_id",
		       a->members[1].user_id.data, NULL);
}

TEST(test_who_waits_in_the_lobby_may_take_a_name_and_leave)
{
	struct a_room a = {.r = {.room_id = "K7QX3M", .you = {.is_waiting = true}}};
	a.r.you.user_id = slice_str("me");
	struct tui *t = open_tui();
	assert_message(t, &a, " Your name:");
	assert_request(enter(t, &a, "Zoe"), METHOD_ROOM_JOIN, "username", "Zoe", NULL);
	a.r.you.username = slice_str("Zoe");
	assert_nothing(type(t, &a, "5"));
	assert_message(t, &a, " You are in the lobby; a host must admit you");
	assert_local(type(t, &a, "q"), LOCAL_LEAVE);
	tui_destroy(t);
}
