/*
 * test_directory_nodes.c - the directory where several nodes share the table: what a commit of one
 * of them brings to the others' connections, by publications; sessions that are in use at several;
 * publications that were missed; transactions that lose to other nodes.
 */
#include "tests/unit/server/nodes.h"

/* Time goes by, and the session is used at the second node alone. */
static void used_at_2_for(struct nodes *d, int64_t ms)
{
	for (; ms > 0; ms -= 5 * MINUTE_MS) {
		rig_advance(&d->r, 5 * MINUTE_MS);
		assert_true(is_logged_in(d->at_2));
	}
}

static void hold_all(struct nodes *d)
{
	rig_hold(&d->r);
	for (size_t i = 0; i < d->n; i++) {
		rig_hold(&d->others[i]);
	}
}

static void release_all(struct nodes *d)
{
	for (size_t i = 0; i < d->n; i++) {
		d->others[i].holds = false;
	}
	rig_release(&d->r);
}

/* ---- what a commit brings to other nodes ---- */

NODES_TEST(test_a_session_that_ends_at_one_node_is_refused_at_the_others_at_once, d)
{
	rig_must(d->at_2, "session.logout", RIG_NONE);
	assert_string_equal(rig_code(d->at_1, "session.whoami", RIG_NONE), "UNAUTHENTICATED");
}

NODES_TEST(test_a_session_that_ends_is_not_given_to_who_resumes_it_at_another_node_meanwhile, d)
{
	struct rig_peer *late = rig_guest(&d->others[0], "late");
	hold_all(d);
	uint32_t logout = rig_send(d->at_1, "session.logout", RIG_NONE);
	rig_let(&d->r, store_mem_waiting(d->r.store)); /* what it reads; its commit waits */
	uint32_t msgid = rig_send(late, "session.resume", "'token':'%s'", d->ada.token);
	release_all(d);
	assert_string_equal(rig_outcome(d->at_1, logout), "ok");
	(void)rig_outcome(late, msgid);
	assert_string_equal(rig_code(late, "session.whoami", RIG_NONE), "UNAUTHENTICATED");
}

NODES_TEST(test_who_watches_a_user_is_told_of_what_happens_at_other_nodes, d)
{
	rig_must(d->at_1, "session.watch", RIG_NONE);
	struct rig_peer *again = rig_connect(&d->others[0], "again");
	(void)login_signed(again, "Ada L", &d->key);
	assert_int_equal(rig_count(d->at_1, "session.update"), 1);
	rig_forget(d->at_1);
	rig_must(again, "user.update", "'user_name':'Countess'");
	assert_true(says(rig_next(d->at_1), "Countess"));
}

NODES_TEST(test_a_name_is_the_same_at_all_nodes, d)
{
	rig_must(d->at_2, "user.update", "'user_name':'Countess'");
	assert_true(says(rig_must(d->at_1, "session.whoami", RIG_NONE), "Countess"));
}

NODES_TEST(test_who_watches_a_group_elsewhere_is_told_until_its_right_ends, d)
{
	char group[32], code[64];
	struct pair bobs = make_pair('b');
	rig_field(rig_must(d->at_1, "group.create", "'group_name':'Payments'"), "group_id", group,
		  sizeof(group));
	rig_field(rig_must(d->at_1, "invitation.create", "'group_id':'%s'", group), "code", code,
		  sizeof(code));
	struct rig_peer *bob = rig_connect(&d->others[0], "bob");
	struct session b = login_signed(bob, "bob", &bobs);
	rig_must(bob, "group.join", "'code':'%s'", code);
	rig_must(bob, "group.watch", "'group_id':'%s'", group);
	rig_forget(bob);

	rig_must(d->at_1, "group.rename", "'group_id':'%s','group_name':'Billing'", group);
	assert_true(says(rig_next(bob), "Billing"));
	rig_must(d->at_1, "group.remove_user", "'group_id':'%s','user_id':'%s'", group, b.user_id);
	rig_forget(bob);
	rig_must(d->at_1, "group.rename", "'group_id':'%s','group_name':'Secret'", group);
	assert_string_equal(rig_heard(bob), "");
	assert_string_equal(rig_code(bob, "group.watch", "'group_id':'%s'", group), "NOT_FOUND");
}

