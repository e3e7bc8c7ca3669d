/*
 * test_play_left.c - a result is what was turned over: who leaves afterwards, however that
 * comes about, stays in it until the round ends.
 */
#include "tests/unit/server/table.h"

#include "tests/unit/server/play.h"

#define NAME_GRACE_MS 600000

/* ada 3, bob 8, cy 8, open. */
static struct rig_peer *open_three(struct table *t)
{
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	rig_must(cy, "vote", "'vote':'8','comment':'a lot'");
	play_open(t, "3", "8");
	return cy;
}

static void goes(struct table *t, struct rig_peer *cy)
{
	(void)t;
	rig_must(cy, "leave", RIG_NONE);
}

static void gives_up_the_seat(struct table *t, struct rig_peer *cy)
{
	(void)t;
	rig_must(cy, "delete_user", RIG_NONE);
	rig_cut(cy);
}

static void is_kicked(struct table *t, struct rig_peer *cy)
{
	rig_must(t->ada, "kick", "'user_id':'%s'", cy->user_id);
	rig_cut(cy);
}

static void is_kicked_for_good(struct table *t, struct rig_peer *cy)
{
	play_policy(t->ada, "'locked':true");
	is_kicked(t, cy);
	play_policy(t->ada, "'locked':false");
}

static void watches(struct table *t, struct rig_peer *cy)
{
	(void)t;
	rig_must(cy, "join", "'username':'cy','role':'spectator'");
}

static void is_lost(struct table *t, struct rig_peer *cy)
{
	rig_cut(cy);
	rig_advance(&t->r, NAME_GRACE_MS + 1);
}

/* The room goes on without them, and names and titles change. */
static void others_go_on(struct table *t, struct rig_peer *cy)
{
	goes(t, cy);
	rig_must(t->bob, "join", "'username':'Robert'");
	rig_must(t->ada, "set_title", "'title':'Sprint 42'");
	(void)rig_sit(&t->r, "dan");
	rig_must(t->bob, "join", "'username':'bob'");
}

typedef void leaves(struct table *t, struct rig_peer *cy);
static leaves *const ways[] = {
	goes, gives_up_the_seat, is_kicked, is_kicked_for_good, watches, is_lost, others_go_on,
};

static void assert_as_turned_over(struct rig_peer *ada, const char *result, const char *rounds)
{
	assert_string_equal(rig_of(ada, "result"), result);
	assert_non_null(strstr(rig_table(ada), ", cy left =8"));
	assert_string_equal(play_rounds(ada), rounds);
	rig_assert_all_same(ada->rig);
}

TEST(test_a_result_is_what_was_turned_over_whoever_leaves_then)
{
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		void *state = NULL;
		(void)table_lay(&state);
		struct table *t = state;
		struct rig_peer *cy = open_three(t);
		char *result = strdup(rig_of(t->ada, "result"));
		char *rounds = strdup(play_rounds(t->ada));
		ways[i](t, cy);
		assert_as_turned_over(t->ada, result, rounds);
		assert_true(play_was_sent(t->ada, "a lot"));
		rig_crash(&t->r);
		t->ada = rig_return(t->ada, false);
		assert_as_turned_over(t->ada, result, rounds);
		rig_must(t->ada, "reset", RIG_NONE);
		assert_null(strstr(rig_table(t->ada), "left"));
		rig_must(t->ada, "round.undo_reset", "'room_id':'%s'", t->r.room_id);
		assert_as_turned_over(t->ada, result, rounds);
		rig_must(t->ada, "round.settle", "'room_id':'%s','estimate':'8'", t->r.room_id);
		assert_string_equal(rig_of(t->ada, "result"), result);
		(void)scene_clear(&state);
		free(result);
		free(rounds);
	}
}

TABLE_TEST(test_who_leaves_between_a_reset_and_its_undoing_is_in_the_result_again, t)
{
	struct rig_peer *cy = open_three(t);
	char *result = strdup(rig_of(t->ada, "result"));
	rig_must(t->ada, "reset", RIG_NONE);
	goes(t, cy);
	rig_must(t->ada, "round.undo_reset", "'room_id':'%s'", t->r.room_id);
	assert_string_equal(rig_of(t->ada, "result"), result);
	assert_string_equal(rig_table(t->ada), "#1 open: ada host =3, bob =8, -, cy left =8");
	free(result);
}

/* By a deadline, where nobody is expected to stay. */
TABLE_TEST(test_a_reveal_by_the_deadline_keeps_whoever_leaves_then, t)
{
	play_policy(t->ada, "'keep_votes':true");
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	play_vote(t->ada, "3");
	play_vote(cy, "8");
	rig_must(t->ada, "timer.start", "'room_id':'%s','seconds':60,'reveal_at_zero':true",
		 t->r.room_id);
	rig_advance(&t->r, 60000);
	char *result = strdup(rig_of(t->ada, "result"));
	goes(t, cy);
	assert_string_equal(rig_of(t->ada, "result"), result);
	assert_string_equal(rig_table(t->ada), "#1 open: ada host =3, bob, -, cy left =8");
	free(result);
}

