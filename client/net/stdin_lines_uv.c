/*
 * stdin_lines_uv.c - watches one descriptor and cuts what it gives into lines.
 *
 * What epoll can watch is read when it is readable; what it cannot (regular
 * files, /dev/null) never blocks and is read from an idle handle.
 */
#include "client/net/stdin_lines_uv.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "client/model/memory.h"
#include "proto/base/buf.h"

#define LINES_READ_BYTES 16384

struct stdin_lines {
	union {
		uv_handle_t handle;
		uv_poll_t poll;
		uv_idle_t idle;
	} end;
	bool is_file;
	bool is_paused;
	bool is_skipping; /* the rest of a line that is too long */
	bool is_ended;	  /* nothing more to read */
	bool is_closing;
	int fd;
	struct stdin_lines_handler on;
	void *owner;
	struct buf in;
};

static void lines_read(struct stdin_lines *l);

static void lines_on_closed(uv_handle_t *handle)
{
	struct stdin_lines *l = handle->data;
	buf_finish(&l->in);
	free(l);
}

void stdin_lines_close(struct stdin_lines *l)
{
	if (l != NULL && !l->is_closing) {
		l->is_closing = true;
		uv_close(&l->end.handle, lines_on_closed);
	}
}

static void lines_on_readable(uv_poll_t *poll, int status, int events)
{
	(void)status, (void)events; /* read() says it better */
	lines_read(poll->data);
}

static void lines_on_idle(uv_idle_t *idle)
{
	lines_read(idle->data);
}

static void lines_watch(struct stdin_lines *l, bool wants)
{
	if (l->is_file) {
		(void)(wants ? uv_idle_start(&l->end.idle, lines_on_idle)
			     : uv_idle_stop(&l->end.idle));
	} else {
		(void)(wants ? uv_poll_start(&l->end.poll, UV_READABLE, lines_on_readable)
			     : uv_poll_stop(&l->end.poll));
	}
}

static void lines_end(struct stdin_lines *l, enum err e)
{
	l->is_ended = true;
	lines_watch(l, false);
	l->on.on_end(l->owner, e);
}

/* Hand on whole lines until there is none or the owner wants a pause. */
static void lines_cut(struct stdin_lines *l)
{
	size_t used = 0;
	while (!l->is_closing && !l->is_paused && used < l->in.len) {
		const char *from = l->in.data + used;
		const char *end = memchr(from, '\n', l->in.len - used);
		if (end == NULL) {
			used = l->is_skipping ? l->in.len : used;
			break;
		}
		used += (size_t)(end - from) + 1;
		if (l->is_skipping) {
			l->is_skipping = false;
			continue;
		}
		l->is_paused = !l->on.on_line(l->owner, slice_of(from, (size_t)(end - from)));
	}
	buf_drop(&l->in, used);
}

/* The last line may come without its newline. */
static void lines_finish(struct stdin_lines *l, enum err e)
{
	lines_watch(l, false);
	if (e == OK && l->in.len > 0) {
		e = memory_check(buf_append(&l->in, "\n", 1));
		lines_cut(l);
	}
	if (!l->is_closing) {
		lines_end(l, e);
	}
}

static void lines_read(struct stdin_lines *l)
{
	char *room = buf_reserve(&l->in, LINES_READ_BYTES);
	if (room == NULL && memory_check(l->in.error) == ERR_TOO_LARGE && l->on.on_long != NULL) {
		buf_clear(&l->in);
		l->is_skipping = true;
		l->on.on_long(l->owner);
		return; /* what is there to read is seen again */
	}
	if (room == NULL) {
		lines_end(l, memory_check(l->in.error));
		return;
	}
	ssize_t n = read(l->fd, room, LINES_READ_BYTES);
	if (n < 0 && (errno == EAGAIN || errno == EINTR)) {
		return;
	}
	if (n <= 0) {
		lines_finish(l, n == 0 ? OK : ERR_IO);
		return;
	}
	l->in.len += (size_t)n;
	lines_cut(l);
	if (l->is_paused && !l->is_closing) {
		lines_watch(l, false);
	}
}

void stdin_lines_resume(struct stdin_lines *l)
{
	if (l->is_ended || l->is_closing || !l->is_paused) {
		return;
	}
	l->is_paused = false;
	lines_cut(l);
	if (!l->is_closing) {
		lines_watch(l, !l->is_paused);
	}
}

enum err stdin_lines_open(uv_loop_t *loop, int fd, const struct stdin_lines_handler *on,
			  void *owner, struct stdin_lines **out)
{
	struct stdin_lines *l = memory_new(1, sizeof(*l));
	l->fd = fd;
	l->on = *on;
	l->owner = owner;
	buf_init(&l->in, STDIN_LINES_BYTES_MAX);
	int flags = fcntl(fd, F_GETFL);
	int status = flags < 0 ? UV_EBADF : uv_poll_init(loop, &l->end.poll, fd);
	if (status == UV_EPERM) {
		l->is_file = true;
		status = uv_idle_init(loop, &l->end.idle);
	}
	if (status < 0) {
		free(l);
		return ERR_IO;
	}
	/* uv_poll_init() makes the descriptor non-blocking, for everybody who shares it. */
	(void)fcntl(fd, F_SETFL, flags);
	l->end.handle.data = l;
	lines_watch(l, true);
	*out = l;
	return OK;
}
