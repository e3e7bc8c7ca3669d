/*
 * loop_uv.h - the loop that a program of the client runs on: signals, lines of
 * standard input, and waiting until something is so.
 *
 * Life:    loop_open() .. loop_close(). What else was opened on l->uv is closed before that.
 * Threads: one thread a loop. A handler of one loop may run another.
 */
#ifndef CLIENT_NET_LOOP_UV_H
#define CLIENT_NET_LOOP_UV_H

#include <stdbool.h>

#include <uv.h>

#include "client/net/event.h"

#define LOOP_SIGNALS_MAX 5

struct stdin_lines;

struct loop {
	uv_loop_t uv;
	uv_timer_t deadline;
	uint64_t patience_ms; /* of the deadline that runs */
	bool is_due;
	uv_prepare_t rest;
	uv_signal_t signals[LOOP_SIGNALS_MAX];
	int numbers[LOOP_SIGNALS_MAX]; /* 0: not watched, because it is ignored */
	size_t signals_n;
	struct stdin_lines *lines; /* NULL: not read yet, or at its end */
	bool has_read_lines;
	bool is_holding_lines;
	bool skips_long_lines; /* set before loop_take_lines(): a line that is too long is an EVENT_LINE with ERR_TOO_LARGE, not the end of the input */
	event_cb on_event;
	void *owner;
};

/* on_event: for the events of the loop itself; borrowed until loop_close(). What cannot be had ends the program (memory.h). */
void loop_open(struct loop *l, event_cb on_event, void *owner);
/* Ends what the loop has itself, and runs it until nothing is left on it. */
void loop_close(struct loop *l);

/*
 * Run until is_so(arg), checked after each turn, or for timeout_ms (negative: for
 * ever), or until nothing can happen any more. Returns is_so(arg).
 */
bool loop_run(struct loop *l, bool (*is_so)(const void *arg), const void *arg, int64_t timeout_ms);
/* From within a handler: what loop_run() waits for is so now, and the turn ends without waiting. */
void loop_wake(struct loop *l);

/* EVENT_SIGNAL for these; one that is ignored, as nohup has it, stays so. At most LOOP_SIGNALS_MAX. */
void loop_watch_signals(struct loop *l, const int *numbers, size_t n);
/* EVENT_REST from now on. */
void loop_watch_rest(struct loop *l);

/*
 * Between the two the program stands still for a person: signals do what they do
 * by default, and loop_run()'s time does not pass.
 */
void loop_suspend(struct loop *l);
void loop_resume(struct loop *l);

/* Let lines of a descriptor come, or come again. No line comes between loop_hold_lines() and this. ERR_IO. */
NODISCARD enum err loop_take_lines(struct loop *l, int fd);
void loop_hold_lines(struct loop *l);

/* Milliseconds on a clock that never goes back. */
int64_t loop_clock_ms(void);

#endif
