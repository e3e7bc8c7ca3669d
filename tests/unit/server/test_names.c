/*
 * test_names.c - two members of a room never have the same name.
 */
#include "tests/unit/server/table.h"

#include <stdio.h>
#include <string.h>

/* What the member is called who asked for that name, as the answer and the room say it. */
static const char *named(struct rig_peer *p, const char *wanted)
{
	static char name[400];
	rig_field(rig_must(p, "join", "'username':'%s'", wanted), "username", name, sizeof(name));
	assert_memory_equal(rig_self(p), name, strlen(name));
	return name;
}

static struct rig_peer *newcomer(struct table *t, const char *who)
{
	struct rig_peer *p = rig_guest(&t->r, who);
	rig_follow(p, "");
	return p;
}

TABLE_TEST(test_the_second_of_a_name_gets_a_number_and_is_told, t)
{
	assert_string_equal(named(newcomer(t, "cyd"), "bob"), "bob 2");
	assert_string_equal(named(newcomer(t, "dan"), "bob"), "bob 3");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob, bob 2, bob 3");
}

/* promise: unique-names */
TABLE_TEST(test_neither_case_nor_width_tells_names_apart, t)
{
	static const char *const rows[][2] = {
		{"Bob", "Bob 2"},
		{"BOB", "BOB 3"},
		{"\xef\xbd\x82\xef\xbd\x8f\xef\xbd\x82", "\xef\xbd\x82\xef\xbd\x8f\xef\xbd\x82 4"},
		{"bobby", "bobby"},
		{"bob 5", "bob 5"},
		{"Bob", "Bob 6"},
		{"Stra\xc3\x9f"
		 "e",
		 "Stra\xc3\x9f"
		 "e"},
		{"STRASSE", "STRASSE 2"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char who[16];
		(void)snprintf(who, sizeof(who), "p%zu", i);
		assert_string_equal(named(newcomer(t, who), rows[i][0]), rows[i][1]);
	}
}

TABLE_TEST(test_a_rename_is_numbered_too_and_a_name_keeps_its_own, t)
{
	assert_string_equal(named(t->bob, "Ada"), "Ada 2");
	assert_string_equal(named(t->bob, "ada"), "ada 2");
	assert_string_equal(named(t->ada, "ADA"), "ADA");
	assert_string_equal(named(t->bob, "bob"), "bob");
	assert_string_equal(rig_table(t->bob), "#1 hidden: ADA host, bob");
}

/* Else a reconnect, which asks for the name again, would rename its member. */
TABLE_TEST(test_a_number_stays_while_the_name_is_taken_and_goes_after_that, t)
{
	struct rig_peer *two = newcomer(t, "cyd");
	struct rig_peer *three = newcomer(t, "dan");
	(void)named(two, "bob");
	(void)named(three, "bob");
	(void)rig_must(two, "leave", RIG_NONE);
	assert_string_equal(named(three, "bob"), "bob 3");
	assert_string_equal(named(newcomer(t, "eve"), "bob"), "bob 2");
	(void)rig_must(t->bob, "leave", RIG_NONE);
	assert_string_equal(named(three, "bob"), "bob");
}

TABLE_TEST(test_a_long_name_makes_room_for_its_number, t)
{
	const char *name = "abcdefghijklmnopqrstuvwx yzABCDE";
	assert_string_equal(named(newcomer(t, "cyd"), name), name);
	assert_string_equal(named(newcomer(t, "dan"), name), "abcdefghijklmnopqrstuvwx 2");
	assert_string_equal(named(newcomer(t, "eve"), name), "abcdefghijklmnopqrstuvwx 3");
}

TABLE_TEST(test_who_comes_back_after_a_restart_has_the_number_still, t)
{
	struct rig_peer *two = newcomer(t, "cyd");
	(void)named(two, "bob");
	rig_crash(&t->r);
	two = rig_return(two, false);
	assert_string_equal(named(two, "bob"), "bob 2");
}

/* One that Unicode's tables are asked about. */
TABLE_HEAP_TEST(test_a_name_survives_each_failed_allocation, t, nth)
{
	(void)named(t->bob, "b\xc3\xb6"
			    "b");
	struct rig_peer *two = newcomer(t, "cyd");
	heap_fail_nth(nth, false);
	const char *code = rig_code(two, "join",
				    "'username':'B\xc3\x96"
				    "B'");
	heap_fail_never();
	bool is_done = strcmp(code, "ok") == 0;
	assert_true(is_done || strcmp(code, "UNAVAILABLE") == 0);
	assert_string_equal(named(two, "B\xc3\x96"
				       "B"),
			    "B\xc3\x96"
			    "B 2");
}
