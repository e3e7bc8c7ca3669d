/*
 * test_group_members.c - who is in a group, what they may, and that it always has an owner.
 */
#include "tests/unit/server/club.h"

/* ada owns the group, bob and cy are in it, dan is not. */
static int three_open(void **state)
{
	club_open(state);
	struct club *d = *state;
	enrol(d, &d->bob);
	enrol(d, &d->cy);
	return 0;
}

#define THREE_TEST(name, d) TEST_IN(name, struct club, d, three_open, scene_finish)
#define THREE_HEAP_TEST(name, d, nth) \
	HEAP_TEST_IN(name, struct club, d, nth, three_open, scene_finish)

/* ---- what they may ---- */

#define ON_INVITATION ",'invitation_id':'INVITATION'"
#define ON_CY	      ",'user_id':'CY'"

static const struct {
	const char *method;
	const char *more; /* behind group_id; INVITATION is ada's, CY cy's user_id */
	const char *of_member, *of_owner;
} rights[] = {
	{"group.get", "", "ok", "ok"},
	{"group.is_user", ON_CY, "ok", "ok"},
	{"group.users", "", "ok", "ok"},
	{"group.watch", "", "ok", "ok"},
	{"group.rooms", "", "ok", "ok"},
	{"group.references", ",'estimate':'5'", "ok", "ok"},
	{"room.create", "", "ok", "ok"},
	{"group.leave", "", "ok", "ok"},
	{"group.rename", ",'group_name':'x'", "FORBIDDEN", "ok"},
	{"group.set_role", ON_CY ",'role':'owner'", "FORBIDDEN", "ok"},
	{"group.set_defaults", ",'deck':'tshirt'", "FORBIDDEN", "ok"},
	{"group.delete", "", "FORBIDDEN", "ok"},
	{"group.remove_user", ON_CY, "FORBIDDEN", "ok"},
	{"container.create", "", "ok", "ok"},
	{"container.list", "", "ok", "ok"},
	{"item.expiring", ",'before':9", "ok", "ok"},
	{"invitation.create", "", "ok", "ok"},
	{"invitation.list", "", "ok", "ok"},
	{"invitation.renew", ON_INVITATION, "FORBIDDEN", "ok"},
	{"invitation.revoke", ON_INVITATION, "FORBIDDEN", "ok"},
};

TEST(test_everybody_may_what_the_table_says)
{
	for (size_t i = 0; i < sizeof(rights) / sizeof(rights[0]); i++) {
		for (int as_owner = 0; as_owner < 2; as_owner++) {
			void *state;
			char code[40], id[32], more[240];
			three_open(&state);
			struct club *d = state;
			invite_as(d, &d->ada, "", code, id);
			(void)snprintf(more, sizeof(more), "%s", rights[i].more);
			substitute(more, sizeof(more), "INVITATION", id);
			substitute(more, sizeof(more), "CY", d->cy.session.user_id);
			if (as_owner == 1) {
				of_user(d, &d->ada, "group.set_role", &d->bob, ",'role':'owner'");
			}
			const char *outcome = of_group(d, &d->bob, rights[i].method, more);
			const char *expected =
				as_owner == 1 ? rights[i].of_owner : rights[i].of_member;
			if (strcmp(outcome, expected) != 0) {
				fail_msg("%s as %s: %s", rights[i].method,
					 as_owner == 1 ? "owner" : "member", outcome);
			}
			/* The code, and in room.create the field behind it. */
			outcome = of_group(d, &d->dan, rights[i].method, more);
			assert_int_equal(strncmp(outcome, "NOT_FOUND", sizeof("NOT_FOUND") - 1), 0);
			scene_finish(&state);
		}
	}
}

CLUB_TEST(test_who_made_an_invitation_may_change_it, d)
{
	char code[40], id[32];
	enrol(d, &d->bob);
	invite_as(d, &d->bob, "", code, id);
	assert_string_equal(of_invitation(d, &d->bob, "invitation.renew", id), "ok");
	assert_string_equal(of_invitation(d, &d->bob, "invitation.revoke", id), "ok");
}

/* ---- who is there ---- */

