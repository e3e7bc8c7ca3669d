/*
 * test_session_guesses.c - what is no login is answered the same, counted and told to
 * nobody; and no secret reaches anybody else.
 */
#include "proto/keys/signature.h"
#include "tests/unit/server/desk.h"

/* ---- wrong ---- */

DESK_TEST(test_everything_wrong_is_answered_the_same, d)
{
	struct pair k = make_pair(1);
	struct pair other = make_pair(2);
	char nonce[KEY_CHARS + 1];
	char good[SIGNATURE_CHARS + 1];
	char bad[SIGNATURE_CHARS + 1];
	char expected[256];
	hello(d->ada, nonce);
	sign(&k, "Ada", nonce, good);
	sign(&other, "Ada", nonce, bad);
	(void)snprintf(expected, sizeof(expected), "%s",
		       rig_refused(d->ada, "session.resume", "'token':'x'"));
	assert_non_null(strstr(expected, "UNAUTHENTICATED"));
	static const char *const tokens[] = {"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
					     "\\u0000", "a b", "ROOM:K7QX3M"};
	for (size_t i = 0; i < sizeof(tokens) / sizeof(tokens[0]); i++) {
		assert_string_equal(rig_refused(d->ada, "session.resume", "'token':'%s'",
						tokens[i]),
				    expected);
	}
	const char *const logins[][2] = {
		{k.public_key, bad},
		{other.public_key, good},
		{"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", good},
		{"!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!", good},
	};
	for (size_t i = 0; i < sizeof(logins) / sizeof(logins[0]); i++) {
		assert_string_equal(
			rig_refused(d->ada, "session.login",
				    "'user_name':'Ada','public_key':'%s','signature':'%s'",
				    logins[i][0], logins[i][1]),
			expected);
	}
	assert_string_equal(rig_refused(d->ada, "session.login",
					"'user_name':'Ada','public_key':'%s'", k.public_key),
			    expected);
	assert_string_equal(rig_refused(d->ada, "session.login",
					"'user_name':'Ada','signature':'%s'", good),
			    expected);
	assert_string_equal(rig_code(d->ada, "session.login",
				     "'user_name':'Ada','public_key':'%s','signature':'%s'",
				     k.public_key, good),
			    "ok");
}

DESK_TEST(test_a_signature_is_good_on_its_own_connection_only, d)
{
	struct pair k = make_pair(1);
	char nonce[KEY_CHARS + 1];
	char signature[SIGNATURE_CHARS + 1];
	hello(d->ada, nonce);
	sign(&k, "Ada", nonce, signature);
	rig_hello(d->bob);
	assert_string_equal(rig_code(d->bob, "session.login",
				     "'user_name':'Ada','public_key':'%s','signature':'%s'",
				     k.public_key, signature),
			    "UNAUTHENTICATED");
}

/* Not the nonce alone, not for another name, and not as a part of another text. */
DESK_TEST(test_a_signature_is_for_the_name_it_was_made_for, d)
{
	struct pair k = make_pair(1);
	char nonce[KEY_CHARS + 1];
	char signature[SIGNATURE_CHARS + 1];
	char text[256];
	static const struct {
		const char *before, *after; /* the nonce */
	} wrong[] = {
		{"", ""},
		{"aye-login-1\nGrace\n", "\n"},
		{"aye-login-1\nada\n", "\n"},
		{"aye-login-1\nAda\n", ""},
		{"aye-login-1\n\nAda\n", "\n"},
		{"aye-login-2\nAda\n", "\n"},
		{"aye-login-1\r\nAda\r\n", "\r\n"},
	};
	hello(d->ada, nonce);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		(void)snprintf(text, sizeof(text), "%s%s%s", wrong[i].before, nonce,
			       wrong[i].after);
		sign_text(&k, slice_str(text), signature);
		assert_string_equal(rig_code(d->ada, "session.login",
					     "'user_name':'Ada','public_key':'%s','signature':'%s'",
					     k.public_key, signature),
				    "UNAUTHENTICATED");
	}
	sign(&k, " Ada", nonce, signature); /* as it is sent, not as it is cleaned */
	assert_non_null(strstr(rig_must(d->ada, "session.login",
					"'user_name':' Ada','public_key':'%s','signature':'%s'",
					k.public_key, signature),
			       "'user_name':'Ada'"));
}

DESK_TEST(test_guesses_are_counted_and_have_to_wait, d)
{
	rig_hello(d->ada);
	struct session s = login(d->ada, "Ada");
	struct rig_peer *eve = rig_connect_as(&d->r, "eve", PEER_NETWORK, 9, false);
	struct rig_peer *twin = rig_connect_as(&d->r, "twin", PEER_NETWORK, 9, false);
	struct rig_peer *zoe = rig_connect_as(&d->r, "zoe", PEER_NETWORK, 10, false);
	rig_hello(eve);
	rig_hello(twin);
	rig_hello(zoe);
	int misses = (int)limit_rows[LIMIT_LOGIN_MISSES_PER_MINUTE].value;
	for (int i = 0; i < misses; i++) {
		assert_string_equal(resume(i % 2 == 0 ? eve : twin, "x"), "UNAUTHENTICATED");
	}
	const char *error = rig_refused(eve, "session.resume", "'token':'%s'", s.token);
	assert_non_null(strstr(error, "RATE_LIMITED"));
	int64_t wait = rig_field_number(error, "retry_after_ms");
	assert_in_range(wait, 1, MINUTE_MS);
	assert_string_equal(rig_code(twin, "session.login", "'user_name':'x'"), "RATE_LIMITED");
	assert_string_equal(resume(zoe, s.token), "ok");
	assert_true(is_logged_in(d->ada));
	rig_advance(&d->r, wait);
	assert_string_equal(resume(eve, s.token), "ok");
}

