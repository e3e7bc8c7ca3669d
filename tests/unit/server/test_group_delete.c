/*
 * test_group_delete.c - the end of a group: at once for everybody, step by step in the table, whatever ends in between.
 */
#define _GNU_SOURCE
#include "tests/support/store_mem.h"
#include "tests/unit/server/club.h"

static const char *add_item(struct club *d, struct club_user *u)
{
	return rig_code(u->peer, "item.add", "'container_id':'%s','name':'Login'", d->container);
}

/* ada and cy own the group, bob is in it, dan is not; it has an invitation, a room and items. */
static int three_open(void **state)
{
	char code[40];
	club_open(state);
	struct club *d = *state;
	enrol(d, &d->bob);
	enrol(d, &d->cy);
	assert_string_equal(of_user(d, &d->ada, "group.set_role", &d->cy, ",'role':'owner'"), "ok");
	invite(d, &d->bob, "", code);
	assert_string_equal(add_item(d, &d->bob), "ok");
	rig_field(rig_must(d->bob.peer, "room.create", "'group_id':'%s'", d->group), "room_id",
		  d->r.room_id, sizeof(d->r.room_id));
	return 0;
}

#define THREE_TEST(name, d) TEST_IN(name, struct club, d, three_open, scene_finish)
#define THREE_HEAP_TEST(name, d, nth) \
	HEAP_TEST_IN(name, struct club, d, nth, three_open, scene_finish)

/* The table has nothing of the group, and its users count it no more. */
static bool is_gone(struct club *d)
{
	const struct club_user *users[] = {&d->ada, &d->bob, &d->cy};
	for (size_t i = 0; i < sizeof(users) / sizeof(users[0]); i++) {
		if (stored_of(d, "USER", users[i]->session.user_id, "GROUP#") > 0) {
			return false;
		}
	}
	return stored_of(d, "GROUP", d->group, "") == 0 &&
	       stored_of(d, "CONTAINER", d->container, "") == 0 &&
	       stored_of(d, "ROOM", d->r.room_id, "") == 0;
}

/* group.delete is answered, and the server ends before anything follows. */
static void mark(struct club *d)
{
	struct club_user *users[] = {&d->ada, &d->bob, &d->cy, &d->dan};
	rig_hold(&d->r);
	uint32_t sent = rig_send(d->ada.peer, "group.delete", "'group_id':'%s'", d->group);
	while (!rig_is_answered(d->ada.peer, sent)) {
		rig_let(&d->r, 1);
	}
	assert_string_equal(rig_outcome(d->ada.peer, sent), "ok");
	rig_crash(&d->r);
	rig_release(&d->r);
	for (size_t i = 0; i < sizeof(users) / sizeof(users[0]); i++) {
		users[i]->peer = resumed(d, users[i]);
	}
}

/* ---- answers that may be asked for again ---- */

struct sought {
	const char *const *texts;
	const char *found; /* the first of them that an item has; NULL: none */
	size_t answers;	   /* items that remember one */
};

static void on_remembered(void *arg, enum err e, const struct store_item *items, size_t n,
			  struct slice next, bool is_partial)
{
	(void)is_partial;
	struct sought *f = arg;
	assert_int_equal(e, OK);
	assert_int_equal(next.len, 0);
	for (size_t i = 0; i < n; i++) {
		struct slice v = items[i].value;
		f->answers += item_kind_of(items[i].pk, items[i].sk) == ITEM_DIRECTORY_ONCE;
		for (size_t k = 0; f->texts[k] != NULL; k++) {
			if (memmem(v.data, v.len, f->texts[k], strlen(f->texts[k])) != NULL) {
				f->found = f->texts[k];
			}
		}
	}
}

#define ONCE(n) "'idempotency_key':'0123456789abcde" #n "'"

