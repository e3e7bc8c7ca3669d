/*
 * test_open_stories_table.c - stories that are open together come to the table and go back, and what the table's rules and
 * theirs do to each other.
 */
#include <stdio.h>

#include "tests/unit/server/open_stories.h"

/* ---- to the table and back ---- */

OPEN_TEST(test_a_story_brings_its_votes_to_the_table_and_takes_them_back, t)
{
	vote(t->bob, "Pay", "'5'");
	vote(t->ada, "Ship", "'8'");
	select_story(t, "Pay");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob voted");
	assert_string_equal(rig_self(t->bob), "bob voter =5");
	assert_string_equal(rig_story_votes(t->bob), "Ship 1 voted | ada 1");
	vote(t->ada, "Pay", "'3'"); /* at the table now */
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host voted, bob voted");
	select_story(t, "Ship");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host voted, bob");
	assert_string_equal(rig_story_votes(t->bob), "Pay 2 voted | ada 1, bob 1");
	assert_string_equal(rig_stories(t->bob), "Login: todo, Pay: todo, Ship: voting");
	(void)rig_must(t->ada, "story.select", "'room_id':'%s','story_id':null", t->r.room_id);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob");
	assert_string_equal(rig_story_votes(t->bob), "Pay 2 voted, Ship 1 voted | ada 2, bob 1");
}

OPEN_TEST(test_revealed_votes_go_to_the_table_as_they_were_shown, t)
{
	struct rig_peer *eve = rig_sit(&t->r, "eve");
	vote(t->bob, "Pay", "'5'");
	vote(eve, "Pay", "'13'");
	reveal(t, "Pay", true);
	(void)rig_must(eve, "leave", RIG_NONE);
	select_story(t, "Pay");
	assert_string_equal(rig_table(t->bob), "#1 open: ada host, bob =5, -, eve left =13");
	select_story(t, "Login");
	assert_string_equal(rig_table(t->bob), "#1 hidden: ada host, bob, -");
	assert_string_equal(rig_story_votes(t->bob), "Pay bob=5 eve=13 () | bob 1");
	assert_int_equal(rig_stored(&t->r, "ROUND#"), 0);
	select_story(t, "Pay");
	rig_crash(&t->r);
	struct rig_peer *ada = rig_return(t->ada, false);
	assert_string_equal(rig_table(ada), "#1 open: ada host, bob away =5, - away, eve left =13");
	(void)rig_must(ada, "round.settle", "'room_id':'%s','host_key':'%s','estimate':'8'",
		       t->r.room_id, t->r.host_key);
	(void)rig_must(ada, "story.next", "'room_id':'%s'", t->r.room_id);
	assert_string_equal(rig_stories(ada), "Login: todo, Pay: done 8, Ship: voting");
	assert_int_equal(rig_stored(&t->r, "ROUND#"), 1);
}

OPEN_TEST(test_results_without_names_go_to_the_table_and_back, t)
{
	policy(t, "'anonymous':true");
	vote(t->bob, "Pay", "'8'");
	vote(t->ada, "Pay", "'5'");
	reveal(t, "Pay", true);
	select_story(t, "Pay");
	assert_string_equal(rig_table(t->bob), "#1 open: ada host voted, bob voted");
	assert_non_null(strstr(rig_of(t->bob, "result"), "'votes':2"));
	select_story(t, "Ship");
	assert_string_equal(rig_story_votes(t->bob), "Pay =5 =8 (8) | ada 1, bob 1");
}

OPEN_TEST(test_a_spectators_vote_waits_at_the_table, t)
{
	vote(t->bob, "Pay", "'5'");
	(void)rig_must(t->bob, "join", "'username':'bob','role':'spectator'");
	select_story(t, "Pay");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob watches");
	(void)rig_must(t->bob, "join", "'username':'bob','role':'voter'");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob voted");
}

/* ---- what the table's rules and those of open stories do to each other ---- */

TABLE_TEST(test_a_story_stays_at_the_table_where_its_votes_would_pass_a_members_limit, t)
{
	char title[32];
	policy(t, "'open_stories':true");
	for (int i = 0; i <= MAX_STORY_VOTES + 1; i++) {
		(void)snprintf(title, sizeof(title), "S%d", i);
		add(t, title);
		if (i < MAX_STORY_VOTES) {
			vote(t->bob, title, "'5'");
		}
	}
	select_story(t, "S200");
	(void)rig_must(t->bob, "vote", "'vote':'5'");
	const char *refused = rig_refused(t->ada, "story.select", "'room_id':'%s','story_id':'%s'",
					  t->r.room_id, id_of(t->ada, "S201"));
	assert_non_null(strstr(refused, "'code':'TOO_LARGE'"));
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob voted");
	vote(t->bob, "S7", "null");
	select_story(t, "S201");
	rig_crash(&t->r);
	struct rig_peer *bob = rig_return(t->bob, false);
	assert_non_null(strstr(rig_story_votes(bob), "| bob 200"));
}

