/*
 * test_contract.c - what store.h promises of loads, commits and callbacks, once for each
 * engine.
 */
#include "fixture.h"

#include "proto/base/assert.h"

/* ---- loading ---- */

STORE_TEST(a_load_gives_one_partition_in_sk_order_with_versions, f)
{
	put_seat(f, "ROOM:A", "USER:b", "5");
	put_seat(f, "ROOM:A", "USER:a", NULL);
	put_seat(f, "ROOM:AB", "USER:c", "1");
	put_seat(f, "ROOM:A", "USER:aa", "8");
	struct answer a = load(f, "ROOM:A", "");
	assert_string_equal(a.text, "USER:a=-@2 USER:aa=8@3 USER:b=5@1");
	assert_true(a.version >= version_of("ROOM:A", 3));
	assert_load(f, "ROOM:AB", "", "USER:c=1@1");
}

STORE_TEST(a_load_takes_a_prefix_of_the_sk, f)
{
	put_seat(f, "ROOM:A", "USER:a", "1");
	put_seat(f, "ROOM:A", "USER:ab", "2");
	put_seat(f, "ROOM:A", "USER:b", "3");
	assert_int_equal(commit_op(f, op_put("ROOM:A", "ONCE#x", value_once(NOW, 4))).e, OK);
	assert_load(f, "ROOM:A", "USER:a", "USER:a=1@1 USER:ab=2@2");
	assert_load(f, "ROOM:A", "ONCE#", "ONCE#x@4");
	assert_load(f, "ROOM:A", "STORY#", "");
}

STORE_TEST(a_load_of_nothing_is_no_error, f)
{
	struct answer a = load(f, "ROOM:NOBODY", "");
	assert_int_equal(a.e, OK);
	assert_int_equal(a.n, 0);
}

STORE_TEST(keys_of_the_longest_length_are_kept_apart, f)
{
	char sk[2][ITEM_KEY_BYTES_MAX];
	for (int i = 0; i < 2; i++) {
		memset(sk[i], 'k', sizeof(sk[i]));
		memcpy(sk[i], "USER:", 5);
		sk[i][ITEM_KEY_BYTES_MAX - 6 - 1] = (char)('0' + i);
		struct store_op op = op_put("ROOM:A", "", value_seat(i == 0 ? "1" : "2"));
		op.sk = slice_of(sk[i], ITEM_KEY_BYTES_MAX - 6);
		assert_int_equal(commit_op(f, op).e, OK);
	}
	assert_int_equal(load(f, "ROOM:A", "").n, 2);
}

/* ---- committing ---- */

STORE_TEST(each_expectation_holds_or_conflicts, f)
{
	static const struct {
		const char *sk;
		enum store_expect expect;
		uint64_t later; /* than the version of USER:there */
		enum err e;
	} cases[] = {
		{"USER:there", STORE_EXPECT_ANY, 0, OK},
		{"USER:there", STORE_EXPECT_ABSENT, 0, ERR_CONFLICT},
		{"USER:there", STORE_EXPECT_VERSION, 0, OK},
		{"USER:there", STORE_EXPECT_VERSION, 1, ERR_CONFLICT},
		{"USER:none", STORE_EXPECT_ANY, 0, OK},
		{"USER:none", STORE_EXPECT_ABSENT, 0, OK},
		{"USER:none", STORE_EXPECT_VERSION, 0, ERR_CONFLICT},
	};
	put_seat(f, "ROOM:A", "USER:there", "1");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct store_op op = op_of(STORE_CHECK, "ROOM:A", cases[i].sk);
		op.expect = cases[i].expect;
		op.version = version_of("ROOM:A", 1) + cases[i].later;
		assert_int_equal(commit_op(f, op).e, cases[i].e);
	}
}

STORE_TEST(puts_and_deletes_carry_expectations_too, f)
{
	put_seat(f, "ROOM:A", "USER:a", "1");
	struct store_op op = op_put("ROOM:A", "USER:a", value_seat("2"));
	op.expect = STORE_EXPECT_VERSION;
	op.version = version_of("ROOM:A", 1);
	assert_int_equal(commit_op(f, op).e, OK);
	assert_int_equal(commit_op(f, op).e, ERR_CONFLICT);
	op = op_of(STORE_DELETE, "ROOM:A", "USER:a");
	op.expect = STORE_EXPECT_VERSION;
	op.version = version_of("ROOM:A", 1);
	assert_int_equal(commit_op(f, op).e, ERR_CONFLICT);
	assert_load(f, "ROOM:A", "", "USER:a=2@2");
	op.version = version_of("ROOM:A", 2);
	assert_int_equal(commit_op(f, op).e, OK);
	assert_load(f, "ROOM:A", "", "");
}

