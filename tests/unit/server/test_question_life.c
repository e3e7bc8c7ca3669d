/*
 * test_question_life.c - a question from ask to removal: answers, the last of them, cancel, expiry.
 */
#include "tests/unit/server/panel.h"

PANEL_TEST(test_what_is_asked_can_be_read, d)
{
	ask(d,
	    CHOICE ",'audience':['technical','general'],'min_responses':2,'timeout_seconds':120");
	assert_string_equal(
		get(d, d->bob),
		"{'question':{'question_id':'QUESTION','status':'OPEN','prompt':'Shall we ship "
		"it?',"
		"'type':'multiple_choice','options':['yes','no'],'audience':['technical','general']"
		","
		"'required_responses':2,'current_responses':0,'responses_needed':2,"
		"'created_at':1700000000000,'expires_at':1700000120000,'asked_by':'ada',"
		"'is_mine':false,'can_answer':true}}");
	assert_true(says(get(d, d->ada), "'is_mine':true,'can_answer':false,'why_not':'mine'"));
}

PANEL_TEST(test_what_a_question_does_not_say_has_defaults, d)
{
	rig_field(rig_must(d->ada, "question.ask", TEXT ",'anonymous':true"), "question_id", d->id,
		  sizeof(d->id));
	const char *view = get(d, d->bob);
	assert_true(says(view, "'audience':['general']"));
	assert_true(says(view, "'required_responses':2"));
	assert_true(says(view, "'expires_at':1700003600000"));
	assert_false(says(view, "asked_by"));
}

PANEL_TEST(test_the_answer_that_reaches_the_number_closes_the_question, d)
{
	ask(d, CHOICE ",'min_responses':2");
	assert_string_equal(answer(d, d->bob, "'selected_option':1,'confidence':4"), "ok");
	status_is(d, "PARTIAL");
	size_t commits = d->r.commits;
	assert_string_equal(answer(d, d->cy, "'selected_option':0"), "ok");
	assert_int_equal(d->r.commits, commits + 1);
	const char *view = get(d, d->ada);
	assert_true(says(view, "'status':'CLOSED'"));
	assert_true(says(view, "'current_responses':2,'responses_needed':0"));
	assert_true(says(view, "'summary':[{'option':'yes','votes':1},{'option':'no','votes':1}]"));
	assert_true(says(view, "'confidence':4"));
	assert_true(says(view, "'closed_at':1700000000000"));
	struct rig_peer *late = scene_person(&d->r, "dan");
	assert_string_equal(answer(d, late, "'selected_option':0"), "QUESTION_CLOSED");
}

#define KEY   ",'idempotency_key':'0123456789abcdef'"
#define MONTH ",'timeout_seconds':2592000"

/* promise: one-answer */
PANEL_TEST(test_a_second_answer_of_a_person_replaces_the_first, d)
{
	ask(d, CHOICE);
	assert_string_equal(answer(d, d->bob, "'selected_option':0,'confidence':5,'comment':'now'"),
			    "ok");
	const char *view = get(d, d->bob);
	assert_true(says(view, "'can_answer':true,'is_answered':true"));
	assert_true(says(view, "'own_response':{'selected_option':0,'confidence':5,"
			       "'comment':'now'}"));
	assert_string_equal(answer(d, d->bob, "'selected_option':1"), "ok");
	view = get(d, d->ada);
	assert_true(says(view, "'current_responses':1,'responses_needed':4"));
	assert_true(says(view, "'summary':[{'option':'yes','votes':0},{'option':'no','votes':1}]"));
	assert_true(says(view, "'responses':[{'selected_option':1}]"));
	assert_false(says(view, "own_response"));
	assert_int_equal(panel_stored(d, "RESPONSE:"), 1);
}

PANEL_TEST(test_a_change_is_published_and_closes_nothing, d)
{
	ask(d, TEXT ",'min_responses':2");
	assert_string_equal(answer(d, d->bob, "'answer':'Rosebud'"), "ok");
	rig_must(d->cy, "question.watch", "'question_id':'%s'", d->id);
	rig_forget(d->cy);
	assert_string_equal(answer(d, d->bob, "'answer':'Xanadu'"), "ok");
	assert_true(says(rig_next(d->cy), "'status':'PARTIAL'"));
	status_is(d, "PARTIAL");
}

