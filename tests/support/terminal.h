/*
 * terminal.h - a terminal for tests: a pty with a program on it, read by libvterm.
 *
 * Between the test and the program stands a leader, as a shell does: it owns
 * the terminal, sees the program stop and end, and continues it.
 *
 * Waiting is for something to happen, up to a deadline that only a broken
 * program reaches, however much it writes meanwhile; nothing waits for time to pass.
 *
 * Life: terminal_open() .. terminal_close(), which ends what still runs.
 */
#ifndef TESTS_SUPPORT_TERMINAL_H
#define TESTS_SUPPORT_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <termios.h>

#include <vterm.h>

enum { TERMINAL_TEXT_BYTES_MAX = 65536 };

struct terminal {
	int master;
	pid_t leader;
	pid_t program;
	int told;  /* from the leader: what became of the program */
	int order; /* to the leader */
	VTerm *vt;
	VTermScreen *screen;
	bool is_cursor_shown;
	bool is_alternate;
	size_t cursors; /* how often the cursor was shown or hidden: the end of each frame of ours */
	char *frame; /* the rows as text, each ended by a line end, as they stood at the end of the last whole frame */
	size_t bytes; /* received so far */
	char raw[TERMINAL_TEXT_BYTES_MAX]; /* the last of what was received */
	size_t raw_len;
	struct termios before; /* the terminal's mode before the program ran */
};

/*
 * Run `run(arg)` (it returns the exit status) on a new terminal of that size.
 * The line `greeting` stands on it already. Failures fail the test.
 */
void terminal_open(struct terminal *t, int width, int height, const char *greeting, int (*run)(void *arg), void *arg);
void terminal_close(struct terminal *t);

/* As the user: type bytes, change the size. */
void terminal_type(struct terminal *t, const char *bytes);
void terminal_resize(struct terminal *t, int width, int height);
/* As another program on the same terminal: write to it. */
void terminal_show(struct terminal *t, const char *bytes);
/* As somebody at another terminal: send the program a signal. */
void terminal_signal(struct terminal *t, int number);

/* Milliseconds on a clock that never goes back, for deadlines. */
int64_t terminal_now_ms(void);

/* The text of a row, blanks at its end cut; valid until the next call. */
const char *terminal_row(struct terminal *t, int row);
void terminal_cursor(struct terminal *t, int *x, int *y);

/*
 * Whether the text stands in a row of the last whole frame. What is being drawn
 * is not looked at: half of it may still be of the frame before.
 */
bool terminal_shows(const struct terminal *t, const char *text);

/* Read what the program writes until the row begins with text; fails the test if it never does. */
void terminal_wait_row(struct terminal *t, int row, const char *text);

/* Take at most that many bytes, as a slow terminal does; how many came, 0 when none came for wait_ms or nothing can come any more. */
size_t terminal_take(struct terminal *t, size_t bytes_max, int wait_ms);

/* How the program ended: "exit 0", "signal 15", or "stop" (then it can be continued). Valid until the next call. */
const char *terminal_wait_end(struct terminal *t);
void terminal_continue(struct terminal *t);
/* The same in the background, as a shell's `bg` does. */
void terminal_continue_behind(struct terminal *t);

/* Whether the terminal's mode is the one from before the program. */
bool terminal_is_restored(struct terminal *t);
/* Whether these bytes are among the last that came; how many times. */
bool terminal_has_received(const struct terminal *t, const char *bytes);
size_t terminal_count_received(const struct terminal *t, const char *bytes);
/* Whether `on` came later than the last `off`. */
bool terminal_is_on(const struct terminal *t, const char *on, const char *off);

#endif