STORE_TEST(a_commit_is_all_or_nothing, f)
{
	put_seat(f, "ROOM:A", "USER:a", "1");
	char value[512];
	struct slice seat = value_seat("9");
	memcpy(value, seat.data, seat.len);
	seat.data = value;
	struct store_op ops[] = {
		op_put("ROOM:A", "USER:a", seat),
		op_put("ROOM:A", "USER:b", seat),
		op_of(STORE_DELETE_PREFIX, "ROOM:A", "ONCE#"),
		op_of(STORE_CHECK, "ROOM:A", "USER:c"),
	};
	ops[3].expect = STORE_EXPECT_VERSION;
	assert_int_equal(commit_ops(f, ops, 4).e, ERR_CONFLICT);
	struct answer a = load(f, "ROOM:A", "");
	assert_string_equal(a.text, "USER:a=1@1");
	assert_int_equal(a.nth, 1);
}

STORE_TEST(expectations_are_read_before_anything_is_written, f)
{
	char value[512];
	struct slice seat = value_seat("9");
	memcpy(value, seat.data, seat.len);
	seat.data = value;
	struct store_op ops[] = {op_put("ROOM:A", "USER:a", seat),
				 op_put("ROOM:A", "USER:a", seat)};
	ops[0].expect = STORE_EXPECT_ABSENT;
	ops[1].expect = STORE_EXPECT_ABSENT;
	assert_int_equal(commit_ops(f, ops, 2).e, OK);
	assert_load(f, "ROOM:A", "", "USER:a=9@1");
}

STORE_TEST(a_failed_expectation_marks_only_its_own_commit, f)
{
	struct answer a[3] = {{.calls = 0}};
	struct store_op op = op_put("ROOM:A", "USER:a", value_seat("1"));
	struct store_commit c = {.ops = &op, .n = 1, .now_ms = NOW};
	op.expect = STORE_EXPECT_ABSENT;
	assert_int_equal(commit_begin(f, &c, &a[0]), OK);
	assert_int_equal(commit_begin(f, &c, &a[1]), OK);
	op.sk = SLICE("USER:b");
	assert_int_equal(commit_begin(f, &c, &a[2]), OK);
	fixture_drain(f);
	assert_int_equal(a[0].e, OK);
	assert_int_equal(a[1].e, ERR_CONFLICT);
	assert_int_equal(a[2].e, OK);
	assert_load(f, "ROOM:A", "", "USER:a=1@1 USER:b=1@2");
}

STORE_TEST(deletes_reach_what_they_name_and_nothing_else, f)
{
	put_seat(f, "ROOM:A", "USER:a", "1");
	put_seat(f, "ROOM:A", "USER:ab", "2");
	put_seat(f, "ROOM:A", "USER:b", "3");
	put_seat(f, "ROOM:AA", "USER:a", "4");
	assert_int_equal(commit_op(f, op_of(STORE_DELETE, "ROOM:A", "USER:none")).e, OK);
	assert_int_equal(commit_op(f, op_of(STORE_DELETE, "ROOM:A", "USER:b")).e, OK);
	assert_load(f, "ROOM:A", "", "USER:a=1@1 USER:ab=2@2");
	assert_int_equal(commit_op(f, op_of(STORE_DELETE_PREFIX, "ROOM:A", "USER:ab")).e, OK);
	assert_load(f, "ROOM:A", "", "USER:a=1@1");
	assert_int_equal(commit_op(f, op_of(STORE_DELETE_PREFIX, "ROOM:A", "")).e, OK);
	assert_load(f, "ROOM:A", "", "");
	assert_load(f, "ROOM:AA", "", "USER:a=4@1");
}

/* ---- calling ---- */

