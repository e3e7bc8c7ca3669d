/*
 * test_session_names.c - who one is: a name for a while or, with a key, the same
 * user every time, with one seat in a room.
 */
#include "tests/unit/server/desk.h"

/* ---- logging in ---- */

DESK_TEST(test_a_guest_has_a_name_for_an_hour, d)
{
	both_greet(d);
	struct session s = login(d->ada, "Ada");
	assert_string_equal(s.user_name, "Ada");
	assert_true(key_is_formed(slice_str(s.token)));
	assert_true(s.expires_at == d->r.wall_ms + LIFE_MS);
	const char *answer = rig_must(d->ada, "session.whoami", RIG_NONE);
	assert_non_null(strstr(answer, "'user_name':'Ada'"));
	assert_non_null(strstr(answer, s.user_id));
	assert_non_null(strstr(answer, "'rooms':[]"));
	assert_null(strstr(answer, "token"));
}

DESK_TEST(test_nobody_is_logged_in_without_a_login, d)
{
	both_greet(d);
	assert_string_equal(rig_code(d->ada, "session.whoami", RIG_NONE), "UNAUTHENTICATED");
	assert_string_equal(rig_code(d->ada, "session.logout", RIG_NONE), "UNAUTHENTICATED");
	login(d->bob, "Bob");
	assert_false(is_logged_in(d->ada));
}

DESK_TEST(test_a_name_that_somebody_has_is_taken, d)
{
	static const char *const doubles[] = {"Ada",	    "ada",
					      "ADA",	    "\\uff21\\uff24\\uff21",
					      " Ada ",	    "\\u1d2cda",
					      "Ada\\ufe0f", "A\\udb40\\udd00da"};
	both_greet(d);
	login(d->ada, "Ada");
	for (size_t i = 0; i < sizeof(doubles) / sizeof(doubles[0]); i++) {
		assert_string_equal(rig_code(d->bob, "session.login", "'user_name':'%s'",
					     doubles[i]),
				    "NAME_TAKEN");
	}
	assert_false(is_logged_in(d->bob));
	login(d->bob, "Bea");
	assert_true(is_logged_in(d->bob));
}

DESK_TEST(test_folding_goes_further_than_case, d)
{
	both_greet(d);
	login(d->ada, "Stra\\u00dfe");
	assert_string_equal(rig_code(d->bob, "session.login", "'user_name':'STRASSE'"),
			    "NAME_TAKEN");
	struct rig_peer *cy = guest(d, "cy");
	login(cy, "e\\u0301");
	assert_string_equal(rig_code(d->bob, "session.login", "'user_name':'\\u00c9'"),
			    "NAME_TAKEN");
}

DESK_TEST(test_a_name_must_be_shown_and_short, d)
{
	static const char *const bad[] = {"", " ", "a\\u0007", "\\u202e",
					  "123456789012345678901234567890123"};
	both_greet(d);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_string_equal(rig_code(d->ada, "session.login", "'user_name':'%s'", bad[i]),
				    "VALIDATION_ERROR user_name");
	}
	assert_string_equal(rig_code(d->ada, "session.login", "'user_name':'%s'",
				     "12345678901234567890123456789012"),
			    "ok");
}

/* As far as the promise goes: a letter that looks alike within one script is another letter. */
DESK_TEST(test_a_name_of_mixed_scripts_is_refused, d)
{
	static const char *const mixed[] = {"\u0410da", "\u0391DA", "Ad\u0430", "\uff21d\u0430"};
	both_greet(d);
	for (size_t i = 0; i < sizeof(mixed) / sizeof(mixed[0]); i++) {
		assert_string_equal(rig_refused(d->ada, "session.login", "'user_name':'%s'",
						mixed[i]),
				    "{'code':'VALIDATION_ERROR','message':'must not mix Latin "
				    "letters with Cyrillic or Greek ones','field':'user_name'}");
	}
	login(d->ada, "\u0410\u0434\u0430 2");
	login(d->bob, "Ad\u0251");
}

