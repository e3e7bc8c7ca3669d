/*
 * test_group_life.c - making groups, finding them, naming them, and their bounds.
 */
#include "tests/unit/server/club.h"

CLUB_TEST(test_a_group_is_made_with_its_owner_and_a_container, d)
{
	char expected[200];
	(void)snprintf(expected, sizeof(expected),
		       "{'group_id':'%s','group_name':'Payments','role':'owner','users':1,"
		       "'version':1}",
		       d->group);
	assert_string_equal(group_of(d, &d->ada), expected);
	assert_string_equal(rig_must(d->ada.peer, "group.get", "'container_id':'%s'", d->container),
			    expected);
	assert_memory_equal(d->group, "g_", 2);
	assert_memory_equal(d->container, "c_", 2);
	assert_int_equal(strlen(d->group), 12);
	assert_int_equal(stored_of(d, "GROUP", d->group, "GROUP"), 1);
	assert_int_equal(stored_of(d, "GROUP", d->group, "CONTAINER#"), 1);
	assert_int_equal(stored_of(d, "CONTAINER", d->container, "CONTAINER"), 1);
	assert_int_equal(stored_of(d, "USER", d->ada.session.user_id, "GROUP#"), 1);
}

CLUB_TEST(test_names_are_there_where_none_is_given, d)
{
	found_group(d, &d->bob, "");
	assert_true(says(group_of(d, &d->bob), "'group_name':'Team'"));
}

CLUB_TEST(test_an_id_may_come_in_lower_case, d)
{
	char lower[32];
	(void)snprintf(lower, sizeof(lower), "%s", d->group);
	for (char *c = lower; *c != '\0'; c++) {
		*c = *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c;
	}
	assert_true(says(rig_must(d->ada.peer, "group.get", "'group_id':'%s'", lower), d->group));
}

CLUB_TEST(test_a_group_is_asked_for_by_one_id, d)
{
	assert_string_equal(rig_code(d->ada.peer, "group.get", RIG_NONE),
			    "VALIDATION_ERROR group_id");
	assert_string_equal(rig_code(d->ada.peer, "group.get",
				     "'group_id':'%s','container_id':'%s'", d->group, d->container),
			    "VALIDATION_ERROR group_id");
	assert_string_equal(rig_code(d->ada.peer, "group.get", "'group_id':'%s'", d->container),
			    "NOT_FOUND");
	assert_string_equal(rig_code(d->ada.peer, "group.get", "'container_id':'%s'", d->group),
			    "NOT_FOUND");
}

CLUB_TEST(test_the_list_has_the_callers_groups_page_by_page, d)
{
	char cursor[160] = "";
	size_t n = 0;
	for (int i = 0; i < 6; i++) {
		char name[40];
		(void)snprintf(name, sizeof(name), "'group_name':'no. %d'", i);
		found_group(d, &d->bob, name);
	}
	found_group(d, &d->cy, "'group_name':'cy alone'");
	do {
		const char *page = cursor[0] == '\0'
					   ? rig_must(d->bob.peer, "group.list", "'limit':4")
					   : rig_must(d->bob.peer, "group.list",
						      "'limit':4,'cursor':'%s'", cursor);
		for (const char *at = page; (at = strstr(at, "'group_name':'no. ")) != NULL; at++) {
			n++;
		}
		assert_false(says(page, "cy alone"));
		bool has_more = says(page, "cursor");
		cursor[0] = '\0';
		if (has_more) {
			rig_field(page, "cursor", cursor, sizeof(cursor));
			assert_string_equal(rig_code(d->cy.peer, "group.list", "'cursor':'%s'",
						     cursor),
					    "VALIDATION_ERROR cursor");
		}
	} while (cursor[0] != '\0');
	assert_int_equal(n, 6);
	assert_string_equal(rig_code(d->bob.peer, "group.list", "'cursor':'x'"),
			    "VALIDATION_ERROR cursor");
	assert_string_equal(rig_must(d->dan.peer, "group.list", RIG_NONE), "{'groups':[]}");
}

