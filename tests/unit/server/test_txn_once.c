/*
 * test_txn_once.c - a request on the directory that is repeated with its
 * idempotency_key: done once, answered each time, and no secret of it is stored.
 */
#include "tests/support/store_mem.h"
#include "tests/unit/server/desk.h"

#define KEY   "'idempotency_key':'0123456789abcdef'"
#define OTHER "'idempotency_key':'fedcba9876543210'"
#define LOGIN "'user_name':'Ada'," KEY

static struct session login_with(struct rig_peer *p, const char *params)
{
	return session_of(rig_must(p, "session.login", "%s", params));
}

/* ---- the table ---- */

struct found {
	size_t n;
	bool is_there; /* the text, in a key or a value */
	const char *text;
};

static void on_found(void *arg, enum err e, const struct store_item *items, size_t n,
		     struct slice next, bool is_partial)
{
	(void)is_partial;
	struct found *f = arg;
	assert_int_equal(e, OK);
	assert_int_equal(next.len, 0);
	for (size_t i = 0; i < n; i++) {
		struct slice parts[] = {items[i].pk, items[i].sk, items[i].value};
		f->n += item_kind_of(items[i].pk, items[i].sk) == ITEM_DIRECTORY_ONCE;
		for (size_t k = 0; k < 3; k++) {
			for (size_t at = 0; f->text != NULL && at < parts[k].len; at++) {
				f->is_there |= slice_starts(slice_of(parts[k].data + at,
								     parts[k].len - at),
							    slice_str(f->text));
			}
		}
	}
}

/* Of all items that expire, which is all that a session has but its user. */
static struct found find(struct desk *d, const char *text)
{
	struct found f = {.text = text};
	struct store_query q = {.index = INDEX_BY_EXPIRY, .to = INT64_MAX, .limit = 1000};
	store_query(d->r.store, &q, on_found, &f);
	store_mem_run(d->r.store, SIZE_MAX);
	store_poll(d->r.store);
	return f;
}

static void on_commit(void *arg, enum err e, uint64_t version)
{
	(void)version;
	*(enum err *)arg = e;
}

/* As if the user had called another method with that key. */
static void plant(struct desk *d, const char *user_id, const char *key)
{
	char pk[128], sk[128], caller[80], both[160];
	(void)snprintf(caller, sizeof(caller), "user %s", user_id);
	(void)snprintf(both, sizeof(both), "%s#%s", caller, key);
	(void)snprintf(pk, sizeof(pk), "ONCE:%s",
		       key_hash(d->r.config.server_key, "once caller", slice_str(caller)).text);
	(void)snprintf(sk, sizeof(sk), "ONCE#%s",
		       key_hash(d->r.config.server_key, "once key", slice_str(both)).text);
	struct once_item item = {.method = SLICE("question.close"),
				 .result = SLICE("\x80"),
				 .created_on = d->r.wall_ms,
				 .updated_on = d->r.wall_ms,
				 .expires_at = d->r.wall_ms + DAY_MS};
	struct buf b = {.max = 1000};
	record_write(&record_once_item, &item, &b);
	struct store_op op = {.kind = STORE_PUT,
			      .pk = slice_str(pk),
			      .sk = slice_str(sk),
			      .value = buf_slice(&b)};
	struct store_commit c = {.ops = &op, .n = 1, .now_ms = d->r.wall_ms};
	enum err e = ERR_IO;
	assert_int_equal(store_commit(d->r.store, &c, on_commit, &e), OK);
	store_mem_run(d->r.store, SIZE_MAX);
	store_poll(d->r.store);
	assert_int_equal(e, OK);
	buf_finish(&b);
}

/* ---- session.login ---- */

