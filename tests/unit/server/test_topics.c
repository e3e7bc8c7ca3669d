/*
 * test_topics.c - a user's sessions and rooms are watched: session.watch says how
 * it is, session.update what changes, in order, to those of that user alone.
 */
#include "tests/support/store_mem.h"
#include "tests/unit/server/desk.h"

/* What session.update says beside its versions: "started", "ended", "joined CODE", ... of the next one; "" without. */
static const char *next_change(struct rig_peer *p)
{
	static char change[64];
	const char *text = rig_next(p);
	change[0] = '\0';
	for (size_t i = 0; i < 5; i++) {
		static const char *const members[] = {"started", "ended", "joined", "left",
						      "reset"};
		char pattern[32];
		(void)snprintf(pattern, sizeof(pattern), "'%s':", members[i]);
		if (strncmp(text, "session.update", 14) == 0 && strstr(text, pattern) != NULL) {
			(void)snprintf(change, sizeof(change), "%s", members[i]);
		}
	}
	return change;
}

/* Ada's key, logged in on both connections of the desk, under two names; ada's connection watches. */
static struct pair watched(struct desk *d)
{
	struct pair k = make_pair(1);
	login_signed(d->ada, "Ada", &k);
	login_signed(d->bob, "Bob", &k);
	rig_must(d->ada, "session.watch", RIG_NONE);
	rig_forget(d->ada);
	return k;
}

DESK_TEST(test_watching_says_how_it_is_and_then_what_changes, d)
{
	struct pair k = make_pair(1);
	login_signed(d->ada, "Ada", &k);
	login_signed(d->bob, "Bob", &k);
	const char *is = rig_must(d->ada, "session.watch", RIG_NONE);
	assert_non_null(strstr(is, "'user_name':'Ada'"));
	assert_non_null(strstr(is, "'rooms':[]"));
	const char *second = strstr(is, "'sessions':");
	second = strstr(strstr(second, "session_id") + 1, "session_id");
	assert_non_null(second);
	assert_null(strstr(second + 1, "session_id"));
	int64_t version = rig_field_number(is, "version");

	rig_must(d->bob, "session.logout", RIG_NONE);
	const char *update = rig_next(d->ada);
	assert_non_null(strstr(update, "'ended':"));
	assert_int_equal(rig_field_number(update, "since"), version);
	assert_int_equal(rig_field_number(update, "version"), version + 1);

	struct rig_peer *cy = rig_connect(&d->r, "cy");
	login_signed(cy, "Cy", &k);
	update = rig_next(d->ada);
	assert_non_null(strstr(update, "'started':"));
	assert_int_equal(rig_field_number(update, "since"), version + 1);
	assert_int_equal(rig_field_number(update, "version"), version + 2);
}

DESK_TEST(test_rooms_come_and_go, d)
{
	watched(d);
	struct rig_peer *host = rig_guest(&d->r, "host");
	rig_found(&d->r, host, "");
	rig_follow(host, "");
	memcpy(d->bob->room_id, d->r.room_id, sizeof(d->bob->room_id));
	rig_follow(d->bob, "");
	rig_must(d->bob, "join", RIG_NONE);
	assert_string_equal(next_change(d->ada), "joined");
	rig_must(d->bob, "delete_user", RIG_NONE);
	assert_string_equal(next_change(d->ada), "left");
	rig_follow(d->bob, "");
	rig_must(d->bob, "join", RIG_NONE);
	assert_string_equal(next_change(d->ada), "joined");
	rig_must(host, "delete", "'host_key':'%s'", d->r.host_key);
	assert_string_equal(next_change(d->ada), "left");
	assert_string_equal(next_change(d->ada), "");
	rig_cut(host); /* their copies are of a room that is no more */
	rig_cut(d->bob);
}

DESK_TEST(test_nobody_else_is_sent_anything, d)
{
	struct pair k = watched(d);
	struct rig_peer *eve = rig_guest(&d->r, "eve");
	login(eve, "Eve");
	rig_must(eve, "session.watch", RIG_NONE);
	rig_forget(eve);
	assert_string_equal(rig_code(rig_guest(&d->r, "no"), "session.watch", RIG_NONE),
			    "UNAUTHENTICATED");
	struct rig_peer *cy = rig_connect(&d->r, "cy");
	login_signed(cy, "Cy", &k);
	assert_string_equal(next_change(d->ada), "started");
	assert_string_equal(next_change(eve), "");
}

