/*
 * test_waiting.c - session.waiting: a room whose stories are open together waits for a user's votes. Members of its group
 * and users with a seat are told once, and once more a day before the deadline, whatever is lost between.
 */
#include "tests/support/store_mem.h"
#include "tests/unit/server/club.h"

#define TWO_DAYS_S 172800

/* ada has made a room of the group, bob is a member of it, cy and dan are not; all watch. */
static int waiting_begin(struct club *d)
{
	char params[64];
	(void)club_begin(d);
	enrol(d, &d->bob);
	(void)snprintf(params, sizeof(params), "'group_id':'%s','title':'Sprint'", d->group);
	rig_found(&d->r, d->ada.peer, params);
	struct club_user *users[] = {&d->ada, &d->bob, &d->cy, &d->dan};
	for (size_t i = 0; i < 4; i++) {
		strcpy(users[i]->peer->room_id, d->r.room_id);
		rig_must(users[i]->peer, "session.watch", RIG_NONE);
	}
	rig_must(d->ada.peer, "set_policy", "'policy':{'open_stories':true,'keep_votes':true}");
	return 0;
}

static int waiting_open(void **state)
{
	return waiting_begin(scene_init(state, sizeof(struct club)));
}

#define WAITING_TEST(name, d) TEST_IN(name, struct club, d, waiting_open, scene_finish)
#define WAITING_HEAP_TEST(name, d, nth) \
	HEAP_TEST_IN(name, struct club, d, nth, waiting_open, scene_finish)

static void add(struct club *d, const char *title)
{
	rig_must(d->ada.peer, "story.add", "'room_id':'%s','title':'%s'", d->r.room_id, title);
}

static void enter(struct club *d, struct club_user *u, const char *more)
{
	rig_follow(u->peer, "");
	rig_must(u->peer, "join", "'username':'%s'%s", u->session.user_name, more);
	(void)d;
}

/* Three stories are open, and ada is in the room. */
static void three_stories(struct club *d)
{
	enter(d, &d->ada, "");
	add(d, "Login");
	add(d, "Pay");
	add(d, "Ship");
}

static void until(struct club *d, int seconds)
{
	rig_must(d->ada.peer, "timer.start", "'room_id':'%s','seconds':%d,'reveal_at_zero':true",
		 d->r.room_id, seconds);
}

/* How often the user was told since the last time. */
static size_t told(const struct club_user *u)
{
	size_t n = rig_count(u->peer, "session.waiting");
	rig_forget(u->peer);
	return n;
}

/* The story of that title in ada's list. */
static void vote(struct club *d, struct club_user *u, const char *title)
{
	rig_must(u->peer, "vote", "'story_id':'%s','vote':'5'", rig_story(d->ada.peer, title));
}

/* Time goes by, and the users who are there use their sessions, as clients do. */
static void pass(struct club *d, int64_t ms)
{
	for (int64_t step = 30 * MINUTE_MS; ms > 0; ms -= step) {
		rig_advance(&d->r, ms < step ? ms : step);
		struct club_user *users[] = {&d->ada, &d->bob};
		for (size_t i = 0; i < 2; i++) {
			if (users[i]->peer->is_open) {
				rig_must(users[i]->peer, "session.whoami", RIG_NONE);
			}
		}
	}
}

/* The user comes back on another connection. */
static void again(struct club *d, struct club_user *u)
{
	u->peer = rig_connect(&d->r, u->session.user_name);
	login_signed(u->peer, u->session.user_name, &u->key);
	strcpy(u->peer->room_id, d->r.room_id);
	rig_must(u->peer, "session.watch", RIG_NONE);
	rig_settle(&d->r);
}

/* ---- once ---- */

WAITING_TEST(test_members_of_the_group_are_told_once_and_nothing_of_the_votes, d)
{
	assert_int_equal(told(&d->bob), 0); /* nothing is open yet */
	rig_forget(d->bob.peer);
	add(d, "Login");
	assert_string_equal(rig_next(d->bob.peer),
			    "session.waiting {'room_id':'ROOM','title':'Sprint'}");
	assert_int_equal(told(&d->ada), 1);
	assert_int_equal(told(&d->cy), 0);
	assert_int_equal(told(&d->dan), 0);
	add(d, "Pay");
	rig_must(d->bob.peer, "session.watch", RIG_NONE);
	rig_settle(&d->r);
	assert_int_equal(told(&d->bob), 0);
}

