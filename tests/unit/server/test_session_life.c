/*
 * test_session_life.c - a session goes along to other connections, and ends with a
 * logout or after an hour without a call, whatever the clock does.
 */
#include "tests/support/store_mem.h"
#include "tests/unit/server/desk.h"

/* ---- coming back, going ---- */

DESK_TEST(test_a_token_brings_the_session_to_another_connection, d)
{
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

DESK_TEST(test_logging_out_frees_the_name_and_ends_it_everywhere, d)
{
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

DESK_TEST(test_two_logouts_at_once_are_both_answered, d)
{
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
DESK_TEST(test_a_late_logout_does_not_free_the_name_of_the_next, d)
{
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
DESK_TEST(test_a_session_in_use_can_be_taken_over_by_its_key, d)
{
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

/* promise: session-hour */
DESK_TEST(test_after_an_idle_hour_it_is_gone_and_its_name_free, d)
{
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

DESK_TEST(test_a_login_is_repeated_only_as_long_as_its_session_lives, d)
{
	const char *params = "'user_name':'Ada','idempotency_key':'0123456789abcdef'";
	both_greet(d);
	assert_string_equal(rig_code(d->ada, "session.login", "%s", params), "ok");
	rig_advance(&d->r, LIFE_MS - 1);
	assert_string_equal(rig_code(d->bob, "session.login", "%s", params), "ok");
	assert_string_equal(rig_code(d->bob, "session.login",
				     "'user_name':'Bob','idempotency_key':'0123456789abcdef'"),
			    "VALIDATION_ERROR idempotency_key");
	rig_advance(&d->r, LIFE_MS);
	assert_string_equal(rig_code(d->bob, "session.login", "%s", params), "CONFLICT");
}

/* A repeat is known for a day; the session that the first made may live on. */
DESK_TEST(test_a_login_is_not_made_again_when_its_key_is_old, d)
{
	const char *params = "'user_name':'Ada','idempotency_key':'0123456789abcdef'";
	both_greet(d);
	assert_string_equal(rig_code(d->ada, "session.login", "%s", params), "ok");
	for (int hours = 0; hours < 26; hours++) {
		rig_advance(&d->r, LIFE_MS - 1);
		rig_must(d->ada, "server.ping", RIG_NONE);
	}
	const char *refusal = rig_refused(d->bob, "session.login", "%s", params);
	assert_non_null(strstr(refusal, "'code':'CONFLICT'"));
	assert_non_null(strstr(refusal, "more than a day old"));
}

/* The room is sent anew, as another process has changed it: whoever watches has not called. */
DESK_TEST(test_what_a_watcher_is_sent_does_not_begin_the_hour_anew, d)
{
	both_greet(d);
	login(d->ada, "Ada");
	rig_found(&d->r, d->bob, "");
	rig_must(d->ada, "room.subscribe", "'room_id':'%s'", d->r.room_id);
	int64_t epoch = rig_copy(d->ada, d->r.room_id)->epoch;
	rig_advance(&d->r, LIFE_MS - 1);
	rig_touch(&d->r);
	rig_must(d->bob, "set_title", "'title':'Sprint 42'");
	assert_true(rig_copy(d->ada, d->r.room_id)->epoch != epoch);
	rig_advance(&d->r, 1);
	assert_false(is_logged_in(d->ada));
}

DESK_TEST(test_every_call_begins_the_hour_anew, d)
{
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
DESK_TEST(test_what_the_table_does_not_know_yet_counts, d)
{
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

DESK_TEST(test_a_busy_user_costs_one_write_a_minute, d)
{
	both_greet(d);
	login(d->ada, "Ada");
	size_t before = d->r.commits;
	for (size_t i = 0; i < 590; i++) {
		rig_must(d->ada, "server.ping", RIG_NONE);
		rig_advance(&d->r, 1000);
	}
	assert_in_range(d->r.commits - before, 8, 10);
}

/* What was due then is written, and no more: else the next write comes early, for less than a minute. */
DESK_TEST(test_a_write_back_that_waits_for_the_disk_is_of_when_it_was_due, d)
{
	both_greet(d);
	login(d->ada, "Ada");
	rig_advance(&d->r, MINUTE_MS);
	int64_t due = d->r.wall_ms;
	rig_hold(&d->r);
	rig_must(d->ada, "server.ping", RIG_NONE);
	rig_advance(&d->r, MINUTE_MS / 2);
	rig_must(d->ada, "server.ping", RIG_NONE);
	rig_release(&d->r);
	const char *answer = rig_must(d->ada, "session.watch", RIG_NONE);
	assert_int_equal(rig_field_number(answer, "expires_at"), due + LIFE_MS);
}

/* It is nobody's who waits for it. */
DESK_TEST(test_a_write_back_of_which_nothing_is_known_is_of_no_consequence, d)
{
	both_greet(d);
	login(d->ada, "Ada");
	rig_advance(&d->r, 2 * MINUTE_MS);
	size_t commits = d->r.commits;
	rig_hold(&d->r);
	store_mem_lose_answers(d->r.store, 1);
	rig_must(d->ada, "server.ping", RIG_NONE);
	for (size_t i = 0; i < 10 && d->r.commits == commits; i++) {
		rig_let(&d->r, 1);
	}
	rig_release(&d->r);
	assert_int_equal(d->r.commits - commits, 1);
	assert_true(is_logged_in(d->ada));
	rig_advance(&d->r, 2 * MINUTE_MS);
	assert_true(is_logged_in(d->ada));
	assert_int_equal(d->r.commits - commits, 2);
}

DESK_TEST(test_coming_back_again_and_again_costs_no_more, d)
{
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

DESK_TEST(test_after_a_restart_it_lives_as_long_as_it_would_have, d)
{
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

DESK_TEST(test_a_clock_that_was_set_back_makes_nothing_last_for_ever, d)
{
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

/* Neither where it is called at once, nor where the sweeper comes first. */
DESK_TEST(test_a_clock_that_was_set_forward_ends_no_session_in_use, d)
{
	both_greet(d);
	struct session s = login(d->ada, "Ada");
	for (int64_t idle = 0; idle <= 5 * MINUTE_MS; idle += MINUTE_MS) {
		d->r.wall_ms += 61 * MINUTE_MS;
		rig_advance(&d->r, idle);
		assert_string_equal(rig_code(d->bob, "session.login", "'user_name':'Ada'"),
				    "NAME_TAKEN");
		const char *answer = rig_must(d->ada, "session.whoami", RIG_NONE);
		assert_true(rig_field_number(answer, "expires_at") == d->r.wall_ms + LIFE_MS);
	}
	rig_cut(d->ada);
	struct rig_peer *cy = guest(d, "cy");
	assert_string_equal(resume(cy, s.token), "ok");
	d->r.wall_ms += 61 * MINUTE_MS;
	rig_advance(&d->r, 2 * MINUTE_MS); /* idle, and the sweeper comes by */
	rig_crash(&d->r);
	assert_string_equal(resume(guest(d, "dy"), s.token), "ok");
}

/* Nor one that has just begun, and whose login the disk is still busy with. */
DESK_TEST(test_a_clock_that_was_set_forward_ends_no_session_that_begins, d)
{
	both_greet(d);
	for (size_t let = 0; let < 6; let++) {
		char name[16];
		(void)snprintf(name, sizeof(name), "n%zu", let);
		rig_hold(&d->r);
		uint32_t first = rig_send(d->ada, "session.login", "'user_name':'%s'", name);
		rig_let(&d->r, let);
		d->r.wall_ms += 2 * LIFE_MS;
		uint32_t second = rig_send(d->bob, "session.login", "'user_name':'%s'", name);
		rig_release(&d->r);
		assert_string_equal(rig_outcome(d->ada, first), "ok");
		assert_string_equal(rig_outcome(d->bob, second), "NAME_TAKEN");
		assert_true(is_logged_in(d->ada));
	}
}

/* A call in between is one more, not the last one. */
DESK_TEST(test_a_clock_set_back_and_right_again_shortens_nothing, d)
{
	both_greet(d);
	struct session s = login(d->ada, "Ada");
	rig_advance(&d->r, 5 * MINUTE_MS);
	d->r.wall_ms -= 50 * MINUTE_MS;
	rig_must(d->ada, "server.ping", RIG_NONE);
	rig_advance(&d->r, 2 * MINUTE_MS);
	const char *answer = rig_must(d->ada, "session.whoami", RIG_NONE);
	assert_true(rig_field_number(answer, "expires_at") == d->r.wall_ms + LIFE_MS);
	d->r.wall_ms += 50 * MINUTE_MS;
	rig_advance(&d->r, 20 * MINUTE_MS);
	rig_crash(&d->r);
	assert_string_equal(resume(guest(d, "cy"), s.token), "ok");
}

/* An idle hour is one on the clock that nobody sets, whatever the table says of its end. */
DESK_TEST(test_a_clock_set_back_makes_no_session_outlive_its_idle_hour, d)
{
	both_greet(d);
	struct session called = login(d->ada, "Ada");
	struct session closed = login(d->bob, "Bob");
	d->r.wall_ms -= 12 * LIFE_MS;
	rig_advance(&d->r, LIFE_MS);
	struct rig_peer *cy = guest(d, "cy");
	assert_string_equal(resume(cy, called.token), "UNAUTHENTICATED");
	assert_false(is_logged_in(d->ada));
	rig_cut(d->bob);
	assert_string_equal(resume(cy, called.token), "UNAUTHENTICATED");
	assert_string_equal(resume(cy, closed.token), "UNAUTHENTICATED");
	login(cy, "Ada");
	login(d->ada, "Bob");
	rig_crash(&d->r);
	struct rig_peer *dy = guest(d, "dy");
	assert_string_equal(resume(dy, called.token), "UNAUTHENTICATED");
	assert_string_equal(resume(dy, closed.token), "UNAUTHENTICATED");
}

/* It is on the disk until that has removed it, and there it seems to be alive. */
DESK_TEST(test_a_session_that_was_idle_is_not_resumed_while_it_is_removed, d)
{
	both_greet(d);
	struct session s = login(d->bob, "Bob");
	d->r.wall_ms -= 12 * LIFE_MS;
	rig_advance(&d->r, LIFE_MS);
	rig_hold(&d->r);
	rig_cut(d->bob);
	uint32_t resumed = rig_send(d->ada, "session.resume", "'token':'%s'", s.token);
	rig_release(&d->r);
	assert_string_equal(rig_outcome(d->ada, resumed), "UNAUTHENTICATED");
	login(d->ada, "Bob");
}

/* What the disk did not take leaves nothing behind in memory. */
DESK_TEST(test_a_session_that_was_idle_and_could_not_be_removed_is_on_the_disk, d)
{
	both_greet(d);
	struct session s = login(d->bob, "Bob");
	d->r.wall_ms -= 12 * LIFE_MS;
	rig_advance(&d->r, LIFE_MS);
	store_mem_fail_commits(d->r.store, 1, ERR_IO);
	rig_cut(d->bob);
	assert_string_equal(resume(d->ada, s.token), "ok");
	assert_true(is_logged_in(d->ada));
}

static void on_forgotten(void *arg, enum err e, uint64_t version)
{
	bool *is_done = arg;
	(void)version;
	assert_int_equal(e, OK);
	*is_done = true;
}

/* Remove a session's items behind the server's back, as another process would; without a name_key its token alone. */
static void forget_in_table(struct desk *d, const char *token, const char *name_key)
{
	struct key_text hash = key_hash(d->r.config.server_key, "token", slice_str(token));
	char token_pk[64];
	char name_pk[64];
	bool is_done = false;
	(void)snprintf(token_pk, sizeof(token_pk), "TOKEN:%s", hash.text);
	(void)snprintf(name_pk, sizeof(name_pk), "USER_NAME:%s", name_key == NULL ? "" : name_key);
	const struct store_op ops[] = {
		{.kind = STORE_DELETE, .pk = slice_str(token_pk), .sk = SLICE("SESSION")},
		{.kind = STORE_DELETE, .pk = slice_str(name_pk), .sk = SLICE("SESSION")},
	};
	const struct store_commit c = {.token = {.bytes = "another process"},
				       .ops = ops,
				       .n = name_key == NULL ? 1 : 2,
				       .now_ms = d->r.wall_ms};
	for (size_t i = 0; i < c.n; i++) {
		assert_int_equal(rig_stored_in(&d->r, i == 0 ? token_pk : name_pk, "SESSION"), 1);
	}
	assert_int_equal(store_commit(d->r.store, &c, on_forgotten, &is_done), OK);
	store_mem_run(d->r.store, SIZE_MAX);
	store_poll(d->r.store);
	assert_true(is_done);
}

/* Then only the server knows what it is called. */
DESK_TEST(test_a_renamed_session_whose_token_is_gone_frees_the_name_it_has, d)
{
	struct pair k = make_pair(1);
	rig_hello(d->bob);
	struct session s = login_signed(d->ada, "Ada", &k);
	rig_must(d->ada, "user.update", "'user_name':'Grace'");
	forget_in_table(d, s.token, NULL);
	assert_int_equal(rig_stored_in(&d->r, "USER_NAME:grace", "SESSION"), 1);
	rig_must(d->ada, "session.logout", RIG_NONE);
	assert_int_equal(rig_stored_in(&d->r, "USER_NAME:grace", "SESSION"), 0);
	login(d->bob, "Grace");
}

/* What somebody else removed from the table is over here when it is next written. */
DESK_TEST(test_a_session_whose_items_are_gone_is_over_when_it_is_renewed, d)
{
	both_greet(d);
	struct session s = login(d->ada, "Ada");
	assert_string_equal(resume(d->bob, s.token), "ok");
	forget_in_table(d, s.token, "ada");
	rig_must(d->ada, "server.ping", RIG_NONE); /* not due yet */
	assert_true(is_logged_in(d->bob));
	rig_advance(&d->r, 2 * MINUTE_MS);
	rig_must(d->ada, "server.ping", RIG_NONE); /* renews it, and finds that it is gone */
	assert_string_equal(rig_code(d->ada, "session.whoami", RIG_NONE), "UNAUTHENTICATED");
	assert_string_equal(rig_code(d->bob, "session.whoami", RIG_NONE), "UNAUTHENTICATED");
	assert_string_equal(resume(d->ada, s.token), "UNAUTHENTICATED");
	login(d->bob, "Ada");
}

/* An item as a load found it. */
struct snapshot {
	char pk[64];
	char value[1024];
	struct store_item item;
};

static void on_snapshot(void *arg, enum err e, const struct store_item *items, size_t n,
			uint64_t version, bool has_more)
{
	struct snapshot *s = arg;
	(void)version, (void)has_more;
	assert_int_equal(e, OK);
	assert_int_equal(n, 1);
	assert_in_range(items->value.len, 1, sizeof(s->value));
	memcpy(s->value, items->value.data, items->value.len);
	s->item = (struct store_item){.pk = slice_str(s->pk),
				      .sk = SLICE("SESSION"),
				      .value = slice_of(s->value, items->value.len),
				      .version = items->version};
}

/* Engines load and commit on threads of their own: a load may have begun before a commit and end after it. */
DESK_TEST(test_a_load_from_before_a_logout_brings_no_session_back, d)
{
	enum { TICKETS = 200 }; /* more than there have been: only that of the load waits */
	struct snapshot before = {.value = {0}};
	both_greet(d);
	struct session s = login(d->ada, "Ada");
	(void)snprintf(before.pk, sizeof(before.pk), "TOKEN:%s",
		       key_hash(d->r.config.server_key, "token", slice_str(s.token)).text);
	struct store_load load = {.pk = slice_str(before.pk)};
	store_load(d->r.store, &load, on_snapshot, &before);
	store_mem_run(d->r.store, SIZE_MAX);
	store_poll(d->r.store);

	rig_hold(&d->r);
	uint32_t logout = rig_send(d->ada, "session.logout", RIG_NONE);
	rig_let(&d->r, 2); /* what it reads; its commit waits */
	uint32_t resumed = rig_send(d->bob, "session.resume", "'token':'%s'", s.token);
	rig_let(&d->r, 1);
	assert_string_equal(rig_outcome(d->ada, logout), "ok");
	for (uint64_t ticket = TICKETS; ticket > 0;
	     ticket--) { /* not that of a load that follows */
		rig_later(&d->r, &(struct event){.kind = EVENT_LOADED,
						 .ticket = ticket,
						 .items = &before.item,
						 .n = 1});
	}
	rig_release(&d->r);
	assert_string_equal(rig_outcome(d->bob, resumed), "UNAUTHENTICATED");
	assert_false(is_logged_in(d->bob));
}

/* Not even where the one before seems to be alive again. */
DESK_TEST(test_a_clock_set_forward_and_back_gives_no_name_to_two, d)
{
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
DESK_TEST(test_a_name_is_not_swept_before_its_session, d)
{
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

DESK_TEST(test_nothing_stays_in_the_table_of_what_is_over, d)
{
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