/* Names of the greatest length do not fit one message together. */
CLUB_TEST(test_a_page_ends_where_its_message_does, d)
{
	char params[1400] = "'group_name':'";
	char cursor[160] = "";
	size_t n = 0, pages = 0;
	for (int i = 0; i < MAX_TEAM_NAME_CHARS; i++) {
		strcat(params, "\xf0\x9f\x82\xa1");
	}
	strcat(params, "'");
	d->r.config.limits[LIMIT_GROUPS_PER_HOUR] = 100;
	for (int i = 0; i < 70; i++) {
		rig_advance(&d->r, 4 * MINUTE_MS);
		rig_must(d->ada.peer, "group.create", "%s", params);
	}
	do {
		const char *page = cursor[0] == '\0' ? rig_must(d->ada.peer, "group.list", RIG_NONE)
						     : rig_must(d->ada.peer, "group.list",
								"'cursor':'%s'", cursor);
		for (const char *at = page; (at = strstr(at, "'group_id'")) != NULL; at++) {
			n++;
		}
		pages++;
		bool has_more = says(page, "cursor");
		cursor[0] = '\0';
		if (has_more) {
			rig_field(page, "cursor", cursor, sizeof(cursor));
		}
	} while (cursor[0] != '\0');
	assert_int_equal(n, 71);
	assert_int_equal(pages, 2);
}

CLUB_TEST(test_a_group_gets_another_name, d)
{
	assert_string_equal(of_group(d, &d->ada, "group.rename", ",'group_name':' Pay  Ltd '"),
			    "ok");
	assert_true(says(group_of(d, &d->ada), "'group_name':'Pay Ltd'"));
	assert_true(says(group_of(d, &d->ada), "'version':2"));
	assert_string_equal(of_group(d, &d->ada, "group.rename", ",'group_name':'Pay Ltd'"), "ok");
	assert_true(says(group_of(d, &d->ada), "'version':2"));
}

CLUB_TEST(test_names_have_1_to_255_characters, d)
{
	char name[4 * 300 + 32];
	static const char *const bad[] = {"''", "'a\\u001b'", "'a\\u202eb'", "'\\u0000'", "5"};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		(void)snprintf(name, sizeof(name), ",'group_name':%s", bad[i]);
		assert_string_equal(of_group(d, &d->ada, "group.rename", name),
				    "VALIDATION_ERROR group_name");
	}
	for (size_t chars = MAX_TEAM_NAME_CHARS; chars <= 300; chars += 45) {
		strcpy(name, ",'group_name':'");
		for (size_t i = 0; i < chars; i++) {
			strcat(name, "\xf0\x9f\x82\xa1");
		}
		strcat(name, "'");
		assert_string_equal(of_group(d, &d->ada, "group.rename", name),
				    chars == MAX_TEAM_NAME_CHARS ? "ok"
								 : "VALIDATION_ERROR group_name");
	}
}

CLUB_TEST(test_twenty_groups_an_hour_are_enough, d)
{
	for (int i = 1; i < 20; i++) {
		assert_string_equal(rig_code(d->ada.peer, "group.create", RIG_NONE), "ok");
	}
	assert_string_equal(rig_code(d->ada.peer, "group.create", RIG_NONE), "RATE_LIMITED");
	assert_string_equal(rig_code(d->bob.peer, "group.create", RIG_NONE), "ok");
	rig_advance(&d->r, 4 * MINUTE_MS);
	assert_string_equal(rig_code(d->ada.peer, "group.create", RIG_NONE), "ok");
}

