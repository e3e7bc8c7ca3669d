/*
 * test_play_hidden_voters.c - policy.hide_who_voted: until the reveal others
 * learn how many have voted, and not who.
 *
 * Proved by comparing bytes, as in test_secrecy.c: the same story is played
 * twice, once with bob's vote and once with cyd's, and everybody else must have
 * been sent the same bytes.
 */
#include "tests/unit/server/table.h"

struct story {
	struct table *t;
	struct rig_peer *cyd;
	struct rig_peer *voter;	  /* bob or cyd */
	struct rig_peer *watcher; /* a spectator */
	struct rig_peer *back;	  /* the watcher's second connection, resumed from before */
	struct rig_peer *newcomer;
	struct rig_peer *passer; /* has no seat, asks with room.get */
};

static void hide(struct rig_peer *host, bool is_on)
{
	rig_must(host, "set_policy", "'policy':{'hide_who_voted':%s}", is_on ? "true" : "false");
}

static void story_begin(struct story *s, void **state, bool bob_votes)
{
	table_lay(state);
	*s = (struct story){.t = *state};
	struct rig *r = &s->t->r;
	s->cyd = rig_sit(r, "cyd");
	s->voter = bob_votes ? s->t->bob : s->cyd;
	s->watcher = rig_sit(r, "watcher");
	rig_must(s->watcher, "join", "'username':'watcher','role':'spectator'");
	s->passer = rig_guest(r, "passer");
	rig_must(s->t->ada, "set_policy", "'policy':{'auto_reveal':false}");
}

/* Everything that others can see or ask while one of the two has a vote. */
static void ask_around(struct story *s)
{
	struct table *t = s->t;
	rig_must(s->passer, "get", RIG_NONE);
	rig_must(s->watcher, "subscribe", RIG_NONE);
	rig_must(t->ada, "nudge", RIG_NONE);
	rig_refused(t->ada, "nudge", "'user_id':'%s'", t->bob->user_id);
	rig_advance(&t->r, 31000);
	rig_must(t->ada, "nudge", "'user_id':'%s'", t->bob->user_id);
	rig_must(s->watcher, "nudge", "'user_id':'%s'", s->cyd->user_id);
	rig_must(t->ada, "set_title", "'title':'x'");
	rig_must(s->cyd, "join", "'username':'Cyd'");
}

static void play(struct story *s)
{
	struct table *t = s->t;
	/* The flag comes in the middle of a round in which both have voted. */
	rig_must(t->bob, "vote", "'vote':'1'");
	rig_must(s->cyd, "vote", "'vote':'1'");
	hide(t->ada, true);
	rig_must(s->voter, "vote", "'vote':null");
	ask_around(s);
	rig_must(s->voter, "vote", "'vote':'5'");
	rig_must(t->ada, "reset", RIG_NONE);
	rig_must(t->ada, "round.undo_reset", "'room_id':'%s'", t->r.room_id);
	rig_must(t->ada, "reset", RIG_NONE);
	rig_must(s->voter, "vote", "'vote':'5'");
	rig_must(s->voter, "vote", "'vote':'8'");
	s->back = rig_return(s->watcher, true);
	ask_around(s);
	s->newcomer = rig_sit(&t->r, "newcomer");
	rig_must(s->newcomer, "subscribe", RIG_NONE);
	/* Several at once are one update. */
	rig_hold(&t->r);
	rig_send(s->cyd, "join", "'username':'cyd'");
	rig_send(s->voter, "vote", "'vote':'1'");
	rig_release(&t->r);
	rig_cut(t->bob);
	rig_advance(&t->r, 5000);
}

static void assert_sent_the_same(const struct rig_peer *a, const struct rig_peer *b)
{
	assert_true(a->in.len > 0);
	assert_int_equal(a->in.len, b->in.len);
	assert_memory_equal(a->in.data, b->in.data, a->in.len);
}

