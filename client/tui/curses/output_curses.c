/*
 * output_curses.c - bytes to the terminal, without ever waiting for it.
 *
 * A frame is one write() where the terminal takes it whole. A slow one takes a
 * part; the rest goes out as it can, and until then no other frame is made: what
 * would have been between is never drawn, and the last one is.
 */
#include "client/tui/curses/screen_parts_curses.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

enum { OUTPUT_FLAGS = O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC };

/*
 * O_NONBLOCK on stdout itself would be the shell's as well. /dev/tty can be opened even where the
 * terminal is another user's, as after su.
 */
int output_open(void)
{
	char path[PATH_MAX];
	int fd = -1;
	if (tcgetsid(STDOUT_FILENO) == getsid(0)) {
		fd = open("/dev/tty", OUTPUT_FLAGS);
	}
	if (fd < 0 && ttyname_r(STDOUT_FILENO, path, sizeof(path)) == 0) {
		fd = open(path, OUTPUT_FLAGS);
	}
	return fd;
}

int screen_output(const struct screen *s)
{
	return s->fd;
}

void output_check_back(struct screen *s)
{
	if (restore_was_stopped()) {
		s->is_back = true;
		s->is_stale = true;
		buf_clear(&s->out);
		s->sent = 0;
	}
}

bool screen_is_writing(const struct screen *s)
{
	return s->sent < s->out.len;
}

enum err screen_flush(struct screen *s)
{
	output_check_back(s);
	while (s->sent < s->out.len) {
		ssize_t n = write(s->fd, s->out.data + s->sent, s->out.len - s->sent);
		if (n > 0) {
			s->sent += (size_t)n;
		} else if (n < 0 && errno == EAGAIN) {
			return OK;
		} else if (n == 0 || errno != EINTR) {
			s->is_stale = true;
			return ERR_IO;
		}
	}
	return OK;
}

void screen_resume(struct screen *s)
{
	restore_resume();
	output_check_back(s);
}
