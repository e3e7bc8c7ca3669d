/*
 * test_page_check.c - what a load checks before LMDB reads it: every page that its
 * cursor comes to, and not the history that it leaves out. And which data are
 * walked whole when they are opened.
 *
 * pread() of the C library is named again here, and counted.
 */
#define _DEFAULT_SOURCE
#include "fixture.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>

#define PAGE   4096
#define ROUNDS 250

static atomic_uint reads;

ssize_t pread(int fd, void *out, size_t n, off_t at)
{
	atomic_fetch_add(&reads, 1);
	return syscall(SYS_pread64, fd, out, n, at);
}

/* The same function under the name that programs with large files use. */
ssize_t pread64(int fd, void *out, size_t n, off_t at);
ssize_t pread64(int fd, void *out, size_t n, off_t at)
{
	return pread(fd, out, n, at);
}

static void put_many(struct fixture *f, const char *pk, char letter, int n, size_t bytes)
{
	static struct answer answer;
	char name[32];
	for (int i = 0; i < n; i++) {
		format_to(name, sizeof(name), "ONCE#%c%03d", letter, i);
		struct store_op op = op_put(pk, name, value_once(NOW, bytes));
		struct store_commit c = {.ops = &op, .n = 1, .now_ms = NOW};
		assert_int_equal(store_commit(f->s, &c, on_commit, &answer), OK);
	}
	fixture_drain(f);
	assert_int_equal(answer.e, OK);
}

/* Items before a history (h), the history, and items behind it. */
static void furnish(struct fixture *f, int rounds)
{
	put_many(f, "ROOM:A", 'o', 30, 300);
	put_many(f, "ROOM:B", 'a', 30, 300);
	put_many(f, "ROOM:B", 'h', rounds, 900);
	put_many(f, "ROOM:B", 'i', 3, 5000);
	put_many(f, "ROOM:B", 'u', 30, 300);
	put_many(f, "ROOM:C", 'a', 30, 5000);
}

static const struct store_load loads[] = {
	{.pk = {"ROOM:B", 6}, .tail_prefix = {"ONCE#h", 6}, .tail_limit = 8},
	{.pk = {"ROOM:B", 6}, .tail_prefix = {"ONCE#h", 6}, .tail_limit = 8, .is_descending = true},
	{.pk = {"ROOM:B", 6}, .tail_prefix = {"ONCE#h", 6}},
	{.pk = {"ROOM:B", 6}, .sk_prefix = {"ONCE#h", 6}, .is_descending = true, .limit = 10},
	{.pk = {"ROOM:B", 6}, .sk_prefix = {"ONCE#h", 6}, .limit = 10},
	{.pk = {"ROOM:B", 6},
	 .sk_prefix = {"ONCE#h", 6},
	 .after = {"ONCE#h200", 9},
	 .is_descending = true,
	 .limit = 10},
	{.pk = {"ROOM:B", 6}, .sk_prefix = {"ONCE#h", 6}, .after = {"ONCE#h200", 9}, .limit = 10},
	{.pk = {"ROOM:B", 6}, .sk_prefix = {"ONCE#h100", 9}, .is_exact = true},
	{.pk = {"ROOM:B", 6}, .sk_prefix = {"ONCE#h100x", 10}, .is_exact = true},
	{.pk = {"ROOM:B", 6}, .sk_prefix = {"ONCE#h", 6}, .after = {"ONCE#u015", 9}, .limit = 3},
	{.pk = {"ROOM:B", 6},
	 .sk_prefix = {"ONCE#h", 6},
	 .after = {"ONCE#a015", 9},
	 .is_descending = true,
	 .limit = 3},
	{.pk = {"ROOM:B", 6}},
	{.pk = {"ROOM:B", 6}, .is_descending = true},
	{.pk = {"ROOM:A", 6}, .is_descending = true},
	{.pk = {"ROOM:C", 6}, .limit = 1},
	{.pk = {"ROOM:Z", 6}, .is_descending = true},
};
#define LOADS (sizeof(loads) / sizeof(loads[0]))

