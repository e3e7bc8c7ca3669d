/*
 * test_damage.c - data, disks and directories that are not as they should be.
 *
 * Functions of the C library that the store calls are named again here, so that
 * a test can have a file system that is not to be written to.
 */
#define _DEFAULT_SOURCE
#include "fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "store/admin/admin.h"
#include "store/key.h"

#define PAGE 4096

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
	fixture_open(&f, true);
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

struct lines {
	unsigned n;
	char text[8192];
};

static void take_line(struct lines *l, struct slice line)
{
	size_t len = strlen(l->text);
	l->n++;
	format_to(l->text + len, sizeof(l->text) - len, "%.*s\n", (int)line.len, line.data);
}

static bool on_line(void *arg, struct slice line)
{
	take_line(arg, line);
	return true;
}

static void on_damage(void *arg, struct slice line)
{
	take_line(arg, line);
}

static enum err open_telling(struct fixture *f, struct lines *damage, struct slice owner,
			     struct errmsg *why)
{
	struct store_lmdb_options o = {.directory = f->directory,
				       .map_bytes = f->map_bytes,
				       .owner = owner,
				       .on_damage = on_damage,
				       .on_damage_arg = damage,
				       .wake = fixture_wake,
				       .wake_arg = &f->woken};
	*damage = (struct lines){.n = 0};
	return store_open_lmdb(&o, &f->s, why);
}

static void shut(struct fixture *f)
{
	store_close(f->s);
	f->s = NULL;
}

static enum err check(const struct fixture *f, struct lines *problems, struct errmsg *why)
{
	struct admin_counts counts;
	*problems = (struct lines){.n = 0};
	return admin_check(f->directory, on_line, problems, &counts, why);
}

static void path_in(char out[128], const struct fixture *f, const char *name)
{
	format_to(out, 128, "%s/%s", f->directory, name);
}

static bool exists(const struct fixture *f, const char *name)
{
	char path[128];
	struct stat st;
	path_in(path, f, name);
	return stat(path, &st) == 0;
}

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
	assert_non_null(strstr(why.text, "a server has these data open"));
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

