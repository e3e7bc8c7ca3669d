/*
 * test_play_nameless.c - a round without names says at its reveal what it says
 * for good: whoever goes afterwards, or votes late, does not show by it which
 * card was theirs.
 */
#include "tests/unit/server/table.h"

#include "tests/unit/server/play.h"

#define NAME_GRACE_MS 600000

/* ada 3, bob 8, cy 13, without names and open. */
struct scene {
	void *state;
	struct table *t;
	struct rig_peer *cy;
};

static void scene_open(struct scene *s, const char *of_bob, const char *of_cy)
{
	*s = (struct scene){0};
	(void)table_lay(&s->state);
	s->t = s->state;
	s->cy = rig_sit(&s->t->r, "cy");
	play_policy(s->t->ada, "'anonymous':true,'vote_after_reveal':true,'auto_reveal':false");
	play_vote(s->t->ada, "3");
	play_vote(s->t->bob, of_bob);
	play_vote(s->cy, of_cy);
	rig_must(s->t->ada, "set_revealed", "'is_revealed':true");
}

static void scene_close(struct scene *s)
{
	(void)scene_clear(&s->state);
}

static char *result_of(struct rig_peer *p)
{
	char *result = strdup(rig_of(p, "result"));
	assert_non_null(result);
	assert_non_null(strstr(result, "{'card':'8','votes':1}"));
	return result;
}

static void goes(struct scene *s)
{
	rig_must(s->t->bob, "leave", RIG_NONE);
}

static void is_kicked(struct scene *s)
{
	rig_must(s->t->ada, "kick", "'user_id':'%s'", s->t->bob->user_id);
	rig_forget(s->t->bob);
	rig_copies_free(s->t->bob);
}

static void gives_up_the_seat(struct scene *s)
{
	rig_must(s->t->bob, "delete_user", RIG_NONE);
	rig_forget(s->t->bob);
	rig_copies_free(s->t->bob);
}

static void watches(struct scene *s)
{
	rig_must(s->t->bob, "join", "'username':'bob','role':'spectator'");
}

static void retracts(struct scene *s)
{
	assert_string_equal(rig_code(s->t->bob, "vote", "'vote':null"), "CONFLICT");
}

static void changes(struct scene *s)
{
	assert_string_equal(rig_code(s->t->bob, "vote", "'vote':'5'"), "CONFLICT");
}

static void votes_late(struct scene *s)
{
	struct rig_peer *dan = rig_sit(&s->t->r, "dan");
	assert_string_equal(rig_code(dan, "vote", "'vote':'5'"), "CONFLICT");
}

static void is_lost(struct scene *s)
{
	rig_cut(s->t->bob);
	rig_advance(&s->t->r, NAME_GRACE_MS + 1);
}

static void loses_the_card(struct scene *s)
{
	rig_must(s->t->ada, "set_valid_sizes", "'valid_sizes':['1','2']");
}

static void bots_count(struct scene *s)
{
	rig_must(s->t->bob, "join", "'username':'bob','is_bot':true");
	play_policy(s->t->ada, "'bots_count':true");
	play_policy(s->t->ada, "'bots_count':false");
}

static void is_hidden_and_shown(struct scene *s)
{
	assert_string_equal(rig_code(s->t->ada, "set_revealed", "'is_revealed':false"), "CONFLICT");
	goes(s);
	rig_must(s->t->ada, "set_revealed", "'is_revealed':true");
}

static void is_reset_and_undone(struct scene *s)
{
	rig_must(s->t->ada, "reset", RIG_NONE);
	goes(s);
	rig_must(s->t->ada, "round.undo_reset", "'room_id':'%s'", s->t->r.room_id);
}

typedef void happens(struct scene *s);
static happens *const all_that_happens[] = {
	goes,		is_kicked,  gives_up_the_seat,	 watches,
	retracts,	changes,    votes_late,		 is_lost,
	loses_the_card, bots_count, is_hidden_and_shown, is_reset_and_undone,
};

#define HAPPENS_N (sizeof(all_that_happens) / sizeof(all_that_happens[0]))

static void assert_unchanged(struct scene *s, const char *result, const char *rounds)
{
	assert_string_equal(rig_of(s->t->ada, "result"), result);
	assert_string_equal(play_rounds(s->t->ada), rounds);
}

