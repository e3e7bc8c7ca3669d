/*
 * terminal.c - see terminal.h.
 */
#define _XOPEN_SOURCE 700

#include "tests/support/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum { TERMINAL_DEADLINE_MS = 30000, TERMINAL_TOLD_BYTES = 16 };

/* ---- the leader's side ----------------------------------------------------- */

static void terminal_tell(int fd, const char *word, int number)
{
	char message[TERMINAL_TOLD_BYTES] = {0};
	snprintf(message, sizeof(message), "%s %d", word, number);
	if (write(fd, message, sizeof(message)) != (ssize_t)sizeof(message)) {
		_exit(3);
	}
}

static void terminal_lead(pid_t program, int told, int order)
{
	for (;;) {
		int status;
		char go = 'c';
		if (waitpid(program, &status, WUNTRACED) < 0) {
			_exit(3);
		}
		if (WIFSTOPPED(status)) {
			terminal_tell(told, "stop", 0);
			if (read(order, &go, 1) != 1) {
				(void)kill(program, SIGKILL);
			}
			(void)tcsetpgrp(0, go == 'b' ? getpgrp() : program);
			(void)kill(-program, SIGCONT);
			continue;
		}
		terminal_tell(told, WIFEXITED(status) ? "exit" : "signal",
			      WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
		/* The terminal must outlive the program until the test has looked at it. */
		(void)!read(order, &go, 1);
		_exit(0);
	}
}

/* As in a terminal of one's own, whatever started the test and was ignoring by then. */
static void terminal_heed_signals(void)
{
	sigset_t none;
	for (int number = 1; number <= SIGRTMAX; number++) {
		(void)signal(number, SIG_DFL);
	}
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
}

static void terminal_begin(const char *slave, const char *greeting, int told, int order,
			   int (*run)(void *), void *arg)
{
	(void)setsid();
	int fd = open(slave, O_RDWR);
	if (fd < 0 || dup2(fd, 0) < 0 || dup2(fd, 1) < 0 || ioctl(fd, TIOCSCTTY, 0) < 0) {
		_exit(3);
	}
	(void)signal(SIGTTOU, SIG_IGN);
	(void)signal(SIGHUP, SIG_IGN);
	(void)!write(1, greeting, strlen(greeting));
	(void)!write(1, "\r\n", 2);
	pid_t program = fork();
	if (program == 0) {
		(void)setpgid(0, 0);
		(void)tcsetpgrp(0, getpid());
		terminal_heed_signals();
		(void)close(told);
		(void)close(order);
		exit(run(arg));
	}
	(void)setpgid(program, program);
	terminal_tell(told, "pid", (int)program);
	terminal_lead(program, told, order);
}

/* ---- the test's side --------------------------------------------------------- */

static void terminal_keep_frame(struct terminal *t)
{
	enum { ROW_BYTES_MAX = 4096 };
	int height;
	int width;
	size_t n = 0;
	vterm_get_size(t->vt, &height, &width);
	t->frame = realloc(t->frame, (size_t)height * ROW_BYTES_MAX + 1);
	assert_non_null(t->frame);
	for (int row = 0; row < height; row++) {
		VTermRect rect = {.start_row = row,
				  .end_row = row + 1,
				  .start_col = 0,
				  .end_col = width};
		n += vterm_screen_get_text(t->screen, t->frame + n, ROW_BYTES_MAX - 1, rect);
		t->frame[n++] = '\n';
	}
	t->frame[n] = '\0';
}

static int terminal_on_prop(VTermProp prop, VTermValue *value, void *user)
{
	struct terminal *t = user;
	if (prop == VTERM_PROP_CURSORVISIBLE) {
		t->is_cursor_shown = value->boolean;
		t->cursors++;
		terminal_keep_frame(t);
	} else if (prop == VTERM_PROP_ALTSCREEN) {
		t->is_alternate = value->boolean;
	}
	return 1;
}

static const VTermScreenCallbacks terminal_callbacks = {.settermprop = terminal_on_prop};

static const char *terminal_read_told(struct terminal *t)
{
	static char message[TERMINAL_TOLD_BYTES];
	assert_int_equal(read(t->told, message, sizeof(message)), (int)sizeof(message));
	return message;
}

static void terminal_open_vterm(struct terminal *t, int width, int height)
{
	t->vt = vterm_new(height, width);
	assert_non_null(t->vt);
	vterm_set_utf8(t->vt, 1);
	t->screen = vterm_obtain_screen(t->vt);
	vterm_screen_set_callbacks(t->screen, &terminal_callbacks, t);
	vterm_screen_enable_altscreen(t->screen, 1);
	vterm_screen_reset(t->screen, 1);
	t->is_cursor_shown = true;
}

void terminal_open(struct terminal *t, int width, int height, const char *greeting,
		   int (*run)(void *arg), void *arg)
{
	int told[2];
	int order[2];
	struct winsize size = {.ws_col = (unsigned short)width, .ws_row = (unsigned short)height};

	memset(t, 0, sizeof(*t));
	t->master = posix_openpt(O_RDWR | O_NOCTTY);
	assert_true(t->master >= 0);
	assert_int_equal(grantpt(t->master), 0);
	assert_int_equal(unlockpt(t->master), 0);
	const char *slave = ptsname(t->master);
	assert_non_null(slave);
	assert_int_equal(ioctl(t->master, TIOCSWINSZ, &size), 0);
	assert_int_equal(tcgetattr(t->master, &t->before), 0);
	assert_int_equal(pipe(told), 0);
	assert_int_equal(pipe(order), 0);
	terminal_open_vterm(t, width, height);
	fflush(NULL);
	t->leader = fork();
	assert_true(t->leader >= 0);
	if (t->leader == 0) {
		(void)close(t->master);
		(void)close(told[0]);
		(void)close(order[1]);
		terminal_begin(slave, greeting, told[1], order[0], run, arg);
	}
	(void)close(told[1]);
	(void)close(order[0]);
	t->told = told[0];
	t->order = order[1];
	t->program = (pid_t)strtol(terminal_read_told(t) + 4, NULL, 10);
	assert_true(t->program > 1);
}

void terminal_close(struct terminal *t)
{
	/* The program may be gone already; its leader is not, so the id is still its own. */
	(void)kill(t->program, SIGKILL);
	/* Nor need it be signalled: what was started meanwhile may hold the other end of its pipe. */
	(void)kill(t->leader, SIGKILL);
	(void)close(t->order);
	(void)close(t->master);
	assert_int_equal(waitpid(t->leader, NULL, 0), t->leader);
	(void)close(t->told);
	vterm_free(t->vt);
	free(t->frame);
}

void terminal_type(struct terminal *t, const char *bytes)
{
	size_t len = strlen(bytes);
	assert_int_equal(write(t->master, bytes, len), (int)len);
}

void terminal_resize(struct terminal *t, int width, int height)
{
	struct winsize size = {.ws_col = (unsigned short)width, .ws_row = (unsigned short)height};
	vterm_set_size(t->vt, height, width);
	assert_int_equal(ioctl(t->master, TIOCSWINSZ, &size), 0);
}

void terminal_signal(struct terminal *t, int number)
{
	assert_int_equal(kill(t->program, number), 0);
}

static void terminal_keep_raw(struct terminal *t, const char *data, size_t len)
{
	if (t->raw_len + len >= sizeof(t->raw)) {
		t->raw_len = 0;
	}
	memcpy(t->raw + t->raw_len, data, len);
	t->raw_len += len;
	t->raw[t->raw_len] = '\0';
	t->bytes += len;
}

static void terminal_take_in(struct terminal *t, const char *data, size_t len)
{
	terminal_keep_raw(t, data, len);
	vterm_input_write(t->vt, data, len);
	vterm_screen_flush_damage(t->screen);
}

void terminal_show(struct terminal *t, const char *bytes)
{
	terminal_take_in(t, bytes, strlen(bytes));
}

size_t terminal_take(struct terminal *t, size_t bytes_max, int wait_ms)
{
	char data[4096];
	struct pollfd p = {.fd = t->master, .events = POLLIN};
	if (poll(&p, 1, wait_ms) <= 0) {
		return 0;
	}
	ssize_t n = read(t->master, data, bytes_max < sizeof(data) ? bytes_max : sizeof(data));
	if (n <= 0) {
		return 0;
	}
	terminal_take_in(t, data, (size_t)n);
	return (size_t)n;
}

/* False where nothing came within that time, or nothing can come any more. */
static bool terminal_read(struct terminal *t, int wait_ms)
{
	return terminal_take(t, SIZE_MAX, wait_ms) > 0;
}

const char *terminal_row(struct terminal *t, int row)
{
	static char text[4096];
	int height;
	int width;
	vterm_get_size(t->vt, &height, &width);
	VTermRect rect = {.start_row = row, .end_row = row + 1, .start_col = 0, .end_col = width};
	size_t n = vterm_screen_get_text(t->screen, text, sizeof(text) - 1, rect);
	while (n > 0 && (text[n - 1] == ' ' || text[n - 1] == '\n')) {
		n--;
	}
	text[n] = '\0';
	return text;
}

bool terminal_shows(const struct terminal *t, const char *text)
{
	return t->frame != NULL && strstr(t->frame, text) != NULL;
}

void terminal_cursor(struct terminal *t, int *x, int *y)
{
	VTermPos at;
	vterm_state_get_cursorpos(vterm_obtain_state(t->vt), &at);
	*x = at.col;
	*y = at.row;
}

int64_t terminal_now_ms(void)
{
	struct timespec now;
	assert_int_equal(clock_gettime(CLOCK_MONOTONIC, &now), 0);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int terminal_left_ms(int64_t until_ms)
{
	int64_t left_ms = until_ms - terminal_now_ms();
	return left_ms > 0 ? (int)left_ms : 0;
}

void terminal_wait_row(struct terminal *t, int row, const char *text)
{
	int64_t until_ms = terminal_now_ms() + TERMINAL_DEADLINE_MS;
	while (strncmp(terminal_row(t, row), text, strlen(text)) != 0) {
		int left_ms = terminal_left_ms(until_ms);
		if (left_ms == 0 || !terminal_read(t, left_ms)) {
			fail_msg("row %d is \"%s\", not \"%s\"", row, terminal_row(t, row), text);
		}
	}
}

/* Takes what is written meanwhile: a program's end may wait for the terminal to have it all. */
const char *terminal_wait_end(struct terminal *t)
{
	struct pollfd p[] = {{.fd = t->told, .events = POLLIN},
			     {.fd = t->master, .events = POLLIN}};
	int64_t until_ms = terminal_now_ms() + TERMINAL_DEADLINE_MS;
	while (poll(p, 2, terminal_left_ms(until_ms)) > 0 && p[0].revents == 0) {
		if (!terminal_read(t, 0)) {
			p[1].fd =
				-1; /* it has closed its end: only the exit status is still to come */
		}
	}
	if (p[0].revents == 0) {
		fail_msg("the program does not end");
	}
	const char *end = terminal_read_told(t);
	while (terminal_read(t, 0)) {
	}
	return strcmp(end, "stop 0") == 0 ? "stop" : end;
}

void terminal_continue(struct terminal *t)
{
	assert_int_equal(write(t->order, "c", 1), 1);
}

void terminal_continue_behind(struct terminal *t)
{
	assert_int_equal(write(t->order, "b", 1), 1);
}

bool terminal_is_restored(struct terminal *t)
{
	struct termios now;
	assert_int_equal(tcgetattr(t->master, &now), 0);
	return now.c_iflag == t->before.c_iflag && now.c_oflag == t->before.c_oflag &&
	       now.c_cflag == t->before.c_cflag && now.c_lflag == t->before.c_lflag &&
	       memcmp(now.c_cc, t->before.c_cc, sizeof(now.c_cc)) == 0;
}

bool terminal_has_received(const struct terminal *t, const char *bytes)
{
	return strstr(t->raw, bytes) != NULL;
}

size_t terminal_count_received(const struct terminal *t, const char *bytes)
{
	size_t n = 0;
	for (const char *at = t->raw; (at = strstr(at, bytes)) != NULL; at += strlen(bytes)) {
		n++;
	}
	return n;
}

static const char *terminal_last(const struct terminal *t, const char *bytes)
{
	const char *last = t->raw;
	for (const char *at = t->raw; (at = strstr(at, bytes)) != NULL; at++) {
		last = at + 1;
	}
	return last;
}

bool terminal_is_on(const struct terminal *t, const char *on, const char *off)
{
	return terminal_last(t, on) > terminal_last(t, off);
}
