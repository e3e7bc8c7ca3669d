/*
 * test_io.c - every write and every sync of a commit fails once.
 *
 * LMDB calls the C library through the linker's tables, so the functions of the
 * same name here come first. Only the nth call from now fails; which call
 * wrote what is not known here, only what must hold afterwards.
 */
#define _DEFAULT_SOURCE
#include "fixture.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "store/admin/admin.h"

static atomic_long calls_left = -1; /* until the one that fails; negative: none will */
static atomic_int fails_with;
static atomic_int has_failed;

static bool io_fails(void)
{
	if (atomic_load(&calls_left) < 0 || atomic_fetch_sub(&calls_left, 1) != 0) {
		return false;
	}
	atomic_store(&has_failed, 1);
	errno = atomic_load(&fails_with);
	return true;
}

ssize_t pwrite(int fd, const void *data, size_t len, off_t at)
{
	return io_fails() ? -1 : (ssize_t)syscall(SYS_pwrite64, fd, data, len, at);
}

ssize_t writev(int fd, const struct iovec *parts, int n)
{
	return io_fails() ? -1 : (ssize_t)syscall(SYS_writev, fd, parts, n);
}

int fdatasync(int fd)
{
	return io_fails() ? -1 : (int)syscall(SYS_fdatasync, fd);
}

static bool on_problem(void *arg, struct slice line)
{
	(void)arg;
	(void)line;
	return true;
}

/* What one walk came to. */
struct outcome {
	unsigned failed;  /* nothing written, and the store went on */
	unsigned unknown; /* and the store stopped */
};

static void assert_goes_on(struct fixture *f, const char *before)
{
	struct store_status status;
	assert_load(f, "ROOM:A", "USER:", before);
	put_seat(f, "ROOM:A", "USER:b", "9");
	store_status(f->s, &status);
	assert_true(status.state != STORE_BROKEN);
}

static void assert_stopped(struct fixture *f)
{
	struct store_status status;
	store_status(f->s, &status);
	assert_int_equal(status.state, STORE_BROKEN);
	assert_int_equal(commit_op(f, op_put("ROOM:A", "USER:b", value_seat("9"))).e, ERR_IO);
}

/* One commit of two items with its nth call failing. False where it has no nth call. */
static bool io_walk_once(long nth, int code, struct outcome *outcome)
{
	struct fixture f;
	struct admin_counts counts;
	struct errmsg why;
	char seat[512];
	struct slice value = value_seat("2");

	memcpy(seat, value.data, value.len);
	value.data = seat;
	struct store_op ops[] = {op_put("ROOM:A", "USER:a", value),
				 op_put("ROOM:A", "USER:c", value)};
	struct store_commit c = {.token = token_of(3), .ops = ops, .n = 2, .now_ms = NOW};
	fixture_open(&f, FIXTURE_LMDB);
	put_seat(&f, "ROOM:A", "USER:a", "1");
	put_seat(&f, "ROOM:A", "USER:a", "1");

	atomic_store(&fails_with, code);
	atomic_store(&has_failed, 0);
	atomic_store(&calls_left, nth);
	enum err e = commit_all(&f, &c).e;
	atomic_store(&calls_left, -1);

	if (e == ERR_UNKNOWN) {
		outcome->unknown++;
		assert_stopped(&f);
	} else if (e != OK) {
		assert_true(e == ERR_IO || e == ERR_FULL);
		outcome->failed++;
		assert_goes_on(&f, "USER:a=1@2");
	}
	fixture_reopen(&f);
	/* The token settles what was unknown: both items once, whatever had happened. */
	assert_int_equal(commit_all(&f, &c).e, OK);
	struct answer a = load(&f, "ROOM:A", "USER:");
	assert_non_null(strstr(a.text, "USER:a=2@"));
	assert_non_null(strstr(a.text, "USER:c=2@"));
	assert_int_equal(admin_check(f.directory, NO_SLICE, on_problem, NULL, &counts, &why), OK);
	fixture_close(&f);
	return atomic_load(&has_failed) == 1;
}

static struct outcome io_walk(int code)
{
	struct outcome outcome = {0, 0};
	long nth = 0;
	while (io_walk_once(nth, code, &outcome)) {
		nth++;
		assert_true(nth < 100);
	}
	assert_true(nth >= 3);
	return outcome;
}

TEST(an_error_before_the_meta_page_costs_the_commit_and_no_more)
{
	struct outcome outcome = io_walk(EIO);
	assert_true(outcome.failed >= 2);
}

TEST(no_space_costs_the_commit_and_no_more)
{
	struct outcome outcome = io_walk(ENOSPC);
	assert_true(outcome.failed >= 2);
}

TEST(only_the_meta_page_leaves_an_outcome_unknown)
{
	assert_int_equal(io_walk(EIO).unknown, 1);
}
