/*
 * test_play_withdrawn.c - votes whose card the deck no longer has, and how much
 * an update says of votes.
 */
#include "tests/unit/server/table.h"

#include "tests/unit/server/play.h"

static void lay_deck(struct table *t, const char *cards)
{
	(void)rig_must(t->ada, "set_valid_sizes", "'valid_sizes':[%s]", cards);
}

static void undo(struct table *t)
{
	(void)rig_must(t->ada, "round.undo_reset", "'room_id':'%s'", t->r.room_id);
}

static int64_t withdrawn(struct rig_peer *p)
{
	return rig_number(p, "result", "withdrawn");
}

/* ---- a deck that no longer has a card ---- */

TABLE_TEST(test_a_hidden_vote_is_withdrawn_at_the_reveal_and_counted, t)
{
	play_vote(t->ada, "3");
	play_vote(t->bob, "8");
	lay_deck(t, "'1','2','3'");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host voted, bob voted");
	rig_must(t->ada, "set_revealed", "'is_revealed':true");
	assert_string_equal(rig_table(t->ada), "#1 open: ada host =3, bob");
	assert_int_equal(rig_number(t->ada, "result", "votes"), 1);
	assert_int_equal(withdrawn(t->ada), 1);
	assert_non_null(strstr(play_rounds(t->ada), "'withdrawn':1"));
	assert_null(strstr(play_rounds(t->ada), "'vote':'8'"));
	/* Hidden again it is a vote again; no card of it was ever shown. */
	rig_must(t->ada, "set_revealed", "'is_revealed':false");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host voted, bob voted");
	assert_false(play_was_sent(t->ada, "\xa4vote\xa1"
					   "8"));
}

TABLE_TEST(test_the_voter_alone_is_sent_it_at_once_and_may_choose_again, t)
{
	play_vote(t->bob, "8");
	assert_non_null(strstr(play_you(t->bob), "'vote':'8','is_withdrawn':false"));
	rig_forget(t->ada);
	lay_deck(t, "'1','2','3'");
	assert_non_null(strstr(play_you(t->bob), "'vote':'8','is_withdrawn':true"));
	assert_string_equal(rig_heard(t->ada), "room.update");
	play_vote(t->bob, "2");
	assert_non_null(strstr(play_you(t->bob), "'vote':'2','is_withdrawn':false"));
	rig_must(t->ada, "set_revealed", "'is_revealed':true");
	assert_string_equal(rig_table(t->ada), "#1 open: ada host, bob =2");
	assert_int_equal(withdrawn(t->ada), -1);
}

TABLE_TEST(test_a_card_that_comes_back_into_the_deck_counts_again, t)
{
	play_vote(t->bob, "8");
	lay_deck(t, "'1','2','3'");
	lay_deck(t, "'5','6'");
	lay_deck(t, "'13','8'");
	assert_non_null(strstr(play_you(t->bob), "'is_withdrawn':false"));
	rig_must(t->ada, "set_revealed", "'is_revealed':true");
	assert_string_equal(rig_table(t->ada), "#1 open: ada host, bob =8");
	assert_int_equal(withdrawn(t->ada), -1);
}

/* What lies open is in the history, and what was there goes out of it with no deck. */
TABLE_TEST(test_a_card_that_is_put_back_into_an_open_round_is_in_its_history, t)
{
	play_vote(t->ada, "3");
	play_vote(t->bob, "8");
	lay_deck(t, "'1','2','3'");
	rig_must(t->ada, "set_revealed", "'is_revealed':true");
	assert_null(strstr(play_rounds(t->ada), "'vote':'8'"));
	lay_deck(t, "'1','2','3','8'");
	assert_string_equal(rig_table(t->ada), "#1 open: ada host =3, bob =8");
	assert_non_null(strstr(play_rounds(t->ada), "'vote':'8'"));
	assert_null(strstr(play_rounds(t->ada), "'withdrawn'"));
	lay_deck(t, "'1','8'");
	assert_string_equal(rig_table(t->ada), "#1 open: ada host, bob =8");
	assert_non_null(strstr(play_rounds(t->ada), "'vote':'3'"));
	rig_crash(&t->r);
	t->ada = rig_return(t->ada, false);
	assert_non_null(strstr(play_rounds(t->ada), "'vote':'3'"));
	assert_non_null(strstr(play_rounds(t->ada), "'vote':'8'"));
}

