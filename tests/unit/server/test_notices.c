/*
 * test_notices.c - who is sent a notice of a question, when, and never twice.
 */
#include "tests/unit/server/panel.h"

/* Somebody who is logged in, and can come back to that session. */
struct person {
	struct rig_peer *p;
	char token[KEY_CHARS + 1];
};

static struct person person(struct panel *d, const char *name)
{
	struct person one = {.p = rig_guest(&d->r, name)};
	rig_field(rig_must(one.p, "session.login", "'user_name':'%s'", name), "token", one.token,
		  sizeof(one.token));
	return one;
}

static struct rig_peer *come_back(struct panel *d, const struct person *one, const char *name)
{
	struct rig_peer *p = rig_guest(&d->r, name);
	rig_must(p, "session.resume", "'token':'%s'", one->token);
	return p;
}

static void subscribe(struct rig_peer *p, const char *params)
{
	rig_must(p, "subscription.create", "'channel':'live'%s", params);
}

/* n people with a live subscription each. */
enum { CROWD = 12 };
static void crowd(struct panel *d, struct person *people, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char name[32];
		(void)snprintf(name, sizeof(name), "p%zu", i);
		people[i] = person(d, name);
		subscribe(people[i].p, "");
	}
}

static size_t noticed(struct rig_peer *p)
{
	return rig_count(p, "question.notice");
}

static size_t noticed_in_all(const struct person *people, size_t n)
{
	size_t sum = 0;
	for (size_t i = 0; i < n; i++) {
		size_t one = noticed(people[i].p);
		assert_in_range(one, 0, 1);
		sum += one;
	}
	return sum;
}

PANEL_TEST(test_a_subscriber_is_sent_a_notice_of_a_new_question, d)
{
	subscribe(d->ada, "");
	subscribe(d->bob, "");
	rig_field(rig_must(d->bob, "subscription.list", RIG_NONE), "subscription_id", d->id,
		  sizeof(d->id));
	rig_alias(&d->r, d->id, "SUBSCRIPTION");
	ask(d, CHOICE ",'audience':['technical','general']");
	assert_string_equal(rig_next(d->bob),
			    "question.notice {'question_id':'QUESTION','type':'multiple_choice',"
			    "'prompt':'Shall we ship it?','audience':['technical','general'],"
			    "'expires_at':1700003600000,'subscription_id':'SUBSCRIPTION'}");
	assert_int_equal(noticed(d->ada), 0); /* the asker */
	assert_int_equal(noticed(d->cy), 0);  /* who has not subscribed */
	assert_true(says(rig_must(d->bob, "subscription.list", RIG_NONE),
			 "'last_notified_at':1700000000000"));
	assert_int_equal(panel_stored(d, "NOTIFIED:"), 1);
}

PANEL_TEST(test_a_notice_comes_on_each_connection_of_its_user, d)
{
	struct person dan = person(d, "dan");
	subscribe(dan.p, "");
	struct rig_peer *second = come_back(d, &dan, "dan2");
	struct rig_peer *third = come_back(d, &dan, "dan3");
	rig_must(third, "session.login", "'user_name':'eve'"); /* another's from now on */
	ask(d, TEXT);
	assert_int_equal(noticed(dan.p), 1);
	assert_int_equal(noticed(second), 1);
	assert_int_equal(noticed(third), 0);
}

PANEL_TEST(test_nobody_is_noticed_who_logged_out, d)
{
	struct person dan = person(d, "dan");
	subscribe(dan.p, "");
	rig_must(dan.p, "session.logout", RIG_NONE);
	ask(d, TEXT);
	assert_int_equal(noticed(dan.p), 0);
}

PANEL_TEST(test_three_people_are_notified_for_each_answer_that_is_needed, d)
{
	struct person people[CROWD];
	crowd(d, people, CROWD);
	ask(d, TEXT ",'min_responses':2");
	assert_int_equal(noticed_in_all(people, CROWD), 6);
	assert_int_equal(panel_stored(d, "NOTIFIED:"), 6);
	ask(d, TEXT ",'min_responses':1"); /* the others: those have been notified just now */
	assert_int_equal(noticed_in_all(people, CROWD), 9);
}

