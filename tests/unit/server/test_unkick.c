/*
 * test_unkick.c - a kick in a room with a lock or a passcode ends the seat and
 * bars its key, until the room ends or a host lifts it.
 */
#include <stdio.h>

#include "tests/unit/server/table.h"

#define NOBODY \
	"{'code':'ROOM_NOT_FOUND','message':'room not found or closed to you; check the code'}"

static const char *const shut[] = {"'locked':true", "'passcode':'sesame'",
				   "'locked':true,'lobby':true,'passcode':'sesame'"};

static void kick(struct table *t, const char *policy)
{
	rig_must(t->ada, "set_policy", "'policy':{%s}", policy);
	rig_must(t->ada, "kick", "'user_id':'%s'", t->bob->user_id);
	rig_forget(t->bob);
	rig_copies_free(t->bob);
}

static const char *try_again(struct table *t, const char *passcode)
{
	struct rig_peer *p = rig_guest(&t->r, "again");
	strcpy(p->room_id, t->bob->room_id);
	return rig_code(p, "subscribe", "'user_key':'%s'%s", t->bob->user_key, passcode);
}

TABLE_TEST(test_a_member_kicked_from_a_shut_room_is_out_for_good, t)
{
	for (size_t i = 0; i < 3; i++) {
		struct rig_peer *mallory = rig_sit(&t->r, "mallory");
		rig_must(t->ada, "set_policy", "'policy':{%s}", shut[i]);
		rig_must(t->ada, "kick", "'user_id':'%s'", mallory->user_id);
		assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob");
		assert_int_equal(rig_count(mallory, "room.kicked"), 1);
		rig_forget(mallory);
		assert_string_equal(rig_refused(mallory, "subscribe", RIG_NONE), NOBODY);
		assert_string_equal(rig_refused(mallory, "subscribe", "'passcode':'sesame'"),
				    NOBODY);
		assert_string_equal(rig_refused(mallory, "vote", "'vote':'5','user_key':'%s'",
						mallory->user_key),
				    NOBODY);
		rig_cut(mallory);
		rig_must(t->ada, "set_policy",
			 "'policy':{'locked':false,'lobby':false,'passcode':null}");
	}
}

TABLE_TEST(test_it_stays_so_whatever_becomes_of_the_lock, t)
{
	kick(t, "'locked':true");
	rig_must(t->ada, "set_policy", "'policy':{'locked':false}");
	assert_string_equal(try_again(t, ""), "ROOM_NOT_FOUND");
	assert_string_equal(rig_code(t->bob, "get", RIG_NONE), "ROOM_NOT_FOUND");
	rig_must(t->ada, "set_policy", "'policy':{'passcode':'other'}");
	assert_string_equal(try_again(t, ",'passcode':'other'"), "ROOM_NOT_FOUND");
}

TABLE_TEST(test_it_survives_a_restart, t)
{
	kick(t, "'passcode':'sesame'");
	rig_crash(&t->r);
	assert_string_equal(try_again(t, ",'passcode':'sesame'"), "ROOM_NOT_FOUND");
	struct rig_peer *ada = rig_return(t->ada, false);
	rig_must(ada, "unkick", "'user_id':'%s'", t->bob->user_id);
	rig_crash(&t->r);
	assert_string_equal(try_again(t, ",'passcode':'sesame'"), "ok");
	assert_int_equal(rig_stored(&t->r, "BARRED:"), 0);
}

