/*
 * test_lmdb.c - what only a disk can do to us: removed, damaged, shared. Full and killed are test_lmdb_full.c and
 * test_lmdb_killed.c.
 */
#define _DEFAULT_SOURCE
#include "check.h"
#include "fixture.h"

#include <fcntl.h>
#include <lmdb.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

static atomic_long later_s; /* the clock is so much ahead */

int clock_gettime(clockid_t clock, struct timespec *out)
{
	int result = (int)syscall(SYS_clock_gettime, clock, out);
	out->tv_sec += atomic_load(&later_s);
	return result;
}

/* ---- removed ---- */

/* The writer looks once a minute; a pulse wakes it, and a second one has been through all of that. */
LMDB_TEST(data_that_were_removed_are_noticed_though_nothing_is_written, f)
{
	struct store_status status;
	char path[128];
	put_seat(f, "ROOM:A", "USER:a", "1");
	path_in(path, f, "data.mdb");
	assert_int_equal(unlink(path), 0);
	atomic_store(&later_s, 61);
	for (int pulses = 0; pulses < 3;) {
		pulses += store_pulse(f->s) ? 1 : 0;
		(void)sched_yield();
	}
	atomic_store(&later_s, 0);
	store_status(f->s, &status);
	assert_int_equal(status.state, STORE_GONE);
}

/* ---- reopening ---- */

LMDB_TEST(what_was_committed_is_there_after_reopening, f)
{
	put_seat(f, "ROOM:A", "USER:a", "5");
	put_seat(f, "ROOM:A", "USER:b", NULL);
	assert_int_equal(commit_op(f, op_put("ROOM:A", "ONCE#x", value_once(7, 4))).e, OK);
	fixture_reopen(f);
	assert_load(f, "ROOM:A", "", "ONCE#x@3 USER:a=5@1 USER:b=-@2");
	assert_string_equal(query(f, 7, 7, 1, NULL).text, "ONCE#x@3");
	put_seat(f, "ROOM:A", "USER:b", "1");
	assert_load(f, "ROOM:A", "USER:b", "USER:b=1@4");
}

/* ---- files ---- */

LMDB_TEST(files_are_private_and_do_not_leak_into_programs_we_start, f)
{
	static const char *const names[] = {"data.mdb", "lock.mdb", "writer.lock"};
	char path[128], link[128], target[256];
	struct stat st;
	size_t found = 0;

	for (size_t i = 0; i < 3; i++) {
		path_in(path, f, names[i]);
		assert_int_equal(stat(path, &st), 0);
		assert_int_equal(st.st_mode & 0777, 0600);
	}
	for (int fd = 0; fd < 256; fd++) {
		format_to(link, sizeof(link), "/proc/self/fd/%d", fd);
		ssize_t n = readlink(link, target, sizeof(target) - 1);
		target[n > 0 ? n : 0] = '\0';
		if (strstr(target, f->directory) != NULL) {
			assert_true((fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0);
			found++;
		}
	}
	assert_true(found >= 3);
}

/* Whoever may write there could else have root open, make and give away any file. */
LMDB_TEST(a_lock_that_is_a_link_is_not_followed, f)
{
	static const char *const names[] = {"lock.mdb", "writer.lock"};
	char path[300], elsewhere[300];
	store_close(f->s);
	f->s = NULL;
	path_in(elsewhere, f, "elsewhere");
	for (size_t i = 0; i < 2; i++) {
		struct lines p = {.n = 0};
		struct admin_counts counts;
		struct errmsg why = {""};
		path_in(path, f, names[i]);
		(void)unlink(path);
		assert_int_equal(symlink(elsewhere, path), 0);
		enum err e =
			i == 0 ? admin_check(f->directory, NO_SLICE, on_line, &p, &counts, &why)
			       : fixture_try_open(f);
		assert_int_not_equal(e, OK);
		assert_true(i == 1 || strstr(why.text, names[i]) != NULL);
		assert_int_not_equal(access(elsewhere, F_OK), 0);
		assert_int_equal(unlink(path), 0);
	}
	assert_int_equal(fixture_try_open(f), OK);
}

LMDB_TEST(a_second_opening_for_writing_is_refused, f)
{
	struct store_lmdb_options o = {.directory = f->directory, .map_bytes = 1 << 20};
	struct errmsg why = {""};
	struct store *second;
	assert_int_equal(store_open_lmdb(&o, &second, &why), ERR_BUSY);
	assert_non_null(strstr(why.text, "another server"));
	put_seat(f, "ROOM:A", "USER:a", "5");

	/* Another process says what it got, through a pipe: its exit code may belong to a memory
	 * checker. */
	int ends[2], how = 0;
	enum err e = OK;
	assert_int_equal(pipe(ends), 0);
	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		e = store_open_lmdb(&o, &second, &why);
		_exit(write(ends[1], &e, sizeof(e)) == (ssize_t)sizeof(e) ? 0 : 1);
	}
	close(ends[1]);
	assert_int_equal(read(ends[0], &e, sizeof(e)), sizeof(e));
	close(ends[0]);
	assert_int_equal(waitpid(child, &how, 0), child);
	assert_int_equal(e, ERR_BUSY);
}

