/*
 * restore_curses.c - the terminal as it was, however the program ends or stops.
 *
 * The handlers only write(), poll() and tcsetattr(); what they need is complete
 * before they are installed. They take a signal only where it still has its
 * default, so a program that watches some of them itself keeps those.
 */
/* For sigaltstack(), where the flags of curses do not say so already. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif

#include "client/tui/curses/screen_parts_curses.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

/* A terminal that takes no byte for that long gets no more: the program must be able to end. */
enum { RESTORE_PATIENCE_MS = 2000, RESTORE_STACK_BYTES = 16384 };

static volatile sig_atomic_t restore_is_ours; /* the terminal is in our mode */
static volatile sig_atomic_t restore_stopped; /* and nobody has asked yet */
/* We have put the terminal into our mode again since the SIGCONT that is to be told of next. */
static volatile sig_atomic_t restore_has_entered;
static volatile sig_atomic_t restore_has_mouse; /* our mode includes the mouse */
static struct restore restore_how;
/* Of its own, so that a stack that overflowed does not keep the terminal. */
static char restore_stack[RESTORE_STACK_BYTES];

static const struct screen_bytes restore_mouse = {RESTORE_MOUSE_ON, sizeof(RESTORE_MOUSE_ON) - 1};

/* The signals that end a program, as far as one can do something about it. */
static const int restore_deadly[] = {SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGSEGV,
				     SIGABRT, SIGBUS, SIGFPE, SIGILL};
enum { RESTORE_DEADLY_N = sizeof(restore_deadly) / sizeof(restore_deadly[0]) };

static bool restore_wait(void)
{
	struct pollfd p = {.fd = restore_how.fd, .events = POLLOUT};
	int n;
	do {
		n = poll(&p, 1, RESTORE_PATIENCE_MS);
	} while (n < 0 && errno == EINTR);
	return n > 0 && (p.revents & POLLOUT) != 0;
}

/* Whole, unless the terminal is gone or stalled. */
static void restore_write(const struct screen_bytes *bytes)
{
	size_t sent = 0;
	while (sent < bytes->len) {
		ssize_t n = write(restore_how.fd, bytes->data + sent, bytes->len - sent);
		if (n > 0) {
			sent += (size_t)n;
		} else if (n == 0 || (errno != EINTR && (errno != EAGAIN || !restore_wait()))) {
			return;
		}
	}
}

static void restore_leave(void)
{
	if (!restore_is_ours) {
		return;
	}
	struct pollfd p = {.fd = restore_how.fd, .events = POLLOUT};
	restore_is_ours = 0;
	if (poll(&p, 1, 0) == 0) {
		/* A slow terminal need not show all of what is left behind anyway. */
		(void)tcflush(restore_how.fd, TCOFLUSH);
	}
	restore_write(&restore_how.leave);
	(void)tcsetattr(STDIN_FILENO, TCSANOW, &restore_how.before);
}

static void restore_enter(void)
{
	restore_is_ours = 1;
	(void)tcsetattr(STDIN_FILENO, TCSANOW, &restore_how.ours);
	restore_write(&restore_how.enter);
	if (restore_has_mouse) {
		restore_write(&restore_mouse);
	}
}

void restore_set_mouse(bool is_on)
{
	restore_has_mouse = is_on ? 1 : 0;
}

void screen_restore_raw(void)
{
	int keep = errno;
	restore_leave();
	hold_end();
	errno = keep;
}

/* The disposition is the default again (SA_RESETHAND): raised anew, the signal ends the program. */
static void restore_on_deadly(int number)
{
	screen_restore_raw();
	(void)raise(number);
}

/*
 * Continued in the background (a shell's `bg`) the terminal is somebody else's: stop again until it
 * is ours. Not SIGTTOU, which a process group without a shell would ignore.
 */
static void restore_wait_for_front(void)
{
	for (;;) {
		pid_t front = tcgetpgrp(STDIN_FILENO);
		if (front < 0 || front == getpgrp()) {
			return;
		}
		restore_has_entered = 1;
		(void)raise(SIGSTOP);
	}
}

