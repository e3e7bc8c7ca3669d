/*
 * test_queries.c - what an index lists, its pages in both directions, and counting,
 * once for each engine.
 */
#include "fixture.h"

#include "steps.h"
#include "tests/support/heap.h"

static void put_once_in(struct fixture *f, const char *pk, const char *sk, int64_t expires_at)
{
	assert_int_equal(commit_op(f, op_put(pk, sk, value_once(expires_at, 4))).e, OK);
}

static void put_once(struct fixture *f, const char *sk, int64_t expires_at)
{
	put_once_in(f, "ROOM:A", sk, expires_at);
}

/* ---- what is listed ---- */

STORE_TEST(a_query_gives_a_range_in_order, f)
{
	put_once(f, "ONCE#30", 30);
	put_once_in(f, "ROOM:B", "ONCE#10", 10);
	put_once(f, "ONCE#20", 20);
	put_once_in(f, "ROOM:C", "ONCE#big", INT64_MAX);
	put_seat(f, "ROOM:A", "USER:a", "1");
	assert_string_equal(query(f, 0, INT64_MAX, 10, NULL).text,
			    "ONCE#10@1 ONCE#20@2 ONCE#30@1 ONCE#big@1");
	assert_string_equal(query(f, 10, 20, 10, NULL).text, "ONCE#10@1 ONCE#20@2");
	assert_string_equal(query(f, 11, 29, 10, NULL).text, "ONCE#20@2");
	assert_string_equal(query(f, 31, 1000, 10, NULL).text, "");
	assert_string_equal(query(f, INT64_MIN, 9, 10, NULL).text, "");
}

