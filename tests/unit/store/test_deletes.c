/*
 * test_deletes.c - a prefix deleted in bounded steps, once for each engine.
 */
#include "fixture.h"

#include "tests/support/heap.h"

static void put_onces(struct fixture *f, const char *pk, int n)
{
	char sk[32];
	for (int i = 0; i < n; i++) {
		format_to(sk, sizeof(sk), "ONCE#%03d", i);
		assert_int_equal(commit_op(f, op_put(pk, sk, value_once(i, 4))).e, OK);
	}
}

static struct store_op op_delete(const char *prefix, size_t limit)
{
	struct store_op op = op_of(STORE_DELETE_PREFIX, "ROOM:A", prefix);
	op.limit = limit;
	return op;
}

STORE_TEST(a_limit_takes_the_first_and_says_whether_there_is_more, f)
{
	put_onces(f, "ROOM:A", 5);
	put_onces(f, "ROOM:B", 1);
	put_seat(f, "ROOM:A", "USER:a", "1");
	struct answer a = commit_op(f, op_delete("ONCE#", 2));
	assert_int_equal(a.e, OK);
	assert_true(a.has_more);
	assert_load(f, "ROOM:A", "", "ONCE#002@3 ONCE#003@4 ONCE#004@5 USER:a=1@7");
	assert_int_equal(query(f, 0, 100, 10, NULL).n, 4);
	assert_false(commit_op(f, op_delete("ONCE#", 3)).has_more);
	assert_load(f, "ROOM:A", "", "USER:a=1@7");
	assert_false(commit_op(f, op_delete("ONCE#", 3)).has_more);
	put_onces(f, "ROOM:A", 2);
	assert_false(commit_op(f, op_delete("ONCE#", 3)).has_more);
	assert_load(f, "ROOM:A", "", "USER:a=1@7");
	assert_int_equal(query(f, 0, 100, 10, NULL).n, 1);
}

STORE_TEST(several_in_one_commit_say_together_whether_there_is_more, f)
{
	put_onces(f, "ROOM:A", 3);
	put_seat(f, "ROOM:A", "USER:a", "1");
	struct store_op ops[] = {op_delete("ONCE#", 2), op_delete("USER:", 2)};
	assert_true(commit_ops(f, ops, 2).has_more);
	assert_load(f, "ROOM:A", "", "ONCE#002@3");
	assert_false(commit_ops(f, ops, 2).has_more);
	assert_load(f, "ROOM:A", "", "");
}

STORE_TEST(a_refused_step_deletes_nothing_and_a_repeated_one_says_more, f)
{
	put_onces(f, "ROOM:A", 3);
	struct store_op ops[] = {op_of(STORE_CHECK, "ROOM:A", "USER:a"), op_delete("ONCE#", 5)};
	ops[0].expect = STORE_EXPECT_PRESENT;
	struct answer a = commit_ops(f, ops, 2);
	assert_int_equal(a.e, ERR_CONFLICT);
	assert_false(a.has_more);
	assert_int_equal(load(f, "ROOM:A", "").n, 3);
	struct store_commit c = {.token = token_of(1), .ops = &ops[1], .n = 1, .now_ms = NOW};
	assert_false(commit_all(f, &c).has_more);
	put_onces(f, "ROOM:A", 1);
	a = commit_all(f, &c);
	assert_int_equal(a.version, 4);
	assert_true(a.has_more);
	assert_int_equal(load(f, "ROOM:A", "").n, 1);
}

/* What is there after a crash: what was durable then. */
static void restart(struct fixture *f)
{
	if (f->is_lmdb) {
		fixture_reopen(f);
		return;
	}
	struct store *after = NULL;
	assert_int_equal(store_mem_crash(f->s, &after), OK);
	store_close(f->s);
	f->s = after;
}

/* One step, as a caller writes it that knows no more than the item that says what is to be done. */
static bool step(struct fixture *f)
{
	struct store_op ops[] = {op_of(STORE_CHECK, "ROOM:A", "USER:mark"), op_delete("ONCE#", 4)};
	ops[0].expect = STORE_EXPECT_PRESENT;
	struct answer a = commit_ops(f, ops, 2);
	assert_int_equal(a.e, OK);
	if (a.has_more) {
		return true;
	}
	assert_int_equal(commit_op(f, op_of(STORE_DELETE, "ROOM:A", "USER:mark")).e, OK);
	return false;
}

STORE_TEST(a_restart_goes_on_with_the_steps_that_an_item_asks_for, f)
{
	put_onces(f, "ROOM:A", 15);
	put_onces(f, "ROOM:B", 2);
	put_seat(f, "ROOM:A", "USER:mark", NULL);
	size_t left = 15;
	while (step(f)) {
		left -= 4;
		restart(f);
		struct answer a = load(f, "ROOM:A", "");
		assert_int_equal(a.n, left + 1);
		assert_int_equal(query(f, 0, 100, 100, NULL).n, left + 2);
	}
	assert_int_equal(left, 3);
	restart(f);
	assert_load(f, "ROOM:A", "", "");
	assert_int_equal(query(f, 0, 100, 100, NULL).n, 2);
}

/* A step is whole or not at all, whichever allocation fails, and the next continues. */
STORE_TEST(a_step_survives_each_failed_allocation, f)
{
	bool has_failed = true;
	for (size_t nth = 0; has_failed; nth++) {
		struct answer a = {.calls = 0};
		struct store_op op = op_delete("ONCE#", 3);
		struct store_commit c = {.ops = &op, .n = 1, .now_ms = NOW};
		assert_true(nth < 1000);
		put_onces(f, "ROOM:A", 5);
		heap_fail_nth(nth, false);
		enum err e = store_commit(f->s, &c, on_commit, &a);
		fixture_drain(f);
		has_failed = heap_has_failed();
		heap_fail_never();
		bool was_done = e == OK && a.e == OK;
		assert_true(was_done || e == ERR_NOMEM || a.e == ERR_NOMEM);
		assert_int_equal(a.has_more, was_done);
		assert_int_equal(load(f, "ROOM:A", "").n, was_done ? 2 : 5);
		assert_int_equal(query(f, 0, 100, 100, NULL).n, was_done ? 2 : 5);
	}
}