TABLE_TEST(test_a_host_lifts_it_and_the_same_person_comes_back, t)
{
	kick(t, "'passcode':'sesame'");
	assert_int_equal(rig_stored(&t->r, "BARRED:"), 1);
	assert_string_equal(rig_code(t->ada, "unkick", "'user_id':'%s'", t->ada->user_id),
			    "NOT_FOUND user_id");
	rig_must(t->ada, "unkick", "'user_id':'%s'", t->bob->user_id);
	assert_string_equal(rig_code(t->ada, "unkick", "'user_id':'%s'", t->bob->user_id),
			    "NOT_FOUND user_id");
	assert_int_equal(rig_stored(&t->r, "BARRED:"), 0);
	struct rig_peer *p = rig_guest(&t->r, "bob");
	strcpy(p->room_id, t->bob->room_id);
	const char *result =
		rig_must(p, "subscribe", "'passcode':'sesame','user_key':'%s'", t->bob->user_key);
	assert_non_null(strstr(result, "'user_id':'@bob'"));
}

TABLE_TEST(test_a_barred_login_stays_barred_whatever_key_it_brings, t)
{
	struct rig_peer *p = rig_guest(&t->r, "mallory");
	rig_must(p, "session.login", "'user_name':'Mallory'");
	rig_follow(p, "");
	rig_must(p, "join", RIG_NONE);
	rig_must(t->ada, "set_policy", "'policy':{'passcode':'sesame'}");
	rig_must(t->ada, "kick", "'user_id':'%s'", p->user_id);
	rig_forget(p);
	rig_copies_free(p);
	assert_string_equal(rig_code(p, "subscribe", "'passcode':'sesame'"), "ROOM_NOT_FOUND");
	assert_string_equal(rig_code(p, "subscribe",
				     "'passcode':'sesame','user_key':'"
				     "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'"),
			    "ROOM_NOT_FOUND");
	rig_must(t->ada, "unkick", "'user_id':'%s'", p->user_id);
	assert_string_equal(rig_code(p, "subscribe", "'passcode':'sesame'"), "ok");
}

/* Not even a kick keeps the maker out: a co-host may have done it. */
TABLE_TEST(test_the_host_key_comes_in_all_the_same, t)
{
	kick(t, "'locked':true");
	struct rig_peer *p = rig_guest(&t->r, "bob");
	rig_must(p, "subscribe", "'user_key':'%s','host_key':'%s'", t->bob->user_key,
		 t->r.host_key);
	assert_int_equal(rig_stored(&t->r, "BARRED:"), 0);
	assert_string_equal(rig_code(p, "join", "'username':'bob'"), "ok");
}

TABLE_TEST(test_only_hosts_lift_it, t)
{
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	kick(t, "'locked':true");
	assert_string_equal(rig_code(cy, "unkick", "'user_id':'%s'", t->bob->user_id), "FORBIDDEN");
	assert_string_equal(rig_code(t->bob, "unkick", "'user_id':'%s'", t->bob->user_id),
			    "ROOM_NOT_FOUND");
}

/* Hosts see who, and nobody else does. */
TABLE_TEST(test_hosts_are_sent_the_barred_members, t)
{
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	rig_forget(t->ada);
	rig_must(t->ada, "set_policy", "'policy':{'locked':true}");
	rig_forget(t->ada);
	rig_forget(cy);
	rig_must(t->ada, "kick", "'user_id':'%s'", t->bob->user_id);
	assert_non_null(strstr(rig_next(t->ada), "'barred':[{'user_id':'@bob','username':'bob'}]"));
	assert_string_equal(rig_heard(cy), "room.update");
	assert_non_null(strstr(rig_must(t->ada, "barred", RIG_NONE),
			       "'barred':[{'user_id':'@bob','username':'bob'}]"));
	assert_string_equal(rig_code(cy, "barred", RIG_NONE), "FORBIDDEN");
	rig_forget(t->ada);
	rig_forget(cy);
	rig_must(t->ada, "set_host", "'user_id':'%s'", cy->user_id);
	assert_non_null(strstr(rig_next(cy), "'barred':[{'user_id':'@bob','username':'bob'}]"));
	rig_forget(t->ada);
	rig_must(cy, "unkick", "'user_id':'%s'", t->bob->user_id);
	assert_null(strstr(rig_next(t->ada), "barred"));
	rig_forget(t->bob);
	rig_copies_free(t->bob);
}

