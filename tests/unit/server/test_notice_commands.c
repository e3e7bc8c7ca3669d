/*
 * test_notice_commands.c - notices by the server's command: what it is given, and what becomes of its failures.
 */
#include "tests/unit/server/panel.h"

static int panel_with_command(void **state)
{
	struct panel *d = scene_init(state, sizeof(*d));
	d->r.config.has_command = true;
	d->r.config.limits[LIMIT_SUBSCRIPTIONS_PER_HOUR] = 1000;
	d->r.config.limits[LIMIT_SESSION_LIFE_MS] = DAY_MS; /* guests stay */
	return panel_begin(d);
}

#define COMMAND_TEST(name, d) TEST_IN(name, struct panel, d, panel_with_command, scene_finish)
#define COMMAND_HEAP_TEST(name, d, nth) \
	HEAP_TEST_IN(name, struct panel, d, nth, panel_with_command, scene_finish)

static void subscribe(struct rig_peer *p)
{
	rig_must(p, "subscription.create",
		 "'channel':'command','address':'bob@example.org','min_interval_minutes':5");
}

static const char *listed(struct rig_peer *p)
{
	return rig_must(p, "subscription.list", RIG_NONE);
}

/* Another question, when the interval has passed. */
static void ask_again(struct panel *d)
{
	rig_advance(&d->r, 5 * MINUTE_MS);
	ask(d, TEXT ",'timeout_seconds':60");
}

COMMAND_TEST(test_the_command_is_given_a_line_of_json, d)
{
	subscribe(d->bob);
	ask(d, "'prompt':'Ship \\\"it\\\"?\\nToday?','type':'text'");
	assert_int_equal(d->r.commands_n, 1);
	assert_string_equal(rig_command(d->bob, 0),
			    "{'address':'bob@example.org','question_id':'QUESTION','type':'text',"
			    "'prompt':'Ship \\'it\\'?\\nToday?'}\n");
	assert_int_equal(rig_count(d->bob, "question.notice"), 0);
}

COMMAND_TEST(test_three_failures_in_a_row_end_a_subscription, d)
{
	subscribe(d->bob);
	for (size_t i = 0; i < 3; i++) {
		assert_true(says(listed(d->bob), "'active':true"));
		ask_again(d);
		rig_command_ended(&d->r, i, ERR_IO);
	}
	assert_true(says(listed(d->bob), "'active':false,'failures':3"));
	ask_again(d);
	assert_int_equal(d->r.commands_n, 3);
	char id[32];
	rig_field(listed(d->bob), "subscription_id", id, sizeof(id));
	rig_must(d->bob, "subscription.update", "'subscription_id':'%s','active':true", id);
	assert_true(says(listed(d->bob), "'active':true,'failures':0"));
	ask_again(d);
	assert_int_equal(d->r.commands_n, 4);
}

COMMAND_TEST(test_a_success_forgets_failures, d)
{
	static const enum err ends[] = {ERR_IO, ERR_IO, OK, ERR_IO, ERR_IO};
	subscribe(d->bob);
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		ask_again(d);
		rig_command_ended(&d->r, i, ends[i]);
		assert_true(says(listed(d->bob), i == 2 ? "'failures':0" : "'failures':"));
	}
	assert_true(says(listed(d->bob), "'active':true,'failures':2"));
}

COMMAND_TEST(test_a_command_that_cannot_be_run_is_no_failure_of_the_address, d)
{
	subscribe(d->bob);
	for (size_t i = 0; i < 4; i++) {
		ask_again(d);
		rig_command_ended(&d->r, i, i % 2 == 0 ? ERR_NOT_FOUND : ERR_BUSY);
	}
	assert_true(says(listed(d->bob), "'active':true,'failures':0"));
}

/* Nobody waits for it: questions are asked and answered, and the subscription can go. */
COMMAND_TEST(test_one_that_never_ends_is_waited_for_by_nobody, d)
{
	char id[32];
	subscribe(d->bob);
	ask(d, TEXT ",'min_responses':1");
	assert_string_equal(answer(d, d->bob, "'answer':'Rosebud'"), "ok");
	rig_field(listed(d->bob), "subscription_id", id, sizeof(id));
	assert_string_equal(rig_code(d->bob, "subscription.delete", "'subscription_id':'%s'", id),
			    "ok");
	rig_command_ended(&d->r, 0, ERR_IO);
	assert_string_equal(listed(d->bob), "{'subscriptions':[]}");
}