STORE_TEST(pages_of_a_query_are_together_the_whole, f)
{
	char sk[32];
	for (int i = 0; i < 10; i++) {
		format_to(sk, sizeof(sk), "ONCE#%d", i);
		put_once(f, sk, i / 3);
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
	put_once(f, "ONCE#a", 10);
	put_once(f, "ONCE#b", 20);
	put_once(f, "ONCE#c", 30);
	put_once(f, "ONCE#a", 40);
	assert_string_equal(query(f, 0, 100, 10, NULL).text, "ONCE#b@2 ONCE#c@3 ONCE#a@4");
	put_once(f, "ONCE#a", 40);
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

/* ---- pages ---- */

/* Ten items, of which several expire at once: "ONCE#0" to "ONCE#2" at 0, then at 10, 20, 30. */
static void put_ten(struct fixture *f)
{
	char sk[16];
	for (int i = 0; i < 10; i++) {
		format_to(sk, sizeof(sk), "ONCE#%d", i);
		put_once(f, sk, i / 3 * 10);
	}
}

/* All pages of a range, one after the other: the digits of the SKs. */
static void all_of(struct fixture *f, struct store_query q, char *out)
{
	struct answer a = {.cursor_len = 0};
	size_t len = 0;
	do {
		struct answer before = a;
		q.cursor = slice_of(before.cursor, before.cursor_len);
		a = query_of(f, &q);
		assert_int_equal(a.e, OK);
		assert_true(a.n <= q.limit);
		assert_true(a.n == q.limit || a.cursor_len == 0);
		for (const char *at = a.text; (at = strstr(at, "ONCE#")) != NULL; at += 5) {
			out[len++] = at[5];
		}
	} while (a.cursor_len > 0);
	out[len] = '\0';
}

static void reverse(const char *in, char *out)
{
	size_t n = strlen(in);
	for (size_t i = 0; i < n; i++) {
		out[i] = in[n - 1 - i];
	}
	out[n] = '\0';
}

STORE_TEST(descending_is_the_reverse_of_ascending_in_pages_of_any_size, f)
{
	char up[32] = "", down[32] = "", expected[32];
	put_ten(f);
	put_seat(f, "ROOM:A", "USER:a", "1");
	struct store_query q = {.index = INDEX_BY_EXPIRY,
				.from = INT64_MIN,
				.to = INT64_MAX,
				.limit = 100};
	all_of(f, q, up);
	reverse(up, expected);
	assert_int_equal(strlen(up), 10);
	assert_int_equal(up[9], '9');
	for (q.limit = 1; q.limit <= 11; q.limit++) {
		char again[32] = "";
		q.is_descending = false;
		all_of(f, q, again);
		assert_string_equal(again, up);
		q.is_descending = true;
		all_of(f, q, down);
		assert_string_equal(down, expected);
	}
}

STORE_TEST(a_range_has_both_ends_in_it_in_both_directions, f)
{
	static const struct {
		int64_t from, to;
		size_t n;
	} rows[] = {
		{0, 30, 10},
		{0, 0, 3},
		{10, 20, 6},
		{11, 19, 0},
		{30, 30, 1},
		{31, INT64_MAX, 1},
		{20, 10, 0},
		{INT64_MIN, -1, 0},
		{INT64_MIN, INT64_MAX, 11},
		{INT64_MAX, INT64_MAX, 1},
		{INT64_MIN, 0, 3},
	};
	put_ten(f);
	put_once(f, "ONCE#big", INT64_MAX);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct store_query q = {.index = INDEX_BY_EXPIRY,
					.from = rows[i].from,
					.to = rows[i].to,
					.limit = 100};
		assert_int_equal(query_of(f, &q).n, rows[i].n);
		q.is_descending = true;
		assert_int_equal(query_of(f, &q).n, rows[i].n);
	}
}

/* Of what expires at once, too, none is in two pages and none in no page. */
STORE_TEST(a_page_goes_on_behind_a_cursor_whose_entry_is_gone, f)
{
	for (int descending = 0; descending < 2; descending++) {
		char whole[32] = "", sk[16];
		put_ten(f);
		struct store_query q = {.index = INDEX_BY_EXPIRY,
					.to = 100,
					.limit = 100,
					.is_descending = descending == 1};
		all_of(f, q, whole);
		q.limit = 5; /* in the middle of those at 10 */
		struct answer page = query_of(f, &q);
		assert_int_equal(page.n, 5);
		/* The last of the page, and the first of the next. */
		for (int i = 4; i < 6; i++) {
			format_to(sk, sizeof(sk), "ONCE#%c", whole[i]);
			assert_int_equal(commit_op(f, op_of(STORE_DELETE, "ROOM:A", sk)).e, OK);
		}
		put_once(f, "ONCE#x", descending == 1 ? 29 : 1); /* behind us */
		put_once(f, "ONCE#y", descending == 1 ? 5 : 15);
		q.cursor = slice_of(page.cursor, page.cursor_len);
		q.limit = 100;
		struct answer next = query_of(f, &q);
		assert_int_equal(next.n, 5);
		assert_null(strstr(next.text, "ONCE#x"));
		assert_non_null(strstr(next.text, "ONCE#y"));
		for (int i = 6; i < 10; i++) {
			format_to(sk, sizeof(sk), "ONCE#%c", whole[i]);
			assert_non_null(strstr(next.text, sk));
		}
		assert_int_equal(commit_op(f, op_of(STORE_DELETE_PREFIX, "ROOM:A", "")).e, OK);
	}
}

STORE_TEST(a_cursor_turns_round_where_the_direction_does, f)
{
	char up[32] = "";
	put_ten(f);
	struct store_query q = {.index = INDEX_BY_EXPIRY, .to = 100, .limit = 100};
	all_of(f, q, up);
	q.limit = 4;
	struct answer page = query_of(f, &q);
	q.cursor = slice_of(page.cursor, page.cursor_len);
	q.is_descending = true;
	struct answer back = query_of(f, &q);
	assert_int_equal(back.n, 3);
	assert_int_equal(back.cursor_len, 0);
	assert_int_equal(back.text[5], up[2]);
}

/* A cursor may have been to a client and back. */
STORE_TEST(a_cursor_from_elsewhere_never_leads_out_of_the_range, f)
{
	char bytes[STORE_CURSOR_BYTES_MAX];
	put_ten(f);
	for (int i = 0; i < 3; i++) {
		static const char *const accounts[] = {"ada", "bob", "eve"};
		static const char *const sks[] = {"USER:a", "USER:b", "USER:c"};
		struct store_op op = op_put("ROOM:A", sks[i], value_seat_of("1", accounts[i]));
		assert_int_equal(commit_op(f, op).e, OK);
	}
	for (int byte = 0; byte < 256; byte += 5) {
		for (size_t len = 1; len <= sizeof(bytes); len = len * 4 + 3) {
			memset(bytes, byte, sizeof(bytes));
			struct store_query q = {.index = INDEX_BY_ACCOUNT,
						.partition = SLICE("bob"),
						.to = INT64_MAX,
						.limit = 10,
						.cursor = slice_of(bytes, len)};
			for (int descending = 0; descending < 2; descending++) {
				q.is_descending = descending == 1;
				struct answer a = query_of(f, &q);
				assert_int_equal(a.e, OK);
				assert_true(a.n == 0 || strcmp(a.text, "USER:b=1@12") == 0);
			}
		}
	}
	struct store_query q = {.index = INDEX_BY_EXPIRY, .to = 100, .limit = 2};
	struct answer page = query_of(f, &q);
	q.from = 20;
	q.cursor = slice_of(page.cursor, page.cursor_len);
	q.limit = 100;
	assert_int_equal(query_of(f, &q).n, 4);
	q = (struct store_query){.index = INDEX_BY_EXPIRY,
				 .to = 100,
				 .limit = 2,
				 .is_descending = true};
	page = query_of(f, &q);
	q.to = 10;
	q.cursor = slice_of(page.cursor, page.cursor_len);
	q.limit = 100;
	assert_int_equal(query_of(f, &q).n, 6);
}

/* ---- counting ---- */

struct counted {
	unsigned calls;
	enum err e;
	size_t n;
};

static void on_count(void *arg, enum err e, size_t n)
{
	struct counted *c = arg;
	c->calls++;
	c->e = e;
	c->n = n;
}

static size_t count_of(struct fixture *f, const struct store_count *c)
{
	struct counted counted_ = {.calls = 0};
	store_count(f->s, c, on_count, &counted_);
	assert_int_equal(counted_.calls, 0);
	fixture_drain(f);
	assert_int_equal(counted_.calls, 1);
	assert_int_equal(counted_.e, OK);
	return counted_.n;
}

STORE_TEST(a_count_is_that_of_the_range_or_the_most_that_was_asked_for, f)
{
	static const struct {
		int64_t from, to;
		size_t at_most, n;
	} rows[] = {
		{0, 30, 100, 10}, {0, 30, 11, 10},	 {0, 30, 10, 10},
		{0, 30, 9, 9},	  {0, 30, 1, 1},	 {10, 20, 100, 6},
		{11, 19, 5, 0},	  {30, INT64_MAX, 5, 1}, {20, 10, 5, 0},
	};
	struct store_count c = {.index = INDEX_BY_EXPIRY, .to = INT64_MAX, .at_most = 5};
	assert_int_equal(count_of(f, &c), 0);
	put_ten(f);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		c.from = rows[i].from;
		c.to = rows[i].to;
		c.at_most = rows[i].at_most;
		assert_int_equal(count_of(f, &c), rows[i].n);
	}
}