/* An answer of each kind can be changed to what is of that kind alone. */
PANEL_TEST(test_a_change_is_checked_as_an_answer_is, d)
{
	ask(d, CHOICE);
	assert_string_equal(answer(d, d->bob, "'selected_option':0"), "ok");
	assert_string_equal(answer(d, d->bob, "'selected_option':2"),
			    "VALIDATION_ERROR selected_option");
	assert_string_equal(answer(d, d->bob, "'answer':'x'"), "VALIDATION_ERROR answer");
	assert_true(says(get(d, d->ada), "'responses':[{'selected_option':0}]"));
}

PANEL_TEST(test_an_answer_is_changed_until_its_question_ends, d)
{
	ask(d, TEXT ",'min_responses':2,'timeout_seconds':60");
	assert_string_equal(answer(d, d->bob, "'answer':'Rosebud'"), "ok");
	rig_hold(&d->r);
	rig_advance(&d->r, MINUTE_MS);
	uint32_t msgid =
		rig_send(d->bob, "question.answer", "'question_id':'%s','answer':'x'", d->id);
	rig_release(&d->r);
	assert_string_equal(rig_outcome(d->bob, msgid), "EXPIRED");
	ask(d, TEXT ",'min_responses':2");
	assert_string_equal(answer(d, d->bob, "'answer':'Rosebud'"), "ok");
	rig_must(d->ada, "question.cancel", "'question_id':'%s'", d->id);
	assert_string_equal(answer(d, d->bob, "'answer':'x'"), "QUESTION_CLOSED");
}

/* Both were sent before either was written; the first that is written decides. */
PANEL_TEST(test_a_change_and_the_answer_that_closes_are_done_in_an_order, d)
{
	for (int first = 0; first < 2; first++) {
		ask(d, TEXT ",'min_responses':2");
		assert_string_equal(answer(d, d->bob, "'answer':'Rosebud'"), "ok");
		uint32_t msgid[2];
		rig_hold(&d->r);
		for (int i = 0; i < 2; i++) {
			struct rig_peer *p = i == first ? d->bob : d->cy;
			msgid[i == first ? 0 : 1] =
				rig_send(p, "question.answer",
					 "'question_id':'%s','answer':'Xanadu'", d->id);
		}
		rig_release(&d->r);
		const char *change = first == 0 ? "ok" : "QUESTION_CLOSED";
		assert_string_equal(rig_outcome(d->bob, msgid[0]), change);
		assert_string_equal(rig_outcome(d->cy, msgid[1]), "ok");
		const char *view = get(d, d->ada);
		assert_true(says(view, "'status':'CLOSED'"));
		assert_true(says(view, "'current_responses':2"));
		assert_int_equal(says(view, "'answer':'Rosebud'"), first == 1);
		rig_advance(&d->r, MINUTE_MS);
	}
}

PANEL_TEST(test_a_repeat_does_not_bring_an_earlier_answer_back, d)
{
	ask(d, TEXT);
	assert_string_equal(answer(d, d->bob, "'answer':'Rosebud'" KEY), "ok");
	assert_string_equal(answer(d, d->bob, "'answer':'Xanadu'"), "ok");
	assert_false(says(rig_must(d->bob, "question.answer",
				   "'question_id':'%s','answer':'Rosebud'" KEY, d->id),
			  "is_changed"));
	assert_true(says(get(d, d->ada), "'responses':[{'answer':'Xanadu'}]"));
}

PANEL_TEST(test_whoever_has_answered_cannot_skip, d)
{
	ask(d, TEXT);
	assert_string_equal(answer(d, d->bob, "'answer':'Rosebud'"), "ok");
	assert_string_equal(rig_code(d->bob, "question.skip", "'question_id':'%s'", d->id),
			    "ALREADY_ANSWERED");
}

/* Or a program would answer at once, and the same again when it may. */
PANEL_TEST(test_a_mark_of_a_fast_answer_stays_when_it_is_changed, d)
{
	ask(d, CHOICE);
	get(d, d->bob);
	assert_string_equal(answer(d, d->bob, "'selected_option':0"), "ok");
	assert_true(says(get(d, d->ada), "'is_fast':true"));
	rig_advance(&d->r, 5 * SECOND_MS);
	assert_string_equal(answer(d, d->bob, "'selected_option':1"), "ok");
	assert_true(says(get(d, d->ada), "'is_fast':true"));
}

