/*
 * test_open_stories.c - rooms in which all stories to do are open together: votes on each, their secrecy, reveals by
 * quorum, deadline and hand, and settling them one by one or together.
 */
#include <stdio.h>

#include "tests/unit/server/open_stories.h"

/* ---- votes ---- */

OPEN_TEST(test_each_story_has_its_votes_and_only_their_number_is_seen, t)
{
	vote(t->bob, "Pay", "'5'");
	vote(t->bob, "Login", "'8'");
	vote(t->ada, "Pay", "'3'");
	assert_string_equal(rig_story_votes(t->ada), "Login 1 voted, Pay 2 voted | ada 1, bob 2");
	assert_string_equal(rig_story_votes(t->bob), "Login 1 voted, Pay 2 voted | ada 1, bob 2");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob");
	assert_string_equal(rig_self(t->bob), "bob voter");
	const struct rig_copy *c = rig_copy(t->bob, t->r.room_id);
	assert_non_null(c->you);
}

OPEN_TEST(test_a_vote_changes_and_is_retracted_until_the_reveal, t)
{
	vote(t->bob, "Pay", "'5'");
	vote(t->bob, "Pay", "'8'");
	assert_string_equal(rig_story_votes(t->ada), "Pay 1 voted | bob 1");
	vote(t->bob, "Pay", "null");
	assert_string_equal(rig_story_votes(t->ada), "");
	vote(t->bob, "Pay", "null");
	vote(t->bob, "Pay", "'8'");
	reveal(t, "Pay", true);
	assert_string_equal(rig_story_votes(t->bob), "Pay bob=8 (8) | bob 1");
	assert_string_equal(vote_refused(t->bob, "Pay", "null"),
			    "{'code':'CONFLICT','message':'already revealed; change your vote "
			    "instead'}");
	assert_string_equal(rig_story_votes(t->bob), "Pay bob=8 (8) | bob 1");
}

OPEN_TEST(test_a_vote_after_the_reveal_counts_and_is_marked, t)
{
	vote(t->bob, "Pay", "'5'");
	reveal(t, "Pay", true);
	vote(t->ada, "Pay", "'5'");
	assert_string_equal(rig_story_votes(t->bob), "Pay bob=5 ada=5* (5) | ada 1, bob 1");
	vote(t->bob, "Pay", "'8'");
	assert_string_equal(rig_story_votes(t->ada), "Pay bob=8* ada=5* (8) | ada 1, bob 1");
}

OPEN_TEST(test_only_stories_to_do_are_open, t)
{
	(void)rig_must(t->ada, "story.update", "'room_id':'%s','story_id':'%s','status':'skipped'",
		       t->r.room_id, id_of(t->ada, "Login"));
	(void)rig_must(t->ada, "story.remove", "'room_id':'%s','story_id':'%s'", t->r.room_id,
		       id_of(t->ada, "Ship"));
	assert_non_null(strstr(vote_refused(t->bob, "Login", "'5'"), "skipped"));
	assert_non_null(strstr(vote_refused(t->bob, "Ship", "'5'"), "removed"));
	assert_non_null(strstr(vote_refused(t->bob, "Pay", "'4'"), "'field':'vote'"));
	assert_non_null(strstr(rig_refused(t->bob, "vote", "'story_id':'nosuch','vote':'5'"),
			       "'code':'NOT_FOUND'"));
	policy(t, "'open_stories':false");
	assert_non_null(strstr(vote_refused(t->bob, "Pay", "'5'"), "one at a time"));
	assert_string_equal(rig_story_votes(t->bob), "");
}

/* Stories are open and none is at the table: which one a vote is on is not guessed, not even where only one is left. */
OPEN_TEST(test_a_vote_on_no_story_is_refused_while_stories_are_open, t)
{
	static const char no_story[] = "{'code':'CONFLICT','message':'is required: no story is at "
				       "the table, and others are open','field':'story_id'}";
	assert_string_equal(rig_refused(t->bob, "vote", "'vote':'5'"), no_story);
	assert_string_equal(rig_refused(t->bob, "vote", "'vote':null"), no_story);
	vote(t->bob, "Pay", "'5'");
	vote(t->bob, "Ship", "'5'");
	assert_string_equal(rig_refused(t->bob, "vote", "'vote':'5'"), no_story);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob");
	select_story(t, "Login");
	(void)rig_must(t->bob, "vote", "'vote':'5'");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob voted");
}

