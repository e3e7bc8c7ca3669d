/*
 * test_invitation_life.c - invitations: made, used, used up, renewed, revoked, over.
 */
#include "tests/unit/server/club.h"

CLUB_TEST(test_a_code_lets_in, d)
{
	char code[40];
	invite(d, &d->ada, "", code);
	assert_int_equal(strlen(code), 24);
	for (size_t i = 0; i < 24; i++) {
		assert_int_equal(i % 5 == 4, code[i] == '-');
		assert_true(i % 5 == 4 || strchr(CODE_ALPHABET, code[i]) != NULL);
	}
	assert_true(says(rig_must(d->bob.peer, "invitation.get", "'code':'%s'", code),
			 "{'group_name':'Payments','link_expiry_datetime':1700086400000}"));
	char expected[120];
	(void)snprintf(expected, sizeof(expected), "{'group_id':'%s','group_name':'Payments'}",
		       d->group);
	assert_string_equal(rig_must(d->bob.peer, "group.join", "'code':'%s'", code), expected);
	assert_true(says(group_of(d, &d->bob), "'role':'member','users':2,'version':2"));
	assert_true(says(rig_must(d->bob.peer, "group.list", RIG_NONE), d->group));
}

CLUB_TEST(test_a_code_may_come_in_lower_case_and_without_its_dashes, d)
{
	char code[40], bare[40] = "";
	invite(d, &d->ada, "", code);
	for (const char *c = code; *c != '\0'; c++) {
		char low = *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c;
		strncat(bare, &low, *c == '-' ? 0 : 1);
	}
	assert_int_equal(strlen(bare), 20);
	assert_string_equal(join(&d->bob, bare), "ok");
}

CLUB_TEST(test_joining_again_is_fine_and_uses_nothing_up, d)
{
	char code[40];
	invite(d, &d->ada, ",'uses':2", code);
	assert_string_equal(join(&d->bob, code), "ok");
	assert_string_equal(join(&d->bob, code), "ok");
	assert_string_equal(join(&d->ada, code), "ok");
	assert_true(
		says(rig_must(d->cy.peer, "invitation.get", "'code':'%s'", code), "'uses_left':1"));
	assert_true(says(group_of(d, &d->ada), "'role':'owner','users':2"));
}

CLUB_TEST(test_the_last_use_ends_it, d)
{
	char code[40];
	invite(d, &d->ada, ",'uses':1", code);
	assert_string_equal(join(&d->bob, code), "ok");
	assert_string_equal(join(&d->cy, code), "NOT_FOUND");
	assert_int_equal(stored_of(d, "GROUP", d->group, "INVITATION#"), 0);
	assert_false(says(list_of(d, &d->ada), "invitation_id"));
}

/* Whether the second waits in line for the first, or its text is another one and their commits meet. */
CLUB_TEST(test_of_two_who_use_it_last_one_gets_in, d)
{
	for (int crossed = 0; crossed < 2; crossed++) {
		char code[40], same[40];
		invite(d, &d->ada, ",'uses':1", code);
		(void)snprintf(same, sizeof(same), "%s", code);
		same[4] = crossed == 1 ? ' ' : '-';
		rig_hold(&d->r);
		uint32_t first = rig_send(d->bob.peer, "group.join", "'code':'%s'", code);
		uint32_t second = rig_send(d->cy.peer, "group.join", "'code':'%s'", same);
		rig_release(&d->r);
		assert_string_equal(rig_outcome(d->bob.peer, first), "ok");
		assert_string_equal(rig_outcome(d->cy.peer, second), "NOT_FOUND");
		assert_true(says(group_of(d, &d->ada), "'users':2"));
		assert_string_equal(of_group(d, &d->bob, "group.leave", ""), "ok");
	}
}

