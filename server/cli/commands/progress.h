/*
 * progress.h - commands that take their time: a line that tells how far they are, if a person watches, and
 * signals that end them where nothing is left behind.
 */
#ifndef SERVER_CLI_PROGRESS_H
#define SERVER_CLI_PROGRESS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define PROGRESS_TEXT_BYTES 80

struct progress {
	sigset_t stops;
	bool is_stopped;
	bool has_terminal;
	bool has_line;
	int64_t shown_ms;
	unsigned shown_step;
	int64_t began_ms;
};

/* From now on SIGINT and SIGTERM are asked for, and end nothing by themselves. */
void progress_begin(struct progress *p);
/* Whether one has come; waits for that, for so long at most. */
bool progress_is_stopped(struct progress *p, int64_t wait_ms);
/* From now on a SIGINT or SIGTERM ends the process, wherever it is. */
void progress_end(const struct progress *p);
/* Whether the line should be written: it is another step, or the last one was shown long enough. */
bool progress_is_due(struct progress *p, unsigned step);
void progress_show(struct progress *p, unsigned step, const char *text);
/* Remove the line. */
void progress_end_line(struct progress *p);
/* Seconds since progress_begin(), or since began_ms was set. */
double progress_seconds(const struct progress *p);
/* Milliseconds. */
int64_t progress_clock(clockid_t clock);

#endif
