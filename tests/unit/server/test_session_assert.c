/*
 * test_session_assert.c - session.assert: whom the server believes that somebody has an
 * ssh key, and that the key is the same user every time.
 */
#include "tests/unit/server/desk.h"

#define KIOSK_HOST    7 /* the user 1007, in struct peer */
#define KEY_OF(digit) "SHA256:" digit "2345678901234567890123456789012345678901+w"

struct kiosk {
	struct rig r;
	struct rig_peer *ada;
	struct rig_peer *bob;
};

/* A session of sshd's, which has said hello. */
static struct rig_peer *come_in(struct rig *r, const char *name)
{
	struct rig_peer *p = rig_connect_as(r, name, PEER_UNIX, KIOSK_HOST, false);
	rig_hello(p);
	return p;
}

static int kiosk_lay(void **state)
{
	struct kiosk *k = scene_init(state, sizeof(*k));
	k->r.config.has_kiosk = true;
	k->r.config.kiosk_uid = 1000 + KIOSK_HOST;
	rig_start(&k->r);
	k->ada = come_in(&k->r, "ada");
	k->bob = come_in(&k->r, "bob");
	return 0;
}

#define KIOSK_TEST(name, k) TEST_IN(name, struct kiosk, k, kiosk_lay, scene_clear)

static const char *id_of(struct rig_peer *p, const char *fingerprint, const char *name)
{
	static char id[8][65];
	static size_t next;
	char *out = id[next++ % 8];
	const char *answer =
		name == NULL ? rig_must(p, "session.assert", "'fingerprint':'%s'", fingerprint)
			     : rig_must(p, "session.assert", "'fingerprint':'%s','user_name':'%s'",
					fingerprint, name);
	rig_field(answer, "user_id", out, 65);
	return out;
}

KIOSK_TEST(test_a_key_is_the_same_user_every_time, k)
{
	const char *id = id_of(k->ada, KEY_OF("1"), "Ada");
	assert_string_equal(id_of(come_in(&k->r, "window"), KEY_OF("1"), "Ada"), id);
	assert_string_equal(id_of(k->bob, KEY_OF("1"), "Lovelace"), id);
	rig_crash(&k->r);
	struct rig_peer *again = come_in(&k->r, "again");
	assert_string_equal(id_of(again, KEY_OF("1"), NULL), id);
	assert_string_not_equal(id_of(come_in(&k->r, "other"), KEY_OF("2"), "Bob"), id);
}

KIOSK_TEST(test_a_key_keeps_its_name, k)
{
	(void)id_of(k->ada, KEY_OF("1"), " Ada ");
	rig_must(k->ada, "session.logout", RIG_NONE);
	const char *answer = rig_must(k->bob, "session.assert", "'fingerprint':'" KEY_OF("1") "'");
	assert_non_null(strstr(answer, "'user_name':'Ada'"));
	assert_null(strstr(answer, "token"));
}

KIOSK_TEST(test_a_new_key_has_to_say_a_name, k)
{
	assert_string_equal(rig_code(k->ada, "session.assert", "'fingerprint':'" KEY_OF("1") "'"),
			    "VALIDATION_ERROR user_name");
	assert_string_equal(rig_code(k->ada, "session.assert",
				     "'fingerprint':'" KEY_OF("1") "','user_name':'a\\u0007'"),
			    "VALIDATION_ERROR user_name");
	assert_false(is_logged_in(k->ada));
}

KIOSK_TEST(test_another_key_does_not_get_a_name_that_is_taken, k)
{
	(void)id_of(k->ada, KEY_OF("1"), "Ada");
	assert_string_equal(rig_code(k->bob, "session.assert",
				     "'fingerprint':'" KEY_OF("2") "','user_name':'ADA'"),
			    "NAME_TAKEN");
	assert_false(is_logged_in(k->bob));
	assert_true(is_logged_in(k->ada));
	rig_advance(&k->r, LIFE_MS / 2);
	rig_cut(k->ada);
	rig_advance(&k->r, 2 * LIFE_MS); /* nobody has it any more */
	(void)id_of(come_in(&k->r, "bea"), KEY_OF("2"), "Ada");
}

KIOSK_TEST(test_two_windows_of_a_key_are_in_one_session, k)
{
	(void)id_of(k->ada, KEY_OF("1"), "Ada");
	(void)id_of(k->bob, KEY_OF("1"), NULL);
	assert_true(is_logged_in(k->ada));
	assert_true(is_logged_in(k->bob));
	rig_must(k->bob, "session.logout", RIG_NONE);
	assert_false(is_logged_in(k->ada));
}