WAITING_TEST(test_nobody_is_told_twice_across_restarts, d)
{
	add(d, "Login");
	assert_int_equal(told(&d->bob), 1);
	rig_crash(&d->r);
	again(d, &d->bob);
	assert_int_equal(told(&d->bob), 0);
	again(d, &d->ada);
	rig_follow(d->ada.peer, "");
	add(d, "Pay");
	assert_int_equal(told(&d->bob), 0);
	assert_int_equal(told(&d->ada), 0);
}

WAITING_TEST(test_who_was_not_there_is_told_when_they_come, d)
{
	rig_cut(d->bob.peer);
	add(d, "Login");
	rig_crash(&d->r);
	again(d, &d->bob);
	assert_int_equal(told(&d->bob), 1);
	again(d, &d->bob);
	assert_int_equal(told(&d->bob), 0);
}

WAITING_TEST(test_a_member_of_many_groups_is_looked_for_in_few_reads_one_after_another, d)
{
	enum { GROUPS = 20, ROUNDS_MAX = 10 };
	size_t rounds = 0;
	for (int i = 0; i < GROUPS - 1; i++) {
		rig_must(d->ada.peer, "group.create", "'group_name':'G%d'", i);
	}
	rig_must(d->ada.peer, "session.unwatch", RIG_NONE);
	add(d, "Login");
	rig_forget(d->ada.peer);
	rig_hold(&d->r);
	(void)rig_send(d->ada.peer, "session.watch", RIG_NONE);
	for (; store_mem_waiting(d->r.store) > 0; rounds++) {
		rig_let(&d->r, store_mem_waiting(d->r.store));
	}
	rig_release(&d->r);
	assert_int_equal(told(&d->ada), 1);
	assert_in_range(rounds, 1, ROUNDS_MAX);
}

WAITING_TEST(test_who_becomes_a_member_is_told_at_once, d)
{
	add(d, "Login");
	assert_int_equal(told(&d->cy), 0);
	enrol(d, &d->cy);
	rig_settle(&d->r);
	assert_int_equal(told(&d->cy), 1);
	rig_must(d->cy.peer, "session.watch", RIG_NONE);
	rig_settle(&d->r);
	assert_int_equal(told(&d->cy), 0);
}

WAITING_TEST(test_who_follows_no_user_is_not_told_and_is_later, d)
{
	rig_must(d->bob.peer, "session.unwatch", RIG_NONE);
	add(d, "Login");
	assert_int_equal(told(&d->bob), 0);
	rig_must(d->bob.peer, "session.watch", RIG_NONE);
	rig_settle(&d->r);
	assert_int_equal(told(&d->bob), 1);
}

/* ---- whom ---- */

WAITING_TEST(test_who_has_voted_on_everything_is_not_told, d)
{
	rig_must(d->bob.peer, "session.unwatch", RIG_NONE);
	rig_must(d->cy.peer, "session.unwatch", RIG_NONE);
	enter(d, &d->ada, "");
	add(d, "Login");
	add(d, "Pay");
	enter(d, &d->bob, "");
	enter(d, &d->cy, ""); /* who is in no group */
	enter(d, &d->dan, ",'role':'spectator'");
	vote(d, &d->bob, "Login");
	vote(d, &d->bob, "Pay");
	vote(d, &d->cy, "Pay");
	struct club_user *users[] = {&d->bob, &d->cy, &d->dan};
	for (size_t i = 0; i < 3; i++) {
		rig_must(users[i]->peer, "session.watch", RIG_NONE);
		rig_settle(&d->r);
	}
	assert_int_equal(told(&d->bob), 0);
	assert_int_equal(told(&d->cy), 1);
	assert_int_equal(told(&d->dan), 0);
}

