/*
 * test_mem.c - the faults that the memory engine injects for tests.
 */
#include "fixture.h"

static void commit_later(struct fixture *f, const char *sk, struct answer *a)
{
	struct store_op op = op_put("ROOM:A", sk, value_seat("1"));
	struct store_commit c = {.ops = &op, .n = 1, .now_ms = NOW};
	assert_int_equal(commit_begin(f, &c, a), OK);
}

MEM_TEST(nothing_happens_before_it_is_let_through, f)
{
	struct answer a = {.calls = 0}, b = {.calls = 0}, loaded = {.calls = 0};
	store_mem_set_auto(f->s, false);
	commit_later(f, "USER:a", &a);
	store_load(f->s, &(struct store_load){.pk = SLICE("ROOM:A")}, on_items, &loaded);
	commit_later(f, "USER:b", &b);
	assert_true(store_poll(f->s));
	assert_int_equal(a.calls + b.calls + loaded.calls, 0);
	assert_int_equal(store_mem_waiting(f->s), 3);
	assert_int_equal(store_mem_run(f->s, 2), 2);
	assert_int_equal(a.calls + loaded.calls, 0);
	assert_true(store_poll(f->s));
	assert_int_equal(a.calls, 1);
	assert_string_equal(loaded.text, "USER:a=1@1");
	assert_int_equal(b.calls, 0);
	assert_int_equal(store_mem_run(f->s, 10), 1);
	assert_false(store_poll(f->s));
	assert_int_equal(b.version, 2);
}

MEM_TEST(ordered_failures_write_nothing, f)
{
	store_mem_fail_commits(f->s, 2, ERR_IO);
	assert_int_equal(commit_op(f, op_put("ROOM:A", "USER:a", value_seat("1"))).e, ERR_IO);
	assert_int_equal(commit_op(f, op_put("ROOM:A", "USER:a", value_seat("1"))).e, ERR_IO);
	assert_load(f, "ROOM:A", "", "");
	assert_int_equal(commit_op(f, op_put("ROOM:A", "USER:a", value_seat("1"))).version, 1);
	store_mem_fail_reads(f->s, 1, ERR_CORRUPT);
	assert_int_equal(load(f, "ROOM:A", "").e, ERR_CORRUPT);
	assert_load(f, "ROOM:A", "", "USER:a=1@1");
}

/* A load says so; a page of an index goes on behind it, and says where it is. */
MEM_TEST(a_damaged_item_keeps_no_others_of_an_index, f)
{
	for (int i = 1; i <= 4; i++) {
		char sk[16];
		format_to(sk, sizeof(sk), "ONCE#%d", i);
		assert_int_equal(commit_op(f, op_put("ROOM:A", sk, value_once(i, 10))).e, OK);
	}
	store_mem_damage(f->s, SLICE("ROOM:A"), SLICE("ONCE#2"));
	assert_int_equal(load(f, "ROOM:A", "").e, ERR_CORRUPT);
	assert_load(f, "ROOM:A", "ONCE#3", "ONCE#3@3");
	struct answer a = query(f, 0, 100, 3, NULL);
	assert_int_equal(a.e, OK);
	assert_string_equal(a.text, "ONCE#1@1 ONCE#2@0 ONCE#3@3");
	assert_string_equal(query(f, 0, 100, 3, &a).text, "ONCE#4@4");
}

MEM_TEST(a_lost_answer_is_settled_by_its_token, f)
{
	struct store_op op = op_put("ROOM:A", "USER:a", value_seat("1"));
	struct store_commit c = {.token = token_of(9), .ops = &op, .n = 1, .now_ms = NOW};
	op.expect = STORE_EXPECT_ABSENT;
	store_mem_lose_answers(f->s, 1);
	assert_int_equal(commit_all(f, &c).e, ERR_UNKNOWN);
	struct answer a = commit_all(f, &c);
	assert_int_equal(a.e, OK);
	assert_int_equal(a.version, 1);
	assert_load(f, "ROOM:A", "", "USER:a=1@1");
}

MEM_TEST(indexes_lag_as_far_as_told, f)
{
	store_mem_delay_indexes(f->s, 2);
	assert_int_equal(commit_op(f, op_put("ROOM:A", "ONCE#a", value_once(10, 4))).e, OK);
	assert_string_equal(query(f, 0, 100, 10, NULL).text, "");
	put_seat(f, "ROOM:A", "USER:a", "1");
	assert_string_equal(query(f, 0, 100, 10, NULL).text, "");
	put_seat(f, "ROOM:A", "USER:a", "1");
	assert_string_equal(query(f, 0, 100, 10, NULL).text, "ONCE#a@1");
	/* The item has moved on and the index has not: it still comes, and readers re-check it. */
	assert_int_equal(commit_op(f, op_put("ROOM:A", "ONCE#a", value_once(50, 4))).e, OK);
	assert_string_equal(query(f, 0, 20, 10, NULL).text, "ONCE#a@4");
	/* An entry whose item is gone leads nowhere. */
	assert_int_equal(commit_op(f, op_of(STORE_DELETE, "ROOM:A", "ONCE#a")).e, OK);
	assert_string_equal(query(f, 0, 100, 10, NULL).text, "");
	/* A shorter delay does not overtake what waits. */
	store_mem_delay_indexes(f->s, 0);
	assert_int_equal(commit_op(f, op_put("ROOM:A", "ONCE#b", value_once(60, 4))).e, OK);
	put_seat(f, "ROOM:A", "USER:a", "1");
	assert_string_equal(query(f, 0, 100, 10, NULL).text, "ONCE#b@6");
	assert_string_equal(query(f, 50, 50, 10, NULL).text, "");
}

MEM_TEST(beyond_its_bound_it_is_full_for_new_items, f)
{
	struct store_status status;
	put_seat(f, "ROOM:A", "USER:a", "1");
	store_mem_set_items_max(f->s, 2);
	put_seat(f, "ROOM:A", "USER:b", "1");
	store_status(f->s, &status);
	assert_int_equal(status.state, STORE_NEARLY_FULL);
	assert_int_equal(commit_op(f, op_put("ROOM:A", "USER:c", value_seat("1"))).e, ERR_FULL);
	put_seat(f, "ROOM:A", "USER:a", "2");
	assert_int_equal(commit_op(f, op_of(STORE_DELETE, "ROOM:A", "USER:b")).e, OK);
	put_seat(f, "ROOM:A", "USER:c", "3");
	assert_load(f, "ROOM:A", "", "USER:a=2@3 USER:c=3@5");
}

MEM_TEST(a_crash_keeps_what_happened_and_drops_what_waits, f)
{
	struct fixture crashed = {.engine = f->engine};
	struct answer a = {.calls = 0}, b = {.calls = 0};
	store_mem_set_auto(f->s, false);
	commit_later(f, "USER:a", &a);
	commit_later(f, "USER:b", &b);
	(void)store_mem_run(f->s, 1);
	assert_int_equal(store_mem_crash(f->s, &crashed.s), OK);
	assert_true(store_poll(f->s));
	assert_load(&crashed, "ROOM:A", "", "USER:a=1@1");
	put_seat(&crashed, "ROOM:A", "USER:z", "1");
	assert_load(&crashed, "ROOM:A", "", "USER:a=1@1 USER:z=1@2");
	store_mem_set_auto(f->s, true);
	assert_load(f, "ROOM:A", "", "USER:a=1@1 USER:b=1@2");
	store_close(crashed.s);
}
