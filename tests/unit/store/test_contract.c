/*
 * test_contract.c - what store.h promises, once for each engine.
 */
#include "fixture.h"

#include <signal.h>
#include <sys/wait.h>

#include "proto/assert.h"

/* ---- loading ---- */

STORE_TEST(a_load_gives_one_partition_in_sk_order_with_versions, f)
{
	put_seat(f, "ROOM:A", "USER:b", "5");
	put_seat(f, "ROOM:A", "USER:a", NULL);
	put_seat(f, "ROOM:AB", "USER:c", "1");
	put_seat(f, "ROOM:A", "USER:aa", "8");
	struct answer a = load(f, "ROOM:A", "");
	assert_string_equal(a.text, "USER:a=-@2 USER:aa=8@4 USER:b=5@1");
	assert_int_equal(a.version, 4);
	assert_load(f, "ROOM:AB", "", "USER:c=1@3");
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
	assert_int_equal(a.version, 0);
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
		uint64_t version;
		enum err e;
	} cases[] = {
		{"USER:there", STORE_EXPECT_ANY, 0, OK},
		{"USER:there", STORE_EXPECT_ABSENT, 0, ERR_CONFLICT},
		{"USER:there", STORE_EXPECT_PRESENT, 0, OK},
		{"USER:there", STORE_EXPECT_VERSION, 1, OK},
		{"USER:there", STORE_EXPECT_VERSION, 2, ERR_CONFLICT},
		{"USER:none", STORE_EXPECT_ANY, 0, OK},
		{"USER:none", STORE_EXPECT_ABSENT, 0, OK},
		{"USER:none", STORE_EXPECT_PRESENT, 0, ERR_CONFLICT},
		{"USER:none", STORE_EXPECT_VERSION, 1, ERR_CONFLICT},
	};
	put_seat(f, "ROOM:A", "USER:there", "1");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct store_op op = op_of(STORE_CHECK, "ROOM:A", cases[i].sk);
		op.expect = cases[i].expect;
		op.version = cases[i].version;
		assert_int_equal(commit_op(f, op).e, cases[i].e);
	}
}

STORE_TEST(puts_and_deletes_carry_expectations_too, f)
{
	put_seat(f, "ROOM:A", "USER:a", "1");
	struct store_op op = op_put("ROOM:A", "USER:a", value_seat("2"));
	op.expect = STORE_EXPECT_VERSION;
	op.version = 1;
	assert_int_equal(commit_op(f, op).e, OK);
	assert_int_equal(commit_op(f, op).e, ERR_CONFLICT);
	op = op_of(STORE_DELETE, "ROOM:A", "USER:a");
	op.expect = STORE_EXPECT_VERSION;
	op.version = 1;
	assert_int_equal(commit_op(f, op).e, ERR_CONFLICT);
	assert_load(f, "ROOM:A", "", "USER:a=2@2");
	op.version = 2;
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
	ops[3].expect = STORE_EXPECT_PRESENT;
	assert_int_equal(commit_ops(f, ops, 4).e, ERR_CONFLICT);
	struct answer a = load(f, "ROOM:A", "");
	assert_string_equal(a.text, "USER:a=1@1");
	assert_int_equal(a.version, 1);
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
	assert_int_equal(store_commit(f->s, &c, on_commit, &a[0]), OK);
	assert_int_equal(store_commit(f->s, &c, on_commit, &a[1]), OK);
	op.sk = SLICE("USER:b");
	assert_int_equal(store_commit(f->s, &c, on_commit, &a[2]), OK);
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
	assert_load(f, "ROOM:AA", "", "USER:a=4@4");
}

/* ---- tokens ---- */

static struct answer commit_token(struct fixture *f, unsigned char token, const char *vote,
				  int64_t now_ms)
{
	struct store_op op = op_put("ROOM:A", "USER:a", value_seat(vote));
	struct store_commit c = {.token = token_of(token), .ops = &op, .n = 1, .now_ms = now_ms};
	return commit_all(f, &c);
}

STORE_TEST(a_token_seen_again_gives_the_first_result_and_does_nothing, f)
{
	assert_int_equal(commit_token(f, 1, "1", NOW).version, 1);
	assert_int_equal(commit_token(f, 2, "2", NOW).version, 2);
	struct answer a = commit_token(f, 1, "3", NOW + STORE_TOKEN_LIFE_MS - 1);
	assert_int_equal(a.e, OK);
	assert_int_equal(a.version, 1);
	assert_load(f, "ROOM:A", "", "USER:a=2@2");
	if (f->is_lmdb) {
		fixture_reopen(f);
		assert_int_equal(commit_token(f, 2, "3", NOW + 1).version, 2);
	}
}

