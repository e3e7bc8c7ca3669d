/*
 * test_session_nudged.c - a nudge for a member who is logged in and has no connection to the room:
 * session.nudged goes to the connections that watch the user, and to nobody else.
 */
#include "tests/unit/server/desk.h"
#include "tests/unit/server/play.h"
#include "tests/unit/server/table.h"

/* A user with a connection to the room, and another one elsewhere that watches. */
struct user {
	struct rig_peer *phone;
	struct rig_peer *desk;
};

static struct user user_sits(struct table *t, const char *name, const char *params)
{
	struct user u = {.phone = rig_guest(&t->r, "phone"), .desk = rig_guest(&t->r, "desk")};
	struct session s = login(u.phone, name);
	rig_follow(u.phone, "");
	rig_must(u.phone, "join", "%s", params);
	rig_must(u.desk, "session.resume", "'token':'%s'", s.token);
	rig_must(u.desk, "session.watch", RIG_NONE);
	rig_forget(u.phone);
	rig_forget(u.desk);
	return u;
}

static const char *nudge_user(struct table *t, const struct user *u)
{
	return rig_code(t->ada, "nudge", "'user_id':'%s'", u->phone->user_id);
}

TABLE_TEST(test_a_member_who_is_away_is_told_where_they_are_logged_in, t)
{
	struct user dora = user_sits(t, "Dora", "");
	rig_cut(dora.phone);
	assert_non_null(strstr(rig_must(t->ada, "nudge", RIG_NONE), "{'nudged':2,"));
	assert_int_equal(rig_count(t->bob, "room.nudged"), 1);
	assert_string_equal(rig_heard(dora.desk), "session.nudged");
	assert_string_equal(rig_next(dora.desk), "session.nudged {'room_id':'ROOM','by':'ada'}");
	rig_advance(&t->r, 10000);
	assert_non_null(strstr(rig_must(t->ada, "nudge", RIG_NONE), "{'nudged':0,"));
	assert_string_equal(nudge_user(t, &dora), "RATE_LIMITED");
	rig_advance(&t->r, 20000);
	assert_string_equal(nudge_user(t, &dora), "ok");
	assert_int_equal(rig_count(dora.desk, "session.nudged"), 1);
	assert_int_equal(rig_count(t->bob, "room.nudged"), 1);
}

TABLE_TEST(test_the_story_is_named_by_its_key_or_else_by_its_title, t)
{
	struct user dora = user_sits(t, "Dora", "");
	rig_cut(dora.phone);
	const char *room_id = t->r.room_id;
	rig_must(t->ada, "story.add", "'room_id':'%s','title':'Refunds','key':'PAY-3'", room_id);
	rig_must(t->ada, "story.add", "'room_id':'%s','title':'Receipts'", room_id);
	rig_must(t->ada, "story.next", "'room_id':'%s'", room_id);
	assert_string_equal(nudge_user(t, &dora), "ok");
	assert_string_equal(rig_next(dora.desk),
			    "session.nudged {'room_id':'ROOM','by':'ada','story':'PAY-3'}");
	rig_advance(&t->r, MAX_NUDGE_MS);
	rig_must(t->ada, "story.next", "'room_id':'%s'", room_id);
	rig_must(rig_guest(&t->r, "script"), "nudge", "'host_key':'%s'", t->r.host_key);
	assert_string_equal(rig_next(dora.desk),
			    "session.nudged {'room_id':'ROOM','story':'Receipts'}");
}

TABLE_TEST(test_a_member_in_the_room_is_told_only_there, t)
{
	struct user dora = user_sits(t, "Dora", "");
	assert_string_equal(nudge_user(t, &dora), "ok");
	assert_int_equal(rig_count(dora.phone, "room.nudged"), 1);
	assert_string_equal(rig_heard(dora.desk), "");
}

TABLE_TEST(test_all_that_watch_the_user_are_told_and_no_other_user, t)
{
	struct user dora = user_sits(t, "Dora", "");
	struct user eve = user_sits(t, "Eve", "");
	struct rig_peer *other = rig_guest(&t->r, "other");
	login(other, "Other");
	rig_must(other, "session.watch", RIG_NONE);
	rig_forget(other);
	rig_must(dora.phone, "session.watch", RIG_NONE);
	rig_must(dora.phone, "unsubscribe", RIG_NONE);
	rig_cut(eve.phone);
	rig_forget(dora.phone);
	assert_string_equal(nudge_user(t, &dora), "ok");
	assert_string_equal(rig_heard(dora.phone), "session.nudged");
	assert_string_equal(rig_heard(dora.desk), "session.nudged");
	assert_string_equal(rig_heard(eve.desk), "");
	assert_string_equal(rig_heard(other), "");
	rig_cut(dora.phone); /* its copy is of before */
}

