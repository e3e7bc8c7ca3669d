/*
 * test_question_team.c - a question of a team, or to one member: seen and answered by those in the
 * team, as long as they are in it, and never lost when they go.
 */
#include "tests/unit/server/club.h"

#define TEXT "'prompt':'Which week?','type':'text'"

struct panel_of_team {
	struct club club;
	char id[32]; /* of the question that was asked last */
};

/* ada, bob and cy are in the team; dan is not. */
static int panel_open(void **state)
{
	struct panel_of_team *d = scene_init(state, sizeof(*d));
	club_begin(&d->club);
	enrol(&d->club, &d->club.bob);
	enrol(&d->club, &d->club.cy);
	return 0;
}

#define TEAM_TEST(name, d) TEST_IN(name, struct panel_of_team, d, panel_open, scene_finish)

static const char *ask(struct panel_of_team *d, struct club_user *u, const char *more)
{
	const char *asked =
		rig_must(u->peer, "question.ask", TEXT ",'group_id':'%s'%s", d->club.group, more);
	rig_field(asked, "question_id", d->id, sizeof(d->id));
	return asked;
}

static const char *answer(struct panel_of_team *d, struct club_user *u)
{
	return rig_code(u->peer, "question.answer", "'question_id':'%s','answer':'The last'",
			d->id);
}

static const char *get(struct panel_of_team *d, struct club_user *u)
{
	return rig_code(u->peer, "question.get", "'question_id':'%s'", d->id);
}

static const char *view(struct panel_of_team *d, struct club_user *u)
{
	return rig_must(u->peer, "question.get", "'question_id':'%s'", d->id);
}

static bool lists(struct panel_of_team *d, struct club_user *u)
{
	return says(rig_must(u->peer, "question.list", RIG_NONE), d->id);
}

TEAM_TEST(test_a_question_of_a_team_is_for_its_members, d)
{
	struct club *c = &d->club;
	assert_true(says(ask(d, &c->ada, ""), "'required_responses':2,'people':2}"));
	assert_true(lists(d, &c->bob));
	assert_false(lists(d, &c->dan));
	assert_string_equal(get(d, &c->dan), "QUESTION_NOT_FOUND");
	assert_string_equal(answer(d, &c->dan), "QUESTION_NOT_FOUND");
	assert_true(says(view(d, &c->bob), c->group));
	assert_string_equal(answer(d, &c->bob), "ok");
	assert_string_equal(answer(d, &c->cy), "ok");
	assert_true(says(view(d, &c->ada), "CLOSED"));
}

TEAM_TEST(test_a_question_to_one_member_is_for_that_one, d)
{
	struct club *c = &d->club;
	char to[80];
	(void)snprintf(to, sizeof(to), ",'user_id':'%s'", c->bob.session.user_id);
	assert_true(says(ask(d, &c->ada, to), "'required_responses':1,'people':1}"));
	assert_true(lists(d, &c->bob));
	assert_false(lists(d, &c->cy));
	assert_string_equal(get(d, &c->cy), "QUESTION_NOT_FOUND");
	assert_string_equal(answer(d, &c->cy), "QUESTION_NOT_FOUND");
	assert_true(says(view(d, &c->ada), c->bob.session.user_id));
	assert_string_equal(answer(d, &c->bob), "ok");
	assert_true(says(view(d, &c->bob), "CLOSED"));
	assert_string_equal(get(d, &c->cy), "QUESTION_NOT_FOUND");
}