static size_t ends_heard(struct rig_peer *p)
{
	return rig_count(p, "question.ended");
}

PANEL_TEST(test_the_asker_alone_is_notified_of_the_end, d)
{
	ask(d, TEXT ",'min_responses':1");
	assert_string_equal(answer(d, d->bob, "'answer':'Rosebud'"), "ok");
	assert_string_equal(rig_next(d->ada),
			    "question.ended {'question_id':'QUESTION','prompt':'What would you "
			    "name it?','status':'CLOSED','required_responses':1,"
			    "'current_responses':1}");
	ask(d, TEXT ",'timeout_seconds':60");
	rig_advance(&d->r, 2 * MINUTE_MS);
	assert_true(says(rig_next(d->ada), "'status':'EXPIRED','required_responses':5,"
					   "'current_responses':0}"));
	ask(d, TEXT);
	rig_must(d->ada, "question.cancel", "'question_id':'%s'", d->id);
	assert_int_equal(ends_heard(d->ada), 0); /* whoever cancelled it knows */
	assert_int_equal(ends_heard(d->bob), 0);
	assert_int_equal(ends_heard(d->cy), 0);
}

PANEL_TEST(test_nobody_answers_their_own_question, d)
{
	ask(d, TEXT);
	assert_string_equal(answer(d, d->ada, "'answer':'Rosebud'"), "FORBIDDEN");
	assert_string_equal(rig_code(d->ada, "question.skip", "'question_id':'%s'", d->id),
			    "FORBIDDEN");
}

PANEL_TEST(test_an_answer_is_of_the_kind_that_was_asked_for, d)
{
	ask(d, CHOICE);
	assert_string_equal(answer(d, d->bob, "'answer':'yes'"), "VALIDATION_ERROR answer");
	assert_string_equal(answer(d, d->bob, "'confidence':3"),
			    "VALIDATION_ERROR selected_option");
	assert_string_equal(answer(d, d->bob, "'selected_option':2"),
			    "VALIDATION_ERROR selected_option");
	ask(d, TEXT);
	assert_string_equal(answer(d, d->bob, "'selected_option':0"),
			    "VALIDATION_ERROR selected_option");
	assert_string_equal(answer(d, d->bob, "'comment':'well'"), "VALIDATION_ERROR answer");
	assert_true(says(get(d, d->bob), "'current_responses':0"));
}

PANEL_TEST(test_its_asker_alone_cancels_a_question_and_once, d)
{
	ask(d, TEXT);
	assert_string_equal(rig_code(d->bob, "question.cancel", "'question_id':'%s'", d->id),
			    "FORBIDDEN");
	assert_string_equal(rig_must(d->ada, "question.cancel", "'question_id':'%s'", d->id),
			    "{'status':'CANCELLED'}");
	assert_string_equal(rig_code(d->ada, "question.cancel", "'question_id':'%s'", d->id),
			    "QUESTION_CLOSED");
	assert_string_equal(answer(d, d->bob, "'answer':'Rosebud'"), "QUESTION_CLOSED");
}

/* The sweeper comes every five seconds; an answer that is late is told so before it has been. */
PANEL_TEST(test_a_late_answer_is_refused_whether_or_not_the_sweeper_has_been, d)
{
	ask(d, TEXT ",'timeout_seconds':60");
	rig_hold(&d->r);
	rig_advance(&d->r, MINUTE_MS);
	uint32_t msgid =
		rig_send(d->bob, "question.answer", "'question_id':'%s','answer':'x'", d->id);
	rig_release(&d->r);
	assert_string_equal(rig_outcome(d->bob, msgid), "EXPIRED");
	rig_advance(&d->r, 10 * SECOND_MS);
	assert_string_equal(answer(d, d->bob, "'answer':'x'"), "EXPIRED");
	const char *view = get(d, d->bob);
	assert_true(says(view, "'status':'EXPIRED'"));
	assert_true(says(view, "'closed_at':1700000060000"));
	assert_true(says(view, "'required_responses':5,'current_responses':0"));
	assert_string_equal(rig_code(d->ada, "question.cancel", "'question_id':'%s'", d->id),
			    "EXPIRED");
}

