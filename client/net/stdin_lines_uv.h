/*
 * stdin_lines_uv.h - lines of text from standard input, as events of a loop.
 *
 * Pipes, terminals, sockets and files alike. The descriptor's own flags are
 * left as they were: a terminal's are shared with standard output and with the
 * shell that started us.
 *
 * Life:    stdin_lines_open() .. stdin_lines_close(); the loop gives the memory back.
 * Threads: loop thread only.
 */
#ifndef CLIENT_NET_STDIN_LINES_UV_H
#define CLIENT_NET_STDIN_LINES_UV_H

#include <stdbool.h>

#include <uv.h>

#include "proto/base/err.h"
#include "proto/base/slice.h"

/* A longer line ends the input, or is left out where on_long wants to know of it. */
#define STDIN_LINES_BYTES_MAX (1u << 20)

struct stdin_lines;

struct stdin_lines_handler {
	/* Without its newline; valid for the call. Returns whether more lines may follow at once. */
	bool (*on_line)(void *owner, struct slice line);
	/* A line came that is too long, and is left out; once, when that is seen. NULL: it ends the input. */
	void (*on_long)(void *owner);
	/* No more lines. e: OK at the end of input, ERR_TOO_LARGE, ERR_IO. */
	void (*on_end)(void *owner, enum err e);
};

/* ERR_IO where the descriptor cannot be watched. */
NODISCARD enum err stdin_lines_open(uv_loop_t *loop, int fd, const struct stdin_lines_handler *on, void *owner,
			      struct stdin_lines **out);
/* Go on after on_line() returned false. Calls back from inside. */
void stdin_lines_resume(struct stdin_lines *l);
/* No callback comes after this. NULL is fine. */
void stdin_lines_close(struct stdin_lines *l);

#endif
