/*
 * disk_record.c - preloaded into a process, writes what it does to its files to a log.
 *
 * What is synchronous is logged twice, before the call and behind it; what leaves by
 * a socket is logged before it leaves, everything else when it is done. So an answer
 * never seems to have left later than it did, nor a file to be safer than it was.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "tests/support/disk_log.h"
#include "tests/support/preload.h"

#define PARTS_MAX 128

static int log_fd = -1;
static _Atomic uint32_t marks;

__attribute__((constructor)) static void record_start(void)
{
	const char *path = getenv(DISK_LOG_VARIABLE);
	log_fd = path == NULL ? -1
			      : (int)syscall(SYS_openat, AT_FDCWD, path,
					     O_WRONLY | O_APPEND | O_CLOEXEC);
}

/* The first `len` bytes of the parts behind an event. A log that cannot be written proves nothing. */
static void record_parts(struct disk_event e, const struct iovec *parts, int n, size_t len)
{
	struct iovec all[PARTS_MAX + 1] = {{&e, sizeof(e)}};
	int before = errno, k = 1;
	if (log_fd < 0) {
		return;
	}
	e.len = (uint32_t)len;
	for (int i = 0; i < n && len > 0; i++) {
		if (k > PARTS_MAX) {
			abort();
		}
		all[k] = parts[i];
		all[k].iov_len = parts[i].iov_len < len ? parts[i].iov_len : len;
		len -= all[k++].iov_len;
	}
	if (syscall(SYS_writev, log_fd, all, k) != (long)(sizeof(e) + e.len)) {
		abort();
	}
	errno = before;
}

static void record(struct disk_event e)
{
	record_parts(e, NULL, 0, 0);
}

/* ---- bytes ---- */

static uint64_t new_mark(void)
{
	return (uint64_t)getpid() << DISK_MARK_SHIFT | (atomic_fetch_add(&marks, 1) + 1);
}

static size_t length_of(const struct iovec *parts, int n)
{
	size_t len = 0;
	for (int i = 0; i < n; i++) {
		len += parts[i].iov_len;
	}
	return len;
}

typedef ssize_t write_fn(int fd, const struct iovec *parts, int n, off_t at, void *real);

/* at: -1 where the file's position says where to. */
static ssize_t recorded(int fd, const struct iovec *parts, int n, off_t at, write_fn *call,
			void *real)
{
	struct stat st;
	int before = errno;
	bool is_known = log_fd >= 0 && fstat(fd, &st) == 0;
	struct disk_event e = {.kind = DISK_WRITE};
	errno = before;
	if (is_known && S_ISSOCK(st.st_mode)) {
		e.kind = DISK_SENT;
		record_parts(e, parts, n, length_of(parts, n));
	}
	if (!is_known || !S_ISREG(st.st_mode)) {
		return call(fd, parts, n, at, real);
	}
	e.file = st.st_ino;
	e.at = (uint64_t)(at >= 0 ? at : lseek(fd, 0, SEEK_CUR));
	if ((fcntl(fd, F_GETFL) & O_DSYNC) != 0) {
		e.mark = new_mark();
		record_parts(e, parts, n, length_of(parts, n));
	}
	ssize_t done = call(fd, parts, n, at, real);
	if (e.mark == 0 && done > 0) {
		record_parts(e, parts, n, (size_t)done);
	} else if (e.mark != 0 && done == (ssize_t)length_of(parts, n)) {
		record((struct disk_event){.kind = DISK_DONE, .mark = e.mark});
	}
	return done;
}

static ssize_t call_write(int fd, const struct iovec *parts, int n, off_t at, void *real)
{
	(void)n;
	(void)at;
	return (*(ssize_t(**)(int, const void *, size_t))real)(fd, parts->iov_base, parts->iov_len);
}

static ssize_t call_writev(int fd, const struct iovec *parts, int n, off_t at, void *real)
{
	(void)at;
	return (*(ssize_t(**)(int, const struct iovec *, int))real)(fd, parts, n);
}

static ssize_t call_pwrite(int fd, const struct iovec *parts, int n, off_t at, void *real)
{
	(void)n;
	return (*(ssize_t(**)(int, const void *, size_t, off_t))real)(fd, parts->iov_base,
								      parts->iov_len, at);
}

/* They are read only, whatever struct iovec says. */
static struct iovec part_of(const void *data, size_t len)
{
	union {
		const void *in;
		void *out;
	} bytes = {.in = data};
	return (struct iovec){bytes.out, len};
}

ssize_t write(int fd, const void *data, size_t len)
{
	REAL(write)
	struct iovec part = part_of(data, len);
	return recorded(fd, &part, 1, -1, call_write, &real);
}

ssize_t writev(int fd, const struct iovec *parts, int n)
{
	REAL(writev)
	return recorded(fd, parts, n, -1, call_writev, &real);
}

ssize_t pwrite(int fd, const void *data, size_t len, off_t at)
{
	REAL(pwrite)
	struct iovec part = part_of(data, len);
	return recorded(fd, &part, 1, at, call_pwrite, &real);
}

ssize_t pwrite64(int fd, const void *data, size_t len, off64_t at)
{
	REAL(pwrite64)
	struct iovec part = part_of(data, len);
	return recorded(fd, &part, 1, at, call_pwrite, &real);
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
	REAL(sendmsg)
	const struct iovec *parts = message->msg_iov;
	int n = (int)message->msg_iovlen;
	record_parts((struct disk_event){.kind = DISK_SENT}, parts, n, length_of(parts, n));
	return real(fd, message, flags);
}