TEST(test_whatever_happens_changes_nothing_in_the_result)
{
	for (size_t i = 0; i < HAPPENS_N; i++) {
		struct scene s;
		scene_open(&s, "8", "13");
		char *result = result_of(s.t->ada);
		char *rounds = strdup(play_rounds(s.t->ada));
		all_that_happens[i](&s);
		assert_unchanged(&s, result, rounds);
		rig_crash(&s.t->r);
		s.t->ada = rig_return(s.t->ada, false);
		assert_unchanged(&s, result, rounds);
		rig_must(s.t->ada, "kick", "'user_id':'%s'", s.cy->user_id);
		assert_unchanged(&s, result, rounds);
		free(result);
		free(rounds);
		scene_close(&s);
	}
}

/* Whichever of the two laid the 8, all others are sent the same of what follows. */
/* promise: nameless */
TEST(test_what_happens_says_the_same_whoever_laid_which_card)
{
	for (size_t i = 0; i < HAPPENS_N; i++) {
		struct scene one;
		struct scene two;
		scene_open(&one, "8", "13");
		scene_open(&two, "13", "8");
		all_that_happens[i](&one);
		all_that_happens[i](&two);
		rig_must(one.t->ada, "subscribe", RIG_NONE);
		rig_must(two.t->ada, "subscribe", RIG_NONE);
		assert_int_equal(one.t->ada->in.len, two.t->ada->in.len);
		assert_memory_equal(one.t->ada->in.data, two.t->ada->in.data, one.t->ada->in.len);
		assert_int_equal(one.t->r.ops, two.t->r.ops);
		scene_close(&one);
		scene_close(&two);
	}
}

/* A card that the deck no longer has is counted at the reveal, and whose it is shows nowhere. */
TABLE_TEST(test_a_withdrawn_card_is_counted_and_names_nobody, t)
{
	play_policy(t->ada, "'anonymous':true");
	play_vote(t->ada, "3");
	play_vote(t->bob, "8");
	rig_must(t->ada, "set_valid_sizes", "'valid_sizes':['2','3']");
	rig_must(t->ada, "set_revealed", "'is_revealed':true");
	assert_string_equal(rig_table(t->ada), "#1 open: ada host voted, bob voted");
	assert_int_equal(rig_number(t->ada, "result", "withdrawn"), 1);
	assert_int_equal(rig_number(t->ada, "result", "votes"), 1);
	rig_must(t->bob, "leave", RIG_NONE);
	assert_int_equal(rig_number(t->ada, "result", "withdrawn"), 1);
	assert_string_equal(rig_table(t->ada), "#1 open: ada host voted, -");
}

TABLE_TEST(test_names_that_are_taken_off_an_open_round_fix_its_result, t)
{
	play_open(t, "3", "8");
	play_policy(t->ada, "'anonymous':true");
	char *result = result_of(t->ada);
	rig_must(t->ada, "kick", "'user_id':'%s'", t->bob->user_id);
	rig_forget(t->bob);
	rig_copies_free(t->bob);
	assert_string_equal(rig_of(t->ada, "result"), result);
	/* The next round begins with nothing of it, and with names again. */
	rig_must(t->ada, "reset", RIG_NONE);
	play_policy(t->ada, "'anonymous':false");
	play_vote(t->ada, "5");
	rig_must(t->ada, "set_revealed", "'is_revealed':true");
	assert_string_equal(rig_table(t->ada), "#2 open: ada host =5, - away");
	free(result);
}

TABLE_TEST(test_an_undone_reset_of_a_round_with_names_is_fixed_where_there_are_none_now, t)
{
	play_open(t, "3", "8");
	rig_must(t->ada, "reset", RIG_NONE);
	play_policy(t->ada, "'anonymous':true");
	rig_must(t->ada, "round.undo_reset", "'room_id':'%s'", t->r.room_id);
	char *result = result_of(t->ada);
	rig_must(t->bob, "leave", RIG_NONE);
	assert_string_equal(rig_of(t->ada, "result"), result);
	free(result);
}

/* In one unit of work with a vote that comes too late. */
TABLE_TEST(test_a_rename_beside_a_late_vote_is_shown, t)
{
	play_policy(t->ada, "'anonymous':true,'vote_after_reveal':true");
	play_open(t, "3", "8");
	struct buf bytes = {.max = 65536};
	rig_compose(t->bob, &bytes, "join", "'username':'Bob'");
	rig_compose(t->bob, &bytes, "vote", "'vote':'5'");
	rig_bytes(t->bob, buf_slice(&bytes));
	buf_finish(&bytes);
	assert_string_equal(rig_table(t->ada), "#1 open: ada host voted, Bob voted");
}
