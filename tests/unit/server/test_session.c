/*
 * test_session.c - sessions: a name for a while, or, with a key, the same user
 * every time.
 */
#include "tests/support/heap.h"
#include "tests/unit/server/table.h"

#include <stdio.h>

#include <sodium.h>

#define MINUTE_MS INT64_C(60000)
#define LIFE_MS	  (60 * MINUTE_MS)

struct desk {
	struct rig r;
	struct rig_peer *ada;
	struct rig_peer *bob;
};

/* A pair of keys, and the words of a login with it. */
struct pair {
	unsigned char secret[crypto_sign_SECRETKEYBYTES];
	char public_key[KEY_CHARS + 1];
};

static int lay(void **state)
{
	struct desk *d = calloc(1, sizeof(*d));
	assert_non_null(d);
	rig_open(&d->r);
	d->ada = rig_connect(&d->r, "ada");
	d->bob = rig_connect(&d->r, "bob");
	*state = d;
	return 0;
}

static int clear(void **state)
{
	struct desk *d = *state;
	rig_assert_all_same(&d->r);
	rig_finish(&d->r);
	free(d);
	return 0;
}

#define SESSION(test) cmocka_unit_test_setup_teardown(test, lay, clear)

static void base64(char *out, size_t size, const unsigned char *bytes, size_t n)
{
	assert_non_null(
		sodium_bin2base64(out, size, bytes, n, sodium_base64_VARIANT_URLSAFE_NO_PADDING));
}

static struct pair make_pair(unsigned char seed_byte)
{
	struct pair k;
	unsigned char seed[crypto_sign_SEEDBYTES];
	unsigned char public_key[crypto_sign_PUBLICKEYBYTES];
	memset(seed, seed_byte, sizeof(seed));
	assert_int_equal(crypto_sign_seed_keypair(public_key, k.secret, seed), 0);
	base64(k.public_key, sizeof(k.public_key), public_key, sizeof(public_key));
	return k;
}

static void take(const char *answer, const char *member, char *out, size_t size)
{
	char pattern[64];
	(void)snprintf(pattern, sizeof(pattern), "'%s':'", member);
	const char *at = strstr(answer, pattern);
	assert_non_null(at);
	at += strlen(pattern);
	size_t len = strcspn(at, "'");
	assert_true(len < size);
	memcpy(out, at, len);
	out[len] = '\0';
}

static long long number(const char *answer, const char *member)
{
	char pattern[64];
	long long value = -1;
	(void)snprintf(pattern, sizeof(pattern), "'%s':", member);
	const char *at = strstr(answer, pattern);
	assert_non_null(at);
	assert_int_equal(sscanf(at + strlen(pattern), "%lld", &value), 1);
	return value;
}

static void hello(struct rig_peer *p, char nonce[KEY_CHARS + 1])
{
	take(rig_must(p, "session.hello", "'protocol':1,'client':'t'"), "nonce", nonce,
	     KEY_CHARS + 1);
}

static struct rig_peer *guest(struct desk *d, const char *name)
{
	char nonce[KEY_CHARS + 1];
	struct rig_peer *p = rig_connect(&d->r, name);
	hello(p, nonce);
	return p;
}

static void both_greet(struct desk *d)
{
	rig_hello(d->ada);
	rig_hello(d->bob);
}

struct session {
	char token[KEY_CHARS + 1];
	char user_id[65];
	char user_name[257];
	long long expires_at;
};

static struct session session_of(const char *answer)
{
	struct session s;
	take(answer, "token", s.token, sizeof(s.token));
	take(answer, "user_id", s.user_id, sizeof(s.user_id));
	take(answer, "user_name", s.user_name, sizeof(s.user_name));
	s.expires_at = number(answer, "expires_at");
	return s;
}

static struct session login(struct rig_peer *p, const char *name)
{
	return session_of(rig_must(p, "session.login", "'user_name':'%s'", name));
}

