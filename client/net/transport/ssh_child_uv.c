/*
 * ssh_child_uv.c - see ssh_child_uv.h.
 */
#include "client/net/transport/ssh_child_uv.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "client/model/memory.h"
#include "client/net/transport/ssh_call.h"
#include "proto/base/format.h"
#include "proto/text/text.h"

/* The end of what it wrote to standard error. */
#define SSH_CHILD_TAIL_BYTES 1024
/* What is read of that when it has ended: more is nothing that a person reads. */
#define SSH_CHILD_REST_BYTES (64 * 1024)

/* What ends us, and not a child that is no longer in our process group. */
static const int ssh_child_ends[] = {SIGINT, SIGTERM, SIGHUP};
enum { SSH_CHILD_ENDS = sizeof(ssh_child_ends) / sizeof(ssh_child_ends[0]) };

struct ssh_child {
	struct address address;
	struct ssh_child_handler on;
	void *owner;
	uv_process_t process;
	uv_pipe_t complaints; /* its standard error */
	uv_timer_t timer;     /* on_started, then its grace */
	uv_signal_t ends[SSH_CHILD_ENDS];
	unsigned open_n; /* handles that are not closed */
	bool is_running;
	bool is_ending; /* its grace runs */
	bool is_closing;
	int status;	    /* of uv_spawn() */
	struct ssh_end end; /* its `said` is set last */
	char read[SSH_CHILD_TAIL_BYTES];
	char tail[SSH_CHILD_TAIL_BYTES];
	size_t tail_len;
};

bool ssh_child_may_ask(const struct address *address)
{
	struct termios now;
	if (!address->is_ssh || isatty(STDIN_FILENO) != 1 || isatty(STDERR_FILENO) != 1) {
		return false;
	}
	int fd = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
	/* A screen has switched off lines, whosever it is. */
	bool may = fd >= 0 && tcgetpgrp(fd) == getpgrp() && tcgetattr(fd, &now) == 0 &&
		   (now.c_lflag & (tcflag_t)ICANON) != 0;
	if (fd >= 0) {
		(void)close(fd);
	}
	return may;
}

/* ---- what it says ---- */

static void ssh_child_keep(struct ssh_child *c, const char *bytes, size_t n)
{
	size_t cap = sizeof(c->tail);
	if (n > cap) {
		bytes += n - cap;
		n = cap;
	}
	size_t dropped = c->tail_len + n > cap ? c->tail_len + n - cap : 0;
	memmove(c->tail, c->tail + dropped, c->tail_len - dropped);
	c->tail_len -= dropped;
	memcpy(c->tail + c->tail_len, bytes, n);
	c->tail_len += n;
}

/* The last line that is not empty, without the name that our own program puts before it. */
static void ssh_child_last_line(const struct ssh_child *c, char *out, size_t cap)
{
	const struct slice own = SLICE("aye: ");
	size_t end = c->tail_len;
	while (end > 0 && strchr("\r\n ", c->tail[end - 1]) != NULL && c->tail[end - 1] != '\0') {
		end--;
	}
	size_t begin = end;
	while (begin > 0 && c->tail[begin - 1] != '\n' && c->tail[begin - 1] != '\r') {
		begin--;
	}
	struct slice line = slice_of(c->tail + begin, end - begin);
	if (slice_starts(line, own)) {
		line = slice_of(line.data + own.len, line.len - own.len);
	}
	out[text_soften(line, out, cap - 1)] = '\0';
}

static void ssh_child_on_room(uv_handle_t *handle, size_t suggested, uv_buf_t *room)
{
	struct ssh_child *c = handle->data;
	(void)suggested;
	*room = uv_buf_init(c->read, sizeof(c->read));
}

static void ssh_child_on_complaint(uv_stream_t *stream, ssize_t n, const uv_buf_t *room)
{
	struct ssh_child *c = stream->data;
	if (n > 0) {
		ssh_child_keep(c, room->base, (size_t)n);
	} else if (n < 0) {
		(void)uv_read_stop(stream);
	}
}

/* Not until its end: a master of other connections, which ssh may leave behind, has it open still. */
static void ssh_child_read_rest(struct ssh_child *c)
{
	uv_os_fd_t fd;
	size_t left = SSH_CHILD_REST_BYTES;
	ssize_t n = uv_fileno((const uv_handle_t *)&c->complaints, &fd) == 0 ? 1 : 0;
	while (n > 0 && left > 0) {
		n = read(fd, c->read, sizeof(c->read) < left ? sizeof(c->read) : left);
		if (n > 0) {
			left -= (size_t)n;
			ssh_child_keep(c, c->read, (size_t)n);
		}
	}
}

/* ---- its end ---- */

static void ssh_child_on_closed(uv_handle_t *handle)
{
	struct ssh_child *c = handle->data;
	char said[256];
	char why[SSH_CALL_WHY_BYTES];
	if (--c->open_n > 0) {
		return;
	}
	if (c->status < 0) {
		format_to(why, sizeof(why), "ssh cannot be run here: %s", uv_strerror(c->status));
	} else {
		ssh_child_last_line(c, said, sizeof(said));
		c->end.said = said;
		ssh_call_explain(&c->address, &c->end, why);
	}
	c->on.on_end(c->owner, why);
	free(c);
}

static void ssh_child_close(struct ssh_child *c)
{
	if (!c->is_closing) {
		c->is_closing = true;
		for (size_t i = 0; i < SSH_CHILD_ENDS; i++) {
			uv_close((uv_handle_t *)&c->ends[i], ssh_child_on_closed);
		}
		uv_close((uv_handle_t *)&c->process, ssh_child_on_closed);
		uv_close((uv_handle_t *)&c->complaints, ssh_child_on_closed);
		uv_close((uv_handle_t *)&c->timer, ssh_child_on_closed);
	}
}

