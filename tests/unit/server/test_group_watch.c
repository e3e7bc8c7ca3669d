/*
 * test_group_watch.c - group.watch says how a group is, or that nothing was missed; group.update what
 * changes, in order, to those who are in it as long as they are.
 */
#include "tests/support/store_mem.h"
#include "tests/unit/server/watch.h"

/* ada owns the group, bob is in it; ada watches. */
static int watched_open(void **state)
{
	club_open(state);
	struct club *d = *state;
	enrol(d, &d->bob);
	rig_must(d->ada.peer, "group.watch", "'group_id':'%s'", d->group);
	rig_forget(d->ada.peer);
	return 0;
}

#define WATCH_TEST(name, d) TEST_IN(name, struct club, d, watched_open, scene_finish)
#define WATCH_HEAP_TEST(name, d, nth) \
	HEAP_TEST_IN(name, struct club, d, nth, watched_open, scene_finish)

static struct at watch(struct club *d, struct rig_peer *p)
{
	return at_of(rig_must(p, "group.watch", "'group_id':'%s'", d->group));
}

static struct at watch_since(struct club *d, struct rig_peer *p, struct at at)
{
	const char *is =
		rig_must(p, "group.watch", "'group_id':'%s','since':{'epoch':%lld,'version':%lld}",
			 d->group, at.epoch, at.version);
	return (struct at){rig_field_number(is, "epoch"), rig_field_number(is, "version")};
}

static const char *next_update(struct rig_peer *p)
{
	return next_of(p, "group.update");
}

/* ---- how it is ---- */

CLUB_TEST(test_watching_says_how_the_group_is, d)
{
	struct at at = watch(d, d->ada.peer);
	assert_int_equal(at.version, 1);
	const char *full = next_update(d->ada.peer);
	assert_true(says(full, "'full':true"));
	assert_true(says(full, d->group));
	assert_true(says(full, "'group':{'group_name':'Payments','users':1"));
	assert_false(says(full, "'users':["));
	assert_int_equal(rig_field_number(full, "since"), at.version);
	assert_int_equal(rig_field_number(full, "version"), at.version);
	assert_int_equal(rig_field_number(full, "epoch"), at.epoch);
	assert_string_equal(next_update(d->ada.peer), "");
}

CLUB_TEST(test_the_group_comes_behind_the_answer, d)
{
	watch(d, d->ada.peer);
	rig_forget(d->ada.peer);
	rig_send(d->ada.peer, "group.watch", "'group_id':'%s'", d->group);
	assert_string_equal(rig_heard(d->ada.peer), "answer group.update");
}

CLUB_TEST(test_strangers_watch_nothing, d)
{
	char code[40];
	invite(d, &d->ada, "", code);
	assert_string_equal(of_group(d, &d->bob, "group.watch", ""), "NOT_FOUND");
	assert_string_equal(rig_code(d->bob.peer, "group.watch", "'group_id':'g_0000000000'"),
			    "NOT_FOUND");
	assert_string_equal(of_group(d, &d->ada, "group.rename", ",'group_name':'x'"), "ok");
	assert_string_equal(next_update(d->bob.peer), "");
	assert_string_equal(join(&d->bob, code), "ok");
	assert_string_equal(next_update(d->bob.peer), "");
}

/* ---- what changes ---- */