static void finish_at_table(struct table *t, const char *title, const char *card)
{
	select_story(t, title);
	(void)rig_must(t->bob, "vote", "'vote':'%s'", card);
	(void)rig_must(t->ada, "set_revealed", "'is_revealed':true");
	(void)rig_must(t->ada, "round.settle", "'room_id':'%s','estimate':'%s'", t->r.room_id,
		       card);
}

OPEN_TEST(test_a_vote_on_a_story_whose_round_could_be_undone_ends_that, t)
{
	finish_at_table(t, "Pay", "5");
	select_story(t, "Ship");
	(void)rig_must(t->ada, "story.update", "'room_id':'%s','story_id':'%s','status':'todo'",
		       t->r.room_id, id_of(t->ada, "Pay"));
	vote(t->bob, "Pay", "'8'");
	assert_non_null(
		strstr(rig_refused(t->ada, "round.undo_reset", "'room_id':'%s'", t->r.room_id),
		       "'code':'CONFLICT'"));
	assert_string_equal(rig_story_votes(t->ada), "Pay 1 voted | bob 1");
}

OPEN_TEST(test_who_spectates_has_no_vote_on_open_stories_until_they_are_back, t)
{
	policy(t, "'quorum':2");
	vote(t->bob, "Pay", "'5'");
	(void)rig_must(t->bob, "join", "'username':'bob','role':'spectator'");
	assert_string_equal(rig_story_votes(t->ada), " | bob 1");
	vote(t->ada, "Pay", "'8'");
	assert_string_equal(rig_story_votes(t->ada), "Pay 1 voted | ada 1, bob 1");
	(void)rig_must(t->bob, "join", "'username':'bob','role':'voter'");
	assert_string_equal(rig_story_votes(t->ada), "Pay bob=5 ada=8 (8) | ada 1, bob 1");
}

OPEN_TEST(test_names_go_from_what_was_revealed_when_results_have_none, t)
{
	vote(t->bob, "Pay", "'5'");
	vote(t->ada, "Pay", "'8'");
	reveal(t, "Pay", true);
	policy(t, "'anonymous':true");
	assert_string_equal(rig_story_votes(t->bob), "Pay =5 =8 (8) | ada 1, bob 1");
	settle(t, "Pay", "8");
	assert_null(strstr(rig_must(t->bob, "round.list", "'room_id':'%s'", t->r.room_id), "bob"));
}

OPEN_TEST(test_results_follow_the_rule_for_bots, t)
{
	struct rig_peer *bot = bot_joins(t);
	vote(bot, "Pay", "'13'");
	vote(t->bob, "Pay", "'5'");
	reveal(t, "Pay", true);
	assert_string_equal(rig_story_votes(t->ada), "Pay bot=13 bob=5 (5) | bob 1, bot 1");
	policy(t, "'bots_count':true");
	assert_string_equal(rig_story_votes(t->ada), "Pay bot=13 bob=5 () | bob 1, bot 1");
}

OPEN_TEST(test_a_late_vote_of_a_bot_whose_card_was_withdrawn_counts_once, t)
{
	struct rig_peer *bot = bot_joins(t);
	vote(bot, "Pay", "'5'");
	vote(t->bob, "Pay", "'8'");
	(void)rig_must(t->ada, "set_valid_sizes", "'valid_sizes':['1','2','8']");
	reveal(t, "Pay", true);
	policy(t, "'bots_count':true");
	vote(bot, "Pay", "'8'");
	const char *full = rig_must(t->ada, "room.get", "'room_id':'%s'", t->r.room_id);
	assert_non_null(strstr(full, "'voted':2"));
	assert_null(strstr(full, "'withdrawn'"));
}

OPEN_TEST(test_a_round_that_was_hidden_again_leaves_the_history_with_its_story, t)
{
	select_story(t, "Pay");
	(void)rig_must(t->bob, "vote", "'vote':'5'");
	(void)rig_must(t->ada, "set_revealed", "'is_revealed':true");
	(void)rig_must(t->ada, "set_revealed", "'is_revealed':false");
	select_story(t, "Ship");
	assert_int_equal(rig_stored(&t->r, "ROUND#"), 0);
	vote(t->ada, "Login", "'8'");
	reveal(t, "Login", true);
	settle(t, "Login", "8");
	const char *list = rig_must(t->bob, "round.list", "'room_id':'%s'", t->r.room_id);
	assert_null(strstr(list, "'story':'Pay'"));
	assert_non_null(strstr(list, "'story':'Login'"));
	assert_int_equal(rig_stored(&t->r, "ROUND#"), 1);
}