/* Fifty answers: as many people as one transaction reads and writes items of. */
PANEL_TEST(test_the_largest_round_fits_a_transaction, d)
{
	enum { MANY = 160 };
	static struct person people[MANY];
	crowd(d, people, MANY);
	ask(d, TEXT ",'min_responses':50");
	assert_int_equal(noticed_in_all(people, MANY), 150);
	rig_found(&d->r, d->ada, "");
	rig_follow(d->ada, "");
	rig_must(d->ada, "join", "'username':'ada'");
	for (size_t i = 0; i < MANY; i++) {
		strcpy(people[i].p->room_id, d->r.room_id);
		rig_follow(people[i].p, "");
		rig_must(people[i].p, "join", "'username':'p'");
	}
	rig_advance(&d->r, 50 * MINUTE_MS);
	for (size_t i = 0; i < MANY; i++) {
		rig_forget(people[i].p);
	}
	char params[160];
	(void)snprintf(params, sizeof(params), TEXT ",'min_responses':50,'room_id':'%s'",
		       d->r.room_id);
	ask(d, params);
	assert_in_range(noticed_in_all(people, MANY), 140, 150);
}

/* Who is drawn differs from question to question: over many, everybody is. */
PANEL_TEST(test_people_are_drawn_at_random, d)
{
	struct person people[CROWD];
	size_t n[CROWD] = {0};
	crowd(d, people, CROWD);
	for (int i = 0; i < 40; i++) {
		ask(d, TEXT ",'min_responses':1,'timeout_seconds':60");
		for (size_t k = 0; k < CROWD; k++) {
			n[k] += noticed(people[k].p);
			rig_forget(people[k].p);
			rig_must(people[k].p, "session.whoami", RIG_NONE);
		}
		rig_must(d->ada, "session.whoami", RIG_NONE);
		rig_advance(&d->r, 30 * MINUTE_MS);
	}
	for (size_t k = 0; k < CROWD; k++) {
		assert_in_range(n[k], 2, 25); /* 10 on average */
	}
}

PANEL_TEST(test_a_subscription_says_which_questions_it_is_for, d)
{
	subscribe(d->bob, ",'audience':['ethics','product']");
	subscribe(d->cy, ",'audience':['creative']");
	ask(d, TEXT ",'audience':['technical','product']");
	assert_int_equal(noticed(d->bob), 1);
	assert_int_equal(noticed(d->cy), 0);
}

PANEL_TEST(test_between_two_notices_is_the_time_that_the_subscription_says, d)
{
	subscribe(d->bob, ",'min_interval_minutes':10");
	subscribe(d->cy, "");
	ask(d, TEXT);
	rig_advance(&d->r, 10 * MINUTE_MS - 1);
	ask(d, TEXT);
	assert_int_equal(noticed(d->bob), 1);
	rig_advance(&d->r, 1);
	ask(d, TEXT ",'timeout_seconds':60");
	assert_int_equal(noticed(d->bob), 2);
	assert_int_equal(noticed(d->cy), 1);
	rig_advance(&d->r, 20 * MINUTE_MS);
	ask(d, TEXT);
	assert_int_equal(noticed(d->cy), 2);
}

PANEL_TEST(test_a_clock_that_was_set_back_keeps_nobody_waiting, d)
{
	subscribe(d->bob, "");
	ask(d, TEXT);
	d->r.wall_ms -= DAY_MS;
	ask(d, TEXT);
	assert_int_equal(noticed(d->bob), 2);
}

PANEL_TEST(test_an_inactive_subscription_has_no_notices, d)
{
	char id[32];
	subscribe(d->bob, "");
	rig_field(rig_must(d->bob, "subscription.list", RIG_NONE), "subscription_id", id,
		  sizeof(id));
	rig_must(d->bob, "subscription.update", "'subscription_id':'%s','active':false", id);
	ask(d, TEXT);
	assert_int_equal(noticed(d->bob), 0);
	rig_must(d->bob, "subscription.update", "'subscription_id':'%s','active':true", id);
	ask(d, TEXT);
	assert_int_equal(noticed(d->bob), 1);
}