/* Quick votes are as before where no story is left, and a card that is there can be taken back. */
OPEN_TEST(test_a_quick_vote_ends_where_stories_open, t)
{
	(void)rig_must(t->ada, "story.update", "'room_id':'%s','story_id':'%s','status':'skipped'",
		       t->r.room_id, id_of(t->ada, "Login"));
	(void)rig_must(t->ada, "story.remove", "'room_id':'%s','story_id':'%s'", t->r.room_id,
		       id_of(t->ada, "Pay"));
	(void)rig_must(t->ada, "story.remove", "'room_id':'%s','story_id':'%s'", t->r.room_id,
		       id_of(t->ada, "Ship"));
	(void)rig_must(t->bob, "vote", "'vote':'5'");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob voted");
	add(t, "Sign in");
	assert_non_null(strstr(rig_refused(t->bob, "vote", "'vote':'8'"), "'field':'story_id'"));
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob voted");
	(void)rig_must(t->bob, "vote", "'vote':null");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob");
}

OPEN_TEST(test_a_story_that_is_skipped_keeps_its_votes_for_when_it_is_to_do_again, t)
{
	vote(t->bob, "Pay", "'5'");
	vote(t->bob, "Ship", "'8'");
	(void)rig_must(t->ada, "story.update", "'room_id':'%s','story_id':'%s','status':'skipped'",
		       t->r.room_id, id_of(t->ada, "Pay"));
	assert_string_equal(rig_story_votes(t->ada), "Pay 1 voted, Ship 1 voted | bob 1");
	(void)rig_must(t->ada, "story.update", "'room_id':'%s','story_id':'%s','status':'todo'",
		       t->r.room_id, id_of(t->ada, "Pay"));
	assert_string_equal(rig_story_votes(t->ada), "Pay 1 voted, Ship 1 voted | bob 2");
}

OPEN_TEST(test_spectators_and_members_without_a_name_do_not_vote, t)
{
	struct rig_peer *eve = rig_guest(&t->r, "eve");
	strcpy(eve->room_id, t->r.room_id);
	rig_follow(eve, "");
	assert_non_null(strstr(vote_refused(eve, "Pay", "'5'"), "'code':'FORBIDDEN'"));
	(void)rig_must(eve, "join", "'username':'eve','role':'spectator'");
	assert_non_null(strstr(vote_refused(eve, "Pay", "'5'"), "spectators do not vote"));
}

OPEN_TEST(test_a_reveal_shows_no_vote_of_who_only_watches_now, t)
{
	vote(t->bob, "Pay", "'5'");
	vote(t->ada, "Pay", "'8'");
	(void)rig_must(t->bob, "join", "'username':'bob','role':'spectator'");
	reveal(t, "Pay", true);
	assert_string_equal(rig_story_votes(t->ada), "Pay ada=8 (8) | ada 1, bob 1");
}

OPEN_TEST(test_who_has_voted_is_hidden_where_the_rules_hide_it, t)
{
	vote(t->bob, "Pay", "'5'");
	policy(t, "'hide_who_voted':true");
	vote(t->ada, "Pay", "'5'");
	const char *said = rig_copy(t->bob, t->r.room_id) == NULL ? "" : rig_of(t->bob, "policy");
	assert_non_null(strstr(said, "'hide_who_voted':true"));
	struct rig_peer *eve = rig_sit(&t->r, "eve");
	assert_string_equal(rig_story_votes(eve), "Pay 2 voted");
	policy(t, "'hide_who_voted':false");
	assert_string_equal(rig_story_votes(eve), "Pay 2 voted | ada 1, bob 1");
}

OPEN_TEST(test_bots_count_where_the_rules_say_so, t)
{
	struct rig_peer *bot = bot_joins(t);
	vote(bot, "Pay", "'13'");
	vote(t->bob, "Pay", "'5'");
	assert_string_equal(rig_story_votes(t->ada), "Pay 1 voted | bob 1, bot 1");
	policy(t, "'bots_count':true");
	assert_string_equal(rig_story_votes(t->ada), "Pay 2 voted | bob 1, bot 1");
	(void)rig_must(bot, "join", "'username':'bot','is_bot':false");
	policy(t, "'bots_count':false");
	assert_string_equal(rig_story_votes(t->ada), "Pay 2 voted | bob 1, bot 1");
}

