/*
 * restore_curses.c - the terminal as it was, however the program ends or stops.
 *
 * The handlers only write() and tcsetattr(); what they need is complete before
 * they are installed. They take a signal only where it still has its default,
 * so a program that watches some of them itself keeps those.
 */
#include "client/tui/screen_parts_curses.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t restore_is_ours; /* the terminal is in our mode */
static volatile sig_atomic_t restore_stopped; /* and nobody has asked yet */
static struct restore restore_how;

/* The signals that end a program, as far as one can do something about it. */
static const int restore_deadly[] = {SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGSEGV,
				     SIGABRT, SIGBUS, SIGFPE, SIGILL};
enum { RESTORE_DEADLY_N = sizeof(restore_deadly) / sizeof(restore_deadly[0]) };

bool restore_write(const char *data, size_t len)
{
	while (len > 0) {
		ssize_t n = write(STDOUT_FILENO, data, len);
		if (n > 0) {
			data += n;
			len -= (size_t)n;
		} else if (n < 0 && errno == EAGAIN) {
			struct pollfd p = {.fd = STDOUT_FILENO, .events = POLLOUT};
			(void)poll(&p, 1, -1);
		} else if (n == 0 || errno != EINTR) {
			return false;
		}
	}
	return true;
}

static void restore_leave(void)
{
	if (!restore_is_ours) {
		return;
	}
	restore_is_ours = 0;
	(void)restore_write(restore_how.leave.data, restore_how.leave.len);
	(void)tcsetattr(STDIN_FILENO, TCSANOW, &restore_how.before);
}

static void restore_enter(void)
{
	restore_is_ours = 1;
	(void)tcsetattr(STDIN_FILENO, TCSANOW, &restore_how.ours);
	(void)restore_write(restore_how.enter.data, restore_how.enter.len);
}

void screen_restore_raw(void)
{
	int keep = errno;
	restore_leave();
	errno = keep;
}

/* The disposition is the default again (SA_RESETHAND): raised anew, the signal ends the program. */
static void restore_on_deadly(int number)
{
	screen_restore_raw();
	(void)raise(number);
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
		restore_enter();
	}
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

static void restore_catch_all(void)
{
	for (size_t i = 0; i < RESTORE_DEADLY_N; i++) {
		restore_catch(restore_deadly[i], restore_on_deadly, (int)SA_RESETHAND);
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

void restore_begin(const struct restore *r)
{
	restore_how = *r;
	restore_is_ours = 1;
	restore_catch_all();
}

void restore_end(void)
{
	restore_uncatch_all();
	restore_leave();
}

bool restore_was_stopped(void)
{
	bool was_stopped = restore_stopped != 0;
	restore_stopped = 0;
	return was_stopped;
}