PANEL_TEST(test_people_who_are_connected_come_first, d)
{
	struct person people[CROWD];
	crowd(d, people, CROWD);
	for (size_t i = 0; i < CROWD; i++) {
		if (i % 4 != 0) {
			rig_cut(people[i].p);
		}
	}
	ask(d, TEXT ",'min_responses':1");
	for (size_t i = 0; i < CROWD; i += 4) {
		assert_int_equal(noticed(people[i].p), 1);
	}
	assert_int_equal(panel_stored(d, "NOTIFIED:"), 3);
}

/* promise: one-notice */
PANEL_TEST(test_a_person_with_two_subscriptions_gets_one_notice, d)
{
	subscribe(d->bob, "");
	subscribe(d->bob, ",'min_interval_minutes':5");
	ask(d, TEXT);
	assert_int_equal(noticed(d->bob), 1);
	rig_advance(&d->r, 20 * MINUTE_MS); /* nor in the second round by the other */
	assert_int_equal(noticed(d->bob), 1);
}

PANEL_TEST(test_a_rooms_question_is_noticed_by_its_seats_alone, d)
{
	subscribe(d->bob, "");
	subscribe(d->cy, "");
	rig_found(&d->r, d->ada, "");
	rig_follow(d->ada, "");
	rig_must(d->ada, "join", "'username':'ada'");
	strcpy(d->bob->room_id, d->r.room_id);
	rig_follow(d->bob, "");
	rig_must(d->bob, "join", "'username':'bob'");
	char params[160];
	(void)snprintf(params, sizeof(params), TEXT ",'room_id':'%s'", d->r.room_id);
	ask(d, params);
	assert_int_equal(noticed(d->bob), 1);
	assert_int_equal(noticed(d->cy), 0);
}

PANEL_TEST(test_who_waits_in_the_lobby_has_no_notice_of_the_rooms_question, d)
{
	subscribe(d->bob, "");
	subscribe(d->cy, "");
	rig_found(&d->r, d->ada, "");
	rig_follow(d->ada, "");
	rig_must(d->ada, "join", "'username':'ada'");
	rig_must(d->ada, "claim_host", "'host_key':'%s'", d->r.host_key);
	strcpy(d->bob->room_id, d->r.room_id);
	rig_follow(d->bob, "");
	rig_must(d->bob, "join", "'username':'bob'");
	strcpy(d->cy->room_id, d->r.room_id);
	rig_follow(d->cy, "");
	rig_must(d->cy, "join", "'username':'cy'");
	rig_must(d->ada, "set_policy", "'policy':{'lobby':true}");
	rig_must(d->ada, "kick", "'user_id':'%s'", d->cy->user_id);
	assert_string_equal(rig_table(d->bob), "#1 hidden: ada host, bob, - waits away");
	char params[160];
	(void)snprintf(params, sizeof(params), TEXT ",'room_id':'%s'", d->r.room_id);
	ask(d, params);
	assert_int_equal(noticed(d->bob), 1);
	assert_int_equal(noticed(d->cy), 0);
	assert_int_equal(panel_stored(d, "NOTIFIED:"), 1);
}

/* Nor who has given the name already that they will have there. */
PANEL_TEST(test_who_knocks_under_a_name_has_no_notice_of_the_rooms_question, d)
{
	char params[160];
	subscribe(d->cy, "");
	rig_found(&d->r, d->ada, "");
	rig_follow(d->ada, "");
	rig_must(d->ada, "join", "'username':'ada'");
	rig_must(d->ada, "claim_host", "'host_key':'%s'", d->r.host_key);
	rig_must(d->ada, "set_policy", "'policy':{'lobby':true}");
	strcpy(d->cy->room_id, d->r.room_id);
	rig_follow(d->cy, "");
	rig_must(d->cy, "join", "'username':'cy'");
	assert_string_equal(rig_table(d->ada), "#1 hidden: ada host, cy waits");
	(void)snprintf(params, sizeof(params), TEXT ",'room_id':'%s'", d->r.room_id);
	ask(d, params);
	assert_int_equal(noticed(d->cy), 0);
	assert_int_equal(panel_stored(d, "NOTIFIED:"), 0);
	rig_must(d->ada, "admit", "'user_id':'%s'", d->cy->user_id);
	ask(d, params);
	assert_int_equal(noticed(d->cy), 1);
}

