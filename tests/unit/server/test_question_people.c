/*
 * test_question_people.c - whom a question concerns: how many people that is when it is asked, and
 * how many answers it needs if its asker does not say.
 */
#include "tests/unit/server/desk.h"
#include "tests/unit/server/panel.h"

/* ada asks without saying how many answers she needs. */
static void asks(struct panel *d, const char *more, int needed, int people)
{
	char expected[64];
	(void)snprintf(expected, sizeof(expected), "'required_responses':%d,'people':%d}", needed,
		       people);
	const char *asked = rig_must(d->ada, "question.ask", "%s%s", TEXT, more);
	if (!says(asked, expected)) {
		fail_msg("no %s in %s", expected, asked);
	}
	rig_field(asked, "question_id", d->id, sizeof(d->id));
}

static void people_come(struct panel *d, int n)
{
	for (int i = 0; i < n; i++) {
		char name[16];
		(void)snprintf(name, sizeof(name), "p%d", i);
		(void)scene_person(&d->r, name);
	}
}

PANEL_TEST(test_everyone_is_whoever_is_logged_in, d)
{
	asks(d, "", 2, 2);
	(void)rig_guest(&d->r, "dan"); /* connected, without a login */
	asks(d, "", 2, 2);
	(void)scene_person(&d->r, "eve");
	asks(d, "", 3, 3);
	rig_must(d->cy, "session.logout", RIG_NONE);
	asks(d, "", 2, 2);
	rig_cut(d->bob); /* and stays logged in */
	asks(d, "", 2, 2);
	for (int i = 0; i < 3; i++) {
		rig_advance(&d->r, 30 * MINUTE_MS);
		rig_must(d->ada, "session.whoami", RIG_NONE);
	}
	asks(d, "", 1, 0);
}

/* Nor is anyone whose login has ended, though it is still in the table. */
PANEL_TEST(test_whose_login_has_just_ended_is_not_counted, d)
{
	rig_advance(&d->r, 30 * MINUTE_MS);
	rig_must(d->ada, "session.whoami", RIG_NONE);
	d->r.wall_ms += 31 * MINUTE_MS;
	asks(d, "", 1, 0);
}

PANEL_TEST(test_a_user_with_several_names_is_one_of_them, d)
{
	char token[KEY_CHARS + 1];
	struct rig_peer *dan = rig_guest(&d->r, "dan");
	rig_field(rig_must(dan, "session.login", "'user_name':'dan'"), "token", token,
		  sizeof(token));
	asks(d, "", 3, 3);
	struct rig_peer *again = rig_guest(&d->r, "again");
	rig_must(again, "session.resume", "'token':'%s'", token);
	asks(d, "", 3, 3);
	struct pair key = make_pair(1);
	login_signed(rig_connect(&d->r, "desk"), "Eve", &key);
	asks(d, "", 4, 4);
	login_signed(rig_connect(&d->r, "phone"), "Eve at home", &key);
	asks(d, "", 4, 4);
}

PANEL_TEST(test_five_answers_are_needed_at_most_unless_more_are_asked_for, d)
{
	people_come(d, 4);
	asks(d, "", 5, 6);
	asks(d, ",'min_responses':1", 1, 6);
	asks(d, ",'min_responses':50", 50, 6);
}

PANEL_TEST(test_everyone_is_counted_up_to_a_bound, d)
{
	people_come(d, MAX_QUESTION_RESPONSES + 10);
	asks(d, "", 5, MAX_QUESTION_RESPONSES);
}

static void sit(struct panel *d, struct rig_peer *p)
{
	strcpy(p->room_id, d->r.room_id);
	rig_follow(p, "");
	rig_must(p, "join", "'username':'%s'", p->name);
}

/* Whoever has no login cannot answer, nor who waits in the lobby. */
PANEL_TEST(test_a_room_is_its_members_who_are_logged_in, d)
{
	char in_room[40];
	rig_found(&d->r, d->ada, "'title':'Q'");
	(void)snprintf(in_room, sizeof(in_room), ",'room_id':'%s'", d->r.room_id);
	sit(d, d->ada);
	asks(d, in_room, 1, 0);
	sit(d, d->bob);
	sit(d, rig_guest(&d->r, "guest"));
	asks(d, in_room, 1, 1);
	rig_must(d->ada, "claim_host", "'host_key':'%s'", d->r.host_key);
	rig_must(d->ada, "set_policy", "'policy':{'lobby':true}");
	sit(d, d->cy);
	asks(d, in_room, 1, 1);
	rig_must(d->ada, "admit", "'user_id':'%s'", d->cy->user_id);
	asks(d, in_room, 2, 2);
}

PANEL_TEST(test_the_last_of_those_whom_it_concerns_closes_it, d)
{
	asks(d, "", 2, 2);
	assert_string_equal(answer(d, d->bob, "'answer':'Rosebud'"), "ok");
	status_is(d, "PARTIAL");
	assert_string_equal(answer(d, d->cy, "'answer':'Xanadu'"), "ok");
	status_is(d, "CLOSED");
}

/* The result is stored, and it was counted then. */
PANEL_TEST(test_a_repeat_is_told_the_first_count, d)
{
	const char *key = ",'idempotency_key':'0123456789abcdef'";
	asks(d, key, 2, 2);
	(void)scene_person(&d->r, "eve");
	asks(d, key, 2, 2);
}

PANEL_HEAP_TEST(test_any_allocation_may_fail, d, nth)
{
	heap_fail_nth(nth, false);
	rig_send(d->ada, "question.ask", "%s", TEXT);
	heap_fail_never();
	rig_settle(&d->r);
}