KIOSK_TEST(test_a_key_has_its_seat_again, k)
{
	rig_found(&k->r, rig_guest(&k->r, "cy"), "");
	struct rig_peer *first = come_in(&k->r, "first");
	(void)id_of(first, KEY_OF("1"), "Ada");
	rig_follow(first, "");
	rig_must(first, "join", RIG_NONE);
	rig_cut(first);
	struct rig_peer *again = come_in(&k->r, "again");
	(void)id_of(again, KEY_OF("1"), NULL);
	rig_follow(again, "");
	assert_string_equal(rig_self(again), "Ada voter");
	struct rig_peer *other = come_in(&k->r, "other");
	(void)id_of(other, KEY_OF("2"), "Bea");
	rig_follow(other, "");
	assert_string_equal(rig_self(other), "- voter");
}

KIOSK_TEST(test_a_user_who_was_renamed_shares_the_session, k)
{
	(void)id_of(k->ada, KEY_OF("1"), "Ada");
	rig_must(k->ada, "user.update", "'user_name':'Bea'");
	const char *answer = rig_must(k->bob, "session.assert", "'fingerprint':'" KEY_OF("1") "'");
	assert_non_null(strstr(answer, "'user_name':'Bea'"));
	assert_true(is_logged_in(k->ada));
}

KIOSK_TEST(test_nobody_but_the_kiosk_is_believed, k)
{
	static const struct {
		enum peer_kind kind;
		unsigned char host;
		bool is_owner;
	} others[] = {
		{PEER_UNIX, 8, false},	   {PEER_UNIX, 0, true},      {PEER_NETWORK, 7, false},
		{PEER_LOOPBACK, 7, false}, {PEER_LOOPBACK, 0, false},
	};
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		struct rig_peer *p = rig_connect_as(&k->r, "other", others[i].kind, others[i].host,
						    others[i].is_owner);
		rig_hello(p);
		assert_string_equal(rig_code(p, "session.assert",
					     "'fingerprint':'" KEY_OF("1") "','user_name':'Ada'"),
				    "FORBIDDEN");
		assert_false(is_logged_in(p));
	}
}

KIOSK_TEST(test_what_is_no_fingerprint_is_refused, k)
{
	static const char *const bad[] = {
		"",
		"SHA256:",
		"SHA256:12345678901234567890123456789012345678901234",
		"SHA256:../../8901234567890123456789012345678901234..",
		"SHA512:1234567890123456789012345678901234567890123",
		"SHA256:123456789012345678901234567890123456789012=",
		"SHA256:12345678901234567890123456789012345678901 3",
		/* As KEY_OF("1") for who reads base64 and leaves out what is too much of the last character. */
		"SHA256:12345678901234567890123456789012345678901+x",
	};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_string_equal(rig_code(k->ada, "session.assert",
					     "'fingerprint':'%s','user_name':'Ada'", bad[i]),
				    "VALIDATION_ERROR fingerprint");
	}
	assert_string_equal(rig_code(k->ada, "session.assert", "'user_name':'Ada'"),
			    "VALIDATION_ERROR fingerprint");
	assert_false(is_logged_in(k->ada));
}

/* sshd has seen one key for one connection. */
KIOSK_TEST(test_a_connection_is_of_one_key, k)
{
	const char *id = id_of(k->ada, KEY_OF("1"), "Ada");
	assert_string_equal(rig_code(k->ada, "session.assert",
				     "'fingerprint':'" KEY_OF("2") "','user_name':'Eve'"),
			    "CONFLICT");
	assert_string_equal(id_of(k->ada, KEY_OF("1"), "Ada"),
			    id); /* as aye login says it once more */
	assert_non_null(strstr(rig_must(k->ada, "session.whoami", RIG_NONE), id));
	assert_string_equal(rig_code(k->bob, "session.assert",
				     "'fingerprint':'" KEY_OF("2") "','user_name':'Ada'"),
			    "NAME_TAKEN");
	assert_string_equal(rig_code(k->bob, "session.assert",
				     "'fingerprint':'" KEY_OF("2") "','user_name':'Eve'"),
			    "ok");
}

/* Not in the session that is about to end, nor as a user anew whose groups are still being left. */
/* The kiosk may say anything of anybody: what it said can be read afterwards. */
KIOSK_TEST(test_each_login_of_the_kiosk_is_logged, k)
{
	char line[128];
	const char *id = id_of(k->ada, KEY_OF("1"), "Ada");
	(void)snprintf(line, sizeof(line), "event=kiosk_login conn=%u.%u user_id=%s",
		       k->ada->id.slot, k->ada->id.generation, id);
	assert_non_null(strstr(k->r.log.data, line));
}