THREE_TEST(test_answers_that_are_kept_name_nothing_of_it, d)
{
	char code[40], params[7][200], first[7][200];
	struct {
		struct club_user *who;
		const char *method;
	} calls[] = {{&d->ada, "group.create"},	   {&d->ada, "group.rename"},
		     {&d->cy, "container.create"}, {&d->ada, "item.add"},
		     {&d->ada, "item.update"},	   {&d->dan, "group.join"},
		     {&d->cy, "group.delete"}};
	enum { CALLS = sizeof(calls) / sizeof(calls[0]) };
	char item[32] = "", container[32] = "";
	(void)snprintf(params[0], 200, "'group_name':'Treasury'," ONCE(0));
	for (size_t i = 0; i < CALLS; i++) {
		(void)snprintf(first[i], 200, "%s",
			       rig_must(calls[i].who->peer, calls[i].method, "%s", params[i]));
		switch (i) {
		case 0:
			rig_field(first[0], "group_id", d->group, sizeof(d->group));
			rig_field(first[0], "container_id", d->container, sizeof(d->container));
			enrol(d, &d->cy);
			assert_string_equal(of_user(d, &d->ada, "group.set_role", &d->cy,
						    ",'role':'owner'"),
					    "ok");
			invite(d, &d->ada, "", code);
			(void)snprintf(params[1], 200,
				       "'group_id':'%s','group_name':'Treasury'," ONCE(1),
				       d->group);
			(void)snprintf(params[2], 200,
				       "'group_id':'%s','container_name':'Treasury'," ONCE(2),
				       d->group);
			(void)snprintf(params[3], 200,
				       "'container_id':'%s','name':'Treasury'," ONCE(3),
				       d->container);
			(void)snprintf(params[5], 200, "'code':'%s'," ONCE(5), code);
			(void)snprintf(params[6], 200, "'group_id':'%s'," ONCE(6), d->group);
			break;
		case 2:
			rig_field(first[2], "container_id", container, sizeof(container));
			break;
		case 3:
			rig_field(first[3], "item_id", item, sizeof(item));
			(void)snprintf(params[4], 200,
				       "'container_id':'%s','item_id':'%s','note':'Treasury'," ONCE(
					       4),
				       d->container, item);
			break;
		default:
			break;
		}
	}
	rig_advance(&d->r, 20 * SECOND_MS);
	assert_int_equal(stored_of(d, "GROUP", d->group, ""), 0);
	const char *texts[] = {"Treasury", d->group, d->container, container, item, code, NULL};
	struct sought f = {.texts = texts};
	struct store_query q = {.index = INDEX_BY_EXPIRY, .to = INT64_MAX, .limit = 1000};
	store_query(d->r.store, &q, on_remembered, &f);
	store_mem_run(d->r.store, SIZE_MAX);
	store_poll(d->r.store);
	assert_int_equal(f.answers, CALLS);
	assert_null(f.found);
	/* Who has the key reads them, nobody else, and not by another method. */
	rig_crash(&d->r);
	for (size_t i = 0; i < CALLS; i++) {
		calls[i].who->peer = resumed(d, calls[i].who);
		assert_string_equal(rig_must(calls[i].who->peer, calls[i].method, "%s", params[i]),
				    first[i]);
	}
	assert_string_equal(rig_code(calls[0].who->peer, "group.leave", "'group_id':'%s'," ONCE(0),
				     d->group),
			    "VALIDATION_ERROR idempotency_key");
	d->bob.peer = resumed(d, &d->bob);
	assert_string_equal(rig_code(d->bob.peer, "group.join", "%s", params[5]), "NOT_FOUND");
}

/* ---- for everybody, at once ---- */

THREE_TEST(test_nothing_of_it_is_left, d)
{
	rig_must(d->dan.peer, "room.subscribe", "'room_id':'%s'", d->r.room_id);
	rig_forget(d->dan.peer);
	assert_string_equal(of_group(d, &d->ada, "group.delete", ""), "ok");
	assert_int_equal(rig_count(d->dan.peer, "room.deleted"), 1);
	rig_advance(&d->r, 10 * SECOND_MS); /* until it is seen that the room is gone */
	assert_true(is_gone(d));
	assert_string_equal(rig_must(d->bob.peer, "group.list", RIG_NONE), "{'groups':[]}");
	assert_string_equal(rig_code(d->bob.peer, "user.get", "'user_id':'%s'",
				     d->cy.session.user_id),
			    "NOT_FOUND");
	assert_string_equal(of_group(d, &d->ada, "group.delete", ""), "NOT_FOUND");
}

