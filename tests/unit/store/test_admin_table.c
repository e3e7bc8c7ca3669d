/*
 * test_admin_table.c - check, dump and copy by store.h alone, once for each engine: what they give is the same.
 */
#include "fixture.h"

#include "store/admin/admin_table.h"

#define LINES_MAX ((size_t)1 << 22)

/* ---- kit ---- */

static void wait_for(void *arg)
{
	struct fixture *f = arg;
	if (f->engine->wait != NULL) {
		f->engine->wait(f);
	}
}

static struct admin_table table_of(struct fixture *f)
{
	return (struct admin_table){.store = f->s, .name = "here", .wait = wait_for, .wait_arg = f};
}

static bool take_line(void *arg, struct slice line)
{
	struct buf *lines = arg;
	(void)buf_append_slice(lines, line);
	return buf_append(lines, "\n", 1) == OK;
}

/* The whole dump; the caller finishes it. */
static struct buf dump_of(struct fixture *f, bool with_hidden, struct admin_counts *counts)
{
	struct buf lines = {.max = LINES_MAX};
	struct errmsg why = {""};
	const struct admin_table t = table_of(f);
	enum err e = admin_table_dump(&t, with_hidden, take_line, &lines, counts, &why);
	assert_string_equal(e == OK ? "" : why.text, "");
	(void)buf_append(&lines, "", 1);
	assert_int_equal(lines.error, OK);
	return lines;
}

/* Many commits at once; those of several buckets are answered in any order. */
struct filling {
	unsigned calls;
	enum err e; /* of the last that failed */
};

static void on_filled(void *arg, enum err e, uint64_t version)
{
	struct filling *a = arg;
	assert_true(e != OK || version > 0);
	a->calls++;
	a->e = e == OK ? a->e : e;
}

static void put_later(struct fixture *f, const char *pk, const char *sk, struct slice value,
		      struct filling *a)
{
	struct store_op op = op_put(pk, sk, value);
	struct store_commit c = {.ops = &op, .n = 1, .now_ms = NOW};
	assert_int_equal(store_commit(f->s, &c, on_filled, a), OK);
}

/* Rooms of three items, and one of more than a page; items of the directory around them. */
static unsigned fill(struct fixture *f)
{
	enum { ROOMS = 100, SEATS = 1203 };
	const struct asker_item asker = {.created_on = NOW, .updated_on = NOW, .open_questions = 1};
	struct filling a = {.calls = 0};
	unsigned n = 0;
	char pk[32];
	for (int i = 0; i < ROOMS; i++) {
		format_to(pk, sizeof(pk), "ROOM:R%03d", i);
		put_later(f, pk, "USER:a", value_seat_of(i % 2 == 0 ? "5" : NULL, "ada"), &a);
		put_later(f, pk, "USER:b", value_seat("\xe2\x88\x9e"), &a);
		put_later(f, pk, "ONCE#k", value_once(i, 10), &a);
		format_to(pk, sizeof(pk), "ASKER:%03d", i);
		put_later(f, pk, "ASKER", value_of(&record_asker_item, &asker), &a);
		n += 4;
	}
	for (int i = 0; i < SEATS; i++, n++) {
		format_to(pk, sizeof(pk), "USER:%04d", i);
		put_later(f, "ROOM:R050B", pk, value_seat("8"), &a);
	}
	fixture_drain(f);
	assert_int_equal(a.calls, n);
	assert_int_equal(a.e, OK);
	return n;
}

/* ---- dump ---- */

STORE_TEST(a_dump_is_the_same_whichever_engine_has_the_data, f)
{
	struct fixture mem;
	struct admin_counts counts, other;
	unsigned n = fill(f);
	fixture_open(&mem, FIXTURE_MEM);
	fill(&mem);
	struct buf dump = dump_of(f, true, &counts);
	struct buf same = dump_of(&mem, true, &other);
	assert_int_equal(counts.items, n);
	assert_int_equal(counts.items_of[ITEM_SEAT], n - 200);
	assert_string_equal(dump.data, same.data);
	buf_finish(&dump);
	buf_finish(&same);
	fixture_close(&mem);
}

STORE_TEST(a_dump_leaves_out_hidden_votes_unless_asked, f)
{
	struct admin_counts counts;
	put_seat(f, "ROOM:A", "USER:a", "13");
	struct buf dump = dump_of(f, false, &counts);
	assert_null(strstr(dump.data, "13\""));
	assert_int_equal(counts.hidden, 1);
	buf_finish(&dump);
	dump = dump_of(f, true, &counts);
	assert_non_null(strstr(dump.data, "\"vote\":\"13\""));
	assert_int_equal(counts.hidden, 0);
	buf_finish(&dump);
}

static bool refuse_line(void *arg, struct slice line)
{
	(void)line;
	return ++*(int *)arg < 3;
}

STORE_TEST(a_dump_that_nobody_reads_ends, f)
{
	struct admin_counts counts;
	struct errmsg why = {""};
	int n = 0;
	fill(f);
	const struct admin_table t = table_of(f);
	assert_int_equal(admin_table_dump(&t, true, refuse_line, &n, &counts, &why), ERR_CLOSED);
	assert_int_equal(n, 3);
}

