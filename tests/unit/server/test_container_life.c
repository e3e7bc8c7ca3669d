/*
 * test_container_life.c - containers: making, finding, naming, listing and deleting them, and their bounds.
 */
#include "tests/unit/server/club.h"

/* A container of ada's group, made by the user. */
static void make_container(struct club *d, struct club_user *u, const char *name, char id[32])
{
	rig_field(rig_must(u->peer, "container.create", "'group_id':'%s','container_name':'%s'",
			   d->group, name),
		  "container_id", id, 32);
}

static const char *of_container(struct club *d, struct club_user *u, const char *method,
				const char *more)
{
	return rig_code(u->peer, method, "'container_id':'%s'%s", d->container, more);
}

static const char *container_of(struct club *d, struct club_user *u)
{
	return rig_must(u->peer, "container.get", "'container_id':'%s'", d->container);
}

static size_t count(const char *text, const char *part)
{
	size_t n = 0;
	for (const char *at = text; (at = strstr(at, part)) != NULL; at++) {
		n++;
	}
	return n;
}

CLUB_TEST(test_a_container_is_shown_with_how_much_is_in_it, d)
{
	char expected[240];
	(void)snprintf(expected, sizeof(expected),
		       "{'container_id':'%s','container_name':'Backlog','group_id':'%s','items':0,"
		       "'unestimated':0,'version':1}",
		       d->container, d->group);
	assert_string_equal(container_of(d, &d->ada), expected);
	rig_must(d->ada.peer, "item.add", "'container_id':'%s','name':'Login'", d->container);
	assert_true(says(container_of(d, &d->ada), "'items':1,'unestimated':1,'version':2"));
}

CLUB_TEST(test_members_make_and_name_containers, d)
{
	char id[32];
	enrol(d, &d->bob);
	make_container(d, &d->bob, "Pantry", id);
	assert_memory_equal(id, "c_", 2);
	assert_int_equal(strlen(id), 12);
	assert_int_equal(stored_of(d, "GROUP", d->group, "CONTAINER#"), 2);
	assert_int_equal(stored_of(d, "CONTAINER", id, "CONTAINER"), 1);
	(void)snprintf(d->container, sizeof(d->container), "%s", id);
	assert_string_equal(of_container(d, &d->ada, "container.rename",
					 ",'container_name':' Larder  1 '"),
			    "ok");
	assert_true(says(container_of(d, &d->bob), "'container_name':'Larder 1'"));
	assert_true(says(container_of(d, &d->bob), "'version':2"));
	assert_string_equal(of_container(d, &d->bob, "container.rename",
					 ",'container_name':'Larder 1'"),
			    "ok");
	assert_true(says(container_of(d, &d->bob), "'version':2"));
	rig_must(d->bob.peer, "container.create", "'group_id':'%s'", d->group);
	assert_true(says(rig_must(d->bob.peer, "container.list", "'group_id':'%s'", d->group),
			 "'container_name':'Backlog'"));
}

CLUB_TEST(test_the_groups_version_counts_its_containers, d)
{
	char id[32];
	make_container(d, &d->ada, "Pantry", id);
	assert_true(says(group_of(d, &d->ada), "'version':2"));
	of_container(d, &d->ada, "container.rename", ",'container_name':'x'");
	assert_true(says(group_of(d, &d->ada), "'version':3"));
	of_container(d, &d->ada, "container.delete", "");
	assert_true(says(group_of(d, &d->ada), "'version':4"));
	rig_must(d->ada.peer, "item.add", "'container_id':'%s','name':'Rice'", id);
	assert_true(says(group_of(d, &d->ada), "'version':4"));
}

CLUB_TEST(test_names_have_1_to_255_characters, d)
{
	static const char *const bad[] = {"''", "'a\\u001b'", "'a\\u202eb'", "'\\u0000'", "5"};
	char more[1300];
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		(void)snprintf(more, sizeof(more), ",'container_name':%s", bad[i]);
		assert_string_equal(of_container(d, &d->ada, "container.rename", more),
				    "VALIDATION_ERROR container_name");
		assert_string_equal(of_group(d, &d->ada, "container.create", more),
				    "VALIDATION_ERROR container_name");
	}
	for (size_t chars = MAX_TEAM_NAME_CHARS; chars <= 300; chars += 45) {
		strcpy(more, ",'container_name':'");
		for (size_t i = 0; i < chars; i++) {
			strcat(more, "\xf0\x9f\x82\xa1");
		}
		strcat(more, "'");
		assert_string_equal(of_container(d, &d->ada, "container.rename", more),
				    chars == MAX_TEAM_NAME_CHARS
					    ? "ok"
					    : "VALIDATION_ERROR container_name");
	}
}