static void sign(const struct pair *k, const char *nonce, char out[SIGNATURE_CHARS + 1])
{
	unsigned char signature[crypto_sign_BYTES];
	crypto_sign_detached(signature, NULL, (const unsigned char *)nonce, strlen(nonce),
			     k->secret);
	base64(out, SIGNATURE_CHARS + 1, signature, sizeof(signature));
}

/* On a connection that has not said hello yet. */
static uint32_t send_signed(struct rig_peer *p, const char *name, const struct pair *k)
{
	char nonce[KEY_CHARS + 1];
	char signature[SIGNATURE_CHARS + 1];
	hello(p, nonce);
	sign(k, nonce, signature);
	return rig_send(p, "session.login", "'user_name':'%s','public_key':'%s','signature':'%s'",
			name, k->public_key, signature);
}

static struct session login_signed(struct rig_peer *p, const char *name, const struct pair *k)
{
	bool is_refusal = true;
	const char *answer = rig_answer(p, send_signed(p, name, k), &is_refusal);
	assert_non_null(answer);
	assert_false(is_refusal);
	return session_of(answer);
}

static const char *resume(struct rig_peer *p, const char *token)
{
	return rig_code(p, "session.resume", "'token':'%s'", token);
}

static bool is_logged_in(struct rig_peer *p)
{
	return strcmp(rig_code(p, "session.whoami", RIG_NONE), "ok") == 0;
}

/* ---- logging in ---- */