/* Another process is in a transaction, which ends when it is told so: no other one begins before. */
static pid_t hold_the_writer(const struct fixture *f, int ends[2])
{
	int began[2];
	char byte = 0;
	assert_int_equal(pipe(began), 0);
	assert_int_equal(pipe(ends), 0);
	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		MDB_env *env;
		MDB_txn *txn;
		bool holds =
			mdb_env_create(&env) == 0 && mdb_env_set_mapsize(env, f->map_bytes) == 0 &&
			mdb_env_open(env, f->directory, MDB_NOTLS, 0600) == 0 &&
			mdb_txn_begin(env, NULL, 0, &txn) == 0 && write(began[1], &byte, 1) == 1;
		close(ends[1]);
		_exit(holds && read(ends[0], &byte, 1) == 0 ? 0 : 1);
	}
	close(began[1]);
	close(ends[0]);
	assert_int_equal(read(began[0], &byte, 1), 1);
	close(began[0]);
	return child;
}

LMDB_TEST(a_writer_gives_signs_of_life_unless_it_is_stuck, f)
{
	struct answer a = {.calls = 0};
	int ends[2], how = 0;
	assert_true(store_pulse(f->s)); /* nothing was asked for before */
	put_seat(f, "ROOM:A", "USER:a", "5");
	put_seat(f, "ROOM:A", "USER:b", "5"); /* after the first of them, it has answered */
	assert_true(store_pulse(f->s));
	put_seat(f, "ROOM:A", "USER:a", "8");
	put_seat(f, "ROOM:A", "USER:b", "8");

	pid_t child = hold_the_writer(f, ends);
	struct store_op op = op_put("ROOM:A", "ONCE#x", value_once(7, 4));
	struct store_commit c = {.ops = &op, .n = 1, .now_ms = NOW};
	assert_int_equal(commit_begin(f, &c, &a), OK);
	store_flush(f->s);
	/* At most the answer to the one before, and one as it takes the commit; a writer that goes on has given more. */
	int signs = 0;
	for (int i = 0; i < 50; i++) {
		signs += store_pulse(f->s);
		(void)nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
	}
	assert_in_range(signs, 0, 2);
	assert_false(store_pulse(f->s));
	close(ends[1]);
	assert_int_equal(waitpid(child, &how, 0), child);
	assert_int_equal(how, 0);
	while (a.calls == 0) {
		assert_int_equal(sem_wait(&f->woken), 0);
		(void)store_poll(f->s);
	}
	assert_int_equal(a.e, OK);
	put_seat(f, "ROOM:A", "USER:a", "5");
	assert_true(store_pulse(f->s));
}

LMDB_TEST(opened_read_only_it_reads_and_refuses_commits, f)
{
	struct errmsg why = {""};
	put_seat(f, "ROOM:A", "USER:a", "5");
	store_close(f->s);
	struct store_lmdb_options o = {.directory = f->directory,
				       .read_only = true,
				       .wake = fixture_wake,
				       .wake_arg = &f->woken};
	assert_int_equal(store_open_lmdb(&o, &f->s, &why), OK);
	assert_load(f, "ROOM:A", "", "USER:a=5@1");
	assert_int_equal(commit_op(f, op_of(STORE_DELETE, "ROOM:A", "USER:a")).e, ERR_CLOSED);
	assert_load(f, "ROOM:A", "", "USER:a=5@1");
}