TABLE_TEST(test_a_card_is_left_under_the_last_name_of_its_member, t)
{
	struct rig_peer *cy = open_three(t);
	rig_must(cy, "join", "'username':'Cyril'");
	goes(t, cy);
	rig_must(t->ada, "reset", RIG_NONE);
	rig_must(t->bob, "join", "'username':'Robert'");
	rig_must(t->ada, "round.undo_reset", "'room_id':'%s'", t->r.room_id);
	goes(t, t->bob);
	const char *now = "#1 open: ada host =3, -, -, Cyril left =8, Robert left =8";
	assert_string_equal(rig_table(t->ada), now);
	rig_crash(&t->r);
	struct rig_peer *ada = rig_return(t->ada, false);
	assert_non_null(strstr(rig_table(ada), "Cyril left =8"));
	assert_non_null(strstr(rig_table(ada), "Robert left =8"));
}

TABLE_TEST(test_who_is_back_has_the_card_again, t)
{
	play_policy(t->ada, "'vote_after_reveal':true");
	struct rig_peer *cy = open_three(t);
	char *result = strdup(rig_of(t->ada, "result"));
	goes(t, cy);
	goes(t, t->bob);
	assert_string_equal(rig_table(t->ada),
			    "#1 open: ada host =3, -, -, cy left =8, bob left =8");
	rig_must(cy, "join", "'username':'cy'");
	assert_string_equal(rig_table(t->ada), "#1 open: ada host =3, -, cy =8, bob left =8");
	assert_non_null(strstr(play_you(cy), "'comment':'a lot'"));
	assert_string_equal(rig_of(t->ada, "result"), result);
	rig_assert_all_same(&t->r);
	watches(t, cy);
	assert_string_equal(rig_table(t->ada),
			    "#1 open: ada host =3, -, cy watches, bob left =8, cy left =8");
	rig_must(cy, "join", "'username':'cy','role':'voter'");
	assert_string_equal(rig_table(t->ada), "#1 open: ada host =3, -, cy =8, bob left =8");
	assert_string_equal(rig_of(t->ada, "result"), result);
	free(result);
}

TABLE_TEST(test_only_a_vote_changes_a_result, t)
{
	play_policy(t->ada, "'vote_after_reveal':true");
	struct rig_peer *cy = open_three(t);
	play_vote(cy, "13");
	goes(t, cy);
	assert_string_equal(rig_table(t->ada), "#1 open: ada host =3, bob =8, -, cy left =13*");
	play_vote(t->bob, "5");
	assert_string_equal(rig_of(t->ada, "result"),
			    "{'votes':3,'cards':[{'card':'3','votes':1},{'card':'5','votes':1},"
			    "{'card':'13','votes':1}],'average':7.0,'median':5.0,'mode':'3',"
			    "'agreement_percent':33,'spread_steps':3,'lowest':'3','highest':'13',"
			    "'is_unanimous':false}");
	rig_crash(&t->r);
	struct rig_peer *ada = rig_return(t->ada, false);
	assert_string_equal(rig_table(ada),
			    "#1 open: ada host =3, bob away =5*, - away, cy left =13*");
	assert_int_equal(rig_number(ada, "result", "votes"), 3);
	struct rig_peer *bob = rig_return(t->bob, false);
	rig_must(bob, "vote", "'vote':null");
	assert_int_equal(rig_number(ada, "result", "votes"), 2);
	assert_null(strstr(play_rounds(ada), "@bob"));
	rig_crash(&t->r);
	ada = rig_return(ada, false);
	assert_string_equal(rig_table(ada), "#1 open: ada host =3, bob away, - away, cy left =13*");
	assert_int_equal(rig_number(ada, "result", "votes"), 2);
}

/* Who left before an undone reset, and is back under it, has the card again, once. */
TABLE_TEST(test_nobody_counts_twice, t)
{
	play_policy(t->ada, "'vote_after_reveal':true,'auto_reveal':false");
	struct rig_peer *cy = open_three(t);
	goes(t, cy);
	rig_must(t->ada, "reset", RIG_NONE);
	rig_must(cy, "join", "'username':'cy'");
	rig_must(t->ada, "round.undo_reset", "'room_id':'%s'", t->r.room_id);
	assert_string_equal(rig_table(t->ada), "#1 open: ada host =3, bob =8, cy =8");
	assert_non_null(strstr(play_you(cy), "'comment':'a lot'"));
	assert_int_equal(rig_number(t->ada, "result", "votes"), 3);
	rig_assert_all_same(&t->r);
	play_vote(cy, "13");
	assert_string_equal(rig_table(t->ada), "#1 open: ada host =3, bob =8, cy =13*");
	assert_int_equal(rig_number(t->ada, "result", "votes"), 3);
}