WATCH_TEST(test_each_change_is_sent_and_nothing_else, d)
{
	char code[40], user[160];
	struct rig_peer *ada = d->ada.peer;
	struct at at = watch(d, ada);
	rig_forget(ada);

	assert_string_equal(of_group(d, &d->ada, "group.rename", ",'group_name':'Bills'"), "ok");
	const char *update = follows(ada, "group.update", &at);
	assert_true(says(update, "'group':{'group_name':'Bills','users':2"));
	assert_false(says(update, "'users':["));

	invite(d, &d->bob, ",'uses':3", code); /* which changes nothing that is watched */
	assert_string_equal(join(&d->cy, code), "ok");
	update = follows(ada, "group.update", &at);
	assert_true(says(update, "'group':{'group_name':'Bills','users':3"));
	(void)snprintf(user, sizeof(user), "'users':[{'user_id':'%s','user_name':'cy'",
		       d->cy.session.user_id);
	assert_true(says(update, user));
	assert_true(says(update, "'role':'member'"));

	assert_string_equal(of_user(d, &d->ada, "group.set_role", &d->cy, ",'role':'owner'"), "ok");
	update = follows(ada, "group.update", &at);
	assert_true(says(update, user));
	assert_true(says(update, "'role':'owner'"));
	assert_false(says(update, "'group':"));

	assert_string_equal(of_user(d, &d->cy, "group.remove_user", &d->bob, ""), "ok");
	update = follows(ada, "group.update", &at);
	(void)snprintf(user, sizeof(user), "'gone':['%s']", d->bob.session.user_id);
	assert_true(says(update, user));
	assert_true(says(update, "'users':2"));
	assert_string_equal(of_group(d, &d->cy, "group.leave", ""), "ok");
	update = follows(ada, "group.update", &at);
	assert_true(says(update, "'users':1"));
	assert_string_equal(of_group(d, &d->ada, "group.set_defaults", ",'deck':'tshirt'"), "ok");
	assert_true(says(follows(ada, "group.update", &at), "'defaults':{'deck':'tshirt'}"));
	assert_string_equal(of_group(d, &d->ada, "group.rename", ",'group_name':'Bills'"), "ok");
	assert_string_equal(next_update(ada), "");
	assert_int_equal(watch(d, ada).version, at.version);
}

/* By user.update, and by the name of a login. */
WATCH_TEST(test_a_users_new_name_is_sent_to_all_their_groups, d)
{
	char own[32];
	struct rig_peer *ada = d->ada.peer;
	struct at at = watch(d, ada);
	rig_forget(ada);
	rig_field(rig_must(d->bob.peer, "group.create", RIG_NONE), "group_id", own, sizeof(own));
	rig_must(d->bob.peer, "group.watch", "'group_id':'%s'", own);
	rig_forget(d->bob.peer);

	rig_must(d->bob.peer, "user.update", "'user_name':'Robert'");
	const char *update = follows(ada, "group.update", &at);
	assert_true(says(update, d->bob.session.user_id));
	assert_true(says(update, "'user_name':'Robert','role':'member'"));
	assert_true(says(next_update(d->bob.peer), "'user_name':'Robert','role':'owner'"));
	rig_must(d->bob.peer, "user.update", "'user_name':'Robert'");
	rig_must(d->bob.peer, "user.update", "'email_address':'bob@example.org'");
	assert_string_equal(next_update(ada), "");

	login_signed(rig_connect(&d->r, "again"), "Rob", &d->bob.key);
	assert_true(says(follows(ada, "group.update", &at), "'user_name':'Rob'"));
	assert_true(says(rig_must(ada, "group.users", "'group_id':'%s'", d->group),
			 "'user_name':'Rob'"));
}

/* ---- who has missed something ---- */

WATCH_TEST(test_a_client_that_has_missed_nothing_is_sent_nothing, d)
{
	struct at at = watch(d, d->bob.peer);
	rig_must(d->bob.peer, "group.unwatch", "'group_id':'%s'", d->group);
	rig_forget(d->bob.peer);
	assert_int_equal(watch_since(d, d->bob.peer, at).version, at.version);
	assert_string_equal(next_update(d->bob.peer), "");

	rig_must(d->bob.peer, "group.unwatch", "'group_id':'%s'", d->group);
	of_group(d, &d->ada, "group.rename", ",'group_name':'Bills'");
	assert_string_equal(next_update(d->bob.peer), "");
	assert_int_equal(watch_since(d, d->bob.peer, at).version, at.version + 1);
	assert_true(says(next_update(d->bob.peer), "'full':true"));
	at.epoch++;
	at.version++;
	watch_since(d, d->bob.peer, at);
	assert_true(says(next_update(d->bob.peer), "'full':true"));
}

WATCH_TEST(test_versions_outlast_the_server, d)
{
	struct at at = watch(d, d->ada.peer);
	for (int changes = 0; changes < 2; changes++) {
		rig_crash(&d->r);
		struct rig_peer *p = resumed(d, &d->ada);
		struct at now = watch_since(d, p, at);
		assert_int_equal(now.epoch, at.epoch);
		assert_int_equal(now.version, at.version + changes);
		assert_string_equal(says(next_update(p), "'full':true") ? "full" : "",
				    changes > 0 ? "full" : "");
		rig_must(p, "group.rename", "'group_id':'%s','group_name':'%s'", d->group,
			 changes == 0 ? "Bills" : "Taxes");
		assert_int_equal(rig_field_number(next_update(p), "since"), now.version);
	}
}

