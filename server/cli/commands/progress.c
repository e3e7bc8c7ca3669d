/*
 * progress.c - see progress.h.
 *
 * SIGINT and SIGTERM stay blocked and are asked for between two steps, so that none comes where a file would be
 * left behind.
 */
#include "server/cli/commands/progress.h"

#include <stdio.h>
#include <unistd.h>

#define PROGRESS_LINE_MS 100 /* between two looks at how far it is */

int64_t progress_clock(clockid_t clock)
{
	struct timespec now = {0};
	(void)clock_gettime(clock, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void progress_begin(struct progress *p)
{
	*p = (struct progress){.has_terminal = isatty(STDERR_FILENO) == 1,
			       .began_ms = progress_clock(CLOCK_MONOTONIC)};
	(void)sigemptyset(&p->stops);
	(void)sigaddset(&p->stops, SIGINT);
	(void)sigaddset(&p->stops, SIGTERM);
	(void)sigprocmask(SIG_BLOCK, &p->stops, NULL);
}

bool progress_is_stopped(struct progress *p, int64_t wait_ms)
{
	const struct timespec wait = {.tv_sec = (time_t)(wait_ms / 1000),
				      .tv_nsec = (long)(wait_ms % 1000) * 1000000};
	if (!p->is_stopped) {
		p->is_stopped = sigtimedwait(&p->stops, NULL, &wait) > 0;
	}
	return p->is_stopped;
}

void progress_end(const struct progress *p)
{
	(void)sigprocmask(SIG_UNBLOCK, &p->stops, NULL);
}

bool progress_is_due(struct progress *p, unsigned step)
{
	bool is_another = !p->has_line || step != p->shown_step;
	return p->has_terminal &&
	       (is_another || progress_clock(CLOCK_MONOTONIC) - p->shown_ms >= PROGRESS_LINE_MS);
}

void progress_show(struct progress *p, unsigned step, const char *text)
{
	(void)fprintf(stderr, "\r%-60s", text);
	(void)fflush(stderr);
	p->has_line = true;
	p->shown_ms = progress_clock(CLOCK_MONOTONIC);
	p->shown_step = step;
}

void progress_end_line(struct progress *p)
{
	if (p->has_line) {
		(void)fprintf(stderr, "\r%-60s\r", "");
		(void)fflush(stderr);
	}
	p->has_line = false;
}

double progress_seconds(const struct progress *p)
{
	return (double)(progress_clock(CLOCK_MONOTONIC) - p->began_ms) / 1000;
}