STORE_TEST(a_token_is_forgotten_after_its_life, f)
{
	assert_int_equal(commit_token(f, 1, "1", NOW).version, 1);
	assert_int_equal(commit_token(f, 1, "2", NOW + STORE_TOKEN_LIFE_MS).version, 2);
	/* Its new life does not end with its old one. */
	put_seat(f, "ROOM:A", "USER:b", "1");
	assert_int_equal(commit_token(f, 1, "3", NOW + STORE_TOKEN_LIFE_MS + 1).version, 2);
	assert_load(f, "ROOM:A", "USER:a", "USER:a=2@2");
}

STORE_TEST(a_refused_commit_does_not_use_its_token_up, f)
{
	struct store_op op = op_put("ROOM:A", "USER:a", value_seat("1"));
	struct store_commit c = {.token = token_of(7), .ops = &op, .n = 1, .now_ms = NOW};
	op.expect = STORE_EXPECT_PRESENT;
	assert_int_equal(commit_all(f, &c).e, ERR_CONFLICT);
	op.expect = STORE_EXPECT_ANY;
	assert_int_equal(commit_all(f, &c).version, 1);
}

/* ---- following ---- */

struct heard {
	struct fixture *f;
	struct store_follow *follow;
	unsigned stops_after; /* unfollow in the callback of this many; 0: never */
	unsigned calls;
	char text[1024];
};

static void on_heard(void *arg, enum err e, struct slice event, uint64_t version)
{
	struct heard *h = arg;
	size_t len = strlen(h->text);
	format_to(h->text + len, sizeof(h->text) - len, "%s%.*s@%llu ", e == OK ? "" : "RESET",
		  (int)event.len, event.data, (unsigned long long)version);
	if (++h->calls == h->stops_after) {
		store_unfollow(h->f->s, h->follow);
	}
}

static void commit_event(struct fixture *f, const char *pk, const char *event)
{
	struct store_op op = op_put(pk, "USER:a", value_seat("1"));
	struct store_commit c = {.ops = &op, .n = 1, .event = slice_str(event), .now_ms = NOW};
	assert_int_equal(commit_all(f, &c).e, OK);
}

static void follow(struct heard *h, struct fixture *f, const char *pk, uint64_t version)
{
	h->f = f;
	h->follow = store_follow(f->s, slice_str(pk), version, on_heard, h);
	assert_non_null(h->follow);
}

STORE_TEST(a_follower_hears_each_later_commit_of_its_partition_once, f)
{
	struct heard h = {.calls = 0}, late = {.calls = 0};
	commit_event(f, "ROOM:A", "one");
	follow(&h, f, "ROOM:A", 1);
	commit_event(f, "ROOM:A", "two");
	commit_event(f, "ROOM:B", "no");
	struct store_op check = op_of(STORE_CHECK, "ROOM:A", "USER:a");
	assert_int_equal(commit_op(f, check).e, OK);
	commit_event(f, "ROOM:A", "five");
	assert_string_equal(h.text, "two@2 five@5 ");
	/* From before: what was missed comes first. */
	follow(&late, f, "ROOM:A", 0);
	assert_int_equal(late.calls, 0);
	fixture_drain(f);
	assert_string_equal(late.text, "one@1 two@2 five@5 ");
	store_unfollow(f->s, h.follow);
	commit_event(f, "ROOM:A", "six");
	assert_string_equal(h.text, "two@2 five@5 ");
	store_unfollow(f->s, late.follow);
	store_unfollow(f->s, NULL);
}

STORE_TEST(a_replayed_token_is_not_told_twice, f)
{
	struct heard h = {.calls = 0};
	follow(&h, f, "ROOM:A", 0);
	(void)commit_token(f, 1, "1", NOW);
	(void)commit_token(f, 1, "1", NOW);
	assert_string_equal(h.text, "@1 ");
	store_unfollow(f->s, h.follow);
}

STORE_TEST(a_follower_may_leave_while_it_is_told, f)
{
	struct heard h = {.stops_after = 1};
	commit_event(f, "ROOM:A", "one");
	commit_event(f, "ROOM:A", "two");
	follow(&h, f, "ROOM:A", 0);
	fixture_drain(f);
	assert_string_equal(h.text, "one@1 ");
}