TABLE_TEST(test_elsewhere_a_kick_is_what_it_was, t)
{
	rig_must(t->ada, "kick", "'user_id':'%s'", t->bob->user_id);
	assert_int_equal(rig_stored(&t->r, "BARRED:"), 0);
	assert_string_equal(try_again(t, ""), "ok");
	rig_forget(t->bob);
	rig_copies_free(t->bob);
}

TEST(test_a_kick_for_good_frees_the_seat)
{
	struct rig r;
	struct rig_peer *ada = limited_room(&r, LIMIT_ROOM_SEATS, 3);
	rig_must(ada, "join", "'username':'ada'");
	struct rig_peer *bob = rig_sit(&r, "bob");
	rig_sit(&r, "cy");
	rig_must(ada, "set_policy", "'policy':{'passcode':'sesame'}");
	struct rig_peer *dan = rig_guest(&r, "dan");
	assert_string_equal(rig_code(dan, "subscribe", "'passcode':'sesame'"), "ROOM_FULL");
	rig_must(ada, "kick", "'user_id':'%s'", bob->user_id);
	assert_string_equal(rig_code(dan, "subscribe", "'passcode':'sesame'"), "ok");
	rig_finish(&r);
}

/* The oldest is forgotten: it has no seat any more, and finds the door shut as any stranger. */
TABLE_TEST(test_only_so_many_are_remembered, t)
{
	char first[CODE_CHARS_MAX + 1] = "";
	rig_must(t->ada, "set_policy", "'policy':{'passcode':'sesame'}");
	for (size_t i = 0; i < MAX_BARRED + 3; i++) {
		struct rig_peer *p = rig_guest(&t->r, "m");
		strcpy(p->room_id, t->ada->room_id);
		rig_follow(p, "'passcode':'sesame'");
		rig_must(p, "join", "'username':'m%zu'", i);
		rig_must(t->ada, "kick", "'user_id':'%s'", p->user_id);
		rig_forget(t->ada);
		memcpy(first, i == 0 ? p->user_id : first, sizeof(first));
		rig_cut(p);
	}
	assert_int_equal(rig_stored(&t->r, "BARRED:"), MAX_BARRED);
	assert_string_equal(rig_code(t->ada, "unkick", "'user_id':'%s'", first),
			    "NOT_FOUND user_id");
	rig_crash(&t->r);
	struct rig_peer *ada = rig_return(t->ada, false);
	const char *room = rig_must(ada, "barred", RIG_NONE);
	assert_null(strstr(room, "'username':'m2'"));
	assert_non_null(strstr(room, "'username':'m3'"));
	assert_true(strstr(room, "'username':'m3'") < strstr(room, "'username':'m4'"));
}

TABLE_TEST(test_a_failed_kick_bars_nobody, t)
{
	rig_must(t->ada, "set_policy", "'policy':{'locked':true}");
	rig_fail_commits(&t->r, 1, ERR_IO);
	assert_string_equal(rig_code(t->ada, "kick", "'user_id':'%s'", t->bob->user_id),
			    "UNAVAILABLE");
	assert_string_equal(rig_code(t->bob, "vote", "'vote':'5'"), "ok");
	assert_string_equal(try_again(t, ""), "ok");
}

TABLE_TEST(test_a_repeated_kick_answers_the_same, t)
{
	rig_must(t->ada, "set_policy", "'policy':{'locked':true}");
	for (size_t i = 0; i < 2; i++) {
		rig_must(t->ada, "kick", "'user_id':'%s','idempotency_key':'0123456789abcdef'",
			 t->bob->user_id);
		assert_string_equal(rig_code(t->ada, "kick", "'user_id':'%s'", t->bob->user_id),
				    "NOT_FOUND user_id");
	}
	rig_forget(t->bob);
	rig_copies_free(t->bob);
}