/* A session that was ended elsewhere is sent nothing more, though its connection stays. */
DESK_TEST(test_a_connection_whose_session_is_over_is_sent_nothing_more, d)
{
	struct pair k = watched(d);
	struct rig_peer *cy = rig_connect(&d->r, "cy");
	login_signed(cy, "Ada", &k); /* takes the name, and so ends ada's session */
	rig_forget(d->ada);
	struct rig_peer *di = rig_connect(&d->r, "di");
	login_signed(di, "Di", &k);
	assert_string_equal(next_change(d->ada), "");
	login(d->ada, "Somebody");
	rig_must(di, "session.logout", RIG_NONE);
	assert_string_equal(next_change(d->ada), "");
}

DESK_TEST(test_unwatching_ends_it_and_watching_twice_is_once, d)
{
	struct pair k = watched(d);
	rig_must(d->ada, "session.watch", RIG_NONE);
	struct rig_peer *cy = rig_connect(&d->r, "cy");
	login_signed(cy, "Cy", &k);
	assert_string_equal(next_change(d->ada), "started");
	assert_string_equal(next_change(d->ada), "");
	rig_must(d->ada, "session.unwatch", RIG_NONE);
	rig_must(d->ada, "session.unwatch", RIG_NONE);
	rig_must(cy, "session.logout", RIG_NONE);
	assert_string_equal(next_change(d->ada), "");
}

/* What is published while the watch is being answered is in its answer, or follows it. */
DESK_TEST(test_what_happens_while_a_watch_is_answered_is_not_missed, d)
{
	struct pair k = make_pair(1);
	struct rig_peer *cy = rig_connect(&d->r, "cy");
	login_signed(d->ada, "Ada", &k);
	login_signed(d->bob, "Bob", &k);
	login_signed(cy, "Cy", &k);
	for (size_t let = 0; let < 8; let++) {
		struct rig_peer *di = rig_connect(&d->r, "di");
		login_signed(di, "Di", &k);
		rig_hold(&d->r);
		uint32_t watch = rig_send(d->ada, "session.watch", RIG_NONE);
		uint32_t logout = rig_send(di, "session.logout", RIG_NONE);
		rig_let(&d->r, let);
		rig_release(&d->r);
		assert_string_equal(rig_outcome(di, logout), "ok");
		bool refused = true;
		const char *is = rig_answer(d->ada, watch, &refused);
		assert_false(refused);
		size_t sessions = 0;
		for (const char *at = strstr(is, "'sessions':");
		     (at = strstr(at, "session_id")) != NULL; at++) {
			sessions++;
		}
		size_t ended = strcmp(next_change(d->ada), "ended") == 0;
		assert_true(sessions == 3 || (sessions == 4 && ended == 1));
		rig_must(d->ada, "session.unwatch", RIG_NONE);
		rig_forget(d->ada);
	}
}

/* Thousands of changes for one who does not read: what waits is bounded, and one reset says that there was more. */
DESK_TEST(test_a_slow_watcher_is_sent_a_reset, d)
{
	struct pair k = watched(d);
	rig_window(d->ada, 0);
	struct rig_peer *cy = rig_connect(&d->r, "cy");
	login_signed(cy, "Cy", &k);
	size_t before = d->ada->in.len;
	for (size_t i = 0; i < 6000; i++) {
		rig_must(cy, "session.logout", RIG_NONE);
		login_signed(cy, "Cy", &k);
		rig_advance(&d->r, 2);
		rig_forget(cy);
		buf_clear(&cy->in);
		cy->read_at = 0;
	}
	rig_window(d->ada, RIG_UNBOUNDED);
	rig_settle(&d->r);
	assert_true(d->ada->in.len - before < 2 * (size_t)MAX_OUT_BYTES);
	size_t updates = rig_count(d->ada, "session.update");
	assert_in_range(updates, 2, 11999);
	const char *change = "";
	for (size_t i = 0; i < updates; i++) {
		change = next_change(d->ada);
	}
	assert_string_equal(change, "reset");
	rig_must(cy, "session.logout", RIG_NONE);
	assert_string_equal(next_change(d->ada), "ended");
}

DESK_TEST(test_a_connection_that_closes_takes_its_watch_along, d)
{
	struct pair k = watched(d);
	rig_hold(&d->r);
	rig_send(d->bob, "session.watch", RIG_NONE);
	rig_cut(d->bob);
	rig_cut(d->ada);
	rig_release(&d->r);
	login_signed(rig_connect(&d->r, "cy"), "Cy", &k);
}

