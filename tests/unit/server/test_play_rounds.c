/*
 * test_play_rounds.c - what is remembered of rounds, and how they are settled.
 */
#include "tests/unit/server/table.h"

#include <stdio.h>

#include "tests/unit/server/play.h"

/* ---- what is remembered ---- */

TABLE_TEST(test_a_revealed_round_is_remembered_with_all_there_is_to_say, t)
{
	play_policy(t->ada, "'confidence':true");
	play_story(t->ada, "Login");
	play_select(t->ada, "Login");
	rig_must(t->bob, "vote", "'vote':'5','comment':'as the last one','confidence':2");
	rig_advance(&t->r, 1000);
	play_vote(t->ada, "3");
	rig_advance(&t->r, 3000);
	rig_alias(&t->r, rig_story(t->ada, "Login"), "LOGIN");
	assert_string_equal(
		play_rounds(t->bob),
		"{'rounds':[{'n':1,'story_id':'LOGIN','story':'Login','story_round':1,'started_at':"
		"1700000000000,"
		"'revealed_at':1700000004000,'votes':["
		"{'vote':'3','user_id':'@ada','username':'ada','role':'voter','is_bot':false},"
		"{'vote':'5','user_id':'@bob','username':'bob','role':'voter','is_bot':false,"
		"'comment':'as the last one','confidence':2}],"
		"'result':{'votes':2,'cards':[{'card':'3','votes':1},"
		"{'card':'5','votes':1}],'average':4.0,'median':4.0,"
		"'mode':'3','agreement_percent':50,'spread_steps':1,'lowest':'3','highest':'5',"
		"'suggestion':'5','is_unanimous':false}}]}");
}

TABLE_TEST(test_the_result_of_the_table_is_that_of_the_history, t)
{
	play_open(t, "3", "8");
	assert_non_null(strstr(play_rounds(t->bob), "'result':"));
	const char *live = rig_of(t->bob, "result");
	char *kept = strdup(live);
	assert_non_null(strstr(play_rounds(t->bob), kept));
	free(kept);
}

TABLE_TEST(test_a_round_that_was_never_revealed_is_not_remembered, t)
{
	play_vote(t->ada, "3");
	rig_must(t->ada, "reset", RIG_NONE);
	assert_string_equal(play_rounds(t->bob), "{'rounds':[]}");
	assert_int_equal(rig_stored(&t->r, "ROUND#"), 0);
}

TABLE_TEST(test_votes_of_bots_are_remembered_and_not_counted_unless_bots_count, t)
{
	rig_must(t->bob, "join", "'username':'bob','is_bot':true");
	play_vote(t->bob, "13");
	play_vote(t->ada, "3");
	rig_advance(&t->r, 3000);
	assert_non_null(strstr(play_rounds(t->ada), "'vote':'13','user_id':'@bob'"));
	assert_non_null(strstr(play_rounds(t->ada), "'is_bot':true"));
	assert_non_null(strstr(play_rounds(t->ada), "'result':{'votes':1,"));
	play_policy(t->ada, "'bots_count':true");
	assert_non_null(strstr(play_rounds(t->ada), "'result':{'votes':2,"));
	assert_non_null(strstr(rig_of(t->ada, "result"), "{'votes':2,"));
}

TABLE_TEST(test_hiding_and_revealing_again_is_the_same_round_as_it_is_now, t)
{
	play_open(t, "3", "8");
	rig_must(t->ada, "set_revealed", "'is_revealed':false");
	assert_non_null(strstr(play_rounds(t->bob), "'vote':'8'"));
	play_vote(t->bob, "5");
	rig_must(t->ada, "set_revealed", "'is_revealed':true");
	assert_int_equal(times_in(play_rounds(t->bob), "'n':"), 1);
	assert_null(strstr(play_rounds(t->bob), "'vote':'8'"));
	assert_non_null(strstr(play_rounds(t->bob), "'vote':'5'"));
}

TABLE_TEST(test_a_round_keeps_the_votes_of_those_who_have_gone, t)
{
	play_open(t, "3", "8");
	rig_must(t->bob, "leave", RIG_NONE);
	assert_string_equal(rig_table(t->ada), "#1 open: ada host =3, -, bob left =8");
	assert_non_null(strstr(rig_of(t->ada, "result"), "{'votes':2,"));
	rig_must(t->ada, "round.settle", "'room_id':'%s','estimate':'5'", t->r.room_id);
	assert_non_null(
		strstr(play_rounds(t->ada), "'vote':'8','user_id':'@bob','username':'bob'"));
	assert_non_null(strstr(play_rounds(t->ada), "'outcome':'5'"));
}