CLUB_TEST(test_a_group_has_two_hundred_containers_at_most, d)
{
	for (int i = 1; i < MAX_GROUP_CONTAINERS; i++) {
		assert_string_equal(of_group(d, &d->ada, "container.create", ""), "ok");
	}
	assert_string_equal(of_group(d, &d->ada, "container.create", ""), "QUOTA_EXCEEDED");
	of_container(d, &d->ada, "container.delete", "");
	assert_string_equal(of_group(d, &d->ada, "container.create", ""), "ok");
}

/* ---- listing ---- */

/* All pages of a list together; *pages of them. */
static size_t count_all(struct club *d, struct club_user *u, const char *of, size_t *pages)
{
	char cursor[160] = "";
	size_t n = 0;
	*pages = 0;
	do {
		const char *page =
			cursor[0] == '\0' ? rig_must(u->peer, "container.list", "%s", of)
					  : rig_must(u->peer, "container.list", "%s%s'cursor':'%s'",
						     of, of[0] == '\0' ? "" : ",", cursor);
		n += count(page, "'container_id'");
		(*pages)++;
		bool has_more = says(page, "'cursor'");
		cursor[0] = '\0';
		if (has_more) {
			rig_field(page, "cursor", cursor, sizeof(cursor));
			assert_string_equal(rig_code(d->dan.peer, "container.list",
						     "%s%s'cursor':'%s'", "", "", cursor),
					    "VALIDATION_ERROR cursor");
		}
	} while (cursor[0] != '\0');
	return n;
}

CLUB_TEST(test_the_list_of_a_group_comes_in_pages, d)
{
	char id[32], of[80];
	size_t pages;
	for (int i = 0; i < 6; i++) {
		make_container(d, &d->ada, "no. 1", id);
	}
	(void)snprintf(of, sizeof(of), "'group_id':'%s'", d->group);
	assert_int_equal(count_all(d, &d->ada, of, &pages), 7);
	assert_int_equal(pages, 1);
	(void)snprintf(of, sizeof(of), "'group_id':'%s','limit':3", d->group);
	assert_int_equal(count_all(d, &d->ada, of, &pages), 7);
	assert_int_equal(pages, 3);
	assert_string_equal(rig_code(d->bob.peer, "container.list", "'group_id':'%s'", d->group),
			    "NOT_FOUND");
}

/* More groups than one transaction may read, of which one has nothing in it. */
CLUB_TEST(test_the_list_of_all_groups_has_every_container_once, d)
{
	char id[32];
	size_t pages;
	for (int i = 0; i < 17; i++) {
		found_group(d, &d->bob, "'group_name':'no. 1'");
		if (i % 3 == 0) {
			rig_must(d->bob.peer, "container.create", "'group_id':'%s'", d->group);
		}
		if (i == 1) {
			of_container(d, &d->bob, "container.delete", "");
		}
	}
	assert_int_equal(count_all(d, &d->bob, "", &pages), 17 + 6 - 1);
	assert_int_equal(pages, 2);
	for (int limit = 1; limit < 6; limit++) {
		(void)snprintf(id, sizeof(id), "'limit':%d", limit);
		assert_int_equal(count_all(d, &d->bob, id, &pages), 17 + 6 - 1);
	}
	assert_string_equal(rig_must(d->dan.peer, "container.list", RIG_NONE), "{'containers':[]}");
}

/* Names of the greatest length do not fit one message together. */
CLUB_TEST(test_a_page_ends_where_its_message_does, d)
{
	char name[4 * MAX_TEAM_NAME_CHARS + 1] = "";
	char id[32], of[80];
	size_t pages;
	for (int i = 0; i < MAX_TEAM_NAME_CHARS; i++) {
		strcat(name, "\xf0\x9f\x82\xa1");
	}
	for (int i = 0; i < 70; i++) {
		make_container(d, &d->ada, name, id);
	}
	(void)snprintf(of, sizeof(of), "'group_id':'%s'", d->group);
	assert_int_equal(count_all(d, &d->ada, of, &pages), 71);
	assert_int_equal(pages, 2);
	assert_int_equal(count_all(d, &d->ada, "", &pages), 71);
	assert_int_equal(pages, 2);
}