/* Sessions end meanwhile: each day needs its own. */
static const char *read_after(struct panel *d, int64_t ms)
{
	rig_advance(&d->r, ms);
	rig_must(d->cy, "session.login", "'user_name':'cy'");
	return rig_code(d->cy, "question.get", "'question_id':'%s'", d->id);
}

PANEL_TEST(test_a_question_that_expired_is_gone_a_day_later, d)
{
	ask(d, TEXT);
	assert_string_equal(read_after(d, DAY_MS), "ok");
	assert_string_equal(read_after(d, HOUR_MS + MINUTE_MS), "QUESTION_NOT_FOUND");
}

PANEL_TEST(test_a_question_that_was_answered_is_gone_a_week_later, d)
{
	ask(d, TEXT ",'min_responses':1");
	assert_string_equal(answer(d, d->bob, "'answer':'Rosebud'"), "ok");
	assert_string_equal(read_after(d, 7 * DAY_MS - HOUR_MS), "ok");
	assert_string_equal(read_after(d, HOUR_MS + MINUTE_MS), "QUESTION_NOT_FOUND");
}

PANEL_TEST(test_answers_are_kept_for_a_month_and_not_longer, d)
{
	ask(d, TEXT ",'min_responses':1");
	assert_string_equal(answer(d, d->bob, "'answer':'Rosebud'"), "ok");
	rig_advance(&d->r, 29 * DAY_MS);
	assert_int_equal(panel_stored(d, "QUESTION"), 0);
	assert_int_equal(panel_stored(d, "RESPONSE:"), 1);
	rig_advance(&d->r, 2 * DAY_MS);
	assert_int_equal(panel_stored(d, ""), 0);
}

/* Too few answers: its time ends it, and what was given first must be there to be read. */
PANEL_TEST(test_what_belongs_to_a_question_of_thirty_days_is_kept_as_long_as_it, d)
{
	ask(d, TEXT MONTH);
	assert_string_equal(answer(d, d->bob, "'answer':'Rosebud'"), "ok");
	assert_string_equal(rig_code(d->cy, "question.skip", "'question_id':'%s'", d->id), "ok");
	rig_advance(&d->r, 30 * DAY_MS - MINUTE_MS);
	d->cy = scene_person(&d->r, "dan");
	status_is_to(d, d->cy, "PARTIAL");
	assert_string_equal(answer(d, d->cy, "'answer':'Xanadu'"), "ok");
	rig_advance(&d->r, MINUTE_MS + HOUR_MS);
	d->cy = scene_person(&d->r, "eve");
	status_is_to(d, d->cy, "EXPIRED");
	assert_true(says(get(d, d->cy), "'answer':'Rosebud'"));
	assert_int_equal(panel_stored(d, "SKIP:"), 1);
	rig_advance(&d->r, DAY_MS);
	assert_int_equal(panel_stored(d, "QUESTION"), 0);
	rig_advance(&d->r, 30 * DAY_MS);
	assert_int_equal(panel_stored(d, ""), 0);
}

static void pass_half_hours(struct panel *d, int n)
{
	for (int i = 0; i < n; i++) {
		rig_advance(&d->r, 30 * MINUTE_MS);
		rig_must(d->ada, "session.whoami", RIG_NONE);
		rig_must(d->bob, "session.whoami", RIG_NONE);
	}
}

/* A client that was asleep sends again what it has no answer to. */
PANEL_TEST(test_a_repeat_asks_and_answers_once_as_long_as_the_question_is_open, d)
{
	ask(d, TEXT MONTH KEY);
	assert_string_equal(answer(d, d->bob, "'answer':'Rosebud'" KEY), "ok");
	pass_half_hours(d, 60);
	assert_true(says(rig_must(d->ada, "question.ask", "%s", TEXT MONTH KEY),
			 "'question_id':'QUESTION'"));
	assert_string_equal(answer(d, d->bob, "'answer':'Rosebud'" KEY), "ok");
	assert_true(says(get(d, d->ada), "'current_responses':1"));
}