/* As many reads as for a room that has no more than the page. */
LMDB_TEST(a_load_looks_at_no_more_pages_where_there_is_more_history, f)
{
	unsigned few[8], many[8];
	furnish(f, 20);
	for (size_t i = 0; i < 5; i++) {
		reads = 0;
		assert_int_equal(load_of(f, &loads[i]).e, OK);
		few[i] = reads;
	}
	furnish(f, ROUNDS);
	for (size_t i = 0; i < 5; i++) {
		reads = 0;
		assert_int_equal(load_of(f, &loads[i]).e, OK);
		many[i] = reads;
		assert_in_range(many[i], 1, few[i] + 10);
	}
}

static void on_one(void *arg, enum err e, const struct store_item *items, size_t n,
		   uint64_t version, bool has_more)
{
	(void)items;
	(void)version;
	(void)has_more;
	assert_int_equal(e, OK);
	assert_int_equal(n, 1);
	(*(size_t *)arg)++;
}

#define TOGETHER 50

/* The way to the items is looked at once for all loads of a turn: a leaf for each is what is left. */
LMDB_TEST(loads_of_one_turn_look_at_the_way_to_their_items_once, f)
{
	char names[TOGETHER][16];
	size_t answered = 0;
	furnish(f, ROUNDS);
	reads = 0;
	for (size_t i = 0; i < TOGETHER; i++) {
		format_to(names[i], sizeof(names[i]), "ONCE#h%03zu", i * 4);
		store_load(f->s,
			   &(struct store_load){.pk = SLICE("ROOM:B"),
						.sk_prefix = slice_str(names[i]),
						.is_exact = true},
			   on_one, &answered);
	}
	fixture_drain(f);
	assert_int_equal(answered, TOGETHER);
	assert_in_range(reads, TOGETHER, TOGETHER + 20);
}

/* What follows a large answer is read in another snapshot, whose way is looked at anew. */
LMDB_TEST(many_large_loads_of_one_turn_are_all_answered, f)
{
	static const struct store_load all = {.pk = {"ROOM:B", 6}};
	static struct answer together[8];
	furnish(f, ROUNDS);
	struct answer alone = load_of(f, &all);
	for (size_t i = 0; i < 8; i++) {
		store_load(f->s, &all, on_items, &together[i]);
	}
	fixture_drain(f);
	for (size_t i = 0; i < 8; i++) {
		assert_int_equal(together[i].e, OK);
		assert_int_equal(together[i].n, alone.n);
		assert_string_equal(together[i].text, alone.text);
	}
}

/* A page of zeroes ends the process that LMDB takes onto it. */
LMDB_TEST(a_load_comes_to_no_page_that_was_not_looked_at, f)
{
	static struct answer sound[LOADS];
	static const char zeroes[PAGE];
	char path[128], page[PAGE];
	unsigned refused = 0;
	furnish(f, ROUNDS);
	for (size_t i = 0; i < LOADS; i++) {
		sound[i] = load_of(f, &loads[i]);
		assert_int_equal(sound[i].e, OK);
	}
	format_to(path, sizeof(path), "%s/data.mdb", f->directory);
	int fd = open(path, O_RDWR);
	assert_true(fd >= 0);
	for (off_t at = 2 * PAGE; pread(fd, page, PAGE, at) == PAGE; at += PAGE) {
		assert_int_equal(pwrite(fd, zeroes, PAGE, at), PAGE);
		for (size_t i = 0; i < LOADS; i++) {
			struct answer a = load_of(f, &loads[i]);
			refused += a.e == ERR_CORRUPT;
			if (a.e != ERR_CORRUPT) {
				assert_int_equal(a.e, OK);
				assert_int_equal(a.n, sound[i].n);
				assert_string_equal(a.text, sound[i].text);
			}
		}
		assert_int_equal(pwrite(fd, page, PAGE, at), PAGE);
	}
	close(fd);
	assert_true(refused > 2 * LOADS);
	assert_int_equal(load_of(f, &loads[0]).e, OK);
}

/* The rooms before and behind it share pages with the room. */
LMDB_TEST(a_long_value_of_another_partition_costs_this_one_nothing, f)
{
	static const char zeroes[PAGE];
	char path[128], page[PAGE];
	put_many(f, "ROOM:A", 'o', 1, 9000);
	put_many(f, "ROOM:B", 'o', 1, 100);
	put_many(f, "ROOM:C", 'o', 1, 9000);
	format_to(path, sizeof(path), "%s/data.mdb", f->directory);
	int fd = open(path, O_RDWR);
	assert_true(fd >= 0);
	unsigned harmed = 0;
	for (off_t at = 2 * PAGE; pread(fd, page, PAGE, at) == PAGE; at += PAGE) {
		if (page[10] == 4) {
			assert_int_equal(pwrite(fd, zeroes, PAGE, at), PAGE);
			harmed++;
		}
	}
	close(fd);
	assert_true(harmed >= 2);
	assert_int_equal(load(f, "ROOM:A", "").e, ERR_CORRUPT);
	assert_int_equal(load(f, "ROOM:C", "").e, ERR_CORRUPT);
	assert_int_equal(load(f, "ROOM:B", "").e, OK);
	assert_int_equal(load(f, "ROOM:B", "").n, 1);
}