/* Stop as anyone stops, and come back as if nothing had been. */
static void restore_on_stop(int number)
{
	struct sigaction ours;
	struct sigaction stop = {.sa_handler = SIG_DFL};
	sigset_t unblock;
	int keep = errno;
	bool was_ours = restore_is_ours != 0;

	restore_leave();
	(void)sigemptyset(&stop.sa_mask);
	(void)sigaction(number, &stop, &ours);
	(void)raise(number);
	(void)sigemptyset(&unblock);
	(void)sigaddset(&unblock, number);
	(void)pthread_sigmask(SIG_UNBLOCK, &unblock, NULL);
	(void)sigaction(number, &ours, NULL);
	if (was_ours) {
		restore_wait_for_front();
		restore_enter();
	}
	restore_has_entered = 1;
	restore_stopped = 1;
	errno = keep;
}

static void restore_catch(int number, void (*handler)(int), int flags)
{
	struct sigaction act;
	if (sigaction(number, NULL, &act) != 0 || (act.sa_flags & SA_SIGINFO) != 0 ||
	    act.sa_handler != SIG_DFL) {
		return;
	}
	act = (struct sigaction){.sa_handler = handler, .sa_flags = flags};
	(void)sigfillset(&act.sa_mask);
	(void)sigaction(number, &act, NULL);
}

static void restore_uncatch(int number, void (*handler)(int))
{
	struct sigaction act;
	struct sigaction plain = {.sa_handler = SIG_DFL};
	if (sigaction(number, NULL, &act) == 0 && (act.sa_flags & SA_SIGINFO) == 0 &&
	    act.sa_handler == handler) {
		(void)sigemptyset(&plain.sa_mask);
		(void)sigaction(number, &plain, NULL);
	}
}

/* A stack that somebody else has set up for signals stays, and serves as well. */
static void restore_set_stack(void)
{
	stack_t now;
	stack_t own = {.ss_sp = restore_stack, .ss_size = sizeof(restore_stack)};
	if (sigaltstack(NULL, &now) == 0 && (now.ss_flags & SS_DISABLE) != 0) {
		(void)sigaltstack(&own, NULL);
	}
}

static void restore_catch_all(void)
{
	restore_set_stack();
	for (size_t i = 0; i < RESTORE_DEADLY_N; i++) {
		restore_catch(restore_deadly[i], restore_on_deadly, (int)SA_RESETHAND | SA_ONSTACK);
	}
	restore_catch(SIGTSTP, restore_on_stop, SA_RESTART);
}

static void restore_uncatch_all(void)
{
	for (size_t i = 0; i < RESTORE_DEADLY_N; i++) {
		restore_uncatch(restore_deadly[i], restore_on_deadly);
	}
	restore_uncatch(SIGTSTP, restore_on_stop);
}

void restore_block(sigset_t *before)
{
	sigset_t all;
	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_BLOCK, &all, before);
}

void restore_unblock(const sigset_t *before)
{
	(void)pthread_sigmask(SIG_SETMASK, before, NULL);
}

void restore_begin(const struct restore *r)
{
	restore_how = *r;
	restore_stopped = 0;
	restore_has_entered = 0;
	restore_has_mouse = 0;
	restore_is_ours = 1;
	restore_catch_all();
	restore_write(&restore_how.modes);
}

void restore_end(void)
{
	sigset_t before;
	restore_block(&before);
	restore_uncatch_all();
	restore_leave();
	hold_end();
	restore_unblock(&before);
}

void restore_resume(void)
{
	if (!restore_has_entered && restore_is_ours) {
		restore_wait_for_front();
		restore_enter();
		restore_stopped = 1;
	}
	restore_has_entered = 0;
}

bool restore_was_stopped(void)
{
	bool was_stopped = restore_stopped != 0;
	restore_stopped = 0;
	return was_stopped;
}