TABLE_TEST(test_open_cards_outlast_a_lost_connection_as_long_as_the_name, t)
{
	play_open(t, "3", "8");
	rig_cut(t->bob);
	rig_advance(&t->r, 9 * 60000);
	assert_string_equal(rig_table(t->ada), "#1 open: ada host =3, bob away =8");
	rig_must(t->ada, "set_title", "'title':'still here'");
	assert_string_equal(rig_table(t->ada), "#1 open: ada host =3, bob away =8");
	rig_advance(&t->r, 60000);
	assert_string_equal(rig_table(t->ada), "#1 open: ada host =3, bob left =8");
	assert_non_null(strstr(rig_of(t->ada, "result"), "{'votes':2,"));
}

TABLE_TEST(test_cards_that_are_hidden_again_are_under_the_grace_again, t)
{
	play_open(t, "3", "8");
	rig_cut(t->bob);
	rig_advance(&t->r, 2 * 60000);
	rig_must(t->ada, "set_revealed", "'is_revealed':false");
	rig_advance(&t->r, 1);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host voted, bob away");
}

TABLE_TEST(test_a_deck_that_takes_an_open_card_away_takes_it_out_of_the_result, t)
{
	play_open(t, "3", "8");
	rig_must(t->ada, "set_valid_sizes", "'valid_sizes':['3','4']");
	assert_non_null(strstr(rig_of(t->bob, "result"), "{'votes':1,"));
	rig_must(t->ada, "round.settle", "'room_id':'%s','estimate':'4'", t->r.room_id);
	assert_non_null(strstr(play_rounds(t->bob), "'vote':'8'"));
}

/* Names, notes and ids of the longest: what one item must be able to hold. */
TABLE_TEST(test_a_room_full_of_long_names_and_notes_can_be_revealed, t)
{
	char wide[97];
	for (size_t i = 0; i < 32; i++) {
		memcpy(wide + 3 * i, "\xe2\x82\xac",
		       4); /* a currency sign: three bytes, one cell */
	}
	for (size_t i = 0; i < 400; i++) {
		struct rig_peer *p = rig_guest(&t->r, "many");
		rig_must(p, "subscribe", RIG_NONE);
		rig_must(p, "join", "'username':'%s'", wide);
		rig_must(p, "vote", "'vote':'%s','comment':'%s%s'", i % 2 == 0 ? "3" : "5", wide,
			 wide);
		rig_must(p, "unsubscribe", RIG_NONE);
		rig_cut(p);
	}
	rig_must(t->ada, "set_revealed", "'is_revealed':true");
	assert_non_null(strstr(rig_of(t->bob, "result"), "{'votes':400,"));
	rig_crash(&t->r);
	struct rig_peer *ada = rig_return(t->ada, false);
	assert_non_null(strstr(rig_of(ada, "result"), "{'votes':400,"));
	assert_int_equal(times_in(play_rounds(ada), "'comment':"), 400);
}

/* ---- settling ---- */

static void settle(struct rig_peer *p, const char *estimate)
{
	(void)rig_must(p, "round.settle", "'room_id':'%s','estimate':%s", p->rig->room_id,
		       estimate);
}

TABLE_TEST(test_settling_writes_the_value_to_round_and_story_and_leaves_the_votes, t)
{
	play_story(t->ada, "Login");
	play_select(t->ada, "Login");
	play_open(t, "3", "8");
	settle(t->ada, "' 6 '");
	assert_string_equal(rig_stories(t->bob), "Login: done 6");
	assert_string_equal(rig_of(t->bob, "outcome"), "'6'");
	assert_non_null(strstr(play_rounds(t->bob), "'outcome':'6'"));
	assert_string_equal(rig_table(t->bob), "#1 open: ada host =3, bob =8");
	settle(t->ada, "null");
	assert_string_equal(rig_stories(t->bob), "Login: voting");
	assert_string_equal(rig_of(t->bob, "outcome"), "");
	assert_null(strstr(play_rounds(t->bob), "'outcome':'"));
}

TABLE_TEST(test_a_quick_vote_is_settled_too, t)
{
	play_open(t, "3", "8");
	settle(t->ada, "'5'");
	assert_non_null(strstr(play_rounds(t->bob), "'outcome':'5'"));
	assert_string_equal(rig_stories(t->bob), "");
}

