/*
 * set_clock.c - preloaded into a server, whose wall clock is then wrong by as many seconds as AYE_CLOCK_FILE says:
 * an int64_t, mapped, that may change at any time. The monotonic clock stays right.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "tests/support/preload.h"

static const _Atomic int64_t *wrong_by_s;

__attribute__((constructor)) static void set_clock_start(void)
{
	const char *path = getenv("AYE_CLOCK_FILE");
	int fd = path == NULL ? -1 : open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		void *at = mmap(NULL, sizeof(*wrong_by_s), PROT_READ, MAP_SHARED, fd, 0);
		wrong_by_s = at == MAP_FAILED ? NULL : at;
		(void)close(fd);
	}
}

static int64_t wrong_s(void)
{
	return wrong_by_s == NULL ? 0 : atomic_load(wrong_by_s);
}

int clock_gettime(clockid_t clock, struct timespec *t)
{
	REAL(clock_gettime)
	int result = real(clock, t);
	if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
		t->tv_sec += (time_t)wrong_s();
	}
	return result;
}

int gettimeofday(struct timeval *restrict t, void *restrict zone)
{
	REAL(gettimeofday)
	int result = real(t, zone);
	if (result == 0) {
		t->tv_sec += (time_t)wrong_s();
	}
	return result;
}

time_t time(time_t *out)
{
	REAL(time)
	time_t now = real(NULL) + (time_t)wrong_s();
	if (out != NULL) {
		*out = now;
	}
	return now;
}
