/*
 * test_tui_rules.c - who may do what: the rules of a room, its hosts and its
 * lobby, by keys and commands.
 */
#include "tests/unit/client/tui_kit.h"

#include "client/tui/action_table.h"

/* ---- who may ---- */

static void test_the_policy_gives_everyone_what_it_says(void **state)
{
	(void)state;
	struct a_room a;
	init_guest(&a);
	a.members[2].has_vote = true;
	struct tui *t = open_tui();
	assert_asks(type(t, &a, "R"), ASK_NOTHING, NULL);
	a.r.room.policy.who_reveals = WHO_MAY_EVERYONE;
	assert_asks(type(t, &a, "R"), ASK_REVEAL, NULL);
	assert_asks(type(t, &a, "A"), ASK_ARM, NULL);
	assert_asks(type(t, &a, "t"), ASK_NOTHING, NULL);
	assert_message(t, &a, " Only the host may do that here (Ada)");
	a.r.room.policy.who_resets = WHO_MAY_EVERYONE;
	assert_asks(type(t, &a, "t"), ASK_NOTHING, NULL);
	assert_message(t, &a, " Timer: 5m");
	tui_destroy(t);
}

static void test_what_is_not_everyone_s_is_refused_in_the_views_too(void **state)
{
	(void)state;
	struct a_room a;
	init_guest(&a);
	a.r.room.policy.who_edits_stories = WHO_MAY_HOST;
	struct tui *t = open_tui();
	(void)type(t, &a, "S");
	for (const char *key = "aeisdJK"; *key != '\0'; key++) {
		assert_asks(tui_take_key(t, &a.r, *key), ASK_NOTHING, NULL);
		assert_message(t, &a, " Only the host may do that here (Ada)");
	}
	assert_asks(tui_take_key(t, &a.r, TUI_KEY_ENTER), ASK_NOTHING, NULL);
	assert_message(t, &a, " Only the host may do that here (Ada)");
	(void)tui_take_key(t, &a.r, TUI_KEY_ESCAPE);
	(void)type(t, &a, "P");
	assert_asks(tui_take_key(t, &a.r, TUI_KEY_ENTER), ASK_NOTHING, NULL);
	assert_message(t, &a, " Only the host may do that (Ada)");
	assert_asks(type(t, &a, "p"), ASK_NOTHING, NULL);
	assert_message(t, &a, " Only the host may do that (Ada)");
	tui_destroy(t);
}

/* ---- rules, the lobby, hosts ---- */

static void test_rules_are_switched_by_key_and_by_name(void **state)
{
	(void)state;
	struct a_room a;
	init_session(&a, false);
	struct tui *t = open_tui();
	(void)type(t, &a, "P");
	struct ask ask = tui_take_key(t, &a.r, TUI_KEY_ENTER);
	assert_asks(ask, ASK_SET_SWITCH, "who_reveals");
	assert_true(ask.is_on);
	assert_string_equal(ask.other, "everyone");
	(void)type(t, &a, "jjj");
	a.r.room.policy.who_edits_data = DATA_EDITORS_MEMBERS;
	static const char *const next[] = {"everyone", "host", "members"};
	for (size_t i = 0; i < 3; i++) {
		ask = tui_take_key(t, &a.r, TUI_KEY_ENTER);
		assert_asks(ask, ASK_SET_SWITCH, "who_edits_data");
		assert_string_equal(ask.other, next[i]);
		int editors = words_find(&words_data_editors, slice_str(ask.other));
		assert_true(editors >= 0);
		a.r.room.policy.who_edits_data = (enum data_editors)editors;
	}
	ask = enter(t, &a, ":rule who_edits_data host");
	assert_asks(ask, ASK_SET_SWITCH, "who_edits_data");
	assert_string_equal(ask.other, "host");
	assert_asks(enter(t, &a, ":rule who_edits_data nobody"), ASK_NOTHING, NULL);
	assert_message(t, &a, " Say members, everyone or host");
	(void)type(t, &a, "j");
	ask = type(t, &a, " ");
	assert_asks(ask, ASK_SET_SWITCH, "auto_reveal");
	assert_false(ask.is_on);
	ask = enter(t, &a, ":rule lobby on");
	assert_asks(ask, ASK_SET_SWITCH, "lobby");
	assert_true(ask.is_on);
	ask = enter(t, &a, ":rule who_resets everyone");
	assert_asks(ask, ASK_SET_SWITCH, "who_resets");
	assert_true(ask.is_on);
	assert_asks(enter(t, &a, ":rule lobby perhaps"), ASK_NOTHING, NULL);
	assert_message(t, &a, " Say on or off");
	assert_asks(enter(t, &a, ":rule silence on"), ASK_NOTHING, NULL);
	assert_message(t, &a, " There is no rule silence");
	(void)type(t, &a, ":rule lo");
	(void)tui_take_key(t, &a.r, TUI_KEY_TAB);
	assert_message(t, &a, " :rule lo");
	(void)type(t, &a, "b");
	(void)tui_take_key(t, &a.r, TUI_KEY_TAB);
	(void)type(t, &a, " of");
	(void)tui_take_key(t, &a.r, TUI_KEY_TAB);
	ask = tui_take_key(t, &a.r, TUI_KEY_ENTER);
	assert_asks(ask, ASK_SET_SWITCH, "lobby");
	assert_false(ask.is_on);
	tui_destroy(t);
}

