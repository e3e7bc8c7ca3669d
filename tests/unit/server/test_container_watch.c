/*
 * test_container_watch.c - container.watch says how a container is, container.update what changes of it and of its
 * items, to those who are in its group as long as they are.
 */
#include "tests/support/store_mem.h"
#include "tests/unit/server/watch.h"

/* ada owns the group, bob is in it; ada watches its container. */
static int watched_open(void **state)
{
	club_open(state);
	struct club *d = *state;
	enrol(d, &d->bob);
	rig_must(d->ada.peer, "container.watch", "'container_id':'%s'", d->container);
	rig_forget(d->ada.peer);
	return 0;
}

#define WATCH_TEST(name, d) TEST_IN(name, struct club, d, watched_open, scene_finish)
#define WATCH_HEAP_TEST(name, d, nth) \
	HEAP_TEST_IN(name, struct club, d, nth, watched_open, scene_finish)

static struct at watch(struct club *d, struct rig_peer *p)
{
	return at_of(rig_must(p, "container.watch", "'container_id':'%s'", d->container));
}

static struct at watch_since(struct club *d, struct rig_peer *p, struct at at)
{
	return at_of(rig_must(p, "container.watch",
			      "'container_id':'%s','since':{'epoch':%lld,'version':%lld}",
			      d->container, at.epoch, at.version));
}

static const char *next_update(struct rig_peer *p)
{
	return next_of(p, "container.update");
}

static void add(struct club *d, const char *name, char id[32])
{
	rig_field(rig_must(d->bob.peer, "item.add", "'container_id':'%s','name':'%s'", d->container,
			   name),
		  "item_id", id, 32);
}

static void of_item(struct club *d, const char *method, const char *id, const char *more)
{
	rig_must(d->bob.peer, method, "'container_id':'%s','item_id':'%s'%s", d->container, id,
		 more);
}

/* ---- how it is ---- */

CLUB_TEST(test_watching_says_how_the_container_is, d)
{
	char expected[160];
	struct at at = watch(d, d->ada.peer);
	const char *full = next_update(d->ada.peer);
	assert_int_equal(at.version, 1);
	assert_true(says(full, "'full':true"));
	(void)snprintf(expected, sizeof(expected),
		       "'container':{'container_id':'%s','container_name':'Backlog'", d->container);
	assert_true(says(full, expected));
	assert_false(says(full, "'items':["));
	assert_int_equal(rig_field_number(full, "since"), at.version);
	assert_int_equal(rig_field_number(full, "epoch"), at.epoch);
	watch_since(d, d->ada.peer, at);
	assert_string_equal(next_update(d->ada.peer), "");
}

CLUB_TEST(test_strangers_watch_nothing, d)
{
	assert_string_equal(rig_code(d->bob.peer, "container.watch", "'container_id':'%s'",
				     d->container),
			    "NOT_FOUND");
	assert_string_equal(rig_code(d->bob.peer, "container.watch",
				     "'container_id':'c_0000000000'"),
			    "NOT_FOUND");
	rig_must(d->ada.peer, "item.add", "'container_id':'%s','name':'x'", d->container);
	assert_string_equal(next_update(d->bob.peer), "");
}

/* However many items there are, a watcher is sent one short message, and pages what it shows. */
WATCH_TEST(test_a_watch_costs_the_same_however_much_is_in_it, d)
{
	size_t bytes[2], loads[2];
	char id[32];
	for (size_t full = 0; full < 2; full++) {
		for (size_t i = 0; full == 1 && i < 1000; i++) {
			add(d, "An item with a name", id);
			rig_advance(&d->r, 2);
		}
		rig_forget(d->bob.peer);
		size_t in = d->bob.peer->in.len;
		size_t reads = d->r.loads;
		watch(d, d->bob.peer);
		bytes[full] = d->bob.peer->in.len - in;
		loads[full] = d->r.loads - reads;
		rig_must(d->bob.peer, "container.unwatch", "'container_id':'%s'", d->container);
	}
	assert_in_range(bytes[1], bytes[0], bytes[0] + 16);
	assert_int_equal(loads[1], loads[0]);
}

