/*
 * test_net_store_glue.c - each effect for the store is answered once, or was
 * said not to have begun.
 */
#include <stdbool.h>
#include <string.h>

#include "server/core/cluster/node_record.h"
#include "server/net/store_glue.h"
#include "tests/support/store_mem.h"
#include "tests/support/heap.h"
#include "tests/support/test.h"

#define PARTITION SLICE("ROOM:K7QX3M")

struct answers {
	size_t n;
	struct event last;
	struct cluster_node node; /* the last that was listed */
};

struct fixture {
	struct store *store;
	struct store_glue glue;
	struct answers answers;
};

static void on_answer(void *arg, struct event *e)
{
	struct answers *a = arg;
	a->n++;
	a->last = *e;
	if (e->kind == EVENT_LISTED && e->n > 0) {
		a->node = e->nodes[e->n - 1];
	}
}

static void fixture_open(struct fixture *f)
{
	*f = (struct fixture){0};
	assert_int_equal(store_open_mem(&f->store), OK);
	store_glue_init(&f->glue, f->store, on_answer, &f->answers);
}

static const struct store_op any_op = {
	.kind = STORE_DELETE_PREFIX,
	.pk = {"ROOM:K7QX3M", 11},
	.sk = {"USER:", 5},
};

static const struct cluster_node any_node = {.number = 7,
					     .is_leaving = true,
					     .has_left = true,
					     .preface_version = 1,
					     .items_version = 2,
					     .limits = 3,
					     .has_command = true,
					     .address = "10.0.0.7:2939",
					     .announce = "tls://poker7.example"};

static enum err begin(struct fixture *f, enum effect_kind kind, uint64_t ticket)
{
	struct effect fx = {
		.kind = kind,
		.ticket = ticket,
		.load = {.pk = PARTITION},
		.query = {.index = INDEX_BY_EXPIRY, .to = INT64_MAX, .limit = 16},
		.ops = &any_op,
		.n = 1,
		.node = &any_node,
		.take = {.bucket = 5, .fence = {{1}}},
	};
	return store_glue_begin(&f->glue, &fx, 1);
}

TEST(each_effect_is_answered_by_its_event_and_ticket)
{
	static const struct {
		enum effect_kind effect;
		enum event_kind event;
	} rows[] = {
		{FX_LOAD, EVENT_LOADED},      {FX_QUERY, EVENT_DUE},	 {FX_COUNT, EVENT_COUNTED},
		{FX_COMMIT, EVENT_COMMITTED}, {FX_RENEW, EVENT_RENEWED}, {FX_LIST, EVENT_LISTED},
		{FX_TAKE, EVENT_TAKEN},
	};
	struct fixture f;
	fixture_open(&f);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(begin(&f, rows[i].effect, 40 + i), OK);
		assert_int_equal(f.answers.n, i);
		store_glue_poll(&f.glue);
		assert_int_equal(f.answers.n, i + 1);
		assert_int_equal(f.answers.last.kind, rows[i].event);
		assert_int_equal(f.answers.last.ticket, 40 + i);
		assert_int_equal(f.answers.last.result, OK);
	}
	store_glue_finish(&f.glue);
}

TEST(a_node_is_listed_as_it_says)
{
	struct fixture f;
	fixture_open(&f);
	assert_int_equal(begin(&f, FX_RENEW, 1), OK);
	assert_int_equal(begin(&f, FX_LIST, 2), OK);
	store_glue_poll(&f.glue);
	assert_int_equal(f.answers.last.n, 1);
	const struct cluster_node *node = &f.answers.node;
	assert_int_equal(node->number, any_node.number);
	assert_int_equal(node->is_leaving, any_node.is_leaving);
	assert_int_equal(node->has_left, any_node.has_left);
	assert_int_equal(node_differences(node, &any_node), 0);
	assert_string_equal(node->address, any_node.address);
	assert_string_equal(node->announce, any_node.announce);
	store_glue_finish(&f.glue);
}

TEST(a_renewal_has_lapsed_where_the_entry_is_another_one)
{
	struct fixture f;
	fixture_open(&f);
	assert_int_equal(begin(&f, FX_RENEW, 1), OK);
	store_glue_poll(&f.glue);
	assert_true(f.answers.last.is_lapsed);
	assert_int_equal(begin(&f, FX_RENEW, 2), OK);
	store_glue_poll(&f.glue);
	assert_false(f.answers.last.is_lapsed);
	f.glue.node_since++; /* it was made anew, and that answer was lost */
	assert_int_equal(begin(&f, FX_RENEW, 3), OK);
	store_glue_poll(&f.glue);
	assert_true(f.answers.last.is_lapsed);
	store_glue_finish(&f.glue);
}

TEST(a_commit_names_its_fence)
{
	struct fixture f;
	struct store_take take = {.bucket = item_scope_of(PARTITION), .fence = {{1}}};
	fixture_open(&f);
	store_mem_take(f.store, &take);
	struct effect fx = {.kind = FX_COMMIT, .ops = &any_op, .n = 1, .fence = {{2}}};
	assert_int_equal(store_glue_begin(&f.glue, &fx, 1), OK);
	store_glue_poll(&f.glue);
	assert_int_equal(f.answers.last.result, ERR_FENCED);
	store_glue_finish(&f.glue);
}