/* promise: once */
DESK_TEST(test_a_login_repeated_on_another_connection_is_the_same_session, d)
{
	both_greet(d);
	struct session first = login_with(d->ada, LOGIN);
	rig_cut(d->ada);
	rig_advance(&d->r, 10 * MINUTE_MS);
	struct session again = login_with(d->bob, LOGIN);
	assert_string_equal(again.token, first.token);
	assert_string_equal(again.user_id, first.user_id);
	assert_string_equal(again.user_name, "Ada");
	assert_int_equal(again.expires_at, d->r.wall_ms + LIFE_MS);
	assert_true(is_logged_in(d->bob));
	assert_int_equal(find(d, NULL).n, 1);
	assert_string_equal(rig_code(guest(d, "cy"), "session.login", "'user_name':'Ada'," OTHER),
			    "NAME_TAKEN");
}

/* Of an address, which repeats as often as its answers are lost. */
DESK_TEST(test_a_login_repeated_costs_one_of_the_logins_a_minute, d)
{
	d->r.config.limits[LIMIT_LOGINS_PER_MINUTE] = 3;
	rig_crash(&d->r);
	for (int i = 0; i < 10; i++) {
		struct rig_peer *p = rig_connect_as(&d->r, "ada", PEER_NETWORK, 9, false);
		rig_hello(p);
		(void)login_with(p, LOGIN);
	}
	static const char *const outcomes[] = {"ok", "ok", "RATE_LIMITED"};
	for (size_t i = 0; i < 3; i++) {
		struct rig_peer *p = rig_connect_as(&d->r, "bob", PEER_NETWORK, 9, false);
		rig_hello(p);
		assert_string_equal(rig_code(p, "session.login", "'user_name':'Bob%zu'", i),
				    outcomes[i]);
	}
}

DESK_TEST(test_a_key_is_of_the_one_peer_that_has_used_it, d)
{
	both_greet(d);
	struct session first = login_with(d->ada, LOGIN);
	struct rig_peer *p = rig_connect_as(&d->r, "p", PEER_UNIX, 1, false);
	struct rig_peer *q = rig_connect_as(&d->r, "q", PEER_NETWORK, 1, false);
	rig_hello(p);
	rig_hello(q);
	assert_string_equal(rig_code(p, "session.login", LOGIN), "NAME_TAKEN");
	assert_string_equal(rig_code(q, "session.login", LOGIN), "NAME_TAKEN");
	struct session other = login_with(q, "'user_name':'Eve'," KEY);
	assert_string_not_equal(other.token, first.token);
}

/* They are in no line for each other: the second finds what the first has written, and is answered with it. */
DESK_TEST(test_of_two_at_once_with_one_key_one_is_the_first, d)
{
	both_greet(d);
	rig_hold(&d->r);
	uint32_t first = rig_send(d->ada, "session.login", LOGIN);
	uint32_t second = rig_send(d->bob, "session.login", "'user_name':'Bob'," KEY);
	rig_release(&d->r);
	bool is_refusal = true;
	struct session a = session_of(rig_answer(d->ada, first, &is_refusal));
	assert_string_equal(rig_outcome(d->bob, second),
			    "VALIDATION_ERROR idempotency_key"); /* of another name */
	assert_int_equal(server_counters(d->r.server)->transactions_rerun, 0);
	assert_string_equal(login_with(d->bob, LOGIN).token, a.token);
}

static const char *login_by_key(struct rig_peer *p, const struct pair *k, bool is_signed_well)
{
	char nonce[KEY_CHARS + 1];
	char signature[SIGNATURE_CHARS + 1];
	hello(p, nonce);
	sign(k, is_signed_well ? "Ada" : "Eve", nonce, signature);
	return rig_outcome(p,
			   rig_send(p, "session.login", LOGIN ",'public_key':'%s','signature':'%s'",
				    k->public_key, signature));
}

