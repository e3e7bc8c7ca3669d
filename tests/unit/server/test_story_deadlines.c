/*
 * test_story_deadlines.c - a story that is open with others may have a deadline of its own.
 */
#include <stdio.h>

#include "tests/unit/server/open_stories.h"

/* ---- a deadline of its own ---- */

static void until(struct rig_peer *p, const char *title, int seconds)
{
	(void)rig_must(p, "story.update", "'room_id':'%s','story_id':'%s','reveal_in_seconds':%d",
		       p->room_id, id_of(p, title), seconds);
}

OPEN_TEST(test_a_story_with_a_deadline_is_revealed_then_and_the_others_are_not, t)
{
	until(t->ada, "Pay", 3600);
	vote(t->bob, "Pay", "'5'");
	vote(t->bob, "Ship", "'8'");
	rig_advance(&t->r, 59 * MINUTE_MS);
	assert_string_equal(rig_story_votes(t->ada), "Pay 1 voted, Ship 1 voted | bob 2");
	rig_advance(&t->r, MINUTE_MS);
	assert_string_equal(rig_story_votes(t->ada), "Pay bob=5 (5), Ship 1 voted | bob 2");
	assert_null(
		strstr(rig_must(t->ada, "story.list", "'room_id':'%s'", t->r.room_id), "ends_at"));
}

/* Whoever comes after it finds what it revealed, as with the room's deadline. */
OPEN_TEST(test_a_room_lives_until_the_deadlines_of_its_stories_are_past, t)
{
	until(t->ada, "Pay", 2 * 86400);
	vote(t->bob, "Pay", "'5'");
	rig_cut(t->bob);
	rig_cut(t->ada);
	rig_advance(&t->r, 2 * DAY_MS + 10 * MINUTE_MS);
	t->ada = rig_return(t->ada, false);
	assert_non_null(strstr(rig_story_votes(t->ada), "Pay "));
}

OPEN_TEST(test_a_storys_deadline_outlives_the_server_and_can_be_cleared, t)
{
	until(t->ada, "Pay", 3600);
	until(t->ada, "Ship", 3600);
	until(t->ada, "Ship", 0);
	(void)rig_must(t->ada, "story.add",
		       "'room_id':'%s','title':'Late','reveal_in_seconds':7200", t->r.room_id);
	vote(t->bob, "Pay", "'5'");
	vote(t->bob, "Ship", "'8'");
	vote(t->bob, "Late", "'8'");
	rig_crash(&t->r);
	struct rig_peer *ada = rig_return(t->ada, false);
	const char *list = rig_must(ada, "story.list", "'room_id':'%s'", t->r.room_id);
	assert_int_equal(rig_field_number(list, "ends_at"), t->r.wall_ms + 3600000);
	rig_advance(&t->r, 60 * MINUTE_MS);
	assert_string_equal(rig_story_votes(ada),
			    "Pay bob=5 (5), Ship 1 voted, Late 1 voted | bob 3");
	rig_advance(&t->r, 60 * MINUTE_MS);
	assert_string_equal(rig_story_votes(ada),
			    "Pay bob=5 (5), Ship 1 voted, Late bob=8 (8) | bob 3");
}

/* What was due while no server was there is done by the next one at once; late votes are refused, as after any reveal. */
OPEN_TEST(test_a_deadline_that_passed_without_a_server_reveals_when_there_is_one, t)
{
	until(t->ada, "Pay", 3600);
	vote(t->bob, "Pay", "'5'");
	vote(t->bob, "Ship", "'8'");
	rig_crash(&t->r);
	t->r.wall_ms += 2 * 60 * MINUTE_MS;
	t->ada = rig_return(t->ada, false);
	assert_string_equal(rig_story_votes(t->ada), "Pay bob=5 (5), Ship 1 voted | bob 2");
}

OPEN_TEST(test_a_clock_that_is_set_moves_no_deadline_of_a_story, t)
{
	until(t->ada, "Pay", 3600);
	vote(t->bob, "Pay", "'5'");
	rig_advance(&t->r, 1);
	t->r.wall_ms += 30 * 60 * MINUTE_MS;
	rig_advance(&t->r, 30 * MINUTE_MS);
	assert_string_equal(rig_story_votes(t->ada), "Pay 1 voted | bob 1");
	t->r.wall_ms -= 60 * 60 * MINUTE_MS;
	rig_advance(&t->r, 30 * MINUTE_MS);
	assert_string_equal(rig_story_votes(t->ada), "Pay bob=5 (5) | bob 1");
}

OPEN_TEST(test_a_deadline_finds_its_story_at_the_table_or_settled, t)
{
	until(t->ada, "Pay", 3600);
	until(t->ada, "Login", 3600);
	vote(t->bob, "Pay", "'5'");
	vote(t->bob, "Login", "'8'");
	reveal(t, "Login", true);
	(void)settle(t, "Login", "8");
	select_story(t, "Pay");
	rig_advance(&t->r, 60 * MINUTE_MS);
	assert_string_equal(rig_table(t->ada), "#2 open: ada host, bob =5");
	assert_null(
		strstr(rig_must(t->ada, "story.list", "'room_id':'%s'", t->r.room_id), "ends_at"));
}

/* It reveals: the policy gives both to the same people. */
OPEN_TEST(test_only_who_may_reveal_sets_or_clears_a_deadline, t)
{
	static const struct {
		const char *who_reveals;
		const char *code;
	} rows[] = {{"host", "FORBIDDEN"}, {"everyone", "ok"}};
	until(t->ada, "Pay", 3600);
	for (size_t i = 0; i < 2; i++) {
		char rules[40];
		(void)snprintf(rules, sizeof(rules), "'who_reveals':'%s'", rows[i].who_reveals);
		policy(t, rules);
		for (int seconds = 0; seconds < 2; seconds++) {
			assert_string_equal(rig_code(t->bob, "story.update",
						     "'room_id':'%s','story_id':'%s','title':'Pay',"
						     "'reveal_in_seconds':%d",
						     t->r.room_id, id_of(t->ada, "Pay"), seconds),
					    rows[i].code);
			assert_string_equal(rig_code(t->bob, "story.add",
						     "'room_id':'%s','title':'Late',"
						     "'reveal_in_seconds':%d",
						     t->r.room_id, seconds),
					    rows[i].code);
		}
		(void)rig_must(t->bob, "story.add", "'room_id':'%s','title':'More'", t->r.room_id);
	}
}
