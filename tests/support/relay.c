/*
 * relay.c - see relay.h. close_range() is Linux, prctl() too.
 */
#define _GNU_SOURCE
#include "tests/support/relay.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define RELAY_RECEIVE_BYTES 16384

int relay_connect(int port)
{
	struct sockaddr_in to = {.sin_family = AF_INET,
				 .sin_port = htons((uint16_t)port),
				 .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	(void)setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &(int){RELAY_RECEIVE_BYTES}, sizeof(int));
	if (fd >= 0 && connect(fd, (struct sockaddr *)&to, sizeof(to)) != 0) {
		(void)close(fd);
		fd = -1;
	}
	return fd;
}

pid_t relay_start(const char *path, int port, relay_run *run)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	size_t len = strlen(path);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0 || len >= sizeof(at.sun_path)) {
		return -1;
	}
	memcpy(at.sun_path, path, len);
	(void)unlink(path);
	if (bind(fd, (struct sockaddr *)&at, sizeof(at)) != 0 || listen(fd, SOMAXCONN) != 0) {
		(void)close(fd);
		return -1;
	}
	pid_t pid = fork();
	if (pid == 0) {
		(void)prctl(PR_SET_PDEATHSIG, (unsigned long)SIGKILL);
		/* What the test has open is its own: its peers see an end where it closes one. */
		(void)dup2(fd, 3);
		(void)close_range(4, ~0U, 0);
		run(3, port);
		_exit(1);
	}
	(void)close(fd);
	return pid;
}