/* ---- members who come and go ---- */

OPEN_TEST(test_votes_outlast_their_connections_and_a_restart, t)
{
	vote(t->bob, "Pay", "'5'");
	(void)rig_must(t->bob, "vote", "'story_id':'%s','vote':'8','comment':'two teams'",
		       id_of(t->bob, "Ship"));
	reveal(t, "Ship", true);
	rig_cut(t->bob);
	rig_advance(&t->r, 3 * HOUR_MS);
	rig_crash(&t->r);
	struct rig_peer *ada = rig_return(t->ada, false);
	assert_string_equal(rig_story_votes(ada), "Pay 1 voted, Ship bob=8 (8) | bob 2");
	struct rig_peer *bob = rig_return(t->bob, false);
	vote(bob, "Ship", "'5'");
	assert_string_equal(rig_story_votes(ada), "Pay 1 voted, Ship bob=5* (5) | bob 2");
	(void)rig_must(ada, "set_revealed", "'host_key':'%s','story_id':'%s','is_revealed':true",
		       t->r.host_key, id_of(ada, "Pay"));
	assert_string_equal(rig_story_votes(bob), "Pay bob=5 (5), Ship bob=5* (5) | bob 2");
}

OPEN_TEST(test_who_leaves_takes_hidden_votes_along_and_stays_in_what_was_shown, t)
{
	vote(t->bob, "Pay", "'5'");
	vote(t->bob, "Ship", "'8'");
	reveal(t, "Ship", true);
	(void)rig_must(t->bob, "leave", RIG_NONE);
	assert_string_equal(rig_story_votes(t->ada), "Ship bob=8 (8)");
	struct rig_peer *eve = rig_sit(&t->r, "eve");
	vote(eve, "Pay", "'3'");
	(void)rig_must(t->ada, "kick", "'user_id':'%s'", eve->user_id);
	rig_cut(eve);
	assert_string_equal(rig_story_votes(t->ada), "Ship bob=8 (8)");
}

/* ---- reveals ---- */

TABLE_TEST(test_a_member_who_is_removed_with_votes_on_twelve_stories, t)
{
	enum { STORIES = 12 };
	char title[16];
	policy(t, "'open_stories':true,'locked':true");
	for (int i = 0; i < STORIES; i++) {
		(void)snprintf(title, sizeof(title), "S%d", i);
		add(t, title);
		vote(t->bob, title, "'5'");
		vote(t->ada, title, "'8'");
		if (i < 2) {
			reveal(t, title, true);
		}
	}
	(void)rig_must(t->ada, "kick", "'user_id':'%s'", t->bob->user_id);
	rig_cut(t->bob);
	const char *after = "S0 bob=5 ada=8 (8), S1 bob=5 ada=8 (8), S2 1 voted, S3 1 voted, "
			    "S4 1 voted, S5 1 voted, S6 1 voted, S7 1 voted, S8 1 voted, "
			    "S9 1 voted, S10 1 voted, S11 1 voted | ada 12";
	assert_string_equal(rig_story_votes(t->ada), after);
	rig_crash(&t->r);
	struct rig_peer *ada = rig_return(t->ada, false);
	assert_string_equal(rig_story_votes(ada), after);
	(void)rig_must(ada, "set_revealed", "'host_key':'%s','story_id':'%s','is_revealed':true",
		       t->r.host_key, id_of(ada, "S2"));
	assert_non_null(strstr(rig_story_votes(ada), "S2 ada=8 (8), S3"));
}

static const char *reveal_refused(struct table *t, const char *title)
{
	return rig_refused(t->ada, "set_revealed", "'story_id':'%s','is_revealed':true",
			   id_of(t->ada, title));
}

