/*
 * test_user_names.c - a user's new name is their session's at once, and nobody else's.
 */
#include "tests/unit/server/club.h"

static const char *rename_to(struct club_user *u, const char *name)
{
	return rig_code(u->peer, "user.update", "'user_name':'%s'", name);
}

static bool is_called(struct rig_peer *p, const char *name)
{
	char text[80];
	(void)snprintf(text, sizeof(text), "'user_name':'%s'", name);
	return says(rig_must(p, "session.whoami", RIG_NONE), text);
}

CLUB_TEST(test_a_user_is_shown_to_themselves, d)
{
	char expected[160];
	rig_must(d->ada.peer, "user.update", "'email_address':'ada@example.org'");
	(void)snprintf(expected, sizeof(expected),
		       "{'user_id':'%s','user_name':'ada','email_address':'ada@example.org'}",
		       d->ada.session.user_id);
	assert_string_equal(rig_must(d->ada.peer, "user.get", RIG_NONE), expected);
	assert_string_equal(rig_must(d->ada.peer, "user.get", "'user_id':'%s'",
				     d->ada.session.user_id),
			    expected);
}

CLUB_TEST(test_a_new_name_is_the_sessions_on_every_connection, d)
{
	struct rig_peer *again = resumed(d, &d->ada);
	const char *now = rig_must(d->ada.peer, "user.update", "'user_name':' Ada  L '");
	assert_true(says(now, "'user_name':'Ada L'"));
	assert_true(is_called(d->ada.peer, "Ada L"));
	assert_true(is_called(again, "Ada L"));
	assert_true(says(rig_must(again, "user.get", RIG_NONE), "'user_name':'Ada L'"));
	rig_crash(&d->r);
	assert_true(is_called(resumed(d, &d->ada), "Ada L"));
}

CLUB_TEST(test_a_new_name_is_sent_to_those_who_watch_the_user, d)
{
	struct rig_peer *again = resumed(d, &d->ada);
	char id[32], renamed[100];
	rig_field(rig_must(again, "session.watch", RIG_NONE), "session_id", id, sizeof(id));
	assert_string_equal(rename_to(&d->ada, "Ada L."), "ok");
	assert_string_equal(rename_to(&d->ada, "Ada L."), "ok");
	(void)snprintf(renamed, sizeof(renamed),
		       "'renamed':{'session_id':'%s','user_name':'Ada L.'}}", id);
	assert_true(says(rig_next(again), renamed));
	assert_string_equal(rig_next(again), "");
}

CLUB_TEST(test_the_old_name_is_free_and_the_new_one_is_not, d)
{
	assert_string_equal(rename_to(&d->ada, "ann"), "ok");
	assert_string_equal(rename_to(&d->bob, "ANN"), "NAME_TAKEN");
	assert_string_equal(rename_to(&d->bob, "ada"), "ok");
	assert_string_equal(rig_code(rig_guest(&d->r, "eve"), "session.login", "'user_name':'ann'"),
			    "NAME_TAKEN");
	assert_string_equal(rig_code(rig_guest(&d->r, "eve"), "session.login", "'user_name':'bob'"),
			    "ok");
	assert_true(is_called(d->ada.peer, "ann"));
	assert_true(is_called(d->bob.peer, "ada"));
}

CLUB_TEST(test_the_own_name_may_be_written_otherwise, d)
{
	assert_string_equal(rename_to(&d->ada, "ADA"), "ok");
	assert_true(is_called(d->ada.peer, "ADA"));
	assert_string_equal(rename_to(&d->bob, "ada"), "NAME_TAKEN");
}

/* Also one of the user's own other session: it would have to end. */
CLUB_TEST(test_a_name_in_use_is_refused_whoever_uses_it, d)
{
	struct rig_peer *other = rig_connect(&d->r, "phone");
	(void)login_signed(other, "adas phone", &d->ada.key);
	assert_string_equal(rename_to(&d->ada, "adas phone"), "NAME_TAKEN");
	assert_true(is_called(other, "adas phone"));
	assert_string_equal(rename_to(&d->ada, "tab\\u001b"), "VALIDATION_ERROR user_name");
	assert_string_equal(rename_to(&d->ada, "a\\u202eb"), "VALIDATION_ERROR user_name");
	assert_string_equal(rename_to(&d->ada, " "), "VALIDATION_ERROR user_name");
	char long_name[4 * MAX_NAME_BYTES + 2];
	memset(long_name, 'x', sizeof(long_name) - 1);
	long_name[sizeof(long_name) - 1] = '\0';
	assert_string_equal(rename_to(&d->ada, long_name), "VALIDATION_ERROR user_name");
	assert_true(is_called(d->ada.peer, "ada"));
}

