/*
 * stderr_capture_curses.c - stderr while the screen is shown: a pipe, read when the
 * terminal is back.
 *
 * Whoever writes there (a warning of ours, an assertion, a library) need not
 * know of the screen. What does not fit the pipe is lost, and nobody waits.
 */
#include "client/tui/curses/screen_parts_curses.h"

#include <fcntl.h>
#include <unistd.h>

static volatile sig_atomic_t hold_is_on;
static int hold_before; /* the stderr there was */
static int hold_end_to_read;

static bool hold_is_apart(int fd)
{
	return fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 && fcntl(fd, F_SETFL, O_NONBLOCK) == 0;
}

void hold_begin(void)
{
	int ends[2];
	if (hold_is_on || isatty(STDERR_FILENO) != 1 || pipe(ends) != 0) {
		return;
	}
	hold_before = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	hold_end_to_read = ends[0];
	if (hold_before >= 0 && hold_is_apart(ends[0]) && hold_is_apart(ends[1]) &&
	    dup2(ends[1], STDERR_FILENO) == STDERR_FILENO) {
		hold_is_on = 1;
	} else {
		(void)close(ends[0]);
		if (hold_before >= 0) {
			(void)close(hold_before);
		}
	}
	(void)close(ends[1]);
}

void hold_end(void)
{
	char data[512];
	ssize_t n;
	if (!hold_is_on) {
		return;
	}
	hold_is_on = 0;
	(void)dup2(hold_before, STDERR_FILENO);
	(void)close(hold_before);
	while ((n = read(hold_end_to_read, data, sizeof(data))) > 0) {
		(void)!write(STDERR_FILENO, data, (size_t)n);
	}
	(void)close(hold_end_to_read);
}
