/*
 * files.c - the wrappers that files.h describes; see --wrap in ld(1).
 */
#include "tests/support/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>
#include <unistd.h>

int __real_open(const char *path, int flags, ...);
ssize_t __real_write(int fd, const void *data, size_t len);
int __real_fsync(int fd);
int __real_rename(const char *from, const char *to);
int __real_close(int fd);
int __wrap_open(const char *path, int flags, ...);
ssize_t __wrap_write(int fd, const void *data, size_t len);
int __wrap_fsync(int fd);
int __wrap_rename(const char *from, const char *to);
int __wrap_close(int fd);

/* Atomic, because code under test may have threads of its own. */
static _Atomic size_t calls_left = SIZE_MAX; /* until the one that fails; SIZE_MAX: none will */
static _Atomic int fails_with;
static _Atomic int fails_call;
static _Atomic bool failed;

void files_fail_nth(enum files_call call, size_t nth, int error)
{
	fails_call = (int)call;
	fails_with = error;
	failed = false;
	calls_left = nth;
}

void files_fail_never(void)
{
	calls_left = SIZE_MAX;
}

bool files_has_failed(void)
{
	return failed;
}

static bool files_refuses(enum files_call call)
{
	if (fails_call != FILES_ANY && fails_call != (int)call) {
		return false;
	}
	size_t left = calls_left;
	while (left > 0 && left != SIZE_MAX) {
		if (atomic_compare_exchange_weak(&calls_left, &left, left - 1)) {
			return false;
		}
	}
	if (left == SIZE_MAX) {
		return false;
	}
	calls_left = SIZE_MAX;
	failed = true;
	errno = fails_with;
	return true;
}

int __wrap_open(const char *path, int flags, ...)
{
	va_list rest;
	va_start(rest, flags);
	mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
	va_end(rest);
	return files_refuses(FILES_OPEN) ? -1 : __real_open(path, flags, mode);
}

ssize_t __wrap_write(int fd, const void *data, size_t len)
{
	return files_refuses(FILES_WRITE) ? -1 : __real_write(fd, data, len);
}

int __wrap_fsync(int fd)
{
	return files_refuses(FILES_FSYNC) ? -1 : __real_fsync(fd);
}

int __wrap_rename(const char *from, const char *to)
{
	return files_refuses(FILES_RENAME) ? -1 : __real_rename(from, to);
}

int __wrap_close(int fd)
{
	bool is_refused = files_refuses(FILES_CLOSE);
	int status = __real_close(fd);
	if (is_refused) {
		errno = fails_with;
		return -1;
	}
	return status;
}