NODES_TEST(test_what_happens_in_a_room_is_told_to_who_watches_its_user_or_its_team_elsewhere, d)
{
	char group[32], params[64];
	rig_field(rig_must(d->at_1, "group.create", "'group_name':'Payments'"), "group_id", group,
		  sizeof(group));
	rig_must(d->at_2, "session.watch", RIG_NONE);
	rig_must(d->at_2, "group.watch", "'group_id':'%s'", group);
	rig_forget(d->at_2);
	(void)snprintf(params, sizeof(params), "'group_id':'%s','title':'Sprint'", group);
	rig_found(&d->r, d->at_1, params);
	assert_true(says(rig_next(d->at_2), "'title':'Sprint'"));
	rig_forget(d->at_2);
	strcpy(d->at_1->room_id, d->r.room_id);
	rig_must(d->at_1, "room.subscribe", "'room_id':'%s'", d->r.room_id);
	rig_must(d->at_1, "join", "'username':'Ada'");
	assert_int_equal(rig_count(d->at_2, "session.update"), 1);
}

/* ---- in use at several nodes ---- */

NODES_TEST(test_the_table_is_written_when_a_tenth_of_a_life_has_passed, d)
{
	size_t commits = d->others[0].commits;
	for (int minute = 1; minute <= 5; minute++) {
		rig_advance(&d->r, MINUTE_MS);
		assert_true(is_logged_in(d->at_2));
	}
	assert_int_equal(d->others[0].commits, commits);
	rig_advance(&d->r, MINUTE_MS);
	assert_true(is_logged_in(d->at_2));
	assert_int_equal(d->others[0].commits, commits + 1);
}

NODES_TEST(test_a_session_in_use_at_another_node_does_not_end, d)
{
	used_at_2_for(d, 2 * LIFE_MS + 10 * MINUTE_MS);
	assert_true(is_logged_in(d->at_1));
	used_at_2_for(d, LIFE_MS + 10 * MINUTE_MS);
	struct rig_peer *late = resumed_at(&d->r, d->ada.token);
	assert_true(is_logged_in(late));
}

NODES_TEST(test_a_session_that_nobody_uses_is_looked_up_and_ends_at_all_nodes, d)
{
	rig_advance(&d->r, LIFE_MS - SECOND_MS);
	size_t loads = d->others[0].loads;
	rig_advance(&d->r, 10 * MINUTE_MS); /* longer than the table is believed behind its time */
	assert_in_range(d->others[0].loads - loads, 1, 10); /* and those of the sweeper */
	assert_string_equal(rig_code(d->at_1, "session.whoami", RIG_NONE), "UNAUTHENTICATED");
	assert_string_equal(rig_code(d->at_2, "session.whoami", RIG_NONE), "UNAUTHENTICATED");
}

NODES_TEST(test_a_request_on_an_idle_session_waits_for_what_the_table_says, d)
{
	used_at_2_for(d, LIFE_MS - 5 * MINUTE_MS);
	hold_all(d);
	rig_advance(&d->r, 3000); /* frozen, it looks nothing up */
	for (size_t i = 0; i < 2; i++) {
		struct rig *r = i == 0 ? &d->r : &d->others[0];
		r->mono_ms += 6 * MINUTE_MS;
		r->wall_ms += 6 * MINUTE_MS;
	}
	uint32_t msgid = rig_send(d->at_1, "session.whoami", RIG_NONE);
	assert_false(rig_is_answered(d->at_1, msgid));
	release_all(d);
	rig_advance(&d->r, 2000);
	assert_string_equal(rig_outcome(d->at_1, msgid), "ok");
}

/* ---- publications that were missed ---- */

NODES_TEST(test_after_a_gap_sessions_are_looked_up_and_topics_reset, d)
{
	struct pair bobs = make_pair('b');
	struct pair cys = make_pair('c');
	struct rig_peer *bob = rig_connect(&d->others[0], "bob");
	(void)login_signed(bob, "bob", &bobs);
	rig_must(bob, "session.watch", RIG_NONE);
	d->others[0].is_deaf = true;
	rig_must(d->at_1, "session.logout", RIG_NONE);
	assert_true(is_logged_in(d->at_2)); /* it was not told */
	rig_forget(bob);
	d->others[0].is_deaf = false;
	(void)login_signed(rig_connect(&d->r, "cy"), "cy", &cys);
	rig_advance(&d->r, 1000);
	assert_string_equal(rig_code(d->at_2, "session.whoami", RIG_NONE), "UNAUTHENTICATED");
	assert_true(is_logged_in(bob));
	rig_advance(&d->r, 10000);
	assert_true(says(rig_next(bob), "'reset':true"));
}

/* ---- transactions that lose to other nodes ---- */

