/*
 * test_play_oom.c - a session of play in which the nth allocation of the server
 * fails, for every n.
 *
 * Whoever asks may be told UNAVAILABLE or lose the connection, and asks again;
 * what was acknowledged has happened once, for everybody and on the disk.
 */
#include "tests/unit/server/table.h"

#include <stdio.h>

#include "tests/support/heap.h"
#include "tests/unit/server/play.h"

#define WHO 3
enum { ADA, BOB, CY };

struct walk {
	struct table *t;
	struct rig_peer *who[WHO];
	unsigned step;
	bool is_over; /* the failure has happened */
};

/* There is memory again: what was put off for a second happens, and who was cut comes back. */
static void recover(struct walk *w)
{
	if (!w->is_over && heap_has_failed()) {
		w->is_over = true;
		heap_fail_never();
		rig_advance(&w->t->r, 1001);
	}
	for (size_t i = 0; i < WHO; i++) {
		if (!w->who[i]->is_open) {
			w->who[i] = rig_return(w->who[i], false);
		}
	}
}

/* One request, made until it is acknowledged. */
static void act(struct walk *w, int who, const char *method, const char *params)
{
	const char *outcome = "";
	char once[64] = "";
	if (strstr(method, ".list") == NULL) {
		(void)snprintf(once, sizeof(once), ",'idempotency_key':'the-step-number-%03u'",
			       ++w->step);
	}
	for (size_t tries = 0; strcmp(outcome, "ok") != 0; tries++) {
		assert_in_range(tries, 0, 3);
		struct rig_peer *p = w->who[who];
		uint32_t msgid =
			rig_send(p, method, "'room_id':'%s'%s%s", w->t->r.room_id, once, params);
		outcome = rig_outcome(p, msgid);
		if (strcmp(outcome, "ok") != 0 && strcmp(outcome, "UNAVAILABLE") != 0) {
			if (strcmp(outcome, "none") != 0 || p->is_open) {
				fail_msg("%s %s: %s", method, params, outcome);
			}
		}
		recover(w);
	}
}

static void act_on(struct walk *w, int who, const char *method, const char *title,
		   const char *params)
{
	char text[256];
	(void)snprintf(text, sizeof(text), ",'story_id':'%s'%s", rig_story(w->who[ADA], title),
		       params);
	act(w, who, method, text);
}

static void act_on_user(struct walk *w, const char *method, const struct rig_peer *user)
{
	char text[128];
	(void)snprintf(text, sizeof(text), ",'user_id':'%s'", user->user_id);
	act(w, ADA, method, text);
}

/* A countdown begins anew with a room that had to be loaded again. */
static void wait_for_reveal(struct walk *w)
{
	for (size_t tries = 0; strcmp(rig_of(w->who[ADA], "phase"), "'revealed'") != 0; tries++) {
		assert_in_range(tries, 0, 3);
		rig_advance(&w->t->r, 3000);
		recover(w);
	}
}

static void play_stories_first(struct walk *w)
{
	act(w, BOB, "story.add", ",'title':'a','link':'l','notes':'n'");
	act(w, BOB, "story.add", ",'title':'b'");
	act(w, CY, "story.add", ",'title':'c'");
	char text[128];
	(void)snprintf(text, sizeof(text), ",'before':'%s'", rig_story(w->who[ADA], "a"));
	act_on(w, CY, "story.move", "c", text);
	act_on(w, BOB, "story.update", "b", ",'title':'B','estimate':'13'");
	act_on(w, BOB, "story.remove", "B", "");
	act(w, ADA, "story.next", "");
	assert_string_equal(rig_stories(w->who[CY]), "c: voting, a: todo, -B: todo 13");
}

static void play_round(struct walk *w)
{
	act(w, ADA, "room.set_policy",
	    ",'policy':{'confidence':true,'vote_after_reveal':true,'passcode':'p'}");
	act(w, ADA, "room.nudge", "");
	act(w, BOB, "room.react", ",'word':'go'");
	act(w, ADA, "room.vote", ",'vote':'3','note':'easy','confidence':3");
	act(w, BOB, "room.vote", ",'vote':'8','note':'hard'");
	act(w, CY, "room.vote", ",'vote':'5'");
	wait_for_reveal(w);
	act(w, BOB, "room.vote", ",'vote':'5'");
	act(w, ADA, "round.settle", ",'estimate':'5'");
	assert_string_equal(rig_table(w->who[CY]), "#1 open: ada host =3, bob =5*, cy =5");
	assert_string_equal(rig_stories(w->who[CY]), "c: done 5, a: todo, -B: todo 13");
	act(w, CY, "round.list", "");
	act(w, CY, "story.list", "");
}

static void play_after(struct walk *w)
{
	act(w, ADA, "room.reset", "");
	act(w, ADA, "round.undo_reset", "");
	assert_string_equal(rig_table(w->who[CY]), "#1 open: ada host =3, bob =5*, cy =5");
	act(w, ADA, "story.next", "");
	act_on(w, CY, "story.restore", "B", "");
	act(w, ADA, "timer.start", ",'seconds':5,'reveal_at_zero':true");
	act(w, BOB, "room.vote", ",'vote':'1'");
	rig_advance(&w->t->r, 5000);
	recover(w);
	rig_advance(&w->t->r, 5000);
	recover(w);
	assert_string_equal(rig_table(w->who[CY]), "#2 open: ada host, bob =1, cy");
	act(w, ADA, "round.again", "");
	act(w, ADA, "reveal.arm", "");
	act_on_user(w, "room.set_host", w->who[BOB]);
	act_on_user(w, "room.unset_host", w->who[BOB]);
	assert_string_equal(rig_table(w->who[CY]), "#3 hidden: ada host, bob, cy");
}

static void play_all(struct walk *w)
{
	play_stories_first(w);
	play_round(w);
	play_after(w);
	assert_string_equal(rig_stories(w->who[CY]), "c: done 5, a: voting, B: todo 13");
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
	assert_int_equal(play_count(rounds, "'n':"), 2);
	assert_int_equal(play_count(rounds, "'note':"), 2);
	free(before);
}

/* True where the session ended before the nth allocation. */
static bool walk(size_t nth)
{
	void *state = NULL;
	struct walk w = {0};
	(void)table_lay(&state);
	w.t = state;
	w.who[ADA] = w.t->ada;
	w.who[BOB] = w.t->bob;
	w.who[CY] = rig_sit(&w.t->r, "cy");
	heap_fail_nth(nth, false);
	play_all(&w);
	bool is_done = !heap_has_failed();
	heap_fail_never();
	assert_durable(&w);
	(void)table_clear(&state);
	return is_done;
}

TEST(test_a_session_survives_each_failed_allocation)
{
	size_t nth = 0;
	while (!walk(nth)) {
		nth++;
		assert_in_range(nth, 0, 100000);
	}
	print_message("%zu allocations\n", nth);
	assert_true(nth >
		    200); /* units of work and send queues are used again, and allocate little */
}