/* ---- who may what ---- */

/* Whatever the role: what members and owners may is the same, and a user who has left may nothing. */
CLUB_TEST(test_every_member_may_do_all_of_it, d)
{
	static const struct {
		const char *method, *more; /* behind container_id; ITEM is one of its items */
	} calls[] = {
		{"container.get", ""},
		{"container.rename", ",'container_name':'x'"},
		{"item.add", ",'name':'x'"},
		{"item.list", ""},
		{"item.update", ",'item_id':'ITEM','name':'x'"},
		{"item.adjust", ",'item_id':'ITEM','by':'1'"},
		{"item.move", ",'item_id':'ITEM','to_container_id':'OTHER'"},
		{"item.remove", ",'item_id':'ITEM'"},
		{"container.delete", ""},
	};
	char item[32], other[32];
	enrol(d, &d->bob);
	enrol(d, &d->cy);
	of_user(d, &d->ada, "group.set_role", &d->cy, ",'role':'owner'");
	make_container(d, &d->ada, "other", other);
	struct club_user *users[] = {&d->bob, &d->cy};
	for (size_t u = 0; u < 2; u++) {
		make_container(d, &d->ada, "one", d->container);
		for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
			char more[160];
			rig_field(rig_must(d->ada.peer, "item.add",
					   "'container_id':'%s','name':'y','quantity':'1'",
					   d->container),
				  "item_id", item, sizeof(item));
			(void)snprintf(more, sizeof(more), "%s", calls[i].more);
			substitute(more, sizeof(more), "ITEM", item);
			substitute(more, sizeof(more), "OTHER", other);
			assert_string_equal(of_container(d, &d->dan, calls[i].method, more),
					    "NOT_FOUND");
			const char *outcome = of_container(d, users[u], calls[i].method, more);
			if (strcmp(outcome, "ok") != 0) {
				fail_msg("%s: %s", calls[i].method, outcome);
			}
		}
	}
	make_container(d, &d->ada, "one", d->container);
	of_group(d, &d->bob, "group.leave", "");
	assert_string_equal(of_container(d, &d->bob, "container.get", ""), "NOT_FOUND");
}

/* ---- for strangers ---- */

/* Whatever a stranger asks of a container is answered as if there were none, and after as many reads. */
CLUB_TEST(test_a_container_is_not_there_for_strangers, d)
{
	static const struct {
		const char *method, *more;
	} calls[] = {
		{"container.get", ""},
		{"container.watch", ""},
		{"container.rename", ",'container_name':'x'"},
		{"container.delete", ""},
		{"item.add", ",'name':'x'"},
		{"item.update", ",'item_id':'i_2222222222','name':'x'"},
		{"item.adjust", ",'item_id':'i_2222222222','by':'1'"},
		{"item.move", ",'item_id':'i_2222222222','to_container_id':'c_2222222222'"},
		{"item.remove", ",'item_id':'i_2222222222'"},
		{"item.list", ""},
	};
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		char real[160];
		size_t loads = d->r.loads;
		(void)snprintf(real, sizeof(real), "%s",
			       rig_refused(d->bob.peer, calls[i].method, "'container_id':'%s'%s",
					   d->container, calls[i].more));
		size_t of_real = d->r.loads - loads;
		assert_true(says(real, "NOT_FOUND"));
		assert_string_equal(rig_refused(d->bob.peer, calls[i].method,
						"'container_id':'c_2222222222'%s", calls[i].more),
				    real);
		assert_int_equal(d->r.loads - loads, 2 * of_real);
		assert_string_equal(rig_refused(d->bob.peer, calls[i].method,
						"'container_id':'x\\u0000'%s", calls[i].more),
				    real);
		assert_string_equal(rig_refused(d->bob.peer, calls[i].method,
						"'container_id':'%s'%s", d->group, calls[i].more),
				    real);
	}
	assert_string_equal(of_group(d, &d->bob, "container.create", ""), "NOT_FOUND");
	assert_string_equal(of_group(d, &d->bob, "item.expiring", ",'before':1"), "NOT_FOUND");
}

/* ---- its end ---- */

static void add_items(struct club *d, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		rig_must(d->ada.peer, "item.add", "'container_id':'%s','name':'no. %zu','expiry':5",
			 d->container, i);
	}
}