STORE_TEST(callbacks_run_only_in_poll_and_once, f)
{
	struct answer commits = {.calls = 0}, loads = {.calls = 0}, queries = {.calls = 0};
	struct store_op op = op_put("ROOM:A", "USER:a", value_seat("1"));
	struct store_commit c = {.ops = &op, .n = 1, .now_ms = NOW};
	struct store_query q = {.index = INDEX_BY_EXPIRY, .to = 1, .limit = 1};
	for (int i = 0; i < 100; i++) {
		assert_int_equal(commit_begin(f, &c, &commits), OK);
		store_load(f->s, &(struct store_load){.pk = SLICE("ROOM:A")}, on_items, &loads);
		loads.text[0] = '\0';
		store_query(f->s, &q, on_query, &queries);
	}
	assert_int_equal(commits.calls + loads.calls + queries.calls, 0);
	fixture_drain(f);
	assert_int_equal(commits.calls, 100);
	assert_int_equal(loads.calls, 100);
	assert_int_equal(queries.calls, 100);
	assert_false(store_poll(f->s));
	assert_int_equal(commits.calls, 100);
}

STORE_TEST(inputs_are_copied_at_the_call, f)
{
	struct answer a = {.calls = 0}, loaded = {.calls = 0};
	char pk[] = "ROOM:A", sk[] = "USER:a", prefix[] = "USER", value[512];
	struct slice seat = value_seat("5");
	memcpy(value, seat.data, seat.len);
	struct store_op op = {.kind = STORE_PUT,
			      .pk = slice_str(pk),
			      .sk = slice_str(sk),
			      .value = {value, seat.len}};
	struct store_commit c = {.ops = &op, .n = 1, .now_ms = NOW};
	assert_int_equal(commit_begin(f, &c, &a), OK);
	fixture_drain(f);
	assert_int_equal(commit_begin(f, &c, &a), OK);
	struct store_load l = {.pk = slice_str(pk), .sk_prefix = slice_str(prefix)};
	store_load(f->s, &l, on_items, &loaded);
	memset(&op, 0x55, sizeof(op));
	memset(&c, 0x55, sizeof(c));
	memset(&l, 0x55, sizeof(l));
	memset(pk, 'x', 6);
	memset(sk, 'x', 6);
	memset(prefix, 'x', 4);
	memset(value, 'x', sizeof(value));
	fixture_drain(f);
	assert_int_equal(a.e, OK);
	assert_int_equal(loaded.n, 1);
	assert_load(f, "ROOM:A", "", "USER:a=5@2");
}

struct again {
	struct fixture *f;
	unsigned left;
	uint64_t version;
	unsigned nth;
	bool is_seen; /* by the load that the commit's callback began */
};

static void on_again(void *arg, enum err e, uint64_t version)
{
	struct again *again = arg;
	struct store_op op = op_put("ROOM:A", "USER:a", value_seat("1"));
	struct store_commit c = {.ops = &op, .n = 1, .now_ms = NOW};
	assert_int_equal(e, OK);
	again->version = version;
	again->nth = fixture_note(item_scope_of(op.pk), version);
	if (again->left-- > 0) {
		assert_int_equal(store_commit(again->f->s, &c, on_again, again), OK);
	}
}

STORE_TEST(a_callback_may_call_the_store, f)
{
	struct again again = {.f = f, .left = 20};
	put_seat(f, "ROOM:A", "USER:a", "1");
	on_again(&again, OK, version_of("ROOM:A", 1));
	fixture_drain(f);
	assert_int_equal(again.nth, 21);
}

static void on_seen(void *arg, enum err e, const struct store_item *items, size_t n,
		    uint64_t version, bool has_more)
{
	struct again *again = arg;
	(void)items;
	(void)has_more;
	assert_int_equal(e, OK);
	assert_int_equal(n, 1);
	assert_true(version >= again->version);
	again->is_seen = true;
}

static void on_look(void *arg, enum err e, uint64_t version)
{
	struct again *again = arg;
	assert_int_equal(e, OK);
	again->version = version;
	store_load(again->f->s, &(struct store_load){.pk = SLICE("ROOM:A")}, on_seen, again);
}