TEAM_TEST(test_who_it_is_for_must_be_reachable_by_the_asker, d)
{
	struct club *c = &d->club;
	const struct {
		struct club_user *asker, *to;
		bool with_group, with_room;
		const char *refusal;
	} rows[] = {
		{&c->dan, NULL, true, false, "NOT_FOUND"},
		{&c->ada, &c->dan, true, false, "NOT_FOUND"},
		{&c->ada, &c->ada, true, false, "VALIDATION_ERROR user_id"},
		{&c->ada, &c->bob, false, false, "VALIDATION_ERROR user_id"},
		{&c->ada, NULL, true, true, "VALIDATION_ERROR group_id"},
		{&c->ada, &c->bob, false, true, "ROOM_NOT_FOUND"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char params[300] = TEXT;
		size_t n = strlen(params);
		if (rows[i].with_group) {
			n += (size_t)snprintf(params + n, sizeof(params) - n, ",'group_id':'%s'",
					      c->group);
		}
		if (rows[i].with_room) {
			n += (size_t)snprintf(params + n, sizeof(params) - n,
					      ",'room_id':'K7QX3M'");
		}
		if (rows[i].to != NULL) {
			(void)snprintf(params + n, sizeof(params) - n, ",'user_id':'%s'",
				       rows[i].to->session.user_id);
		}
		assert_string_equal(rig_code(rows[i].asker->peer, "question.ask", "%s", params),
				    rows[i].refusal);
	}
}

TEAM_TEST(test_whoever_is_removed_can_neither_see_nor_answer_it, d)
{
	struct club *c = &d->club;
	ask(d, &c->ada, "");
	rig_must(c->cy.peer, "question.watch", "'question_id':'%s'", d->id);
	rig_forget(c->cy.peer);
	rig_must(c->ada.peer, "group.remove_user", "'group_id':'%s','user_id':'%s'", c->group,
		 c->cy.session.user_id);
	assert_string_equal(answer(d, &c->cy), "QUESTION_NOT_FOUND");
	assert_false(lists(d, &c->cy));
	rig_forget(c->cy.peer);
	assert_string_equal(answer(d, &c->bob), "ok");
	assert_int_equal(rig_count(c->cy.peer, "question.update"), 0);
}

/* So it does not end when all have gone. */
TEAM_TEST(test_who_joins_later_can_answer_when_all_others_have_gone, d)
{
	struct club *c = &d->club;
	ask(d, &c->ada, "");
	rig_must(c->bob.peer, "group.leave", "'group_id':'%s'", c->group);
	rig_must(c->cy.peer, "group.leave", "'group_id':'%s'", c->group);
	assert_true(says(view(d, &c->ada), "'status':'OPEN'"));
	enrol(c, &c->dan);
	assert_string_equal(answer(d, &c->dan), "ok");
	assert_true(says(view(d, &c->ada), "'status':'PARTIAL'"));
}

/* What was said counts, and the question goes on for those who are left. */
TEAM_TEST(test_a_team_that_loses_its_members_loses_no_answer, d)
{
	struct club *c = &d->club;
	ask(d, &c->ada, ",'timeout_seconds':120");
	assert_string_equal(answer(d, &c->bob), "ok");
	rig_must(c->bob.peer, "group.leave", "'group_id':'%s'", c->group);
	assert_true(says(view(d, &c->ada), "'answer':'The last'"));
	assert_false(says(rig_must(c->bob.peer, "answer.mine", RIG_NONE), "'prompt'"));
	rig_must(c->ada.peer, "group.delete", "'group_id':'%s'", c->group);
	assert_string_equal(answer(d, &c->cy), "QUESTION_NOT_FOUND");
	assert_true(says(view(d, &c->ada), "'status':'PARTIAL'"));
	rig_advance(&c->r, 3 * MINUTE_MS);
	assert_true(says(view(d, &c->ada), "'status':'EXPIRED'"));
	assert_true(says(view(d, &c->ada), "'answer':'The last'"));
}

/* To the asker alone; nobody is told who has answered. */
TEAM_TEST(test_the_asker_is_told_how_many_are_left, d)
{
	struct club *c = &d->club;
	ask(d, &c->ada, "");
	assert_true(says(view(d, &c->ada), "'people':2"));
	assert_false(says(view(d, &c->bob), "'people'"));
	assert_string_equal(answer(d, &c->bob), "ok");
	assert_true(says(view(d, &c->ada), "'people':2"));
	rig_must(c->bob.peer, "group.leave", "'group_id':'%s'", c->group);
	assert_true(says(view(d, &c->ada), "'people':1"));
	rig_must(c->cy.peer, "group.leave", "'group_id':'%s'", c->group);
	assert_true(says(view(d, &c->ada), "'people':0"));
	rig_must(c->ada.peer, "group.delete", "'group_id':'%s'", c->group);
	assert_true(says(view(d, &c->ada), "'people':0"));
}

/* group.delete is answered, and the server ends before the members are removed. */
TEAM_TEST(test_a_team_that_is_deleted_has_nobody_whom_its_questions_concern, d)
{
	struct club *c = &d->club;
	ask(d, &c->ada, ",'timeout_seconds':120");
	rig_hold(&c->r);
	uint32_t sent = rig_send(c->ada.peer, "group.delete", "'group_id':'%s'", c->group);
	while (!rig_is_answered(c->ada.peer, sent)) {
		rig_let(&c->r, 1);
	}
	assert_string_equal(rig_outcome(c->ada.peer, sent), "ok");
	rig_crash(&c->r);
	rig_release(&c->r);
	c->bob.peer = resumed(c, &c->bob);
	assert_int_equal(stored_of(c, "USER", c->bob.session.user_id, "GROUP#"), 1);
	assert_string_equal(get(d, &c->bob), "QUESTION_NOT_FOUND");
}

TEAM_TEST(test_the_asker_sees_it_after_leaving, d)
{
	struct club *c = &d->club;
	ask(d, &c->bob, "");
	rig_must(c->bob.peer, "group.leave", "'group_id':'%s'", c->group);
	assert_string_equal(answer(d, &c->ada), "ok");
	assert_true(says(view(d, &c->bob), "'current_responses':1"));
}

static void subscribe(struct club_user *u)
{
	rig_must(u->peer, "subscription.create", "'channel':'live'");
}

TEAM_TEST(test_members_alone_are_notified, d)
{
	struct club *c = &d->club;
	char to[80];
	subscribe(&c->bob);
	subscribe(&c->cy);
	subscribe(&c->dan);
	ask(d, &c->ada, ",'min_responses':5");
	assert_int_equal(rig_count(c->bob.peer, "question.notice"), 1);
	assert_int_equal(rig_count(c->cy.peer, "question.notice"), 1);
	assert_int_equal(rig_count(c->dan.peer, "question.notice"), 0);
	rig_forget(c->bob.peer);
	rig_forget(c->cy.peer);
	rig_advance(&c->r, 31 * MINUTE_MS);
	(void)snprintf(to, sizeof(to), ",'user_id':'%s'", c->cy.session.user_id);
	ask(d, &c->ada, to);
	assert_int_equal(rig_count(c->bob.peer, "question.notice"), 0);
	assert_int_equal(rig_count(c->cy.peer, "question.notice"), 1);
}
