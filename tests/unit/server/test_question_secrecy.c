/*
 * test_question_secrecy.c - what others may learn of answers: nothing while they may not see them.
 *
 * Two servers are the same but for the answers that bob gives; whoever may not see
 * these is sent the same bytes by both.
 */
#include "tests/unit/server/panel.h"

struct twin {
	struct panel *panel;
	struct rig_peer *dan; /* asks for everything he may, and answers nothing */
};

static void twin_open(struct twin *w, const char *answer_params)
{
	void *state;
	panel_open(&state);
	w->panel = state;
	w->dan = scene_person(&w->panel->r, "dan");
	struct panel *d = w->panel;
	ask(d, CHOICE ",'min_responses':3");
	rig_must(w->dan, "question.watch", "'question_id':'%s'", d->id);
	assert_string_equal(answer(d, d->bob, answer_params), "ok");
	rig_must(w->dan, "question.get", "'question_id':'%s'", d->id);
	rig_must(w->dan, "question.list", RIG_NONE);
	rig_must(w->dan, "answer.mine", RIG_NONE);
	rig_must(w->dan, "question.skip", "'question_id':'%s'", d->id);
	rig_must(w->dan, "leaderboard.get", "'period':'daily'");
	/* What his own answer earns does not depend on theirs. */
	ask(d, CHOICE ",'min_responses':3");
	assert_string_equal(answer(d, d->bob, answer_params), "ok");
	rig_must(w->dan, "question.answer", "'question_id':'%s','selected_option':0", d->id);
	rig_must(w->dan, "stats.get", RIG_NONE);
}

static void twin_close(struct twin *w)
{
	void *state = w->panel;
	scene_finish(&state);
}

TEST(test_different_answers_look_the_same_to_those_who_may_not_see_them)
{
	struct twin a, b;
	twin_open(&a, "'selected_option':0,'confidence':1,'comment':'ab'");
	twin_open(&b, "'selected_option':1,'confidence':5,'comment':'a longer one'");
	assert_int_equal(a.dan->in.len, b.dan->in.len);
	assert_memory_equal(a.dan->in.data, b.dan->in.data, a.dan->in.len);
	assert_true(a.dan->in.len > 1000);
	twin_close(&a);
	twin_close(&b);
}

PANEL_TEST(test_answers_are_seen_by_the_asker_those_who_answered_and_at_the_end_by_all, d)
{
	ask(d, CHOICE ",'min_responses':2");
	assert_true(says(get(d, d->ada), "'responses':[]"));
	assert_false(says(get(d, d->cy), "responses':["));
	assert_string_equal(answer(d, d->bob, "'selected_option':1"), "ok");
	assert_true(says(get(d, d->ada), "'responses':[{'selected_option':1}]"));
	assert_true(says(get(d, d->bob), "'responses':[{'selected_option':1}]"));
	assert_false(says(get(d, d->cy), "responses':["));
	assert_false(says(get(d, d->cy), "summary"));
	rig_must(d->ada, "question.cancel", "'question_id':'%s'", d->id);
	assert_true(says(get(d, d->cy), "'responses':[{'selected_option':1}]"));
	assert_true(says(get(d, d->cy), "'votes':0},{'option':'no','votes':1}"));
}

/* No person has the same place among the answers to every question. */
/* promise: no-author */
PANEL_TEST(test_the_place_of_an_answer_does_not_tell_whose_it_is, d)
{
	size_t first = 0;
	for (int i = 0; i < 24; i++) {
		ask(d, TEXT);
		rig_advance(&d->r, MINUTE_MS);
		assert_string_equal(answer(d, d->bob, "'answer':'of bob'"), "ok");
		assert_string_equal(answer(d, d->cy, "'answer':'of cy'"), "ok");
		const char *view = get(d, d->ada);
		first += strstr(view, "of bob") < strstr(view, "of cy");
	}
	assert_in_range(first, 3, 21);
}

/* promise: no-author */
PANEL_TEST(test_the_table_has_no_user_id_beside_an_answer, d)
{
	char user_id[32];
	rig_field(rig_must(d->bob, "session.whoami", RIG_NONE), "user_id", user_id,
		  sizeof(user_id));
	ask(d, TEXT);
	assert_string_equal(answer(d, d->bob, "'answer':'x'"), "ok");
	assert_int_equal(panel_stored(d, "RESPONSE:"), 1);
	char sk[64];
	(void)snprintf(sk, sizeof(sk), "RESPONSE:%s", user_id);
	assert_int_equal(panel_stored(d, sk), 0);
}

/* ---- watching ---- */

PANEL_TEST(test_a_watcher_is_sent_each_change_until_the_end, d)
{
	ask(d, CHOICE ",'min_responses':2");
	const char *now = rig_must(d->cy, "question.watch", "'question_id':'%s'", d->id);
	assert_true(says(now, "{'version':1,'question':{'question_id':'QUESTION','status':'OPEN'"));
	assert_true(says(now, "'can_answer':true"));
	rig_forget(d->cy);
	assert_string_equal(answer(d, d->bob, "'selected_option':0"), "ok");
	const char *update = rig_next(d->cy);
	assert_true(says(update, "question.update {'since':1,'version':2,'question_id':'QUESTION',"
				 "'question':{'question_id':'QUESTION','status':'PARTIAL'"));
	assert_false(says(update, "is_mine"));
	assert_false(says(update, "selected_option"));
	struct rig_peer *dan = scene_person(&d->r, "dan");
	assert_string_equal(answer(d, dan, "'selected_option':0"), "ok");
	assert_true(says(rig_next(d->cy), "'status':'CLOSED'"));
	assert_string_equal(rig_next(d->cy), "");
	/* Ended ones have no subscribers: so many may have been watched one after another. */
	for (int i = 0; i < 2 * MAX_CONNECTION_TOPICS; i++) {
		assert_true(says(rig_must(d->cy, "question.watch", "'question_id':'%s'", d->id),
				 "CLOSED"));
	}
}

PANEL_TEST(test_expiry_and_cancel_are_sent_too, d)
{
	ask(d, TEXT ",'timeout_seconds':60");
	rig_must(d->bob, "question.watch", "'question_id':'%s'", d->id);
	rig_advance(&d->r, MINUTE_MS + 10 * SECOND_MS);
	assert_true(says(rig_next(d->bob), "'status':'EXPIRED'"));
	ask(d, TEXT);
	rig_must(d->bob, "question.watch", "'question_id':'%s'", d->id);
	rig_must(d->ada, "question.cancel", "'question_id':'%s'", d->id);
	assert_true(says(rig_next(d->bob), "'status':'CANCELLED'"));
}

PANEL_TEST(test_a_watch_ends_when_asked_and_with_the_session, d)
{
	ask(d, TEXT);
	rig_must(d->bob, "question.watch", "'question_id':'%s'", d->id);
	rig_must(d->bob, "question.unwatch", "'question_id':'%s'", d->id);
	rig_must(d->cy, "question.watch", "'question_id':'%s'", d->id);
	rig_must(d->cy, "session.logout", RIG_NONE);
	struct rig_peer *dan = scene_person(&d->r, "dan");
	assert_string_equal(answer(d, dan, "'answer':'x'"), "ok");
	assert_string_equal(rig_next(d->bob), "");
	assert_string_equal(rig_next(d->cy), "");
}