/* Whenever it is switched off while a round is made: once that is answered, nothing comes. */
TEST(test_a_subscription_that_is_switched_off_meanwhile_has_no_notice)
{
	enum { STEPS = 12 };
	size_t notices = 0;
	for (size_t steps = 0; steps < STEPS; steps++) {
		void *state;
		char id[32];
		panel_open(&state);
		struct panel *d = state;
		subscribe(d->bob, "");
		rig_field(rig_must(d->bob, "subscription.list", RIG_NONE), "subscription_id", id,
			  sizeof(id));
		rig_forget(d->bob);
		rig_hold(&d->r);
		(void)rig_send(d->ada, "question.ask", TEXT);
		for (size_t i = 0; i < steps; i++) {
			rig_let(&d->r, 1);
		}
		(void)rig_send(d->bob, "subscription.update",
			       "'subscription_id':'%s','active':false", id);
		rig_release(&d->r);
		const char *heard = rig_heard(d->bob);
		const char *answered = strstr(heard, "answer");
		assert_non_null(answered);
		assert_null(strstr(answered, "question.notice"));
		notices += strstr(heard, "question.notice") != NULL;
		scene_finish(&state);
	}
	assert_in_range(notices, 1, STEPS - 1);
}

static int panel_of_many(void **state)
{
	struct panel *d = scene_init(state, sizeof(*d));
	d->r.config.limits[LIMIT_SUBSCRIPTIONS_PER_HOUR] = 1000;
	return panel_begin(d);
}

/* More of them than a round looks at, and all longer in line than bob. */
TEST_IN(test_those_whom_no_question_fits_let_others_come_forward, struct panel, d, panel_of_many,
	scene_finish)
{
	subscribe(d->bob, ",'min_interval_minutes':5");
	ask(d, TEXT ",'timeout_seconds':60");
	assert_int_equal(noticed(d->bob), 1);
	rig_advance(&d->r, 6 * MINUTE_MS);
	struct rig_peer *dan = scene_person(&d->r, "dan");
	subscribe(dan, ",'audience':['ethics'],'min_interval_minutes':5");
	for (size_t n = 0; n < MAX_NOTICE_CANDIDATES + 2 * MAX_SUBSCRIPTIONS;
	     n += MAX_SUBSCRIPTIONS) {
		char name[32];
		(void)snprintf(name, sizeof(name), "p%zu", n);
		struct rig_peer *p = scene_person(&d->r, name);
		for (size_t i = 0; i < MAX_SUBSCRIPTIONS; i++) {
			subscribe(p, ",'audience':['ethics']");
		}
		d->cy = p;
	}
	ask(d, TEXT);
	assert_int_equal(noticed(d->bob), 1);
	rig_advance(&d->r, 16 * MINUTE_MS);
	assert_int_equal(noticed(d->bob), 2);
	/* Those who were passed over have had no notice, and are not kept waiting for one. */
	assert_false(says(rig_must(d->cy, "subscription.list", RIG_NONE), "last_notified_at"));
	for (int rounds = 0; rounds < 8; rounds++) { /* until all have been */
		ask(d, TEXT ",'timeout_seconds':60");
	}
	ask(d, TEXT ",'audience':['ethics'],'min_responses':50");
	assert_int_equal(noticed(d->cy), 1);
	/* And once they have had one, they wait from then on. */
	assert_int_equal(noticed(dan), 1);
	rig_advance(&d->r, 5 * MINUTE_MS - 1);
	ask(d, TEXT ",'audience':['ethics'],'min_responses':50,'timeout_seconds':60");
	assert_int_equal(noticed(dan), 1);
}

/* ---- the second round ---- */