/* What a page shows is as its version says, or newer: with what comes after, it is how the group is. */
WATCH_TEST(test_the_version_of_a_page_is_that_of_the_updates, d)
{
	struct at at = watch(d, d->ada.peer);
	rig_forget(d->ada.peer);
	const char *page = rig_must(d->ada.peer, "group.users", "'group_id':'%s'", d->group);
	assert_int_equal(rig_field_number(page, "version"), at.version);
	enrol(d, &d->cy);
	follows(d->ada.peer, "group.update", &at);
	page = rig_must(d->ada.peer, "group.users", "'group_id':'%s'", d->group);
	assert_int_equal(rig_field_number(page, "version"), at.version);
}

/* Thousands of changes for one who does not read: what waits is bounded, and one reset says that there was more. */
WATCH_TEST(test_a_slow_watcher_is_sent_a_reset, d)
{
	struct rig_peer *ada = d->ada.peer;
	struct rig_peer *owner = resumed(d, &d->ada);
	struct at at = watch(d, ada);
	rig_forget(ada);
	rig_window(ada, 0);
	size_t before = ada->in.len;
	for (int i = 0; i < 3000; i++) {
		rig_must(owner, "group.rename", "'group_id':'%s','group_name':'%d'", d->group, i);
		rig_forget(owner);
		buf_clear(&owner->in);
		owner->read_at = 0;
	}
	rig_window(ada, RIG_UNBOUNDED);
	rig_settle(&d->r);
	assert_true(ada->in.len - before < 2 * (size_t)MAX_OUT_BYTES);
	size_t n = rig_count(ada, "group.update");
	assert_in_range(n, 2, 2999);
	for (size_t i = 1; i < n; i++) {
		follows(ada, "group.update", &at);
	}
	const char *reset = next_update(ada);
	assert_true(says(reset, "'reset':true"));
	assert_true(says(reset, d->group));
	assert_int_equal(rig_field_number(reset, "epoch"), at.epoch);
	assert_true(rig_field_number(reset, "version") > at.version);
	assert_true(watch_since(d, ada, at).version > at.version);
	assert_true(says(next_update(ada), "'full':true"));
}

/* ---- its containers ---- */

WATCH_TEST(test_containers_come_and_go, d)
{
	struct rig_peer *ada = d->ada.peer;
	struct at at = watch(d, ada);
	char id[32], expected[160];
	assert_true(says(next_update(ada), "'containers':[{'container_id':"));
	rig_field(rig_must(d->bob.peer, "container.create",
			   "'group_id':'%s','container_name':'Pantry'", d->group),
		  "container_id", id, sizeof(id));
	const char *update = follows(ada, "group.update", &at);
	(void)snprintf(expected, sizeof(expected),
		       "'containers':[{'container_id':'%s','container_name':'Pantry'", id);
	assert_true(says(update, expected));
	assert_true(says(update, "'items':0,'unestimated':0,'version':1}]"));
	rig_must(d->bob.peer, "item.add", "'container_id':'%s','name':'Rice'", id);
	rig_must(d->bob.peer, "container.rename", "'container_id':'%s','container_name':'Larder'",
		 id);
	update = follows(ada, "group.update", &at);
	assert_true(says(update, "'container_name':'Larder'"));
	assert_true(says(update, "'items':1,'unestimated':1,'version':3}]"));
	rig_must(d->bob.peer, "container.delete", "'container_id':'%s'", id);
	(void)snprintf(expected, sizeof(expected), "'gone':['%s']", id);
	assert_true(says(follows(ada, "group.update", &at), expected));
}

/* Two hundred containers with the longest names, more than a message takes. */
static void make_many_containers(struct club *d)
{
	char name[MAX_TEAM_NAME_CHARS * 3 + 1];
	for (size_t i = 0; i < MAX_TEAM_NAME_CHARS; i++) {
		memcpy(name + 3 * i, "\xe2\x82\xac", 3);
	}
	name[sizeof(name) - 1] = '\0';
	for (int i = 1; i < MAX_GROUP_CONTAINERS; i++) {
		rig_must(d->ada.peer, "container.create", "'group_id':'%s','container_name':'%s'",
			 d->group, name);
	}
}

