/*
 * test_lmdb.c - what only a disk can do to us: full, killed, damaged, shared.
 */
#define _DEFAULT_SOURCE
#include "fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <lmdb.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#include "store/admin/admin.h"

static atomic_long later_s; /* the clock is so much ahead */

int clock_gettime(clockid_t clock, struct timespec *out)
{
	int result = (int)syscall(SYS_clock_gettime, clock, out);
	out->tv_sec += atomic_load(&later_s);
	return result;
}

static int setup_small(void **state)
{
	static struct fixture f;
	fixture_init(&f, true);
	f.map_bytes = 1 << 20;
	assert_int_equal(fixture_try_open(&f), OK);
	*state = &f;
	return 0;
}

#define SMALL_LMDB_TEST(name, f) TEST_IN(name, struct fixture, f, setup_small, fixture_teardown)

static void path_in(char *out, size_t cap, const struct fixture *f, const char *name)
{
	format_to(out, cap, "%s/%s", f->directory, name);
}

struct problems {
	unsigned n;
	char text[1024];
};

static bool on_problem(void *arg, struct slice line)
{
	struct problems *p = arg;
	size_t len = strlen(p->text);
	p->n++;
	format_to(p->text + len, sizeof(p->text) - len, "%.*s\n", (int)line.len, line.data);
	return true;
}

static void assert_check_clean(const struct fixture *f)
{
	struct problems p = {.n = 0};
	struct admin_counts counts;
	struct errmsg why = {""};
	enum err e = admin_check(f->directory, NO_SLICE, on_problem, &p, &counts, &why);
	assert_string_equal(p.text, "");
	assert_string_equal(why.text, "");
	assert_int_equal(e, OK);
}

/* ---- removed ---- */

