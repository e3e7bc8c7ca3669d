/*
 * test_damage.c - data, disks and directories that are not as they should be. Pages are test_damage_pages.c.
 *
 * Functions of the C library that the store calls are named again here, so that
 * a test can have a file system that is not to be written to.
 */
#define _DEFAULT_SOURCE
#include "damage.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>

static bool is_read_only; /* all file systems */
static unsigned synced;	  /* directories that have data in them, and were synced */

static int open_as(const char *path, int flags, mode_t mode)
{
	if (is_read_only && (flags & (O_RDWR | O_WRONLY | O_CREAT)) != 0) {
		errno = EROFS;
		return -1;
	}
	return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int open(const char *path, int flags, ...)
{
	va_list list;
	va_start(list, flags);
	mode_t mode = (flags & O_CREAT) != 0 ? va_arg(list, mode_t) : 0;
	va_end(list);
	return open_as(path, flags, mode);
}

/* The same function under the name that programs with large files use. */
int open64(const char *path, int flags, ...);
int open64(const char *path, int flags, ...)
{
	va_list list;
	va_start(list, flags);
	mode_t mode = (flags & O_CREAT) != 0 ? va_arg(list, mode_t) : 0;
	va_end(list);
	return open_as(path, flags, mode);
}

int fsync(int fd)
{
	struct stat st;
	synced += fstatat(fd, "data.mdb", &st, 0) == 0;
	return (int)syscall(SYS_fsync, fd);
}

static int setup(void **state)
{
	static struct fixture f;
	is_read_only = false;
	fixture_open(&f, FIXTURE_LMDB);
	*state = &f;
	return 0;
}

static int teardown(void **state)
{
	is_read_only = false;
	fixture_close(*state);
	return 0;
}

#define DAMAGE_TEST(name, f) TEST_IN(name, struct fixture, f, setup, teardown)

/* ---- the file ---- */

DAMAGE_TEST(an_empty_file_is_refused_with_a_sentence, f)
{
	struct errmsg why = {""};
	struct lines lines;
	char path[128];
	put_seat(f, "ROOM:A", "USER:a", "1");
	shut(f);
	path_in(path, f, "data.mdb");
	assert_int_equal(truncate(path, 0), 0);
	assert_int_equal(open_telling(f, &lines, SLICE(""), &why), ERR_CORRUPT);
	assert_non_null(strstr(why.text, "data.mdb is empty"));
	why.text[0] = '\0';
	assert_int_equal(check(f, &lines, &why), ERR_CORRUPT);
	assert_non_null(strstr(why.text, "data.mdb is empty"));
	assert_int_equal(unlink(path), 0);
	assert_int_equal(fixture_try_open(f), OK);
}

DAMAGE_TEST(data_of_another_owner_are_refused_with_a_sentence, f)
{
	struct errmsg why = {""};
	struct lines lines;
	put_seat(f, "ROOM:A", "USER:a", "1");
	for (int i = 0; i < 2; i++) { /* the first to open them, then the owner */
		shut(f);
		assert_int_equal(open_telling(f, &lines, SLICE("one"), &why), OK);
	}
	shut(f);
	assert_int_equal(open_telling(f, &lines, SLICE("two"), &why), ERR_CONFLICT);
	assert_non_null(strstr(why.text, "server.key"));
	assert_false(exists(f, "in-use"));
	assert_int_equal(open_telling(f, &lines, SLICE("one"), &why), OK);
	assert_load(f, "ROOM:A", "", "USER:a=1@1");
}

DAMAGE_TEST(a_new_directory_is_synced_when_the_data_are_in_it, f)
{
	char path[128];
	shut(f);
	path_in(path, f, "data.mdb");
	assert_int_equal(unlink(path), 0);
	/* The mark is there, so that no other reason is left to sync. */
	path_in(path, f, "in-use");
	assert_int_equal(close(creat(path, 0600)), 0);
	synced = 0;
	assert_int_equal(fixture_try_open(f), OK);
	assert_true(synced > 0);
}

/* ---- the directory ---- */

static void assert_gone(struct fixture *f)
{
	struct store_status status;
	assert_int_equal(commit_op(f, op_put("ROOM:A", "USER:a", value_seat("2"))).e, ERR_IO);
	store_status(f->s, &status);
	assert_int_equal(status.state, STORE_GONE);
}

DAMAGE_TEST(nothing_is_acknowledged_into_a_file_that_was_removed, f)
{
	char path[128];
	put_seat(f, "ROOM:A", "USER:a", "1");
	path_in(path, f, "data.mdb");
	assert_int_equal(unlink(path), 0);
	assert_gone(f);
}

DAMAGE_TEST(nothing_is_acknowledged_into_a_file_that_another_replaced, f)
{
	char path[128], aside[128];
	put_seat(f, "ROOM:A", "USER:a", "1");
	path_in(path, f, "data.mdb");
	path_in(aside, f, "aside");
	assert_int_equal(rename(path, aside), 0);
	assert_int_equal(close(creat(path, 0600)), 0);
	assert_gone(f);
	shut(f);
	assert_true(exists(f, "in-use")); /* its owner is not known now */
	assert_int_equal(rename(aside, path), 0);
	assert_int_equal(fixture_try_open(f), OK);
	assert_load(f, "ROOM:A", "", "USER:a=1@1");
}

DAMAGE_TEST(check_and_dump_work_where_nothing_can_be_written, f)
{
	struct errmsg why = {""};
	struct lines lines, dumped = {.n = 0};
	struct admin_counts counts;
	put_seat(f, "ROOM:A", "USER:a", "1");
	is_read_only = true;
	assert_int_equal(check(f, &lines, &why), ERR_BUSY);
	assert_non_null(strstr(why.text, "in use by a server"));
	is_read_only = false;
	shut(f);
	is_read_only = true;
	assert_int_equal(check(f, &lines, &why), OK);
	assert_int_equal(admin_dump(f->directory, false, on_line, &dumped, &counts, &why), OK);
	assert_int_equal(dumped.n, 1);
	is_read_only = false;
	char path[128];
	path_in(path, f, "lock.mdb");
	assert_int_equal(unlink(path), 0);
	path_in(path, f, "writer.lock");
	assert_int_equal(unlink(path), 0);
	is_read_only = true;
	assert_int_equal(check(f, &lines, &why), OK);
	assert_false(exists(f, "lock.mdb"));
	is_read_only = false;
}

/* ---- the disk ---- */

static enum err put_once(struct fixture *f, int i)
{
	char sk[32];
	format_to(sk, sizeof(sk), "ONCE#%06d", i);
	return commit_op(f, op_put("ROOM:A", sk, value_once(1000 + i, 3000))).e;
}

DAMAGE_TEST(space_that_deletes_leave_in_the_file_is_space, f)
{
	struct store_status status;
	int n = 0;
	limit_files(12 << 20);
	while (put_once(f, n) == OK) {
		n++;
		assert_true(n < 100000);
	}
	store_status(f->s, &status);
	assert_int_equal(status.state, STORE_NEARLY_FULL);
	uint64_t used = status.bytes_used;
	assert_int_equal(commit_op(f, op_of(STORE_DELETE_PREFIX, "ROOM:A", "")).e, OK);
	put_seat(f, "ROOM:A", "USER:a", "1"); /* what a delete frees, the next but one may use */
	put_seat(f, "ROOM:A", "USER:a", "1");
	put_seat(f, "ROOM:B", "USER:b", "2");
	store_status(f->s, &status);
	assert_int_equal(status.state, STORE_OK);
	assert_true(status.bytes_used < used / 2);
	fixture_reopen(f);
	for (int i = 0; i < n / 2; i++) {
		assert_int_equal(put_once(f, i), OK);
	}
	limit_files(RLIM_INFINITY);
}

/* ---- the mark ---- */

DAMAGE_TEST(the_mark_is_there_while_the_data_are_open, f)
{
	assert_true(exists(f, "in-use"));
	shut(f);
	assert_false(exists(f, "in-use"));
	assert_int_equal(fixture_try_open(f), OK);
	assert_true(exists(f, "in-use"));
}

static bool is_unchecked(const struct fixture *f)
{
	struct store_status status;
	store_status(f->s, &status);
	return status.is_unchecked;
}

DAMAGE_TEST(data_that_were_not_closed_want_a_check_and_others_do_not, f)
{
	struct errmsg why = {""};
	struct lines lines;
	char path[128];
	assert_false(is_unchecked(f));
	put_seat(f, "ROOM:A", "USER:a", "haystack");
	put_seat(f, "ROOM:B", "USER:b", "2");
	shut(f);
	assert_true(patch(f, "haystack", "haystacc") > 0);
	assert_int_equal(open_telling(f, &lines, SLICE(""), &why), OK);
	assert_string_equal(lines.text, "");
	assert_false(is_unchecked(f));
	shut(f);
	path_in(path, f, "in-use");
	assert_int_equal(close(creat(path, 0600)), 0);
	assert_int_equal(open_telling(f, &lines, SLICE(""), &why), OK);
	assert_string_equal(lines.text, "");
	assert_true(is_unchecked(f));
	struct checking k = check_all(f);
	assert_int_equal(k.e, OK);
	assert_string_equal(k.lines, "item ROOM:A USER:a: the checksum does not match\n");
	assert_int_equal(k.problems, 1);
	assert_int_equal(load(f, "ROOM:A", "").e, ERR_CORRUPT);
	assert_load(f, "ROOM:B", "", "USER:b=2@1");
}

int main(void)
{
	(void)signal(SIGXFSZ, SIG_IGN);
	return test_run(NULL, NULL);
}
