/*
 * test_play_vote_aside.c - a member who has voted, only watches for a while, and votes again in the same round.
 */
#include "tests/unit/server/table.h"

#include "tests/unit/server/play.h"

static void watch(struct rig_peer *p)
{
	(void)rig_must(p, "join", "'username':'%s','role':'spectator'", p->name);
}

static void put_aside(struct rig_peer *p)
{
	play_vote(p, "8");
	watch(p);
}

static void vote_again(struct rig_peer *p)
{
	(void)rig_must(p, "join", "'username':'%s','role':'voter'", p->name);
}

TABLE_TEST(test_a_vote_comes_back_with_its_voter_in_the_same_round, t)
{
	play_policy(t->ada, "'confidence':true");
	rig_must(t->bob, "vote", "'vote':'8','comment':'big','confidence':3");
	watch(t->bob);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob watches");
	assert_string_equal(rig_self(t->bob), "bob spectator");
	vote_again(t->bob);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob voted");
	assert_string_equal(rig_self(t->bob), "bob voter =8");
	assert_non_null(strstr(play_you(t->bob), "'comment':'big'"));
	assert_non_null(strstr(play_you(t->bob), "'confidence':3"));
}

/* Neither while the vote is away nor when it is back does it make the others wait, or reveal without them. */
TABLE_TEST(test_a_vote_put_aside_counts_nowhere_until_it_is_back, t)
{
	play_policy(t->ada, "'quorum':1");
	play_policy(t->ada, "'auto_reveal':false");
	put_aside(t->bob);
	play_policy(t->ada, "'auto_reveal':true");
	assert_string_equal(rig_of(t->ada, "phase"), "'voting'");
	rig_must(t->ada, "timer.start", "'room_id':'%s','seconds':5,'reveal_at_zero':true",
		 t->r.room_id);
	rig_advance(&t->r, 6000);
	assert_string_equal(rig_of(t->ada, "phase"), "'voting'");
	vote_again(t->bob);
	assert_string_equal(rig_of(t->ada, "phase"), "'countdown'");
	watch(t->bob);
	assert_string_equal(rig_of(t->ada, "phase"), "'voting'");
}

TABLE_TEST(test_a_voter_who_comes_back_is_waited_for_no_more, t)
{
	put_aside(t->bob);
	play_vote(t->ada, "3");
	assert_string_equal(rig_of(t->ada, "phase"), "'countdown'");
	vote_again(t->bob);
	rig_advance(&t->r, 3000);
	assert_string_equal(rig_table(t->ada), "#1 open: ada host =3, bob =8");
}

TABLE_TEST(test_a_reveal_ends_a_vote_that_was_put_aside, t)
{
	put_aside(t->bob);
	play_vote(t->ada, "3");
	rig_advance(&t->r, 3000);
	assert_string_equal(rig_table(t->ada), "#1 open: ada host =3, bob watches");
	assert_int_equal(times_in(play_rounds(t->ada), "'vote':'8'"), 0);
	vote_again(t->bob);
	assert_string_equal(rig_table(t->ada), "#1 open: ada host =3, bob");
	rig_must(t->ada, "set_revealed", "'is_revealed':false");
	watch(t->bob);
	vote_again(t->bob);
	assert_string_equal(rig_self(t->bob), "bob voter");
}

/* It was seen: nothing is kept from anybody. */
TABLE_TEST(test_an_open_card_comes_back_as_it_lay_and_stays_in_the_history, t)
{
	play_policy(t->ada, "'vote_after_reveal':true");
	play_open(t, "3", "8");
	watch(t->bob);
	assert_string_equal(rig_table(t->ada), "#1 open: ada host =3, bob watches, bob left =8");
	rig_must(t->ada, "vote", "'vote':'5'");
	rig_advance(&t->r, 2000);
	assert_int_equal(times_in(play_rounds(t->ada), "'vote':'8'"), 1);
	rig_must(t->ada, "vote", "'vote':'3'");
	vote_again(t->bob);
	rig_advance(&t->r, 2000);
	assert_int_equal(times_in(play_rounds(t->ada), "'vote':'8'"), 1);
	assert_string_equal(rig_table(t->bob), "#1 open: ada host =3*, bob =8");
}

TABLE_TEST(test_the_next_round_ends_a_vote_put_aside_and_its_undoing_brings_it_back, t)
{
	put_aside(t->bob);
	rig_must(t->ada, "reset", RIG_NONE);
	vote_again(t->bob);
	assert_string_equal(rig_table(t->ada), "#2 hidden: ada host, bob");
	rig_must(t->ada, "round.undo_reset", "'room_id':'%s'", t->r.room_id);
	assert_string_equal(rig_self(t->bob), "bob voter =8");
	watch(t->bob);
	rig_must(t->ada, "reset", RIG_NONE);
	rig_must(t->ada, "round.undo_reset", "'room_id':'%s'", t->r.room_id);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob watches");
	vote_again(t->bob);
	assert_string_equal(rig_self(t->bob), "bob voter =8");
}