OPEN_TEST(test_votes_that_were_hidden_by_hand_wait_for_the_next_vote, t)
{
	policy(t, "'quorum':1");
	vote(t->bob, "Pay", "'5'");
	reveal(t, "Pay", false);
	policy(t, "'who_resets':'everyone'");
	policy(t, "'quorum':0");
	policy(t, "'quorum':1");
	assert_string_equal(rig_story_votes(t->ada), "Pay 1 voted | bob 1");
	vote(t->bob, "Pay", "'8'");
	assert_string_equal(rig_story_votes(t->ada), "Pay bob=8 (8) | bob 1");
}

OPEN_TEST(test_votes_that_were_hidden_by_hand_wait_for_the_next_vote_after_a_restart_too, t)
{
	policy(t, "'quorum':1");
	vote(t->bob, "Pay", "'5'");
	reveal(t, "Pay", false);
	rig_crash(&t->r);
	struct rig_peer *ada = rig_return(t->ada, false);
	(void)rig_must(ada, "set_policy", "'host_key':'%s','policy':{'quorum':0}", t->r.host_key);
	(void)rig_must(ada, "set_policy", "'policy':{'quorum':1}");
	assert_string_equal(rig_story_votes(ada), "Pay 1 voted | bob 1");
	struct rig_peer *bob = rig_return(t->bob, false);
	vote(bob, "Pay", "'8'");
	assert_string_equal(rig_story_votes(ada), "Pay bob=8 (8) | bob 1");
	rig_crash(&t->r);
	ada = rig_return(t->ada, false);
	assert_string_equal(rig_story_votes(ada), "Pay bob=8 (8) | bob 1");
}

OPEN_TEST(test_members_who_come_and_go_fill_a_revealed_story_and_no_more, t)
{
	char name[16];
	t->r.config.limits[LIMIT_ROOM_SEATS] = 5;
	rig_crash(&t->r);
	struct rig_peer *ada = rig_return(t->ada, false);
	struct rig_peer *bob = rig_return(t->bob, false);
	vote(bob, "Pay", "'5'");
	(void)rig_must(ada, "set_revealed", "'host_key':'%s','story_id':'%s','is_revealed':true",
		       t->r.host_key, id_of(ada, "Pay"));
	for (int i = 0; i < 4; i++) {
		(void)snprintf(name, sizeof(name), "n%d", i);
		struct rig_peer *n = rig_sit(&t->r, name);
		vote(n, "Pay", "'8'");
		(void)rig_must(n, "delete_user", RIG_NONE);
		rig_cut(n);
	}
	struct rig_peer *last = rig_sit(&t->r, "last");
	assert_non_null(strstr(vote_refused(last, "Pay", "'8'"), "this story is full"));
	vote(bob, "Pay", "'8'");
}

/* Late votes with long comments, until no more may be revealed: what is revealed at the table then stays there. */
TABLE_TEST(test_what_a_room_may_reveal_is_bounded_and_so_is_what_leaves_the_table, t)
{
	enum { STORIES = MAX_STORY_COMMENTS_BYTES / 510 };
	char name[16];
	char comment[3 * MAX_COMMENT_CELLS / 2 + 1] = "";
	const char *code = "ok";
	for (int i = 0; i < MAX_COMMENT_CELLS / 2; i++) {
		strcat(comment, "\u5b57");
	}
	policy(t, "'open_stories':true");
	for (int i = 0; i < STORIES; i++) {
		(void)snprintf(name, sizeof(name), "S%d", i);
		add(t, name);
		vote(t->bob, name, "'5'");
		reveal(t, name, true);
	}
	add(t, "Table");
	select_story(t, "Table");
	(void)rig_must(t->ada, "vote", "'vote':'5'");
	(void)rig_must(t->ada, "set_revealed", "'is_revealed':true");
	rig_cut(t->bob);
	char ids[STORIES][65];
	for (int i = 0; i < STORIES; i++) {
		(void)snprintf(name, sizeof(name), "S%d", i);
		(void)snprintf(ids[i], sizeof(ids[i]), "%s", id_of(t->ada, name));
	}
	(void)rig_must(t->ada, "unsubscribe", RIG_NONE);
	for (int m = 0; m < 400 && strcmp(code, "ok") == 0; m++) {
		(void)snprintf(name, sizeof(name), "m%d", m);
		struct rig_peer *p = rig_sit(&t->r, name);
		for (int i = 0; i < STORIES && strcmp(code, "ok") == 0; i++) {
			code = rig_code(p, "vote", "'story_id':'%s','vote':'5','comment':'%s'",
					ids[i], comment);
		}
		rig_cut(p);
	}
	rig_follow(t->ada, "");
	assert_string_equal(code, "TOO_LARGE");
	const char *refused = rig_refused(t->ada, "story.select", "'room_id':'%s','story_id':'%s'",
					  t->r.room_id, ids[0]);
	assert_non_null(strstr(refused, "'code':'TOO_LARGE'"));
	assert_non_null(strstr(refused, "'most':2097152,'unit':'bytes'"));
	(void)rig_must(t->ada, "round.settle", "'room_id':'%s','estimate':'5'", t->r.room_id);
	/* What is revealed now has its votes without their comments. */
	add(t, "Late");
	(void)rig_must(t->ada, "vote", "'story_id':'%s','vote':'5','comment':'too late'",
		       id_of(t->ada, "Late"));
	reveal(t, "Late", true);
	assert_null(strstr(rig_must(t->ada, "get", RIG_NONE), "too late"));
	select_story(t, "S0");
	rig_assert_same(t->ada);
}

