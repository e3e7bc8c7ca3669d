/*
 * listen_uv.c - watches the listening sockets and accepts in portions.
 *
 * Happy path: the loop reports a connection, stream_uv.c takes it.
 *
 * Too many at once, or no memory: the connection is left waiting in the handle,
 * for which libuv stops the listener; the next turn (or, without memory, the
 * end of a rest) takes it, which starts the listener again.
 * The kernel has no descriptor: libuv reports the error again and again from
 * inside one callback until the handle is closed. So it is closed, while the
 * socket itself stays open and keeps queueing, and opened again after a rest.
 * Connections that wait in it are refused with a notification that the server is
 * full: a spare descriptor is given up for as long as that takes. libuv has such a
 * spare itself, and would close them silently; it is taken from the loop and used here.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "proto/base/assert.h"
#include "server/net/event_loop_uv.h"

static void listener_on_close(uv_handle_t *handle)
{
	struct listener *l = handle->data;
	l->state = LISTENER_CLOSED;
}

static void listener_close(struct listener *l)
{
	if (l->state == LISTENER_OPEN || l->state == LISTENER_WAITING) {
		l->state = LISTENER_CLOSING;
		uv_close(&l->uv.handle, listener_on_close);
	}
}

void listeners_init_handle(struct event_loop *loop, union stream_handle *uv, bool is_unix)
{
	loop->loop.emfile_fd = loop->listeners.spare_fd; /* where it is -1, libuv opens one */
	int failed = is_unix ? uv_pipe_init(&loop->loop, &uv->pipe, 0)
			     : uv_tcp_init(&loop->loop, &uv->tcp);
	ASSERT_CMP(failed, ==, 0); /* neither opens a socket yet */
	loop->listeners.spare_fd = loop->loop.emfile_fd;
	loop->loop.emfile_fd = -1;
}

/* ---- without a descriptor ---- */

static size_t listener_refuse_waiting(const struct listener *l)
{
	struct event_loop *loop = l->loop;
	struct listeners *ls = &loop->listeners;
	size_t n = 0;
	int fd;
	if (ls->spare_fd == -1) {
		return 0; /* the next handle gets another */
	}
	(void)close(ls->spare_fd);
	while (n < EVENT_LOOP_ACCEPTS_A_TURN && (fd = accept(l->socket.fd, NULL, NULL)) >= 0) {
		if (!l->socket.is_tls) { /* to whom that would not be TLS */
			struct slice refusal = stream_refusal(loop, l->socket.is_web);
			(void)send(fd, refusal.data, refusal.len, MSG_DONTWAIT | MSG_NOSIGNAL);
		}
		(void)shutdown(fd, SHUT_WR);
		/* Unread bytes would turn the close into a reset, which discards what was written.
		 */
		(void)recv(fd, loop->read_bytes, EVENT_LOOP_READ_BYTES, MSG_DONTWAIT);
		(void)close(fd);
		n++;
	}
	ls->spare_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	return n;
}

/* Refuse the waiting connections, as far as possible; logged once a second at most. */
static void listener_fail(struct listener *l, int status)
{
	struct event_loop *loop = l->loop;
	struct listeners *ls = &loop->listeners;
	bool is_short = status == UV_EMFILE || status == UV_ENFILE;
	size_t n = is_short ? listener_refuse_waiting(l) : 0;
	int64_t now_ms = event_loop_mono_ms(loop);
	ls->failed_n += n;
	server_counters(loop->server)->connections_refused += n;
	loop->refused_logged += n; /* logged here */
	event_loop_rest_listeners(loop);
	if (ls->logged_ms != 0 && now_ms - ls->logged_ms < EVENT_LOOP_ACCEPT_LOG_MS) {
		return;
	}
	struct log_line line;
	log_begin(&line, loop->config.log, LOG_WARN, "accept_failed");
	log_str(&line, "reason", uv_strerror(status));
	log_int(&line, "refused", (int64_t)ls->failed_n);
	log_end(&line);
	ls->failed_n = 0;
	ls->logged_ms = now_ms;
}

/* ---- with one ---- */