TABLE_TEST(test_a_card_that_is_put_back_before_an_undo_is_in_the_history, t)
{
	play_vote(t->ada, "3");
	play_vote(t->bob, "8");
	lay_deck(t, "'1','2','3'");
	rig_must(t->ada, "set_revealed", "'is_revealed':true");
	rig_must(t->ada, "reset", RIG_NONE);
	lay_deck(t, "'1','2','3','8'");
	assert_null(strstr(play_rounds(t->ada), "'vote':'8'"));
	undo(t);
	assert_string_equal(rig_table(t->ada), "#1 open: ada host =3, bob =8");
	assert_non_null(strstr(play_rounds(t->ada), "'vote':'8'"));
}

TABLE_TEST(test_a_withdrawn_card_survives_a_restart, t)
{
	play_vote(t->ada, "3");
	play_vote(t->bob, "8");
	lay_deck(t, "'1','2','3'");
	rig_crash(&t->r);
	t->ada = rig_return(t->ada, false);
	t->bob = rig_return(t->bob, false);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host voted, bob voted");
	assert_non_null(strstr(play_you(t->bob), "'vote':'8','is_withdrawn':true"));
	lay_deck(t, "'1','2','3','8'");
	rig_must(t->ada, "set_revealed", "'is_revealed':true");
	assert_string_equal(rig_table(t->ada), "#1 open: ada host =3, bob =8");
	lay_deck(t, "'8','9'");
	rig_crash(&t->r);
	t->ada = rig_return(t->ada, false);
	assert_string_equal(rig_table(t->ada), "#1 open: ada host, bob away =8");
	assert_int_equal(withdrawn(t->ada), 1);
}

TABLE_TEST(test_a_deck_changed_after_a_reset_leaves_each_its_card, t)
{
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	play_policy(t->ada, "'auto_reveal':false");
	play_vote(t->ada, "3");
	play_vote(t->bob, "8");
	play_vote(cy, "13");
	rig_must(t->ada, "reset", RIG_NONE);
	lay_deck(t, "'13','3'");
	undo(t);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host voted, bob voted, cy voted");
	assert_non_null(strstr(play_you(t->ada), "'vote':'3','is_withdrawn':false"));
	assert_non_null(strstr(play_you(t->bob), "'vote':'8','is_withdrawn':true"));
	rig_must(t->ada, "set_revealed", "'is_revealed':true");
	assert_string_equal(rig_table(t->ada), "#1 open: ada host =3, bob, cy =13");
	assert_int_equal(withdrawn(t->ada), 1);
	/* The same for a round that lay open. */
	rig_must(t->ada, "reset", RIG_NONE);
	lay_deck(t, "'8','5'");
	undo(t);
	assert_string_equal(rig_table(t->ada), "#1 open: ada host, bob =8, cy");
	assert_int_equal(withdrawn(t->ada), 2);
}

/* What the open cards say is what is remembered of the round, now and after a restart. */
TABLE_TEST(test_a_card_that_comes_back_into_an_open_round_is_in_the_history_too, t)
{
	play_policy(t->ada, "'auto_reveal':false");
	play_vote(t->ada, "3");
	play_vote(t->bob, "8");
	lay_deck(t, "'1','3'");
	rig_must(t->ada, "set_revealed", "'is_revealed':true");
	assert_null(strstr(play_rounds(t->ada), "'vote':'8'"));
	lay_deck(t, "'1','3','8'");
	assert_string_equal(rig_table(t->ada), "#1 open: ada host =3, bob =8");
	assert_non_null(strstr(play_rounds(t->ada), "'vote':'8'"));
	rig_must(t->ada, "reset", RIG_NONE);
	assert_non_null(strstr(play_rounds(t->ada), "'vote':'8'"));
	rig_advance(&t->r, 2000);
	rig_crash(&t->r);
	t->ada = rig_return(t->ada, false);
	assert_non_null(strstr(play_rounds(t->ada), "'vote':'8'"));
}

TABLE_TEST(test_the_same_where_an_open_round_comes_back_to_another_deck, t)
{
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	play_policy(t->ada, "'auto_reveal':false");
	play_vote(t->ada, "3");
	play_vote(t->bob, "8");
	play_vote(cy, "5");
	lay_deck(t, "'1','3','5'");
	rig_must(t->ada, "set_revealed", "'is_revealed':true");
	rig_must(t->ada, "reset", RIG_NONE);
	undo(t); /* of the same deck, nothing of it is written anew: who has gone stays in it */
	rig_must(t->ada, "reset", RIG_NONE);
	rig_must(cy, "leave", RIG_NONE);
	undo(t);
	rig_advance(&t->r, 2000);
	assert_non_null(strstr(play_rounds(t->ada), "'vote':'5'"));
	assert_null(strstr(play_rounds(t->ada), "'vote':'8'"));
	rig_must(t->ada, "reset", RIG_NONE);
	lay_deck(t, "'3','8'");
	undo(t);
	assert_string_equal(rig_table(t->ada), "#1 open: ada host =3, bob =8, -");
	assert_non_null(strstr(play_rounds(t->ada), "'vote':'8'"));
}