LMDB_TEST(a_reserve_is_taken_at_once, f)
{
	struct errmsg why = {""};
	struct stat st;
	char path[128];
	store_close(f->s);
	struct store_lmdb_options o = {.directory = f->directory,
				       .map_bytes = 64 << 20,
				       .reserve_bytes = 16 << 20,
				       .wake = fixture_wake,
				       .wake_arg = &f->woken};
	assert_int_equal(store_open_lmdb(&o, &f->s, &why), OK);
	path_in(path, f, "data.mdb");
	assert_int_equal(stat(path, &st), 0);
	assert_true(st.st_size >= 16 << 20);
	assert_true(st.st_blocks * 512 >= 16 << 20);
	fixture_reopen(f);
	put_seat(f, "ROOM:A", "USER:a", "5");
}

/* ---- other people's files ---- */

/* Replace `from` by `to`, of the same length, wherever it is in data.mdb. How often it was. */
static size_t patch(const struct fixture *f, const char *from, const char *to)
{
	char path[128];
	path_in(path, f, "data.mdb");
	int fd = open(path, O_RDWR);
	assert_true(fd >= 0);
	struct stat st;
	assert_int_equal(fstat(fd, &st), 0);
	char *bytes = malloc((size_t)st.st_size);
	assert_non_null(bytes);
	assert_int_equal(read(fd, bytes, (size_t)st.st_size), st.st_size);
	size_t n = 0, len = strlen(from);
	for (size_t i = 0; i + len <= (size_t)st.st_size; i++) {
		if (memcmp(bytes + i, from, len) == 0) {
			assert_int_equal(lseek(fd, (off_t)i, SEEK_SET), (off_t)i);
			assert_int_equal(write(fd, to, len), (ssize_t)len);
			n++;
		}
	}
	free(bytes);
	close(fd);
	return n;
}

static enum err open_why(struct fixture *f, struct errmsg *why)
{
	struct store_lmdb_options o = {.directory = f->directory,
				       .map_bytes = f->map_bytes,
				       .wake = fixture_wake,
				       .wake_arg = &f->woken};
	return store_open_lmdb(&o, &f->s, why);
}

/* promise: older-version */
LMDB_TEST(another_format_is_refused_naming_both, f)
{
	struct errmsg why = {""};
	store_close(f->s);
	assert_true(patch(f, "aye table 3", "aye table 7") > 0);
	assert_int_equal(open_why(f, &why), ERR_VERSION);
	assert_non_null(strstr(why.text, "format 7"));
	assert_non_null(strstr(why.text, "format 3: use a newer one"));
	assert_true(patch(f, "aye table 7", "aye table 2") > 0);
	assert_int_equal(open_why(f, &why), ERR_VERSION);
	assert_non_null(strstr(why.text, "use an older one"));
	assert_true(patch(f, "aye table 2", "aye table 3") > 0);
	assert_int_equal(open_why(f, &why), OK);
}

LMDB_TEST(foreign_files_are_refused, f)
{
	struct errmsg why = {""};
	char path[128];
	store_close(f->s);
	assert_true(patch(f, "aye table 3", "eye table 1") > 0);
	assert_int_equal(open_why(f, &why), ERR_CORRUPT);
	path_in(path, f, "data.mdb");
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	for (int i = 0; i < 1000; i++) {
		fputs("not what it should be\n", file);
	}
	fclose(file);
	assert_int_equal(open_why(f, &why), ERR_CORRUPT);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(open_why(f, &why), OK);
}

LMDB_TEST(a_missing_directory_is_an_error_not_a_crash, f)
{
	struct store *s;
	struct errmsg why = {""};
	struct store_lmdb_options o = {.directory = "/tmp/store-test-none/none"};
	assert_int_equal(store_open_lmdb(&o, &s, &why), ERR_IO);
	assert_non_null(strstr(why.text, "/tmp/store-test-none/none"));
}

/* ---- damage ---- */

LMDB_TEST(a_damaged_value_is_found_by_loads_and_by_check, f)
{
	struct lines p = {.n = 0};
	struct admin_counts counts;
	struct errmsg why = {""};
	put_seat(f, "ROOM:A", "USER:a", "haystack");
	put_seat(f, "ROOM:B", "USER:b", "5");
	store_close(f->s);
	assert_true(patch(f, "haystack", "haystacc") > 0);
	assert_int_equal(fixture_try_open(f), OK);
	assert_int_equal(load(f, "ROOM:A", "").e, ERR_CORRUPT);
	assert_load(f, "ROOM:B", "", "USER:b=5@1");
	assert_int_equal(admin_check(f->directory, NO_SLICE, on_line, &p, &counts, &why),
			 ERR_CORRUPT);
	assert_string_equal(p.text, "item ROOM:A USER:a: the checksum does not match\n");
	assert_int_equal(counts.problems, 1);
	assert_int_equal(counts.items, 2);
}

