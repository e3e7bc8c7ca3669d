/*
 * test_session_offset.c - what is kept with a session: whether a key signed it, and its user's
 * offset from UTC.
 */
#include "tests/unit/server/desk.h"

/* What the table has of the user's one session. */
static struct kept kept_of(struct desk *d, const char *user_id)
{
	struct kept k = sessions_kept(&d->r, user_id);
	assert_int_equal(k.n, 1);
	return k;
}

DESK_TEST(test_the_offset_of_a_login_is_stored_with_the_session, d)
{
	both_greet(d);
	struct session s = session_of(
		rig_must(d->ada, "session.login", "'user_name':'Ada','utc_offset_minutes':-720"));
	struct kept k = kept_of(d, s.user_id);
	assert_int_equal(k.offset, -720);
	assert_false(k.is_keyed);
	s = login(d->bob, "Bob");
	assert_int_equal(kept_of(d, s.user_id).offset, 0);
}

DESK_TEST(test_an_offset_has_bounds, d)
{
	static const struct {
		int minutes;
		const char *code;
	} rows[] = {{841, "VALIDATION_ERROR utc_offset_minutes"},
		    {-721, "VALIDATION_ERROR utc_offset_minutes"},
		    {840, "ok"}};
	both_greet(d);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_string_equal(rig_code(d->ada, "session.login",
					     "'user_name':'A','utc_offset_minutes':%d",
					     rows[i].minutes),
				    rows[i].code);
	}
}

/* A resume that says nothing of it takes nothing back, and one that does is stored with the next write-back. */
DESK_TEST(test_a_resume_brings_another_offset, d)
{
	both_greet(d);
	struct session s = session_of(
		rig_must(d->ada, "session.login", "'user_name':'Ada','utc_offset_minutes':60"));
	rig_must(d->bob, "session.resume", "'token':'%s','utc_offset_minutes':120", s.token);
	struct rig_peer *cy = guest(d, "cy");
	rig_must(cy, "session.resume", "'token':'%s'", s.token);
	rig_advance(&d->r, 2 * MINUTE_MS);
	rig_must(d->ada, "server.ping", RIG_NONE);
	rig_settle(&d->r);
	assert_int_equal(kept_of(d, s.user_id).offset, 120);
	rig_crash(&d->r);
	cy = guest(d, "cy");
	rig_must(cy, "session.resume", "'token':'%s'", s.token);
	rig_advance(&d->r, 2 * MINUTE_MS);
	rig_must(cy, "server.ping", RIG_NONE);
	rig_settle(&d->r);
	assert_int_equal(kept_of(d, s.user_id).offset, 120);
}

DESK_TEST(test_a_session_knows_whether_a_key_signed_it, d)
{
	struct pair k = make_pair(1);
	struct session s = login_signed(d->ada, "Ada", &k);
	assert_true(kept_of(d, s.user_id).is_keyed);
}

/* As a second window of an ssh key brings it, which asks for no session of its own. */
DESK_TEST(test_a_second_window_brings_another_offset, d)
{
	d->r.config.has_kiosk = true;
	d->r.config.kiosk_uid = 1007;
	rig_crash(&d->r);
	const char *user_id = NULL;
	char id[65];
	for (int window = 0; window < 2; window++) {
		struct rig_peer *p = rig_connect_as(&d->r, "window", PEER_UNIX, 7, false);
		rig_hello(p);
		rig_field(rig_must(p, "session.assert",
				   "'fingerprint':'SHA256:"
				   "12345678901234567890123456789012345678901+w',"
				   "'user_name':'Ada','utc_offset_minutes':%d",
				   60 * (window + 1)),
			  "user_id", id, sizeof(id));
		user_id = id;
	}
	rig_advance(&d->r, 2 * MINUTE_MS);
	struct rig_peer *third = rig_connect_as(&d->r, "third", PEER_UNIX, 7, false);
	rig_hello(third);
	rig_must(third, "session.assert",
		 "'fingerprint':'SHA256:12345678901234567890123456789012345678901+w'");
	rig_must(third, "server.ping", RIG_NONE);
	rig_settle(&d->r);
	assert_int_equal(kept_of(d, user_id).offset, 120);
}