CLUB_TEST(test_a_renamed_session_lives_by_its_use_and_ends_with_its_name, d)
{
	assert_string_equal(rename_to(&d->ada, "ann"), "ok");
	for (int i = 0; i < 4; i++) { /* the table is brought up to date meanwhile */
		rig_advance(&d->r, 30 * MINUTE_MS);
		assert_true(is_called(d->ada.peer, "ann"));
	}
	rig_crash(&d->r);
	struct rig_peer *again = resumed(d, &d->ada);
	assert_string_equal(rig_code(rig_guest(&d->r, "eve"), "session.login", "'user_name':'ann'"),
			    "NAME_TAKEN");
	rig_must(again, "session.logout", RIG_NONE);
	assert_string_equal(rig_code(rig_guest(&d->r, "eve"), "session.login", "'user_name':'ann'"),
			    "ok");
	assert_int_equal(stored_of(d, "USER_NAME", "ada", ""), 0);
}

/* A write-back that begins while the name's commit is on its way knows the session by its old name. */
CLUB_TEST(test_a_session_that_is_written_back_while_it_gets_a_name_lives_on, d)
{
	rig_hold(&d->r);
	size_t commits = d->r.commits;
	uint32_t name = rig_send(d->ada.peer, "user.update", "'user_name':'ann'");
	for (int i = 0; i < 8 && d->r.commits == commits; i++) {
		rig_let(&d->r, 1);
	}
	rig_advance(&d->r, 5 * MINUTE_MS);
	uint32_t use = rig_send(d->ada.peer, "session.whoami", RIG_NONE);
	rig_release(&d->r);
	assert_string_equal(rig_outcome(d->ada.peer, name), "ok");
	assert_string_equal(rig_outcome(d->ada.peer, use), "ok");
	assert_true(is_called(d->ada.peer, "ann"));
	assert_int_equal(stored_of(d, "USER_NAME", "ann", ""), 1);
}

CLUB_TEST(test_of_two_who_take_a_name_at_once_one_gets_it, d)
{
	rig_hold(&d->r);
	uint32_t first = rig_send(d->ada.peer, "user.update", "'user_name':'zoe'");
	uint32_t second = rig_send(d->bob.peer, "user.update", "'user_name':'Zoe'");
	rig_release(&d->r);
	bool is_first = strcmp(rig_outcome(d->ada.peer, first), "ok") == 0;
	assert_string_equal(rig_outcome(d->bob.peer, second), is_first ? "NAME_TAKEN" : "ok");
	assert_true(is_called(is_first ? d->bob.peer : d->ada.peer, is_first ? "bob" : "ada"));
}

CLUB_TEST(test_a_name_whose_session_is_over_is_free, d)
{
	rig_advance(&d->r, 59 * MINUTE_MS);
	assert_true(is_called(d->ada.peer, "ada"));
	rig_advance(&d->r, 59 * MINUTE_MS);
	assert_string_equal(rename_to(&d->ada, "bob"), "ok");
	assert_true(is_called(d->ada.peer, "bob"));
	assert_string_equal(rig_code(d->bob.peer, "session.whoami", RIG_NONE), "UNAUTHENTICATED");
}

CLUB_TEST(test_a_repeat_of_an_update_gets_the_first_result, d)
{
	const char *params = "'user_name':'ann','idempotency_key':'0123456789abcdef'";
	char first[200];
	(void)snprintf(first, sizeof(first), "%s",
		       rig_must(d->ada.peer, "user.update", "%s", params));
	assert_string_equal(rename_to(&d->ada, "ada"), "ok");
	assert_string_equal(rig_must(d->ada.peer, "user.update", "%s", params), first);
	assert_true(is_called(d->ada.peer, "ada"));
}

CLUB_TEST(test_guests_have_no_such_methods, d)
{
	struct rig_peer *eve = rig_guest(&d->r, "eve");
	assert_string_equal(rig_code(eve, "user.get", RIG_NONE), "UNAUTHENTICATED");
	rig_must(eve, "session.login", "'user_name':'eve'");
	assert_string_equal(rig_code(eve, "user.get", RIG_NONE), "FORBIDDEN");
	assert_string_equal(rig_code(eve, "user.update", "'user_name':'x'"), "FORBIDDEN");
	assert_string_equal(rig_code(eve, "group.create", RIG_NONE), "FORBIDDEN");
}

/* Whatever fails for want of memory leaves name and session as they belong together. */
CLUB_HEAP_TEST(test_any_allocation_may_fail_while_a_name_moves, d, nth)
{
	heap_fail_nth(nth, false);
	uint32_t name = rig_send(d->ada.peer, "user.update",
				 "'user_name':'ann','email_address':'ann@example.org'");
	heap_fail_never();
	rig_settle(&d->r);
	struct rig_peer *again = resumed(d, &d->ada);
	bool has_moved = stored_of(d, "USER_NAME", "ann", "") == 1;
	assert_true(is_called(again, has_moved ? "ann" : "ada"));
	assert_int_equal(stored_of(d, "USER_NAME", "ada", ""), has_moved ? 0 : 1);
	assert_int_equal(stored_of(d, "EMAIL", "ann@example.org", ""), has_moved ? 1 : 0);
	if (d->ada.peer->is_open && rig_is_answered(d->ada.peer, name)) {
		assert_string_equal(rig_outcome(d->ada.peer, name),
				    has_moved ? "ok" : "UNAVAILABLE");
	}
}
