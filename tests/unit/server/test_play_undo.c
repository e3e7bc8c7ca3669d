/*
 * test_play_undo.c - a round that is reset or begun again, and the reset that is undone.
 */
#include "tests/unit/server/table.h"

#include "tests/unit/server/play.h"

TABLE_TEST(test_a_reset_begins_the_next_round_on_the_same_story, t)
{
	play_story(t->ada, "Login");
	play_select(t->ada, "Login");
	play_open(t, "3", "8");
	rig_advance(&t->r, 500);
	const char *result = rig_must(t->ada, "reset", RIG_NONE);
	assert_non_null(strstr(result, "'round':2"));
	assert_int_equal(rig_number(t->bob, "round", NULL), 2);
	assert_int_equal(rig_number(t->bob, "story_round", NULL), 2);
	assert_true(rig_number(t->bob, "started_at", NULL) == t->r.wall_ms);
	assert_string_equal(rig_of(t->bob, "result"), "");
	assert_string_equal(rig_stories(t->bob), "Login: voting");
}

TABLE_TEST(test_again_counts_the_rounds_of_the_story_and_keeps_those_before, t)
{
	play_story(t->ada, "Login");
	play_story(t->ada, "Search");
	play_select(t->ada, "Login");
	play_open(t, "3", "8");
	rig_must(t->ada, "round.again", "'room_id':'%s'", t->r.room_id);
	assert_int_equal(rig_number(t->bob, "story_round", NULL), 2);
	play_open(t, "5", "8");
	play_select(t->ada, "Search");
	assert_int_equal(rig_number(t->bob, "story_round", NULL), 1);
	play_select(t->ada, "Login");
	assert_int_equal(rig_number(t->bob, "story_round", NULL), 3);
	assert_int_equal(times_in(play_rounds(t->bob), "'story':'Login'"), 2);
}

TABLE_TEST(test_a_settled_story_that_is_voted_on_again_is_voting_again, t)
{
	play_story(t->ada, "Login");
	play_select(t->ada, "Login");
	play_open(t, "3", "8");
	rig_must(t->ada, "round.settle", "'room_id':'%s','estimate':'5'", t->r.room_id);
	assert_string_equal(rig_stories(t->bob), "Login: done 5");
	rig_must(t->ada, "round.again", "'room_id':'%s'", t->r.room_id);
	assert_string_equal(rig_stories(t->bob), "Login: voting 5");
	assert_string_equal(rig_of(t->bob, "outcome"), "");
	rig_must(t->ada, "round.undo_reset", "'room_id':'%s'", t->r.room_id);
	assert_string_equal(rig_stories(t->bob), "Login: done 5");
	assert_string_equal(rig_of(t->bob, "outcome"), "'5'");
}

static void undo(struct rig_peer *p)
{
	(void)rig_must(p, "round.undo_reset", "'room_id':'%s'", p->rig->room_id);
}

static void assert_no_undo(struct rig_peer *p)
{
	assert_string_equal(rig_code(p, "round.undo_reset", "'room_id':'%s'", p->rig->room_id),
			    "CONFLICT");
}

/* The story before this one lay open. */
static void leave_open_story(struct table *t)
{
	play_story(t->ada, "Login");
	play_story(t->ada, "Search");
	play_select(t->ada, "Login");
	play_open(t, "3", "8");
	play_select(t->ada, "Search");
}

/* The round before this one lay open. */
static void open_and_reset(struct table *t)
{
	play_open(t, "3", "8");
	rig_must(t->ada, "reset", RIG_NONE);
}

TABLE_TEST(test_undo_brings_back_an_open_round_as_it_lay, t)
{
	play_policy(t->ada, "'confidence':true");
	rig_must(t->bob, "vote", "'vote':'8','comment':'big','confidence':3");
	play_vote(t->ada, "3");
	rig_advance(&t->r, 3000);
	char *before = play_state(t->bob);
	rig_advance(&t->r, 5000);
	rig_must(t->ada, "reset", RIG_NONE);
	assert_string_equal(rig_of(t->bob, "can_undo"), "true");
	undo(t->ada);
	char *after = play_state(t->bob);
	assert_string_equal(after, before);
	free(before);
	free(after);
}

TABLE_TEST(test_undo_brings_back_hidden_votes_and_holds_the_countdown, t)
{
	play_vote(t->ada, "3");
	play_vote(t->bob, "8");
	rig_must(t->ada, "reset", RIG_NONE);
	undo(t->ada);
	assert_string_equal(rig_table(t->bob), "#1 hidden: ada host voted, bob voted");
	assert_string_equal(rig_self(t->bob), "bob voter =8");
	rig_advance(&t->r, 60000);
	assert_string_equal(rig_of(t->bob, "phase"), "'voting'");
	rig_must(t->ada, "set_revealed", "'is_revealed':true");
	assert_string_equal(rig_table(t->bob), "#1 open: ada host =3, bob =8");
}

/* Armed was the round that is left; in the one that comes back all have voted already. */
TABLE_TEST(test_undo_brings_back_a_round_that_is_not_armed, t)
{
	open_and_reset(t);
	rig_must(t->ada, "reveal.arm", "'room_id':'%s'", t->r.room_id);
	undo(t->ada);
	assert_string_equal(rig_of(t->bob, "is_armed"), "");
	rig_must(t->ada, "set_revealed", "'is_revealed':false");
	assert_string_equal(rig_table(t->bob), "#1 hidden: ada host voted, bob voted");
}