DESK_TEST(test_of_two_logins_with_a_name_at_once_one_gets_it, d)
{
	both_greet(d);
	for (size_t let = 0; let < 6; let++) {
		char name[16];
		(void)snprintf(name, sizeof(name), "n%zu", let);
		rig_hold(&d->r);
		uint32_t a = rig_send(d->ada, "session.login", "'user_name':'%s'", name);
		rig_let(&d->r, let);
		uint32_t b = rig_send(d->bob, "session.login", "'user_name':'%s'", name);
		rig_release(&d->r);
		assert_string_equal(rig_outcome(d->ada, a), "ok");
		assert_string_equal(rig_outcome(d->bob, b), "NAME_TAKEN");
	}
}

DESK_TEST(test_a_key_is_the_same_user_every_time, d)
{
	struct pair k = make_pair(1);
	struct pair other = make_pair(2);
	struct session first = login_signed(d->ada, "Ada", &k);
	rig_must(d->ada, "session.logout", RIG_NONE);
	struct session second = login_signed(d->bob, "Lovelace", &k);
	assert_string_equal(first.user_id, second.user_id);
	assert_string_not_equal(first.token, second.token);
	struct rig_peer *cy = rig_connect(&d->r, "cy");
	struct session third = login_signed(cy, "Ada", &other);
	assert_string_not_equal(first.user_id, third.user_id);
	rig_crash(&d->r);
	struct rig_peer *again = rig_connect(&d->r, "again");
	assert_string_equal(login_signed(again, "Lovelace", &k).user_id, first.user_id);
}

DESK_TEST(test_a_guest_is_a_new_user_every_time, d)
{
	both_greet(d);
	struct session first = login(d->ada, "Ada");
	rig_must(d->ada, "session.logout", RIG_NONE);
	assert_string_not_equal(login(d->bob, "Ada").user_id, first.user_id);
}

DESK_TEST(test_the_same_key_takes_the_name_over, d)
{
	struct pair k = make_pair(1);
	struct session old = login_signed(d->ada, "Ada", &k);
	struct rig_peer *phone = guest(d, "phone");
	assert_string_equal(resume(phone, old.token), "ok");
	struct session new = login_signed(d->bob, "ADA", &k);
	assert_string_equal(new.user_id, old.user_id);
	assert_true(is_logged_in(d->bob));
	assert_false(is_logged_in(d->ada));
	assert_false(is_logged_in(phone));
	assert_string_equal(resume(phone, old.token), "UNAUTHENTICATED");
	assert_string_equal(resume(phone, new.token), "ok");
	rig_crash(&d->r);
	struct rig_peer *later = guest(d, "later");
	assert_string_equal(resume(later, old.token), "UNAUTHENTICATED");
	assert_string_equal(resume(later, new.token), "ok");
}

/* One after the other has it; whoever comes too often in between may try again. */
DESK_TEST(test_a_key_that_logs_in_everywhere_at_once_is_sent_nobody_else, d)
{
	struct pair k = make_pair(1);
	struct rig_peer *peers[8];
	uint32_t asked[8];
	size_t in = 0;
	for (size_t i = 0; i < 8; i++) {
		char name[8];
		(void)snprintf(name, sizeof(name), "p%zu", i);
		peers[i] = rig_connect(&d->r, name);
	}
	rig_hold(&d->r);
	for (size_t i = 0; i < 8; i++) {
		asked[i] = send_signed(peers[i], "Ada", &k);
	}
	rig_release(&d->r);
	for (size_t i = 0; i < 8; i++) {
		const char *outcome = rig_outcome(peers[i], asked[i]);
		in += strcmp(outcome, "ok") == 0;
		assert_true(strcmp(outcome, "ok") == 0 || strcmp(outcome, "UNAVAILABLE") == 0);
	}
	assert_true(in > 0);
}

/*
 * The sweeper comes every five seconds: in between, a session that is over is still in the table. Who takes its name
 * takes it out, since the name's item, by which it would be found, is theirs from then on.
 */
