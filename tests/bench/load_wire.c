/*
 * load_wire.c - the members' sockets.
 *
 * One read a turn for each socket that has bytes, into one buffer that all
 * share; only a message that is not whole is kept. epoll and epoll_pwait2():
 * Linux.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "tests/bench/load_state.h"

#define EVENTS_MAX	   128
#define DEAF_SEGMENT_BYTES 536
#define DEAF_RECEIVE_BYTES 4096
#define READ_BYTES	   (256 * 1024)
#define MESSAGE_BYTES_MAX  ((size_t)16 << 20)

static void wire_watch(struct load *l, struct load_conn *c, bool waits)
{
	struct epoll_event e = {.events = EPOLLIN, .data.ptr = c};
	if (c->waits != waits) {
		c->waits = waits;
		e.events |= waits ? (uint32_t)EPOLLOUT : 0;
		(void)epoll_ctl(l->poller, EPOLL_CTL_MOD, c->fd, &e);
	}
}

/* 0 where it takes none now. */
static size_t wire_put(struct load *l, struct load_conn *c, const char *data, size_t len)
{
	ssize_t n = send(c->fd, data, len, MSG_NOSIGNAL);
	if (n < 0 && errno != EAGAIN) {
		load_fail(l, "a connection broke while sending: %s", strerror(errno));
	}
	return n < 0 ? 0 : (size_t)n;
}

/* What is encrypted, as far as the socket takes it. */
static void wire_push(struct load *l, struct load_conn *c)
{
	struct slice out = tls_channel_output(c->tls);
	size_t n = out.len > 0 ? wire_put(l, c, out.data, out.len) : 0;
	tls_channel_sent(c->tls, n);
	wire_watch(l, c, n < out.len);
}

static void wire_encrypt(struct load *l, struct load_conn *c)
{
	if (tls_channel_write(c->tls, buf_slice(&l->say)) != OK) {
		load_fail(l, "cannot encrypt");
	}
	buf_clear(&l->say);
	wire_push(l, c);
}

void wire_send(struct load *l, struct load_conn *c)
{
	if (c->tls != NULL) {
		wire_encrypt(l, c);
		return;
	}
	struct buf *say = &l->say;
	size_t n = c->out.len == 0 && say->len > 0 ? wire_put(l, c, say->data, say->len) : 0;
	if (say->error != OK) {
		load_fail(l, "out of memory");
	}
	if (n < say->len) {
		(void)buf_append(&c->out, say->data + n, say->len - n);
		wire_watch(l, c, true);
	}
	buf_clear(say);
}

static void wire_writable(struct load *l, struct load_conn *c)
{
	if (c->tls != NULL) {
		wire_push(l, c);
		return;
	}
	buf_drop(&c->out, wire_put(l, c, c->out.data, c->out.len));
	wire_watch(l, c, c->out.len > 0);
}

void wire_greet(struct load *l, struct load_conn *c)
{
	if (l->dialect->greet(&c->who, c->step++, &l->say)) {
		wire_send(l, c);
		return;
	}
	c->is_ready = true;
}

void wire_open(struct load *l, struct load_conn *c)
{
	bool is_of_cluster = l->spec->ports != NULL && c->room != NULL;
	int port = is_of_cluster ? l->spec->ports[c->room - l->rooms] : l->spec->port;
	struct sockaddr_in to = {.sin_family = AF_INET,
				 .sin_port = htons((uint16_t)port),
				 .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	struct epoll_event e = {.events = EPOLLIN, .data.ptr = c};
	int one = 1;
	c->in.max = MESSAGE_BYTES_MAX;
	c->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (c->is_deaf) {
		/* Segments as on a long line: with loopback's, the kernel takes megabytes for one who does not read. */
		(void)setsockopt(c->fd, IPPROTO_TCP, TCP_MAXSEG, &(int){DEAF_SEGMENT_BYTES},
				 sizeof(int));
		(void)setsockopt(c->fd, SOL_SOCKET, SO_RCVBUF, &(int){DEAF_RECEIVE_BYTES},
				 sizeof(int));
	}
	if (c->fd < 0 || connect(c->fd, (struct sockaddr *)&to, sizeof(to)) != 0 ||
	    fcntl(c->fd, F_SETFL, O_NONBLOCK) != 0 ||
	    setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one)) != 0 ||
	    epoll_ctl(l->poller, EPOLL_CTL_ADD, c->fd, &e) != 0) {
		load_fail(l, "cannot connect: %s", strerror(errno));
		return;
	}
	if (l->tls == NULL) {
		wire_greet(l, c);
		return;
	}
	c->tls = tls_channel_new(l->tls, "127.0.0.1");
	if (c->tls == NULL) {
		load_fail(l, "out of memory");
		return;
	}
	(void)tls_channel_receive(c->tls, (struct slice){0});
	wire_push(l, c);
}