/* It is one letter short of the command that only shows them. */
static void test_a_rule_that_is_not_in_sight_is_not_changed_unnamed(void **state)
{
	(void)state;
	struct a_room a;
	init_session(&a, false);
	struct tui *t = open_tui();
	assert_asks(enter(t, &a, ":rule"), ASK_NOTHING, NULL);
	assert_message(t, &a, " Say which rule, as in rule lobby on; rules shows them all");
	(void)type(t, &a, "P");
	assert_asks(enter(t, &a, ":rule"), ASK_SET_SWITCH, "who_reveals");
	tui_destroy(t);
}

static void test_every_rule_is_a_field_that_the_server_takes(void **state)
{
	(void)state;
	struct a_room a;
	init_session(&a, false);
	struct tui *t = open_tui();
	(void)type(t, &a, "P");
	for (size_t i = 0; i + 1 < record_policy_change.n; i++) { /* all but the passcode */
		struct ask ask = tui_take_key(t, &a.r, TUI_KEY_ENTER);
		assert_int_equal(ask.kind, ASK_SET_SWITCH);
		assert_non_null(record_field(&record_policy_change, slice_str(ask.text)));
		(void)tui_take_key(t, &a.r, TUI_KEY_DOWN);
	}
	tui_destroy(t);
}

static void test_a_passcode_never_stands_on_the_screen(void **state)
{
	(void)state;
	struct a_room a;
	init_session(&a, false);
	struct tui *t = open_tui();
	assert_asks(enter(t, &a, ":passcode sesame"), ASK_NOTHING, NULL);
	assert_message(t, &a, " Passcode (hidden):");
	(void)type(t, &a, "open");
	assert_message(t, &a, " Passcode (hidden):");
	struct ask ask = tui_take_key(t, &a.r, TUI_KEY_ENTER);
	assert_asks(ask, ASK_SET_PASSCODE, "open");
	(void)tui_take_key(t, &a.r, TUI_KEY_RIGHT);
	assert_string_equal(ask.text, ""); /* nor stays in memory */
	tui_destroy(t);
}

static void test_the_only_one_who_waits_is_let_in_at_once(void **state)
{
	(void)state;
	struct a_room a;
	init_session(&a, false);
	struct tui *t = open_tui();
	assert_asks(type(t, &a, "a"), ASK_NOTHING, NULL);
	assert_message(t, &a, " Nobody waits in the lobby");
	a_room_seat(&a, "Zoe", IS_WAITING, NULL);
	assert_asks(type(t, &a, "a"), ASK_ADMIT, a.members[3].user_id.data);
	a_room_seat(&a, "Hal", IS_WAITING, NULL);
	assert_asks(type(t, &a, "a"), ASK_NOTHING, NULL);
	(void)tui_take_key(t, &a.r, TUI_KEY_DOWN);
	assert_asks(tui_take_key(t, &a.r, TUI_KEY_ENTER), ASK_ADMIT, a.members[4].user_id.data);
	assert_asks(enter(t, &a, ":admit Zoe"), ASK_ADMIT, a.members[3].user_id.data);
	assert_asks(enter(t, &a, ":reject Zoe"), ASK_NOTHING, NULL);
	assert_message(t, &a, " Turn Zoe away? y / n");
	assert_asks(type(t, &a, "y"), ASK_REJECT, a.members[3].user_id.data);
	tui_destroy(t);
}

static void test_hosts_are_made_and_unmade_by_name(void **state)
{
	(void)state;
	struct a_room a;
	init_session(&a, false);
	struct tui *t = open_tui();
	(void)enter(t, &a, ":cohost Grace");
	assert_message(t, &a, " Make Grace host beside you? y / n");
	assert_asks(type(t, &a, "y"), ASK_SET_HOST, a.members[1].user_id.data);
	a.members[1].is_host = true;
	assert_asks(enter(t, &a, ":unhost Grace"), ASK_UNSET_HOST, a.members[1].user_id.data);
	tui_destroy(t);
}

static void test_who_waits_in_the_lobby_may_take_a_name_and_leave(void **state)
{
	(void)state;
	struct a_room a = {.r = {.room_id = "K7QX3M", .you = {.is_waiting = true}}};
	a.r.you.user_id = slice_str("me");
	struct tui *t = open_tui();
	assert_message(t, &a, " Your name:");
	assert_asks(enter(t, &a, "Zoe"), ASK_JOIN, "Zoe");
	a.r.you.username = slice_str("Zoe");
	assert_asks(type(t, &a, "5"), ASK_NOTHING, NULL);
	assert_message(t, &a, " You are in the lobby until a host admits you");
	assert_asks(type(t, &a, "q"), ASK_LEAVE, NULL);
	tui_destroy(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_policy_gives_everyone_what_it_says),
		cmocka_unit_test(test_what_is_not_everyone_s_is_refused_in_the_views_too),
		cmocka_unit_test(test_rules_are_switched_by_key_and_by_name),
		cmocka_unit_test(test_a_rule_that_is_not_in_sight_is_not_changed_unnamed),
		cmocka_unit_test(test_every_rule_is_a_field_that_the_server_takes),
		cmocka_unit_test(test_a_passcode_never_stands_on_the_screen),
		cmocka_unit_test(test_the_only_one_who_waits_is_let_in_at_once),
		cmocka_unit_test(test_hosts_are_made_and_unmade_by_name),
		cmocka_unit_test(test_who_waits_in_the_lobby_may_take_a_name_and_leave),
	};
	return cmocka_run_group_tests_name("tui of rules", tests, NULL, NULL);
}
