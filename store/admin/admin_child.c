/*
 * admin_child.c - see admin_child.h.
 *
 * Through the pipe: for each line its length (4 bytes, this machine's order)
 * and its bytes; at last the length ADMIN_END and a struct admin_end.
 */
#include "store/admin/admin_child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define ADMIN_END      UINT32_MAX
#define ADMIN_LINE_MAX ((uint32_t)1 << 24)
#define ADMIN_TICK_MS  100

struct admin_end {
	enum err e;
	struct admin_counts counts;
	struct errmsg why;
};

/* ---- the child ---- */

static void admin_child_write(struct admin_child *c, const char *at, size_t len)
{
	while (len > 0) {
		ssize_t n = write(c->fd, at, len);
		if (n < 0 && errno == EINTR) {
			continue;
		}
		if (n <= 0) {
			_exit(1);
		}
		at += n;
		len -= (size_t)n;
	}
}

void admin_child_flush(struct admin_child *c)
{
	admin_child_write(c, c->out, c->out_n);
	c->out_n = 0;
}

static void admin_child_send(struct admin_child *c, const void *data, size_t len)
{
	if (len > sizeof(c->out) - c->out_n) {
		admin_child_flush(c);
	}
	if (len > sizeof(c->out)) {
		admin_child_write(c, data, len);
	} else if (len > 0) {
		memcpy(c->out + c->out_n, data, len);
		c->out_n += len;
	}
}

void admin_child_line(struct admin_child *c, struct slice line)
{
	uint32_t len = line.len < ADMIN_LINE_MAX ? (uint32_t)line.len : ADMIN_LINE_MAX;
	admin_child_send(c, &len, sizeof(len));
	admin_child_send(c, line.data, len);
}

static _Noreturn void admin_child_main(struct admin_child *c, pid_t parent)
{
	static const int deadly[] = {SIGBUS, SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGPIPE};
	static const int ignored[] = {SIGINT, SIGTERM};
	struct rlimit none = {0, 0};
	uint32_t mark = ADMIN_END;

	/* A crash here is an answer: no handler of the parent's, and no core file of other
	 * people's votes. What is to end the call reaches the parent, and it ends us. */
	for (size_t i = 0; i < sizeof(deadly) / sizeof(deadly[0]); i++) {
		(void)signal(deadly[i], SIG_DFL);
	}
	for (size_t i = 0; c->task->on_tick != NULL && i < sizeof(ignored) / sizeof(ignored[0]);
	     i++) {
		(void)signal(ignored[i], SIG_IGN);
	}
	(void)signal(SIGXFSZ, SIG_IGN); /* is the error of a write */
	(void)setrlimit(RLIMIT_CORE, &none);
	(void)prctl(PR_SET_PDEATHSIG, (unsigned long)SIGKILL, 0UL, 0UL, 0UL);
	if (getppid() != parent) {
		_exit(1); /* it ended before we could ask to be told */
	}
	struct admin_end end = {.e = c->task->scan(c)};
	end.counts = c->counts;
	end.why = c->why;
	admin_child_send(c, &mark, sizeof(mark));
	admin_child_send(c, &end, sizeof(end));
	admin_child_flush(c);
	_exit(0);
}

/* ---- the parent ---- */

/* What has been read of the pipe and not been given on. */
struct admin_input {
	char *data;
	size_t capacity;
	size_t at;
	size_t end;
};

static bool admin_wants_more(const struct admin_task *task)
{
	return task->on_tick == NULL || task->on_tick(task->arg);
}

/* At least `len` bytes at in->at. ERR_CORRUPT at the end of the pipe. */
static enum err admin_receive(const struct admin_task *task, int fd, struct admin_input *in,
			      size_t len)
{
	if (len > in->capacity - in->at && in->at > 0) {
		memmove(in->data, in->data + in->at, in->end - in->at);
		in->end -= in->at;
		in->at = 0;
	}
	if (len > in->capacity) {
		char *larger = realloc(in->data, len);
		if (larger == NULL) {
			return ERR_NOMEM;
		}
		in->data = larger;
		in->capacity = len;
	}
	while (in->end - in->at < len) {
		struct pollfd poll_fd = {.fd = fd, .events = POLLIN};
		if (task->on_tick != NULL && poll(&poll_fd, 1, ADMIN_TICK_MS) <= 0) {
			if (!admin_wants_more(task)) {
				return ERR_CLOSED;
			}
			continue;
		}
		ssize_t n = read(fd, in->data + in->end, in->capacity - in->end);
		if (n < 0 && errno == EINTR) {
			if (!admin_wants_more(task)) {
				return ERR_CLOSED;
			}
			continue;
		}
		if (n <= 0) {
			return ERR_CORRUPT;
		}
		in->end += (size_t)n;
	}
	return OK;
}

/* OK where the child finished and sent its result, which is in *end. */
static enum err admin_listen(const struct admin_task *task, int fd, struct admin_end *end)
{
	struct admin_input in = {.data = malloc(ADMIN_BUFFER_BYTES),
				 .capacity = ADMIN_BUFFER_BYTES};
	enum err e = in.data == NULL ? ERR_NOMEM : OK;
	while (e == OK) {
		uint32_t len;
		e = admin_receive(task, fd, &in, sizeof(len));
		if (e != OK) {
			break;
		}
		memcpy(&len, in.data + in.at, sizeof(len));
		in.at += sizeof(len);
		if (len == ADMIN_END) {
			e = admin_receive(task, fd, &in, sizeof(*end));
			if (e == OK) {
				memcpy(end, in.data + in.at, sizeof(*end));
			}
			break;
		}
		e = len > ADMIN_LINE_MAX ? ERR_CORRUPT : admin_receive(task, fd, &in, len);
		if (e == OK && !task->on_line(task->arg, slice_of(in.data + in.at, len))) {
			e = ERR_CLOSED;
		}
		in.at += e == OK ? len : 0;
	}
	free(in.data);
	return e;
}

enum err admin_child_run(const struct admin_task *task, struct admin_counts *counts,
			 struct errmsg *why)
{
	struct admin_end end = {.e = OK};
	int ends[2], how = 0;

	*counts = (struct admin_counts){.items = 0};
	pid_t parent = getpid();
	pid_t child = pipe(ends) == 0 ? fork() : -2;
	if (child == 0) {
		static struct admin_child c;
		c = (struct admin_child){.task = task, .fd = ends[1]};
		close(ends[0]);
		admin_child_main(&c, parent);
	}
	if (child < 0) {
		if (child == -1) {
			close(ends[0]);
			close(ends[1]);
		}
		errmsg_set(why, "cannot start a process to read with");
		return ERR_IO;
	}
	close(ends[1]);
	enum err e = admin_listen(task, ends[0], &end);
	if (e == ERR_CLOSED) {
		(void)kill(child, SIGKILL);
	}
	close(ends[0]); /* a child that still writes ends of it */
	while (waitpid(child, &how, 0) < 0 && errno == EINTR) {
	}
	if (e == OK) {
		*counts = end.counts;
		if (end.e != OK) {
			*why = end.why;
		}
		return end.e;
	}
	if (e == ERR_CLOSED || e == ERR_NOMEM) {
		errmsg_set(why, e == ERR_CLOSED ? "stopped" : "out of memory");
		return e;
	}
	if (WIFSIGNALED(how)) {
		errmsg_set(why, "%s: reading ended with signal %d: data.mdb is damaged",
			   task->directory, WTERMSIG(how));
	} else {
		errmsg_set(why, "%s: reading ended early: data.mdb is damaged", task->directory);
	}
	return ERR_CORRUPT;
}