/* ---- what changes ---- */

WATCH_TEST(test_each_change_of_an_item_is_sent_whole, d)
{
	struct rig_peer *ada = d->ada.peer;
	struct at at = watch(d, ada);
	char id[32], expected[160];
	rig_forget(ada);
	add(d, "Rice", id);
	const char *update = follows(ada, "container.update", &at);
	(void)snprintf(expected, sizeof(expected), "'items':[{'item_id':'%s','name':'Rice'", id);
	assert_true(says(update, expected));
	assert_true(says(update, "'items':1,'unestimated':1,'version':2}"));

	of_item(d, "item.update", id, ",'unit':'kg','quantity':'2','note':'brown'");
	update = follows(ada, "container.update", &at);
	assert_true(says(update, "'name':'Rice','unit':'kg','quantity':'2','category':'none'"));
	assert_true(says(update, "'note':'brown'"));
	assert_true(says(update, "'revision':2}]"));
	assert_false(says(update, "'container':"));

	of_item(d, "item.adjust", id, ",'by':'-0.5'");
	assert_true(says(follows(ada, "container.update", &at), "'quantity':'1.5'"));
	of_item(d, "item.adjust", id, ",'by':'0'");
	assert_string_equal(next_update(ada), "");

	of_item(d, "item.remove", id, "");
	update = follows(ada, "container.update", &at);
	(void)snprintf(expected, sizeof(expected), "'gone':['%s']", id);
	assert_true(says(update, expected));
	assert_true(says(update, "'items':0,"));
}

/* The time of a change is the same in an update and on a page. */
WATCH_TEST(test_an_update_shows_an_item_as_a_page_does, d)
{
	char id[32], shown[400];
	add(d, "Rice", id);
	rig_advance(&d->r, MINUTE_MS);
	rig_forget(d->ada.peer);
	of_item(d, "item.update", id, ",'quantity':'2'");
	const char *update = next_update(d->ada.peer);
	const char *item = strstr(update, "'items':[");
	assert_non_null(item);
	(void)snprintf(shown, sizeof(shown), "%.*s]", (int)strcspn(item, "]"), item);
	assert_true(says(rig_must(d->ada.peer, "item.list", "'container_id':'%s'", d->container),
			 shown));
}

WATCH_TEST(test_a_move_is_sent_to_both_containers, d)
{
	char id[32], other[32], expected[64];
	rig_field(rig_must(d->bob.peer, "container.create", "'group_id':'%s'", d->group),
		  "container_id", other, sizeof(other));
	rig_must(d->ada.peer, "container.watch", "'container_id':'%s'", other);
	add(d, "Rice", id);
	rig_forget(d->ada.peer);
	(void)snprintf(expected, sizeof(expected), ",'to_container_id':'%s'", other);
	of_item(d, "item.move", id, expected);
	const char *first = next_update(d->ada.peer);
	assert_true(says(first, other));
	assert_true(says(first, "'name':'Rice'"));
	const char *second = next_update(d->ada.peer);
	assert_true(says(second, d->container));
	(void)snprintf(expected, sizeof(expected), "'gone':['%s']", id);
	assert_true(says(second, expected));
}

WATCH_TEST(test_a_name_is_sent_to_those_who_watch_container_or_group, d)
{
	rig_must(d->bob.peer, "group.watch", "'group_id':'%s'", d->group);
	rig_forget(d->bob.peer);
	rig_must(d->bob.peer, "container.rename", "'container_id':'%s','container_name':'Larder'",
		 d->container);
	assert_true(says(next_update(d->ada.peer), "'container_name':'Larder'"));
	assert_true(says(next_of(d->bob.peer, "group.update"), "'container_name':'Larder'"));
}