/* The topic's version is as it was: what follows fits. */
TABLE_TEST(test_the_notice_is_no_version_of_the_topic, t)
{
	struct user dora = user_sits(t, "Dora", "");
	play_policy(t->ada, "'locked':true");
	int64_t version =
		rig_field_number(rig_must(dora.desk, "session.watch", RIG_NONE), "version");
	rig_cut(dora.phone);
	assert_string_equal(nudge_user(t, &dora), "ok");
	assert_int_equal(rig_field_number(rig_must(dora.desk, "session.watch", RIG_NONE),
					  "version"),
			 version);
	rig_must(t->ada, "kick", "'user_id':'%s'", dora.phone->user_id);
	rig_next(dora.desk);
	const char *update = rig_next(dora.desk);
	assert_non_null(strstr(update, "'left':"));
	assert_int_equal(rig_field_number(update, "since"), version);
}

TABLE_TEST(test_nobody_is_told_elsewhere_whom_nobody_waits_for, t)
{
	play_policy(t->ada, "'keep_votes':true");
	struct user voted = user_sits(t, "Voted", "");
	struct user watches = user_sits(t, "Watches", "'role':'spectator'");
	struct user left = user_sits(t, "Left", "");
	struct user unwatched = user_sits(t, "Unwatched", "");
	play_policy(t->ada, "'lobby':true");
	struct user waits = user_sits(t, "Waits", "");
	play_vote(voted.phone, "5");
	rig_must(left.desk, "session.logout", RIG_NONE);
	rig_must(unwatched.desk, "session.unwatch", RIG_NONE);
	const struct user *const all[] = {&voted, &watches, &left, &unwatched, &waits};
	for (size_t i = 0; i < 5; i++) {
		rig_cut(all[i]->phone);
		rig_forget(all[i]->desk);
	}
	assert_non_null(strstr(rig_must(t->ada, "nudge", RIG_NONE), "{'nudged':1,")); /* bob */
	for (size_t i = 0; i < 5; i++) {
		assert_string_equal(nudge_user(t, all[i]), "CONFLICT");
		assert_int_equal(rig_count(all[i]->desk, "session.nudged"), 0);
	}
}

/* While who voted is hidden the answer does not tell it; only the one who has not voted is told. */
TABLE_TEST(test_the_answer_does_not_tell_who_has_voted_where_that_is_hidden, t)
{
	play_policy(t->ada, "'hide_who_voted':true,'keep_votes':true");
	struct user voted = user_sits(t, "Voted", "");
	struct user dora = user_sits(t, "Dora", "");
	play_vote(voted.phone, "5");
	rig_cut(voted.phone);
	rig_cut(dora.phone);
	assert_string_equal(nudge_user(t, &voted), "ok");
	assert_string_equal(nudge_user(t, &dora), "ok");
	assert_int_equal(rig_count(voted.desk, "session.nudged"), 0);
	assert_int_equal(rig_count(dora.desk, "session.nudged"), 1);
}

/* A member who left the room before the nudge was on its way is told nothing any more. */
TABLE_TEST(test_a_member_who_is_kicked_behind_the_nudge_is_told_nothing, t)
{
	struct user dora = user_sits(t, "Dora", "");
	play_policy(t->ada, "'locked':true");
	rig_cut(dora.phone);
	rig_forget(dora.desk);
	rig_hold(&t->r);
	(void)rig_send(t->ada, "vote",
		       "'vote':'5'"); /* on its way to the disk; the two below follow as one */
	(void)rig_send(t->ada, "nudge", RIG_NONE);
	(void)rig_send(t->ada, "kick", "'user_id':'%s'", dora.phone->user_id);
	rig_release(&t->r);
	assert_int_equal(rig_count(dora.desk, "session.nudged"), 0);
	assert_int_equal(rig_count(dora.desk, "session.update"), 1);
}

/* A session that has ended unseen, with its connection still there, is told nothing. */
TABLE_TEST(test_a_session_that_was_ended_elsewhere_is_told_nothing, t)
{
	struct user dora = user_sits(t, "Dora", "");
	rig_cut(dora.phone);
	rig_advance(&t->r, LIFE_MS + MINUTE_MS);
	rig_forget(dora.desk);
	rig_must(t->ada, "nudge", RIG_NONE);
	assert_int_equal(rig_count(dora.desk, "session.nudged"), 0);
}

TABLE_HEAP_TEST(test_a_nudge_without_memory_is_refused_or_told, t, nth)
{
	struct user dora = user_sits(t, "Dora", "");
	rig_cut(dora.phone);
	rig_forget(dora.desk);
	heap_fail_nth(nth, false);
	uint32_t nudge = rig_send(t->ada, "nudge", "'user_id':'%s'", dora.phone->user_id);
	heap_fail_never();
	if (t->ada->is_open && strcmp(rig_outcome(t->ada, nudge), "ok") == 0 &&
	    dora.desk->is_open) {
		assert_int_equal(rig_count(dora.desk, "session.nudged"), 1);
	}
}
