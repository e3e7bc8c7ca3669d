/*
 * test_question_failures.c - a store or a memory that fails leaves a question as it was.
 */
#include "tests/unit/server/panel.h"

PANEL_TEST(test_an_answer_that_was_not_stored_does_not_count, d)
{
	ask(d, TEXT ",'min_responses':1");
	rig_fail_commits(&d->r, 1, ERR_IO);
	assert_string_equal(answer(d, d->bob, "'answer':'x'"), "UNAVAILABLE");
	assert_true(says(get(d, d->ada), "'current_responses':0"));
	assert_string_equal(answer(d, d->bob, "'answer':'x'"), "ok");
	status_is(d, "CLOSED");
}

PANEL_TEST(test_an_answer_whose_outcome_is_unknown_counts_if_it_was_made, d)
{
	ask(d, TEXT);
	rig_fail_commits(&d->r, 1, ERR_UNKNOWN);
	(void)rig_send(d->bob, "question.answer", "'question_id':'%s','answer':'x'", d->id);
	assert_false(d->bob->is_open);
	assert_true(says(get(d, d->ada), "'current_responses':0"));
	store_mem_lose_answers(d->r.store, 1);
	(void)rig_send(d->cy, "question.answer", "'question_id':'%s','answer':'x'", d->id);
	assert_false(d->cy->is_open);
	assert_true(says(get(d, d->ada), "'current_responses':1"));
}

/* An answer and a cancel that come together: one is first, and the other is told so. */
PANEL_TEST(test_a_cancel_and_the_last_answer_never_both_end_it, d)
{
	for (int cancel_first = 0; cancel_first < 2; cancel_first++) {
		uint32_t cancel = 0;
		ask(d, TEXT ",'min_responses':1");
		rig_hold(&d->r);
		if (cancel_first == 1) {
			cancel = rig_send(d->ada, "question.cancel", "'question_id':'%s'", d->id);
		}
		uint32_t last = rig_send(d->bob, "question.answer",
					 "'question_id':'%s','answer':'x'", d->id);
		if (cancel_first == 0) {
			cancel = rig_send(d->ada, "question.cancel", "'question_id':'%s'", d->id);
		}
		rig_release(&d->r);
		bool was_answered = strcmp(rig_outcome(d->bob, last), "ok") == 0;
		assert_string_equal(rig_outcome(d->ada, cancel),
				    was_answered ? "QUESTION_CLOSED" : "ok");
		assert_int_equal(was_answered, cancel_first == 0);
		status_is(d, was_answered ? "CLOSED" : "CANCELLED");
	}
	assert_int_equal(rig_stored_in(&d->r, "ASKER:none", ""), 0);
}

/* Whatever fails for want of memory can be done when there is some; what was done counts once. */
PANEL_HEAP_TEST(test_any_allocation_may_fail, d, nth)
{
	static const struct {
		const char *name;
		const char *params; /* NULL: the question's id */
	} methods[] = {
		{"question.get", NULL},
		{"question.watch", NULL},
		{"question.list", ""},
		{"question.skip", NULL},
		{"question.answer", NULL},
		{"answer.mine", ""},
		{"question.unwatch", NULL},
		{"stats.get", ""},
		{"leaderboard.get", "'period':'daily'"},
	};
	ask(d, CHOICE ",'min_responses':2");
	assert_string_equal(answer(d, d->cy, "'selected_option':1"), "ok");
	rig_settle(&d->r);
	heap_fail_nth(nth, false);
	for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]) && d->bob->is_open; i++) {
		if (methods[i].params != NULL) {
			rig_send(d->bob, methods[i].name, "%s", methods[i].params);
			continue;
		}
		bool is_answer = strcmp(methods[i].name, "question.answer") == 0;
		rig_send(d->bob, methods[i].name, "'question_id':'%s'%s", d->id,
			 is_answer ? ",'selected_option':0" : "");
	}
	if (d->ada->is_open) {
		rig_send(d->ada, "question.ask", TEXT);
		rig_send(d->ada, "question.mine", RIG_NONE);
	}
	heap_fail_never();
	rig_settle(&d->r);
	struct rig_peer *dan = scene_person(&d->r, "dan");
	const char *outcome = answer(d, dan, "'selected_option':0");
	const bool is_given = strcmp(outcome, "ok") == 0;
	assert_true(is_given || strcmp(outcome, "QUESTION_CLOSED") == 0);
	const char *view = get(d, dan);
	assert_true(says(view, "'status':'CLOSED'"));
	assert_true(says(view, "'current_responses':2"));
	assert_int_equal(panel_stored(d, "RESPONSE:"), 2);
	/* Stats count what is stored, and nothing twice. */
	assert_true(says(rig_must(dan, "stats.get", RIG_NONE), "'total_answers':1,") == is_given);
	assert_true(says(rig_must(d->cy, "stats.get", RIG_NONE), "'total_answers':1,"));
}
