/*
 * test_session_failures.c - a store or a memory that fails leaves a session as it was,
 * or makes none.
 */
#include "proto/keys/signature.h"
#include "tests/unit/server/desk.h"

DESK_TEST(test_a_login_that_was_not_stored_is_none, d)
{
	both_greet(d);
	rig_fail_commits(&d->r, 1, ERR_IO);
	assert_string_equal(rig_code(d->ada, "session.login", "'user_name':'Ada'"), "UNAVAILABLE");
	assert_false(is_logged_in(d->ada));
	login(d->bob, "Ada");
}

DESK_TEST(test_a_logout_that_was_not_stored_leaves_the_session, d)
{
	both_greet(d);
	struct session s = login(d->ada, "Ada");
	rig_fail_commits(&d->r, 1, ERR_IO);
	assert_string_equal(rig_code(d->ada, "session.logout", RIG_NONE), "UNAVAILABLE");
	assert_true(is_logged_in(d->ada));
	assert_string_equal(resume(d->bob, s.token), "ok");
	rig_must(d->ada, "session.logout", RIG_NONE);
	assert_false(is_logged_in(d->bob));
}

DESK_TEST(test_a_takeover_that_was_not_stored_leaves_the_old_session, d)
{
	struct pair k = make_pair(1);
	login_signed(d->ada, "Ada", &k);
	rig_fail_commits(&d->r, 1, ERR_FULL);
	assert_string_equal(rig_outcome(d->bob, send_signed(d->bob, "Ada", &k)), "UNAVAILABLE");
	assert_true(is_logged_in(d->ada));
	assert_false(is_logged_in(d->bob));
}

DESK_TEST(test_a_write_back_that_fails_is_tried_again, d)
{
	both_greet(d);
	struct session s = login(d->ada, "Ada");
	rig_advance(&d->r, 2 * MINUTE_MS);
	rig_fail_commits(&d->r, 1, ERR_IO);
	rig_must(d->ada, "server.ping", RIG_NONE);
	assert_true(is_logged_in(d->ada));
	rig_advance(&d->r, 50 * MINUTE_MS);
	rig_must(d->ada, "server.ping", RIG_NONE);
	rig_crash(&d->r);
	rig_advance(&d->r, 50 * MINUTE_MS);
	struct rig_peer *p = guest(d, "p");
	assert_string_equal(resume(p, s.token), "ok");
}

DESK_TEST(test_a_busy_store_delays_a_login_and_no_more, d)
{
	both_greet(d);
	d->r.busy = 1;
	const char *outcome = rig_code(d->ada, "session.login", "'user_name':'Ada'");
	assert_true(strcmp(outcome, "ok") == 0 || strcmp(outcome, "UNAVAILABLE") == 0);
	assert_string_equal(rig_code(d->bob, "session.login", "'user_name':'Ada'"),
			    strcmp(outcome, "ok") == 0 ? "NAME_TAKEN" : "ok");
}

DESK_TEST(test_a_member_that_left_meanwhile_is_not_missed, d)
{
	both_greet(d);
	rig_hold(&d->r);
	rig_send(d->ada, "session.login", "'user_name':'Ada'");
	rig_cut(d->ada);
	rig_release(&d->r);
	rig_hold(&d->r);
	rig_send(d->bob, "session.resume", "'token':'x'");
	rig_cut(d->bob);
	rig_release(&d->r);
	assert_string_equal(rig_code(guest(d, "cy"), "session.login", "'user_name':'Ada'"),
			    "NAME_TAKEN");
}

/* Whatever is refused for want of memory can be done when there is some; nothing is half done. */
DESK_HEAP_TEST(test_any_allocation_may_fail, d, nth)
{
	static const char *const methods[] = {"session.login", "session.whoami", "session.resume",
					      "session.logout"};
	both_greet(d);
	struct session s = login(d->bob, "Bob");
	heap_fail_nth(nth, false);
	for (size_t i = 0; i < 4 && d->ada->is_open; i++) {
		rig_send(d->ada, methods[i], "%s%s%s",
			 i == 0	  ? "'user_name':'Ada"
			 : i == 2 ? "'token':'"
				  : "",
			 i == 2 ? s.token : "", i % 2 == 0 ? "'" : "");
	}
	heap_fail_never();
	rig_advance(&d->r, 2 * LIFE_MS);
	struct rig_peer *p = guest(d, "p");
	login(p, "Ada");
	assert_true(is_logged_in(p));
	rig_must(p, "session.logout", RIG_NONE);
}

/* A session that was begun while memory failed is taken over like any other. */
DESK_HEAP_TEST(test_a_session_ends_whatever_failed_when_it_began, d, nth)
{
	struct pair k = make_pair(1);
	both_greet(d);
	char nonce[KEY_CHARS + 1];
	char signature[SIGNATURE_CHARS + 1];
	hello(d->ada, nonce);
	sign(&k, "Ada", nonce, signature);
	heap_fail_nth(nth, false);
	rig_send(d->ada, "session.login", "'user_name':'Ada','public_key':'%s','signature':'%s'",
		 k.public_key, signature);
	rig_settle(&d->r);
	heap_fail_never();
	rig_settle(&d->r);
	assert_string_equal(rig_outcome(d->bob, send_signed(d->bob, "Ada", &k)), "ok");
	assert_true(!d->ada->is_open || !is_logged_in(d->ada));
}

/* Nobody waits for a renewal and for a sweep: where memory is out for one, a later one does it. */
DESK_HEAP_TEST(test_a_session_is_renewed_and_swept_whatever_failed, d, nth)
{
	both_greet(d);
	login(d->bob, "Bob");
	rig_cut(d->bob);
	rig_advance(&d->r, LIFE_MS / 2);
	login(d->ada, "Ada");
	rig_advance(&d->r, LIFE_MS / 2 - MINUTE_MS);
	heap_fail_nth(nth, false);
	rig_send(d->ada, "session.whoami", RIG_NONE);
	rig_advance(&d->r, 3 * MINUTE_MS);
	heap_fail_never();
	if (d->ada->is_open) {
		assert_true(is_logged_in(d->ada));
		rig_cut(d->ada);
	}
	rig_advance(&d->r, 2 * LIFE_MS);
	struct rig_peer *p = guest(d, "p");
	login(p, "Ada");
	rig_must(p, "session.logout", RIG_NONE);
	login(p, "Bob");
}