/* Each field of a load changes what comes back of these seats. */
TEST(a_load_is_asked_for_as_it_was_given)
{
	static const struct {
		struct store_load load;
		size_t n;
		bool has_more;
	} rows[] = {
		{{.pk = {"ROOM:K7QX3M", 11}}, 4, false},
		{{.pk = {"ROOM:K7QX3M", 11}, .sk_prefix = {"USER:b", 6}}, 2, false},
		{{.pk = {"ROOM:K7QX3M", 11}, .sk_prefix = {"USER:b", 6}, .is_exact = true},
		 1,
		 false},
		{{.pk = {"ROOM:K7QX3M", 11}, .after = {"USER:a", 6}}, 3, false},
		{{.pk = {"ROOM:K7QX3M", 11}, .after = {"USER:a", 6}, .is_descending = true},
		 0,
		 false},
		{{.pk = {"ROOM:K7QX3M", 11}, .limit = 2}, 2, true},
		{{.pk = {"ROOM:K7QX3M", 11}, .tail_prefix = {"USER:b", 6}, .tail_limit = 1},
		 3,
		 false},
	};
	static const char *const sks[] = {"USER:a", "USER:b", "USER:bb", "USER:c"};
	struct seat_item seat = {.user_id = SLICE("ada"), .role = ROLE_VOTER};
	struct buf value;
	struct fixture f;
	fixture_open(&f);
	buf_init(&value, 1000);
	record_write(&record_seat_item, &seat, &value);
	for (size_t i = 0; i < 4; i++) {
		struct store_op op = {.kind = STORE_PUT,
				      .pk = PARTITION,
				      .sk = slice_str(sks[i]),
				      .value = buf_slice(&value)};
		struct effect fx = {.kind = FX_COMMIT, .ops = &op, .n = 1};
		assert_int_equal(store_glue_begin(&f.glue, &fx, 1), OK);
	}
	store_glue_poll(&f.glue);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct effect fx = {.kind = FX_LOAD, .load = rows[i].load};
		assert_int_equal(store_glue_begin(&f.glue, &fx, 1), OK);
		store_glue_poll(&f.glue);
		assert_int_equal(f.answers.last.n, rows[i].n);
		assert_int_equal(f.answers.last.has_more, rows[i].has_more);
	}
	buf_finish(&value);
	store_glue_finish(&f.glue);
}

TEST(failures_of_the_store_are_events)
{
	struct fixture f;
	fixture_open(&f);
	store_mem_fail_commits(f.store, 1, ERR_FULL);
	assert_int_equal(begin(&f, FX_COMMIT, 1), OK);
	store_glue_poll(&f.glue);
	assert_int_equal(f.answers.last.result, ERR_FULL);
	store_mem_fail_reads(f.store, 1, ERR_IO);
	assert_int_equal(begin(&f, FX_LOAD, 2), OK);
	store_glue_poll(&f.glue);
	assert_int_equal(f.answers.last.result, ERR_IO);
	assert_false(f.glue.is_broken);
	store_glue_finish(&f.glue);
}

TEST(an_unknown_outcome_is_an_event_where_the_engine_goes_on)
{
	struct fixture f;
	fixture_open(&f);
	store_mem_lose_answers(f.store, 1);
	assert_int_equal(begin(&f, FX_COMMIT, 1), OK);
	store_glue_poll(&f.glue);
	assert_false(f.glue.is_broken);
	assert_int_equal(f.answers.last.result, ERR_UNKNOWN);
	assert_int_equal(begin(&f, FX_LOAD, 2), OK);
	store_glue_poll(&f.glue);
	assert_int_equal(f.answers.n, 2);
	store_glue_finish(&f.glue);
}

/* The core must not learn of it then, nor of anything that comes after it: the process ends. */
TEST(an_unknown_outcome_is_no_event_where_the_engine_is_broken_by_it)
{
	struct fixture f;
	fixture_open(&f);
	store_mem_break_unsure(f.store);
	store_mem_lose_answers(f.store, 1);
	assert_int_equal(begin(&f, FX_COMMIT, 1), OK);
	assert_int_equal(begin(&f, FX_LOAD, 2), OK);
	store_glue_poll(&f.glue);
	assert_true(f.glue.is_broken);
	assert_int_equal(f.answers.n, 0);
	store_glue_finish(&f.glue);
}

TEST(what_finishes_while_closing_is_no_event)
{
	struct fixture f;
	fixture_open(&f);
	assert_int_equal(begin(&f, FX_COMMIT, 1), OK);
	assert_int_equal(begin(&f, FX_LOAD, 2), OK);
	store_glue_finish(&f.glue);
	assert_int_equal(f.answers.n, 0);
}

TEST(too_many_commits_are_busy_until_some_are_answered)
{
	struct fixture f;
	fixture_open(&f);
	store_mem_set_auto(f.store, false);
	enum err e = OK;
	size_t n = 0;
	for (; n <= STORE_PENDING_MAX && e == OK; n++) {
		e = begin(&f, FX_COMMIT, n);
	}
	assert_int_equal(e, ERR_BUSY);
	(void)store_mem_run(f.store, 1);
	store_glue_poll(&f.glue);
	assert_int_equal(f.answers.n, 1);
	assert_int_equal(begin(&f, FX_COMMIT, n), OK);
	store_mem_set_auto(f.store, true);
	store_glue_finish(&f.glue);
}

/* Whatever allocation fails: either it did not begin, or it is answered. */
TEST(without_memory_it_has_not_begun_or_is_answered)
{
	static const enum effect_kind kinds[] = {FX_LOAD,  FX_QUERY, FX_COUNT, FX_COMMIT,
						 FX_RENEW, FX_LIST,  FX_TAKE};
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		bool has_failed = true;
		for (size_t nth = 0; has_failed; nth++) {
			struct fixture f;
			fixture_open(&f);
			heap_fail_nth(nth, false);
			enum err e = begin(&f, kinds[i], 1);
			store_glue_poll(&f.glue);
			has_failed = heap_has_failed();
			heap_fail_never();
			store_glue_poll(&f.glue);
			assert_int_equal(f.answers.n, e == OK ? 1 : 0);
			store_glue_finish(&f.glue);
		}
	}
}
