/*
 * redis_poll.c - sockets that do not block, and one poll(2) for all of them.
 */
#include "tests/support/redis_poll.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include <utlist.h>

#include "store/redis/link/redis_address.h"
#include "store/redis/link/redis_link.h"
#include "tests/support/test.h"

#define WIRES_MAX	 16
#define POLL_WAIT_MS_MAX 1000 /* so that a condition is looked at now and then */

struct redis_poll_wire {
	struct redis_poll_wire *prev, *next;
	struct redis_poll *poll;
	struct redis_link *link;
	const struct redis_address *address;
	int fd; /* -1: no connection */
	bool is_opening;
	bool is_blocked;
	bool is_detached; /* freed at the end of run() */
	int failed;	  /* errno of open(), reported by run(); 0: none */
	int64_t wake_ms;
};

static int64_t poll_now(void *arg)
{
	const struct redis_poll *p = arg;
	struct timespec t;
	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000 + p->ahead_ms;
}

static uint64_t poll_random(void *arg)
{
	struct redis_poll *p = arg;
	return p->random = p->random * 6364136223846793005U + 1442695040888963407U;
}

static void *poll_attach(void *arg, struct redis_link *link, const struct redis_address *address)
{
	struct redis_poll *p = arg;
	struct redis_poll_wire *w = calloc(1, sizeof(*w));
	if (w == NULL) {
		return NULL;
	}
	*w = (struct redis_poll_wire){
		.poll = p, .link = link, .address = address, .fd = -1, .wake_ms = INT64_MAX};
	DL_APPEND(p->wires, w);
	return w;
}

static void poll_close(void *wire)
{
	struct redis_poll_wire *w = wire;
	if (w->fd >= 0) {
		(void)close(w->fd);
	}
	w->fd = -1;
	w->is_opening = false;
	w->is_blocked = false;
	w->failed = 0;
}

static void poll_detach(void *wire)
{
	struct redis_poll_wire *w = wire;
	poll_close(w);
	w->is_detached = true;
	w->wake_ms = INT64_MAX;
}

static int connect_unix(struct redis_poll_wire *w)
{
	struct sockaddr_un a = {.sun_family = AF_UNIX};
	memcpy(a.sun_path, w->address->path, strlen(w->address->path) + 1);
	w->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	return connect(w->fd, (const struct sockaddr *)&a, sizeof(a));
}

static int connect_tcp(struct redis_poll_wire *w)
{
	struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST};
	struct addrinfo *found;
	assert_int_equal(getaddrinfo(w->address->at.host, w->address->at.port, &hints, &found), 0);
	w->fd = socket(found->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	int done = connect(w->fd, found->ai_addr, found->ai_addrlen);
	freeaddrinfo(found);
	return done;
}

static void poll_open(void *wire)
{
	struct redis_poll_wire *w = wire;
	assert_int_equal(w->fd, -1);
	int done = w->address->is_unix ? connect_unix(w) : connect_tcp(w);
	w->is_opening = true;
	w->failed = done != 0 && errno != EINPROGRESS ? errno : 0;
}

static size_t poll_write(void *wire, const struct slice *slices, size_t n)
{
	struct redis_poll_wire *w = wire;
	size_t taken = 0;
	for (size_t i = 0; i < n; i++) {
		ssize_t sent = send(w->fd, slices[i].data, slices[i].len, MSG_NOSIGNAL);
		taken += sent > 0 ? (size_t)sent : 0;
		if (sent < (ssize_t)slices[i].len) {
			w->is_blocked = true; /* a failure is seen by the next read */
			break;
		}
	}
	return taken;
}

static void poll_wake(void *wire, int64_t at_ms)
{
	((struct redis_poll_wire *)wire)->wake_ms = at_ms;
}

/* ---- running ---- */

static void wire_end(struct redis_poll_wire *w, const char *why)
{
	poll_close(w);
	redis_link_on_end(w->link, why);
}

static void wire_read(struct redis_poll_wire *w)
{
	char bytes[65536];
	ssize_t n = recv(w->fd, bytes, sizeof(bytes), 0);
	if (n > 0) {
		redis_link_on_bytes(w->link, slice_of(bytes, (size_t)n));
	} else if (n == 0) {
		wire_end(w, "closed");
	} else if (errno != EAGAIN) {
		wire_end(w, strerror(errno));
	}
}

static void wire_on_open(struct redis_poll_wire *w)
{
	int error = 0;
	socklen_t len = sizeof(error);
	(void)getsockopt(w->fd, SOL_SOCKET, SO_ERROR, &error, &len);
	w->is_opening = false;
	if (error != 0) {
		wire_end(w, strerror(error));
	} else {
		redis_link_on_open(w->link);
	}
}

static void wire_on_poll(struct redis_poll_wire *w, short events)
{
	if (w->fd >= 0 && w->is_opening && events != 0) {
		wire_on_open(w);
		return;
	}
	if (w->fd >= 0 && w->is_blocked && (events & POLLOUT) != 0) {
		w->is_blocked = false;
		redis_link_on_room(w->link);
	}
	if (w->fd >= 0 && (events & (POLLIN | POLLHUP | POLLERR)) != 0) {
		wire_read(w);
	}
}

static int wait_ms(struct redis_poll *p)
{
	const struct redis_poll_wire *w;
	int64_t at_ms = poll_now(p) + POLL_WAIT_MS_MAX;
	DL_FOREACH (p->wires, w) {
		at_ms = w->failed != 0 ? 0 : w->wake_ms < at_ms ? w->wake_ms : at_ms;
	}
	int64_t ms = at_ms - poll_now(p);
	return ms > 0 ? (int)ms : 0;
}

static void free_detached(struct redis_poll *p)
{
	struct redis_poll_wire *w;
	struct redis_poll_wire *next;
	DL_FOREACH_SAFE (p->wires, w, next) {
		if (w->is_detached) {
			DL_DELETE(p->wires, w);
			free(w);
		}
	}
}

static void poll_run(void *arg)
{
	struct redis_poll *p = arg;
	struct redis_poll_wire *wires[WIRES_MAX];
	struct pollfd fds[WIRES_MAX];
	struct redis_poll_wire *w;
	nfds_t n = 0;
	free_detached(p);
	DL_FOREACH (p->wires, w) {
		assert_in_range(n, 0, WIRES_MAX - 1);
		wires[n] = w;
		fds[n] = (struct pollfd){.fd = w->fd, .events = POLLIN};
		fds[n].events |= w->is_opening || w->is_blocked ? POLLOUT : 0;
		n++;
	}
	assert_true(poll(fds, n, wait_ms(p)) >= 0 || errno == EINTR);
	for (nfds_t i = 0; i < n; i++) {
		w = wires[i];
		if (w->failed != 0) {
			wire_end(w, strerror(w->failed));
		} else if (w->fd == fds[i].fd) {
			wire_on_poll(w, fds[i].revents);
		}
		if (poll_now(p) >= w->wake_ms && !w->is_detached) {
			w->wake_ms = INT64_MAX;
			redis_link_on_time(w->link);
		}
	}
	free_detached(p);
}

void redis_poll_init(struct redis_poll *p)
{
	*p = (struct redis_poll){.net = {.arg = p,
					 .now_ms = poll_now,
					 .random = poll_random,
					 .run = poll_run,
					 .attach = poll_attach,
					 .detach = poll_detach,
					 .open = poll_open,
					 .write = poll_write,
					 .close = poll_close,
					 .wake = poll_wake},
				 .random = 1};
}

void redis_poll_finish(struct redis_poll *p)
{
	free_detached(p);
	assert_null(p->wires);
}