STORE_TEST(a_count_keeps_to_its_partition, f)
{
	char sk[16];
	for (int i = 0; i < 9; i++) {
		format_to(sk, sizeof(sk), "USER:%d", i);
		struct store_op op =
			op_put("ROOM:A", sk, value_seat_of("1", i % 3 == 0 ? "ada" : "bob"));
		assert_int_equal(commit_op(f, op).e, OK);
	}
	struct store_count c = {.index = INDEX_BY_ACCOUNT,
				.partition = SLICE("ada"),
				.to = INT64_MAX,
				.at_most = STORE_COUNT_MAX};
	assert_int_equal(count_of(f, &c), 3);
	c.partition = SLICE("bob");
	assert_int_equal(count_of(f, &c), 6);
	c.partition = SLICE("bo");
	assert_int_equal(count_of(f, &c), 0);
}

STORE_TEST(a_count_survives_each_failed_allocation_and_close_answers_it, f)
{
	struct counted c[2] = {{.calls = 0}};
	struct store_count count = {.index = INDEX_BY_EXPIRY, .to = 100, .at_most = 5};
	put_ten(f);
	heap_fail_nth(0, true);
	store_count(f->s, &count, on_count, &c[0]);
	heap_fail_never();
	fixture_drain(f);
	assert_int_equal(c[0].calls, 1);
	assert_int_equal(c[0].e, ERR_NOMEM);
	assert_int_equal(c[0].n, 0);
	store_count(f->s, &count, on_count, &c[1]);
	store_close(f->s);
	assert_int_equal(c[1].calls, 1);
	assert_int_equal(c[1].e, OK);
	assert_int_equal(c[1].n, 5);
	assert_int_equal(fixture_try_open(f), OK);
}

LMDB_TEST(queries_and_counts_cost_what_they_return, f)
{
	struct steps s;
	for (int i = 0; i < 200; i++) {
		char sk[16];
		format_to(sk, sizeof(sk), "ONCE#%d", i);
		put_once(f, sk, i);
	}
	steps_begin(&s, f);
	for (int descending = 0; descending < 2; descending++) {
		struct store_query q = {.index = INDEX_BY_EXPIRY,
					.from = 50,
					.to = 150,
					.limit = 10,
					.is_descending = descending == 1};
		assert_int_equal(steps_of(&s, store_request_of_query(&q), 10), 12);
	}
	struct store_count c = {.index = INDEX_BY_EXPIRY, .from = 50, .to = 150, .at_most = 20};
	assert_int_equal(steps_of(&s, store_request_of_count(&c), 20), 20);
	c.at_most = 1000;
	assert_int_equal(steps_of(&s, store_request_of_count(&c), 101), 102);
	steps_end(&s, f);
}