FOUR_NODES_TEST(test_sixty_four_requests_at_one_counter_from_each_of_four_nodes_are_granted, d)
{
	enum { EACH = 64 };
	char container[32], item[32];
	struct rig *rigs[NODES] = {&d->r, &d->others[0], &d->others[1], &d->others[2]};
	struct rig_peer *peers[NODES] = {d->at_1, d->at_2};
	uint32_t msgids[NODES][EACH];
	rig_field(rig_must(d->at_1, "group.create", "'group_name':'P','container_name':'B'"),
		  "container_id", container, sizeof(container));
	rig_field(rig_must(d->at_1, "item.add", "'container_id':'%s','name':'bolts','quantity':'0'",
			   container),
		  "item_id", item, sizeof(item));
	for (size_t n = 0; n < NODES; n++) {
		peers[n] = peers[n] == NULL ? resumed_at(rigs[n], d->ada.token) : peers[n];
	}
	hold_all(d);
	for (size_t i = 0; i < EACH; i++) {
		for (size_t n = 0; n < NODES; n++) {
			msgids[n][i] = rig_send(peers[n], "item.adjust",
						"'container_id':'%s','item_id':'%s','by':'1'",
						container, item);
		}
	}
	release_all(d);
	rig_advance(&d->r, 5000);
	for (size_t n = 0; n < NODES; n++) {
		for (size_t i = 0; i < EACH; i++) {
			assert_string_equal(rig_outcome(peers[n], msgids[n][i]), "ok");
		}
	}
	const char *listed = rig_must(d->at_1, "item.list", "'container_id':'%s'", container);
	assert_true(says(listed, "'quantity':'256'"));
}

/*
 * Whose connection ended repeats it at another node while the first is still being made: at each step of
 * the first, the repeat is answered as that, not by what that has made of the question.
 */
NODES_TEST(test_a_repeat_at_another_node_meanwhile_is_answered_as_the_first, d)
{
	enum { STEPS = 12 };
	struct pair bobs = make_pair('b');
	struct rig_peer *bob = rig_connect(&d->r, "bob");
	(void)login_signed(bob, "bob", &bobs);
	for (size_t step = 0; step < STEPS; step++) {
		char question[64], params[256];
		uint32_t msgids[2];
		rig_field(rig_must(bob, "question.ask",
				   "'prompt':'Ship it?','type':'text','min_responses':1"),
			  "question_id", question, sizeof(question));
		(void)snprintf(params, sizeof(params),
			       "'question_id':'%s','answer':'yes','idempotency_key':'k%zu'",
			       question, step);
		hold_all(d);
		msgids[0] = rig_send(d->at_1, "question.answer", "%s", params);
		for (size_t i = 0; i < step; i++) {
			rig_let(&d->r, 1);
		}
		msgids[1] = rig_send(d->at_2, "question.answer", "%s", params);
		while (store_mem_waiting(d->r.store) > 0) {
			rig_let(&d->r, 1);
		}
		release_all(d);
		rig_advance(&d->r, MINUTE_MS); /* answers a minute are limited */
		assert_string_equal(rig_outcome(d->at_1, msgids[0]), "ok");
		assert_string_equal(rig_outcome(d->at_2, msgids[1]), "ok");
	}
}

/* One of them is told that others were faster, when the node had been frozen for longer than it would have tried. */
NODES_TEST(test_the_time_in_which_a_node_is_frozen_is_no_time_of_trying, d)
{
	char group[32];
	rig_field(rig_must(d->at_1, "group.create", "'group_name':'Payments'"), "group_id", group,
		  sizeof(group));
	hold_all(d);
	uint32_t rename =
		rig_send(d->at_1, "group.rename", "'group_id':'%s','group_name':'Billing'", group);
	size_t commits = d->r.commits;
	while (d->r.commits == commits) {
		rig_let(&d->r, 1); /* what it reads */
	}
	rig_fail_commits(&d->r, 1, ERR_CONFLICT);
	rig_advance(&d->r, 6000);
	release_all(d);
	rig_advance(&d->r, 2000);
	assert_string_equal(rig_outcome(d->at_1, rename), "ok");
}

/* Tried for so long that none runs again: the first that is told makes the next of its line run, which ends as well. */
NODES_TEST(test_requests_in_one_line_that_run_no_more_are_answered_each, d)
{
	enum { REQUESTS = 3 };
	char group[32];
	uint32_t msgids[REQUESTS];
	rig_field(rig_must(d->at_1, "group.create", "'group_name':'Payments'"), "group_id", group,
		  sizeof(group));
	rig_fail_commits(&d->r, SIZE_MAX, ERR_CONFLICT);
	for (int i = 0; i < REQUESTS; i++) {
		msgids[i] = rig_send(d->at_1, "group.rename", "'group_id':'%s','group_name':'%d'",
				     group, i);
	}
	rig_advance(&d->r, 6000);
	for (int i = 0; i < REQUESTS; i++) {
		assert_string_equal(rig_outcome(d->at_1, msgids[i]), "UNAVAILABLE");
	}
	rig_fail_commits(&d->r, 0, ERR_CONFLICT);
	rig_must(d->at_1, "group.rename", "'group_id':'%s','group_name':'Billing'", group);
}