DESK_TEST(test_a_repeat_by_key_is_signed_like_the_first, d)
{
	struct pair k = make_pair(1);
	struct pair other = make_pair(2);
	struct rig_peer *cy = guest(d, "cy");
	assert_string_equal(login_by_key(d->ada, &k, true), "ok");
	assert_string_equal(login_by_key(cy, &k, false), "UNAUTHENTICATED");
	assert_string_equal(login_by_key(cy, &other, true), "CONFLICT");
	assert_string_equal(rig_code(cy, "session.login", LOGIN), "CONFLICT");
	assert_false(is_logged_in(cy));
	assert_string_equal(login_by_key(d->bob, &k, true), "ok");
	assert_true(is_logged_in(d->ada)); /* it was no second login, which would have taken over */
	assert_true(is_logged_in(d->bob));
}

DESK_TEST(test_a_login_with_another_name_is_no_repeat, d)
{
	both_greet(d);
	struct session first = login_with(d->ada, LOGIN);
	const char *refused = rig_refused(d->bob, "session.login", "'user_name':'Bob'," KEY);
	assert_non_null(strstr(refused, "VALIDATION_ERROR"));
	assert_non_null(strstr(refused, "'field':'idempotency_key'"));
	assert_non_null(strstr(refused, "was used for another user_name"));
	assert_false(is_logged_in(d->bob));
	assert_string_equal(login_with(d->bob, LOGIN).token, first.token);
}

DESK_TEST(test_a_session_that_has_ended_does_not_begin_again, d)
{
	both_greet(d);
	login_with(d->ada, LOGIN);
	rig_must(d->ada, "session.logout", RIG_NONE);
	assert_string_equal(rig_code(d->bob, "session.login", LOGIN), "CONFLICT");
	login_with(d->bob, "'user_name':'Ada'," OTHER);
}

DESK_TEST(test_a_key_is_forgotten_after_a_day, d)
{
	both_greet(d);
	struct session s = login_with(d->ada, LOGIN);
	for (int64_t at = 0; at <= DAY_MS; at += 30 * MINUTE_MS) {
		rig_advance(&d->r, 30 * MINUTE_MS);
		assert_true(is_logged_in(d->ada));
	}
	assert_int_equal(find(d, NULL).n, 0); /* swept */
	/* The session lives, and its token is the one that the key would give. */
	assert_string_equal(rig_code(d->bob, "session.login", "'user_name':'Bob'," KEY),
			    "CONFLICT");
	rig_must(d->ada, "session.logout", RIG_NONE);
	struct session later = login_with(d->bob, "'user_name':'Bob'," KEY);
	assert_string_not_equal(later.user_id, s.user_id);
}

DESK_TEST(test_a_refusal_is_not_remembered, d)
{
	both_greet(d);
	login(d->ada, "Ada");
	assert_string_equal(rig_code(d->bob, "session.login", LOGIN), "NAME_TAKEN");
	rig_must(d->ada, "session.logout", RIG_NONE);
	assert_string_equal(rig_code(d->bob, "session.login", LOGIN), "ok");
}

DESK_TEST(test_neither_token_nor_key_lies_in_the_table, d)
{
	both_greet(d);
	struct session s = login_with(d->ada, LOGIN);
	assert_false(find(d, s.token).is_there);
	assert_false(find(d, "0123456789abcdef").is_there);
	assert_true(find(d, s.user_id).is_there);
	login_with(d->bob, LOGIN);
	assert_false(find(d, s.token).is_there);
}

/* ---- session.logout ---- */

DESK_TEST(test_a_logout_repeated_ends_no_later_session, d)
{
	struct pair k = make_pair(1);
	login_signed(d->ada, "Ada", &k);
	rig_hold(&d->r);
	uint32_t first = rig_send(d->ada, "session.logout", KEY);
	uint32_t second = rig_send(d->ada, "session.logout", KEY);
	rig_release(&d->r);
	assert_string_equal(rig_outcome(d->ada, first), "ok");
	assert_string_equal(rig_outcome(d->ada, second), "ok");
	assert_false(is_logged_in(d->ada));
	assert_string_equal(rig_code(d->ada, "session.logout", KEY), "UNAUTHENTICATED");
	login_signed(d->bob, "Ada", &k);
	assert_string_equal(rig_code(d->bob, "session.logout", KEY), "ok");
	assert_true(is_logged_in(d->bob)); /* that was done: another key ends this one */
	assert_string_equal(rig_code(d->bob, "session.logout", OTHER), "ok");
	assert_false(is_logged_in(d->bob));
}