COMMAND_TEST(test_as_many_commands_as_may_wait_are_asked_for, d)
{
	enum { PEOPLE = 75, QUESTIONS = 4 };
	for (size_t i = 0; i < PEOPLE; i++) {
		char name[32];
		(void)snprintf(name, sizeof(name), "p%zu", i);
		struct rig_peer *p = scene_person(&d->r, name);
		for (int k = 0; k < QUESTIONS; k++) {
			subscribe(p);
		}
		rig_cut(p);
	}
	for (int k = 0; k < QUESTIONS; k++) {
		ask(d, TEXT ",'min_responses':25");
	}
	assert_int_equal(d->r.commands_n, MAX_COMMANDS);
	assert_int_equal(server_counters(d->r.server)->commands_dropped,
			 PEOPLE * QUESTIONS - MAX_COMMANDS);
	rig_command_ended(&d->r, 0, OK);
	subscribe(d->cy);
	ask(d, TEXT);
	assert_int_equal(d->r.commands_n, MAX_COMMANDS + 1);
}

COMMAND_TEST(test_a_server_that_stops_runs_no_command, d)
{
	subscribe(d->bob);
	rig_hold(&d->r);
	(void)rig_send(d->ada, "question.ask", TEXT);
	rig_step(&d->r, &(struct event){.kind = EVENT_STOP});
	rig_release(&d->r);
	assert_int_equal(d->r.commands_n, 0);
	assert_true(server_is_idle(d->r.server));
}

/* Started without one, after it had one. */
COMMAND_TEST(test_without_a_command_nobody_is_drawn_for_it, d)
{
	char token[KEY_CHARS + 1];
	struct rig_peer *dan = rig_guest(&d->r, "dan");
	rig_field(rig_must(dan, "session.login", "'user_name':'dan'"), "token", token,
		  sizeof(token));
	subscribe(dan);
	d->r.config.has_command = false;
	rig_crash(&d->r);
	dan = rig_guest(&d->r, "dan");
	rig_must(dan, "session.resume", "'token':'%s'", token);
	d->ada = scene_person(&d->r, "eve");
	ask(d, TEXT);
	assert_int_equal(d->r.commands_n, 0);
	assert_false(says(listed(dan), "last_notified_at"));
}

/* Whatever the round has done before: after the restart the command runs for a notice that was not decided on, and only then. */
COMMAND_TEST(test_a_restart_at_any_step_notifies_once, d)
{
	enum { STEPS = 17 };
	char token[KEY_CHARS + 1];
	size_t early = 0, late = 0;
	struct rig_peer *eve = rig_guest(&d->r, "eve");
	rig_field(rig_must(eve, "session.login", "'user_name':'eve'"), "token", token,
		  sizeof(token));
	subscribe(d->bob);
	for (size_t step = 0; step < STEPS; step++) {
		size_t first = d->r.commands_n;
		rig_hold(&d->r);
		(void)rig_send(eve, "question.ask", TEXT ",'timeout_seconds':60");
		for (size_t i = 0; i < step; i++) {
			rig_let(&d->r, 1);
		}
		size_t before = d->r.commands_n - first;
		rig_crash(&d->r);
		d->r.holds = false;
		eve = rig_guest(&d->r, "eve");
		rig_must(eve, "session.resume", "'token':'%s'", token);
		rig_advance(&d->r, 30 * SECOND_MS);
		bool is_asked =
			says(rig_must(eve, "question.mine", "'limit':1"), "'status':'OPEN'");
		size_t after = d->r.commands_n - first - before;
		assert_int_equal(before + after, is_asked ? 1 : 0);
		early += before;
		late += after;
		rig_advance(&d->r, 6 * MINUTE_MS);
		assert_int_equal(d->r.commands_n - first, before + after);
	}
	assert_in_range(early, 2, STEPS - 1);
	assert_in_range(late, 2, STEPS - 1);
}

COMMAND_HEAP_TEST(test_any_allocation_may_fail, d, nth)
{
	subscribe(d->bob);
	rig_settle(&d->r);
	heap_fail_nth(nth, false);
	(void)rig_send(d->ada, "question.ask", TEXT);
	if (d->r.commands_n == 1) {
		rig_command_ended(&d->r, 0, ERR_IO);
	}
	heap_fail_never();
	rig_advance(&d->r, 10 * SECOND_MS);
	assert_in_range(d->r.commands_n, 0, 1);
	assert_true(says(listed(d->bob), "'active':true"));
}