void wire_ignore(struct load *l, struct load_conn *c)
{
	(void)epoll_ctl(l->poller, EPOLL_CTL_DEL, c->fd, NULL);
}

/* How many bytes of whole messages there were. */
static size_t wire_split(struct load *l, struct load_conn *c, const char *data, size_t len)
{
	size_t at = 0;
	while (at < len && !l->has_failed) {
		struct incoming m = INCOMING_NOTHING;
		size_t n = l->dialect->split(slice_of(data + at, len - at), &m);
		if (n == 0) {
			break;
		}
		if (n == DIALECT_BAD) {
			load_fail(l, "%s: what came is not its protocol", l->dialect->name);
			break;
		}
		load_incoming(l, c, &m);
		at += n;
	}
	return at;
}

static void wire_take(struct load *l, struct load_conn *c, const char *bytes, size_t n)
{
	if (c->in.len == 0) {
		size_t used = wire_split(l, c, bytes, n);
		(void)buf_append(&c->in, bytes + used, n - used);
	} else {
		(void)buf_append(&c->in, bytes, n);
		buf_drop(&c->in, wire_split(l, c, c->in.data, c->in.len));
	}
}

static void wire_decrypt(struct load *l, struct load_conn *c, const char *bytes, size_t n)
{
	static char plain[READ_BYTES];
	bool was_open = tls_channel_state(c->tls) == TLS_OPEN;
	enum tls_state state = tls_channel_receive(c->tls, slice_of(bytes, n));
	wire_push(l, c);
	if (!was_open && state == TLS_OPEN) {
		wire_greet(l, c);
	}
	size_t got = 1;
	while (got > 0 && !l->has_failed) {
		got = tls_channel_read(c->tls, plain, sizeof(plain));
		wire_take(l, c, plain, got);
	}
	state = tls_channel_state(c->tls);
	if (state == TLS_FAILED || state == TLS_ENDED) {
		load_fail(l, "the server ended TLS: %s", tls_channel_why(c->tls));
	}
}

static void wire_readable(struct load *l, struct load_conn *c)
{
	static char bytes[READ_BYTES];
	ssize_t n = recv(c->fd, bytes, sizeof(bytes), 0);
	if (n <= 0) {
		if (n == 0 || errno != EAGAIN) {
			load_fail(l, "the server closed a connection%s%s", n < 0 ? ": " : "",
				  n < 0 ? strerror(errno) : "");
		}
		return;
	}
	l->now_ns = machine_now_ns();
	l->progress_ns = l->now_ns;
	if (c->tls != NULL) {
		wire_decrypt(l, c, bytes, (size_t)n);
	} else {
		wire_take(l, c, bytes, (size_t)n);
	}
	if (c->in.error != OK) {
		load_fail(l, "a message is larger than %zu bytes", MESSAGE_BYTES_MAX);
	}
	if (c->in.len == 0) {
		buf_finish(&c->in);
		c->in.max = MESSAGE_BYTES_MAX;
	}
}

void wire_turn(struct load *l, uint64_t until_ns)
{
	static struct epoll_event events[EVENTS_MAX];
	uint64_t now = machine_now_ns();
	uint64_t left = until_ns > now ? until_ns - now : 0;
	struct timespec wait = {.tv_sec = (time_t)(left / 1000000000U),
				.tv_nsec = (long)(left % 1000000000U)};
	int n = epoll_pwait2(l->poller, events, EVENTS_MAX, &wait, NULL);
	for (int i = 0; i < n && !l->has_failed; i++) {
		struct load_conn *c = events[i].data.ptr;
		if ((events[i].events & (uint32_t)EPOLLOUT) != 0) {
			wire_writable(l, c);
		}
		if ((events[i].events & ~(uint32_t)EPOLLOUT) != 0) {
			wire_readable(l, c);
		}
	}
	l->now_ns = machine_now_ns();
}

/* Reset, not closed in order: thousands of sockets would stay behind and take ports from the next run. */
static void wire_close(struct load_conn *c)
{
	struct linger at_once = {.l_onoff = 1};
	if (c->fd >= 0) {
		(void)setsockopt(c->fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
		(void)close(c->fd);
	}
	c->fd = -1;
	tls_channel_free(c->tls);
	c->tls = NULL;
	buf_finish(&c->in);
	buf_finish(&c->out);
}

void wire_close_all(struct load *l)
{
	wire_close(&l->maker);
	for (uint32_t i = 0; i < l->conns_n; i++) {
		wire_close(&l->conns[i]);
	}
}