DESK_TEST(test_a_key_of_another_method_is_refused, d)
{
	both_greet(d);
	struct session s = login(d->ada, "Ada");
	plant(d, s.user_id, "0123456789abcdef");
	assert_string_equal(rig_code(d->ada, "session.logout", KEY),
			    "VALIDATION_ERROR idempotency_key");
	assert_true(is_logged_in(d->ada));
	rig_advance(&d->r, 30 * MINUTE_MS);
	rig_must(d->ada, "session.logout", OTHER);
}

/* ---- failures ---- */

DESK_TEST(test_a_commit_of_unknown_outcome_is_remembered_if_it_was_made, d)
{
	both_greet(d);
	size_t commits = d->r.commits;
	store_mem_lose_answers(d->r.store, 1);
	d->r.busy = 1;
	(void)rig_send(d->ada, "session.login", LOGIN);
	assert_false(d->ada->is_open);
	assert_int_equal(d->r.commits - commits, 2);
	assert_int_equal(find(d, NULL).n, 1);
	struct session s = login_with(d->bob, LOGIN);
	assert_int_equal(d->r.commits - commits, 2);
	rig_crash(&d->r);
	assert_string_equal(login_with(guest(d, "p"), LOGIN).token, s.token);
}

DESK_TEST(test_what_was_not_stored_is_not_remembered, d)
{
	both_greet(d);
	rig_fail_commits(&d->r, 1, ERR_IO);
	assert_string_equal(rig_code(d->ada, "session.login", LOGIN), "UNAVAILABLE");
	assert_int_equal(find(d, NULL).n, 0);
	assert_string_equal(rig_code(d->ada, "session.login", LOGIN), "ok");
}

/* Whichever allocation fails: a repeat gets what the first one did, or does it. */
DESK_HEAP_TEST(test_any_allocation_may_fail, d, nth)
{
	both_greet(d);
	heap_fail_nth(nth, false);
	rig_send(d->ada, "session.login", LOGIN);
	rig_send(d->bob, "session.login", LOGIN);
	if (d->bob->is_open) {
		rig_send(d->bob, "session.logout", OTHER);
	}
	heap_fail_never();
	struct rig_peer *p = guest(d, "p");
	const char *outcome = rig_code(p, "session.login", LOGIN);
	assert_true(strcmp(outcome, "ok") == 0 || strcmp(outcome, "CONFLICT") == 0);
	assert_int_equal(is_logged_in(p), strcmp(outcome, "ok") == 0);
	rig_advance(&d->r, 2 * DAY_MS);
	assert_int_equal(find(d, NULL).n, 0);
}

/* A request behind another in line that memory is out for leaves the line to the others. */
TEST(test_memory_that_is_out_for_one_in_line_ends_no_other)
{
	char name[1024];
	for (size_t len = 3; len < 900; len += 64) {
		memset(name, ' ', sizeof(name));
		memcpy(name, "Ada", 3);
		name[len] = '\0';
		for (size_t nth = 0; nth < 6; nth++) {
			void *own = NULL;
			desk_lay(&own);
			struct desk *d = own;
			both_greet(d);
			rig_hold(&d->r);
			uint32_t first =
				rig_send(d->ada, "session.login", "'user_name':'%s'", name);
			heap_fail_nth(nth, false);
			rig_send(d->bob, "session.login", "'user_name':'%s'," KEY, name);
			heap_fail_never();
			rig_release(&d->r);
			assert_string_equal(rig_outcome(d->ada, first), "ok");
			scene_clear(&own);
		}
	}
}