KIOSK_TEST(test_a_key_whose_user_is_being_deleted_is_refused, k)
{
	(void)id_of(k->ada, KEY_OF("1"), "Ada");
	rig_hold(&k->r);
	uint32_t sent = rig_send(k->ada, "user.delete", RIG_NONE);
	while (!rig_is_answered(k->ada, sent)) {
		rig_let(&k->r, 1);
	}
	assert_string_equal(rig_outcome(k->ada, sent), "ok");
	rig_crash(&k->r);
	rig_release(&k->r);
	struct rig_peer *again = come_in(&k->r, "again");
	assert_string_equal(rig_code(again, "session.assert",
				     "'fingerprint':'" KEY_OF("1") "','user_name':'Ada'"),
			    "UNAVAILABLE");
	assert_false(is_logged_in(again));
	rig_advance(&k->r, 2 * MINUTE_MS);
	(void)id_of(come_in(&k->r, "later"), KEY_OF("1"), "Ada");
}

KIOSK_TEST(test_of_two_keys_at_once_one_gets_the_name, k)
{
	for (size_t let = 0; let < 6; let++) {
		struct rig_peer *one = come_in(&k->r, "one");
		struct rig_peer *two = come_in(&k->r, "two");
		rig_hold(&k->r);
		uint32_t a = rig_send(one, "session.assert",
				      "'fingerprint':'" KEY_OF("1") "','user_name':'n%zu'", let);
		rig_let(&k->r, let);
		uint32_t b = rig_send(two, "session.assert",
				      "'fingerprint':'" KEY_OF("2") "','user_name':'n%zu'", let);
		rig_release(&k->r);
		bool is_one = strcmp(rig_outcome(one, a), "ok") == 0;
		assert_string_equal(rig_outcome(two, b), is_one ? "NAME_TAKEN" : "ok");
	}
}

/* The session of the first window ends at any moment of the second one's call. */
KIOSK_TEST(test_a_window_that_opens_while_another_logs_out_is_let_in, k)
{
	for (size_t i = 0; i < 12; i++) {
		uint32_t in = 0;
		rig_must(k->ada, "session.assert",
			 "'fingerprint':'" KEY_OF("1") "','user_name':'Ada'");
		rig_hold(&k->r);
		if (i % 2 == 0) {
			in = rig_send(k->bob, "session.assert",
				      "'fingerprint':'" KEY_OF("1") "','user_name':'Ada'");
			rig_let(&k->r, i / 2);
		}
		uint32_t out = rig_send(k->ada, "session.logout", RIG_NONE);
		if (i % 2 == 1) {
			rig_let(&k->r, i / 2);
			in = rig_send(k->bob, "session.assert",
				      "'fingerprint':'" KEY_OF("1") "','user_name':'Ada'");
		}
		rig_release(&k->r);
		assert_string_equal(rig_outcome(k->ada, out), "ok");
		assert_string_equal(rig_outcome(k->bob, in), "ok");
		(void)rig_code(k->bob, "session.logout", RIG_NONE);
	}
}

/* On as many connections as there are, as each costs reads of the table; a minute later again. */
KIOSK_TEST(test_the_kiosk_asserts_so_often_in_a_minute, k)
{
	int n = 0;
	while (n < 2 * MAX_ASSERTS_PER_MINUTE &&
	       strcmp(rig_code(n % 2 == 0 ? k->ada : k->bob, "session.assert",
			       "'fingerprint':'" KEY_OF("1") "','user_name':'Ada'"),
		      "ok") == 0) {
		n++;
	}
	assert_int_equal(n, MAX_ASSERTS_PER_MINUTE);
	assert_string_equal(rig_code(come_in(&k->r, "cy"), "session.assert",
				     "'fingerprint':'" KEY_OF("2") "','user_name':'Cy'"),
			    "RATE_LIMITED");
	assert_true(is_logged_in(k->ada));
	rig_advance(&k->r, MINUTE_MS);
	(void)id_of(come_in(&k->r, "dan"), KEY_OF("2"), "Dan");
}

DESK_TEST(test_a_server_without_a_kiosk_believes_nobody, d)
{
	struct rig_peer *p = rig_connect_as(&d->r, "p", PEER_UNIX, 0, false);
	rig_hello(p);
	assert_string_equal(rig_code(p, "session.assert",
				     "'fingerprint':'" KEY_OF("1") "','user_name':'Ada'"),
			    "FORBIDDEN");
}
