/*
 * test_heap.c - every allocation of the store fails, one after the other.
 *
 * Each walk does the same things with the nth allocation failing, for n = 0, 1,
 * 2, ... until a walk meets none. Calls may say ERR_NOMEM; nothing else may
 * differ, nothing may be half done, nothing may leak (the sanitizers' part).
 */
#include "fixture.h"

#include "tests/support/heap.h"

#define WALK_MAX 5000

static void assert_ok_or_nomem(enum err e)
{
	assert_true(e == OK || e == ERR_NOMEM);
}

/* One call each, answered or refused; counts are checked by the caller. */
struct walk {
	struct answer put, bad, remove, load, query;
	enum err put_e, bad_e, remove_e;
};

/* As the fixture's, but without looking into the items, which would need memory of its own. */
static void on_counted(void *arg, enum err e, const struct store_item *items, size_t n,
		       uint64_t version, bool has_more)
{
	struct answer *a = arg;
	(void)items;
	(void)version;
	a->calls++;
	a->e = e;
	a->n = n;
	a->has_more = has_more;
}

static void on_counted_query(void *arg, enum err e, const struct store_item *items, size_t n,
			     struct slice next, bool is_partial)
{
	(void)is_partial;
	on_counted(arg, e, items, n, 0, next.len > 0);
}

static void walk_calls(struct fixture *f, struct walk *w, struct store_op *ops,
		       struct store_op *remove)
{
	struct store_commit put = {.token = token_of(1), .ops = ops, .n = 2, .now_ms = NOW};
	struct store_commit bad = {.ops = ops, .n = 2, .now_ms = NOW};
	struct store_commit gone = {.ops = remove, .n = 1, .now_ms = NOW};
	struct store_query q = {.index = INDEX_BY_EXPIRY, .to = INT64_MAX, .limit = 10};

	w->put_e = commit_begin(f, &put, &w->put);
	fixture_drain(f);
	ops[0].expect = STORE_EXPECT_ABSENT;
	w->bad_e = commit_begin(f, &bad, &w->bad);
	ops[0].expect = STORE_EXPECT_ANY;
	store_load(f->s, &(struct store_load){.pk = SLICE("ROOM:A")}, on_counted, &w->load);
	store_query(f->s, &q, on_counted_query, &w->query);
	fixture_drain(f);
	w->remove_e = commit_begin(f, &gone, &w->remove);
	fixture_drain(f);
}

static void assert_answered(const struct answer *a, enum err e)
{
	assert_ok_or_nomem(e);
	assert_int_equal(a->calls, e == OK ? 1 : 0);
}

/* What is there must be what the answers say. */
static void assert_told_the_truth(struct fixture *f, const struct walk *w)
{
	assert_answered(&w->put, w->put_e);
	assert_answered(&w->bad, w->bad_e);
	assert_answered(&w->remove, w->remove_e);
	assert_int_equal(w->load.calls, 1);
	assert_int_equal(w->query.calls, 1);
	bool was_put = w->put_e == OK && w->put.e == OK;
	bool was_removed = w->remove_e == OK && w->remove.e == OK;
	bool was_put_again = w->bad_e == OK && w->bad.e == OK;
	assert_ok_or_nomem(w->put.e);
	assert_ok_or_nomem(w->remove.e);
	assert_ok_or_nomem(w->load.e);
	assert_ok_or_nomem(w->query.e);
	if (was_put) {
		assert_true(w->bad_e != OK || w->bad.e == ERR_CONFLICT || w->bad.e == ERR_NOMEM);
		assert_true(w->load.e != OK || w->load.n == 2);
		assert_true(w->query.e != OK || w->query.n == 1);
	}
	struct answer left = load(f, "ROOM:A", "");
	size_t seats = was_put || was_put_again ? 1 : 0;
	assert_int_equal(left.n, seats + (was_removed ? 0 : seats));
	assert_int_equal(query(f, 0, INT64_MAX, 10, NULL).n, left.n > 1 ? 1 : 0);
}

static void walk_engine(unsigned engine)
{
	char seat[512], once[512];
	struct slice value = value_seat("5");
	memcpy(seat, value.data, value.len);
	struct store_op ops[2] = {op_put("ROOM:A", "USER:a", slice_of(seat, value.len))};
	value = value_once(77, 20);
	memcpy(once, value.data, value.len);
	ops[1] = op_put("ROOM:A", "ONCE#a", slice_of(once, value.len));
	struct store_op remove = op_of(STORE_DELETE_PREFIX, "ROOM:A", "ONCE#");
	bool failed = true;
	for (size_t nth = 0; failed; nth++) {
		struct fixture f;
		struct walk w = {.put_e = OK};
		assert_true(nth < WALK_MAX);
		fixture_init(&f, engine);
		heap_fail_nth(nth, false);
		enum err e = fixture_try_open(&f);
		assert_ok_or_nomem(e);
		if (e == OK) {
			walk_calls(&f, &w, ops, &remove);
		}
		heap_fail_never();
		failed = heap_has_failed();
		if (e == OK) {
			assert_told_the_truth(&f, &w);
		}
		fixture_close(&f);
	}
}

TEST(the_memory_engine_survives_each_failed_allocation)
{
	walk_engine(FIXTURE_MEM);
}

TEST(the_lmdb_engine_survives_each_failed_allocation)
{
	walk_engine(FIXTURE_LMDB);
}

TEST(with_no_memory_at_all_every_call_is_still_answered)
{
	for (unsigned engine = 0; engine < FIXTURE_ENGINES; engine++) {
		struct fixture f;
		struct walk w = {.put_e = OK};
		struct store_op op = op_of(STORE_DELETE, "ROOM:A", "USER:a");
		struct store_commit c = {.ops = &op, .n = 1, .now_ms = NOW};
		struct store_query q = {.index = INDEX_BY_EXPIRY, .to = INT64_MAX, .limit = 10};
		fixture_open(&f, engine);
		heap_fail_nth(0, true);
		assert_int_equal(commit_begin(&f, &c, &w.put), ERR_NOMEM);
		for (int i = 0; i < 10; i++) {
			store_load(f.s, &(struct store_load){.pk = SLICE("ROOM:A")}, on_counted,
				   &w.load);
			store_query(f.s, &q, on_counted_query, &w.query);
		}
		assert_int_equal(w.load.calls, 0);
		fixture_drain(&f);
		heap_fail_never();
		assert_int_equal(w.put.calls, 0);
		assert_int_equal(w.load.calls, 10);
		assert_int_equal(w.load.e, ERR_NOMEM);
		assert_int_equal(w.query.calls, 10);
		assert_int_equal(w.query.e, ERR_NOMEM);
		fixture_close(&f);
	}
}

TEST(a_copy_of_the_memory_engine_survives_each_failed_allocation)
{
	struct fixture f;
	fixture_open(&f, FIXTURE_MEM);
	put_seat(&f, "ROOM:A", "USER:a", "5");
	bool failed = true;
	for (size_t nth = 0; failed; nth++) {
		struct store *copy = NULL;
		assert_true(nth < WALK_MAX);
		heap_fail_nth(nth, false);
		enum err e = store_mem_crash(f.s, &copy);
		heap_fail_never();
		failed = heap_has_failed();
		assert_int_equal(e, failed ? ERR_NOMEM : OK);
		store_close(copy);
	}
	fixture_close(&f);
}
