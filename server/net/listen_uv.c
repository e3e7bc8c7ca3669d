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
 * socket itself stays open and goes on queueing, and opened again after a rest.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "proto/assert.h"
#include "server/net/shell_uv.h"

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

static void listener_accept(struct listener *l)
{
	struct shell *sh = l->shell;
	if (sh->listeners.accepts_left == 0) {
		l->state = LISTENER_WAITING;
		return;
	}
	if (!stream_accept(sh, &l->uv.stream, l->socket.is_unix)) {
		l->state = LISTENER_WAITING;
		sh->listeners.accepts_left = 0;
		shell_rest_listeners(sh);
		return;
	}
	sh->listeners.accepts_left--;
}

static void listener_on_connection(uv_stream_t *stream, int status)
{
	struct listener *l = stream->data;
	if (status == 0) {
		listener_accept(l);
		return;
	}
	log_pair(l->shell->config.log, LOG_WARN, "accept_failed", "reason", uv_strerror(status));
	listener_close(l);
	shell_rest_listeners(l->shell);
}

static int listener_attach(struct listener *l, int fd)
{
	int failed =
		l->socket.is_unix ? uv_pipe_open(&l->uv.pipe, fd) : uv_tcp_open(&l->uv.tcp, fd);
	if (failed != 0) {
		(void)close(fd);
		return failed;
	}
	return uv_listen(&l->uv.stream, SOCKET_BACKLOG, listener_on_connection);
}

/* The handle gets a descriptor of its own, so that closing it does not close the socket. */
static int listener_open(struct listener *l)
{
	int fd = fcntl(l->socket.fd, F_DUPFD_CLOEXEC, 0);
	if (fd < 0) {
		return -errno;
	}
	uv_loop_t *loop = &l->shell->loop;
	int failed = l->socket.is_unix ? uv_pipe_init(loop, &l->uv.pipe, 0)
				       : uv_tcp_init(loop, &l->uv.tcp);
	ASSERT_CMP(failed, ==, 0); /* neither opens anything yet */
	l->uv.handle.data = l;
	l->state = LISTENER_OPEN;
	failed = listener_attach(l, fd);
	if (failed != 0) {
		listener_close(l);
	}
	return failed;
}

enum err listeners_open(struct shell *sh, struct listening *sockets, size_t n, struct errmsg *why)
{
	struct listeners *ls = &sh->listeners;
	ls->items = calloc(n, sizeof(*ls->items));
	if (ls->items == NULL) {
		errmsg_set(why, "out of memory");
		return ERR_NOMEM;
	}
	for (size_t i = 0; i < n; i++) {
		struct listener *l = &ls->items[ls->n++];
		*l = (struct listener){.shell = sh, .socket = sockets[i]};
		sockets[i].fd = -1;
		sockets[i].path[0] = '\0';
		int failed = listener_open(l);
		if (failed != 0) {
			errmsg_set(why, "cannot listen on %s: %s", l->socket.name,
				   uv_strerror(failed));
			return ERR_IO;
		}
	}
	return OK;
}

bool listeners_turn(struct shell *sh)
{
	struct listeners *ls = &sh->listeners;
	bool is_resting = uv_is_active((const uv_handle_t *)&sh->rest) != 0;
	ls->accepts_left = is_resting ? 0 : SHELL_ACCEPTS_A_TURN;
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

void listeners_wake(struct shell *sh)
{
	for (size_t i = 0; i < sh->listeners.n; i++) {
		struct listener *l = &sh->listeners.items[i];
		if (l->state == LISTENER_CLOSED && l->socket.fd >= 0 && listener_open(l) != 0) {
			shell_rest_listeners(sh);
		}
	}
}

void listeners_close(struct shell *sh)
{
	for (size_t i = 0; i < sh->listeners.n; i++) {
		listener_close(&sh->listeners.items[i]);
		socket_close(&sh->listeners.items[i].socket);
	}
}