/* It would show all later votes as they are cast. */
OPEN_TEST(test_a_story_without_votes_is_not_revealed, t)
{
	static const char nobody[] = "{'code':'CONFLICT','message':'nobody has voted on that story "
				     "yet; wait for the first vote'}";
	assert_string_equal(reveal_refused(t, "Pay"), nobody);
	vote(bot_joins(t), "Pay", "'13'"); /* bots do not count here */
	vote(t->bob, "Ship", "'5'");
	(void)rig_must(t->bob, "join", "'username':'bob','role':'spectator'");
	assert_string_equal(reveal_refused(t, "Pay"), nobody);
	assert_string_equal(reveal_refused(t, "Ship"), nobody);
	(void)rig_must(t->ada, "timer.start", "'room_id':'%s','seconds':60,'reveal_at_zero':true",
		       t->r.room_id);
	rig_advance(&t->r, MINUTE_MS);
	(void)rig_must(t->bob, "join", "'username':'bob','role':'voter'");
	vote(t->bob, "Pay", "'5'");
	assert_string_equal(rig_story_votes(t->ada), "Pay 1 voted, Ship 1 voted | bob 2, bot 1");
	reveal(t, "Pay", true);
	assert_string_equal(rig_story_votes(t->ada),
			    "Pay bot=13 bob=5 (5), Ship 1 voted | bob 2, bot 1");
}

OPEN_TEST(test_a_story_that_was_revealed_at_the_table_without_votes_leaves_it_hidden, t)
{
	select_story(t, "Login");
	(void)rig_must(t->ada, "set_revealed", "'is_revealed':true");
	select_story(t, "Ship");
	vote(t->bob, "Login", "'5'");
	assert_string_equal(rig_story_votes(t->ada), "Login 1 voted | bob 1");
}

OPEN_TEST(test_a_quorum_reveals_its_story_alone, t)
{
	policy(t, "'quorum':2");
	vote(t->bob, "Pay", "'5'");
	vote(t->bob, "Ship", "'8'");
	vote(t->ada, "Pay", "'5'");
	assert_string_equal(rig_story_votes(t->bob),
			    "Pay bob=5 ada=5 (5), Ship 1 voted | ada 1, bob 2");
	policy(t, "'quorum':1");
	assert_string_equal(rig_story_votes(t->bob),
			    "Pay bob=5 ada=5 (5), Ship bob=8 (8) | ada 1, bob 2");
}

OPEN_TEST(test_what_has_its_quorum_is_revealed_when_the_room_does_so_by_itself_again, t)
{
	policy(t, "'quorum':1,'auto_reveal':false");
	vote(t->bob, "Pay", "'5'");
	assert_string_equal(rig_story_votes(t->bob), "Pay 1 voted | bob 1");
	policy(t, "'auto_reveal':true");
	assert_string_equal(rig_story_votes(t->bob), "Pay bob=5 (5) | bob 1");
}

OPEN_TEST(test_a_deadline_reveals_all_that_has_votes, t)
{
	vote(t->bob, "Pay", "'5'");
	vote(t->ada, "Ship", "'8'");
	(void)rig_must(t->ada, "timer.start", "'room_id':'%s','seconds':7200,'reveal_at_zero':true",
		       t->r.room_id);
	(void)rig_must(t->ada, "set_revealed", "'is_revealed':true");
	rig_advance(&t->r, HOUR_MS);
	assert_string_equal(rig_story_votes(t->bob), "Pay 1 voted, Ship 1 voted | ada 1, bob 1");
	rig_crash(&t->r);
	t->r.wall_ms += HOUR_MS;
	struct rig_peer *ada = rig_return(t->ada, false);
	rig_advance(&t->r, 1);
	assert_string_equal(rig_story_votes(ada), "Pay bob=5 (5), Ship ada=8 (8) | ada 1, bob 1");
}

OPEN_TEST(test_a_deadline_reveals_nothing_of_a_story_that_was_skipped, t)
{
	vote(t->bob, "Pay", "'5'");
	vote(t->ada, "Ship", "'8'");
	(void)rig_must(t->ada, "story.update", "'room_id':'%s','story_id':'%s','status':'skipped'",
		       t->r.room_id, id_of(t->ada, "Ship"));
	(void)rig_must(t->ada, "timer.start", "'room_id':'%s','seconds':60,'reveal_at_zero':true",
		       t->r.room_id);
	rig_advance(&t->r, MINUTE_MS);
	(void)rig_must(t->ada, "story.update", "'room_id':'%s','story_id':'%s','status':'todo'",
		       t->r.room_id, id_of(t->ada, "Ship"));
	assert_string_equal(rig_story_votes(t->bob), "Pay bob=5 (5), Ship 1 voted | ada 1, bob 1");
}

OPEN_TEST(test_votes_hide_again, t)
{
	vote(t->bob, "Pay", "'5'");
	reveal(t, "Pay", true);
	reveal(t, "Pay", false);
	assert_string_equal(rig_story_votes(t->ada), "Pay 1 voted | bob 1");
	assert_int_equal(rig_stored(&t->r, "VOTES#"), 0);
}