WATCH_TEST(test_a_group_that_fits_no_message_comes_in_several, d)
{
	make_many_containers(d);
	rig_forget(d->ada.peer);
	struct at at = watch(d, d->bob.peer);
	size_t containers = 0;
	size_t parts = 0;
	for (const char *u = next_update(d->bob.peer); u[0] != '\0';
	     u = next_update(d->bob.peer), parts++) {
		assert_int_equal(says(u, "'full':true"), parts == 0);
		assert_int_equal(says(u, "'group':"), parts == 0);
		assert_int_equal(rig_field_number(u, "since"), at.version);
		assert_int_equal(rig_field_number(u, "version"), at.version);
		containers += times_in(u, "'container_id':");
	}
	assert_int_equal(containers, MAX_GROUP_CONTAINERS);
	assert_in_range(parts, 2, 8);
}

/* What is sent behind an answer waits for a connection within its bound: beyond it there is a reset instead. */
WATCH_TEST(test_groups_are_not_queued_without_bound, d)
{
	struct rig_peer *bob = d->bob.peer;
	make_many_containers(d);
	rig_forget(bob);
	rig_window(bob, 0);
	size_t before = bob->in.len;
	rig_hold(&d->r);
	for (int i = 0; i < 16; i++) {
		rig_send(bob, "group.watch", "'group_id':'%s'", d->group);
	}
	rig_release(&d->r);
	rig_window(bob, RIG_UNBOUNDED);
	rig_settle(&d->r);
	assert_true(bob->is_open);
	assert_true(bob->in.len - before < 2 * (size_t)MAX_OUT_BYTES);
	const char *last = "";
	for (const char *u = next_update(bob); u[0] != '\0'; u = next_update(bob)) {
		last = says(u, "'reset':true") ? "reset" : "more";
	}
	assert_string_equal(last, "reset");
	of_group(d, &d->ada, "group.rename", ",'group_name':'y'");
	assert_true(says(next_update(bob), "'group_name':'y'"));
}

/* ---- its rooms ---- */

/* A room's line is sent when it is another, and raises no version: a client that comes back pages group.rooms. */
WATCH_TEST(test_rooms_are_sent_as_they_change, d)
{
	char expected[120];
	struct rig_peer *ada = d->ada.peer;
	struct rig_peer *bob = d->bob.peer;
	struct at at = watch(d, ada);
	rig_forget(ada);
	(void)snprintf(expected, sizeof(expected), "'group_id':'%s','title':'Sprint 1'", d->group);
	rig_found(&d->r, bob, expected);
	const char *update = next_update(ada);
	(void)snprintf(expected, sizeof(expected),
		       "'rooms':[{'room_id':'ROOM','title':'Sprint 1','round':1,'users':0,");
	assert_true(says(update, expected));
	assert_int_equal(rig_field_number(update, "since"), at.version);
	assert_int_equal(rig_field_number(update, "version"), at.version);
	assert_int_equal(rig_field_number(update, "epoch"), at.epoch);

	rig_follow(bob, "");
	rig_must(bob, "join", RIG_NONE);
	assert_true(says(next_update(ada), "'users':1,"));
	rig_must(bob, "vote", "'vote':'5'");
	assert_string_equal(next_update(ada), "");
	rig_must(bob, "reset", RIG_NONE);
	assert_true(says(next_update(ada), "'round':2,"));
	rig_must(bob, "set_title", "'title':'Sprint 2'");
	assert_true(says(next_update(ada), "'title':'Sprint 2'"));
	assert_string_equal(of_group(d, &d->ada, "group.rename", ",'group_name':'x'"), "ok");
	follows(ada, "group.update", &at);
	rig_must(bob, "delete", RIG_NONE);
	update = next_update(ada);
	assert_true(says(update, "'gone':['ROOM']"));
	assert_int_equal(rig_field_number(update, "since"), at.version);
	assert_int_equal(watch_since(d, ada, at).version, at.version);
	assert_string_equal(next_update(ada), "");
}