/* A result of each request of a month would take space that nobody else's writes may take. */
PANEL_TEST(test_a_repeat_is_known_for_a_week_at_most, d)
{
	ask(d, TEXT MONTH KEY);
	assert_string_equal(answer(d, d->bob, "'answer':'Rosebud'" KEY), "ok");
	pass_half_hours(d, 7 * 48 - 1);
	assert_true(says(rig_must(d->ada, "question.ask", "%s", TEXT MONTH KEY),
			 "'question_id':'QUESTION'"));
	assert_false(says(rig_must(d->bob, "question.answer",
				   "'question_id':'%s','answer':'Rosebud'" KEY, d->id),
			  "is_changed"));
	pass_half_hours(d, 2);
	assert_false(says(rig_must(d->ada, "question.ask", "%s", TEXT MONTH KEY),
			  "'question_id':'QUESTION'"));
	assert_true(says(rig_must(d->bob, "question.answer",
				  "'question_id':'%s','answer':'Rosebud'" KEY, d->id),
			 "is_changed"));
}

PANEL_TEST(test_a_question_outlives_a_crash, d)
{
	ask(d, TEXT);
	assert_string_equal(answer(d, d->bob, "'answer':'Rosebud'"), "ok");
	rig_crash(&d->r);
	d->cy = scene_person(&d->r, "dan");
	assert_true(says(get(d, d->cy), "'status':'PARTIAL'"));
}

PANEL_TEST(test_a_repeat_with_the_same_key_asks_and_answers_once, d)
{
	ask(d, TEXT KEY);
	assert_true(
		says(rig_must(d->ada, "question.ask", "%s", TEXT KEY), "'question_id':'QUESTION'"));
	assert_string_equal(answer(d, d->bob, "'answer':'Rosebud'" KEY), "ok");
	assert_string_equal(answer(d, d->bob, "'answer':'Rosebud'" KEY), "ok");
	assert_true(says(get(d, d->ada), "'current_responses':1"));
}

/* Those that wait in line for the question are served in their order, and none runs twice. */
TEST_IN(test_of_fifty_who_answer_at_once_five_count, struct panel, d, panel_open, scene_finish)
{
	struct rig_peer *people[50];
	uint32_t msgids[50];
	size_t counted = 0;
	size_t late = 0;
	ask(d, CHOICE);
	for (int i = 0; i < 50; i++) {
		char name[16];
		(void)snprintf(name, sizeof(name), "p%d", i);
		people[i] = scene_person(&d->r, name);
	}
	rig_hold(&d->r);
	for (int i = 0; i < 50; i++) {
		msgids[i] = rig_send(people[i], "question.answer",
				     "'question_id':'%s','selected_option':%d", d->id, i % 2);
	}
	rig_release(&d->r);
	for (int i = 0; i < 50; i++) {
		const char *outcome = rig_outcome(people[i], msgids[i]);
		counted += strcmp(outcome, "ok") == 0;
		late += strcmp(outcome, "QUESTION_CLOSED") == 0;
	}
	assert_int_equal(counted, 5);
	assert_int_equal(late, 45);
	const char *view = get(d, d->ada);
	assert_true(says(view, "'current_responses':5,'responses_needed':0"));
	assert_true(says(view, "'votes':3},{'option':'no','votes':2}"));
}

/* Each row: how long after the first look an answer comes, and whether that was too soon. */
PANEL_TEST(test_an_answer_that_came_too_soon_is_marked_to_the_asker, d)
{
	static const struct {
		const char *question, *answer;
		int64_t after_ms;
		bool is_fast;
	} rows[] = {
		{CHOICE, "'selected_option':0", 1999, true},
		{CHOICE, "'selected_option':0", 2000, false},
		{TEXT, "'answer':'x'", 4999, true},
		{TEXT, "'answer':'x'", 5000, false},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		ask(d, rows[i].question);
		get(d, d->bob);
		rig_advance(&d->r, rows[i].after_ms - 500);
		get(d, d->bob);
		rig_advance(&d->r, 500);
		assert_string_equal(answer(d, d->bob, rows[i].answer), "ok");
		assert_int_equal(says(get(d, d->ada), "'is_fast':true"), rows[i].is_fast);
		assert_false(says(get(d, d->bob), "is_fast"));
		rig_advance(&d->r, MINUTE_MS);
	}
	ask(d, TEXT); /* nobody knows when it was first read */
	assert_string_equal(answer(d, d->bob, "'answer':'x'"), "ok");
	assert_false(says(get(d, d->ada), "is_fast"));
}