THREE_TEST(test_the_users_of_a_group_come_in_the_order_they_joined, d)
{
	char expected[400];
	(void)snprintf(
		expected, sizeof(expected),
		"{'users':[{'user_id':'%s','user_name':'ada','role':'owner','joined_on':%lld}"
		",{'user_id':'%s','user_name':'bob','role':'member'",
		d->ada.session.user_id, (long long)RIG_WALL, d->bob.session.user_id);
	(void)of_user(d, &d->ada, "group.set_role", &d->cy, ",'role':'owner'");
	assert_true(
		says(rig_must(d->bob.peer, "group.users", "'group_id':'%s'", d->group), expected));
	assert_true(says(rig_must(d->bob.peer, "group.users", "'group_id':'%s'", d->group),
			 "'user_name':'cy','role':'owner'"));
}

THREE_TEST(test_pages_of_users_have_each_once, d)
{
	char cursor[160] = "";
	size_t n = 0;
	enrol(d, &d->dan);
	do {
		const char *page = cursor[0] == '\0'
					   ? rig_must(d->bob.peer, "group.users",
						      "'group_id':'%s','limit':3", d->group)
					   : rig_must(d->bob.peer, "group.users",
						      "'group_id':'%s','limit':3,'cursor':'%s'",
						      d->group, cursor);
		assert_true(says(page, "'version':4"));
		for (const char *at = page; (at = strstr(at, "'joined_on'")) != NULL; at++) {
			n++;
		}
		bool has_more = says(page, "'cursor'");
		cursor[0] = '\0';
		if (has_more) { /* one that leaves the list does not disturb it */
			rig_field(page, "cursor", cursor, sizeof(cursor));
		}
	} while (cursor[0] != '\0');
	assert_int_equal(n, 4);
}

THREE_TEST(test_users_of_one_group_know_of_each_other, d)
{
	rig_must(d->cy.peer, "user.update", "'email_address':'cy@example.org'");
	const char *cy = rig_must(d->bob.peer, "user.get", "'user_id':'%s'", d->cy.session.user_id);
	assert_true(says(cy, "'user_name':'cy'}"));
	assert_false(says(cy, "email"));
	assert_true(
		says(rig_must(d->bob.peer, "user.get_by_email", "'email_address':'CY@example.org'"),
		     d->cy.session.user_id));
	assert_string_equal(rig_code(d->dan.peer, "user.get", "'user_id':'%s'",
				     d->cy.session.user_id),
			    "NOT_FOUND");
	assert_string_equal(of_group(d, &d->cy, "group.leave", ""), "ok");
	assert_string_equal(rig_code(d->bob.peer, "user.get", "'user_id':'%s'",
				     d->cy.session.user_id),
			    "NOT_FOUND");
	assert_string_equal(rig_code(d->bob.peer, "user.get_by_email",
				     "'email_address':'cy@example.org'"),
			    "NOT_FOUND");
}

THREE_TEST(test_is_user_tells_who_is_in_the_group, d)
{
	static const char *const is = "'is_user':true";
	const char *answer =
		rig_must(d->bob.peer, "group.is_user", "'group_id':'%s','user_id':'%s'", d->group,
			 d->cy.session.user_id);
	assert_true(says(answer, is));
	answer = rig_must(d->bob.peer, "group.is_user", "'group_id':'%s','user_id':'%s'", d->group,
			  d->dan.session.user_id);
	assert_false(says(answer, is));
	answer = rig_must(d->bob.peer, "group.is_user", "'group_id':'%s','user_id':'x\\u0000'",
			  d->group);
	assert_false(says(answer, is));
}

/* ---- leaving ---- */

THREE_TEST(test_who_leaves_is_a_stranger, d)
{
	assert_string_equal(of_group(d, &d->bob, "group.leave", ""), "ok");
	assert_string_equal(of_group(d, &d->bob, "group.get", ""), "NOT_FOUND");
	assert_true(says(group_of(d, &d->ada), "'users':2,'version':4"));
	assert_string_equal(rig_must(d->bob.peer, "group.list", RIG_NONE), "{'groups':[]}");
	enrol(d, &d->bob);
	assert_true(says(group_of(d, &d->ada), "'users':3"));
}