/* ---- check ---- */

STORE_TEST(a_check_counts_what_is_there, f)
{
	struct buf lines = {.max = LINES_MAX};
	struct admin_counts counts;
	struct errmsg why = {""};
	unsigned n = fill(f);
	const struct admin_table t = table_of(f);
	assert_int_equal(admin_table_check(&t, take_line, &lines, &counts, &why), OK);
	assert_int_equal(lines.len, 0);
	assert_int_equal(counts.items, n);
	/* Of each room two are listed: by account, and by when they end. */
	assert_in_range(counts.index_entries, 200, UINT32_MAX);
	buf_finish(&lines);
}

/* ---- copy ---- */

static enum err copy(struct fixture *from, struct fixture *to, struct fixture *waits,
		     struct admin_counts *counts, struct errmsg *why)
{
	struct admin_table source = table_of(from);
	struct admin_table target = table_of(to);
	source.wait_arg = target.wait_arg = waits;
	return admin_table_copy(&source, &target, NOW, counts, why);
}

STORE_TEST(copied_there_and_back_the_dump_is_the_same, f)
{
	struct fixture mem, back;
	struct admin_counts counts;
	struct errmsg why = {""};
	fixture_open(&mem, FIXTURE_MEM);
	unsigned n = fill(&mem);
	enum err e = copy(&mem, f, f, &counts, &why);
	assert_string_equal(e == OK ? "" : why.text, "");
	assert_int_equal(counts.items, n);
	struct buf dump = dump_of(&mem, true, &counts);
	struct buf there = dump_of(f, true, &counts);
	assert_string_equal(dump.data, there.data);
	/* Indexes, and the lifetimes that they list, are there as well. */
	struct answer a = query_of(f, &(struct store_query){.index = INDEX_BY_ACCOUNT,
							    .partition = SLICE("ada"),
							    .to = INT64_MAX,
							    .limit = 200});
	assert_int_equal(a.n, 100);
	a = query_of(f, &(struct store_query){.index = INDEX_BY_EXPIRY, .to = 49, .limit = 200});
	assert_int_equal(a.n, 50);
	fixture_open(&back, FIXTURE_MEM);
	e = copy(f, &back, f, &counts, &why);
	assert_string_equal(e == OK ? "" : why.text, "");
	struct buf home = dump_of(&back, true, &counts);
	assert_string_equal(dump.data, home.data);
	buf_finish(&dump);
	buf_finish(&there);
	buf_finish(&home);
	fixture_close(&back);
	fixture_close(&mem);
}

STORE_TEST(a_copy_over_other_items_is_refused, f)
{
	struct fixture mem;
	struct admin_counts counts;
	struct errmsg why = {""};
	fixture_open(&mem, FIXTURE_MEM);
	fill(&mem);
	put_seat(f, "ROOM:R007", "USER:a", "1");
	assert_int_equal(copy(&mem, f, f, &counts, &why), ERR_CONFLICT);
	assert_non_null(strstr(why.text, "already has"));
	fixture_close(&mem);
}

/* An item that the source does not have is not a part of the copy. */
STORE_TEST(what_is_more_in_the_copy_is_found, f)
{
	struct fixture mem;
	struct admin_counts counts;
	struct errmsg why = {""};
	fixture_open(&mem, FIXTURE_MEM);
	fill(&mem);
	put_seat(f, "ROOM:OTHER", "USER:a", "1");
	assert_int_equal(copy(&mem, f, f, &counts, &why), ERR_CORRUPT);
	assert_non_null(strstr(why.text, "the copy differs"));
	fixture_close(&mem);
}

static bool stop_soon(void *arg, enum admin_step step, uint64_t partitions, uint64_t all)
{
	int *n = arg;
	(void)step;
	return all == 0 || partitions < 20 || ++*n == 0;
}

static void assert_is_stopped(struct fixture *f, admin_table_progress_cb *on_progress, int times)
{
	struct fixture mem;
	struct admin_counts counts;
	struct errmsg why = {""};
	int n = 0;
	fixture_open(&mem, FIXTURE_MEM);
	fill(&mem);
	const struct admin_table source = table_of(&mem);
	struct admin_table target = table_of(f);
	target.on_progress = on_progress;
	target.progress_arg = &n;
	assert_int_equal(admin_table_copy(&source, &target, NOW, &counts, &why), ERR_CLOSED);
	assert_int_equal(n, times);
	fixture_close(&mem);
}

STORE_TEST(a_copy_is_stopped_by_whoever_watches, f)
{
	assert_is_stopped(f, stop_soon, 1);
}

static bool stop_while_waiting(void *arg, enum admin_step step, uint64_t partitions, uint64_t all)
{
	int *n = arg;
	(void)step;
	return all == 0 || partitions < all || ++*n < 100;
}

/* Its last answers come when the store is closed. */
MEM_TEST(a_copy_is_stopped_while_the_target_does_not_answer, f)
{
	store_mem_set_auto(f->s, false);
	assert_is_stopped(f, stop_while_waiting, 100);
	store_mem_set_auto(f->s, true);
}