/* What was sent last is not what the client has that watched no longer when the room changed. */
WATCH_TEST(test_a_room_that_is_as_before_a_pause_is_sent_again, d)
{
	char made[120];
	struct rig_peer *ada = d->ada.peer;
	(void)snprintf(made, sizeof(made), "'group_id':'%s','title':'Sprint 1'", d->group);
	rig_found(&d->r, d->bob.peer, made);
	rig_follow(d->bob.peer, "");
	rig_must(d->bob.peer, "join", RIG_NONE);
	rig_must(ada, "group.unwatch", "'group_id':'%s'", d->group);
	rig_must(d->bob.peer, "set_title", "'title':'Sprint 2'");
	watch(d, ada);
	rig_forget(ada);
	rig_must(d->bob.peer, "set_title", "'title':'Sprint 1'");
	assert_true(says(next_update(ada), "'title':'Sprint 1'"));
}

/* ---- its end ---- */

WATCH_TEST(test_a_member_who_is_removed_is_sent_that_and_nothing_more, d)
{
	char gone[160];
	watch(d, d->bob.peer);
	rig_forget(d->bob.peer);
	assert_string_equal(of_user(d, &d->ada, "group.remove_user", &d->bob, ""), "ok");
	(void)snprintf(gone, sizeof(gone), "'gone':['%s']", d->bob.session.user_id);
	assert_true(says(next_update(d->bob.peer), gone));
	assert_true(says(next_update(d->bob.peer), "'reset':true"));
	of_group(d, &d->ada, "group.rename", ",'group_name':'Bills'");
	assert_string_equal(next_update(d->bob.peer), "");
	assert_string_equal(of_group(d, &d->bob, "group.watch", ""), "NOT_FOUND");
	enrol(d, &d->bob);
	assert_string_equal(next_update(d->bob.peer), "");
	watch(d, d->bob.peer);
	assert_true(says(next_update(d->bob.peer), "'full':true"));
}

/* However the two fall: removed while the watch is answered, a user is sent nothing of what comes later. */
WATCH_TEST(test_a_watch_and_a_removal_at_once_leave_no_watch, d)
{
	for (size_t let = 0; let < 12; let++) {
		rig_hold(&d->r);
		uint32_t watching =
			rig_send(d->bob.peer, "group.watch", "'group_id':'%s'", d->group);
		uint32_t removing =
			rig_send(d->ada.peer, "group.remove_user", "'group_id':'%s','user_id':'%s'",
				 d->group, d->bob.session.user_id);
		rig_let(&d->r, let);
		rig_release(&d->r);
		assert_string_equal(rig_outcome(d->ada.peer, removing), "ok");
		(void)rig_outcome(d->bob.peer, watching);
		rig_forget(d->bob.peer);
		of_group(d, &d->ada, "group.rename",
			 let % 2 == 0 ? ",'group_name':'even'" : ",'group_name':'odd'");
		assert_string_equal(next_update(d->bob.peer), "");
		enrol(d, &d->bob);
		rig_forget(d->ada.peer);
	}
}

WATCH_TEST(test_unwatching_ends_it, d)
{
	rig_must(d->ada.peer, "group.unwatch", "'group_id':'%s'", d->group);
	rig_must(d->ada.peer, "group.unwatch", "'group_id':'%s'", d->group);
	enrol(d, &d->cy);
	assert_string_equal(next_update(d->ada.peer), "");
}

WATCH_TEST(test_a_group_that_is_deleted_ends_all_watches, d)
{
	struct rig_peer *bob = d->bob.peer;
	rig_must(bob, "container.watch", "'container_id':'%s'", d->container);
	rig_must(bob, "group.watch", "'group_id':'%s'", d->group);
	rig_forget(bob);
	assert_string_equal(of_group(d, &d->ada, "group.delete", ""), "ok");
	const char *last = rig_next(bob);
	assert_true(says(last, "group.update"));
	assert_true(says(last, "'is_deleted':true"));
	last = rig_next(bob);
	assert_true(says(last, "container.update"));
	assert_true(says(last, "'reset':true"));
	assert_true(says(last, d->container));
	assert_string_equal(rig_next(bob), "");
	assert_true(says(next_update(d->ada.peer), "'is_deleted':true"));
	assert_string_equal(rig_next(d->ada.peer), "");
	assert_string_equal(of_group(d, &d->bob, "group.watch", ""), "NOT_FOUND");
}