/* promise: hidden-voters */
TEST(test_nobody_else_is_sent_a_byte_that_depends_on_who_voted)
{
	struct story one;
	struct story two;
	void *state_one = NULL;
	void *state_two = NULL;
	story_begin(&one, &state_one, true);
	story_begin(&two, &state_two, false);
	play(&one);
	play(&two);
	assert_sent_the_same(one.t->ada, two.t->ada);
	assert_sent_the_same(one.watcher, two.watcher);
	assert_sent_the_same(one.back, two.back);
	assert_sent_the_same(one.newcomer, two.newcomer);
	assert_sent_the_same(one.passer, two.passer);
	/* With the reveal everybody is sent whose votes there are: the bytes could differ. */
	size_t before = one.t->ada->in.len;
	rig_must(one.t->ada, "set_revealed", "'is_revealed':true");
	rig_must(two.t->ada, "set_revealed", "'is_revealed':true");
	assert_true(one.t->ada->in.len != two.t->ada->in.len ||
		    memcmp(one.t->ada->in.data + before, two.t->ada->in.data + before,
			   one.t->ada->in.len - before) != 0);
	scene_clear(&state_one);
	scene_clear(&state_two);
}

TABLE_TEST(test_an_update_says_how_many_and_the_voter_knows_their_card, t)
{
	hide(t->ada, true);
	rig_forget(t->ada);
	rig_forget(t->bob);
	rig_must(t->bob, "vote", "'vote':'5'");
	const char *update = rig_next(t->ada);
	assert_non_null(strstr(update, "'votes_n':1"));
	assert_null(strstr(update, "'users'"));
	assert_null(strstr(update, "'room'"));
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob");
	assert_non_null(strstr(rig_must(t->ada, "get", RIG_NONE), "'votes_n':1"));
	rig_must(t->bob, "vote", "'vote':null");
	assert_non_null(strstr(rig_next(t->ada), "'votes_n':0"));
}

TABLE_TEST(test_the_flag_in_mid_round_hides_who_has_voted_and_shows_it_again, t)
{
	rig_must(t->bob, "vote", "'vote':'5'");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob voted");
	hide(t->ada, true);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob");
	hide(t->ada, false);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob voted");
}

TABLE_TEST(test_the_reveal_shows_whose_votes_they_are_and_hiding_hides_them, t)
{
	hide(t->ada, true);
	rig_must(t->bob, "vote", "'vote':'5'");
	rig_must(t->ada, "set_revealed", "'is_revealed':true");
	assert_string_equal(rig_table(t->ada), "#1 open: ada host, bob =5");
	rig_must(t->ada, "set_revealed", "'is_revealed':false");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob");
}

TABLE_TEST(test_without_names_the_reveal_shows_who_has_voted, t)
{
	rig_must(t->ada, "set_policy", "'policy':{'hide_who_voted':true,'anonymous':true}");
	rig_must(t->bob, "vote", "'vote':'5'");
	rig_must(t->ada, "set_revealed", "'is_revealed':true");
	assert_string_equal(rig_table(t->ada), "#1 open: ada host, bob voted");
}

TABLE_TEST(test_a_voter_is_counted_and_not_rung, t)
{
	struct rig_peer *cyd = rig_sit(&t->r, "cyd");
	rig_must(t->ada, "set_policy", "'policy':{'hide_who_voted':true,'auto_reveal':false}");
	rig_must(t->bob, "vote", "'vote':'5'");
	rig_forget(t->bob);
	rig_forget(cyd);
	assert_non_null(strstr(rig_must(t->ada, "nudge", RIG_NONE), "'nudged':2"));
	assert_string_equal(rig_next(t->bob), "");
	assert_non_null(strstr(rig_next(cyd), "room.nudged"));
}

TABLE_TEST(test_the_number_is_of_votes_that_count, t)
{
	struct rig_peer *bot = rig_sit(&t->r, "bot");
	rig_must(bot, "join", "'username':'bot','is_bot':true");
	hide(t->ada, true);
	rig_must(bot, "vote", "'vote':'5'");
	assert_non_null(strstr(rig_must(t->ada, "get", RIG_NONE), "'votes_n':0"));
	rig_must(t->ada, "set_policy", "'policy':{'bots_count':true}");
	assert_non_null(strstr(rig_must(t->ada, "get", RIG_NONE), "'votes_n':1"));
}