static void end_by(struct panel *d, int way)
{
	if (way == 0) {
		rig_must(d->ada, "question.cancel", "'question_id':'%s'", d->id);
	} else if (way == 1) {
		assert_string_equal(answer(d, d->cy, "'answer':'Rosebud'"), "ok");
	} else {
		rig_advance(&d->r, 61 * SECOND_MS);
	}
}

static int panel_quick(void **state)
{
	struct panel *d = scene_init(state, sizeof(*d));
	d->r.config.limits[LIMIT_QUESTIONS_PER_HOUR] = 1000;
	d->r.config.limits[LIMIT_ANSWERS_PER_HOUR] = 1000;
	d->r.config.limits[LIMIT_ANSWERS_PER_MINUTE] = 1000;
	return panel_begin(d);
}

#define QUICK_TEST(name, d) TEST_IN(name, struct panel, d, panel_quick, scene_finish)

/* However they ended, they are none of the topics that a connection may have. */
QUICK_TEST(test_no_watch_is_left_of_questions_that_have_ended, d)
{
	for (int way = 0; way < 3; way++) {
		for (int i = 0; i <= MAX_CONNECTION_TOPICS; i++) {
			rig_must(d->ada, "session.whoami", RIG_NONE); /* there all the time */
			rig_must(d->cy, "session.whoami", RIG_NONE);
			ask_unnamed(d, TEXT ",'min_responses':1,'timeout_seconds':60");
			assert_string_equal(rig_code(d->bob, "question.watch", "'question_id':'%s'",
						     d->id),
					    "ok");
			end_by(d, way);
		}
	}
}

QUICK_TEST(test_a_watch_of_a_question_that_has_ended_leaves_nothing, d)
{
	for (int way = 0; way < 3; way++) {
		ask_unnamed(d, TEXT ",'min_responses':1,'timeout_seconds':60");
		if (way == 2) {
			d->r.wall_ms += 61 * SECOND_MS; /* and nobody has been to sweep it */
		} else {
			end_by(d, way);
		}
		char ended[sizeof(d->id)];
		strcpy(ended, d->id);
		assert_string_equal(rig_code(d->bob, "question.watch", "'question_id':'%s'", ended),
				    "ok");
		for (int i = 0; i < MAX_CONNECTION_TOPICS; i++) {
			ask_unnamed(d, TEXT ",'timeout_seconds':3600");
			assert_string_equal(rig_code(d->bob, "question.watch", "'question_id':'%s'",
						     d->id),
					    "ok");
		}
		ask_unnamed(d, TEXT);
		assert_string_equal(rig_code(d->bob, "question.watch", "'question_id':'%s'", d->id),
				    "TOO_LARGE");
		rig_cut(d->ada);
		rig_cut(d->bob);
		char name[2][16];
		(void)snprintf(name[0], sizeof(name[0]), "a%d", way);
		(void)snprintf(name[1], sizeof(name[1]), "b%d", way);
		d->ada = scene_person(&d->r, name[0]);
		d->bob = scene_person(&d->r, name[1]);
	}
}

PANEL_TEST(test_an_asker_has_a_hundred_open_questions_at_most, d)
{
	d->r.config.limits[LIMIT_QUESTIONS_PER_HOUR] = 1000;
	rig_crash(&d->r);
	d->ada = scene_person(&d->r, "ann");
	d->bob = scene_person(&d->r, "ben");
	for (int i = 0; i < MAX_QUESTIONS_OPEN; i++) {
		ask(d, TEXT ",'min_responses':1");
	}
	assert_string_equal(rig_code(d->ada, "question.ask", TEXT), "QUOTA_EXCEEDED");
	assert_string_equal(answer(d, d->bob, "'answer':'x'"), "ok");
	ask(d, TEXT);
	assert_string_equal(rig_code(d->ada, "question.ask", TEXT), "QUOTA_EXCEEDED");
	rig_must(d->ada, "question.cancel", "'question_id':'%s'", d->id);
	ask(d, TEXT ",'timeout_seconds':60");
	rig_advance(&d->r, 2 * MINUTE_MS);
	ask(d, TEXT);
	assert_string_equal(rig_code(d->ada, "question.ask", TEXT), "QUOTA_EXCEEDED");
}