CLUB_TEST(test_twenty_who_join_at_once_all_get_in, d)
{
	char code[40];
	struct club_user all[20];
	uint32_t sent[20];
	invite(d, &d->ada, "", code);
	for (size_t i = 0; i < 20; i++) {
		char name[2] = {(char)('A' + i), '\0'};
		all[i] = club_user(d, name);
	}
	rig_hold(&d->r);
	for (size_t i = 0; i < 20; i++) {
		sent[i] = rig_send(all[i].peer, "group.join", "'code':'%s'", code);
	}
	rig_release(&d->r);
	for (size_t i = 0; i < 20; i++) {
		assert_string_equal(rig_outcome(all[i].peer, sent[i]), "ok");
	}
	assert_true(says(group_of(d, &d->ada), "'users':21"));
}

CLUB_TEST(test_it_ends_with_its_time_and_the_sweeper_takes_it, d)
{
	char code[40];
	invite(d, &d->ada, ",'expires_in_seconds':60", code);
	rig_advance(&d->r, MINUTE_MS - 1);
	assert_string_equal(rig_code(d->bob.peer, "invitation.get", "'code':'%s'", code), "ok");
	rig_advance(&d->r, 1);
	assert_string_equal(join(&d->bob, code), "NOT_FOUND");
	assert_false(says(list_of(d, &d->ada), "invitation_id"));
	rig_advance(&d->r, 10 * SECOND_MS);
	assert_int_equal(stored_of(d, "GROUP", d->group, "INVITATION#"), 0);
	for (int i = 0; i < MAX_GROUP_INVITATIONS; i++) { /* and it counts no more */
		invite(d, &d->ada, "", code);
	}
}

CLUB_TEST(test_a_renewed_one_keeps_its_code, d)
{
	char code[40], id[32];
	invite_as(d, &d->ada, ",'expires_in_seconds':60", code, id);
	rig_advance(&d->r, 30 * SECOND_MS);
	const char *renewed = rig_must(d->ada.peer, "invitation.renew",
				       "'group_id':'%s','invitation_id':'%s'", d->group, id);
	assert_int_equal(rig_field_number(renewed, "link_expiry_datetime"), d->r.wall_ms + DAY_MS);
	rig_advance(&d->r, 55 * MINUTE_MS);
	assert_string_equal(join(&d->bob, code), "ok");
}

CLUB_TEST(test_a_revoked_one_lets_nobody_in, d)
{
	char code[40], id[32];
	invite_as(d, &d->ada, "", code, id);
	assert_string_equal(of_invitation(d, &d->ada, "invitation.revoke", id), "ok");
	assert_string_equal(join(&d->bob, code), "NOT_FOUND");
	assert_string_equal(of_invitation(d, &d->ada, "invitation.revoke", id), "NOT_FOUND");
	assert_string_equal(of_invitation(d, &d->ada, "invitation.renew", id), "NOT_FOUND");
	assert_int_equal(stored_of(d, "GROUP", d->group, "INVITATION#"), 0);
}

CLUB_TEST(test_an_expired_one_cannot_be_renewed, d)
{
	char code[40], id[32];
	invite_as(d, &d->ada, ",'expires_in_seconds':60", code, id);
	rig_advance(&d->r, MINUTE_MS);
	assert_string_equal(of_invitation(d, &d->ada, "invitation.renew", id), "NOT_FOUND");
}

CLUB_TEST(test_the_list_shows_no_codes_and_comes_in_pages, d)
{
	char codes[5][40], cursor[160] = "";
	size_t n = 0;
	for (size_t i = 0; i < 5; i++) {
		invite(d, &d->ada, i == 0 ? ",'uses':7" : "", codes[i]);
		rig_advance(&d->r, SECOND_MS);
	}
	char creator[96];
	(void)snprintf(creator, sizeof(creator), "'created_by':'%s'", d->ada.session.user_id);
	do {
		const char *page = cursor[0] == '\0'
					   ? rig_must(d->ada.peer, "invitation.list",
						      "'group_id':'%s','limit':2", d->group)
					   : rig_must(d->ada.peer, "invitation.list",
						      "'group_id':'%s','limit':2,'cursor':'%s'",
						      d->group, cursor);
		for (const char *at = page; (at = strstr(at, creator)) != NULL; at++) {
			n++;
		}
		for (size_t i = 0; i < 5; i++) {
			assert_false(says(page, codes[i]));
		}
		assert_true((cursor[0] == '\0') == says(page, "'uses_left':7"));
		bool has_more = says(page, "'cursor'");
		cursor[0] = '\0';
		if (has_more) {
			rig_field(page, "cursor", cursor, sizeof(cursor));
		}
	} while (cursor[0] != '\0');
	assert_int_equal(n, 5);
}