CLUB_TEST(test_a_user_is_in_a_hundred_groups_at_most, d)
{
	for (int i = 1; i < MAX_GROUPS_OF_USER; i++) {
		rig_advance(&d->r, 4 * MINUTE_MS);
		assert_string_equal(rig_code(d->ada.peer, "group.create", RIG_NONE), "ok");
	}
	rig_advance(&d->r, 4 * MINUTE_MS);
	assert_string_equal(rig_code(d->ada.peer, "group.create", RIG_NONE), "QUOTA_EXCEEDED");
	assert_int_equal(stored_of(d, "USER", d->ada.session.user_id, "GROUP#"),
			 MAX_GROUPS_OF_USER);
}

CLUB_TEST(test_a_repeat_makes_no_second_group, d)
{
	const char *params = "'idempotency_key':'0123456789abcdef'";
	char first[200];
	(void)snprintf(first, sizeof(first), "%s",
		       rig_must(d->bob.peer, "group.create", "%s", params));
	rig_crash(&d->r);
	assert_string_equal(rig_must(resumed(d, &d->bob), "group.create", "%s", params), first);
	assert_int_equal(stored_of(d, "USER", d->bob.session.user_id, "GROUP#"), 1);
}

/* Whatever a stranger asks of a group is answered as if there were none, and after as many reads. */
/* promise: no-such-group */
CLUB_TEST(test_a_group_is_not_there_for_strangers, d)
{
	static const struct {
		const char *method, *more;
	} calls[] = {
		{"group.get", ""},
		{"group.is_user", ",'user_id':'2222222222222222'"},
		{"group.users", ""},
		{"group.rename", ",'group_name':'x'"},
		{"group.leave", ""},
		{"group.delete", ""},
		{"group.set_defaults", ",'deck':'nonsense'"},
		{"group.remove_user", ",'user_id':'2222222222222222'"},
		{"group.set_role", ",'user_id':'2222222222222222','role':'owner'"},
		{"group.rooms", ""},
		{"group.references", ",'estimate':'5'"},
		{"group.watch", ""},
		{"container.create", ""},
		{"container.list", ""},
		{"item.expiring", ",'before':9"},
		{"invitation.create", ""},
		{"invitation.list", ""},
		{"invitation.renew", ",'invitation_id':'i_2222222222'"},
		{"invitation.revoke", ",'invitation_id':'i_2222222222'"},
	};
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		char real[160];
		size_t loads = d->r.loads;
		(void)snprintf(real, sizeof(real), "%s",
			       rig_refused(d->bob.peer, calls[i].method, "'group_id':'%s'%s",
					   d->group, calls[i].more));
		size_t of_real = d->r.loads - loads;
		assert_true(says(real, "NOT_FOUND"));
		assert_string_equal(rig_refused(d->bob.peer, calls[i].method,
						"'group_id':'g_2222222222'%s", calls[i].more),
				    real);
		assert_int_equal(d->r.loads - loads, 2 * of_real);
		assert_string_equal(rig_refused(d->bob.peer, calls[i].method,
						"'group_id':'x\\u0000'%s", calls[i].more),
				    real);
	}
	assert_string_equal(rig_code(d->bob.peer, "group.get", "'container_id':'%s'", d->container),
			    "NOT_FOUND");
}

/* Whatever fails for want of memory can be done when there is some, and is done once. */
CLUB_HEAP_TEST(test_any_allocation_may_fail_while_a_group_is_made, d, nth)
{
	static const char *const params = "'idempotency_key':'0123456789abcdef'";
	heap_fail_nth(nth, false);
	rig_send(d->bob.peer, "group.create", "%s", params);
	if (d->ada.peer->is_open) {
		rig_send(d->ada.peer, "group.list", RIG_NONE);
		rig_send(d->ada.peer, "group.users", "'group_id':'%s'", d->group);
	}
	heap_fail_never();
	rig_settle(&d->r);
	rig_must(resumed(d, &d->bob), "group.create", "%s", params);
	assert_int_equal(stored_of(d, "USER", d->bob.session.user_id, "GROUP#"), 1);
}