TABLE_TEST(test_cards_that_are_hidden_again_are_those_of_who_is_there, t)
{
	struct rig_peer *cy = open_three(t);
	goes(t, cy);
	rig_must(t->ada, "set_revealed", "'is_revealed':false");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host voted, bob voted, -");
	assert_true(times_in(play_rounds(t->ada), "'vote':") == 3);
	rig_must(t->ada, "set_revealed", "'is_revealed':true");
	assert_string_equal(rig_table(t->ada), "#1 open: ada host =3, bob =8, -");
	assert_true(times_in(play_rounds(t->ada), "'vote':") == 2);
}

TABLE_TEST(test_names_that_are_switched_off_take_along_who_left, t)
{
	struct rig_peer *cy = open_three(t);
	goes(t, cy);
	char *result = strdup(rig_of(t->ada, "result"));
	play_policy(t->ada, "'anonymous':true");
	assert_string_equal(rig_table(t->ada), "#1 open: ada host voted, bob voted, -");
	assert_string_equal(rig_of(t->ada, "result"), result);
	assert_int_equal(times_in(play_rounds(t->ada), "'vote':"), 3);
	assert_null(strstr(play_rounds(t->ada), "user_id"));
	struct rig_peer *dan = rig_sit(&t->r, "dan");
	assert_false(play_was_sent(dan, "a lot"));
	rig_crash(&t->r);
	struct rig_peer *ada = rig_return(t->ada, false);
	assert_string_equal(rig_of(ada, "result"), result);
	assert_null(strstr(rig_table(ada), "left"));
	free(result);
}

TABLE_TEST(test_bots_that_left_count_where_bots_count, t)
{
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	rig_must(cy, "join", "'username':'cy','is_bot':true");
	play_vote(cy, "13");
	play_open(t, "3", "8");
	goes(t, cy);
	assert_int_equal(rig_number(t->ada, "result", "votes"), 2);
	play_policy(t->ada, "'bots_count':true");
	assert_int_equal(rig_number(t->ada, "result", "votes"), 3);
}

TABLE_TEST(test_who_turns_out_to_be_a_bot_beside_open_cards_is_counted_as_one, t)
{
	play_open(t, "3", "8");
	rig_must(t->bob, "join", "'username':'bob','is_bot':true");
	assert_int_equal(rig_number(t->ada, "result", "votes"), 1);
	rig_advance(&t->r, 2000);
	assert_non_null(strstr(play_rounds(t->ada), "'result':{'votes':1,"));
}

TABLE_TEST(test_a_card_that_the_deck_has_no_more_is_nobodys, t)
{
	struct rig_peer *cy = open_three(t);
	goes(t, cy);
	rig_must(t->ada, "set_valid_sizes", "'valid_sizes':['3','4']");
	assert_string_equal(rig_table(t->ada), "#1 open: ada host =3, bob, -");
	assert_int_equal(rig_number(t->ada, "result", "votes"), 1);
	rig_must(t->ada, "set_valid_sizes", "'valid_sizes':['3','8']");
	assert_string_equal(rig_table(t->ada), "#1 open: ada host =3, bob =8, -, cy left =8");
	assert_int_equal(rig_number(t->ada, "result", "votes"), 3);
}

/* Each takes a seat, votes late and leaves it, and the next one comes. */
TEST(test_a_round_has_as_many_votes_as_the_room_has_seats)
{
	struct rig r;
	struct rig_peer *ada = limited_room(&r, LIMIT_ROOM_SEATS, 3);
	rig_must(ada, "join", "'username':'ada'");
	play_policy(ada, "'vote_after_reveal':true,'auto_reveal':false");
	play_vote(ada, "3");
	rig_must(ada, "set_revealed", "'is_revealed':true");
	for (size_t i = 0; i < 2; i++) {
		struct rig_peer *cy = rig_sit(&r, i == 0 ? "cy" : "dan");
		play_vote(cy, "8");
		rig_must(cy, "delete_user", RIG_NONE);
		rig_cut(cy);
	}
	struct rig_peer *eve = rig_sit(&r, "eve");
	assert_string_equal(rig_code(eve, "vote", "'vote':'8'"), "CONFLICT");
	play_vote(ada, "5");
	assert_string_equal(rig_table(ada),
			    "#1 open: ada host =5*, eve, cy left =8*, dan left =8*");
	rig_must(ada, "reset", RIG_NONE);
	play_vote(eve, "8");
	rig_finish(&r);
}