/* ---- who has missed something ---- */

WATCH_TEST(test_versions_outlast_the_server, d)
{
	struct at at = watch(d, d->ada.peer);
	rig_crash(&d->r);
	struct rig_peer *p = resumed(d, &d->ada);
	assert_int_equal(watch_since(d, p, at).version, at.version);
	assert_string_equal(next_update(p), "");
	rig_must(p, "item.add", "'container_id':'%s','name':'Rice'", d->container);
	follows(p, "container.update", &at);
	at.version--;
	watch_since(d, p, at);
	assert_true(says(next_update(p), "'full':true"));
}

/* ---- its end ---- */

WATCH_TEST(test_a_container_that_is_deleted_ends_its_watches, d)
{
	rig_must(d->bob.peer, "container.delete", "'container_id':'%s'", d->container);
	const char *last = next_update(d->ada.peer);
	assert_true(says(last, "'is_deleted':true"));
	assert_true(says(last, d->container));
	assert_string_equal(next_update(d->ada.peer), "");
	assert_string_equal(rig_code(d->ada.peer, "container.watch", "'container_id':'%s'",
				     d->container),
			    "NOT_FOUND");
}

/* However the two fall, a client that watches already and asks again is sent nothing as if the container were still there. */
WATCH_TEST(test_a_watch_that_is_asked_for_again_while_its_container_ends, d)
{
	struct rig_peer *ada = d->ada.peer;
	for (size_t let = 0; let < 12; let++) {
		char made[32];
		rig_field(rig_must(d->bob.peer, "container.create", "'group_id':'%s'", d->group),
			  "container_id", made, sizeof(made));
		rig_must(ada, "container.watch", "'container_id':'%s'", made);
		rig_forget(ada);
		rig_hold(&d->r);
		rig_send(d->bob.peer, "container.delete", "'container_id':'%s'", made);
		rig_let(&d->r, let);
		uint32_t again = rig_send(ada, "container.watch", "'container_id':'%s'", made);
		rig_release(&d->r);
		(void)rig_outcome(ada, again);
		bool is_deleted = false;
		for (const char *update = next_update(ada); update[0] != '\0';
		     update = next_update(ada)) {
			is_deleted = says(update, "'is_deleted':true");
		}
		assert_true(is_deleted);
	}
}

/* Ada changes an item in each turn; early in that Bob asks to watch its container. Return how that was answered. */
static const char *watch_what_never_rests(struct club *d)
{
	enum { CHANGES = 60 };
	char id[32];
	add(d, "Milk", id);
	uint32_t watching = 0;
	rig_hold(&d->r);
	for (size_t i = 0; i < CHANGES; i++) {
		rig_send(d->ada.peer, "item.adjust", "'container_id':'%s','item_id':'%s','by':'1'",
			 d->container, id);
		if (i == CHANGES / 4) {
			watching = rig_send(d->bob.peer, "container.watch", "'container_id':'%s'",
					    d->container);
		}
		rig_let(&d->r, 1);
	}
	rig_release(&d->r);
	return rig_outcome(d->bob.peer, watching);
}

/* Its items change each time that it is read: the watch is answered all the same, and what it has missed is a reset. */
WATCH_TEST(test_a_container_that_never_rests_can_be_watched, d)
{
	assert_string_equal(watch_what_never_rests(d), "ok");
	const char *update = next_update(d->bob.peer);
	assert_true(says(update, "'reset':true"));
	int64_t version = rig_field_number(update, "version");
	for (update = next_update(d->bob.peer); update[0] != '\0';
	     update = next_update(d->bob.peer)) {
		assert_int_equal(rig_field_number(update, "since"), version);
		version = rig_field_number(update, "version");
	}
	assert_int_equal(version, watch(d, d->ada.peer).version);
}