/* ---- opening ---- */

static unsigned reads_of_opening(struct fixture *f)
{
	unsigned n;
	reads = 0;
	assert_int_equal(fixture_try_open(f), OK);
	n = reads;
	store_close(f->s);
	f->s = NULL;
	return n;
}

static void path_in(char out[128], const struct fixture *f, const char *name)
{
	format_to(out, 128, "%s/%s", f->directory, name);
}

/* One byte, as it was. */
static void touch_data(const struct fixture *f)
{
	char path[128], byte;
	path_in(path, f, "data.mdb");
	int fd = open(path, O_RDWR);
	assert_true(fd >= 0);
	assert_int_equal(pread(fd, &byte, 1, PAGE), 1);
	assert_int_equal(pwrite(fd, &byte, 1, PAGE), 1);
	close(fd);
}

static void replace_data(const struct fixture *f)
{
	char path[128], aside[128], page[PAGE];
	path_in(path, f, "data.mdb");
	path_in(aside, f, "aside");
	int from = open(path, O_RDONLY), to = open(aside, O_WRONLY | O_CREAT, 0600);
	assert_true(from >= 0 && to >= 0);
	for (ssize_t n; (n = read(from, page, PAGE)) > 0;) {
		assert_int_equal(write(to, page, (size_t)n), n);
	}
	close(from);
	close(to);
	assert_int_equal(rename(aside, path), 0);
}

LMDB_TEST(data_that_were_closed_are_walked_only_where_they_were_touched_since, f)
{
	char path[128];
	put_many(f, "ROOM:A", 'a', 100, 300);
	store_close(f->s);
	f->s = NULL;
	for (int i = 0; i < 2; i++) {
		assert_in_range(reads_of_opening(f), 0, 3);
		touch_data(f);
		assert_in_range(reads_of_opening(f), 10, 1000);
		assert_in_range(reads_of_opening(f), 0, 3);
		replace_data(f);
		assert_in_range(reads_of_opening(f), 10, 1000);
		assert_in_range(reads_of_opening(f), 0, 3);
		path_in(path, f, "in-use");
		assert_int_equal(close(creat(path, 0600)), 0);
		assert_in_range(reads_of_opening(f), 10, 1000);
		assert_in_range(reads_of_opening(f), 0, 3);
		path_in(path, f, "closed");
		assert_int_equal(truncate(path, 3), 0);
		assert_in_range(reads_of_opening(f), 10, 1000);
	}
	assert_int_equal(fixture_try_open(f), OK);
	assert_int_not_equal(access(path, F_OK), 0);
}

/* The writer would come upon the page: it has to be left out before. */
LMDB_TEST(data_that_were_found_damaged_are_walked_at_the_next_opening, f)
{
	static const char zeroes[PAGE];
	char path[128], page[PAGE];
	put_many(f, "ROOM:A", 'a', 1, 9000);
	path_in(path, f, "data.mdb");
	int fd = open(path, O_RDWR);
	assert_true(fd >= 0);
	for (off_t at = 2 * PAGE; pread(fd, page, PAGE, at) == PAGE; at += PAGE) {
		if (page[10] == 4) {
			assert_int_equal(pwrite(fd, zeroes, PAGE, at), PAGE);
		}
	}
	close(fd);
	assert_int_equal(load(f, "ROOM:A", "").e, ERR_CORRUPT);
	store_close(f->s);
	f->s = NULL;
	path_in(path, f, "closed");
	assert_int_not_equal(access(path, F_OK), 0);
	assert_in_range(reads_of_opening(f), 4, 1000);
	path_in(path, f, "data.mdb.damaged-1");
	assert_int_equal(access(path, F_OK), 0);
	assert_int_equal(fixture_try_open(f), OK);
}