static void ssh_child_on_exit(uv_process_t *process, int64_t status, int signal)
{
	struct ssh_child *c = process->data;
	c->is_running = false;
	c->end.status = status;
	c->end.signal = signal;
	ssh_child_read_rest(c);
	ssh_child_close(c);
}

static void ssh_child_on_no_end(uv_timer_t *timer)
{
	struct ssh_child *c = timer->data;
	(void)uv_process_kill(&c->process, SIGKILL);
}

static void ssh_child_terminate(struct ssh_child *c)
{
	(void)uv_process_kill(&c->process, SIGTERM);
	(void)uv_timer_start(&c->timer, ssh_child_on_no_end, SSH_CHILD_GRACE_MS, 0);
}

static void ssh_child_on_grace_over(uv_timer_t *timer)
{
	ssh_child_terminate(timer->data);
}

void ssh_child_end(struct ssh_child *c, bool is_abandoned)
{
	bool is_early = is_abandoned && !c->end.has_answered;
	if (!c->is_running || (c->is_ending && !is_early)) {
		return;
	}
	c->is_ending = true;
	if (is_early) {
		ssh_child_terminate(c);
	} else {
		(void)uv_timer_start(&c->timer, ssh_child_on_grace_over, SSH_CHILD_GRACE_MS, 0);
	}
}

/* ---- ours, while it may wait for the far side for as long as that likes ---- */

static void ssh_child_unwatch(struct ssh_child *c)
{
	for (size_t i = 0; i < SSH_CHILD_ENDS; i++) {
		(void)uv_signal_stop(&c->ends[i]);
	}
}

static void ssh_child_on_signal(uv_signal_t *watcher, int number)
{
	struct ssh_child *c = watcher->data;
	struct sigaction now;
	ssh_child_unwatch(c);
	/* Else somebody takes it since. */
	if (sigaction(number, NULL, &now) == 0 && now.sa_handler == SIG_DFL) {
		if (c->is_running) {
			(void)uv_process_kill(&c->process, SIGTERM);
		}
		(void)raise(number);
	}
}

/* Only what would end us at once: whoever takes a signal ends the connection by it. */
static void ssh_child_watch(struct ssh_child *c)
{
	for (size_t i = 0; i < SSH_CHILD_ENDS; i++) {
		struct sigaction now;
		if (sigaction(ssh_child_ends[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL) {
			(void)uv_signal_start(&c->ends[i], ssh_child_on_signal, ssh_child_ends[i]);
		}
	}
}

/* From now on the end of our bytes ends it, too. */
void ssh_child_has_answered(struct ssh_child *c)
{
	c->end.has_answered = true;
	ssh_child_unwatch(c);
}

/* ---- its beginning ---- */

static void ssh_child_on_begin(uv_timer_t *timer)
{
	struct ssh_child *c = timer->data;
	if (c->status < 0) {
		ssh_child_close(c);
	} else {
		c->on.on_started(c->owner);
	}
}

static void ssh_child_spawn(struct ssh_child *c, int far_end, bool may_ask)
{
	const char *command = getenv(SSH_CALL_COMMAND);
	struct ssh_call call;
	c->end.has_command = command != NULL && command[0] != '\0';
	ssh_call_make(&c->address, c->end.has_command, may_ask, &call);
	uv_stdio_container_t files[] = {
		{.flags = UV_INHERIT_FD, .data.fd = far_end},
		{.flags = UV_INHERIT_FD, .data.fd = far_end},
		{.flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE,
		 .data.stream = (uv_stream_t *)&c->complaints},
	};
	const uv_process_options_t options = {
		.exit_cb = ssh_child_on_exit,
		.file = call.argv[0],
		.args = call.argv,
		.flags = may_ask ? 0 : UV_PROCESS_DETACHED,
		.stdio = files,
		.stdio_count = 3,
	};
	if (!may_ask) {
		ssh_child_watch(c); /* before there is anything that a signal could leave behind */
	}
	c->status = uv_spawn(c->process.loop, &c->process, &options);
	c->is_running = c->status == 0;
	if (c->is_running) {
		(void)uv_read_start((uv_stream_t *)&c->complaints, ssh_child_on_room,
				    ssh_child_on_complaint);
	}
}

struct ssh_child *ssh_child_start(uv_loop_t *loop, const struct address *address, bool may_ask,
				  const struct ssh_child_handler *on, void *owner, int *end)
{
	uv_os_sock_t ends[2];
	if (uv_socketpair(SOCK_STREAM, 0, ends, UV_NONBLOCK_PIPE, 0) != 0) {
		return NULL;
	}
	struct ssh_child *c = memory_new(1, sizeof(*c));
	c->address = *address;
	c->on = *on;
	c->owner = owner;
	c->open_n = 3 + SSH_CHILD_ENDS;
	c->process.loop = loop;
	(void)uv_pipe_init(loop, &c->complaints, 0);
	(void)uv_timer_init(loop, &c->timer);
	c->process.data = c;
	for (size_t i = 0; i < SSH_CHILD_ENDS; i++) {
		(void)uv_signal_init(loop, &c->ends[i]);
		c->ends[i].data = c;
	}
	c->complaints.data = c;
	c->timer.data = c;
	ssh_child_spawn(c, ends[1], may_ask);
	(void)close(ends[1]);
	*end = ends[0];
	(void)uv_timer_start(&c->timer, ssh_child_on_begin, 0, 0);
	return c;
}