OPEN_TEST(test_settling_in_front_of_a_revealed_round_keeps_the_history_in_order, t)
{
	select_story(t, "Login");
	(void)rig_must(t->bob, "vote", "'vote':'1'");
	(void)rig_must(t->ada, "set_revealed", "'is_revealed':true");
	vote(t->bob, "Pay", "'5'");
	reveal(t, "Pay", true);
	vote(t->bob, "Ship", "'8'");
	reveal(t, "Ship", true);
	settle(t, "Pay", "5");
	settle(t, "Ship", "8");
	const char *list = rig_must(t->bob, "round.list", "'room_id':'%s'", t->r.room_id);
	const char *login = strstr(list, "'n':3,");
	const char *ship = strstr(list, "'n':2,");
	const char *pay = strstr(list, "'n':1,");
	assert_true(login != NULL && ship != NULL && pay != NULL && login < ship && ship < pay);
	assert_non_null(strstr(login, "'story':'Login'"));
	assert_int_equal(rig_stored(&t->r, "ROUND#"), 3);
}

/* ---- at the same time ---- */

/* What was asked first comes first, though neither is durable yet; a vote that comes too late says so. */
OPEN_TEST(test_a_vote_that_meets_the_end_of_all_stories_counts_or_is_refused, t)
{
	vote(t->ada, "Login", "'5'");
	vote(t->bob, "Login", "'5'");
	vote(t->ada, "Pay", "'8'");
	vote(t->bob, "Pay", "'8'");
	vote(t->ada, "Ship", "'3'");
	reveal(t, "Login", true);
	reveal(t, "Pay", true);
	reveal(t, "Ship", true);
	char ship[32], pay[32];
	(void)snprintf(ship, sizeof(ship), "%s", id_of(t->bob, "Ship"));
	(void)snprintf(pay, sizeof(pay), "%s", id_of(t->bob, "Pay"));
	rig_hold(&t->r);
	uint32_t in_time = rig_send(t->bob, "vote", "'story_id':'%s','vote':'3'", ship);
	uint32_t all = rig_send(t->ada, "round.settle_agreed", "'room_id':'%s'", t->r.room_id);
	uint32_t late = rig_send(t->bob, "vote", "'story_id':'%s','vote':'13'", pay);
	rig_release(&t->r);
	assert_string_equal(rig_outcome(t->bob, in_time), "ok");
	assert_string_equal(rig_outcome(t->ada, all), "ok");
	assert_string_equal(rig_outcome(t->bob, late), "CONFLICT");
	const char *settled = "Login: done 5, Pay: done 8, Ship: done 3";
	assert_string_equal(rig_stories(t->bob), settled);
	rig_crash(&t->r);
	struct rig_peer *ada = rig_return(t->ada, false);
	assert_string_equal(rig_stories(ada), settled);
	const char *rounds = rig_must(ada, "round.list", "'room_id':'%s'", t->r.room_id);
	assert_null(strstr(rounds, "'vote':'13'"));
	size_t threes = 0;
	for (const char *at = strstr(rounds, "'vote':'3'"); at != NULL;
	     at = strstr(at + 1, "'vote':'3'")) {
		threes++;
	}
	assert_int_equal(threes, 2); /* bob's, in time, is in the history */
}
