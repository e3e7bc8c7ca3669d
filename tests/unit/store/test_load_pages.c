/*
 * test_load_pages.c - pages of a partition, once for each engine: what a load leaves
 * out, in both directions, and that it does not read what it leaves out.
 */
#include "fixture.h"

#include "steps.h"
#include "store/key.h"
#include "tests/support/heap.h"

static struct slice value_round(void)
{
	static const struct round_item round = {.created_on = NOW,
						.updated_on = NOW,
						.round = {"\x80", 1}};
	return value_of(&record_round_item, &round);
}

static void put_rounds(struct fixture *f, const char *pk, int from, int to)
{
	char sk[64];
	for (int i = from; i <= to; i++) {
		format_to(sk, sizeof(sk), "ROUND#%03d", i);
		assert_int_equal(commit_op(f, op_put(pk, sk, value_round())).e, OK);
	}
}

static void put_room(struct fixture *f, const char *pk, int rounds)
{
	assert_int_equal(commit_op(f, op_put(pk, "ONCE#a", value_once(NOW, 4))).e, OK);
	put_rounds(f, pk, 1, rounds);
	put_seat(f, pk, "USER:a", "1");
	put_seat(f, pk, "USER:b", "2");
}

/* The SKs that a load gives, without what is in the items. */
static const char *sks_of(struct fixture *f, const struct store_load *l, bool has_more)
{
	static char text[4096];
	size_t len = 0;
	struct answer a = load_of(f, l);
	assert_int_equal(a.e, OK);
	assert_int_equal(a.has_more, has_more);
	text[0] = '\0';
	for (const char *at = a.text; *at != '\0'; at += strcspn(at, " ")) {
		at += *at == ' ';
		len += format_to(text + len, sizeof(text) - len, "%s%.*s", len == 0 ? "" : " ",
				 (int)strcspn(at, "=@"), at);
	}
	return text;
}

STORE_TEST(a_page_ends_at_its_limit_and_says_whether_there_is_more, f)
{
	put_seat(f, "ROOM:0", "USER:z", "1");
	put_room(f, "ROOM:A", 2);
	put_seat(f, "ROOM:B", "USER:a", "1");
	struct store_load l = {.pk = SLICE("ROOM:A"), .limit = 2};
	assert_string_equal(sks_of(f, &l, true), "ONCE#a ROUND#001");
	l.limit = 4;
	assert_string_equal(sks_of(f, &l, true), "ONCE#a ROUND#001 ROUND#002 USER:a");
	l.limit = 5;
	assert_string_equal(sks_of(f, &l, false), "ONCE#a ROUND#001 ROUND#002 USER:a USER:b");
	l.sk_prefix = SLICE("ROUND#");
	l.limit = 2;
	assert_string_equal(sks_of(f, &l, false), "ROUND#001 ROUND#002");
	l.limit = 1;
	assert_string_equal(sks_of(f, &l, true), "ROUND#001");
	l.is_descending = true;
	assert_string_equal(sks_of(f, &l, true), "ROUND#002");
	l.sk_prefix = SLICE("");
	assert_string_equal(sks_of(f, &l, true), "USER:b");
	l.limit = 0;
	assert_string_equal(sks_of(f, &l, false), "USER:b USER:a ROUND#002 ROUND#001 ONCE#a");
}

/* At the end of the table nothing lies behind the partition, and at its beginning nothing before. */
STORE_TEST(the_only_partition_is_loaded_both_ways, f)
{
	struct store_load l = {.pk = SLICE("ROOM:A"), .is_descending = true};
	assert_string_equal(sks_of(f, &l, false), "");
	put_seat(f, "ROOM:A", "USER:a", "1");
	assert_string_equal(sks_of(f, &l, false), "USER:a");
	l.after = SLICE("USER:a");
	assert_string_equal(sks_of(f, &l, false), "");
	l.is_descending = false;
	assert_string_equal(sks_of(f, &l, false), "");
}