static void listener_accept(struct listener *l)
{
	struct event_loop *loop = l->loop;
	if (loop->listeners.accepts_left == 0) {
		l->state = LISTENER_WAITING;
		return;
	}
	if (!stream_accept(loop, &l->uv.stream, &l->socket)) {
		l->state = LISTENER_WAITING;
		loop->listeners.accepts_left = 0;
		event_loop_rest_listeners(loop);
		return;
	}
	loop->listeners.accepts_left--;
}

static void listener_on_connection(uv_stream_t *stream, int status)
{
	struct listener *l = stream->data;
	if (status == 0) {
		listener_accept(l);
		return;
	}
	listener_fail(l, status);
	listener_close(l);
}

/* The handle gets a descriptor of its own, so that closing it does not close the socket. */
static int listener_open(struct listener *l)
{
	int fd = fcntl(l->socket.fd, F_DUPFD_CLOEXEC, 0);
	if (fd < 0) {
		return -errno;
	}
	listeners_init_handle(l->loop, &l->uv, l->socket.is_unix);
	l->uv.handle.data = l;
	l->state = LISTENER_OPEN;
	int failed =
		l->socket.is_unix ? uv_pipe_open(&l->uv.pipe, fd) : uv_tcp_open(&l->uv.tcp, fd);
	if (failed != 0) {
		(void)close(fd);
	} else {
		failed = uv_listen(&l->uv.stream, SOCKET_BACKLOG, listener_on_connection);
	}
	if (failed != 0) {
		listener_close(l);
	}
	return failed;
}

size_t listeners_next(const struct listeners *ls)
{
	size_t i = 0;
	while (i < ls->n &&
	       (ls->items[i].state != LISTENER_CLOSED || ls->items[i].socket.fd >= 0)) {
		i++;
	}
	return i;
}

enum err listeners_add(struct event_loop *loop, struct listening *socket, struct errmsg *why)
{
	struct listeners *ls = &loop->listeners;
	size_t at = listeners_next(ls);
	struct listener *l = &ls->items[at];
	ls->n += at == ls->n;
	*l = (struct listener){.loop = loop, .socket = *socket};
	socket->fd = -1;
	socket->path[0] = '\0';
	int failed = listener_open(l);
	if (failed != 0) {
		errmsg_set(why, "cannot listen on %s: %s", l->socket.name, uv_strerror(failed));
	}
	return failed == 0 ? OK : ERR_IO;
}

enum err listeners_open(struct event_loop *loop, struct listening *sockets, size_t n,
			struct errmsg *why)
{
	struct listeners *ls = &loop->listeners;
	ls->items = calloc(n + MAX_SERVER_ADDRESSES, sizeof(*ls->items));
	if (ls->items == NULL) {
		errmsg_set(why, "out of memory");
		return ERR_NOMEM;
	}
	enum err e = OK;
	for (size_t i = 0; i < n && e == OK; i++) {
		e = listeners_add(loop, &sockets[i], why);
	}
	ls->first_added = ls->n;
	return e;
}

bool listeners_turn(struct event_loop *loop)
{
	struct listeners *ls = &loop->listeners;
	bool is_resting = uv_is_active((const uv_handle_t *)&loop->rest) != 0;
	ls->accepts_left = is_resting ? 0 : EVENT_LOOP_ACCEPTS_A_TURN;
	bool is_waiting = false;
	for (size_t i = 0; i < ls->n && !is_resting; i++) {
		struct listener *l = &ls->items[i];
		if (l->state == LISTENER_WAITING) {
			l->state = LISTENER_OPEN;
			listener_accept(l);
			is_waiting = is_waiting || l->state == LISTENER_WAITING;
		}
	}
	return is_waiting;
}

void listeners_wake(struct event_loop *loop)
{
	for (size_t i = 0; i < loop->listeners.n; i++) {
		struct listener *l = &loop->listeners.items[i];
		int failed =
			l->state == LISTENER_CLOSED && l->socket.fd >= 0 ? listener_open(l) : 0;
		if (failed != 0) {
			listener_fail(l, failed);
		}
	}
}

void listeners_close(struct event_loop *loop, size_t first)
{
	for (size_t i = first; i < loop->listeners.n; i++) {
		listener_close(&loop->listeners.items[i]);
		socket_close(&loop->listeners.items[i].socket);
	}
}
