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
#include <unistd.h>

void notify_manager(const char *state)
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
	(void)sendto(fd, state, strlen(state), MSG_NOSIGNAL, (const struct sockaddr *)&to, to_len);
	(void)close(fd);
}