TABLE_TEST(test_hidden_votes_cannot_be_settled_nor_with_what_is_no_value, t)
{
	static const char *const bad[] = {"''", "'   '", "'123456789'", "'a\\u001b'", "5"};
	assert_string_equal(rig_code(t->ada, "round.settle", "'room_id':'%s','estimate':'5'",
				     t->r.room_id),
			    "CONFLICT");
	play_open(t, "3", "8");
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_string_equal(rig_code(t->ada, "round.settle", "'room_id':'%s','estimate':%s",
					     t->r.room_id, bad[i]),
				    "VALIDATION_ERROR estimate");
	}
	assert_string_equal(rig_of(t->bob, "outcome"), "");
}

/* ---- votes after the reveal ---- */

TABLE_TEST(test_a_vote_after_the_reveal_is_marked_and_changes_result_and_history, t)
{
	play_policy(t->ada, "'vote_after_reveal':true");
	play_open(t, "3", "8");
	play_vote(t->bob, "5");
	assert_string_equal(rig_table(t->ada), "#1 open: ada host =3, bob =5*");
	assert_non_null(strstr(rig_of(t->ada, "result"), "'average':4.0"));
	assert_non_null(strstr(play_rounds(t->ada), "'vote':'5','user_id':'@bob','username':'bob',"
						    "'role':'voter','is_bot':false,"
						    "'is_changed':true"));
	assert_int_equal(times_in(play_rounds(t->ada), "'is_changed'"), 1);
	rig_must(t->bob, "vote", "'vote':'5','comment':'small'"); /* the same card */
	assert_string_equal(rig_table(t->ada), "#1 open: ada host =3, bob =5*");
	rig_must(t->ada, "reset", RIG_NONE);
	play_open(t, "3", "8");
	assert_string_equal(rig_table(t->ada), "#2 open: ada host =3, bob =8");
}

TABLE_TEST(test_a_changed_vote_is_in_the_history_of_cards_that_are_hidden_at_once, t)
{
	play_policy(t->ada, "'vote_after_reveal':true");
	play_open(t, "3", "8");
	play_vote(t->bob, "5");
	rig_must(t->ada, "set_revealed", "'is_revealed':false");
	char *rounds = strdup(play_rounds(t->ada));
	assert_non_null(strstr(rounds, "'vote':'5','user_id':'@bob'"));
	assert_null(strstr(rounds, "'vote':'8'"));
	/* Nor is a hidden one in it. */
	play_vote(t->bob, "13");
	assert_string_equal(play_rounds(t->ada), rounds);
	rig_crash(&t->r);
	struct rig_peer *ada = rig_return(t->ada, false);
	rig_advance(&t->r, 2000);
	assert_string_equal(play_rounds(ada), rounds);
	free(rounds);
}

TABLE_TEST(test_the_first_vote_and_a_retracted_one_after_the_reveal_count_too, t)
{
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	play_policy(t->ada, "'vote_after_reveal':true,'auto_reveal':false");
	play_vote(t->ada, "3");
	play_vote(t->bob, "8");
	rig_must(t->ada, "set_revealed", "'is_revealed':true");
	play_vote(cy, "13");
	assert_string_equal(rig_table(t->ada), "#1 open: ada host =3, bob =8, cy =13*");
	rig_must(t->bob, "vote", "'vote':null");
	assert_string_equal(rig_table(t->ada), "#1 open: ada host =3, bob, cy =13*");
	assert_non_null(strstr(rig_of(t->ada, "result"), "{'votes':2,"));
	assert_non_null(strstr(play_rounds(t->ada), "'result':{'votes':2,"));
}

TABLE_TEST(test_a_changed_vote_keeps_what_was_settled, t)
{
	play_policy(t->ada, "'vote_after_reveal':true");
	play_open(t, "3", "8");
	settle(t->ada, "'5'");
	play_vote(t->bob, "5");
	assert_non_null(strstr(play_rounds(t->ada), "'outcome':'5'"));
}

/* ---- without names ---- */