OPEN_TEST(test_a_card_that_left_the_deck_is_withdrawn_at_the_reveal, t)
{
	vote(t->bob, "Pay", "'5'");
	vote(t->ada, "Pay", "'8'");
	(void)rig_must(t->ada, "set_valid_sizes", "'valid_sizes':['1','2','8']");
	reveal(t, "Pay", true);
	assert_string_equal(rig_story_votes(t->bob), "Pay ada=8 (8) | ada 1, bob 1");
	assert_non_null(strstr(rig_must(t->ada, "get", RIG_NONE), "'withdrawn':1"));
	policy(t, "'vote_after_reveal':true");
	vote(t->ada, "Pay", "'2'");
	assert_non_null(strstr(rig_must(t->ada, "get", RIG_NONE), "'withdrawn':1"));
}

OPEN_TEST(test_whoever_votes_again_after_their_card_was_withdrawn_counts_once, t)
{
	vote(t->bob, "Pay", "'5'");
	vote(t->ada, "Pay", "'8'");
	(void)rig_must(t->ada, "set_valid_sizes", "'valid_sizes':['1','2','8']");
	reveal(t, "Pay", true);
	policy(t, "'vote_after_reveal':true");
	vote(t->bob, "Pay", "'2'");
	const char *room = rig_must(t->ada, "get", RIG_NONE);
	assert_non_null(strstr(room, "'voted':2"));
	assert_null(strstr(room, "'withdrawn'"));
}

OPEN_TEST(test_results_without_names_show_none_and_do_not_change, t)
{
	policy(t, "'anonymous':true");
	vote(t->bob, "Pay", "'8'");
	vote(t->ada, "Pay", "'5'");
	reveal(t, "Pay", true);
	assert_string_equal(rig_story_votes(t->bob), "Pay =5 =8 (8) | ada 1, bob 1");
	assert_non_null(strstr(vote_refused(t->bob, "Pay", "'5'"), "'code':'CONFLICT'"));
	assert_non_null(
		strstr(rig_refused(t->ada, "set_revealed", "'story_id':'%s','is_revealed':false",
				   id_of(t->ada, "Pay")),
		       "'code':'CONFLICT'"));
	assert_non_null(strstr(rig_refused(t->ada, "set_policy", "'policy':{'anonymous':false}"),
			       "'code':'CONFLICT'"));
	(void)rig_must(t->bob, "leave", RIG_NONE);
	(void)rig_must(t->ada, "leave", RIG_NONE); /* the votes have gone, what was shown has not */
	assert_non_null(
		strstr(rig_refused(t->ada, "set_policy",
				   "'policy':{'anonymous':false},'host_key':'%s'", t->r.host_key),
		       "'code':'CONFLICT'"));
}

/* ---- settled ---- */

OPEN_TEST(test_a_settled_story_is_in_the_history, t)
{
	vote(t->bob, "Pay", "'5'");
	vote(t->ada, "Pay", "'8'");
	assert_non_null(strstr(rig_refused(t->ada, "round.settle",
					   "'room_id':'%s','story_id':'%s','estimate':'5'",
					   t->r.room_id, id_of(t->ada, "Pay")),
			       "reveal the votes"));
	reveal(t, "Pay", true);
	assert_non_null(strstr(rig_refused(t->ada, "round.settle",
					   "'room_id':'%s','story_id':'%s','estimate':null",
					   t->r.room_id, id_of(t->ada, "Pay")),
			       "'field':'estimate'"));
	settle(t, "Pay", "5");
	assert_string_equal(rig_stories(t->bob), "Login: todo, Pay: done 5, Ship: todo");
	assert_string_equal(rig_story_votes(t->bob), "");
	assert_string_equal(rig_table(t->bob), "#2 hidden: ada host, bob");
	const char *list = rig_must(t->bob, "round.list", "'room_id':'%s'", t->r.room_id);
	assert_non_null(strstr(list, "'n':1"));
	assert_non_null(strstr(list, "'story':'Pay'"));
	assert_non_null(strstr(list, "'outcome':'5'"));
	assert_non_null(strstr(list, "'vote':'8'"));
	assert_int_equal(rig_stored(&t->r, "VOTES#"), 0);
	assert_int_equal(rig_stored(&t->r, "ROUND#"), 1);
}