/* Wherever its requests stand when a connection closes: the others go on, and nothing is sent to it. */
DESK_TEST(test_a_connection_may_close_while_anything_is_answered, d)
{
	struct pair k = watched(d);
	for (size_t let = 0; let < 8; let++) {
		struct rig_peer *cy = rig_connect(&d->r, "cy");
		login_signed(cy, "Cy", &k);
		assert_string_equal(next_change(d->ada), "started");
		rig_hold(&d->r);
		rig_send(cy, "session.watch", RIG_NONE);
		rig_send(cy, "session.watch", RIG_NONE);
		uint32_t logout = rig_send(d->bob, "session.logout", RIG_NONE);
		rig_let(&d->r, let);
		rig_cut(cy);
		rig_release(&d->r);
		assert_string_equal(rig_outcome(d->bob, logout), "ok");
		assert_string_equal(next_change(d->ada), "ended");
		login_signed(d->bob, "Bob", &k);
		assert_string_equal(next_change(d->ada), "started");
		cy = rig_connect(&d->r, "cy");
		login_signed(cy, "Cy", &k);
		assert_string_equal(next_change(d->ada), "started");
		assert_string_equal(next_change(d->ada), "ended");
		rig_must(cy, "session.logout", RIG_NONE);
		assert_string_equal(next_change(d->ada), "ended");
		rig_advance(&d->r, MINUTE_MS);
		rig_forget(d->ada);
	}
}

/* A server that stops answers what it has begun; a watch is no reason to stay. */
DESK_TEST(test_a_server_stops_while_watches_are_answered, d)
{
	struct pair k = make_pair(1);
	login_signed(d->ada, "Ada", &k);
	login_signed(d->bob, "Bob", &k);
	rig_must(d->bob, "session.watch", RIG_NONE);
	rig_hold(&d->r);
	rig_send(d->ada, "session.watch", RIG_NONE);
	rig_send(d->ada, "session.logout", RIG_NONE);
	rig_stop(&d->r);
	rig_release(&d->r);
	rig_settle(&d->r);
	assert_false(d->ada->is_open);
	assert_false(d->bob->is_open);
}

/* The two watches of one connection that overlap share a subscription: the one that fails leaves it to the other. */
DESK_TEST(test_a_watch_that_fails_does_not_end_one_that_holds, d)
{
	struct pair k = make_pair(1);
	login_signed(d->ada, "Ada", &k);
	login_signed(d->bob, "Bob", &k);
	rig_hold(&d->r);
	uint32_t fails = rig_send(d->ada, "session.watch", RIG_NONE);
	uint32_t holds = rig_send(d->ada, "session.watch", RIG_NONE);
	store_mem_fail_reads(d->r.store, 1, ERR_IO);
	rig_release(&d->r);
	assert_string_equal(rig_outcome(d->ada, fails), "UNAVAILABLE");
	assert_string_equal(rig_outcome(d->ada, holds), "ok");
	rig_must(d->bob, "session.logout", RIG_NONE);
	assert_string_equal(next_change(d->ada), "ended");
}

DESK_TEST(test_a_watch_that_fails_is_none, d)
{
	struct pair k = make_pair(1);
	login_signed(d->ada, "Ada", &k);
	login_signed(d->bob, "Bob", &k);
	store_mem_fail_reads(d->r.store, 1, ERR_IO);
	assert_string_equal(rig_code(d->ada, "session.watch", RIG_NONE), "UNAVAILABLE");
	rig_must(d->bob, "session.logout", RIG_NONE);
	assert_string_equal(next_change(d->ada), "");
}

/* The end of its own session is the last that a connection is sent. */
DESK_TEST(test_the_end_of_its_own_session_is_the_last_change, d)
{
	struct pair k = make_pair(1);
	login_signed(d->ada, "Ada", &k);
	const char *is = rig_must(d->ada, "session.watch", RIG_NONE);
	char id[32];
	assert_int_equal(sscanf(strstr(is, "'session_id':"), "'session_id':'%31[0-9A-Z]'", id), 1);
	rig_forget(d->ada);
	struct rig_peer *cy = rig_connect(&d->r, "cy");
	login_signed(cy, "Ada", &k);
	assert_string_equal(next_change(d->ada), "started");
	const char *last = rig_next(d->ada);
	assert_non_null(strstr(last, "'ended':"));
	assert_non_null(strstr(last, id));
	rig_must(cy, "session.logout", RIG_NONE);
	assert_string_equal(next_change(d->ada), "");
}