THREE_TEST(test_the_last_owner_among_others_stays_and_stays_owner, d)
{
	assert_string_equal(of_group(d, &d->ada, "group.leave", ""), "CONFLICT");
	assert_string_equal(of_user(d, &d->ada, "group.remove_user", &d->ada, ""), "CONFLICT");
	assert_string_equal(of_user(d, &d->ada, "group.set_role", &d->ada, ",'role':'member'"),
			    "CONFLICT");
	assert_string_equal(of_user(d, &d->ada, "group.set_role", &d->bob, ",'role':'owner'"),
			    "ok");
	assert_string_equal(of_user(d, &d->ada, "group.set_role", &d->ada, ",'role':'member'"),
			    "ok");
	assert_string_equal(of_group(d, &d->ada, "group.rename", ",'group_name':'x'"), "FORBIDDEN");
	assert_string_equal(of_group(d, &d->bob, "group.leave", ""), "CONFLICT");
	assert_string_equal(of_group(d, &d->ada, "group.leave", ""), "ok");
}

/* promise: always-an-owner */
CLUB_TEST(test_the_only_user_cannot_leave, d)
{
	assert_string_equal(of_group(d, &d->ada, "group.leave", ""), "CONFLICT");
	assert_string_equal(of_user(d, &d->ada, "group.set_role", &d->ada, ",'role':'member'"),
			    "CONFLICT");
}

/* Also where both ask at once, each in their own request. */
/* promise: always-an-owner */
THREE_TEST(test_of_two_owners_who_leave_at_once_one_stays, d)
{
	(void)of_user(d, &d->ada, "group.set_role", &d->bob, ",'role':'owner'");
	rig_hold(&d->r);
	uint32_t a = rig_send(d->ada.peer, "group.leave", "'group_id':'%s'", d->group);
	char lower[32]; /* another text of the id does not wait for the first */
	for (size_t i = 0; i <= strlen(d->group); i++) {
		char c = d->group[i];
		lower[i] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
	}
	uint32_t b = rig_send(d->bob.peer, "group.leave", "'group_id':'%s'", lower);
	rig_release(&d->r);
	bool has_ada_left = strcmp(rig_outcome(d->ada.peer, a), "ok") == 0;
	assert_string_equal(rig_outcome(d->bob.peer, b), has_ada_left ? "CONFLICT" : "ok");
	assert_true(says(group_of(d, &d->cy), "'users':2"));
}

THREE_TEST(test_a_removed_user_is_a_stranger_whose_own_invitations_have_ended, d)
{
	char of_bob[40], of_ada[40];
	invite(d, &d->bob, "", of_bob);
	invite(d, &d->ada, "", of_ada);
	rig_advance(&d->r, SECOND_MS);
	assert_string_equal(of_user(d, &d->ada, "group.remove_user", &d->bob, ""), "ok");
	assert_string_equal(of_group(d, &d->bob, "group.get", ""), "NOT_FOUND");
	assert_string_equal(join(&d->bob, of_bob), "NOT_FOUND");
	assert_string_equal(of_user(d, &d->ada, "group.remove_user", &d->bob, ""), "NOT_FOUND");
	assert_string_equal(of_user(d, &d->ada, "group.set_role", &d->bob, ",'role':'owner'"),
			    "NOT_FOUND");
	assert_string_equal(join(&d->bob, of_ada), "FORBIDDEN");
}

THREE_TEST(test_who_leaves_takes_their_invitations_along, d)
{
	char of_bob[40], of_ada[40];
	invite(d, &d->bob, "", of_bob);
	invite(d, &d->bob, "", of_bob);
	invite(d, &d->ada, "", of_ada);
	assert_string_equal(of_group(d, &d->bob, "group.leave", ""), "ok");
	assert_int_equal(stored_of(d, "GROUP", d->group, "INVITATION#"), 1);
	assert_string_equal(join(&d->dan, of_bob), "NOT_FOUND");
	assert_string_equal(join(&d->bob, of_ada), "ok");
	assert_string_equal(join(&d->dan, of_bob), "NOT_FOUND");
}