/* The mark is all that is written when it is answered. */
THREE_TEST(test_it_is_there_for_nobody_once_it_is_marked, d)
{
	static const struct {
		const char *method, *more;
	} calls[] = {
		{"group.get", ""},
		{"group.users", ""},
		{"group.is_user", ",'user_id':'2222222222222222'"},
		{"group.rename", ",'group_name':'x'"},
		{"group.leave", ""},
		{"group.delete", ""},
		{"group.set_defaults", ""},
		{"group.set_role", ",'user_id':'2222222222222222','role':'owner'"},
		{"group.remove_user", ",'user_id':'2222222222222222'"},
		{"invitation.create", ""},
		{"invitation.list", ""},
		{"container.create", ""},
		{"container.list", ""},
		{"item.expiring", ",'before':1800000000000"},
	};
	char code[40], id[32];
	rig_must(d->cy.peer, "user.update", "'email_address':'cy@example.org'");
	invite_as(d, &d->ada, "", code, id);
	mark(d);
	assert_false(is_gone(d));
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		assert_string_equal(of_group(d, &d->cy, calls[i].method, calls[i].more),
				    "NOT_FOUND");
	}
	assert_string_equal(rig_code(d->cy.peer, "group.get", "'container_id':'%s'", d->container),
			    "NOT_FOUND");
	assert_string_equal(add_item(d, &d->cy), "NOT_FOUND");
	assert_string_equal(rig_code(d->cy.peer, "container.get", "'container_id':'%s'",
				     d->container),
			    "NOT_FOUND");
	assert_string_equal(rig_must(d->cy.peer, "container.list", RIG_NONE), "{'containers':[]}");
	assert_string_equal(of_group(d, &d->cy, "room.create", ""), "NOT_FOUND group_id");
	assert_string_equal(join(&d->dan, code), "NOT_FOUND");
	assert_string_equal(rig_code(d->dan.peer, "invitation.get", "'code':'%s'", code),
			    "NOT_FOUND");
	assert_string_equal(rig_must(d->bob.peer, "group.list", RIG_NONE), "{'groups':[]}");
	assert_string_equal(rig_code(d->bob.peer, "user.get", "'user_id':'%s'",
				     d->cy.session.user_id),
			    "NOT_FOUND");
	assert_string_equal(rig_code(d->bob.peer, "user.get_by_email",
				     "'email_address':'cy@example.org'"),
			    "NOT_FOUND");
	assert_false(is_gone(d));
	rig_advance(&d->r, 20 * SECOND_MS);
	assert_true(is_gone(d));
}

THREE_TEST(test_a_group_in_common_besides_it_is_enough_to_be_known, d)
{
	char first[32];
	(void)snprintf(first, sizeof(first), "%s", d->group);
	found_group(d, &d->ada, "");
	enrol(d, &d->bob);
	rig_must(d->ada.peer, "group.delete", "'group_id':'%s'", first);
	assert_string_equal(rig_code(d->bob.peer, "user.get", "'user_id':'%s'",
				     d->ada.session.user_id),
			    "ok");
	assert_true(says(group_of(d, &d->bob), "'users':2"));
}

THREE_TEST(test_its_end_makes_room_for_another_group, d)
{
	d->r.config.limits[LIMIT_GROUPS_OF_USER] = 1;
	rig_crash(&d->r);
	d->bob.peer = resumed(d, &d->bob);
	d->cy.peer = resumed(d, &d->cy);
	assert_string_equal(rig_code(d->bob.peer, "group.create", RIG_NONE), "QUOTA_EXCEEDED");
	assert_string_equal(of_group(d, &d->cy, "group.delete", ""), "ok");
	assert_string_equal(rig_code(d->bob.peer, "group.create", RIG_NONE), "ok");
}

THREE_TEST(test_a_repeat_is_answered_as_the_first, d)
{
	const char *more = ",'idempotency_key':'0123456789abcdef'";
	store_mem_lose_answers(d->r.store, 1);
	(void)rig_send(d->ada.peer, "group.delete", "'group_id':'%s'%s", d->group, more);
	assert_false(d->ada.peer->is_open);
	d->ada.peer = resumed(d, &d->ada);
	assert_string_equal(of_group(d, &d->ada, "group.delete", more), "ok");
	assert_string_equal(of_group(d, &d->ada, "group.delete", more), "ok");
	rig_advance(&d->r, 10 * SECOND_MS);
	assert_true(is_gone(d));
}

/* ---- two at once ---- */

THREE_TEST(test_what_others_do_meanwhile_leaves_nothing_behind, d)
{
	char code[40];
	invite(d, &d->ada, "", code);
	rig_hold(&d->r);
	uint32_t first = rig_send(d->ada.peer, "group.delete", "'group_id':'%s'", d->group);
	uint32_t second = rig_send(d->cy.peer, "group.delete", "'group_id':'%s'", d->group);
	uint32_t invitation =
		rig_send(d->bob.peer, "invitation.create", "'group_id':'%s'", d->group);
	uint32_t joining = rig_send(d->dan.peer, "group.join", "'code':'%s'", code);
	uint32_t leaving = rig_send(d->bob.peer, "group.leave", "'group_id':'%s'", d->group);
	uint32_t adding = rig_send(d->bob.peer, "item.add", "'container_id':'%s','name':'Search'",
				   d->container);
	uint32_t room = rig_send(d->bob.peer, "room.create", "'group_id':'%s'", d->group);
	rig_release(&d->r);
	assert_string_equal(rig_outcome(d->ada.peer, first), "ok");
	assert_string_equal(rig_outcome(d->cy.peer, second), "NOT_FOUND");
	assert_string_equal(rig_outcome(d->bob.peer, invitation), "NOT_FOUND");
	(void)rig_outcome(d->dan.peer,
			  joining); /* it may have been first: it waits in another line */
	assert_string_equal(rig_outcome(d->bob.peer, leaving), "NOT_FOUND");
	(void)rig_outcome(d->bob.peer, adding); /* likewise */
	(void)rig_outcome(d->bob.peer, room);
	rig_advance(&d->r, 10 * SECOND_MS);
	assert_true(is_gone(d));
	assert_string_equal(add_item(d, &d->bob), "NOT_FOUND");
	assert_int_equal(stored_of(d, "USER", d->dan.session.user_id, "GROUP#"), 0);
	assert_string_equal(rig_must(d->dan.peer, "group.list", RIG_NONE), "{'groups':[]}");
}

