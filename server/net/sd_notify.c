/*
 * sd_notify.c - one datagram to the service manager's socket.
 *
 * By hand, since the protocol is this small and a library for it would be one
 * more thing to install. Failures are ignored.
 */
#include "server/net/sd_notify.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "proto/base/format.h"
#include "proto/text/decimal.h"

static void notify_send(const char *state, int flags)
{
	const char *path = getenv("NOTIFY_SOCKET");
	struct sockaddr_un to = {.sun_family = AF_UNIX};
	size_t len = path == NULL ? 0 : strlen(path);
	if (len < 2 || len >= sizeof(to.sun_path) || (path[0] != '/' && path[0] != '@')) {
		return;
	}
	memcpy(to.sun_path, path, len);
	if (path[0] == '@') {
		to.sun_path[0] = '\0'; /* the abstract namespace */
	}
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0) {
		return;
	}
	socklen_t to_len = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len);
	(void)sendto(fd, state, strlen(state), MSG_NOSIGNAL | flags, (const struct sockaddr *)&to,
		     to_len);
	(void)close(fd);
}

void sd_notify_manager(const char *state)
{
	notify_send(state, 0);
}

void sd_notify_progress(const char *state)
{
	notify_send(state, MSG_DONTWAIT);
}

void sd_notify_reloading(void)
{
	char state[64];
	struct timespec now = {0};
	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	int64_t us = (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
	(void)format_to(state, sizeof(state), "RELOADING=1\nMONOTONIC_USEC=%lld", (long long)us);
	sd_notify_manager(state);
}

int64_t sd_notify_watchdog_ms(void)
{
	const char *period = getenv("WATCHDOG_USEC");
	const char *pid = getenv("WATCHDOG_PID");
	int64_t us = 0;
	int64_t wanted = 0;
	if (period == NULL || !decimal_read(slice_str(period), 1, INT64_MAX, &us) ||
	    (pid != NULL && (!decimal_read(slice_str(pid), 1, INT64_MAX, &wanted) ||
			     wanted != (int64_t)getpid()))) {
		return 0;
	}
	return us < 1000 ? 1 : us / 1000;
}