CLUB_TEST(test_a_group_has_fifty_at_most, d)
{
	char code[40];
	for (int i = 0; i < MAX_GROUP_INVITATIONS; i++) {
		invite(d, &d->ada, "", code);
	}
	assert_string_equal(of_group(d, &d->ada, "invitation.create", ""), "QUOTA_EXCEEDED");
	assert_int_equal(stored_of(d, "GROUP", d->group, "INVITATION#"), MAX_GROUP_INVITATIONS);
}

CLUB_TEST(test_its_bounds_are_checked, d)
{
	assert_string_equal(of_group(d, &d->ada, "invitation.create", ",'expires_in_seconds':59"),
			    "VALIDATION_ERROR expires_in_seconds");
	assert_string_equal(of_group(d, &d->ada, "invitation.create",
				     ",'expires_in_seconds':2592001"),
			    "VALIDATION_ERROR expires_in_seconds");
	assert_string_equal(of_group(d, &d->ada, "invitation.create",
				     ",'expires_in_seconds':2592000,'uses':1000"),
			    "ok");
	assert_string_equal(of_group(d, &d->ada, "invitation.create", ",'uses':0"),
			    "VALIDATION_ERROR uses");
	assert_string_equal(of_group(d, &d->ada, "invitation.create", ",'uses':1001"),
			    "VALIDATION_ERROR uses");
}

/* ---- repeats ---- */

CLUB_TEST(test_a_repeat_gets_the_same_code, d)
{
	char first[200], params[120];
	(void)snprintf(params, sizeof(params),
		       "'group_id':'%s','idempotency_key':'0123456789abcdef'", d->group);
	(void)snprintf(first, sizeof(first), "%s",
		       rig_must(d->ada.peer, "invitation.create", "%s", params));
	rig_crash(&d->r);
	d->ada.peer = resumed(d, &d->ada);
	assert_string_equal(rig_must(d->ada.peer, "invitation.create", "%s", params), first);
	assert_int_equal(stored_of(d, "GROUP", d->group, "INVITATION#"), 1);
	char id[32];
	rig_field(first, "invitation_id", id, sizeof(id));
	assert_string_equal(of_invitation(d, &d->ada, "invitation.revoke", id), "ok");
	assert_string_equal(rig_code(d->ada.peer, "invitation.create", "%s", params), "CONFLICT");
}

CLUB_TEST(test_a_repeat_does_not_get_a_code_whose_time_is_up, d)
{
	char params[160];
	(void)snprintf(params, sizeof(params),
		       "'group_id':'%s','expires_in_seconds':600,"
		       "'idempotency_key':'0123456789abcdef'",
		       d->group);
	rig_must(d->ada.peer, "invitation.create", "%s", params);
	d->r.wall_ms += 600 * 1000;
	assert_int_equal(stored_of(d, "GROUP", d->group, "INVITATION#"), 1); /* nobody swept it */
	assert_string_equal(rig_code(d->ada.peer, "invitation.create", "%s", params), "CONFLICT");
}

