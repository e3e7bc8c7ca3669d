/*
 * test_open_stories.c - rooms in which all stories to do are open together: votes on each, their secrecy, reveals by
 * quorum, deadline and hand, settling them one by one or together, and stories that come to the table and go back.
 */
#include <stdio.h>

#include "tests/unit/server/table.h"

static void policy(struct table *t, const char *changes)
{
	(void)rig_must(t->ada, "set_policy", "'policy':{%s}", changes);
}

static void add(struct table *t, const char *title)
{
	(void)rig_must(t->ada, "story.add", "'room_id':'%s','title':'%s'", t->r.room_id, title);
}

static const char *id_of(struct rig_peer *p, const char *title)
{
	return rig_story(p, title);
}

static void vote(struct rig_peer *p, const char *title, const char *card)
{
	(void)rig_must(p, "vote", "'story_id':'%s','vote':%s", id_of(p, title), card);
}

static const char *vote_refused(struct rig_peer *p, const char *title, const char *card)
{
	return rig_refused(p, "vote", "'story_id':'%s','vote':%s", id_of(p, title), card);
}

static void select_story(struct table *t, const char *title)
{
	(void)rig_must(t->ada, "story.select", "'room_id':'%s','story_id':'%s'", t->r.room_id,
		       id_of(t->ada, title));
}

static void reveal(struct table *t, const char *title, bool is_revealed)
{
	(void)rig_must(t->ada, "set_revealed", "'story_id':'%s','is_revealed':%s",
		       id_of(t->ada, title), is_revealed ? "true" : "false");
}

/* Three stories to do, open together, of a room with ada and bob. */
static int open_stories(struct table *t)
{
	(void)table_begin(t);
	policy(t, "'open_stories':true");
	add(t, "Login");
	add(t, "Pay");
	add(t, "Ship");
	return 0;
}

static int open_lay(void **state)
{
	return open_stories(scene_init(state, sizeof(struct table)));
}

#define OPEN_TEST(name, t) TEST_IN(name, struct table, t, open_lay, scene_clear)

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
	struct rig_peer *bot = rig_guest(&t->r, "bot");
	strcpy(bot->room_id, t->r.room_id);
	rig_follow(bot, "");
	(void)rig_must(bot, "join", "'username':'bot','is_bot':true");
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
}

/* ---- settled ---- */

static const char *settle(struct table *t, const char *title, const char *card)
{
	return rig_must(t->ada, "round.settle", "'room_id':'%s','story_id':'%s','estimate':'%s'",
			t->r.room_id, id_of(t->ada, title), card);
}

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

OPEN_TEST(test_a_settled_story_cannot_be_undone_from_the_table, t)
{
	(void)rig_must(t->bob, "vote", "'vote':'1'");
	(void)rig_must(t->ada, "reset", RIG_NONE);
	vote(t->bob, "Pay", "'5'");
	reveal(t, "Pay", true);
	settle(t, "Pay", "5");
	assert_non_null(
		strstr(rig_refused(t->ada, "round.undo_reset", "'room_id':'%s'", t->r.room_id),
		       "'code':'CONFLICT'"));
	assert_string_equal(rig_stories(t->bob), "Login: todo, Pay: done 5, Ship: todo");
}

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
	struct rig_peer *bot = rig_guest(&t->r, "bot");
	strcpy(bot->room_id, t->r.room_id);
	rig_follow(bot, "");
	(void)rig_must(bot, "join", "'username':'bot','is_bot':true");
	vote(bot, "Pay", "'13'");
	vote(t->bob, "Pay", "'5'");
	reveal(t, "Pay", true);
	assert_string_equal(rig_story_votes(t->ada), "Pay bot=13 bob=5 (5) | bob 1, bot 1");
	policy(t, "'bots_count':true");
	assert_string_equal(rig_story_votes(t->ada), "Pay bot=13 bob=5 () | bob 1, bot 1");
}

OPEN_TEST(test_a_late_vote_of_a_bot_whose_card_was_withdrawn_counts_once, t)
{
	struct rig_peer *bot = rig_guest(&t->r, "bot");
	strcpy(bot->room_id, t->r.room_id);
	rig_follow(bot, "");
	(void)rig_must(bot, "join", "'username':'bot','is_bot':true");
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