static void test_a_guest_has_a_name_for_an_hour(void **state)
{
	struct desk *d = *state;
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

static void test_nobody_is_logged_in_without_a_login(void **state)
{
	struct desk *d = *state;
	both_greet(d);
	assert_string_equal(rig_code(d->ada, "session.whoami", RIG_NONE), "UNAUTHENTICATED");
	assert_string_equal(rig_code(d->ada, "session.logout", RIG_NONE), "UNAUTHENTICATED");
	login(d->bob, "Bob");
	assert_false(is_logged_in(d->ada));
}

static void test_a_name_that_somebody_has_is_taken(void **state)
{
	struct desk *d = *state;
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

static void test_folding_goes_further_than_case(void **state)
{
	struct desk *d = *state;
	both_greet(d);
	login(d->ada, "Stra\\u00dfe");
	assert_string_equal(rig_code(d->bob, "session.login", "'user_name':'STRASSE'"),
			    "NAME_TAKEN");
	struct rig_peer *cy = guest(d, "cy");
	login(cy, "e\\u0301");
	assert_string_equal(rig_code(d->bob, "session.login", "'user_name':'\\u00c9'"),
			    "NAME_TAKEN");
}

static void test_a_name_must_be_shown_and_short(void **state)
{
	struct desk *d = *state;
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

static void test_of_two_who_take_a_name_at_once_one_gets_it(void **state)
{
	struct desk *d = *state;
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

static void test_a_key_is_the_same_user_every_time(void **state)
{
	struct desk *d = *state;
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

static void test_a_guest_is_a_new_user_every_time(void **state)
{
	struct desk *d = *state;
	both_greet(d);
	struct session first = login(d->ada, "Ada");
	rig_must(d->ada, "session.logout", RIG_NONE);
	assert_string_not_equal(login(d->bob, "Ada").user_id, first.user_id);
}

static void test_the_same_key_takes_the_name_over(void **state)
{
	struct desk *d = *state;
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
static void test_a_key_that_logs_in_everywhere_at_once_is_told_of_nobody_else(void **state)
{
	struct desk *d = *state;
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

static void test_another_key_or_none_does_not_take_it_over(void **state)
{
	struct desk *d = *state;
	struct pair k = make_pair(1);
	struct pair other = make_pair(2);
	struct session s = login_signed(d->ada, "Ada", &k);
	assert_string_equal(rig_outcome(d->bob, send_signed(d->bob, "ada", &other)), "NAME_TAKEN");
	assert_string_equal(rig_code(d->bob, "session.login", "'user_name':'Ada'"), "NAME_TAKEN");
	assert_true(is_logged_in(d->ada));
	assert_string_equal(resume(d->bob, s.token), "ok");
}

/* ---- coming back, going ---- */

static void test_a_token_brings_the_session_to_another_connection(void **state)
{
	struct desk *d = *state;
	both_greet(d);
	struct session s = login(d->ada, "Ada");
	const char *answer = rig_must(d->bob, "session.resume", "'token':'%s'", s.token);
	assert_non_null(strstr(answer, s.user_id));
	assert_non_null(strstr(answer, "'user_name':'Ada'"));
	assert_null(strstr(answer, "token"));
	rig_cut(d->ada);
	assert_true(is_logged_in(d->bob));
	rig_crash(&d->r);
	struct rig_peer *later = guest(d, "later");
	assert_string_equal(resume(later, s.token), "ok");
	assert_non_null(strstr(rig_must(later, "session.whoami", RIG_NONE), s.user_id));
}

static void test_logging_out_frees_the_name_and_ends_it_everywhere(void **state)
{
	struct desk *d = *state;
	both_greet(d);
	struct session s = login(d->ada, "Ada");
	assert_string_equal(resume(d->bob, s.token), "ok");
	rig_must(d->bob, "session.logout", RIG_NONE);
	assert_false(is_logged_in(d->ada));
	assert_false(is_logged_in(d->bob));
	assert_string_equal(resume(d->ada, s.token), "UNAUTHENTICATED");
	login(d->bob, "ada");
	rig_crash(&d->r);
	struct rig_peer *later = guest(d, "later");
	assert_string_equal(resume(later, s.token), "UNAUTHENTICATED");
}

static void test_two_who_log_out_at_once_are_both_told_so(void **state)
{
	struct desk *d = *state;
	both_greet(d);
	struct session s = login(d->ada, "Ada");
	assert_string_equal(resume(d->bob, s.token), "ok");
	rig_hold(&d->r);
	uint32_t a = rig_send(d->ada, "session.logout", RIG_NONE);
	uint32_t b = rig_send(d->bob, "session.logout", RIG_NONE);
	rig_release(&d->r);
	assert_string_equal(rig_outcome(d->ada, a), "ok");
	assert_string_equal(rig_outcome(d->bob, b), "ok");
}

/* The old session's logout, on its way while the name is taken over, must not free the new one's.
 */
static void test_a_late_logout_does_not_free_the_name_of_the_next(void **state)
{
	struct desk *d = *state;
	struct pair k = make_pair(1);
	for (size_t let = 0; let < 5; let++) {
		struct rig_peer *old = rig_connect(&d->r, "old");
		struct rig_peer *new = rig_connect(&d->r, "new");
		login_signed(old, "Ada", &k);
		rig_hold(&d->r);
		uint32_t in = send_signed(new, "Ada", &k);
		rig_let(&d->r, let);
		uint32_t out = rig_send(old, "session.logout", RIG_NONE);
		rig_release(&d->r);
		const char *outcome = rig_outcome(old, out);
		assert_true(strcmp(outcome, "ok") == 0 || strcmp(outcome, "UNAUTHENTICATED") == 0);
		assert_string_equal(rig_outcome(new, in), "ok");
		assert_true(is_logged_in(new));
		struct rig_peer *thief = guest(d, "thief");
		assert_string_equal(rig_code(thief, "session.login", "'user_name':'Ada'"),
				    "NAME_TAKEN");
		rig_must(new, "session.logout", RIG_NONE);
	}
}

/* The write that prolongs it, on its way, does not stand against the one with the key. */
static void test_a_session_in_use_can_be_taken_over_by_its_key(void **state)
{
	struct desk *d = *state;
	struct pair k = make_pair(1);
	for (size_t let = 0; let < 4; let++) {
		struct rig_peer *old = rig_connect(&d->r, "old");
		login_signed(old, "Ada", &k);
		rig_advance(&d->r, 2 * MINUTE_MS);
		struct rig_peer *new = rig_connect(&d->r, "new");
		rig_hold(&d->r);
		uint32_t in = send_signed(new, "Ada", &k);
		rig_let(&d->r, let);
		rig_must(old, "server.ping", RIG_NONE);
		rig_release(&d->r);
		assert_string_equal(rig_outcome(new, in), "ok");
		assert_true(is_logged_in(new));
		assert_false(is_logged_in(old));
		rig_must(new, "session.logout", RIG_NONE);
	}
}

/* ---- how long ---- */

static void test_after_an_idle_hour_it_is_gone_and_its_name_free(void **state)
{
	struct desk *d = *state;
	both_greet(d);
	struct session s = login(d->ada, "Ada");
	rig_advance(&d->r, LIFE_MS - 1);
	assert_string_equal(rig_code(d->bob, "session.login", "'user_name':'Ada'"), "NAME_TAKEN");
	rig_advance(&d->r, 1);
	assert_string_equal(resume(d->bob, s.token), "UNAUTHENTICATED");
	assert_false(is_logged_in(d->ada));
	login(d->bob, "Ada");
	assert_true(is_logged_in(d->bob));
}

static void test_every_call_begins_the_hour_anew(void **state)
{
	struct desk *d = *state;
	both_greet(d);
	struct session s = login(d->ada, "Ada");
	for (size_t i = 0; i < 5; i++) {
		rig_advance(&d->r, LIFE_MS - 30000);
		rig_must(d->ada, "server.ping", RIG_NONE);
	}
	assert_string_equal(rig_code(d->bob, "session.login", "'user_name':'Ada'"), "NAME_TAKEN");
	rig_advance(&d->r, LIFE_MS - 1);
	assert_true(is_logged_in(d->ada));
	assert_string_equal(resume(d->bob, s.token), "ok");
	rig_advance(&d->r, LIFE_MS);
	assert_false(is_logged_in(d->ada));
	assert_false(is_logged_in(d->bob));
}

/* The table may be a minute behind: while it is in use here, it is not over for that. */
static void test_what_the_table_does_not_know_yet_counts(void **state)
{
	struct desk *d = *state;
	both_greet(d);
	struct session s = login(d->ada, "Ada");
	rig_advance(&d->r, 59000);
	rig_must(d->ada, "server.ping", RIG_NONE);
	rig_advance(&d->r, LIFE_MS - 10000);
	assert_string_equal(rig_code(d->bob, "session.login", "'user_name':'Ada'"), "NAME_TAKEN");
	assert_string_equal(resume(d->bob, s.token), "ok");
	assert_true(is_logged_in(d->ada));
	rig_advance(&d->r, 10000);
	assert_true(is_logged_in(d->ada));
}

static void test_a_busy_user_costs_one_write_a_minute(void **state)
{
	struct desk *d = *state;
	both_greet(d);
	login(d->ada, "Ada");
	size_t before = d->r.commits;
	for (size_t i = 0; i < 590; i++) {
		rig_must(d->ada, "server.ping", RIG_NONE);
		rig_advance(&d->r, 1000);
	}
	assert_in_range(d->r.commits - before, 8, 10);
}

static void test_coming_back_again_and_again_costs_no_more(void **state)
{
	struct desk *d = *state;
	both_greet(d);
	struct session s = login(d->ada, "Ada");
	rig_cut(d->ada);
	size_t before = d->r.commits;
	for (size_t i = 0; i < 59; i++) {
		struct rig_peer *p = guest(d, "cli");
		assert_string_equal(resume(p, s.token), "ok");
		rig_cut(p);
		rig_advance(&d->r, 1000);
	}
	assert_in_range(d->r.commits - before, 0, 1);
	rig_advance(&d->r, MINUTE_MS);
	struct rig_peer *p = guest(d, "cli");
	assert_string_equal(resume(p, s.token), "ok");
	assert_in_range(d->r.commits - before, 1, 2);
}

static void test_after_a_restart_it_lives_as_long_as_it_would_have(void **state)
{
	struct desk *d = *state;
	both_greet(d);
	struct session s = login(d->ada, "Ada");
	rig_advance(&d->r, 30 * MINUTE_MS);
	rig_must(d->ada, "server.ping", RIG_NONE);
	rig_crash(&d->r);
	rig_advance(&d->r, LIFE_MS - MINUTE_MS);
	struct rig_peer *p = guest(d, "p");
	assert_string_equal(rig_code(p, "session.login", "'user_name':'Ada'"), "NAME_TAKEN");
	assert_string_equal(resume(p, s.token), "ok");
	rig_crash(&d->r);
	d->r.wall_ms += 12 * LIFE_MS;
	struct rig_peer *q = guest(d, "q");
	assert_string_equal(resume(q, s.token), "UNAUTHENTICATED");
	login(q, "Ada");
}

static void test_a_clock_that_was_set_back_makes_nothing_last_for_ever(void **state)
{
	struct desk *d = *state;
	both_greet(d);
	d->r.wall_ms += 365 * 24 * LIFE_MS;
	struct session s = login(d->ada, "Ada");
	rig_must(d->ada, "server.ping", RIG_NONE);
	d->r.wall_ms -= 365 * 24 * LIFE_MS;
	rig_advance(&d->r, 2 * MINUTE_MS);
	rig_must(d->ada, "server.ping", RIG_NONE);
	assert_true(is_logged_in(d->ada));
	rig_advance(&d->r, LIFE_MS + 1);
	assert_false(is_logged_in(d->ada));
	assert_string_equal(resume(d->bob, s.token), "UNAUTHENTICATED");
	login(d->bob, "Ada");
}

static void test_a_clock_that_was_set_forward_ends_it_and_no_more(void **state)
{
	struct desk *d = *state;
	both_greet(d);
	login(d->ada, "Ada");
	d->r.wall_ms += 2 * LIFE_MS;
	assert_false(is_logged_in(d->ada));
	login(d->bob, "Ada");
	d->r.wall_ms -= 2 * LIFE_MS;
	assert_true(is_logged_in(d->bob));
	assert_string_equal(rig_code(d->ada, "session.login", "'user_name':'Ada'"), "NAME_TAKEN");
}

/* Not even where the one before seems to be alive again. */
static void test_a_clock_set_forward_and_back_gives_no_name_to_two(void **state)
{
	struct desk *d = *state;
	both_greet(d);
	struct session old = login(d->ada, "Ada");
	rig_cut(d->ada);
	d->r.wall_ms += 2 * LIFE_MS;
	struct session new = login(d->bob, "Ada");
	d->r.wall_ms -= 2 * LIFE_MS;
	struct rig_peer *cy = guest(d, "cy");
	assert_string_equal(resume(cy, old.token), "UNAUTHENTICATED");
	assert_string_equal(resume(cy, new.token), "ok");
}

/* What of a session cannot be removed now must not outlive its name. */
static void test_a_name_is_not_swept_before_its_session(void **state)
{
	struct desk *d = *state;
	struct session old[10];
	char name[16];
	both_greet(d);
	for (int i = 0; i < 10; i++) {
		(void)snprintf(name, sizeof(name), "n%d", i);
		old[i] = login(d->ada, name);
	}
	rig_cut(d->ada);
	rig_fail_commits(&d->r, 5, ERR_IO); /* of some a name, of others the session */
	for (size_t swept = d->r.commits + 20; d->r.commits < swept;) {
		rig_advance(&d->r, MINUTE_MS / 60);
	}
	d->r.wall_ms -= 2 * LIFE_MS;
	for (int i = 0; i < 10; i++) {
		(void)snprintf(name, sizeof(name), "n%d", i);
		bool is_alive = strcmp(resume(guest(d, "cy"), old[i].token), "ok") == 0;
		const char *again =
			rig_code(guest(d, "dy"), "session.login", "'user_name':'%s'", name);
		assert_false(is_alive && strcmp(again, "ok") == 0);
	}
}

static void test_nothing_stays_in_the_table_of_what_is_over(void **state)
{
	struct desk *d = *state;
	char more[32];
	both_greet(d);
	for (int i = 0; i < 300; i++) {
		(void)snprintf(more, sizeof(more), "n%d", i);
		login(d->ada, more);
	}
	rig_advance(&d->r, LIFE_MS - 1000);
	size_t before = d->r.ops;
	rig_advance(&d->r, MINUTE_MS);
	/* The end of a name brings its session's, whose turn may have come already. */
	assert_in_range(d->r.ops - before, 600, 900);
	before = d->r.ops;
	rig_advance(&d->r, MINUTE_MS);
	assert_int_equal(d->r.ops, before);
}

/* ---- wrong ---- */

static void test_everything_wrong_is_answered_the_same(void **state)
{
	struct desk *d = *state;
	struct pair k = make_pair(1);
	struct pair other = make_pair(2);
	char nonce[KEY_CHARS + 1];
	char good[SIGNATURE_CHARS + 1];
	char bad[SIGNATURE_CHARS + 1];
	char expected[256];
	hello(d->ada, nonce);
	sign(&k, nonce, good);
	sign(&other, nonce, bad);
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

static void test_a_signature_is_good_on_its_own_connection_only(void **state)
{
	struct desk *d = *state;
	struct pair k = make_pair(1);
	char nonce[KEY_CHARS + 1];
	char signature[SIGNATURE_CHARS + 1];
	hello(d->ada, nonce);
	sign(&k, nonce, signature);
	rig_hello(d->bob);
	assert_string_equal(rig_code(d->bob, "session.login",
				     "'user_name':'Ada','public_key':'%s','signature':'%s'",
				     k.public_key, signature),
			    "UNAUTHENTICATED");
}

static void test_who_guesses_is_counted_and_has_to_wait(void **state)
{
	struct desk *d = *state;
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
	int64_t wait = number(error, "retry_after_ms");
	assert_in_range(wait, 1, MINUTE_MS);
	assert_string_equal(rig_code(twin, "session.login", "'user_name':'x'"), "RATE_LIMITED");
	assert_string_equal(resume(zoe, s.token), "ok");
	assert_true(is_logged_in(d->ada));
	rig_advance(&d->r, wait);
	assert_string_equal(resume(eve, s.token), "ok");
}

static void test_right_ones_are_not_counted(void **state)
{
	struct desk *d = *state;
	struct rig_peer *p = rig_connect_as(&d->r, "p", PEER_NETWORK, 9, false);
	rig_hello(p);
	struct session s = login(p, "Ada");
	for (int i = 0; i < 50; i++) {
		assert_string_equal(resume(p, s.token), "ok");
		assert_string_equal(rig_code(p, "session.login", "'user_name':'Ada'"),
				    "NAME_TAKEN");
	}
}

static void test_an_address_logs_in_so_often_a_minute(void **state)
{
	struct desk *d = *state;
	struct rig_peer *eve = rig_connect_as(&d->r, "eve", PEER_NETWORK, 9, false);
	struct rig_peer *twin = rig_connect_as(&d->r, "twin", PEER_NETWORK, 9, false);
	struct rig_peer *zoe = rig_connect_as(&d->r, "zoe", PEER_NETWORK, 10, false);
	int logins = (int)limit_rows[LIMIT_LOGINS_PER_MINUTE].value;
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
	int64_t wait = number(error, "retry_after_ms");
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

static void test_whoever_is_here_logs_in_as_often_as_they_like(void **state)
{
	struct desk *d = *state;
	both_greet(d);
	for (int i = 0; i < 2 * (int)limit_rows[LIMIT_LOGINS_PER_MINUTE].value; i++) {
		assert_string_equal(rig_code(d->ada, "session.login", "'user_name':'n%d'", i),
				    "ok");
	}
}

/* Those in flight at once are counted as they come back, beyond the limit, too. */
static void test_guesses_at_once_are_paid_for_later(void **state)
{
	struct desk *d = *state;
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

/* ---- in rooms ---- */

static void test_a_login_has_its_name_and_one_seat_in_a_room(void **state)
{
	struct desk *d = *state;
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

static void test_joining_without_a_login_still_works(void **state)
{
	struct desk *d = *state;
	both_greet(d);
	rig_found(&d->r, d->ada, "");
	login(d->ada, "Ada");
	rig_follow(d->ada, "");
	rig_must(d->ada, "join", RIG_NONE);
	struct rig_peer *bob = rig_sit(&d->r, "Ada");
	assert_string_equal(rig_table(bob), "#1 hidden: Ada host, Ada");
	assert_string_not_equal(bob->user_id, d->ada->user_id);
	struct rig_peer *cy = guest(d, "cy");
	strcpy(cy->room_id, d->r.room_id);
	rig_follow(cy, "");
	assert_string_equal(rig_code(cy, "join", RIG_NONE), "VALIDATION_ERROR username");
}

static void test_a_key_finds_its_seat_again_after_logging_in_again(void **state)
{
	struct desk *d = *state;
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

static void test_tokens_hashes_and_signatures_reach_nobody_else(void **state)
{
	struct desk *d = *state;
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

/* ---- a store that fails ---- */

static void test_a_login_that_was_not_stored_is_none(void **state)
{
	struct desk *d = *state;
	both_greet(d);
	rig_fail_commits(&d->r, 1, ERR_IO);
	assert_string_equal(rig_code(d->ada, "session.login", "'user_name':'Ada'"), "UNAVAILABLE");
	assert_false(is_logged_in(d->ada));
	login(d->bob, "Ada");
}

static void test_a_logout_that_was_not_stored_leaves_the_session(void **state)
{
	struct desk *d = *state;
	both_greet(d);
	struct session s = login(d->ada, "Ada");
	rig_fail_commits(&d->r, 1, ERR_IO);
	assert_string_equal(rig_code(d->ada, "session.logout", RIG_NONE), "UNAVAILABLE");
	assert_true(is_logged_in(d->ada));
	assert_string_equal(resume(d->bob, s.token), "ok");
	rig_must(d->ada, "session.logout", RIG_NONE);
	assert_false(is_logged_in(d->bob));
}

static void test_a_takeover_that_was_not_stored_leaves_the_old_session(void **state)
{
	struct desk *d = *state;
	struct pair k = make_pair(1);
	login_signed(d->ada, "Ada", &k);
	rig_fail_commits(&d->r, 1, ERR_FULL);
	assert_string_equal(rig_outcome(d->bob, send_signed(d->bob, "Ada", &k)), "UNAVAILABLE");
	assert_true(is_logged_in(d->ada));
	assert_false(is_logged_in(d->bob));
}

static void test_a_write_back_that_fails_is_tried_again(void **state)
{
	struct desk *d = *state;
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

static void test_a_busy_store_delays_a_login_and_no_more(void **state)
{
	struct desk *d = *state;
	both_greet(d);
	d->r.busy = 1;
	const char *outcome = rig_code(d->ada, "session.login", "'user_name':'Ada'");
	assert_true(strcmp(outcome, "ok") == 0 || strcmp(outcome, "UNAVAILABLE") == 0);
	assert_string_equal(rig_code(d->bob, "session.login", "'user_name':'Ada'"),
			    strcmp(outcome, "ok") == 0 ? "NAME_TAKEN" : "ok");
}

static void test_who_went_meanwhile_is_not_missed(void **state)
{
	struct desk *d = *state;
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
static void test_any_allocation_may_fail(void **state)
{
	(void)state;
	static const char *const methods[] = {"session.login", "session.whoami", "session.resume",
					      "session.logout"};
	bool is_over = false;
	for (size_t nth = 0; !is_over; nth++) {
		void *own = NULL;
		assert_in_range(nth, 0, 1000);
		lay(&own);
		struct desk *d = own;
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
		is_over = !heap_has_failed();
		heap_fail_never();
		rig_advance(&d->r, 2 * LIFE_MS);
		struct rig_peer *p = guest(d, "p");
		login(p, "Ada");
		assert_true(is_logged_in(p));
		rig_must(p, "session.logout", RIG_NONE);
		clear(&own);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		SESSION(test_a_guest_has_a_name_for_an_hour),
		SESSION(test_nobody_is_logged_in_without_a_login),
		SESSION(test_a_name_that_somebody_has_is_taken),
		SESSION(test_folding_goes_further_than_case),
		SESSION(test_a_name_must_be_shown_and_short),
		SESSION(test_of_two_who_take_a_name_at_once_one_gets_it),
		SESSION(test_a_key_is_the_same_user_every_time),
		SESSION(test_a_guest_is_a_new_user_every_time),
		SESSION(test_the_same_key_takes_the_name_over),
		SESSION(test_a_key_that_logs_in_everywhere_at_once_is_told_of_nobody_else),
		SESSION(test_another_key_or_none_does_not_take_it_over),
		SESSION(test_a_token_brings_the_session_to_another_connection),
		SESSION(test_logging_out_frees_the_name_and_ends_it_everywhere),
		SESSION(test_two_who_log_out_at_once_are_both_told_so),
		SESSION(test_a_late_logout_does_not_free_the_name_of_the_next),
		SESSION(test_a_session_in_use_can_be_taken_over_by_its_key),
		SESSION(test_after_an_idle_hour_it_is_gone_and_its_name_free),
		SESSION(test_every_call_begins_the_hour_anew),
		SESSION(test_what_the_table_does_not_know_yet_counts),
		SESSION(test_a_busy_user_costs_one_write_a_minute),
		SESSION(test_coming_back_again_and_again_costs_no_more),
		SESSION(test_after_a_restart_it_lives_as_long_as_it_would_have),
		SESSION(test_a_clock_that_was_set_back_makes_nothing_last_for_ever),
		SESSION(test_a_clock_that_was_set_forward_ends_it_and_no_more),
		SESSION(test_a_clock_set_forward_and_back_gives_no_name_to_two),
		SESSION(test_a_name_is_not_swept_before_its_session),
		SESSION(test_nothing_stays_in_the_table_of_what_is_over),
		SESSION(test_everything_wrong_is_answered_the_same),
		SESSION(test_a_signature_is_good_on_its_own_connection_only),
		SESSION(test_who_guesses_is_counted_and_has_to_wait),
		SESSION(test_right_ones_are_not_counted),
		SESSION(test_an_address_logs_in_so_often_a_minute),
		SESSION(test_whoever_is_here_logs_in_as_often_as_they_like),
		SESSION(test_guesses_at_once_are_paid_for_later),
		SESSION(test_a_login_has_its_name_and_one_seat_in_a_room),
		SESSION(test_joining_without_a_login_still_works),
		SESSION(test_a_key_finds_its_seat_again_after_logging_in_again),
		SESSION(test_tokens_hashes_and_signatures_reach_nobody_else),
		SESSION(test_a_login_that_was_not_stored_is_none),
		SESSION(test_a_logout_that_was_not_stored_leaves_the_session),
		SESSION(test_a_takeover_that_was_not_stored_leaves_the_old_session),
		SESSION(test_a_write_back_that_fails_is_tried_again),
		SESSION(test_a_busy_store_delays_a_login_and_no_more),
		SESSION(test_who_went_meanwhile_is_not_missed),
		cmocka_unit_test(test_any_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