CLUB_TEST(test_a_container_that_is_deleted_is_not_there_for_anyone, d)
{
	add_items(d, 3);
	assert_string_equal(of_container(d, &d->ada, "container.delete", ""), "ok");
	assert_string_equal(of_container(d, &d->ada, "container.get", ""), "NOT_FOUND");
	assert_string_equal(of_container(d, &d->ada, "item.list", ""), "NOT_FOUND");
	assert_string_equal(of_container(d, &d->ada, "item.add", ",'name':'x'"), "NOT_FOUND");
	assert_string_equal(rig_code(d->ada.peer, "group.get", "'container_id':'%s'", d->container),
			    "NOT_FOUND");
	assert_string_equal(rig_must(d->ada.peer, "container.list", RIG_NONE), "{'containers':[]}");
	assert_int_equal(stored_of(d, "CONTAINER", d->container, ""), 0);
	assert_int_equal(stored_of(d, "GROUP", d->group, "CONTAINER#"), 0);
}

/* Answered at once, however many items there are; nothing of them is shown meanwhile, and others do not wait. */
CLUB_TEST(test_the_items_of_a_deleted_container_go_in_steps, d)
{
	add_items(d, 300);
	size_t commits = d->r.commits;
	rig_hold(&d->r);
	uint32_t id =
		rig_send(d->ada.peer, "container.delete", "'container_id':'%s'", d->container);
	while (!rig_is_answered(d->ada.peer, id)) {
		rig_let(&d->r, 1);
	}
	uint32_t list =
		rig_send(d->ada.peer, "item.expiring", "'group_id':'%s','before':9", d->group);
	while (!rig_is_answered(d->ada.peer, list)) {
		rig_let(&d->r, 1);
	}
	bool is_refusal;
	assert_true(says(rig_answer(d->ada.peer, list, &is_refusal), "'items':[]"));
	rig_release(&d->r);
	assert_int_equal(d->r.commits - commits, 1 + 3);
	assert_int_equal(stored_of(d, "CONTAINER", d->container, ""), 0);
}

CLUB_TEST(test_the_end_of_a_container_goes_on_after_a_crash, d)
{
	add_items(d, 300);
	rig_hold(&d->r);
	uint32_t id =
		rig_send(d->ada.peer, "container.delete", "'container_id':'%s'", d->container);
	while (!rig_is_answered(d->ada.peer, id)) {
		rig_let(&d->r, 1);
	}
	rig_crash(&d->r);
	rig_release(&d->r);
	assert_true(stored_of(d, "CONTAINER", d->container, "ITEM#") > 100);
	rig_advance(&d->r, 20 * SECOND_MS);
	assert_int_equal(stored_of(d, "CONTAINER", d->container, ""), 0);
}

CLUB_TEST(test_a_repeat_makes_no_second_container, d)
{
	char params[120], first[80];
	(void)snprintf(params, sizeof(params),
		       "'group_id':'%s','idempotency_key':'0123456789abcdef'", d->group);
	(void)snprintf(first, sizeof(first), "%s",
		       rig_must(d->ada.peer, "container.create", "%s", params));
	rig_crash(&d->r);
	assert_string_equal(rig_must(resumed(d, &d->ada), "container.create", "%s", params), first);
	assert_int_equal(stored_of(d, "GROUP", d->group, "CONTAINER#"), 2);
}

/* Whatever fails for want of memory can be done when there is some, and is done once. */
CLUB_HEAP_TEST(test_any_allocation_may_fail_while_a_container_is_made_and_deleted, d, nth)
{
	char made[120], gone[120];
	(void)snprintf(made, sizeof(made), "'group_id':'%s','idempotency_key':'0123456789abcdef'",
		       d->group);
	(void)snprintf(gone, sizeof(gone),
		       "'container_id':'%s','idempotency_key':'0123456789abcdeg'", d->container);
	add_items(d, 2);
	heap_fail_nth(nth, false);
	rig_send(d->ada.peer, "container.create", "%s", made);
	if (d->ada.peer->is_open) {
		rig_send(d->ada.peer, "container.list", RIG_NONE);
		rig_send(d->ada.peer, "container.delete", "%s", gone);
	}
	heap_fail_never();
	rig_settle(&d->r);
	struct rig_peer *again = resumed(d, &d->ada);
	rig_must(again, "container.create", "%s", made);
	rig_must(again, "container.delete", "%s", gone);
	rig_advance(&d->r, 20 * SECOND_MS);
	assert_int_equal(stored_of(d, "GROUP", d->group, "CONTAINER#"), 1);
	assert_int_equal(stored_of(d, "CONTAINER", d->container, ""), 0);
}