/* Every commit of a room expects its ROOM item, whose value only loads need: it is not read through for each vote. */
LMDB_TEST(an_expectation_is_about_the_version_and_not_about_the_value, f)
{
	struct store_op op = op_of(STORE_CHECK, "ROOM:A", "USER:a");
	op.expect = STORE_EXPECT_VERSION;
	op.version = 1;
	put_seat(f, "ROOM:A", "USER:a", "haystack");
	store_close(f->s);
	assert_true(patch(f, "haystack", "haystacc") > 0);
	assert_int_equal(fixture_try_open(f), OK);
	assert_int_equal(commit_op(f, op).e, OK);
	op.version = 2;
	assert_int_equal(commit_op(f, op).e, ERR_CONFLICT);
}

/* Items of which the file has a page each. */
static void put_large(struct fixture *f, int n)
{
	for (int i = 0; i < n; i++) {
		char sk[32];
		format_to(sk, sizeof(sk), "ONCE#%d", i);
		assert_int_equal(commit_op(f, op_put("ROOM:A", sk, value_once(i, 3000))).e, OK);
	}
}

LMDB_TEST(a_file_cut_short_is_a_verdict_of_check_not_its_end, f)
{
	struct lines p = {.n = 0};
	struct admin_counts counts;
	struct errmsg why = {""};
	char path[128];
	put_large(f, 50);
	store_close(f->s);
	path_in(path, f, "data.mdb");
	assert_int_equal(truncate(path, 5 * 4096), 0);
	assert_int_equal(admin_check(f->directory, NO_SLICE, on_line, &p, &counts, &why),
			 ERR_CORRUPT);
	assert_non_null(strstr(why.text, "damaged"));
	assert_int_equal(unlink(path), 0);
	assert_int_equal(fixture_try_open(f), OK);
}

LMDB_TEST(a_file_cut_short_costs_what_was_cut_not_the_server, f)
{
	char path[128];
	put_large(f, 50);
	store_close(f->s);
	f->s = NULL;
	path_in(path, f, "data.mdb");
	unsigned noticed = 0;
	for (off_t pages = 60; pages >= 2; pages -= 2) {
		assert_int_equal(truncate(path, pages * 4096), 0);
		enum err e = fixture_try_open(f);
		noticed += e == OK ? 0 : 1;
		if (e == OK) {
			noticed += load(f, "ROOM:A", "").e == OK ? 0 : 1;
			(void)commit_op(f, op_put("ROOM:A", "USER:a", value_seat("1")));
			store_close(f->s);
			f->s = NULL;
		}
	}
	assert_true(noticed > 10);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(fixture_try_open(f), OK);
}

/* ---- together ---- */

LMDB_TEST(commits_of_one_turn_share_one_sync, f)
{
	struct answer commits = {.calls = 0};
	struct store_op op = op_put("ROOM:A", "USER:a", value_seat("1"));
	struct store_commit c = {.ops = &op, .n = 1, .now_ms = NOW};
	struct store_status status;
	struct histogram once = {.sum = 0};
	for (int i = 0; i < 100; i++) {
		assert_int_equal(commit_begin(f, &c, &commits), OK);
	}
	fixture_drain(f);
	assert_int_equal(commits.calls, 100);
	store_status(f->s, &status);
	histogram_add(&once, HISTOGRAM_SIZE, 100);
	assert_memory_equal(&status.batch, &once, sizeof(once));
}

LMDB_TEST(a_flush_is_enough_for_what_was_called_to_happen, f)
{
	struct answer commits = {.calls = 0}, loads = {.calls = 0};
	struct store_op op = op_put("ROOM:A", "USER:a", value_seat("1"));
	struct store_commit c = {.ops = &op, .n = 1, .now_ms = NOW};
	assert_int_equal(commit_begin(f, &c, &commits), OK);
	store_load(f->s, &(struct store_load){.pk = SLICE("ROOM:B")}, on_items, &loads);
	store_flush(f->s);
	while (commits.calls == 0 || loads.calls == 0) {
		while (sem_wait(&f->woken) != 0) {
		}
		(void)store_poll(f->s);
	}
	assert_int_equal(commits.e, OK);
	assert_int_equal(loads.e, OK);
}
