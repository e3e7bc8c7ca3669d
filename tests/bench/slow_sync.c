/*
 * slow_sync.c - preloaded into a server, counts what makes it wait for the disk.
 *
 * Counted is each fsync(), fdatasync(), and each write to a descriptor that was
 * opened with O_DSYNC or O_SYNC: LMDB may write its root that way.
 *
 * AYE_BENCH_SYNCS     file with room for one uint64_t, mapped and counted up
 * AYE_BENCH_SYNC_US   so many us more for each; unset: none
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "tests/support/preload.h"

#define DESCRIPTORS_MAX 65536

static _Atomic uint64_t *syncs;
static long extra_us;
static _Atomic bool is_synchronous[DESCRIPTORS_MAX];

__attribute__((constructor)) static void slow_sync_start(void)
{
	const char *path = getenv("AYE_BENCH_SYNCS");
	const char *us = getenv("AYE_BENCH_SYNC_US");
	int fd = path == NULL ? -1 : open(path, O_RDWR | O_CLOEXEC);
	extra_us = us == NULL ? 0 : strtol(us, NULL, 10);
	if (fd >= 0) {
		void *at = mmap(NULL, sizeof(*syncs), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		syncs = at == MAP_FAILED ? NULL : at;
		(void)close(fd);
	}
}

static void slow_sync_count(void)
{
	struct timespec more = {.tv_sec = extra_us / 1000000, .tv_nsec = extra_us % 1000000 * 1000};
	int before = errno;
	if (syncs != NULL) {
		atomic_fetch_add(syncs, 1);
	}
	while (extra_us > 0 && nanosleep(&more, &more) != 0) {
	}
	errno = before;
}

static int mark(int fd, int flags)
{
	if (fd >= 0 && fd < DESCRIPTORS_MAX) {
		is_synchronous[fd] = (flags & (O_DSYNC | O_SYNC)) != 0;
	}
	return fd;
}

int fsync(int fd)
{
	REAL(fsync)
	int result = real(fd);
	slow_sync_count();
	return result;
}

int fdatasync(int fd)
{
	REAL(fdatasync)
	int result = real(fd);
	slow_sync_count();
	return result;
}

/* The mode is there only where a file may be made. */
static mode_t mode_of(int flags, va_list args)
{
	bool makes = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
	return makes ? va_arg(args, mode_t) : 0;
}

int open(const char *path, int flags, ...)
{
	REAL(open)
	va_list args;
	va_start(args, flags);
	mode_t mode = mode_of(flags, args);
	va_end(args);
	return mark(real(path, flags, mode), flags);
}

int open64(const char *path, int flags, ...)
{
	REAL(open64)
	va_list args;
	va_start(args, flags);
	mode_t mode = mode_of(flags, args);
	va_end(args);
	return mark(real(path, flags, mode), flags);
}

int openat(int at, const char *path, int flags, ...)
{
	REAL(openat)
	va_list args;
	va_start(args, flags);
	mode_t mode = mode_of(flags, args);
	va_end(args);
	return mark(real(at, path, flags, mode), flags);
}

static ssize_t counted(int fd, ssize_t n)
{
	if (fd >= 0 && fd < DESCRIPTORS_MAX && is_synchronous[fd]) {
		slow_sync_count();
	}
	return n;
}

ssize_t write(int fd, const void *data, size_t len)
{
	REAL(write)
	return counted(fd, real(fd, data, len));
}

ssize_t writev(int fd, const struct iovec *parts, int n)
{
	REAL(writev)
	return counted(fd, real(fd, parts, n));
}

ssize_t pwrite(int fd, const void *data, size_t len, off_t at)
{
	REAL(pwrite)
	return counted(fd, real(fd, data, len, at));
}

ssize_t pwrite64(int fd, const void *data, size_t len, off64_t at)
{
	REAL(pwrite64)
	return counted(fd, real(fd, data, len, at));
}