PANEL_TEST(test_after_fifteen_minutes_others_are_notified, d)
{
	struct person people[CROWD];
	crowd(d, people, CROWD);
	ask(d, TEXT ",'min_responses':2");
	assert_int_equal(noticed_in_all(people, CROWD), 6);
	assert_string_equal(answer(d, d->cy, "'answer':'Rosebud'"), "ok");
	rig_advance(&d->r, 15 * MINUTE_MS - 1);
	assert_int_equal(noticed_in_all(people, CROWD), 6);
	rig_advance(&d->r, 10 * SECOND_MS);
	assert_int_equal(noticed_in_all(people, CROWD), 9); /* one more answer is needed */
	rig_advance(&d->r, 40 * MINUTE_MS);
	assert_int_equal(noticed_in_all(people, CROWD), 9); /* and there is no third round */
}

PANEL_TEST(test_the_second_round_passes_over_those_who_have_answered_or_skipped, d)
{
	ask(d, TEXT ",'min_responses':3");
	struct rig_peer *dan = scene_person(&d->r, "dan");
	subscribe(d->bob, "");
	subscribe(d->cy, "");
	subscribe(dan, "");
	assert_string_equal(answer(d, d->bob, "'answer':'Rosebud'"), "ok");
	rig_must(d->cy, "question.skip", "'question_id':'%s'", d->id);
	rig_advance(&d->r, 16 * MINUTE_MS);
	assert_int_equal(noticed(d->bob), 0);
	assert_int_equal(noticed(d->cy), 0);
	assert_int_equal(noticed(dan), 1);
}

PANEL_TEST(test_a_question_that_has_ended_has_no_second_round, d)
{
	for (int way = 0; way < 3; way++) {
		ask(d, way == 2 ? TEXT ",'timeout_seconds':600" : TEXT ",'min_responses':1");
		if (way == 0) {
			assert_string_equal(answer(d, d->cy, "'answer':'Rosebud'"), "ok");
		} else if (way == 1) {
			rig_must(d->ada, "question.cancel", "'question_id':'%s'", d->id);
		}
	}
	subscribe(d->bob, "");
	rig_advance(&d->r, 20 * MINUTE_MS);
	assert_int_equal(noticed(d->bob), 0);
}

/* ---- failures ---- */

PANEL_TEST(test_no_notice_is_sent_before_its_note_is_durable, d)
{
	subscribe(d->bob, "");
	rig_hold(&d->r);
	(void)rig_send(d->ada, "question.ask", TEXT);
	size_t lets = 0;
	while (noticed(d->bob) == 0) {
		assert_in_range(++lets, 1, 40);
		rig_let(&d->r, 1);
	}
	assert_true(
		lets >=
		6); /* asker; the question; itself, the index, what is read of bob; the commit */
	rig_release(&d->r);
	assert_int_equal(noticed(d->bob), 1);
}

PANEL_TEST(test_a_round_that_could_not_be_written_is_made_up_for, d)
{
	subscribe(d->bob, "");
	rig_hold(&d->r);
	(void)rig_send(d->ada, "question.ask", TEXT);
	rig_let(&d->r, 1);
	rig_let(&d->r, 1);
	rig_let(&d->r, 1);
	rig_let(&d->r, 1); /* asker; whether she is barred; who is logged in; the question */
	rig_fail_commits(&d->r, 1, ERR_FULL);
	rig_release(&d->r);
	assert_int_equal(noticed(d->bob), 0);
	rig_advance(&d->r, 30 * SECOND_MS);
	assert_int_equal(noticed(d->bob), 1);
}

/* A sweep reads the earliest first: a question whose round may fail is put behind what expires meanwhile. */
PANEL_TEST(test_a_round_that_the_sweeper_finds_is_put_off_before_it_is_made, d)
{
	subscribe(d->bob, "");
	rig_hold(&d->r);
	(void)rig_send(d->ada, "question.ask", TEXT);
	rig_let(&d->r, 1);
	rig_let(&d->r, 1);
	rig_let(&d->r, 1);
	rig_let(&d->r, 1); /* asker; whether she is barred; who is logged in; the question */
	rig_crash(&d->r);  /* the question is there, and no round was made */
	d->r.holds = false;
	rig_advance(&d->r, 19 * SECOND_MS);
	size_t commits = d->r.commits;
	rig_advance(&d->r, 7 * SECOND_MS);
	assert_int_equal(d->r.commits, commits + 2); /* put off, then made */
	rig_advance(&d->r, 5 * MINUTE_MS);
	assert_int_equal(d->r.commits, commits + 2);
}