OPEN_TEST(test_settling_leaves_the_table_as_it_is, t)
{
	select_story(t, "Login");
	(void)rig_must(t->ada, "vote", "'vote':'3'");
	(void)rig_must(t->ada, "set_revealed", "'is_revealed':true");
	(void)rig_must(t->ada, "reset", RIG_NONE);
	(void)rig_must(t->bob, "vote", "'vote':'1'");
	(void)rig_must(t->ada, "set_revealed", "'is_revealed':true");
	vote(t->bob, "Pay", "'5'");
	reveal(t, "Pay", true);
	settle(t, "Pay", "5");
	assert_string_equal(rig_table(t->bob), "#3 open: ada host, bob =1");
	assert_string_equal(rig_stories(t->bob), "Login: voting, Pay: done 5, Ship: todo");
	rig_crash(&t->r);
	struct rig_peer *bob = rig_return(t->bob, false);
	assert_string_equal(rig_table(bob), "#3 open: ada host away, bob =1");
	const char *list = rig_must(bob, "round.list", "'room_id':'%s'", t->r.room_id);
	assert_non_null(strstr(list, "'n':3,'story_id'"));
	assert_non_null(strstr(list, "'n':2,'story_id'"));
	assert_non_null(strstr(list, "'n':1,'story_id'"));
}

OPEN_TEST(test_what_was_agreed_is_settled_together, t)
{
	policy(t, "'quorum':2");
	vote(t->ada, "Login", "'5'");
	vote(t->bob, "Login", "'5'");
	vote(t->ada, "Pay", "'1'");
	vote(t->bob, "Pay", "'13'");
	vote(t->bob, "Ship", "'3'");
	reveal(t, "Ship", true); /* fewer than the quorum */
	const char *result =
		rig_must(t->ada, "round.settle_agreed", "'room_id':'%s'", t->r.room_id);
	assert_non_null(strstr(result, id_of(t->ada, "Login")));
	assert_null(strstr(result, id_of(t->ada, "Pay")));
	assert_string_equal(rig_stories(t->bob), "Login: done 5, Pay: todo, Ship: todo");
	assert_string_equal(rig_story_votes(t->bob),
			    "Pay ada=1 bob=13 (), Ship bob=3 (3) | ada 1, bob 2");
	(void)rig_must(t->ada, "round.settle_agreed", "'room_id':'%s'", t->r.room_id);
	assert_non_null(
		strstr(rig_refused(t->bob, "round.settle_agreed", "'room_id':'%s'", t->r.room_id),
		       "only a host"));
	policy(t, "'open_stories':false");
	assert_non_null(
		strstr(rig_refused(t->ada, "round.settle_agreed", "'room_id':'%s'", t->r.room_id),
		       "one at a time"));
}

/* Who votes while all is settled is in it, or is told that it was settled before. */
OPEN_TEST(test_a_vote_beside_the_settling_of_all_counts_or_is_refused, t)
{
	vote(t->ada, "Login", "'5'");
	vote(t->ada, "Pay", "'5'");
	reveal(t, "Login", true);
	reveal(t, "Pay", true);
	vote(t->bob, "Login", "'5'");
	(void)rig_must(t->ada, "round.settle_agreed", "'room_id':'%s'", t->r.room_id);
	assert_string_equal(vote_refused(t->bob, "Pay", "'5'"),
			    "{'code':'CONFLICT','message':'already settled; a host can set it to "
			    "do again'}");
	assert_string_equal(rig_stories(t->bob), "Login: done 5, Pay: done 5, Ship: todo");
	const char *list = rig_must(t->bob, "round.list", "'room_id':'%s'", t->r.room_id);
	assert_non_null(strstr(list, "'username':'bob'"));
	vote(t->bob, "Ship", "'5'");
	assert_string_equal(rig_story_votes(t->ada), "Ship 1 voted | bob 1");
}

OPEN_TEST(test_a_settled_story_cannot_be_undone_from_the_table, t)
{
	select_story(t, "Login");
	vote(t->bob, "Login", "'1'");
	(void)rig_must(t->ada, "reset", RIG_NONE);
	vote(t->bob, "Pay", "'5'");
	reveal(t, "Pay", true);
	settle(t, "Pay", "5");
	assert_non_null(
		strstr(rig_refused(t->ada, "round.undo_reset", "'room_id':'%s'", t->r.room_id),
		       "'code':'CONFLICT'"));
	assert_string_equal(rig_stories(t->bob), "Login: voting, Pay: done 5, Ship: todo");
}