STORE_TEST(a_follower_from_too_long_ago_is_told_to_load_again, f)
{
	struct heard h = {.calls = 0}, after = {.calls = 0};
	struct answer a = {.calls = 0};
	struct store_op op = op_put("ROOM:A", "USER:a", value_seat("1"));
	struct store_commit c = {.ops = &op, .n = 1, .now_ms = NOW};
	for (int i = 0; i < 1100; i++) {
		assert_int_equal(store_commit(f->s, &c, on_commit, &a), OK);
	}
	fixture_drain(f);
	follow(&h, f, "ROOM:A", 1);
	fixture_drain(f);
	assert_string_equal(h.text, "RESET@1100 ");
	follow(&after, f, "ROOM:A", 1100);
	commit_event(f, "ROOM:A", "on");
	assert_string_equal(h.text, "RESET@1100 ");
	assert_string_equal(after.text, "on@1101 ");
	store_unfollow(f->s, h.follow);
	store_unfollow(f->s, after.follow);
}

/* Follows from the version of its load, and counts. */
struct watcher {
	struct fixture *f;
	struct store_follow *follow;
	uint64_t loaded;
	uint64_t last;
	size_t heard;
};

static void on_watched(void *arg, enum err e, struct slice event, uint64_t version)
{
	struct watcher *w = arg;
	(void)event;
	assert_int_equal(e, OK);
	assert_true(version > w->last);
	w->last = version;
	w->heard++;
}

static void on_watcher_loaded(void *arg, enum err e, const struct store_item *items, size_t n,
			      uint64_t version, bool has_more)
{
	struct watcher *w = arg;
	assert_false(has_more);
	(void)items;
	(void)n;
	assert_int_equal(e, OK);
	w->loaded = version;
	w->last = version;
	w->follow = store_follow(w->f->s, SLICE("ROOM:A"), version, on_watched, w);
	assert_non_null(w->follow);
}

STORE_TEST(a_load_and_a_follow_from_its_version_miss_nothing, f)
{
	struct watcher w[8] = {{.f = NULL}};
	struct answer a = {.calls = 0};
	struct store_op op = op_put("ROOM:A", "USER:a", value_seat("1"));
	struct store_commit c = {.ops = &op, .n = 1, .now_ms = NOW};
	for (size_t i = 0; i < 800; i++) {
		assert_int_equal(store_commit(f->s, &c, on_commit, &a), OK);
		if (i % 100 == 50) {
			w[i / 100].f = f;
			store_load(f->s, &(struct store_load){.pk = SLICE("ROOM:A")},
				   on_watcher_loaded, &w[i / 100]);
		}
		if (i % 7 == 0) {
			(void)store_poll(f->s);
		}
	}
	fixture_drain(f);
	for (size_t i = 0; i < 8; i++) {
		assert_int_equal(w[i].last, 800);
		assert_int_equal(w[i].loaded + w[i].heard, 800);
		store_unfollow(f->s, w[i].follow);
	}
}

/* ---- indexes ---- */

static void put_once(struct fixture *f, const char *pk, const char *sk, int64_t expires_at)
{
	assert_int_equal(commit_op(f, op_put(pk, sk, value_once(expires_at, 4))).e, OK);
}

STORE_TEST(a_query_gives_a_range_in_order, f)
{
	put_once(f, "ROOM:A", "ONCE#30", 30);
	put_once(f, "ROOM:B", "ONCE#10", 10);
	put_once(f, "ROOM:A", "ONCE#20", 20);
	put_once(f, "ROOM:C", "ONCE#big", INT64_MAX);
	put_seat(f, "ROOM:A", "USER:a", "1");
	assert_string_equal(query(f, 0, INT64_MAX, 10, NULL).text,
			    "ONCE#10@2 ONCE#20@3 ONCE#30@1 ONCE#big@4");
	assert_string_equal(query(f, 10, 20, 10, NULL).text, "ONCE#10@2 ONCE#20@3");
	assert_string_equal(query(f, 11, 29, 10, NULL).text, "ONCE#20@3");
	assert_string_equal(query(f, 31, 1000, 10, NULL).text, "");
	assert_string_equal(query(f, INT64_MIN, 9, 10, NULL).text, "");
}