STORE_TEST(after_is_exclusive_and_need_not_exist, f)
{
	put_room(f, "ROOM:A", 3);
	put_seat(f, "ROOM:B", "USER:a", "1");
	static const struct {
		const char *prefix, *after;
		bool is_descending;
		const char *expected;
	} rows[] = {
		{"ROUND#", "ROUND#001", false, "ROUND#002 ROUND#003"},
		{"ROUND#", "ROUND#0015", false, "ROUND#002 ROUND#003"},
		{"ROUND#", "ROUND#003", false, ""},
		{"ROUND#", "A", false, "ROUND#001 ROUND#002 ROUND#003"},
		{"ROUND#", "USER:a", false, ""},
		{"ROUND#", "ROUND#003", true, "ROUND#002 ROUND#001"},
		{"ROUND#", "ROUND#0025", true, "ROUND#002 ROUND#001"},
		{"ROUND#", "ROUND#001", true, ""},
		{"ROUND#", "USER:a", true, "ROUND#003 ROUND#002 ROUND#001"},
		{"ROUND#", "A", true, ""},
		{"", "ROUND#002", false, "ROUND#003 USER:a USER:b"},
		{"", "ROUND#002", true, "ROUND#001 ONCE#a"},
		{"", "USER:b", false, ""},
		{"", "ONCE#a", true, ""},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct store_load l = {.pk = SLICE("ROOM:A"),
				       .sk_prefix = slice_str(rows[i].prefix),
				       .after = slice_str(rows[i].after),
				       .is_descending = rows[i].is_descending};
		assert_string_equal(sks_of(f, &l, false), rows[i].expected);
	}
}

STORE_TEST(an_exact_load_gives_that_item_and_none_that_begins_with_its_key, f)
{
	put_seat(f, "ROOM:A", "USER:a", "1");
	put_seat(f, "ROOM:A", "USER:ab", "2");
	struct store_load l = {.pk = SLICE("ROOM:A"),
			       .sk_prefix = SLICE("USER:a"),
			       .is_exact = true};
	struct answer a = load_of(f, &l);
	assert_string_equal(a.text, "USER:a=1@1");
	assert_int_equal(a.nth, 2);
	l.sk_prefix = SLICE("USER:");
	assert_string_equal(sks_of(f, &l, false), "");
	l.pk = SLICE("ROOM:NONE");
	assert_string_equal(sks_of(f, &l, false), "");
}

