/*
 * admin_child.c - see admin_child.h.
 *
 * Through the pipe: for each line its length (4 bytes, this machine's order)
 * and its bytes; at last the length ADMIN_END and a struct admin_end.
 */
#include "store/admin/admin_child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define ADMIN_END      UINT32_MAX
#define ADMIN_LINE_MAX ((uint32_t)1 << 24)

struct admin_end {
	enum err e;
	struct admin_counts counts;
	struct errmsg why;
};

/* ---- the child ---- */

static void admin_child_send(struct admin_child *c, const void *data, size_t len)
{
	const char *at = data;
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

void admin_child_line(struct admin_child *c, struct slice line)
{
	uint32_t len = line.len < ADMIN_LINE_MAX ? (uint32_t)line.len : ADMIN_LINE_MAX;
	admin_child_send(c, &len, sizeof(len));
	admin_child_send(c, line.data, len);
}

static _Noreturn void admin_child_main(admin_scan *scan, struct admin_child *c)
{
	static const int signals[] = {SIGBUS, SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGPIPE};
	struct rlimit none = {0, 0};
	uint32_t mark = ADMIN_END;

	/* A crash here is an answer: no handler of the parent's, and no core file of other
	 * people's votes. */
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		(void)signal(signals[i], SIG_DFL);
	}
	(void)setrlimit(RLIMIT_CORE, &none);
	struct admin_end end = {.e = scan(c)};
	end.counts = c->counts;
	end.why = c->why;
	admin_child_send(c, &mark, sizeof(mark));
	admin_child_send(c, &end, sizeof(end));
	_exit(0);
}

/* ---- the parent ---- */

/* False at the end of the pipe. */
static bool admin_receive(int fd, void *out, size_t len)
{
	char *at = out;
	while (len > 0) {
		ssize_t n = read(fd, at, len);
		if (n < 0 && errno == EINTR) {
			continue;
		}
		if (n <= 0) {
			return false;
		}
		at += n;
		len -= (size_t)n;
	}
	return true;
}

/* OK where the child finished and sent its result, which is in *end. */
static enum err admin_listen(int fd, admin_line_cb *on_line, void *arg, struct admin_end *end)
{
	enum err e = OK;
	while (e == OK) {
		uint32_t len;
		if (!admin_receive(fd, &len, sizeof(len))) {
			return ERR_CORRUPT;
		}
		if (len == ADMIN_END) {
			return admin_receive(fd, end, sizeof(*end)) ? OK : ERR_CORRUPT;
		}
		if (len > ADMIN_LINE_MAX) {
			return ERR_CORRUPT;
		}
		char *line = malloc(len + 1);
		if (line == NULL) {
			return ERR_NOMEM;
		}
		e = ERR_CORRUPT;
		if (admin_receive(fd, line, len)) {
			e = on_line(arg, slice_of(line, len)) ? OK : ERR_CLOSED;
		}
		free(line);
	}
	return e;
}

enum err admin_child_run(admin_scan *scan, const char *directory, bool with_hidden,
			 admin_line_cb *on_line, void *arg, struct admin_counts *counts,
			 struct errmsg *why)
{
	struct admin_end end = {.e = OK};
	int ends[2], how = 0;

	*counts = (struct admin_counts){.items = 0};
	pid_t child = pipe(ends) == 0 ? fork() : -2;
	if (child == 0) {
		struct admin_child c = {ends[1], directory, with_hidden, {0}, {""}};
		close(ends[0]);
		admin_child_main(scan, &c);
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
	enum err e = admin_listen(ends[0], on_line, arg, &end);
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
		errmsg_set(why, "%s: reading ended with signal %d: data.mdb is damaged", directory,
			   WTERMSIG(how));
	} else {
		errmsg_set(why, "%s: reading ended early: data.mdb is damaged", directory);
	}
	return ERR_CORRUPT;
}