DESK_TEST(test_right_ones_are_not_counted, d)
{
	struct rig_peer *p = rig_connect_as(&d->r, "p", PEER_NETWORK, 9, false);
	rig_hello(p);
	struct session s = login(p, "Ada");
	for (int i = 0; i < 50; i++) {
		assert_string_equal(resume(p, s.token), "ok");
		assert_string_equal(rig_code(p, "session.login", "'user_name':'Ada'"),
				    "NAME_TAKEN");
	}
}

DESK_TEST(test_an_address_logs_in_so_often_a_minute, d)
{
	struct rig_peer *eve = rig_connect_as(&d->r, "eve", PEER_NETWORK, 9, false);
	struct rig_peer *twin = rig_connect_as(&d->r, "twin", PEER_NETWORK, 9, false);
	struct rig_peer *zoe = rig_connect_as(&d->r, "zoe", PEER_NETWORK, 10, false);
	int logins = (int)limit_rows[LIMIT_LOGINS_PER_MINUTE].value;
	rig_limit_peers(&d->r);
	rig_hello(eve);
	rig_hello(twin);
	rig_hello(zoe);
	for (int i = 0; i < logins; i++) {
		assert_string_equal(rig_code(i % 2 == 0 ? eve : twin, "session.login",
					     "'user_name':'n%d'", i),
				    "ok");
	}
	struct session s = login(zoe, "Zoe");
	const char *error = rig_refused(eve, "session.login", "'user_name':'one more'");
	assert_non_null(strstr(error, "RATE_LIMITED"));
	int64_t wait = rig_field_number(error, "retry_after_ms");
	assert_in_range(wait, 1, MINUTE_MS);
	assert_string_equal(resume(twin, s.token), "ok");
	rig_cut(eve);
	rig_cut(twin);
	rig_advance(&d->r, wait);
	struct rig_peer *back = rig_connect_as(&d->r, "back", PEER_NETWORK, 9, false);
	rig_hello(back);
	login(back, "one more");
	assert_string_equal(rig_code(back, "session.login", "'user_name':'two'"), "RATE_LIMITED");
}

DESK_TEST(test_the_servers_own_user_logs_in_as_often_as_they_like, d)
{
	struct rig_peer *own = rig_connect_as(&d->r, "own", PEER_UNIX, 1, true);
	rig_limit_peers(&d->r);
	rig_hello(own);
	for (int i = 0; i < 2 * (int)limit_rows[LIMIT_LOGINS_PER_MINUTE].value; i++) {
		assert_string_equal(rig_code(own, "session.login", "'user_name':'n%d'", i), "ok");
	}
}

/* Those in flight at once are counted as they come back, beyond the limit, too. */
DESK_TEST(test_guesses_at_once_are_paid_for_later, d)
{
	struct rig_peer *eve = rig_connect_as(&d->r, "eve", PEER_NETWORK, 9, false);
	rig_hello(eve);
	rig_hold(&d->r);
	for (int i = 0; i < 60; i++) {
		rig_send(eve, "session.resume", "'token':'guess%d'", i);
	}
	rig_release(&d->r);
	rig_advance(&d->r, 5 * MINUTE_MS - 1000);
	assert_string_equal(resume(eve, "x"), "RATE_LIMITED");
	rig_advance(&d->r, 7000);
	assert_string_equal(resume(eve, "x"), "UNAUTHENTICATED");
}

/* ---- secrets ---- */

static bool holds(const char *bytes, size_t len, const char *text)
{
	size_t n = strlen(text);
	for (size_t i = 0; i + n <= len; i++) {
		if (memcmp(bytes + i, text, n) == 0) {
			return true;
		}
	}
	return false;
}

DESK_TEST(test_tokens_hashes_and_signatures_reach_nobody_else, d)
{
	struct pair k = make_pair(1);
	struct rig_peer *cy = rig_connect(&d->r, "cy");
	rig_hello(d->bob);
	rig_found(&d->r, d->bob, "");
	rig_follow(d->bob, "");
	struct session s = login_signed(d->ada, "Ada", &k);
	strcpy(d->ada->room_id, d->r.room_id);
	rig_follow(d->ada, "");
	rig_must(d->ada, "join", RIG_NONE);
	rig_must(d->ada, "vote", "'vote':'5'");
	struct session t = login_signed(cy, "Ada", &k);
	rig_refused(d->bob, "session.resume", "'token':'%s'", s.token);
	rig_refused(d->bob, "session.login", "'user_name':'Ada'");
	rig_fail_commits(&d->r, 1, ERR_IO);
	rig_refused(cy, "session.logout", RIG_NONE);
	const char *tokens[] = {s.token, t.token};
	for (size_t i = 0; i < 2; i++) {
		struct key_text hash =
			key_hash(d->r.config.server_key, "token", slice_str(tokens[i]));
		assert_false(holds(d->bob->in.data, d->bob->in.len, tokens[i]));
		assert_false(d->r.log.len > 0 && holds(d->r.log.data, d->r.log.len, tokens[i]));
		assert_false(d->r.log.len > 0 && holds(d->r.log.data, d->r.log.len, hash.text));
		for (size_t p = 0; p < d->r.peers_n; p++) {
			assert_false(
				holds(d->r.peers[p]->in.data, d->r.peers[p]->in.len, hash.text));
		}
	}
	assert_false(holds(d->bob->in.data, d->bob->in.len, k.public_key));
	assert_false(d->r.log.len > 0 && holds(d->r.log.data, d->r.log.len, k.public_key));
}