/* A member whose request waits while they are removed. */
THREE_TEST(test_a_member_who_is_removed_meanwhile_may_nothing_more, d)
{
	rig_hold(&d->r);
	uint32_t removal =
		rig_send(d->ada.peer, "group.remove_user", "'group_id':'%s','user_id':'%s'",
			 d->group, d->bob.session.user_id);
	uint32_t invitation =
		rig_send(d->bob.peer, "invitation.create", "'group_id':'%s'", d->group);
	rig_release(&d->r);
	assert_string_equal(rig_outcome(d->ada.peer, removal), "ok");
	assert_string_equal(rig_outcome(d->bob.peer, invitation), "NOT_FOUND");
	assert_int_equal(stored_of(d, "GROUP", d->group, "INVITATION#"), 0);
}

CLUB_TEST(test_a_full_group_takes_nobody, d)
{
	char code[40];
	invite(d, &d->ada, "", code);
	assert_string_equal(join(&d->bob, code), "ok");
	d->r.config.limits[LIMIT_GROUP_USERS] = 2;
	rig_crash(&d->r);
	d->cy.peer = resumed(d, &d->cy);
	assert_string_equal(join(&d->cy, code), "QUOTA_EXCEEDED");
}

THREE_TEST(test_leaving_makes_room_for_another_group, d)
{
	for (int i = 1; i < MAX_GROUPS_OF_USER; i++) {
		rig_advance(&d->r, 4 * MINUTE_MS);
		assert_string_equal(rig_code(d->bob.peer, "group.create", RIG_NONE), "ok");
	}
	rig_advance(&d->r, 4 * MINUTE_MS);
	assert_string_equal(rig_code(d->bob.peer, "group.create", RIG_NONE), "QUOTA_EXCEEDED");
	assert_string_equal(of_group(d, &d->bob, "group.leave", ""), "ok");
	assert_string_equal(rig_code(d->bob.peer, "group.create", RIG_NONE), "ok");
}

/* ---- failures ---- */

THREE_TEST(test_a_removal_that_was_not_stored_has_not_happened, d)
{
	rig_fail_commits(&d->r, 1, ERR_IO);
	assert_string_equal(of_user(d, &d->ada, "group.remove_user", &d->bob, ""), "UNAVAILABLE");
	assert_string_equal(of_group(d, &d->bob, "group.get", ""), "ok");
	store_mem_lose_answers(d->r.store, 1);
	(void)rig_send(d->ada.peer, "group.remove_user", "'group_id':'%s','user_id':'%s'", d->group,
		       d->bob.session.user_id);
	assert_false(d->ada.peer->is_open);
	d->ada.peer = resumed(d, &d->ada);
	assert_true(says(group_of(d, &d->ada), "'users':2"));
}

/* Whatever fails for want of memory can be done when there is some, and is done once. */
THREE_HEAP_TEST(test_any_allocation_may_fail, d, nth)
{
	const char *id = d->cy.session.user_id;
	heap_fail_nth(nth, false);
	rig_send(d->bob.peer, "group.leave", "'group_id':'%s'", d->group);
	if (d->ada.peer->is_open) {
		rig_send(d->ada.peer, "group.set_role",
			 "'group_id':'%s','user_id':'%s','role':'owner'", d->group, id);
	}
	if (d->ada.peer->is_open) {
		rig_send(d->ada.peer, "group.remove_user", "'group_id':'%s','user_id':'%s'",
			 d->group, id);
		rig_send(d->ada.peer, "user.get", "'user_id':'%s'", id);
	}
	heap_fail_never();
	rig_settle(&d->r);
	d->ada.peer = resumed(d, &d->ada);
	d->bob.peer = resumed(d, &d->bob);
	(void)of_group(d, &d->bob, "group.leave", "");
	(void)of_user(d, &d->ada, "group.remove_user", &d->cy, "");
	assert_true(says(group_of(d, &d->ada), "'role':'owner','users':1"));
	assert_int_equal(stored_of(d, "USER", d->bob.session.user_id, "GROUP#"), 0);
	assert_int_equal(stored_of(d, "USER", id, "GROUP#"), 0);
}