/* The writer looks once a minute; a pulse wakes it, and a second one has been through all of that. */
LMDB_TEST(data_that_were_removed_are_noticed_though_nothing_is_written, f)
{
	struct store_status status;
	char path[128];
	put_seat(f, "ROOM:A", "USER:a", "1");
	path_in(path, sizeof(path), f, "data.mdb");
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
		path_in(path, sizeof(path), f, names[i]);
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
	path_in(elsewhere, sizeof(elsewhere), f, "elsewhere");
	for (size_t i = 0; i < 2; i++) {
		struct problems p = {.n = 0};
		struct admin_counts counts;
		struct errmsg why = {""};
		path_in(path, sizeof(path), f, names[i]);
		(void)unlink(path);
		assert_int_equal(symlink(elsewhere, path), 0);
		enum err e =
			i == 0 ? admin_check(f->directory, NO_SLICE, on_problem, &p, &counts, &why)
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
	assert_int_equal(store_commit(f->s, &c, on_commit, &a), OK);
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
	path_in(path, sizeof(path), f, "data.mdb");
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
	path_in(path, sizeof(path), f, "data.mdb");
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
	path_in(path, sizeof(path), f, "data.mdb");
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
	struct problems p = {.n = 0};
	struct admin_counts counts;
	struct errmsg why = {""};
	put_seat(f, "ROOM:A", "USER:a", "haystack");
	put_seat(f, "ROOM:B", "USER:b", "5");
	store_close(f->s);
	assert_true(patch(f, "haystack", "haystacc") > 0);
	assert_int_equal(fixture_try_open(f), OK);
	assert_int_equal(load(f, "ROOM:A", "").e, ERR_CORRUPT);
	assert_load(f, "ROOM:B", "", "USER:b=5@2");
	assert_int_equal(admin_check(f->directory, NO_SLICE, on_problem, &p, &counts, &why),
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
	struct problems p = {.n = 0};
	struct admin_counts counts;
	struct errmsg why = {""};
	char path[128];
	put_large(f, 50);
	store_close(f->s);
	path_in(path, sizeof(path), f, "data.mdb");
	assert_int_equal(truncate(path, 5 * 4096), 0);
	assert_int_equal(admin_check(f->directory, NO_SLICE, on_problem, &p, &counts, &why),
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
	path_in(path, sizeof(path), f, "data.mdb");
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
	for (int i = 0; i < 100; i++) {
		assert_int_equal(store_commit(f->s, &c, on_commit, &commits), OK);
	}
	fixture_drain(f);
	assert_int_equal(commits.calls, 100);
	store_status(f->s, &status);
	assert_int_equal(status.commits, 100);
	assert_int_equal(status.syncs, 1);
}

LMDB_TEST(a_flush_is_enough_for_what_was_called_to_happen, f)
{
	struct answer commits = {.calls = 0}, loads = {.calls = 0};
	struct store_op op = op_put("ROOM:A", "USER:a", value_seat("1"));
	struct store_commit c = {.ops = &op, .n = 1, .now_ms = NOW};
	assert_int_equal(store_commit(f->s, &c, on_commit, &commits), OK);
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

/* ---- full ---- */

static enum err put_once(struct fixture *f, int i, size_t bytes)
{
	char sk[32];
	format_to(sk, sizeof(sk), "ONCE#%06d", i);
	return commit_op(f, op_put("ROOM:A", sk, value_once(1000 + i, bytes))).e;
}

/* Put new items until there is no room for more; how many went in. */
static int fill(struct fixture *f, int from)
{
	int i = from;
	enum err e;
	while ((e = put_once(f, i, 1500)) == OK) {
		i++;
		assert_true(i < 100000);
	}
	assert_int_equal(e, ERR_FULL);
	return i;
}

SMALL_LMDB_TEST(a_full_map_refuses_new_items_only_and_recovers_by_deletes, f)
{
	struct store_status status;
	put_seat(f, "ROOM:B", "USER:a", "1");
	int n = fill(f, 0);
	assert_true(n > 50);
	store_status(f->s, &status);
	assert_int_equal(status.state, STORE_NEARLY_FULL);
	assert_true(status.bytes_used >= status.bytes_max / 5 * 4);
	put_seat(f, "ROOM:B", "USER:a", "2");
	assert_int_equal(put_once(f, 0, 1500), OK);
	assert_int_equal(load(f, "ROOM:A", "").n, n);
	for (int i = 0; i < n; i += 2) {
		char sk[32];
		format_to(sk, sizeof(sk), "ONCE#%06d", i);
		assert_int_equal(commit_op(f, op_of(STORE_DELETE, "ROOM:A", sk)).e, OK);
	}
	assert_int_equal(commit_op(f, op_of(STORE_DELETE_PREFIX, "ROOM:A", "")).e, OK);
	put_seat(f, "ROOM:B", "USER:b", "3");
	store_status(f->s, &status);
	assert_int_equal(status.state, STORE_OK);
	assert_true(fill(f, 0) > n / 2);
	assert_check_clean(f);
}

static enum err put_item(struct fixture *f, int i)
{
	static char note[1500];
	char sk[32];
	format_to(sk, sizeof(sk), "ITEM#i_%06d", i);
	memset(note, 'n', sizeof(note));
	struct item_item item = {.created_on = NOW,
				 .updated_on = NOW,
				 .group_id = SLICE("g_a"),
				 .name = SLICE("Flour"),
				 .category = SLICE("none"),
				 .note = slice_of(note, sizeof(note)),
				 .created_at = NOW,
				 .revision = 1};
	return commit_op(f, op_put("CONTAINER:c_a", sk, value_of(&record_item_item, &item))).e;
}

SMALL_LMDB_TEST(the_last_tenth_is_for_rooms_and_sessions, f)
{
	struct store_status status;
	int n = 0;
	enum err e;
	while ((e = put_item(f, n)) == OK) {
		assert_true(++n < 100000);
	}
	assert_int_equal(e, ERR_FULL);
	store_status(f->s, &status);
	assert_int_equal(status.state, STORE_RESERVING);
	assert_in_range(status.bytes_used, status.bytes_max / 10 * 7, status.bytes_max / 10 * 8);
	put_seat(f, "ROOM:B", "USER:a", "1");
	assert_true(fill(f, 0) > n / 20);
	store_status(f->s, &status);
	assert_int_equal(status.state, STORE_NEARLY_FULL);
	assert_int_equal(put_item(f, 0), OK);
	assert_int_equal(commit_op(f, op_of(STORE_DELETE_PREFIX, "CONTAINER:c_a", "")).e, OK);
	put_seat(f, "ROOM:B", "USER:b", "3");
	assert_int_equal(put_item(f, 0), OK);
	store_status(f->s, &status);
	assert_int_equal(status.state, STORE_OK);
	assert_check_clean(f);
}

SMALL_LMDB_TEST(overwrites_that_do_not_fit_fail_alone_and_deletes_beside_them_go_through, f)
{
	struct answer grown = {.calls = 0}, deleted[20] = {{.calls = 0}};
	int n = fill(f, 0);
	bool was_refused = false;
	for (int i = 0; i < 20; i++) {
		char sk[32];
		format_to(sk, sizeof(sk), "ONCE#%06d", i);
		struct store_op grow = op_put("ROOM:A", sk, value_once(1, 60000));
		struct store_commit c = {.ops = &grow, .n = 1, .now_ms = NOW};
		assert_int_equal(store_commit(f->s, &c, on_commit, &grown), OK);
		format_to(sk, sizeof(sk), "ONCE#%06d", n - 1 - i);
		struct store_op del = op_of(STORE_DELETE, "ROOM:A", sk);
		c.ops = &del;
		assert_int_equal(store_commit(f->s, &c, on_commit, &deleted[i]), OK);
	}
	fixture_drain(f);
	was_refused = grown.e == ERR_FULL;
	assert_true(was_refused);
	for (int i = 0; i < 20; i++) {
		assert_int_equal(deleted[i].e, OK);
	}
	assert_check_clean(f);
}

static void limit_files(rlim_t bytes)
{
	struct rlimit limit;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = bytes;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

LMDB_TEST(a_full_disk_refuses_new_items_and_recovers_without_restart, f)
{
	struct store_status status;
	struct stat st;
	char path[128];

	put_seat(f, "ROOM:B", "USER:a", "1");
	path_in(path, sizeof(path), f, "data.mdb");
	assert_int_equal(stat(path, &st), 0);
	limit_files((rlim_t)st.st_size);
	int n = fill(f, 0);
	store_status(f->s, &status);
	assert_int_equal(status.state, STORE_NEARLY_FULL);
	put_seat(f, "ROOM:B", "USER:a", "2");
	assert_int_equal(put_once(f, 0, 1500), OK);
	assert_int_equal(commit_op(f, op_of(STORE_DELETE, "ROOM:A", "ONCE#000001")).e, OK);
	limit_files(RLIM_INFINITY);
	assert_int_equal(put_once(f, n, 1500), OK);
	store_status(f->s, &status);
	assert_int_equal(status.state, STORE_OK);
	assert_int_equal(load(f, "ROOM:A", "").n, n);
	assert_check_clean(f);
}

LMDB_TEST(a_disk_that_takes_nothing_fails_commits_whole_and_reads_go_on, f)
{
	put_seat(f, "ROOM:A", "USER:a", "1");
	for (int i = 0; i < 40; i++) {
		assert_int_equal(put_once(f, i, 1500), OK);
	}
	limit_files(4096);
	for (int i = 0; i < 3; i++) {
		struct answer a = commit_op(f, op_put("ROOM:A", "USER:a", value_seat("2")));
		assert_int_equal(a.e, ERR_FULL);
		assert_load(f, "ROOM:A", "USER:", "USER:a=1@1");
	}
	limit_files(RLIM_INFINITY);
	put_seat(f, "ROOM:A", "USER:a", "3");
	assert_load(f, "ROOM:A", "USER:", "USER:a=3@42");
	fixture_reopen(f);
	assert_load(f, "ROOM:A", "USER:", "USER:a=3@42");
	assert_check_clean(f);
}

/* ---- killed ---- */

struct storm {
	struct fixture *f;
	int fd;
	unsigned next;
};

static void storm_commit(struct storm *storm);

static void on_stormed(void *arg, enum err e, uint64_t version, bool has_more)
{
	struct storm *storm = arg;
	(void)has_more;
	if (e != OK || write(storm->fd, &version, sizeof(version)) != (ssize_t)sizeof(version)) {
		_exit(1);
	}
	storm_commit(storm);
}

/* Four seats at once with the same vote: whole, or not at all. */
static void storm_commit(struct storm *storm)
{
	static const char *const seats[] = {"USER:a", "USER:b", "USER:c", "USER:d"};
	struct store_op ops[5];
	char vote[32], once[32], seat[512], result[512];
	format_to(vote, sizeof(vote), "%u", storm->next);
	format_to(once, sizeof(once), "ONCE#%u", storm->next % 50);
	struct slice value = value_seat(vote);
	memcpy(seat, value.data, value.len);
	for (int i = 0; i < 4; i++) {
		ops[i] = op_put("ROOM:A", seats[i], slice_of(seat, value.len));
	}
	value = value_once(storm->next, 100);
	memcpy(result, value.data, value.len);
	ops[4] = op_put("ROOM:A", once, slice_of(result, value.len));
	storm->next++;
	struct store_commit c = {.ops = ops,
				 .n = 5,
				 .now_ms = NOW,
				 .token = token_of((unsigned char)storm->next)};
	memcpy(c.token.bytes, &storm->next, sizeof(storm->next));
	if (store_commit(storm->f->s, &c, on_stormed, storm) != OK) {
		_exit(1);
	}
}

static _Noreturn void storm_main(struct fixture *f, int fd, unsigned next)
{
	struct storm storm = {.f = f, .fd = fd, .next = next};
	if (fixture_try_open(f) != OK) {
		_exit(1);
	}
	for (int i = 0; i < 8; i++) {
		storm_commit(&storm);
	}
	fixture_drain(f);
	_exit(1);
}

LMDB_TEST(killed_at_any_moment_nothing_acknowledged_is_lost, f)
{
	uint64_t acknowledged = 0;
	store_close(f->s);
	for (unsigned round = 0; round < 20; round++) {
		int ends[2], how = 0;
		assert_int_equal(pipe(ends), 0);
		pid_t child = fork();
		assert_true(child >= 0);
		if (child == 0) {
			close(ends[0]);
			storm_main(f, ends[1], (unsigned)acknowledged + 1000);
		}
		close(ends[1]);
		for (unsigned n = 1 + round * round; n > 0; n--) {
			assert_int_equal(read(ends[0], &acknowledged, sizeof(acknowledged)),
					 sizeof(acknowledged));
		}
		assert_int_equal(kill(child, SIGKILL), 0);
		assert_int_equal(waitpid(child, &how, 0), child);
		assert_true(WIFSIGNALED(how));
		while (read(ends[0], &acknowledged, sizeof(acknowledged)) ==
		       (ssize_t)sizeof(acknowledged)) {
		}
		close(ends[0]);
		assert_check_clean(f);
		assert_int_equal(fixture_try_open(f), OK);
		struct answer a = load(f, "ROOM:A", "USER:");
		assert_int_equal(a.n, 4);
		assert_true(a.version >= acknowledged);
		/* All four have the vote and the version of one commit. */
		char *end = strchr(a.text, ' ');
		assert_non_null(end);
		size_t len = (size_t)(end - a.text) - strlen("USER:a");
		for (int i = 0; i < 4; i++) {
			const char *at = a.text + (size_t)i * (len + strlen("USER:a "));
			assert_memory_equal(at + strlen("USER:a"), a.text + strlen("USER:a"), len);
		}
		acknowledged = a.version;
		store_close(f->s);
	}
	assert_int_equal(fixture_try_open(f), OK);
}

int main(void)
{
	(void)signal(SIGXFSZ, SIG_IGN);
	return test_run(NULL, NULL);
}