/* If it was made it notifies nobody, as one behind which the server ends; else it is put off. */
PANEL_TEST(test_nobody_is_notified_twice_by_a_round_whose_outcome_is_unknown, d)
{
	subscribe(d->bob, "");
	for (size_t made = 0; made < 2; made++) {
		rig_hold(&d->r);
		(void)rig_send(d->ada, "question.ask", TEXT);
		rig_let(&d->r, 1);
		rig_let(&d->r, 1);
		rig_let(&d->r, 1);
		rig_let(&d->r,
			1); /* asker; whether she is barred; who is logged in; the question */
		rig_fail_commits(&d->r, 1 - made, ERR_UNKNOWN);
		store_mem_lose_answers(d->r.store, made);
		rig_release(&d->r);
		assert_int_equal(server_counters(d->r.server)->commits_unknown, made + 1);
		assert_true(d->ada->is_open);
		rig_advance(&d->r, 30 * SECOND_MS);
		assert_int_equal(noticed(d->bob), 1 - made);
		rig_forget(d->bob);
	}
}

/*
 * However far the round was. Nobody has come back yet when the server begins, so a round that was
 * not made finds nobody; the second one does.
 */
/* promise: one-notice */
PANEL_TEST(test_a_restart_at_any_step_notifies_each_person_once, d)
{
	enum { STEPS = 16 };
	struct person dan = person(d, "dan");
	struct person eve = person(d, "eve");
	size_t early = 0, late = 0;
	subscribe(dan.p, ",'min_interval_minutes':5");
	for (size_t step = 0; step < STEPS; step++) {
		rig_hold(&d->r);
		(void)rig_send(eve.p, "question.ask", TEXT);
		for (size_t i = 0; i < step; i++) {
			rig_let(&d->r, 1);
		}
		size_t before = noticed(dan.p);
		rig_crash(&d->r);
		d->r.holds = false;
		dan.p = come_back(d, &dan, "dan");
		eve.p = come_back(d, &eve, "eve");
		rig_advance(&d->r, 22 * MINUTE_MS);
		size_t after = noticed(dan.p);
		rig_forget(dan.p);
		bool is_asked = says(rig_must(eve.p, "question.mine", "'limit':1,'status':'OPEN'"),
				     "'responses_needed'");
		assert_int_equal(before + after, is_asked ? 1 : 0);
		early += before;
		late += after;
		if (is_asked) {
			rig_field(rig_must(eve.p, "question.mine", "'limit':1"), "question_id",
				  d->id, sizeof(d->id));
			rig_must(eve.p, "question.cancel", "'question_id':'%s'", d->id);
		}
	}
	assert_in_range(early, 2, STEPS - 1);
	assert_in_range(late, 2, STEPS - 1);
}

PANEL_TEST(test_the_second_round_comes_after_a_restart, d)
{
	struct person dan = person(d, "dan");
	ask(d, TEXT);
	subscribe(dan.p, "");
	rig_crash(&d->r);
	dan.p = come_back(d, &dan, "dan");
	rig_advance(&d->r, 15 * MINUTE_MS - 1);
	assert_int_equal(noticed(dan.p), 0);
	rig_advance(&d->r, 10 * SECOND_MS);
	assert_int_equal(noticed(dan.p), 1);
}

PANEL_HEAP_TEST(test_any_allocation_may_fail, d, nth)
{
	subscribe(d->bob, "");
	subscribe(d->cy, "");
	rig_settle(&d->r);
	heap_fail_nth(nth, false);
	(void)rig_send(d->ada, "question.ask", TEXT);
	heap_fail_never();
	rig_advance(&d->r, 10 * SECOND_MS);
	bool is_asked =
		d->ada->is_open && says(rig_must(d->ada, "question.mine", RIG_NONE), "'status'");
	assert_in_range(noticed(d->bob), 0, 1);
	assert_in_range(noticed(d->cy), 0, 1);
	assert_true(is_asked || noticed(d->bob) + noticed(d->cy) == 0 || !d->ada->is_open);
}