DESK_TEST(test_who_is_renamed_to_a_name_that_is_free_again_ends_the_session_that_had_it, d)
{
	struct pair k = make_pair(1);
	rig_advance(&d->r, 1000);
	struct session over = login_signed(d->ada, "Ada", &k);
	rig_advance(&d->r, LIFE_MS / 2);
	struct rig_peer *phone = rig_connect(&d->r, "phone");
	login_signed(phone, "Adele", &k);
	rig_must(phone, "session.watch", RIG_NONE);
	rig_advance(&d->r, LIFE_MS / 2 + 500);
	assert_int_equal(sessions_kept(&d->r, over.user_id).n, 2);
	struct pair other = make_pair(2);
	struct rig_peer *bob = rig_connect(&d->r, "bob");
	login_signed(bob, "Bob", &other);
	size_t updates = rig_count(phone, "session.update");
	rig_must(bob, "user.update", "'user_name':'Ada'");
	rig_settle(&d->r);
	assert_int_equal(sessions_kept(&d->r, over.user_id).n, 1);
	assert_int_equal(rig_count(phone, "session.update"), updates + 1);
	assert_true(is_logged_in(phone));
}

DESK_TEST(test_another_key_or_none_does_not_take_it_over, d)
{
	struct pair k = make_pair(1);
	struct pair other = make_pair(2);
	struct session s = login_signed(d->ada, "Ada", &k);
	assert_string_equal(rig_outcome(d->bob, send_signed(d->bob, "ada", &other)), "NAME_TAKEN");
	assert_string_equal(rig_code(d->bob, "session.login", "'user_name':'Ada'"), "NAME_TAKEN");
	assert_true(is_logged_in(d->ada));
	assert_string_equal(resume(d->bob, s.token), "ok");
}

/* ---- in rooms ---- */

DESK_TEST(test_a_login_has_its_name_and_one_seat_in_a_room, d)
{
	both_greet(d);
	rig_found(&d->r, d->bob, "");
	struct session s = login(d->ada, "Ada");
	strcpy(d->ada->room_id, d->r.room_id);
	rig_follow(d->ada, "");
	rig_must(d->ada, "join", "'username':'somebody else'");
	assert_string_equal(rig_table(d->ada), "#1 hidden: Ada");
	assert_string_equal(d->ada->user_id, s.user_id);
	struct rig_peer *phone = guest(d, "phone");
	strcpy(phone->room_id, d->r.room_id);
	assert_string_equal(resume(phone, s.token), "ok");
	rig_follow(phone, "");
	rig_must(phone, "vote", "'vote':'5'");
	assert_string_equal(rig_self(d->ada), "Ada voter =5");
	assert_string_equal(rig_table(phone), "#1 hidden: Ada voted");
	rig_alias(&d->r, d->r.room_id, "ROOM");
	assert_non_null(strstr(rig_must(d->ada, "session.whoami", RIG_NONE), "'rooms':['ROOM']"));
}

DESK_TEST(test_joining_without_a_login_still_works, d)
{
	both_greet(d);
	rig_found(&d->r, d->ada, "");
	login(d->ada, "Ada");
	rig_follow(d->ada, "");
	rig_must(d->ada, "join", RIG_NONE);
	struct rig_peer *bob = rig_sit(&d->r, "Ada");
	assert_string_equal(rig_table(bob), "#1 hidden: Ada host, Ada 2");
	assert_string_not_equal(bob->user_id, d->ada->user_id);
	struct rig_peer *cy = guest(d, "cy");
	strcpy(cy->room_id, d->r.room_id);
	rig_follow(cy, "");
	assert_string_equal(rig_code(cy, "join", RIG_NONE), "VALIDATION_ERROR username");
}

DESK_TEST(test_a_key_finds_its_seat_again_after_logging_in_again, d)
{
	struct pair k = make_pair(1);
	login_signed(d->ada, "Ada", &k);
	rig_found(&d->r, d->ada, "");
	rig_follow(d->ada, "");
	rig_must(d->ada, "join", RIG_NONE);
	rig_must(d->ada, "vote", "'vote':'5'");
	rig_must(d->ada, "session.logout", RIG_NONE);
	rig_cut(d->ada);
	rig_crash(&d->r);
	struct rig_peer *again = rig_connect(&d->r, "ada");
	login_signed(again, "Ada", &k);
	strcpy(again->room_id, d->r.room_id);
	rig_follow(again, "");
	assert_string_equal(rig_self(again), "Ada voter host =5");
	rig_alias(&d->r, d->r.room_id, "ROOM");
	assert_non_null(strstr(rig_must(again, "session.whoami", RIG_NONE), "'rooms':['ROOM']"));
}