TABLE_TEST(test_without_names_no_frame_says_whose_card_or_note_it_was, t)
{
	play_policy(t->ada, "'anonymous':true,'confidence':true");
	rig_must(t->bob, "vote", "'vote':'8','comment':'tellingly','confidence':3");
	rig_must(t->ada, "vote", "'vote':'3'");
	play_forget_bytes(t->ada);
	play_forget_bytes(t->bob);
	rig_advance(&t->r, 3000);
	assert_string_equal(rig_table(t->ada), "#1 open: ada host voted, bob voted");
	settle(t->ada, "'5'");
	(void)play_rounds(t->ada);
	(void)rig_must(t->ada, "get", RIG_NONE);
	assert_non_null(strstr(rig_of(t->ada, "result"), "{'card':'8','votes':1}"));
	assert_true(play_was_sent(t->ada, "votes"));
	assert_false(play_was_sent(t->ada, "tellingly"));
	assert_false(play_was_sent(t->ada, "user_ids"));
	assert_false(play_was_sent(t->ada, "confidence\x03"));
	rig_crash(&t->r);
	struct rig_peer *ada = rig_return(t->ada, false);
	assert_string_equal(
		play_rounds(ada),
		"{'rounds':[{'n':1,'started_at':1700000000000,'revealed_at':1700000003000,"
		"'votes':[{'vote':'3','role':'voter','is_bot':false},"
		"{'vote':'8','role':'voter','is_bot':false}],'outcome':'5',"
		"'result':{'votes':2,'cards':[{'card':'3','votes':1},{'card':'8','votes':1}],"
		"'average':5.5,'median':5.5,'mode':'3','agreement_percent':50,'spread_steps':2,"
		"'lowest':'3','highest':'8','is_unanimous':false}}]}");
	assert_false(play_was_sent(ada, "tellingly"));
}

/* Who voted what must not be read from an order either. */
TABLE_TEST(test_without_names_two_hands_that_swap_cards_look_the_same, t)
{
	play_policy(t->ada, "'anonymous':true");
	play_open(t, "3", "8");
	char *first = strdup(strstr(play_rounds(t->bob), "'votes'"));
	rig_must(t->ada, "reset", RIG_NONE);
	play_open(t, "8", "3");
	const char *rounds = play_rounds(t->bob);
	size_t len = (size_t)(strstr(first, "}}]") - first);
	assert_memory_equal(strstr(rounds, "'votes'"), first, len);
	free(first);
}

TABLE_TEST(test_confidence_goes_with_its_vote, t)
{
	play_policy(t->ada, "'confidence':true");
	rig_must(t->bob, "vote", "'vote':'8','confidence':3");
	play_vote(t->bob, "5");
	assert_non_null(strstr(play_you(t->bob), "'confidence':3"));
	rig_must(t->ada, "set_revealed", "'is_revealed':true");
	rig_must(t->ada, "reset", RIG_NONE);
	play_vote(t->bob, "5");
	assert_null(strstr(play_you(t->bob), "'confidence'"));
}

/* What is on the table without names does not get them when its last voter has gone. */
TABLE_TEST(test_an_open_round_without_names_stays_so_when_nobody_is_left_of_it, t)
{
	play_policy(t->ada, "'anonymous':true");
	play_vote(t->bob, "8");
	rig_must(t->ada, "set_revealed", "'is_revealed':true");
	rig_must(t->bob, "leave", RIG_NONE);
	assert_string_equal(rig_code(t->ada, "set_policy", "'policy':{'anonymous':false}"),
			    "CONFLICT");
}

TABLE_TEST(test_promised_namelessness_is_kept_until_the_votes_are_gone, t)
{
	play_policy(t->ada, "'anonymous':true");
	play_vote(t->bob, "8");
	assert_string_equal(rig_code(t->ada, "set_policy", "'policy':{'anonymous':false}"),
			    "CONFLICT");
	rig_must(t->ada, "set_revealed", "'is_revealed':true");
	assert_string_equal(rig_code(t->ada, "set_policy", "'policy':{'anonymous':false}"),
			    "CONFLICT");
	rig_must(t->ada, "reset", RIG_NONE);
	play_policy(t->ada, "'anonymous':false");
	assert_string_equal(rig_code(t->ada, "round.undo_reset", "'room_id':'%s'", t->r.room_id),
			    "CONFLICT");
	assert_null(strstr(play_rounds(t->ada), "@bob"));
}

TABLE_TEST(test_switching_names_off_takes_them_from_the_open_round, t)
{
	play_open(t, "3", "8");
	play_policy(t->ada, "'anonymous':true");
	assert_string_equal(rig_table(t->bob), "#1 open: ada host voted, bob voted");
	assert_null(strstr(play_rounds(t->bob), "@bob"));
}

/* ---- history ---- */

static void play_rounds_of(struct table *t, size_t n)
{
	play_policy(t->ada, "'auto_reveal':false");
	for (size_t i = 0; i < n; i++) {
		rig_must(t->ada, "set_revealed", "'is_revealed':true");
		rig_must(t->ada, "reset", RIG_NONE);
	}
}