/* ---- what the others hear ---- */

/* With "5" or "8" in bob's hand, everything that a host may try to find out which. */
static void pry(struct table *t, const char *card, const char *again)
{
	rig_must(t->bob, "vote", "'vote':'%s'", card);
	lay_deck(t, "'1','2','5'");
	lay_deck(t, "'1','2','8'");
	lay_deck(t, "'1','2'");
	lay_deck(t, "'1','2','5','8'");
	rig_must(t->bob, "vote", "'vote':'%s'", again);
	rig_must(t->ada, "reset", RIG_NONE);
	lay_deck(t, "'1','5'");
	undo(t);
	rig_must(t->ada, "vote", "'vote':'1'");
	assert_string_equal(rig_of(t->ada, "phase"), "'countdown'");
	rig_must(t->ada, "reveal.cancel", "'room_id':'%s'", t->r.room_id);
	lay_deck(t, "'1','5','8'");
	rig_must(t->bob, "vote", "'vote':'%s'", again);
	assert_string_equal(rig_of(t->ada, "phase"), "'countdown'");
	lay_deck(t, "'1','2','3'");
	rig_must(t->ada, "get", RIG_NONE);
	rig_must(t->ada, "round.again", "'room_id':'%s'", t->r.room_id);
	undo(t);
	rig_must(t->ada, "subscribe", RIG_NONE);
}

static void assert_pry_hears_the_same(const char *card, const char *again, const char *other,
				      const char *other_again)
{
	void *one = NULL;
	void *two = NULL;
	(void)table_lay(&one);
	(void)table_lay(&two);
	struct table *a = one;
	struct table *b = two;
	pry(a, card, again);
	pry(b, other, other_again);
	assert_int_equal(a->ada->in.len, b->ada->in.len);
	assert_memory_equal(a->ada->in.data, b->ada->in.data, a->ada->in.len);
	assert_int_equal(a->r.commits, b->r.commits);
	assert_int_equal(a->r.ops, b->r.ops);
	assert_int_equal(a->bob->in.len,
			 b->bob->in.len); /* bob's differ, and not by their length */
	assert_memory_not_equal(a->bob->in.data, b->bob->in.data, a->bob->in.len);
	(void)scene_clear(&one);
	(void)scene_clear(&two);
}

TEST(test_no_byte_to_others_says_which_card_a_changed_deck_took)
{
	assert_pry_hears_the_same("5", "5", "8", "8");
}

/* promise: changed-minds */
TEST(test_the_same_card_again_is_published_as_another_is)
{
	assert_pry_hears_the_same("5", "5", "8", "5");
	assert_pry_hears_the_same("8", "8", "8", "5");
}

TABLE_TEST(test_the_same_card_again_is_an_update_with_a_version, t)
{
	rig_must(t->bob, "vote", "'vote':'5'");
	rig_forget(t->ada);
	assert_string_equal(rig_must(t->bob, "vote", "'vote':'5'"),
			    "{'has_vote':true,'version':6}");
	assert_string_equal(rig_next(t->ada),
			    "room.update {'room_id':'ROOM','epoch':EPOCH,'since':5,'version':6,"
			    "'users':[{'user_id':'@bob','has_vote':true}]}");
}

TABLE_TEST(test_the_same_card_again_lets_go_of_a_held_countdown, t)
{
	play_vote(t->ada, "3");
	play_vote(t->bob, "5");
	rig_must(t->ada, "reveal.cancel", "'room_id':'%s'", t->r.room_id);
	assert_string_equal(rig_of(t->ada, "phase"), "'voting'");
	play_vote(t->bob, "5");
	assert_string_equal(rig_of(t->ada, "phase"), "'countdown'");
}

/* ---- how much an update says ---- */

enum { CROWD = 40 };

/* Bytes that came to the watcher with what the host asked for. */
static size_t bytes_of(struct table *t, struct rig_peer *watcher, const char *method,
		       const char *params)
{
	size_t before = watcher->in.len;
	rig_must(t->ada, method, "'room_id':'%s'%s", t->r.room_id, params);
	return watcher->in.len - before;
}