STORE_TEST(a_load_after_a_commits_callback_sees_it, f)
{
	for (int i = 0; i < 50; i++) {
		struct again again = {.f = f};
		struct store_op op = op_put("ROOM:A", "USER:a", value_seat("1"));
		struct store_commit c = {.ops = &op, .n = 1, .now_ms = NOW};
		assert_int_equal(store_commit(f->s, &c, on_look, &again), OK);
		fixture_drain(f);
		assert_true(again.is_seen);
	}
}

/* How many commits of that size are taken before BUSY, without any poll. */
static size_t commits_until_busy(struct fixture *f, struct slice value, struct answer *a)
{
	struct store_op op = op_put("ROOM:A", "ONCE#a", value);
	struct store_commit c = {.ops = &op, .n = 1, .now_ms = NOW};
	size_t n = 0;
	enum err e;
	while ((e = commit_begin(f, &c, a)) == OK) {
		n++;
	}
	assert_int_equal(e, ERR_BUSY);
	return n;
}

STORE_TEST(beyond_its_bounds_a_commit_is_refused_until_a_callback_ran, f)
{
	struct answer a = {.calls = 0};
	size_t n = commits_until_busy(f, value_once(1, 4), &a);
	assert_int_equal(n, STORE_PENDING_MAX);
	fixture_drain(f);
	assert_int_equal(a.calls, n);
	n = commits_until_busy(f, value_once(1, 65000), &a);
	assert_in_range(n, STORE_PENDING_BYTES_MAX / 66000, STORE_PENDING_BYTES_MAX / 65000 + 1);
	fixture_drain(f);
	assert_int_equal(commit_op(f, op_put("ROOM:A", "ONCE#a", value_once(1, 4))).e, OK);
}

STORE_TEST(close_finishes_what_was_accepted, f)
{
	struct answer a = {.calls = 0}, loaded = {.calls = 0};
	struct store_op op = op_put("ROOM:A", "USER:a", value_seat("1"));
	struct store_commit c = {.ops = &op, .n = 1, .now_ms = NOW};
	for (int i = 0; i < 500; i++) {
		assert_int_equal(commit_begin(f, &c, &a), OK);
	}
	store_load(f->s, &(struct store_load){.pk = SLICE("ROOM:A")}, on_items, &loaded);
	store_close(f->s);
	assert_int_equal(a.calls, 500);
	assert_int_equal(a.e, OK);
	assert_int_equal(loaded.calls, 1);
	assert_int_equal(fixture_try_open(f), OK);
	assert_load(f, "ROOM:A", "", f->engine->keeps ? "USER:a=1@500" : "");
}

static void on_closing(void *arg, enum err e, uint64_t version)
{
	struct again *again = arg;
	(void)version;
	if (again->left-- > 0) {
		assert_int_equal(e, OK);
		struct store_op op = op_put("ROOM:A", "USER:a", value_seat("1"));
		struct store_commit c = {.ops = &op, .n = 1, .now_ms = NOW};
		assert_int_equal(store_commit(again->f->s, &c, on_closing, again), OK);
		return;
	}
	again->version = (uint64_t)e;
}

STORE_TEST(what_is_called_while_closing_is_answered_closed, f)
{
	struct again again = {.f = f, .left = 1};
	struct store_op op = op_put("ROOM:A", "USER:a", value_seat("1"));
	struct store_commit c = {.ops = &op, .n = 1, .now_ms = NOW};
	assert_int_equal(store_commit(f->s, &c, on_closing, &again), OK);
	store_close(f->s);
	assert_int_equal(again.version, ERR_CLOSED);
	assert_int_equal(fixture_try_open(f), OK);
}

STORE_TEST(status_counts_commits_and_transactions, f)
{
	struct store_status status;
	put_seat(f, "ROOM:A", "USER:a", "1");
	put_seat(f, "ROOM:A", "USER:b", "1");
	store_status(f->s, &status);
	assert_int_equal(status.state, STORE_OK);
	assert_int_equal(status.batch.sum, 2);
	assert_in_range(status.batch.counts[0] + status.batch.counts[1], 1, 2);
}

static void assert_ops_abort(struct fixture *f, const struct store_op *ops, size_t n)
{
	assert_aborts(f, &(struct store_commit){.ops = ops, .n = n, .now_ms = NOW});
}