WAITING_TEST(test_who_was_removed_from_the_room_is_not_told, d)
{
	rig_must(d->bob.peer, "session.unwatch", RIG_NONE);
	enter(d, &d->ada, "");
	enter(d, &d->bob, "");
	rig_must(d->ada.peer, "set_policy", "'policy':{'locked':true}");
	rig_must(d->ada.peer, "kick", "'user_id':'%s'", d->bob.session.user_id);
	add(d, "Login");
	rig_must(d->bob.peer, "session.watch", RIG_NONE);
	rig_settle(&d->r);
	assert_int_equal(told(&d->bob), 0);
}

WAITING_TEST(test_a_room_whose_stories_are_settled_or_not_together_waits_for_nobody, d)
{
	rig_cut(d->bob.peer);
	add(d, "Login");
	rig_must(d->ada.peer, "set_policy", "'policy':{'open_stories':false}");
	again(d, &d->bob);
	assert_int_equal(told(&d->bob), 0);
	rig_must(d->ada.peer, "set_policy", "'policy':{'open_stories':true}");
	assert_int_equal(told(&d->bob), 1); /* the rule opens it */
	rig_cut(d->cy.peer);
	rig_follow(d->ada.peer, "");
	rig_must(d->ada.peer, "story.update", "'room_id':'%s','story_id':'%s','status':'skipped'",
		 d->r.room_id, rig_story(d->ada.peer, "Login"));
	enrol(d, &d->dan);
	rig_must(d->dan.peer, "session.watch", RIG_NONE);
	rig_settle(&d->r);
	assert_int_equal(told(&d->dan), 0);
}

/* ---- the deadline ---- */

WAITING_TEST(test_a_day_before_the_deadline_they_are_told_again_and_once, d)
{
	enter(d, &d->ada, "");
	until(d, TWO_DAYS_S);
	add(d, "Login");
	const char *notice = rig_next(d->bob.peer);
	while (strncmp(notice, "session.waiting", 15) != 0) {
		notice = rig_next(d->bob.peer);
	}
	assert_int_equal(rig_field_number(notice, "ends_at"), d->r.wall_ms + 2 * DAY_MS);
	assert_int_equal(told(&d->ada), 1);
	enter(d, &d->bob, "");
	vote(d, &d->ada, "Login");
	pass(d, DAY_MS - 10 * MINUTE_MS);
	assert_int_equal(told(&d->bob), 0);
	pass(d, 20 * MINUTE_MS);
	assert_int_equal(told(&d->bob), 1);
	assert_int_equal(told(&d->ada), 0); /* who has voted */
	rig_crash(&d->r);
	again(d, &d->bob);
	pass(d, 60 * MINUTE_MS);
	assert_int_equal(told(&d->bob), 0);
}

/* Nobody is in the room, which is in no memory after the restart: the item's time finds it. */
WAITING_TEST(test_the_deadline_of_a_room_that_nobody_is_in_is_told, d)
{
	until(d, TWO_DAYS_S);
	add(d, "Login");
	assert_int_equal(told(&d->bob), 1);
	rig_crash(&d->r);
	again(d, &d->bob);
	pass(d, DAY_MS + 10 * MINUTE_MS);
	assert_int_equal(told(&d->bob), 1);
	pass(d, 60 * MINUTE_MS);
	assert_int_equal(told(&d->bob), 0);
}

WAITING_TEST(test_who_comes_on_the_last_day_is_told_once, d)
{
	until(d, TWO_DAYS_S);
	rig_cut(d->bob.peer);
	add(d, "Login");
	pass(d, DAY_MS + 60 * MINUTE_MS);
	again(d, &d->bob);
	assert_int_equal(told(&d->bob), 1);
	pass(d, 60 * MINUTE_MS);
	again(d, &d->bob);
	assert_int_equal(told(&d->bob), 0);
}

WAITING_TEST(test_a_deadline_that_is_set_later_is_told, d)
{
	add(d, "Login");
	assert_int_equal(told(&d->bob), 1);
	until(d, TWO_DAYS_S);
	assert_int_equal(told(&d->bob), 0);
	pass(d, DAY_MS + 10 * MINUTE_MS);
	assert_int_equal(told(&d->bob), 1);
	/* One that is put off is told again. */
	until(d, TWO_DAYS_S);
	pass(d, 10 * MINUTE_MS);
	assert_int_equal(told(&d->bob), 0);
	pass(d, DAY_MS);
	assert_int_equal(told(&d->bob), 1);
}

