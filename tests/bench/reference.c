/*
 * reference.c - a server without any logic: what fan-out costs at the least.
 *
 * usage: reference direct|log
 *
 * direct  one write() to each member for each vote, when it comes
 * log     a vote is appended to its room's log; once a turn of the loop, each
 *         member of each room that has something new gets it in one write()
 *
 * Prints "ready PORT" and serves loopback until it is ended. Speaks
 * dialect_reference.c's wire. Nothing is kept, checked or known of anybody; what
 * a socket does not take waits in the room's log (log) or in a buffer of the
 * connection (direct). epoll: Linux.
 */
#include "tests/bench/reference.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "proto/base/buf.h"

#define ROOMS_MAX	  16384
#define EVENTS_MAX	  512
#define READ_BYTES	  65536
#define WAITING_BYTES_MAX ((size_t)64 << 20)

struct conn {
	int fd;
	struct room *room;
	struct conn *next; /* in its room */
	struct buf in;	   /* a frame that is not whole yet */
	struct buf out;	   /* direct: what the socket did not take */
	size_t cursor;	   /* log: position in the room's log */
	bool waits;	   /* for the socket to take bytes */
};

struct room {
	struct conn *members;
	struct conn **last;
	struct buf log;
	bool is_marked;
};

static struct room rooms[ROOMS_MAX];
static struct room *marked[ROOMS_MAX];
static size_t marked_n;
static bool is_direct;
static int poller;