/* ---- what ends in between ---- */

/* The power goes after so many loads and commits; in time the end goes on where it stood. */
TEST(test_a_restart_at_every_step_goes_on)
{
	bool is_over = false;
	for (size_t n = 0; !is_over; n++) {
		void *state;
		three_open(&state);
		struct club *d = state;
		rig_hold(&d->r);
		uint32_t sent = rig_send(d->ada.peer, "group.delete", "'group_id':'%s'", d->group);
		for (size_t i = 0; i < n; i++) {
			rig_let(&d->r, 1);
		}
		is_over = store_mem_waiting(d->r.store) == 0;
		bool is_answered = rig_is_answered(d->ada.peer, sent);
		rig_crash(&d->r);
		rig_release(&d->r);
		d->bob.peer = resumed(d, &d->bob);
		bool is_marked = strcmp(of_group(d, &d->bob, "group.get", ""), "ok") != 0;
		assert_true(is_marked || !is_answered);
		rig_advance(&d->r, 20 * SECOND_MS);
		assert_true(is_gone(d) == is_marked);
		scene_finish(&state);
	}
}

/* A step that cannot be stored is taken again. */
THREE_TEST(test_steps_that_fail_are_taken_later, d)
{
	rig_hold(&d->r);
	uint32_t sent = rig_send(d->ada.peer, "group.delete", "'group_id':'%s'", d->group);
	while (!rig_is_answered(d->ada.peer, sent)) {
		rig_let(&d->r, 1);
	}
	rig_fail_commits(&d->r, 1, ERR_IO);
	rig_release(&d->r);
	assert_false(is_gone(d));
	rig_advance(&d->r, 5 * SECOND_MS);
	assert_false(is_gone(d));
	rig_advance(&d->r, 15 * SECOND_MS);
	assert_true(is_gone(d));
}

CLUB_TEST(test_a_large_container_ends_in_steps_of_128_items, d)
{
	for (int i = 0; i < 300; i++) {
		assert_string_equal(add_item(d, &d->ada), "ok");
	}
	size_t commits = d->r.commits;
	assert_string_equal(of_group(d, &d->ada, "group.delete", ""), "ok");
	assert_true(is_gone(d));
	assert_in_range(d->r.commits - commits, 6,
			7); /* mark, 3 of items, memberships, the group */
}

CLUB_TEST(test_a_large_group_ends_in_steps_of_128_items, d)
{
	char code[40], name[16];
	invite(d, &d->ada, "", code);
	for (int i = 0; i < 200; i++) {
		struct club_user u;
		(void)snprintf(name, sizeof(name), "%c%d", 'A' + i % 26, i);
		u = (struct club_user){.peer = rig_connect(&d->r, name)};
		u.key = make_pair((unsigned char)(30 + i));
		u.session = login_signed(u.peer, name, &u.key);
		assert_string_equal(join(&u, code), "ok");
		rig_cut(u.peer);
		rig_advance(&d->r, SECOND_MS);
	}
	size_t commits = d->r.commits, ops = d->r.ops;
	assert_string_equal(of_group(d, &d->ada, "group.delete", ""), "ok");
	assert_true(is_gone(d));
	commits = d->r.commits - commits;
	ops = d->r.ops - ops;
	assert_in_range(commits, ops / 128, 10);
	assert_in_range(ops, 402, 440);
}

/* Whatever fails for want of memory can be done when there is some, and is done once. */
THREE_HEAP_TEST(test_any_allocation_may_fail, d, nth)
{
	heap_fail_nth(nth, false);
	rig_send(d->ada.peer, "group.delete", "'group_id':'%s'", d->group);
	rig_settle(&d->r);
	heap_fail_never();
	rig_settle(&d->r);
	d->ada.peer = resumed(d, &d->ada);
	(void)of_group(d, &d->ada, "group.delete", "");
	rig_advance(&d->r, 20 * SECOND_MS);
	assert_true(is_gone(d));
}