/* A user that is logged in again on the connection has to ask again; users that were are no watches. */
DESK_TEST(test_a_watch_ends_with_its_user_on_the_connection, d)
{
	for (int i = 1; i <= 2 * MAX_CONNECTION_TOPICS; i++) {
		struct pair k = make_pair((unsigned char)i);
		login_signed(d->ada, "Ada", &k);
		rig_must(d->ada, "session.watch", RIG_NONE);
		rig_must(d->ada, "session.logout", RIG_NONE);
		rig_advance(&d->r, 2 * MINUTE_MS); /* so often a new key */
	}
	struct pair k = make_pair(1);
	login_signed(d->ada, "Ada", &k);
	rig_forget(d->ada);
	login_signed(rig_connect(&d->r, "cy"), "Cy", &k);
	assert_string_equal(next_change(d->ada), "");
}

DESK_TEST(test_a_session_that_expires_is_published, d)
{
	watched(d);
	rig_cut(d->bob);
	size_t ended = 0;
	for (size_t i = 0; i < 12; i++) {
		rig_advance(&d->r, LIFE_MS / 4);
		rig_must(d->ada, "server.ping", RIG_NONE);
	}
	while (rig_count(d->ada, "session.update") > 0) {
		ended += strcmp(next_change(d->ada), "ended") == 0;
	}
	assert_in_range(ended, 1, 2); /* its name and its token are swept on their own */
}

/* Whichever allocation fails: a watcher is sent all, or a reset, or its connection ends. */
DESK_HEAP_TEST(test_any_allocation_may_fail, d, nth)
{
	struct pair k = make_pair(1);
	login_signed(d->ada, "Ada", &k);
	login_signed(d->bob, "Bob", &k);
	bool refused = false;
	const char *is = rig_must(d->ada, "session.watch", RIG_NONE);
	int64_t version = rig_field_number(is, "version");
	rig_forget(d->ada);
	heap_fail_nth(nth, false);
	uint32_t again = rig_send(d->ada, "session.watch", RIG_NONE);
	uint32_t logout = rig_send(d->bob, "session.logout", RIG_NONE);
	rig_settle(&d->r);
	heap_fail_never();
	rig_settle(&d->r);
	bool is_done = d->bob->is_open && strcmp(rig_outcome(d->bob, logout), "ok") == 0;
	if (d->ada->is_open) {
		(void)rig_answer(d->ada, again, &refused);
	}
	if (d->ada->is_open && is_done) {
		const char *update = rig_next(d->ada);
		assert_non_null(strstr(update, "session.update"));
		assert_true(strstr(update, "'reset':true") != NULL ||
			    (strstr(update, "'ended':") != NULL &&
			     rig_field_number(update, "since") == version));
	}
}

/* The first subscription to a topic begins whole, or is refused and can be asked for again. */
DESK_HEAP_TEST(test_a_watch_begins_whole_or_not_at_all, d, nth)
{
	struct pair k = make_pair(1);
	login_signed(d->ada, "Ada", &k);
	login_signed(d->bob, "Bob", &k);
	heap_fail_nth(nth, false);
	uint32_t first = rig_send(d->ada, "session.watch", RIG_NONE);
	heap_fail_never();
	if (d->ada->is_open) {
		const char *outcome = rig_outcome(d->ada, first);
		assert_true(strcmp(outcome, "ok") == 0 || strcmp(outcome, "UNAVAILABLE") == 0);
		int64_t version =
			rig_field_number(rig_must(d->ada, "session.watch", RIG_NONE), "version");
		rig_forget(d->ada);
		rig_must(d->bob, "session.logout", RIG_NONE);
		assert_int_equal(rig_count(d->ada, "session.update"), 1);
		assert_int_equal(rig_field_number(rig_next(d->ada), "since"), version);
	}
}

/* A logout is committed between what the watch reads and its answer. */
DESK_TEST(test_a_watch_that_was_overtaken_reads_again, d)
{
	struct pair k = make_pair(1);
	bool is_refusal = true;
	login_signed(d->ada, "Ada", &k);
	login_signed(d->bob, "Bob", &k);
	size_t commits = d->r.commits;
	rig_hold(&d->r);
	rig_send(d->bob, "session.logout", RIG_NONE);
	while (d->r.commits == commits) {
		rig_let(&d->r, 1);
	}
	uint32_t watch = rig_send(d->ada, "session.watch", RIG_NONE);
	rig_release(&d->r);
	const char *is = rig_answer(d->ada, watch, &is_refusal);
	assert_non_null(is);
	assert_false(is_refusal);
	const char *one = strstr(strstr(is, "'sessions':"), "session_id");
	assert_non_null(one);
	assert_null(strstr(one + 1, "session_id"));
	/* The answer includes the logout: there is no update of it. */
	assert_int_equal(rig_count(d->ada, "session.update"), 0);
	login_signed(d->bob, "Bob", &k);
	assert_int_equal(rig_field_number(rig_next(d->ada), "since"),
			 rig_field_number(is, "version"));
}