TABLE_TEST(test_history_is_read_newest_first_page_by_page, t)
{
	char cursor[96] = "";
	int64_t expected = 7;
	play_rounds_of(t, 7);
	for (int page = 0; page < 3; page++) {
		const char *text = rig_must(t->bob, "round.list", "'room_id':'%s','limit':3%s",
					    t->r.room_id, cursor);
		for (const char *at = strstr(text, "'n':"); at != NULL;
		     at = strstr(at + 1, "'n':")) {
			assert_int_equal(strtol(at + 4, NULL, 10), expected);
			expected--;
		}
		const char *next = strstr(text, "'cursor':'");
		assert_int_equal(next != NULL, page < 2);
		if (next != NULL) {
			(void)snprintf(cursor, sizeof(cursor), ",'cursor':'%.*s'",
				       (int)strcspn(next + 10, "'"), next + 10);
		}
	}
	assert_int_equal(expected, 0);
}

TABLE_TEST(test_a_cursor_that_nobody_gave_is_refused, t)
{
	static const char *const bad[] = {"'x'", "'-1'", "'1 '", "'99999999999999999999999'"};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_string_equal(rig_code(t->bob, "round.list", "'room_id':'%s','cursor':%s",
					     t->r.room_id, bad[i]),
				    "VALIDATION_ERROR cursor");
	}
}

TABLE_TEST(test_a_page_stays_near_the_size_of_a_message, t)
{
	char note[81];
	memset(note, 'n', 80);
	note[80] = '\0';
	for (size_t i = 0; i < 30; i++) {
		struct rig_peer *p = rig_sit(&t->r, "p");
		rig_must(p, "vote", "'vote':'3','comment':'%s'", note);
	}
	play_policy(t->ada, "'auto_reveal':false,'vote_after_reveal':true");
	for (size_t i = 0; i < 20; i++) {
		rig_must(t->ada, "set_revealed", "'is_revealed':true");
		rig_must(t->ada, "reset", RIG_NONE);
		rig_must(t->ada, "round.undo_reset", "'room_id':'%s'", t->r.room_id);
		rig_must(t->ada, "set_revealed", "'is_revealed':false");
		rig_must(t->ada, "reset", RIG_NONE);
		rig_must(t->ada, "set_revealed", "'is_revealed':true");
		rig_must(t->ada, "reset", RIG_NONE);
	}
	size_t before = t->bob->in.len;
	(void)play_rounds(t->bob);
	assert_in_range(t->bob->in.len - before, 1, 2 * MAX_FRAME_BYTES);
}

TABLE_TEST(test_a_thousand_rounds_are_kept_and_the_oldest_goes_first, t)
{
	play_rounds_of(t, MAX_ROUNDS_KEPT + 3);
	assert_int_equal(rig_stored(&t->r, "ROUND#"), MAX_ROUNDS_KEPT);
	const char *text =
		rig_must(t->bob, "round.list", "'room_id':'%s','cursor':'6'", t->r.room_id);
	assert_int_equal(times_in(text, "'n':"), 2);
	assert_non_null(strstr(text, "'n':5"));
	assert_non_null(strstr(text, "'n':4"));
	assert_null(strstr(text, "'cursor'"));
}

TABLE_TEST(test_history_survives_a_restart, t)
{
	play_story(t->ada, "Login");
	play_select(t->ada, "Login");
	play_open(t, "3", "8");
	settle(t->ada, "'5'");
	rig_must(t->ada, "round.again", "'room_id':'%s'", t->r.room_id);
	play_open(t, "5", "8");
	char *before = strdup(play_rounds(t->ada));
	rig_crash(&t->r);
	struct rig_peer *ada = rig_return(t->ada, false);
	assert_string_equal(play_rounds(ada), before);
	assert_int_equal(rig_number(ada, "story_round", NULL), 2);
	assert_int_equal(rig_number(ada, "round", NULL), 2);
	assert_string_equal(rig_table(ada), "#2 open: ada host =5, bob away =8");
	free(before);
}

TABLE_TEST(test_a_round_that_could_not_be_stored_was_not_revealed, t)
{
	play_vote(t->bob, "8");
	rig_fail_commits(&t->r, 1, ERR_IO);
	assert_string_equal(rig_code(t->ada, "set_revealed", "'is_revealed':true"), "UNAVAILABLE");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob voted");
	assert_string_equal(play_rounds(t->ada), "{'rounds':[]}");
}