TABLE_TEST(test_undo_ends_with_the_next_vote, t)
{
	open_and_reset(t);
	play_vote(t->bob, "5");
	assert_string_equal(rig_of(t->bob, "can_undo"), "");
	assert_no_undo(t->ada);
	assert_string_equal(rig_table(t->bob), "#2 hidden: ada host, bob voted");
}

TABLE_TEST(test_only_the_last_reset_can_be_undone_and_only_once, t)
{
	assert_no_undo(t->ada);
	open_and_reset(t);
	rig_must(t->ada, "reset", RIG_NONE);
	undo(t->ada);
	assert_string_equal(rig_table(t->bob), "#2 hidden: ada host, bob");
	assert_no_undo(t->ada);
}

TABLE_TEST(test_undo_gives_votes_only_to_those_who_may_hold_one, t)
{
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	play_vote(cy, "13");
	open_and_reset(t);
	rig_must(t->bob, "join", "'username':'bob','role':'spectator'");
	rig_must(cy, "leave", RIG_NONE);
	rig_must(cy, "join", "'username':'cy'");
	undo(t->ada);
	assert_string_equal(rig_table(t->ada),
			    "#1 open: ada host =3, bob watches, cy =13, bob left =8");
}

TABLE_TEST(test_undo_forgets_a_round_that_was_revealed_empty_in_between, t)
{
	open_and_reset(t);
	rig_must(t->ada, "set_revealed", "'is_revealed':true");
	assert_int_equal(times_in(play_rounds(t->bob), "'n':"), 2);
	undo(t->ada);
	assert_int_equal(times_in(play_rounds(t->bob), "'n':"), 1);
	assert_int_equal(rig_stored(&t->r, "ROUND#"), 1);
	assert_string_equal(rig_table(t->bob), "#1 open: ada host =3, bob =8");
}

TABLE_TEST(test_undo_goes_back_to_the_story_before, t)
{
	leave_open_story(t);
	assert_string_equal(rig_stories(t->bob), "Login: todo, Search: voting");
	undo(t->ada);
	assert_string_equal(rig_stories(t->bob), "Login: voting, Search: todo");
	assert_string_equal(rig_table(t->bob), "#1 open: ada host =3, bob =8");
}

TABLE_TEST(test_undo_counts_the_rounds_of_the_story_that_it_goes_back_to, t)
{
	play_story(t->ada, "Login");
	play_story(t->ada, "Search");
	play_select(t->ada, "Login");
	play_open(t, "3", "8");
	rig_must(t->ada, "round.again", "'room_id':'%s'", t->r.room_id);
	play_open(t, "5", "8");
	play_select(t->ada, "Search");
	assert_int_equal(rig_number(t->bob, "story_round", NULL), 1);
	undo(t->ada);
	assert_int_equal(rig_number(t->bob, "story_round", NULL), 2);
}

TABLE_TEST(test_another_story_ends_the_undo_of_a_reset_on_the_one_before, t)
{
	play_story(t->ada, "Login");
	play_story(t->ada, "Search");
	play_select(t->ada, "Login");
	play_open(t, "3", "8");
	rig_must(t->ada, "reset", RIG_NONE);
	assert_string_equal(rig_of(t->bob, "can_undo"), "true");
	play_select(t->ada, "Search");
	assert_no_undo(t->ada);
	assert_string_equal(rig_of(t->bob, "can_undo"), "");
	rig_crash(&t->r);
	assert_no_undo(rig_return(t->ada, false));
}

TABLE_TEST(test_undo_does_not_bring_back_a_story_that_was_removed, t)
{
	leave_open_story(t);
	rig_must(t->ada, "story.remove", "'room_id':'%s','story_id':'%s'", t->r.room_id,
		 rig_story(t->ada, "Login"));
	assert_no_undo(t->ada);
}

TABLE_TEST(test_undo_survives_a_restart, t)
{
	rig_must(t->bob, "vote", "'vote':'8','comment':'big'");
	play_vote(t->ada, "3");
	rig_advance(&t->r, 3000);
	rig_must(t->ada, "reset", RIG_NONE);
	rig_crash(&t->r);
	struct rig_peer *ada = rig_return(t->ada, false);
	assert_string_equal(rig_of(ada, "can_undo"), "true");
	undo(ada);
	assert_string_equal(rig_table(ada), "#1 open: ada host =3, bob away =8");
	struct rig_peer *bob = rig_return(t->bob, false);
	assert_non_null(strstr(play_you(bob), "'comment':'big'"));
}

TABLE_TEST(test_resetting_undoing_and_settling_are_the_hosts_unless_everyone_may, t)
{
	play_open(t, "3", "8");
	static const char *const acts[][2] = {
		{"round.settle", ",'estimate':'5'"},
		{"room.reset", ""},
		{"round.undo_reset", ""},
		{"round.again", ""},
	};
	for (size_t i = 0; i < sizeof(acts) / sizeof(acts[0]); i++) {
		assert_string_equal(rig_code(t->bob, acts[i][0], "'room_id':'%s'%s", t->r.room_id,
					     acts[i][1]),
				    "FORBIDDEN");
	}
	play_policy(t->ada, "'who_resets':'everyone'");
	for (size_t i = 0; i < sizeof(acts) / sizeof(acts[0]); i++) {
		assert_string_equal(rig_code(t->bob, acts[i][0], "'room_id':'%s'%s", t->r.room_id,
					     acts[i][1]),
				    "ok");
	}
}
