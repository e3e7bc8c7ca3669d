/*
 * private_server_stop.c - the end of the user's own `ayed`: the kernel says which process listens on
 * its socket, which is asked to stop as by the system, and waited for.
 */
#define _GNU_SOURCE /* struct ucred, syscall() */
#include "client/cli/reach/private_server.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

/* The process that listens there; 0: none. */
static pid_t private_server_pid(const char *socket_path)
{
	struct sockaddr_un name = {.sun_family = AF_UNIX};
	struct ucred who = {.pid = 0};
	socklen_t who_len = sizeof(who);
	size_t len = strlen(socket_path);
	int fd = len < sizeof(name.sun_path) ? socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0) : -1;
	if (fd < 0) {
		return 0;
	}
	memcpy(name.sun_path, socket_path, len + 1);
	bool is_told = connect(fd, (const struct sockaddr *)&name, sizeof(name)) == 0 &&
		       getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &who_len) == 0;
	(void)close(fd);
	return is_told && who.uid == geteuid() ? who.pid : 0;
}

static int64_t private_server_now_ms(void)
{
	struct timespec now;
	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Whether the process of the pidfd ends in time; a signal of ours in between changes nothing. */
static bool private_server_ends(int fd)
{
	struct pollfd end = {.fd = fd, .events = POLLIN};
	int64_t until = private_server_now_ms() + PRIVATE_SERVER_READY_MS;
	int64_t left = PRIVATE_SERVER_READY_MS;
	int n;
	do {
		n = poll(&end, 1, (int)left);
		left = until - private_server_now_ms();
	} while (n < 0 && errno == EINTR && left > 0);
	return n == 1;
}

enum err private_server_stop(const char *socket_path, struct errmsg *why)
{
	pid_t pid = private_server_pid(socket_path);
	int fd = pid > 0 ? (int)syscall(SYS_pidfd_open, pid, 0) : -1;
	if (fd < 0) {
		errmsg_set(why, "cannot find the process of your own server: %s",
			   pid > 0 ? strerror(errno) : "another user's, or none");
		return ERR_CLOSED;
	}
	private_server_note(socket_path, true);
	/* By the pidfd: the number could be another process's by now. */
	bool is_over = syscall(SYS_pidfd_send_signal, fd, SIGTERM, NULL, 0) == 0 &&
		       private_server_ends(fd);
	(void)close(fd);
	if (!is_over) {
		errmsg_set(why, "your own server (process %d) did not stop", (int)pid);
	}
	return is_over ? OK : ERR_CLOSED;
}