static void limit_files(rlim_t bytes)
{
	struct rlimit limit;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = bytes;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
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

static size_t patch(const struct fixture *f, const char *from, const char *to)
{
	char path[128], page[PAGE];
	size_t n = 0, len = strlen(from);
	path_in(path, f, "data.mdb");
	int fd = open(path, O_RDWR);
	assert_true(fd >= 0);
	for (off_t at = 0; pread(fd, page, PAGE, at) == PAGE; at += PAGE) {
		for (size_t i = 0; i + len <= PAGE; i++) {
			if (memcmp(page + i, from, len) == 0) {
				memcpy(page + i, to, len);
				n++;
			}
		}
		assert_int_equal(pwrite(fd, page, PAGE, at), PAGE);
	}
	close(fd);
	return n;
}

DAMAGE_TEST(data_that_were_not_closed_are_checked_and_others_are_not, f)
{
	struct errmsg why = {""};
	struct lines lines;
	char path[128];
	put_seat(f, "ROOM:A", "USER:a", "haystack");
	put_seat(f, "ROOM:B", "USER:b", "2");
	shut(f);
	assert_true(patch(f, "haystack", "haystacc") > 0);
	assert_int_equal(open_telling(f, &lines, SLICE(""), &why), OK);
	assert_string_equal(lines.text, "");
	shut(f);
	path_in(path, f, "in-use");
	assert_int_equal(close(creat(path, 0600)), 0);
	assert_int_equal(open_telling(f, &lines, SLICE(""), &why), OK);
	assert_non_null(strstr(lines.text, "item ROOM:A USER:a: the checksum does not hold\n"));
	assert_non_null(strstr(lines.text, ": 1 problems\n"));
	assert_int_equal(load(f, "ROOM:A", "").e, ERR_CORRUPT);
	assert_load(f, "ROOM:B", "", "USER:b=2@2");
}

/* ---- pages ---- */

static unsigned below(uint64_t *random, unsigned n)
{
	*random ^= *random << 13;
	*random ^= *random >> 7;
	*random ^= *random << 17;
	return (unsigned)(*random >> 33) % n;
}

/* Trees of three levels, long values, free pages, indexes: whatever the engine makes holds together. */
DAMAGE_TEST(what_the_engine_writes_has_no_problems, f)
{
	struct errmsg why = {""};
	struct lines lines;
	uint64_t random = 1;
	static struct answer answer;
	for (int turn = 0; turn < 6; turn++) {
		for (int i = 0; i < 1500; i++) {
			char pk[16], sk[64];
			format_to(pk, sizeof(pk), "ROOM:%03u", below(&random, 60));
			format_to(sk, sizeof(sk), "ONCE#%u-a-rather-long-key-for-a-key",
				  below(&random, 60));
			struct store_op op =
				below(&random, 4) == 0
					? op_of(below(&random, 40) == 0 ? STORE_DELETE_PREFIX
									: STORE_DELETE,
						pk, sk)
					: op_put(pk, sk,
						 value_once((int64_t)i,
							    below(&random, 20) == 0
								    ? 9000
								    : 20 + (size_t)i % 300));
			struct store_commit c = {.ops = &op, .n = 1, .now_ms = NOW};
			assert_int_equal(store_commit(f->s, &c, on_commit, &answer), OK);
			if (i % 20 == 0) {
				fixture_drain(f);
			}
		}
		fixture_drain(f);
		assert_int_equal(check(f, &lines, &why), OK);
		shut(f);
		assert_int_equal(open_telling(f, &lines, SLICE(""), &why), OK);
		assert_string_equal(lines.text, "");
	}
	assert_false(exists(f, "data.mdb.damaged-1"));
}

static void furnish(struct fixture *f)
{
	for (int room = 0; room < 10; room++) {
		for (int seat = 0; seat < 50; seat++) {
			char pk[16], sk[32];
			format_to(pk, sizeof(pk), "ROOM:%c", 'A' + room);
			format_to(sk, sizeof(sk), "USER:%04d-%c", seat, 'A' + room);
			put_seat(f, pk, sk, "1");
		}
	}
	shut(f);
}

/* The leaf with this text in use: of several, what was written last has the highest number or is the only sound one. */
static off_t page_with(const struct fixture *f, const char *text)
{
	char path[128], page[PAGE];
	off_t found = -1;
	uint64_t newest = 0;
	path_in(path, f, "data.mdb");
	int fd = open(path, O_RDONLY);
	assert_true(fd >= 0);
	for (off_t at = 2 * PAGE; pread(fd, page, PAGE, at) == PAGE; at += PAGE) {
		for (size_t i = 0; i + strlen(text) + 32 <= PAGE; i++) {
			/* Behind the key is the head of the stored value: checksum, listing, version. */
			if (memcmp(page + i, text, strlen(text)) == 0 && page[10] == 2) {
				uint64_t version = key_get_u64((const unsigned char *)page + i +
							       strlen(text) + 8);
				version &= UINT64_MAX >> 8;
				if (version >= newest) {
					newest = version;
					found = at;
				}
			}
		}
	}
	close(fd);
	assert_true(found > 0);
	return found;
}

static void copy_page(const struct fixture *f, off_t from, off_t to)
{
	char path[128], page[PAGE];
	path_in(path, f, "data.mdb");
	int fd = open(path, O_RDWR);
	assert_true(fd >= 0);
	if (from < 0) {
		memset(page, 0, PAGE);
	} else {
		assert_int_equal(pread(fd, page, PAGE, from), PAGE);
	}
	assert_int_equal(pwrite(fd, page, PAGE, to), PAGE);
	close(fd);
}

DAMAGE_TEST(check_finds_a_page_in_the_place_of_another, f)
{
	struct errmsg why = {""};
	struct lines lines;
	furnish(f);
	assert_int_equal(check(f, &lines, &why), OK);
	copy_page(f, page_with(f, "USER:0001-C"), page_with(f, "USER:0001-H"));
	assert_int_equal(check(f, &lines, &why), ERR_CORRUPT);
	assert_non_null(strstr(lines.text, "of items: another page, or none, is in its place"));
	assert_int_equal(fixture_try_open(f), OK);
}

DAMAGE_TEST(partitions_on_a_damaged_page_are_refused_and_others_live_on, f)
{
	struct errmsg why = {""};
	struct lines lines;
	furnish(f);
	copy_page(f, -1, page_with(f, "USER:0025-E"));
	for (int i = 0; i < 2; i++) { /* and when they are opened again */
		assert_int_equal(open_telling(f, &lines, SLICE("owner"), &why), OK);
		assert_int_equal(lines.n > 0, i == 0);
		assert_int_equal(load(f, "ROOM:E", "").e, ERR_CORRUPT);
		assert_int_equal(commit_op(f, op_put("ROOM:E", "USER:x", value_seat("1"))).e,
				 ERR_CORRUPT);
		assert_int_equal(commit_op(f, op_of(STORE_DELETE_PREFIX, "ROOM:E", "")).e,
				 ERR_CORRUPT);
		assert_int_equal(load(f, "ROOM:A", "").n, 50 - (unsigned)i);
		assert_int_equal(load(f, "ROOM:J", "").n, 50);
		char sk[32];
		format_to(sk, sizeof(sk), "USER:%04d-A", i);
		assert_int_equal(commit_op(f, op_of(STORE_DELETE, "ROOM:A", sk)).e, OK);
		shut(f);
	}
	assert_true(exists(f, "data.mdb.damaged-1"));
	assert_false(exists(f, "data.mdb.damaged-2"));
	assert_int_equal(check(f, &lines, &why), ERR_CORRUPT);
	assert_int_equal(lines.n, 1);
	assert_non_null(strstr(lines.text, "these partitions are refused"));
	assert_int_equal(fixture_try_open(f), OK);
}

DAMAGE_TEST(a_page_damaged_while_it_is_served_costs_its_partition_and_no_more, f)
{
	struct errmsg why = {""};
	struct lines lines;
	furnish(f);
	assert_int_equal(fixture_try_open(f), OK);
	assert_int_equal(load(f, "ROOM:E", "").n, 50);
	off_t at = page_with(f, "USER:0025-E");
	copy_page(f, page_with(f, "USER:0025-G"), at);
	assert_int_equal(load(f, "ROOM:E", "").e, ERR_CORRUPT);
	copy_page(f, -1, at);
	assert_int_equal(load(f, "ROOM:E", "").e, ERR_CORRUPT);
	assert_int_equal(load(f, "ROOM:A", "").n, 50);
	assert_int_equal(load(f, "ROOM:J", "").n, 50);
	assert_int_equal(load(f, "ROOM:G", "").n, 50);
	put_seat(f, "ROOM:J", "USER:0001-J", "2");
	shut(f);
	assert_int_equal(open_telling(f, &lines, SLICE(""), &why), OK);
	assert_true(lines.n > 0);
	assert_int_equal(load(f, "ROOM:E", "").e, ERR_CORRUPT);
	assert_int_equal(load(f, "ROOM:J", "").n, 50);
}

static bool page_has(const char *page, struct slice bytes)
{
	for (size_t i = 0; i + bytes.len <= PAGE; i++) {
		if (memcmp(page + i, bytes.data, bytes.len) == 0) {
			return true;
		}
	}
	return false;
}

DAMAGE_TEST(a_damaged_index_is_made_anew_and_nothing_is_refused, f)
{
	struct errmsg why = {""};
	struct lines lines;
	char before[sizeof(((struct answer *)NULL)->text)];
	put_seat(f, "ROOM:A", "USER:a", "5");
	for (int i = 0; i < 10; i++) {
		char sk[32];
		format_to(sk, sizeof(sk), "ONCE#%d", i);
		assert_int_equal(commit_op(f, op_put("ROOM:A", sk, value_once(i, 4))).e, OK);
	}
	memcpy(before, query(f, 0, 100, 20, NULL).text, sizeof(before));
	shut(f);
	/* The only leaf with an index's keys that leads to this item and not with its value. */
	char path[128], page[PAGE];
	path_in(path, f, "data.mdb");
	int fd = open(path, O_RDWR);
	assert_true(fd >= 0);
	unsigned harmed = 0;
	for (off_t at = 2 * PAGE; pread(fd, page, PAGE, at) == PAGE; at += PAGE) {
		bool has_entry = page_has(page, SLICE("ROOM:A\0ONCE#9"));
		bool has_item = page_has(page, SLICE("ROOM:A\0USER:a"));
		if (has_entry && !has_item) {
			page[12] = 0; /* its lower bound */
			assert_int_equal(pwrite(fd, page, PAGE, at), PAGE);
			harmed++;
		}
	}
	close(fd);
	assert_true(harmed > 0);
	assert_int_equal(open_telling(f, &lines, SLICE(""), &why), OK);
	assert_true(lines.n > 0);
	assert_string_equal(query(f, 0, 100, 20, NULL).text, before);
	assert_int_equal(load(f, "ROOM:A", "").n, 11);
	shut(f);
	assert_int_equal(check(f, &lines, &why), OK);
	assert_int_equal(fixture_try_open(f), OK);
}

int main(void)
{
	(void)signal(SIGXFSZ, SIG_IGN);
	return test_run(NULL, NULL);
}