/* One who watches already and asks again is not sent what was before what it has. */
WATCH_TEST(test_a_watch_that_is_behind_takes_nothing_back, d)
{
	watch(d, d->bob.peer);
	rig_forget(d->bob.peer);
	assert_string_equal(watch_what_never_rests(d), "ok");
	int64_t version = 0;
	size_t resets = 0;
	for (const char *u = next_update(d->bob.peer); u[0] != '\0'; u = next_update(d->bob.peer)) {
		assert_true(rig_field_number(u, "version") >= version);
		version = rig_field_number(u, "version");
		resets += says(u, "'reset':true");
	}
	assert_int_equal(resets, 1);
	assert_int_equal(version, watch(d, d->ada.peer).version);
}

WATCH_TEST(test_a_watch_ends_with_the_membership, d)
{
	watch(d, d->bob.peer);
	rig_forget(d->bob.peer);
	assert_string_equal(of_user(d, &d->ada, "group.remove_user", &d->bob, ""), "ok");
	const char *last = next_update(d->bob.peer);
	assert_true(says(last, "'reset':true"));
	assert_true(says(last, d->container));
	rig_must(d->ada.peer, "item.add", "'container_id':'%s','name':'x'", d->container);
	assert_string_equal(next_update(d->bob.peer), "");
	assert_true(says(next_update(d->ada.peer), "'name':'x'"));
}

/* However the two fall: removed while the watch is answered, a user is sent nothing of what comes later. */
WATCH_TEST(test_a_watch_and_a_removal_at_once_leave_no_watch, d)
{
	for (size_t i = 0; i < 24; i++) {
		rig_hold(&d->r);
		uint32_t removing = 0;
		if (i % 2 == 0) {
			removing = rig_send(d->ada.peer, "group.remove_user",
					    "'group_id':'%s','user_id':'%s'", d->group,
					    d->bob.session.user_id);
		}
		uint32_t watching = rig_send(d->bob.peer, "container.watch", "'container_id':'%s'",
					     d->container);
		if (i % 2 == 1) {
			removing = rig_send(d->ada.peer, "group.remove_user",
					    "'group_id':'%s','user_id':'%s'", d->group,
					    d->bob.session.user_id);
		}
		rig_let(&d->r, i / 2);
		rig_release(&d->r);
		assert_string_equal(rig_outcome(d->ada.peer, removing), "ok");
		(void)rig_outcome(d->bob.peer, watching);
		rig_forget(d->bob.peer);
		rig_must(d->ada.peer, "item.add", "'container_id':'%s','name':'x'", d->container);
		assert_string_equal(next_update(d->bob.peer), "");
		enrol(d, &d->bob);
		rig_forget(d->ada.peer);
	}
}

WATCH_TEST(test_unwatching_ends_it, d)
{
	rig_must(d->ada.peer, "container.unwatch", "'container_id':'%s'", d->container);
	rig_must(d->ada.peer, "item.add", "'container_id':'%s','name':'x'", d->container);
	assert_string_equal(next_update(d->ada.peer), "");
}

/* Whichever allocation fails: a watcher is sent all, or a reset, or its connection ends. */
WATCH_HEAP_TEST(test_any_allocation_may_fail, d, nth)
{
	struct rig_peer *ada = d->ada.peer;
	struct at at = watch(d, ada);
	rig_forget(ada);
	heap_fail_nth(nth, false);
	uint32_t adding = rig_send(d->bob.peer, "item.add", "'container_id':'%s','name':'Rice'",
				   d->container);
	rig_settle(&d->r);
	heap_fail_never();
	rig_settle(&d->r);
	bool is_done = d->bob.peer->is_open && strcmp(rig_outcome(d->bob.peer, adding), "ok") == 0;
	if (ada->is_open && is_done) {
		const char *update = next_update(ada);
		assert_true(says(update, "'reset':true") ||
			    rig_field_number(update, "since") == at.version);
	}
}