STORE_TEST(pages_of_a_query_are_together_the_whole, f)
{
	char sk[32];
	for (int i = 0; i < 10; i++) {
		format_to(sk, sizeof(sk), "ONCE#%d", i);
		put_once(f, "ROOM:A", sk, i / 3);
	}
	struct answer whole = query(f, 0, 100, 100, NULL);
	assert_int_equal(whole.n, 10);
	assert_int_equal(whole.cursor_len, 0);
	struct answer page = query(f, 0, 100, 3, NULL);
	char text[4096];
	format_to(text, sizeof(text), "%s", page.text);
	for (int pages = 1; page.cursor_len > 0; pages++) {
		assert_true(pages < 5);
		page = query(f, 0, 100, 3, &page);
		size_t len = strlen(text);
		format_to(text + len, sizeof(text) - len, " %s", page.text);
	}
	assert_string_equal(text, whole.text);
	assert_int_equal(query(f, 0, 100, 10, NULL).cursor_len, 0);
}

STORE_TEST(indexes_follow_overwrites_and_deletes, f)
{
	put_once(f, "ROOM:A", "ONCE#a", 10);
	put_once(f, "ROOM:A", "ONCE#b", 20);
	put_once(f, "ROOM:A", "ONCE#c", 30);
	put_once(f, "ROOM:A", "ONCE#a", 40);
	assert_string_equal(query(f, 0, 100, 10, NULL).text, "ONCE#b@2 ONCE#c@3 ONCE#a@4");
	put_once(f, "ROOM:A", "ONCE#a", 40);
	assert_string_equal(query(f, 40, 40, 10, NULL).text, "ONCE#a@5");
	assert_int_equal(commit_op(f, op_of(STORE_DELETE, "ROOM:A", "ONCE#b")).e, OK);
	assert_string_equal(query(f, 0, 100, 10, NULL).text, "ONCE#c@3 ONCE#a@5");
	assert_int_equal(commit_op(f, op_of(STORE_DELETE_PREFIX, "ROOM:A", "")).e, OK);
	assert_string_equal(query(f, 0, 100, 10, NULL).text, "");
}

static void put_seat_of(struct fixture *f, const char *sk, const char *vote, const char *account)
{
	assert_int_equal(commit_op(f, op_put("ROOM:A", sk, value_seat_of(vote, account))).e, OK);
}

/* Listed over unlisted and the other way round, and each over its like; then removed either way. */
STORE_TEST(an_index_lists_an_item_while_it_has_the_attribute, f)
{
	put_seat_of(f, "USER:a", "1", NULL);
	put_seat_of(f, "USER:a", "2", NULL);
	assert_string_equal(query_seats(f, "ada").text, "");
	put_seat_of(f, "USER:a", "3", "ada");
	put_seat_of(f, "USER:b", "4", NULL);
	assert_string_equal(query_seats(f, "ada").text, "USER:a=3@3");
	put_seat_of(f, "USER:a", "5", "ada");
	assert_string_equal(query_seats(f, "ada").text, "USER:a=5@5");
	put_seat_of(f, "USER:a", "6", "grace");
	assert_string_equal(query_seats(f, "ada").text, "");
	assert_string_equal(query_seats(f, "grace").text, "USER:a=6@6");
	put_seat_of(f, "USER:a", "7", NULL);
	assert_string_equal(query_seats(f, "grace").text, "");
	put_seat_of(f, "USER:a", "8", "grace");
	put_seat_of(f, "USER:c", "9", "grace");
	assert_int_equal(commit_op(f, op_of(STORE_DELETE, "ROOM:A", "USER:a")).e, OK);
	assert_string_equal(query_seats(f, "grace").text, "USER:c=9@9");
	assert_int_equal(commit_op(f, op_of(STORE_DELETE_PREFIX, "ROOM:A", "USER:")).e, OK);
	assert_string_equal(query_seats(f, "grace").text, "");
	assert_load(f, "ROOM:A", "", "");
}

/* ---- calling ---- */