static void fail(const char *what)
{
	fprintf(stderr, "reference: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void watch(struct conn *c, bool waits)
{
	struct epoll_event e = {.events = EPOLLIN, .data.ptr = c};
	if (c->waits != waits) {
		e.events |= waits ? (uint32_t)EPOLLOUT : 0;
		c->waits = waits;
		(void)epoll_ctl(poller, EPOLL_CTL_MOD, c->fd, &e);
	}
}

static size_t put(struct conn *c, const char *data, size_t len)
{
	ssize_t n = write(c->fd, data, len);
	return n < 0 ? 0 : (size_t)n; /* a peer that is gone is seen by reading */
}

static void conn_close(struct conn *c)
{
	for (struct conn **at = c->room == NULL ? NULL : &c->room->members;
	     at != NULL && *at != NULL; at = &(*at)->next) {
		if (*at == c) {
			*at = c->next;
			c->room->last = *at == NULL ? at : c->room->last;
			break;
		}
	}
	(void)close(c->fd);
	buf_finish(&c->in);
	buf_finish(&c->out);
	free(c);
}

/* ---- direct ---- */

static void direct_send(struct conn *c, const char *frame, size_t len)
{
	size_t n = c->out.len == 0 ? put(c, frame, len) : 0;
	if (n < len) {
		(void)buf_append(&c->out, frame + n, len - n);
		watch(c, true);
	}
}

static void direct_writable(struct conn *c)
{
	buf_drop(&c->out, put(c, c->out.data, c->out.len));
	watch(c, c->out.len > 0);
}

/* ---- log ---- */

static void log_append(struct room *r, const char *frame, size_t len)
{
	(void)buf_append(&r->log, frame, len);
	if (!r->is_marked) {
		r->is_marked = true;
		marked[marked_n++] = r;
	}
}

static void log_send(struct conn *c)
{
	struct buf *log = &c->room->log;
	if (c->cursor < log->len) {
		c->cursor += put(c, log->data + c->cursor, log->len - c->cursor);
	}
	watch(c, c->cursor < log->len);
}

/* Forget what everybody has. */
static void log_trim(struct room *r)
{
	size_t least = r->log.len;
	for (const struct conn *c = r->members; c != NULL; c = c->next) {
		least = c->cursor < least ? c->cursor : least;
	}
	if (least < r->log.len && least < 65536) {
		return;
	}
	buf_drop(&r->log, least);
	for (struct conn *c = r->members; c != NULL; c = c->next) {
		c->cursor -= least;
	}
}

static void log_flush(void)
{
	for (size_t i = 0; i < marked_n; i++) {
		struct room *r = marked[i];
		r->is_marked = false;
		for (struct conn *c = r->members; c != NULL; c = c->next) {
			if (!c->waits) {
				log_send(c);
			}
		}
		log_trim(r);
	}
	marked_n = 0;
}

/* ---- frames ---- */

static bool on_join(struct conn *c, const char *frame, size_t len)
{
	uint32_t number;
	if (len != sizeof(struct reference_head) + sizeof(number) || c->room != NULL) {
		return false;
	}
	memcpy(&number, frame + sizeof(struct reference_head), sizeof(number));
	if (number >= ROOMS_MAX) {
		return false;
	}
	struct room *r = &rooms[number];
	if (r->members == NULL) {
		r->last = &r->members;
		r->log.max = WAITING_BYTES_MAX;
	}
	c->room = r;
	c->cursor = r->log.len;
	*r->last = c;
	r->last = &c->next;
	return put(c, frame, len) == len;
}

static bool on_frame(struct conn *c, enum reference_kind kind, const char *frame, size_t len)
{
	if (kind == REFERENCE_JOIN) {
		return on_join(c, frame, len);
	}
	if (kind != REFERENCE_VOTE || c->room == NULL) {
		return false;
	}
	if (!is_direct) {
		log_append(c->room, frame, len);
		return true;
	}
	for (struct conn *m = c->room->members; m != NULL; m = m->next) {
		direct_send(m, frame, len);
	}
	return true;
}

/* How many bytes of whole frames there were; what follows stays for later. */
static size_t take_frames(struct conn *c, const char *in, size_t len, bool *good)
{
	size_t at = 0;
	struct reference_head head;
	while (*good && len - at >= sizeof(head)) {
		memcpy(&head, in + at, sizeof(head));
		size_t whole = sizeof(head) + head.len;
		*good = head.len <= REFERENCE_BODY_BYTES_MAX;
		if (!*good || len - at < whole) {
			break;
		}
		*good = on_frame(c, (enum reference_kind)head.kind, in + at, whole);
		at += whole;
	}
	return at;
}

static void on_readable(struct conn *c)
{
	static char bytes[READ_BYTES];
	bool good = true;
	ssize_t n = read(c->fd, bytes, sizeof(bytes));
	if (n <= 0) {
		if (n == 0 || errno != EAGAIN) {
			conn_close(c);
		}
		return;
	}
	if (c->in.len == 0) {
		size_t used = take_frames(c, bytes, (size_t)n, &good);
		(void)buf_append(&c->in, bytes + used, (size_t)n - used);
	} else {
		(void)buf_append(&c->in, bytes, (size_t)n);
		buf_drop(&c->in, take_frames(c, c->in.data, c->in.len, &good));
	}
	if (!good) {
		conn_close(c);
	}
}

/* ---- connections ---- */

static void on_accept(int listener)
{
	int one = 1;
	int fd = accept(listener, NULL, NULL);
	struct conn *c = fd < 0 ? NULL : calloc(1, sizeof(*c));
	struct epoll_event e = {.events = EPOLLIN, .data.ptr = c};
	if (c == NULL) {
		if (fd >= 0) {
			(void)close(fd);
		}
		return;
	}
	c->fd = fd;
	c->in.max = READ_BYTES * 2;
	c->out.max = WAITING_BYTES_MAX;
	(void)fcntl(fd, F_SETFL, O_NONBLOCK);
	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	if (epoll_ctl(poller, EPOLL_CTL_ADD, fd, &e) != 0) {
		conn_close(c);
	}
}

static int start_listening(void)
{
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof(at);
	struct epoll_event e = {.events = EPOLLIN};
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	if (fd < 0 || bind(fd, (struct sockaddr *)&at, sizeof(at)) != 0 || listen(fd, 4096) != 0 ||
	    getsockname(fd, (struct sockaddr *)&at, &len) != 0) {
		fail("listen");
	}
	(void)fcntl(fd, F_SETFL, O_NONBLOCK);
	if (epoll_ctl(poller, EPOLL_CTL_ADD, fd, &e) != 0) {
		fail("epoll_ctl");
	}
	printf("ready %d\n", ntohs(at.sin_port));
	(void)fflush(stdout);
	return fd;
}

static void on_event(int listener, const struct epoll_event *e)
{
	struct conn *c = e->data.ptr;
	if (c == NULL) {
		on_accept(listener);
		return;
	}
	if ((e->events & (uint32_t)EPOLLOUT) != 0) {
		if (is_direct) {
			direct_writable(c);
		} else {
			log_send(c);
		}
	}
	if ((e->events & ~(uint32_t)EPOLLOUT) != 0) {
		on_readable(c);
	}
}

int main(int argc, char **argv)
{
	static struct epoll_event events[EVENTS_MAX];
	if (argc != 2 || (strcmp(argv[1], "direct") != 0 && strcmp(argv[1], "log") != 0)) {
		fprintf(stderr, "usage: reference direct|log\n");
		return 2;
	}
	is_direct = strcmp(argv[1], "direct") == 0;
	(void)signal(SIGPIPE, SIG_IGN);
	poller = epoll_create1(0);
	if (poller < 0) {
		fail("epoll_create1");
	}
	int listener = start_listening();
	for (;;) {
		int n = epoll_wait(poller, events, EVENTS_MAX, -1);
		for (int i = 0; i < n; i++) {
			on_event(listener, &events[i]);
		}
		log_flush();
	}
}