static int synced(int fd, int (*real)(int fd))
{
	struct stat st;
	struct disk_event e = {.kind = DISK_SYNC, .mark = new_mark()};
	if (fstat(fd, &st) == 0) {
		e.file = st.st_ino;
	}
	record(e);
	int result = real(fd);
	if (result == 0) {
		e.kind = DISK_DONE;
		record(e);
	}
	return result;
}

int fsync(int fd)
{
	REAL(fsync)
	return synced(fd, real);
}

int fdatasync(int fd)
{
	REAL(fdatasync)
	return synced(fd, real);
}

static void resized(int fd)
{
	struct stat st;
	if (log_fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
		record((struct disk_event){.kind = DISK_RESIZE,
					   .file = st.st_ino,
					   .at = (uint64_t)st.st_size});
	}
}

int ftruncate(int fd, off_t len)
{
	REAL(ftruncate)
	int result = real(fd, len);
	if (result == 0) {
		resized(fd);
	}
	return result;
}

int posix_fallocate(int fd, off_t at, off_t len)
{
	REAL(posix_fallocate)
	int result = real(fd, at, len);
	if (result == 0) {
		resized(fd);
	}
	return result;
}

/* ---- names ---- */

static void whole_path(int at, const char *path, char out[PATH_MAX])
{
	char link[64], directory[PATH_MAX] = "";
	(void)snprintf(link, sizeof(link), at == AT_FDCWD ? "/proc/self/cwd" : "/proc/self/fd/%d",
		       at);
	ssize_t n = path[0] == '/' ? 0 : readlink(link, directory, sizeof(directory) - 1);
	if (n < 0 || (size_t)snprintf(out, PATH_MAX, "%.*s%s%s", (int)n, directory,
				      n > 0 ? "/" : "", path) >= PATH_MAX) {
		abort();
	}
}

static void record_names(enum disk_kind kind, int at, const char *path, const char *second)
{
	char names[2][PATH_MAX];
	struct stat st = {.st_ino = 0};
	int before = errno;
	struct iovec parts[2];
	int n = second == NULL ? 1 : 2;
	whole_path(at, path, names[0]);
	if (second != NULL) {
		whole_path(AT_FDCWD, second, names[1]);
	}
	(void)lstat(names[0], &st);
	for (int i = 0; i < n; i++) {
		parts[i] = part_of(names[i], strlen(names[i]) + 1);
	}
	record_parts((struct disk_event){.kind = (uint32_t)kind, .file = st.st_ino}, parts, n,
		     length_of(parts, n));
	errno = before;
}

/* The mode is there only where a file may be made. */
static mode_t mode_of(int flags, va_list args)
{
	bool makes = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
	return makes ? va_arg(args, mode_t) : 0;
}

static int opened(int at, const char *path, int flags, mode_t mode,
		  int (*real)(int at, const char *path, int flags, ...))
{
	bool may_make = log_fd >= 0 && (flags & O_CREAT) != 0;
	bool is_new = may_make && syscall(SYS_faccessat, at, path, F_OK) != 0;
	int fd = real(at, path, flags, mode);
	if (fd >= 0 && is_new) {
		record_names(DISK_MAKE, at, path, NULL);
	} else if (fd >= 0 && (flags & O_TRUNC) != 0) {
		resized(fd);
	}
	return fd;
}

#define OPEN(name, openat)                                        \
	int name(const char *path, int flags, ...)                \
	{                                                         \
		REAL(openat)                                      \
		va_list args;                                     \
		va_start(args, flags);                            \
		mode_t mode = mode_of(flags, args);               \
		va_end(args);                                     \
		return opened(AT_FDCWD, path, flags, mode, real); \
	}                                                         \
	int openat(int at, const char *path, int flags, ...)      \
	{                                                         \
		REAL(openat)                                      \
		va_list args;                                     \
		va_start(args, flags);                            \
		mode_t mode = mode_of(flags, args);               \
		va_end(args);                                     \
		return opened(at, path, flags, mode, real);       \
	}
OPEN(open, openat)
OPEN(open64, openat64)

int mkdir(const char *path, mode_t mode)
{
	REAL(mkdir)
	int result = real(path, mode);
	if (result == 0) {
		record_names(DISK_MAKE_DIRECTORY, AT_FDCWD, path, NULL);
	}
	return result;
}

char *mkdtemp(char *path)
{
	REAL(mkdtemp)
	char *made = real(path);
	if (made != NULL) {
		record_names(DISK_MAKE_DIRECTORY, AT_FDCWD, made, NULL);
	}
	return made;
}

int link(const char *from, const char *to)
{
	REAL(link)
	int result = real(from, to);
	if (result == 0) {
		record_names(DISK_LINK, AT_FDCWD, from, to);
	}
	return result;
}

int rename(const char *from, const char *to)
{
	REAL(rename)
	int result = real(from, to);
	if (result == 0) {
		record_names(DISK_RENAME, AT_FDCWD, from, to);
	}
	return result;
}

int unlink(const char *path)
{
	REAL(unlink)
	int result = real(path);
	if (result == 0) {
		record_names(DISK_UNLINK, AT_FDCWD, path, NULL);
	}
	return result;
}

int unlinkat(int at, const char *path, int flags)
{
	REAL(unlinkat)
	int result = real(at, path, flags);
	if (result == 0) {
		record_names(DISK_UNLINK, at, path, NULL);
	}
	return result;
}

int rmdir(const char *path)
{
	REAL(rmdir)
	int result = real(path);
	if (result == 0) {
		record_names(DISK_UNLINK, AT_FDCWD, path, NULL);
	}
	return result;
}