WATCH_TEST(test_a_user_who_is_deleted_is_gone, d)
{
	char gone[160];
	(void)snprintf(gone, sizeof(gone), "'gone':['%s']", d->bob.session.user_id);
	rig_must(d->bob.peer, "user.delete", RIG_NONE);
	assert_true(says(next_update(d->ada.peer), gone));
}

/* ---- in which order ---- */

/*
 * A commit that finds the store busy is sent again; whoever goes on from what it wrote waits for that. A watcher is sent
 * each version, in order.
 */
WATCH_TEST(test_no_version_is_published_before_the_one_that_it_follows, d)
{
	struct rig_peer *ada = d->ada.peer;
	char code[40];
	invite(d, &d->ada, "", code);
	for (size_t i = 0; i < 96; i++) {
		rig_forget(ada);
		struct at at = watch(d, ada);
		rig_forget(ada);
		rig_hold(&d->r);
		store_mem_fail_commits(d->r.store, 1, ERR_BUSY);
		uint32_t renaming = rig_send(ada, "group.rename",
					     "'group_id':'%s','group_name':'%zu'", d->group, i);
		uint32_t joining = rig_send(d->cy.peer, "group.join", "'code':'%s'", code);
		rig_let(&d->r, i % 12);
		d->r.busy = i / 12;
		rig_release(&d->r);
		assert_string_equal(rig_outcome(ada, renaming), "ok");
		assert_string_equal(rig_outcome(d->cy.peer, joining), "ok");
		for (const char *u = next_update(ada); u[0] != '\0'; u = next_update(ada)) {
			assert_false(says(u, "'reset':true"));
			assert_int_equal(rig_field_number(u, "since"), at.version);
			at.version = rig_field_number(u, "version");
		}
		assert_int_equal(watch(d, ada).version, at.version);
		assert_string_equal(of_group(d, &d->cy, "group.leave", ""), "ok");
		rig_advance(&d->r, MINUTE_MS);
	}
}

/* Nobody can say whether there is a new version: watchers read, and are sent every later one. */
WATCH_TEST(test_a_watcher_is_sent_a_reset_where_a_change_is_unknown, d)
{
	struct rig_peer *ada = d->ada.peer;
	char code[40];
	invite(d, &d->ada, "", code);
	assert_string_equal(rig_code(d->cy.peer, "group.join", "'code':'%s'", code), "ok");
	for (size_t made = 0; made < 2; made++) {
		struct rig_peer *cy = resumed(d, &d->cy);
		struct at at = watch(d, ada);
		rig_forget(ada);
		rig_fail_commits(&d->r, 1 - made, ERR_UNKNOWN);
		store_mem_lose_answers(d->r.store, made);
		(void)rig_send(cy, "group.leave", "'group_id':'%s'", d->group);
		assert_false(cy->is_open);
		assert_true(says(next_update(ada), "'reset':true"));
		assert_string_equal(next_update(ada), "");
		at.version += (int64_t)made;
		assert_int_equal(watch(d, ada).version, at.version);
		rig_forget(ada);
		rig_must(ada, "group.rename", "'group_id':'%s','group_name':'%zu'", d->group, made);
		const char *update = next_update(ada);
		assert_false(says(update, "'reset':true"));
		assert_int_equal(rig_field_number(update, "since"), at.version);
	}
}

/* Whichever allocation fails: a watcher is sent all, or a reset, or its connection ends. */
WATCH_HEAP_TEST(test_any_allocation_may_fail, d, nth)
{
	struct rig_peer *ada = d->ada.peer;
	struct at at = watch(d, ada);
	rig_forget(ada);
	heap_fail_nth(nth, false);
	rig_send(ada, "group.watch", "'group_id':'%s'", d->group);
	uint32_t renaming = rig_send(d->bob.peer, "user.update", "'user_name':'Robert'");
	rig_settle(&d->r);
	heap_fail_never();
	rig_settle(&d->r);
	bool is_done =
		d->bob.peer->is_open && strcmp(rig_outcome(d->bob.peer, renaming), "ok") == 0;
	bool is_reset = false;
	for (const char *u; ada->is_open && (u = next_update(ada))[0] != '\0';) {
		is_reset = is_reset || says(u, "'reset':true");
		at.version = says(u, "'full'") ? at.version : rig_field_number(u, "version");
	}
	if (ada->is_open && is_done && !is_reset) {
		assert_int_equal(watch(d, ada).version, at.version);
	}
}