TABLE_TEST(test_a_vote_changed_after_the_reveal_is_marked_so_when_a_reset_is_undone, t)
{
	play_policy(t->ada, "'vote_after_reveal':true");
	play_open(t, "3", "8");
	rig_must(t->bob, "vote", "'vote':'5'");
	rig_must(t->ada, "reset", RIG_NONE);
	rig_must(t->ada, "round.undo_reset", "'room_id':'%s'", t->r.room_id);
	assert_string_equal(rig_table(t->ada), "#1 open: ada host =3, bob =5*");
}

TABLE_TEST(test_a_member_who_leaves_takes_a_vote_put_aside_along, t)
{
	put_aside(t->bob);
	rig_must(t->bob, "leave", RIG_NONE);
	vote_again(t->bob);
	assert_string_equal(rig_self(t->bob), "bob voter");
}

TABLE_TEST(test_a_card_put_aside_that_the_deck_loses_is_withdrawn_when_it_is_back, t)
{
	put_aside(t->bob);
	rig_must(t->ada, "set_valid_sizes", "'valid_sizes':['1','2']");
	rig_must(t->ada, "set_valid_sizes", "'valid_sizes':['1','2','3']");
	vote_again(t->bob);
	assert_string_equal(rig_self(t->bob), "bob voter =8");
	assert_non_null(strstr(play_you(t->bob), "'is_withdrawn':true"));
}

/* Where its member had not watched, the deck would have brought it back. */
TABLE_TEST(test_a_withdrawn_card_put_aside_counts_once_the_deck_has_it_again, t)
{
	play_vote(t->ada, "3");
	play_vote(t->bob, "8");
	rig_must(t->ada, "set_valid_sizes", "'valid_sizes':['1','2','3']");
	rig_must(t->ada, "set_revealed", "'is_revealed':true");
	watch(t->bob);
	rig_must(t->ada, "set_valid_sizes", "'valid_sizes':['1','2','3','8']");
	assert_string_equal(rig_table(t->ada), "#1 open: ada host =3, bob watches");
	vote_again(t->bob);
	assert_string_equal(rig_table(t->ada), "#1 open: ada host =3, bob =8");
	assert_int_equal(rig_number(t->ada, "result", "votes"), 2);
}

/* It was laid to be counted without a name. */
TABLE_TEST(test_names_that_come_back_end_a_vote_put_aside_without_them, t)
{
	play_policy(t->ada, "'anonymous':true");
	put_aside(t->bob);
	play_policy(t->ada, "'anonymous':false");
	vote_again(t->bob);
	assert_string_equal(rig_self(t->bob), "bob voter");
}

TABLE_TEST(test_a_vote_put_aside_outlasts_the_server, t)
{
	put_aside(t->bob);
	rig_crash(&t->r);
	struct rig_peer *ada = rig_return(t->ada, false);
	struct rig_peer *bob = rig_return(t->bob, false);
	assert_string_equal(rig_table(ada), "#1 hidden: ada host, bob watches");
	vote_again(bob);
	assert_string_equal(rig_table(ada), "#1 hidden: ada host, bob voted");
	assert_string_equal(rig_self(bob), "bob voter =8");
}

/* Played twice, with another card: nobody else is sent other bytes. */
TEST(test_nobody_is_sent_a_byte_that_depends_on_a_vote_put_aside)
{
	static const char *const cards[] = {"3", "13"};
	struct table *tables[2];
	void *states[2];
	for (size_t i = 0; i < 2; i++) {
		(void)table_lay(&states[i]);
		struct table *t = tables[i] = states[i];
		play_policy(t->ada, "'hide_who_voted':true");
		rig_must(t->bob, "vote", "'vote':'%s','comment':'%s'", cards[i],
			 i == 0 ? "easy" : "not so easy");
		watch(t->bob);
		rig_must(t->ada, "get", RIG_NONE);
		rig_must(t->ada, "reset", RIG_NONE);
		rig_must(t->ada, "round.undo_reset", "'room_id':'%s'", t->r.room_id);
		vote_again(t->bob);
		watch(t->bob);
		play_policy(t->ada, "'hide_who_voted':false");
		play_vote(t->ada, "1");
		rig_advance(&t->r, 3000);
		assert_string_equal(rig_of(t->ada, "phase"), "'revealed'");
		(void)play_rounds(t->ada);
		vote_again(t->bob);
	}
	assert_int_equal(tables[0]->ada->in.len, tables[1]->ada->in.len);
	assert_memory_equal(tables[0]->ada->in.data, tables[1]->ada->in.data,
			    tables[0]->ada->in.len);
	for (size_t i = 0; i < 2; i++) {
		(void)scene_clear(&states[i]);
	}
}

TABLE_TEST(test_a_vote_put_aside_that_a_reset_took_stays_taken_after_a_restart, t)
{
	put_aside(t->bob);
	rig_must(t->ada, "reset", RIG_NONE);
	rig_crash(&t->r);
	struct rig_peer *bob = rig_return(t->bob, false);
	vote_again(bob);
	assert_string_equal(rig_table(bob), "#2 hidden: ada host away, bob");
	assert_string_equal(rig_self(bob), "bob voter");
}