/* The key is forgotten by then: what was revoked, or has ended, stays so, and its code opens nothing any more. */
CLUB_TEST(test_a_code_does_not_come_again_when_its_key_is_forgotten, d)
{
	char params[120], code[40], id[32], later[40];
	(void)snprintf(params, sizeof(params),
		       "'group_id':'%s','idempotency_key':'0123456789abcdef'", d->group);
	const char *made = rig_must(d->ada.peer, "invitation.create", "%s", params);
	rig_field(made, "code", code, sizeof(code));
	rig_field(made, "invitation_id", id, sizeof(id));
	assert_string_equal(of_invitation(d, &d->ada, "invitation.revoke", id), "ok");
	rig_advance(&d->r, DAY_MS - HOUR_MS);
	d->ada.peer = rig_connect(&d->r, "ada");
	d->ada.session = login_signed(d->ada.peer, "ada", &d->ada.key);
	assert_string_equal(rig_code(d->ada.peer, "invitation.create", "%s", params), "CONFLICT");
	rig_advance(&d->r, 2 * HOUR_MS);
	d->ada.peer = rig_connect(&d->r, "ada");
	login_signed(d->ada.peer, "ada", &d->ada.key);
	made = rig_must(d->ada.peer, "invitation.create", "%s", params);
	rig_field(made, "code", later, sizeof(later));
	assert_string_not_equal(later, code);
	assert_true(says(rig_must(d->ada.peer, "invitation.create", "%s", params), later));
	struct club_user bob = d->bob;
	bob.peer = rig_connect(&d->r, "bob");
	login_signed(bob.peer, "bob", &d->bob.key);
	assert_string_equal(join(&bob, code), "NOT_FOUND");
	assert_string_equal(join(&bob, later), "ok");
}

/* The code depends on the time, and the request is done once, however long it waits. */
CLUB_TEST(test_a_request_with_a_key_may_wait, d)
{
	rig_hold(&d->r);
	uint32_t sent = rig_send(d->ada.peer, "invitation.create",
				 "'group_id':'%s','idempotency_key':'0123456789abcdef'", d->group);
	for (size_t i = 0; i < 20 && !rig_is_answered(d->ada.peer, sent); i++) {
		rig_let(&d->r, 1);
		rig_advance(&d->r, 100);
	}
	assert_true(rig_is_answered(d->ada.peer, sent));
	rig_release(&d->r);
	assert_string_equal(rig_outcome(d->ada.peer, sent), "ok");
	assert_int_equal(stored_of(d, "GROUP", d->group, "INVITATION#"), 1);
}

CLUB_TEST(test_a_repeated_join_is_answered_though_it_was_the_last_use, d)
{
	char code[40], params[120], first[160];
	invite(d, &d->ada, ",'uses':1", code);
	(void)snprintf(params, sizeof(params), "'code':'%s','idempotency_key':'0123456789abcdef'",
		       code);
	store_mem_lose_answers(d->r.store, 1);
	(void)rig_send(d->bob.peer, "group.join", "%s", params);
	assert_false(d->bob.peer->is_open);
	d->bob.peer = resumed(d, &d->bob);
	(void)snprintf(first, sizeof(first), "%s",
		       rig_must(d->bob.peer, "group.join", "%s", params));
	assert_string_equal(rig_must(d->bob.peer, "group.join", "%s", params), first);
	assert_true(says(group_of(d, &d->ada), "'users':2"));
}

/* Whatever fails for want of memory can be done when there is some, and is done once. */
CLUB_HEAP_TEST(test_any_allocation_may_fail, d, nth)
{
	static const char *const key = "'idempotency_key':'0123456789abcdef'";
	char code[40], params[160];
	invite(d, &d->ada, ",'uses':1", code);
	(void)snprintf(params, sizeof(params), "'code':'%s',%s", code, key);
	heap_fail_nth(nth, false);
	rig_send(d->bob.peer, "invitation.get", "'code':'%s'", code);
	if (d->bob.peer->is_open) {
		rig_send(d->bob.peer, "group.join", "%s", params);
	}
	if (d->ada.peer->is_open) {
		rig_send(d->ada.peer, "invitation.create", "'group_id':'%s',%s", d->group, key);
		rig_send(d->ada.peer, "invitation.list", "'group_id':'%s'", d->group);
	}
	heap_fail_never();
	rig_settle(&d->r);
	rig_must(resumed(d, &d->bob), "group.join", "%s", params);
	d->ada.peer = resumed(d, &d->ada);
	rig_must(d->ada.peer, "invitation.create", "'group_id':'%s',%s", d->group, key);
	assert_true(says(group_of(d, &d->ada), "'users':2"));
	assert_int_equal(stored_of(d, "GROUP", d->group, "INVITATION#"), 1);
	assert_int_equal(stored_of(d, "USER", d->bob.session.user_id, "GROUP#"), 1);
}
