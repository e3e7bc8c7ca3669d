/*
 * stdin_lines_uv.h - lines of text from standard input, as events of a loop.
 *
 * Reads pipes, terminals, sockets and files. The flags of the descriptor are left
 * as they were: a terminal's are shared with standard output and with the shell
 * that started the program.
 *
 * Life:    stdin_lines_open() .. stdin_lines_close(); the loop then frees the memory.
 * Threads: loop thread only.
 */
#ifndef CLIENT_NET_STDIN_LINES_UV_H
#define CLIENT_NET_STDIN_LINES_UV_H

#include <stdbool.h>

#include <uv.h>

#include "proto/base/err.h"
#include "proto/base/slice.h"

/* A longer line is skipped if there is an on_long(), and otherwise ends the input. */
#define STDIN_LINES_BYTES_MAX (1u << 20)

struct stdin_lines;

struct stdin_lines_handler {
	/*
	 * A line without its newline; valid only during the call. Returns false to pause until
	 * stdin_lines_resume().
	 */
	bool (*on_line)(void *owner, struct slice line);
	/*
	 * A line is too long and is skipped; called once per line. NULL: such a line ends the
	 * input.
	 */
	void (*on_long)(void *owner);
	/* No more lines come. e: OK at the end of input, or ERR_TOO_LARGE, ERR_IO. */
	void (*on_end)(void *owner, enum err e);
};

/* ERR_IO  the descriptor cannot be watched. */
NODISCARD enum err stdin_lines_open(uv_loop_t *loop, int fd, const struct stdin_lines_handler *on, void *owner,
			      struct stdin_lines **out);
/* Continue after on_line() returned false. Calls the handler from inside. */
void stdin_lines_resume(struct stdin_lines *l);
/* No callback is called after this. NULL is allowed. */
void stdin_lines_close(struct stdin_lines *l);

#endif
