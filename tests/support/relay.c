/*
 * relay.c - see relay.h. close_range() is Linux, prctl() too.
 */
#define _GNU_SOURCE
#include "tests/support/relay.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define RELAY_CONNS_MAX	    512
#define RELAY_RECEIVE_BYTES 16384 /* of the kernel's, so that a reader who stops is noticed soon */

struct relay {
	const struct relay_way *way;
	int listener;
	const char *to;
	int port;
	char *conns; /* RELAY_CONNS_MAX of way->bytes */
};

static struct relayed *relay_conn(const struct relay *r, size_t i)
{
	void *at = r->conns + i * r->way->bytes;
	return at;
}

/* The length of a unix socket's address; 0: its path is too long. */
static socklen_t relay_address(const char *path, struct sockaddr_un *at)
{
	size_t len = strlen(path);
	*at = (struct sockaddr_un){.sun_family = AF_UNIX};
	if (len >= sizeof(at->sun_path)) {
		return 0;
	}
	memcpy(at->sun_path, path, len);
	return sizeof(*at);
}

static int relay_connect(const struct relay *r)
{
	struct sockaddr_un relay;
	struct sockaddr_in server = {.sin_family = AF_INET,
				     .sin_port = htons((uint16_t)r->port),
				     .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	struct sockaddr *to = (struct sockaddr *)&server;
	socklen_t len = sizeof(server);
	if (r->to != NULL) {
		to = (struct sockaddr *)&relay;
		len = relay_address(r->to, &relay);
	}
	int fd = socket(to->sa_family, SOCK_STREAM, 0);
	(void)setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &(int){RELAY_RECEIVE_BYTES}, sizeof(int));
	if (fd >= 0 && connect(fd, to, len) != 0) {
		(void)close(fd);
		fd = -1;
	}
	return fd;
}

static void relay_close(const struct relay *r, struct relayed *c)
{
	(void)close(c->plain);
	(void)close(c->server);
	r->way->finish(c);
	c->plain = -1;
}

static void relay_accept(const struct relay *r)
{
	size_t i = 0;
	while (i < RELAY_CONNS_MAX && relay_conn(r, i)->plain != -1) {
		i++;
	}
	if (i == RELAY_CONNS_MAX) {
		return; /* it waits in the socket */
	}
	struct relayed *c = relay_conn(r, i);
	memset(c, 0, r->way->bytes);
	c->plain = accept(r->listener, NULL, NULL);
	c->server = relay_connect(r);
	if (c->plain < 0 || c->server < 0 || !r->way->begin(c)) {
		relay_close(r, c);
	}
}

static void relay_watch(const struct relay *r, const struct relayed *c, struct pollfd polls[2])
{
	struct relay_wish wish = {0};
	if (c->plain != -1) {
		wish = r->way->wishes(c);
	}
	/* poll() tells of a hang-up whether it is asked for or not, again and again. */
	polls[0] = (struct pollfd){wish.plain == 0 ? -1 : c->plain, wish.plain, 0};
	polls[1] = (struct pollfd){wish.server == 0 ? -1 : c->server, wish.server, 0};
}

static void relay_go_on(const struct relay *r, struct relayed *c, const struct pollfd polls[2])
{
	bool goes_on = true;
	if (polls[0].revents != 0 && (polls[0].events & POLLIN) != 0) {
		goes_on = r->way->take_plain(c);
	}
	if (goes_on && polls[1].revents != 0 && (polls[1].events & POLLIN) != 0) {
		goes_on = r->way->take_server(c);
	}
	if (!r->way->give(c) || !goes_on) {
		relay_close(r, c);
	}
}

static void relay_run(const struct relay *r)
{
	static struct pollfd polls[2 * RELAY_CONNS_MAX + 1];
	struct pollfd *newcomers = &polls[2 * RELAY_CONNS_MAX];
	for (;;) {
		*newcomers = (struct pollfd){.fd = r->listener, .events = POLLIN};
		for (size_t i = 0; i < RELAY_CONNS_MAX; i++) {
			relay_watch(r, relay_conn(r, i), &polls[2 * i]);
		}
		(void)poll(polls, sizeof(polls) / sizeof(polls[0]), -1);
		for (size_t i = 0; i < RELAY_CONNS_MAX; i++) {
			if (polls[2 * i].revents != 0 || polls[2 * i + 1].revents != 0) {
				relay_go_on(r, relay_conn(r, i), &polls[2 * i]);
			}
		}
		if (newcomers->revents != 0) {
			relay_accept(r);
		}
	}
}

/* In the new process, which it ends. */
static void relay_serve(struct relay *r)
{
	r->conns = calloc(RELAY_CONNS_MAX, r->way->bytes);
	(void)prctl(PR_SET_PDEATHSIG, (unsigned long)SIGKILL);
	/* What the test has open is its own: its peers see an end where it closes one. */
	r->listener = dup2(r->listener, 3);
	(void)close_range(4, ~0U, 0);
	if (r->conns == NULL) {
		_exit(1);
	}
	for (size_t i = 0; i < RELAY_CONNS_MAX; i++) {
		relay_conn(r, i)->plain = -1;
	}
	relay_run(r);
}

pid_t relay_start(const char *path, const char *to, int port, const struct relay_way *way)
{
	struct sockaddr_un at;
	socklen_t len = relay_address(path, &at);
	struct relay r = {.way = way, .to = to, .port = port};
	r.listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (r.listener < 0 || len == 0) {
		return -1;
	}
	(void)unlink(path);
	if (bind(r.listener, (struct sockaddr *)&at, len) != 0 ||
	    listen(r.listener, SOMAXCONN) != 0) {
		(void)close(r.listener);
		return -1;
	}
	pid_t pid = fork();
	if (pid == 0) {
		relay_serve(&r);
	}
	(void)close(r.listener);
	return pid;
}