TABLE_TEST(test_a_reveal_is_60_bytes_a_member_and_a_reset_nothing, t)
{
	struct rig_peer *watcher = rig_sit(&t->r, "watcher");
	rig_must(watcher, "join", "'username':'watcher','role':'spectator'");
	play_policy(t->ada, "'auto_reveal':false");
	size_t small = bytes_of(t, watcher, "room.set_revealed", ",'is_revealed':true");
	size_t small_reset = bytes_of(t, watcher, "room.reset", "");
	for (size_t i = 0; i < CROWD; i++) {
		char name[32];
		(void)snprintf(name, sizeof(name), "somebody number %zu", i);
		struct rig_peer *p = rig_sit(&t->r, name);
		play_vote(p, i % 2 == 0 ? "13" : "20");
	}
	size_t reveal = bytes_of(t, watcher, "room.set_revealed", ",'is_revealed':true");
	size_t hide = bytes_of(t, watcher, "room.set_revealed", ",'is_revealed':false");
	size_t reset = bytes_of(t, watcher, "room.reset", "");
	size_t back = bytes_of(t, watcher, "round.undo_reset", "");
	const size_t figures = 160; /* of the result, which the small one has none of */
	assert_in_range(reveal, small, small + figures + 60 * CROWD);
	assert_in_range(hide, small_reset, small_reset + 60 * CROWD);
	assert_in_range(reset, small_reset, small_reset + 20);
	assert_in_range(back, small_reset - 20, small_reset + 60 * CROWD);
}

TABLE_TEST(test_an_update_has_the_fields_that_changed, t)
{
	rig_must(t->bob, "join", "'username':'Bob'");
	assert_non_null(strstr(rig_next(t->ada), "'users':[{'user_id':'@bob','username':'Bob'}]"));
	rig_must(t->bob, "join", "'username':'Bob','role':'spectator'");
	assert_non_null(
		strstr(rig_next(t->ada), "'users':[{'user_id':'@bob','role':'spectator'}]"));
	rig_cut(t->bob);
	assert_non_null(strstr(rig_next(t->ada), "'users':[{'user_id':'@bob','is_connected':false,"
						 "'away_since':"));
	t->bob = rig_return(t->bob, true);
	assert_non_null(strstr(rig_next(t->ada), "'users':[{'user_id':'@bob','is_connected':true,"
						 "'away_since':null}]"));
	rig_must(t->bob, "leave", RIG_NONE);
	assert_non_null(strstr(rig_next(t->ada), "'users':[{'user_id':'@bob','username':null}]"));
}

TABLE_TEST(test_a_note_that_is_taken_back_is_nil, t)
{
	play_policy(t->ada, "'vote_after_reveal':true,'confidence':true");
	rig_must(t->bob, "vote", "'vote':'5','comment':'too big','confidence':2");
	rig_must(t->ada, "set_revealed", "'is_revealed':true");
	rig_forget(t->ada);
	rig_must(t->bob, "vote", "'vote':'8','comment':null");
	assert_non_null(
		strstr(rig_next(t->ada),
		       "'users':[{'user_id':'@bob','has_vote':true,'vote':'8','comment':null,"
		       "'confidence':2,'is_changed':true}]"));
	rig_must(t->bob, "vote", "'vote':null");
	assert_non_null(
		strstr(rig_next(t->ada),
		       "'users':[{'user_id':'@bob','has_vote':false,'vote':null,'comment':null,"
		       "'confidence':null,'is_changed':false}]"));
}

/* ---- graces ---- */

TABLE_TEST(test_a_vote_restored_to_a_member_long_away_goes_at_once, t)
{
	play_vote(t->bob, "5");
	rig_must(t->ada, "reset", RIG_NONE);
	rig_cut(t->bob);
	rig_advance(&t->r, MINUTE_MS + 1);
	undo(t);
	rig_advance(&t->r, 1);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob away");
}

TABLE_TEST(test_a_vote_goes_in_time_though_another_waits_for_the_end_of_a_name, t)
{
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	rig_cut(cy);
	rig_advance(&t->r, MINUTE_MS + 1);
	play_vote(t->bob, "5");
	rig_cut(t->bob);
	rig_advance(&t->r, MINUTE_MS - 1);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob away voted, cy away");
	rig_advance(&t->r, 1);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob away, cy away");
}