/* ---- the deadline of a story ---- */

static void story_until(struct club *d, const char *title, int seconds)
{
	rig_must(d->ada.peer, "story.update",
		 "'room_id':'%s','story_id':'%s','reveal_in_seconds':%d", d->r.room_id,
		 rig_story(d->ada.peer, title), seconds);
	rig_settle(&d->r);
}

/* ends_at of the user's next session.waiting; 0: there is none. */
static int64_t told_until(const struct club_user *u)
{
	const char *notice = rig_next(u->peer);
	while (notice[0] != '\0' && strncmp(notice, "session.waiting", 15) != 0) {
		notice = rig_next(u->peer);
	}
	return notice[0] == '\0' ? 0 : rig_field_number(notice, "ends_at");
}

WAITING_TEST(test_a_day_before_a_storys_deadline_they_are_told_and_once, d)
{
	enter(d, &d->ada, "");
	add(d, "Login");
	add(d, "Pay");
	assert_int_equal(told(&d->bob), 1);
	(void)told(&d->ada);
	story_until(d, "Pay", TWO_DAYS_S);
	int64_t ends_at = d->r.wall_ms + 2 * DAY_MS;
	assert_int_equal(told(&d->bob), 0);
	vote(d, &d->ada, "Pay"); /* and not on the other */
	pass(d, DAY_MS - 10 * MINUTE_MS);
	assert_int_equal(told(&d->bob), 0);
	pass(d, 20 * MINUTE_MS);
	assert_int_equal(told_until(&d->bob), ends_at);
	assert_int_equal(told(&d->bob), 0);
	assert_int_equal(told(&d->ada), 0);
	rig_crash(&d->r);
	again(d, &d->bob);
	pass(d, 60 * MINUTE_MS);
	assert_int_equal(told(&d->bob), 0);
}

WAITING_TEST(test_each_storys_deadline_is_told_a_day_before_it, d)
{
	three_stories(d);
	story_until(d, "Ship", 3 * TWO_DAYS_S / 2);
	story_until(d, "Pay", TWO_DAYS_S);
	int64_t now = d->r.wall_ms;
	assert_int_equal(told(&d->bob), 1);
	rig_crash(&d->r);
	again(d, &d->bob);
	pass(d, DAY_MS + 10 * MINUTE_MS);
	assert_int_equal(told_until(&d->bob), now + 2 * DAY_MS);
	pass(d, DAY_MS);
	assert_int_equal(told_until(&d->bob), now + 3 * DAY_MS);
	assert_int_equal(told(&d->bob), 0);
	pass(d, DAY_MS);
	assert_int_equal(told(&d->bob), 0);
}

WAITING_TEST(test_a_storys_deadline_is_not_told_once_it_is_revealed_cleared_or_past, d)
{
	three_stories(d);
	assert_int_equal(told(&d->bob), 1);
	story_until(d, "Login", TWO_DAYS_S);
	story_until(d, "Pay", TWO_DAYS_S);
	story_until(d, "Ship", TWO_DAYS_S);
	vote(d, &d->ada, "Login");
	rig_must(d->ada.peer, "set_revealed", "'is_revealed':true,'story_id':'%s'",
		 rig_story(d->ada.peer, "Login"));
	story_until(d, "Pay", 0);
	rig_must(d->ada.peer, "story.update", "'room_id':'%s','story_id':'%s','status':'skipped'",
		 d->r.room_id, rig_story(d->ada.peer, "Ship"));
	pass(d, DAY_MS + 10 * MINUTE_MS);
	assert_int_equal(told(&d->bob), 0);
	/* One that is less than a day off was announced when it was set. */
	story_until(d, "Pay", 3600);
	assert_int_equal(told_until(&d->bob), d->r.wall_ms + 60 * MINUTE_MS);
	story_until(d, "Pay", 3600);
	assert_int_equal(told(&d->bob), 0);
	pass(d, 120 * MINUTE_MS);
	assert_int_equal(told(&d->bob), 0);
}