STORE_TEST(of_a_tail_only_the_last_items_are_loaded, f)
{
	put_room(f, "ROOM:A", 5);
	put_rounds(f, "ROOM:B", 1, 2);
	static const struct {
		const char *prefix, *after;
		size_t tail_limit;
		bool is_descending;
		size_t limit;
		const char *expected;
	} rows[] = {
		{"", "", 0, false, 0, "ONCE#a USER:a USER:b"},
		{"", "", 2, false, 0, "ONCE#a ROUND#004 ROUND#005 USER:a USER:b"},
		{"", "", 5, false, 5, "ONCE#a ROUND#001 ROUND#002 ROUND#003 ROUND#004"},
		{"", "", 6, false, 5, "ONCE#a ROUND#001 ROUND#002 ROUND#003 ROUND#004"},
		{"", "", 2, true, 0, "USER:b USER:a ROUND#005 ROUND#004 ONCE#a"},
		{"", "", 0, true, 0, "USER:b USER:a ONCE#a"},
		{"", "", 9, true, 4, "USER:b USER:a ROUND#005 ROUND#004"},
		{"", "ROUND#002", 2, false, 0, "ROUND#004 ROUND#005 USER:a USER:b"},
		{"", "ROUND#004", 2, false, 0, "ROUND#005 USER:a USER:b"},
		{"", "ROUND#004", 1, false, 0, "ROUND#005 USER:a USER:b"},
		{"", "ROUND#005", 2, false, 0, "USER:a USER:b"},
		{"", "ROUND#005", 2, true, 0, "ROUND#004 ONCE#a"},
		{"", "ROUND#003", 2, true, 0, "ONCE#a"},
		{"", "USER:a", 1, true, 2, "ROUND#005 ONCE#a"},
		{"ROUND#", "", 2, false, 0, "ROUND#004 ROUND#005"},
		{"ROUND#", "", 2, true, 0, "ROUND#005 ROUND#004"},
		{"ROUND#", "", 0, false, 0, ""},
		{"ROUND#", "", 0, true, 0, ""},
		{"ROUND#003", "", 2, false, 0, ""},
		{"ROUND#004", "", 2, true, 0, "ROUND#004"},
		{"USER:", "", 2, true, 0, "USER:b USER:a"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct store_load l = {.pk = SLICE("ROOM:A"),
				       .sk_prefix = slice_str(rows[i].prefix),
				       .after = slice_str(rows[i].after),
				       .limit = rows[i].limit,
				       .is_descending = rows[i].is_descending,
				       .tail_prefix = SLICE("ROUND#"),
				       .tail_limit = rows[i].tail_limit};
		bool has_more = rows[i].limit > 2;
		assert_string_equal(sks_of(f, &l, has_more), rows[i].expected);
	}
	struct store_load only = {.pk = SLICE("ROOM:B"),
				  .tail_prefix = SLICE("ROUND#"),
				  .tail_limit = 1};
	assert_string_equal(sks_of(f, &only, false), "ROUND#002");
	only.is_descending = true;
	assert_string_equal(sks_of(f, &only, false), "ROUND#002");
	only.tail_limit = 0;
	assert_string_equal(sks_of(f, &only, false), "");
}

/* What the limit left out may all be left out by the tail: then there is no more. */
STORE_TEST(what_a_tail_leaves_out_is_not_more, f)
{
	assert_int_equal(commit_op(f, op_put("ROOM:A", "ONCE#a", value_once(NOW, 4))).e, OK);
	put_rounds(f, "ROOM:A", 1, 3);
	struct store_load l = {.pk = SLICE("ROOM:A"), .limit = 1, .tail_prefix = SLICE("ROUND#")};
	assert_string_equal(sks_of(f, &l, false), "ONCE#a");
	l.tail_limit = 1;
	assert_string_equal(sks_of(f, &l, true), "ONCE#a");
	l.is_descending = true;
	assert_string_equal(sks_of(f, &l, true), "ROUND#003");
}

STORE_TEST(pages_are_together_the_whole_in_both_directions, f)
{
	put_room(f, "ROOM:A", 7);
	for (int turn = 0; turn < 4; turn++) {
		struct store_load l = {.pk = SLICE("ROOM:A"), .is_descending = turn % 2 == 1};
		if (turn >= 2) {
			l.tail_prefix = SLICE("ROUND#");
			l.tail_limit = 3;
		}
		char whole[4096], text[4096] = "", after[64];
		format_to(whole, sizeof(whole), "%s", sks_of(f, &l, false));
		l.limit = 2;
		for (struct answer a = {.has_more = true}; a.has_more;) {
			a = load_of(f, &l);
			assert_in_range(a.n, 1, 2);
			const char *page = sks_of(f, &l, a.has_more);
			const char *last = strrchr(page, ' ');
			format_to(after, sizeof(after), "%s", last == NULL ? page : last + 1);
			size_t len = strlen(text);
			format_to(text + len, sizeof(text) - len, "%s%s", len == 0 ? "" : " ",
				  page);
			l.after = slice_str(after);
		}
		assert_string_equal(text, whole);
	}
}

/* An item written or deleted between two pages may be missing or not; the others are not touched by it. */
STORE_TEST(a_page_goes_on_where_the_one_before_ended_whatever_happened_meanwhile, f)
{
	put_rounds(f, "ROOM:A", 1, 6);
	struct store_load l = {.pk = SLICE("ROOM:A"), .limit = 2};
	assert_string_equal(sks_of(f, &l, true), "ROUND#001 ROUND#002");
	assert_int_equal(commit_op(f, op_of(STORE_DELETE, "ROOM:A", "ROUND#002")).e, OK);
	assert_int_equal(commit_op(f, op_of(STORE_DELETE, "ROOM:A", "ROUND#003")).e, OK);
	put_rounds(f, "ROOM:A", 0, 0);
	l.after = SLICE("ROUND#002");
	assert_string_equal(sks_of(f, &l, true), "ROUND#004 ROUND#005");
	l.is_descending = true;
	l.after = SLICE("ROUND#003");
	assert_string_equal(sks_of(f, &l, false), "ROUND#001 ROUND#000");
}

STORE_TEST(a_prefix_that_ends_in_the_greatest_byte_has_an_end, f)
{
	static const char *const sks[] = {"USER:\xfe", "USER:\xff", "USER:\xff\xff",
					  "USER:\xff\xff\xff"};
	for (size_t i = 0; i < 4; i++) {
		put_seat(f, "ROOM:A", sks[i], "1");
	}
	put_seat(f, "ROOM:B", "USER:a", "1");
	struct store_load l = {.pk = SLICE("ROOM:A"),
			       .sk_prefix = SLICE("USER:\xff\xff"),
			       .is_descending = true};
	assert_string_equal(sks_of(f, &l, false), "USER:\xff\xff\xff USER:\xff\xff");
	l.sk_prefix = SLICE("");
	l.tail_prefix = SLICE("USER:\xff");
	l.tail_limit = 1;
	assert_string_equal(sks_of(f, &l, false), "USER:\xff\xff\xff USER:\xfe");
	l.is_descending = false;
	assert_string_equal(sks_of(f, &l, false), "USER:\xfe USER:\xff\xff\xff");
}

/* What could not be copied out is not half there. */
STORE_TEST(a_page_survives_each_failed_allocation, f)
{
	put_rounds(f, "ROOM:A", 1, 60);
	struct store_load l = {.pk = SLICE("ROOM:A"),
			       .limit = 40,
			       .tail_prefix = SLICE("ROUND#"),
			       .tail_limit = 50,
			       .is_descending = true};
	bool has_failed = true;
	for (size_t nth = 0; has_failed; nth++) {
		struct answer a = {.calls = 0};
		assert_true(nth < 100);
		heap_fail_nth(nth, false);
		store_load(f->s, &l, on_items, &a);
		fixture_drain(f);
		has_failed = heap_has_failed();
		heap_fail_never();
		bool is_whole = !has_failed || (f->engine->asks_again && a.e == OK);
		assert_int_equal(a.calls, 1);
		assert_int_equal(a.e, is_whole ? OK : ERR_NOMEM);
		assert_int_equal(a.n, is_whole ? 40 : 0);
		assert_int_equal(a.has_more, is_whole);
	}
}

/* Damage of an item that a page leaves out does not concern it. */
static void damage_one_round(struct kv *kv)
{
	struct key key;
	key_of_item(&key, SLICE("ROOM:A"), SLICE("ROUND#002"));
	assert_int_equal(kv_put(kv, KV_ITEMS, key_slice(&key), SLICE("damaged")), OK);
}

LMDB_TEST(damage_concerns_the_pages_with_the_item_only, f)
{
	put_room(f, "ROOM:A", 4);
	fixture_tamper(f, damage_one_round);
	struct store_load l = {.pk = SLICE("ROOM:A")};
	assert_int_equal(load_of(f, &l).e, ERR_CORRUPT);
	l.tail_prefix = SLICE("ROUND#");
	l.tail_limit = 2;
	assert_string_equal(sks_of(f, &l, false), "ONCE#a ROUND#003 ROUND#004 USER:a USER:b");
	l.is_descending = true;
	assert_string_equal(sks_of(f, &l, false), "USER:b USER:a ROUND#004 ROUND#003 ONCE#a");
	l = (struct store_load){.pk = SLICE("ROOM:A"), .limit = 2};
	assert_string_equal(sks_of(f, &l, true), "ONCE#a ROUND#001");
}

LMDB_TEST(a_page_costs_what_it_returns, f)
{
	struct steps s;
	put_room(f, "ROOM:A", 300);
	steps_begin(&s, f);
	for (int descending = 0; descending < 2; descending++) {
		struct store_load l = {.pk = SLICE("ROOM:A"),
				       .tail_prefix = SLICE("ROUND#"),
				       .tail_limit = 5,
				       .is_descending = descending == 1};
		assert_in_range(steps_of(&s, store_request_of_load(&l), 8), 8, 8 + 5 + 4);
		l = (struct store_load){.pk = SLICE("ROOM:A"),
					.sk_prefix = SLICE("ROUND#"),
					.after = SLICE("ROUND#150"),
					.limit = 10,
					.is_descending = descending == 1};
		assert_in_range(steps_of(&s, store_request_of_load(&l), 10), 10, 10 + 2);
	}
	struct store_load exact = {.pk = SLICE("ROOM:A"),
				   .sk_prefix = SLICE("ROUND#100"),
				   .is_exact = true};
	assert_int_equal(steps_of(&s, store_request_of_load(&exact), 1), 0);
	steps_end(&s, f);
}