STORE_TEST(callbacks_run_only_in_poll_and_once, f)
{
	struct answer commits = {.calls = 0}, loads = {.calls = 0}, queries = {.calls = 0};
	struct store_op op = op_put("ROOM:A", "USER:a", value_seat("1"));
	struct store_commit c = {.ops = &op, .n = 1, .now_ms = NOW};
	struct store_query q = {.index = INDEX_BY_EXPIRY, .to = 1, .limit = 1};
	for (int i = 0; i < 100; i++) {
		assert_int_equal(store_commit(f->s, &c, on_commit, &commits), OK);
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
	assert_int_equal(store_commit(f->s, &c, on_commit, &a), OK);
	fixture_drain(f);
	assert_int_equal(store_commit(f->s, &c, on_commit, &a), OK);
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
};

static void on_again(void *arg, enum err e, uint64_t version, bool has_more)
{
	struct again *again = arg;
	(void)has_more;
	struct store_op op = op_put("ROOM:A", "USER:a", value_seat("1"));
	struct store_commit c = {.ops = &op, .n = 1, .now_ms = NOW};
	assert_int_equal(e, OK);
	again->version = version;
	if (again->left-- > 0) {
		assert_int_equal(store_commit(again->f->s, &c, on_again, again), OK);
	}
}

STORE_TEST(a_callback_may_call_the_store, f)
{
	struct again again = {.f = f, .left = 20};
	on_again(&again, OK, 0, false);
	fixture_drain(f);
	assert_int_equal(again.version, 20);
}

static void on_seen(void *arg, enum err e, const struct store_item *items, size_t n,
		    uint64_t version, bool has_more)
{
	(void)items;
	(void)has_more;
	assert_int_equal(e, OK);
	assert_int_equal(n, 1);
	assert_true(version >= *(uint64_t *)arg);
}

static void on_look(void *arg, enum err e, uint64_t version, bool has_more)
{
	struct again *again = arg;
	(void)has_more;
	assert_int_equal(e, OK);
	again->version = version;
	store_load(again->f->s, &(struct store_load){.pk = SLICE("ROOM:A")}, on_seen,
		   &again->version);
}

STORE_TEST(a_load_after_a_commits_callback_sees_it, f)
{
	for (int i = 0; i < 50; i++) {
		struct again again = {.f = f};
		struct store_op op = op_put("ROOM:A", "USER:a", value_seat("1"));
		struct store_commit c = {.ops = &op, .n = 1, .now_ms = NOW};
		assert_int_equal(store_commit(f->s, &c, on_look, &again), OK);
		fixture_drain(f);
	}
}

/* How many commits of that size are taken before BUSY, without any poll. */
static size_t commits_until_busy(struct fixture *f, struct slice value, struct answer *a)
{
	struct store_op op = op_put("ROOM:A", "ONCE#a", value);
	struct store_commit c = {.ops = &op, .n = 1, .now_ms = NOW};
	size_t n = 0;
	enum err e;
	while ((e = store_commit(f->s, &c, on_commit, a)) == OK) {
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
		assert_int_equal(store_commit(f->s, &c, on_commit, &a), OK);
	}
	store_load(f->s, &(struct store_load){.pk = SLICE("ROOM:A")}, on_items, &loaded);
	store_close(f->s);
	assert_int_equal(a.calls, 500);
	assert_int_equal(a.e, OK);
	assert_int_equal(loaded.calls, 1);
	assert_int_equal(fixture_try_open(f), OK);
	assert_load(f, "ROOM:A", "", f->is_lmdb ? "USER:a=1@500" : "");
}

static void on_closing(void *arg, enum err e, uint64_t version, bool has_more)
{
	struct again *again = arg;
	(void)has_more;
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

STORE_TEST(status_counts_commits_and_syncs, f)
{
	struct store_status status;
	put_seat(f, "ROOM:A", "USER:a", "1");
	put_seat(f, "ROOM:A", "USER:b", "1");
	store_status(f->s, &status);
	assert_int_equal(status.state, STORE_OK);
	assert_int_equal(status.commits, 2);
	assert_in_range(status.syncs, 1, 2);
}

/* Runs in a child, which the assertion ends. */
static void assert_aborts(struct fixture *f, const struct store_op *ops, size_t n)
{
	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		struct store_commit c = {.ops = ops, .n = n, .now_ms = NOW};
		(void)signal(SIGABRT, SIG_DFL);
		(void)close(STDERR_FILENO);
		(void)!store_commit(f->s, &c, on_commit, NULL);
		_exit(0);
	}
	int how = 0;
	assert_int_equal(waitpid(child, &how, 0), child);
	assert_true(WIFSIGNALED(how) && WTERMSIG(how) == SIGABRT);
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
	assert_aborts(f, rooms, 2);
	assert_aborts(f, mixed, 2);
	assert_aborts(f, other, 2);
	if (ASSERT_SLOW) {
		assert_aborts(f, &broken, 1);
	}
	assert_aborts(f, &unknown, 1);
	assert_int_equal(commit_ops(f, directory, 2).e, OK);
}

/* The same claims for both engines. */