WAITING_TEST(test_who_retracts_a_vote_is_told_of_the_storys_deadline, d)
{
	enter(d, &d->ada, "");
	enter(d, &d->bob, "");
	add(d, "Login");
	rig_must(d->ada.peer, "set_policy", "'policy':{'auto_reveal':false}");
	assert_int_equal(told(&d->bob), 1);
	vote(d, &d->bob, "Login");
	story_until(d, "Login", TWO_DAYS_S);
	pass(d, 60 * MINUTE_MS);
	rig_must(d->bob.peer, "vote", "'story_id':'%s','vote':null",
		 rig_story(d->ada.peer, "Login"));
	assert_int_equal(told(&d->bob), 0);
	pass(d, DAY_MS);
	assert_int_equal(told(&d->bob), 1);
}

/* The story at the table: its votes are not among those on other stories. */
WAITING_TEST(test_the_deadline_of_the_story_at_the_table_is_told_who_has_not_voted, d)
{
	enter(d, &d->ada, "");
	add(d, "Login");
	add(d, "Pay");
	rig_must(d->ada.peer, "story.select", "'room_id':'%s','story_id':'%s'", d->r.room_id,
		 rig_story(d->ada.peer, "Login"));
	story_until(d, "Login", TWO_DAYS_S);
	assert_int_equal(told(&d->bob), 1);
	(void)told(&d->ada);
	rig_must(d->ada.peer, "set_policy", "'policy':{'auto_reveal':false}");
	rig_must(d->ada.peer, "vote", "'vote':'5'");
	pass(d, DAY_MS + 10 * MINUTE_MS);
	assert_int_equal(told(&d->bob), 1);
	assert_int_equal(told(&d->ada), 0);
}

/* ---- what is lost ---- */

WAITING_TEST(test_a_commit_that_fails_is_made_again, d)
{
	rig_hold(&d->r);
	(void)rig_send(d->ada.peer, "story.add", "'room_id':'%s','title':'Login'", d->r.room_id);
	rig_let(&d->r, 1);
	rig_fail_commits(&d->r, 1, ERR_CONFLICT);
	rig_release(&d->r);
	rig_settle(&d->r);
	assert_true(told(&d->bob) <= 1);
	rig_must(d->bob.peer, "session.watch", RIG_NONE);
	rig_settle(&d->r);
	assert_true(told(&d->bob) <= 1);
	assert_int_equal(stored_of(d, "USER", d->bob.session.user_id, "WAITS#"), 1);
}

WAITING_TEST(test_what_is_kept_ends_with_the_room_and_with_the_user, d)
{
	add(d, "Login");
	assert_int_equal(stored_of(d, "USER", d->bob.session.user_id, "WAITS#"), 1);
	assert_int_equal(stored_of(d, "USER", d->ada.session.user_id, "WAITS#"), 1);
	rig_must(d->bob.peer, "user.delete", RIG_NONE);
	rig_settle(&d->r);
	assert_int_equal(stored_of(d, "USER", d->bob.session.user_id, "WAITS#"), 0);
	rig_must(d->ada.peer, "room.delete", "'room_id':'%s','host_key':'%s'", d->r.room_id,
		 d->r.host_key);
	rig_advance(&d->r, 40 * DAY_MS);
	assert_int_equal(stored_of(d, "USER", d->ada.session.user_id, "WAITS#"), 0);
}

WAITING_HEAP_TEST(test_without_memory_nobody_is_told_twice, d, nth)
{
	heap_fail_nth(nth, false);
	(void)rig_send(d->ada.peer, "story.add", "'room_id':'%s','title':'Login'", d->r.room_id);
	heap_fail_never();
	rig_settle(&d->r);
	if (d->bob.peer->is_open) {
		size_t n = told(&d->bob);
		rig_must(d->bob.peer, "session.watch", RIG_NONE);
		rig_settle(&d->r);
		assert_true(n + told(&d->bob) <= 1);
	}
}
