/*
 * test_page_check.c - loads from a file that is damaged while it is open: never a wrong answer. And which
 * data are walked whole when they are opened.
 *
 * pread() of the C library is named again here, and counted.
 */
#define _DEFAULT_SOURCE
#include "fixture.h"

#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

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
		assert_int_equal(commit_begin(f, &c, &answer), OK);
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

/* What follows a large answer is read in another snapshot. */
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

enum { LOADED = 0, SOME_REFUSED = 10 };

/* In a process of its own: LMDB may end it. */
static int load_without(struct fixture *f, const char *path, off_t at, const struct answer *sound)
{
	static const char zeroes[PAGE];
	pid_t child = fork();
	int how, result = LOADED;
	assert_true(child >= 0);
	if (child > 0) {
		assert_int_equal(waitpid(child, &how, 0), child);
		return WIFSIGNALED(how) ? WTERMSIG(how) : WEXITSTATUS(how);
	}
	(void)close(STDERR_FILENO); /* LMDB's last words */
	if (fixture_try_open(f) != OK) {
		_exit(1);
	}
	int fd = open(path, O_WRONLY);
	if (pwrite(fd, zeroes, PAGE, at) != PAGE) {
		_exit(1);
	}
	for (size_t i = 0; i < LOADS; i++) {
		struct answer a = load_of(f, &loads[i]);
		if (a.e == OK && (a.n != sound[i].n || strcmp(a.text, sound[i].text) != 0)) {
			_exit(2);
		}
		result = a.e != OK ? SOME_REFUSED : result;
	}
	_exit(result);
}

/* Loads are as before or refused, or the process ends by a fault and says nothing. */
LMDB_TEST(a_page_that_is_lost_while_it_is_served_is_never_taken_for_an_empty_one, f)
{
	static struct answer sound[LOADS];
	char path[128], page[PAGE];
	unsigned refused = 0, ended = 0;
	furnish(f, ROUNDS);
	for (size_t i = 0; i < LOADS; i++) {
		sound[i] = load_of(f, &loads[i]);
		assert_int_equal(sound[i].e, OK);
	}
	store_close(f->s);
	f->s = NULL;
	f->boot = "this";
	format_to(path, sizeof(path), "%s/data.mdb", f->directory);
	int fd = open(path, O_RDWR);
	assert_true(fd >= 0);
	for (off_t at = 2 * PAGE; pread(fd, page, PAGE, at) == PAGE; at += PAGE) {
		int how = load_without(f, path, at, sound);
		assert_int_equal(pwrite(fd, page, PAGE, at), PAGE);
		bool has_ended = how == SIGABRT || how == SIGSEGV || how == SIGBUS;
		if (how != LOADED && how != SOME_REFUSED && !has_ended) {
			fail_msg("page %ld: %d", (long)(at / PAGE), how);
		}
		refused += how == SOME_REFUSED;
		ended += has_ended;
	}
	close(fd);
	assert_true(refused + ended > 2 * LOADS);
	assert_int_equal(fixture_try_open(f), OK);
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

/* In a process of its own, which does not close them. */
static void be_killed(struct fixture *f, bool by_a_fault)
{
	int how;
	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		if (fixture_try_open(f) != OK) {
			_exit(1);
		}
		put_many(f, "ROOM:B", 'b', 40, 300);
		if (by_a_fault) {
			store_lmdb_fault();
		}
		(void)kill(getpid(), SIGKILL);
	}
	assert_int_equal(waitpid(child, &how, 0), child);
	assert_true(WIFSIGNALED(how) && WTERMSIG(how) == SIGKILL);
}

/* LMDB copies what it changes: a killed process leaves a file as whole as one that closed it. */
LMDB_TEST(data_of_a_killed_process_are_walked_only_where_the_machine_went_down, f)
{
	char path[128];
	unsigned long pages = 300; /* at least */
	put_many(f, "ROOM:A", 'a', 3000, 300);
	store_close(f->s);
	f->s = NULL;
	f->boot = "this";
	be_killed(f, false);
	assert_in_range(reads_of_opening(f), 1, 60);
	be_killed(f, false);
	f->boot = "next";
	assert_in_range(reads_of_opening(f), pages, 5000);
	be_killed(f, false);
	f->boot = NULL;
	assert_in_range(reads_of_opening(f), pages, 5000);
	be_killed(f, false);
	assert_in_range(reads_of_opening(f), pages, 5000);
	f->boot = "this";
	be_killed(f, true);
	assert_in_range(reads_of_opening(f), pages, 5000);
	be_killed(f, false);
	replace_data(f);
	assert_in_range(reads_of_opening(f), pages, 5000);
	be_killed(f, false);
	be_killed(f, false);
	path_in(path, f, "data.mdb");
	assert_int_equal(truncate(path, (off_t)pages / 2 * PAGE), 0);
	reads = 0;
	assert_int_equal(fixture_try_open(f), ERR_CORRUPT);
	assert_in_range(reads, 1, 60);
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