STORE_TEST(a_commit_of_two_rooms_or_of_a_room_and_the_directory_is_a_bug, f)
{
	struct store_op rooms[] = {op_of(STORE_DELETE, "ROOM:A", "x"),
				   op_of(STORE_DELETE, "ROOM:B", "x")};
	struct store_op mixed[] = {op_of(STORE_DELETE, "ROOM:A", "x"),
				   op_of(STORE_DELETE, "USER:B", "x")};
	struct store_op other[] = {op_of(STORE_DELETE, "USER:B", "x"),
				   op_of(STORE_DELETE, "ROOM:A", "x")};
	struct store_op directory[] = {op_of(STORE_DELETE, "USER:B", "x"),
				       op_of(STORE_DELETE, "GROUP:A", "x")};
	struct store_op broken = op_put("ROOM:A", "USER:a", SLICE("\xc1"));
	struct store_op unknown = op_put("ROOM:A", "NOTHING:a", value_seat("1"));
	assert_ops_abort(f, rooms, 2);
	assert_ops_abort(f, mixed, 2);
	assert_ops_abort(f, other, 2);
	if (ASSERT_SLOW) {
		assert_ops_abort(f, &broken, 1);
	}
	assert_ops_abort(f, &unknown, 1);
	assert_int_equal(commit_ops(f, directory, 2).e, OK);
}

/* ---- walking ---- */

enum { WALK_ROOMS = 600 };

struct walk {
	unsigned parts;
	bool seen[3][WALK_ROOMS]; /* "ROOM:0007", "ROOM:0007B", "ASKER:0007" */
	char cursor[STORE_CURSOR_BYTES_MAX];
	size_t cursor_len;
};

static void on_partitions(void *arg, enum err e, const struct store_item *items, size_t n,
			  struct slice next, bool is_partial)
{
	struct walk *w = arg;
	assert_int_equal(e, OK);
	assert_false(is_partial);
	w->parts++;
	for (size_t i = 0; i < n; i++) {
		struct slice pk = items[i].pk;
		char text[32];
		format_to(text, sizeof(text), "%.*s", (int)pk.len, pk.data);
		int kind = text[0] == 'A' ? 2 : pk.data[pk.len - 1] == 'B';
		assert_int_equal(items[i].sk.len + items[i].value.len, 0);
		w->seen[kind][atoi(strchr(text, ':') + 1)] = true;
	}
	assert_true(next.len <= sizeof(w->cursor));
	w->cursor_len = next.len;
	if (next.len > 0) {
		memcpy(w->cursor, next.data, next.len);
	}
}

/* How many were listed. */
static unsigned walk_all(struct fixture *f, struct walk *w)
{
	unsigned n = 0;
	*w = (struct walk){.parts = 0};
	do {
		store_partitions(f->s, slice_of(w->cursor, w->cursor_len), on_partitions, w);
		fixture_drain(f);
	} while (w->cursor_len > 0);
	for (size_t i = 0; i < sizeof(w->seen); i++) {
		n += w->seen[i / WALK_ROOMS][i % WALK_ROOMS];
	}
	return n;
}

STORE_TEST(all_partitions_are_listed_in_parts, f)
{
	const struct asker_item asker = {.created_on = NOW, .updated_on = NOW, .open_questions = 1};
	struct walk w;
	assert_int_equal(walk_all(f, &w), 0);
	for (int i = 0; i < WALK_ROOMS; i++) {
		char pk[32];
		format_to(pk, sizeof(pk), "ROOM:%04d", i);
		put_seat(f, pk, "USER:a", "1");
		put_seat(f, pk, "USER:b", "1");
		format_to(pk, sizeof(pk), "ROOM:%04dB", i);
		put_seat(f, pk, "USER:a", "2");
		format_to(pk, sizeof(pk), "ASKER:%04d", i);
		assert_int_equal(
			commit_op(f, op_put(pk, "ASKER", value_of(&record_asker_item, &asker))).e,
			OK);
	}
	assert_int_equal(walk_all(f, &w), 3 * WALK_ROOMS);
	assert_true(w.parts > 1);
	assert_int_equal(commit_op(f, op_of(STORE_DELETE_PREFIX, "ROOM:0007", "")).e, OK);
	assert_int_equal(walk_all(f, &w), 3 * WALK_ROOMS - 1);
	assert_false(w.seen[0][7]);
}