/* ---- bounds ---- */

TABLE_TEST(test_votes_of_one_member_are_bounded, t)
{
	char title[32];
	policy(t, "'open_stories':true");
	for (int i = 0; i <= MAX_STORY_VOTES; i++) {
		(void)snprintf(title, sizeof(title), "S%d", i);
		add(t, title);
		if (i < MAX_STORY_VOTES) {
			vote(t->bob, title, "'5'");
		}
	}
	const char *refused = vote_refused(t->bob, title, "'5'");
	assert_non_null(strstr(refused, "'code':'TOO_LARGE'"));
	assert_non_null(strstr(refused, "'most':200,'unit':'votes'"));
	vote(t->bob, "S7", "'8'");
	vote(t->ada, title, "'8'");
}

TABLE_TEST(test_comments_on_votes_are_bounded, t)
{
	char title[32];
	char comment[3 * MAX_COMMENT_CELLS / 2 + 1] = "";
	for (int i = 0; i < MAX_COMMENT_CELLS / 2; i++) {
		strcat(comment, "\u5b57"); /* two cells, three bytes */
	}
	const int most = MAX_STORY_COMMENTS_BYTES / (int)strlen(comment);
	assert_true(most < MAX_STORY_VOTES);
	policy(t, "'open_stories':true");
	for (int i = 0; i <= most; i++) {
		(void)snprintf(title, sizeof(title), "S%d", i);
		add(t, title);
		if (i < most) {
			(void)rig_must(t->bob, "vote", "'story_id':'%s','vote':'5','comment':'%s'",
				       id_of(t->bob, title), comment);
		}
	}
	const char *refused =
		rig_refused(t->bob, "vote", "'story_id':'%s','vote':'5','comment':'%s'",
			    id_of(t->bob, title), comment);
	assert_non_null(strstr(refused, "'code':'TOO_LARGE'"));
	assert_non_null(strstr(refused, "'field':'comment'"));
	vote(t->bob, title, "'5'");
}

static void play(struct table *t)
{
	vote(t->bob, "Pay", "'5'");
	vote(t->ada, "Pay", "'8'");
	reveal(t, "Pay", true);
	select_story(t, "Pay");
	select_story(t, "Ship");
	settle(t, "Pay", "5");
}

OPEN_TEST(test_a_whole_play_leaves_nothing_behind, t)
{
	play(t);
	assert_string_equal(rig_stories(t->bob), "Login: todo, Pay: done 5, Ship: voting");
	assert_string_equal(rig_story_votes(t->bob), "");
	assert_int_equal(rig_stored(&t->r, "VOTES#"), 0);
	assert_int_equal(rig_stored(&t->r, "ROUND#"), 1);
}

/* ---- what the voter alone is told ---- */

/* The last room.you that has come, and nothing behind it is kept. */
static const char *last_you(struct rig_peer *p)
{
	static char you[2048];
	const char *message;
	you[0] = '\0';
	while ((message = rig_next(p))[0] != '\0') {
		if (strncmp(message, "room.you", strlen("room.you")) == 0) {
			(void)snprintf(you, sizeof(you), "%s", message);
		}
	}
	return you;
}

OPEN_TEST(test_room_you_has_all_own_votes_at_first_and_then_what_changed, t)
{
	rig_alias(&t->r, id_of(t->bob, "Pay"), "PAY");
	rig_alias(&t->r, id_of(t->bob, "Ship"), "SHIP");
	vote(t->bob, "Pay", "'5'");
	vote(t->bob, "Ship", "'8'");
	struct rig_peer *window = rig_return(t->bob, false);
	assert_non_null(
		strstr(last_you(window),
		       "'all_story_votes':true,'story_votes':[{'story_id':'PAY','vote':'5'},"
		       "{'story_id':'SHIP','vote':'8'}]"));
	vote(t->bob, "Pay", "'3'");
	const char *told = last_you(window);
	assert_non_null(strstr(told, "'story_votes':[{'story_id':'PAY','vote':'3'}]"));
	assert_null(strstr(told, "all_story_votes"));
	vote(t->bob, "Ship", "null");
	assert_non_null(
		strstr(last_you(window), "'story_votes':[{'story_id':'SHIP','vote':null}]"));
}
