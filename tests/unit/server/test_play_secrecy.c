/*
 * test_play_secrecy.c - what nobody may learn while people play: the same
 * session is played twice, with other votes, notes and confidence, and everybody
 * but the voters must have been sent the same bytes.
 */
#include "tests/unit/server/table.h"

#include "tests/unit/server/play.h"

/* One way to vote: what differs between the two sessions. */
struct hand {
	const char *card;
	const char *comment;
	int confidence;
};

struct session {
	struct table *t;
	void *state;
	struct rig_peer *cy; /* votes, as bob does */
	struct rig_peer *spectator;
	struct rig_peer *bot;
	struct rig_peer *nameless;
	struct rig_peer *latecomer;
	struct rig_peer *passer; /* has no seat */
	struct rig_peer *lobby;
};

static void session_begin(struct session *s)
{
	*s = (struct session){0};
	(void)table_lay(&s->state);
	s->t = s->state;
	s->cy = rig_sit(&s->t->r, "cy");
	s->spectator = rig_sit(&s->t->r, "eve");
	rig_must(s->spectator, "join", "'username':'eve','role':'spectator'");
	s->bot = rig_sit(&s->t->r, "bot");
	rig_must(s->bot, "join", "'username':'bot','is_bot':true");
	s->nameless = rig_guest(&s->t->r, "dan");
	rig_follow(s->nameless, "");
	s->passer = rig_guest(&s->t->r, "passer");
	play_policy(s->t->ada, "'confidence':true");
}

static void lay(struct rig_peer *p, const struct hand *h)
{
	(void)rig_must(p, "vote", "'vote':'%s','comment':'%s','confidence':%d", h->card, h->comment,
		       h->confidence);
}

static void look_around(struct session *s)
{
	(void)rig_must(s->passer, "get", RIG_NONE);
	(void)rig_must(s->spectator, "get", RIG_NONE);
	(void)play_rounds(s->spectator);
	(void)play_stories(s->nameless);
	(void)rig_must(s->nameless, "subscribe", RIG_NONE);
}

/* The countdown begins, is stopped in each way there is, and begins again. */
static void play_countdown(struct session *s, const struct hand *a, const struct hand *b)
{
	struct table *t = s->t;
	play_vote(t->ada, "1");
	lay(t->bob, a);
	rig_must(t->ada, "nudge", RIG_NONE);
	lay(s->cy, b);
	assert_string_equal(rig_of(t->ada, "phase"), "'countdown'");
	look_around(s);
	rig_must(t->ada, "reveal.cancel", "'room_id':'%s'", t->r.room_id);
	lay(t->bob, b);
	rig_advance(&t->r, 2000);
	rig_must(t->bob, "vote", "'vote':null");
	rig_advance(&t->r, 2000);
	lay(t->bob, a);
	play_policy(t->ada, "'auto_reveal':false");
	s->latecomer = rig_sit(&t->r, "late");
	rig_must(t->ada, "nudge", "'user_id':'%s'", s->latecomer->user_id);
}

static void play_reset(struct session *s, const struct hand *a, const struct hand *b)
{
	struct table *t = s->t;
	play_story(s->spectator, "Login");
	play_select(t->ada, "Login");
	assert_int_equal(rig_number(t->ada, "round", NULL), 2);
	rig_must(t->ada, "round.undo_reset", "'room_id':'%s'", t->r.room_id);
	look_around(s);
	rig_must(t->ada, "round.again", "'room_id':'%s'", t->r.room_id);
	lay(t->bob, b);
	lay(s->cy, a);
	rig_must(t->ada, "set_valid_sizes", "'valid_sizes':['1','8','13','5','3']");
	look_around(s);
	rig_must(t->bob, "react", "'word':'hm'");
}

