/*
 * run_program.c - see run_program.h.
 */
#include "client/kiosk/run_program.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int run_spawn(const char *const *words, const int ends[2], pid_t *pid)
{
	posix_spawn_file_actions_t files;
	int failed = posix_spawn_file_actions_init(&files);
	if (failed != 0) {
		return failed;
	}
	failed = posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	failed = failed != 0 ? failed
			     : posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO);
	failed = failed != 0 ? failed
			     : posix_spawn_file_actions_adddup2(&files, ends[1], STDERR_FILENO);
	/* The C interface takes words that are not const, and leaves them as they are. */
	union {
		const char *const *in;
		char *const *out;
	} argv = {.in = words};
	failed = failed != 0 ? failed : posix_spawn(pid, words[0], &files, NULL, argv.out, environ);
	(void)posix_spawn_file_actions_destroy(&files);
	return failed;
}

static void run_read(int fd, char first[200], struct buf *out)
{
	size_t len = 0;
	for (;;) {
		char part[4096];
		ssize_t n = read(fd, part, sizeof(part));
		if (n < 0 && errno == EINTR) {
			continue;
		}
		if (n <= 0) {
			break;
		}
		for (ssize_t i = 0; i < n && len < 199; i++) {
			first[len++] = part[i];
		}
		if (out != NULL) {
			(void)buf_append(out, part, (size_t)n);
		}
	}
	first[len] = '\0';
	first[strcspn(first, "\r\n")] = '\0';
}

bool run_program(const char *const *words, struct buf *out, struct errmsg *why)
{
	int ends[2];
	pid_t pid = 0;
	int status = 0;
	char first[200];
	if (pipe(ends) != 0) {
		errmsg_set(why, "%s: %s", words[0], strerror(errno));
		return false;
	}
	(void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	(void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	int failed = run_spawn(words, ends, &pid);
	(void)close(ends[1]);
	run_read(ends[0], first, out);
	(void)close(ends[0]);
	if (failed != 0) {
		errmsg_set(why, "%s: %s", words[0], strerror(failed));
		return false;
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
	}
	if (status != 0) {
		errmsg_set(why, "%s: %s", words[0], first[0] == '\0' ? "it failed" : first);
	}
	return status == 0;
}
