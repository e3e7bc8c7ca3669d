/*
 * test_play_oom.c - a session of play in which the nth allocation of the server
 * fails, for every n.
 *
 * A caller may be answered UNAVAILABLE or lose the connection, and asks again;
 * what was acknowledged has happened once, for everybody and on the disk.
 */
#include "tests/unit/server/play.h"
#include "tests/unit/server/walk.h"

static void act_on(struct walk *w, int who, const char *method, const char *title,
		   const char *params)
{
	char text[256];
	(void)snprintf(text, sizeof(text), ",'story_id':'%s'%s", rig_story(w->who[ADA], title),
		       params);
	walk_call(w, who, method, text);
}

static void act_on_user(struct walk *w, const char *method, const struct rig_peer *user)
{
	char text[128];
	(void)snprintf(text, sizeof(text), ",'user_id':'%s'", user->user_id);
	walk_call(w, ADA, method, text);
}

/* A countdown begins anew with a room that had to be loaded again. */
static void wait_for_reveal(struct walk *w)
{
	for (size_t tries = 0; strcmp(rig_of(w->who[ADA], "phase"), "'revealed'") != 0; tries++) {
		assert_in_range(tries, 0, 3);
		rig_advance(&w->t->r, 3000);
		walk_recover(w);
	}
}

static void play_stories_first(struct walk *w)
{
	walk_call(w, BOB, "story.add", ",'title':'a','link':'l','description':'n'");
	walk_call(w, BOB, "story.add", ",'title':'b'");
	walk_call(w, CY, "story.add", ",'title':'c'");
	char text[128];
	(void)snprintf(text, sizeof(text), ",'before':'%s'", rig_story(w->who[ADA], "a"));
	act_on(w, CY, "story.move", "c", text);
	act_on(w, BOB, "story.update", "b", ",'title':'B','estimate':'13'");
	act_on(w, BOB, "story.remove", "B", "");
	walk_call(w, ADA, "story.next", "");
	assert_string_equal(rig_stories(w->who[CY]), "c: voting, a: todo, -B: todo 13");
}

static void play_round(struct walk *w)
{
	walk_call(w, ADA, "room.set_policy",
		  ",'policy':{'confidence':true,'vote_after_reveal':true,'passcode':'p'}");
	walk_call(w, ADA, "room.nudge", "");
	walk_call(w, BOB, "room.react", ",'word':'go'");
	walk_call(w, ADA, "room.vote", ",'vote':'3','comment':'easy','confidence':3");
	walk_call(w, BOB, "room.vote", ",'vote':'8','comment':'hard'");
	walk_call(w, CY, "room.vote", ",'vote':'5'");
	wait_for_reveal(w);
	walk_call(w, BOB, "room.vote", ",'vote':'5'");
	walk_call(w, ADA, "round.settle", ",'estimate':'5'");
	assert_string_equal(rig_table(w->who[CY]), "#1 open: ada host =3, bob =5*, cy =5");
	assert_string_equal(rig_stories(w->who[CY]), "c: done 5, a: todo, -B: todo 13");
	walk_call(w, CY, "round.list", "");
	walk_call(w, CY, "story.list", "");
}

static void play_after(struct walk *w)
{
	walk_call(w, ADA, "room.reset", "");
	walk_call(w, ADA, "round.undo_reset", "");
	assert_string_equal(rig_table(w->who[CY]), "#1 open: ada host =3, bob =5*, cy =5");
	walk_call(w, ADA, "story.next", "");
	act_on(w, CY, "story.restore", "B", "");
	walk_call(w, ADA, "timer.start", ",'seconds':5,'reveal_at_zero':true");
	walk_call(w, BOB, "room.vote", ",'vote':'1'");
	rig_advance(&w->t->r, 5000);
	walk_recover(w);
	rig_advance(&w->t->r, 5000);
	walk_recover(w);
	assert_string_equal(rig_table(w->who[CY]), "#2 open: ada host, bob =1, cy");
	walk_call(w, ADA, "round.again", "");
	walk_call(w, ADA, "reveal.arm", "");
	act_on_user(w, "room.set_host", w->who[BOB]);
	act_on_user(w, "room.unset_host", w->who[BOB]);
	assert_string_equal(rig_table(w->who[CY]), "#3 hidden: ada host, bob, cy");
}

static void assert_durable(struct walk *w)
{
	char *before = strdup(rig_stories(w->who[ADA]));
	rig_assert_all_same(&w->t->r);
	assert_int_equal(rig_stored(&w->t->r, "STORY#"), 3);
	assert_int_equal(rig_stored(&w->t->r, "ROUND#"), 2);
	rig_crash(&w->t->r);
	struct rig_peer *ada = rig_return(w->who[ADA], false);
	assert_string_equal(rig_stories(ada), before);
	assert_string_equal(rig_table(ada), "#3 hidden: ada host, bob away, cy away");
	const char *rounds = play_rounds(ada);
	assert_non_null(strstr(rounds, "'outcome':'5'"));
	assert_int_equal(times_in(rounds, "'n':"), 2);
	assert_int_equal(times_in(rounds, "'comment':"), 2);
	free(before);
}

TABLE_HEAP_TEST(test_a_session_survives_each_failed_allocation, t, nth)
{
	struct walk w = walk_begin(t, nth);
	play_stories_first(&w);
	play_round(&w);
	play_after(&w);
	assert_string_equal(rig_stories(w.who[CY]), "c: done 5, a: voting, B: todo 13");
	bool is_done = !heap_has_failed();
	heap_fail_never();
	assert_durable(&w);
	/* Units of work and send queues are used again, and allocate little. */
	assert_true(!is_done || nth > 200);
}