static void play_trouble(struct session *s, const struct hand *a)
{
	struct table *t = s->t;
	rig_fail_commits(&t->r, 1, ERR_IO);
	rig_refused(t->bob, "vote", "'vote':'%s','comment':'%s'", a->card, "gone");
	rig_refused(s->spectator, "vote", "'vote':'1'");
	rig_refused(s->cy, "vote", "'vote':'4'");
	rig_must(t->ada, "timer.start", "'room_id':'%s','seconds':5", t->r.room_id);
	rig_must(t->ada, "reveal.arm", "'room_id':'%s'", t->r.room_id);
	rig_advance(&t->r, 6000);
	play_policy(t->ada, "'anonymous':true,'lobby':true");
	s->lobby = rig_sit(&t->r, "lobby");
	rig_must(t->ada, "admit", "'user_id':'%s'", s->lobby->user_id);
	play_policy(t->ada, "'lobby':false");
	rig_cut(s->cy);
	rig_advance(&t->r, 30000);
	look_around(s);
	rig_must(t->ada, "reset", RIG_NONE);
	lay(t->bob, a);
	look_around(s);
}

static void play(struct session *s, const struct hand *a, const struct hand *b)
{
	play_countdown(s, a, b);
	play_reset(s, a, b);
	play_trouble(s, a);
}

static void assert_heard_the_same(const struct rig_peer *a, const struct rig_peer *b)
{
	assert_true(a->in.len > 0);
	assert_int_equal(a->in.len, b->in.len);
	assert_memory_equal(a->in.data, b->in.data, a->in.len);
}

/* promise: secret-votes */
TEST(test_nobody_else_is_sent_a_byte_that_depends_on_vote_note_or_confidence)
{
	struct session one;
	struct session two;
	static const struct hand low = {"3", "easy", 3};
	static const struct hand high = {"13", "I fear what the import will bring", 1};
	session_begin(&one);
	session_begin(&two);
	play(&one, &low, &high);
	play(&two, &high, &low);
	assert_heard_the_same(one.t->ada, two.t->ada);
	assert_heard_the_same(one.spectator, two.spectator);
	assert_heard_the_same(one.bot, two.bot);
	assert_heard_the_same(one.nameless, two.nameless);
	assert_heard_the_same(one.latecomer, two.latecomer);
	assert_heard_the_same(one.passer, two.passer);
	assert_heard_the_same(one.lobby, two.lobby);
	assert_int_equal(one.t->r.log.len, two.t->r.log.len);
	assert_memory_equal(one.t->r.log.data, two.t->r.log.data, one.t->r.log.len);
	assert_int_equal(one.t->r.commits, two.t->r.commits);
	assert_int_equal(one.t->r.ops, two.t->r.ops);
	assert_false(play_was_sent(one.t->ada, "easy") || play_was_sent(one.t->ada, "fear"));
	/* The voter is told: the bytes above could differ. */
	assert_true(play_was_sent(one.t->bob, "easy") && play_was_sent(two.t->bob, "fear"));
	(void)scene_clear(&one.state);
	(void)scene_clear(&two.state);
}

/* Where results have no names, the reveal does not tell whose card was whose either. */
/* promise: nameless */
TEST(test_without_names_the_reveal_tells_the_same_whoever_voted_what)
{
	struct session one;
	struct session two;
	static const struct hand low = {"3", "easy", 3};
	static const struct hand high = {"13", "I fear it", 1};
	struct session *const both[] = {&one, &two};
	for (size_t i = 0; i < 2; i++) {
		struct session *s = both[i];
		session_begin(s);
		play_policy(s->t->ada, "'anonymous':true,'bots_count':true");
		lay(s->bot, &low);
		lay(s->t->bob, i == 0 ? &low : &high);
		lay(s->cy, i == 0 ? &high : &low);
		play_vote(s->t->ada, "13");
		rig_advance(&s->t->r, 3000);
		assert_string_equal(rig_of(s->t->ada, "phase"), "'revealed'");
		look_around(s);
		rig_must(s->t->ada, "round.settle", "'room_id':'%s','estimate':'8'",
			 s->t->r.room_id);
		look_around(s);
	}
	assert_heard_the_same(one.t->ada, two.t->ada);
	assert_heard_the_same(one.spectator, two.spectator);
	assert_heard_the_same(one.nameless, two.nameless);
	assert_heard_the_same(one.passer, two.passer);
	assert_heard_the_same(one.bot, two.bot);
	(void)scene_clear(&one.state);
	(void)scene_clear(&two.state);
}
