/*
 * loop_uv.h - the event loop of a client program: signals, lines of standard
 * input, and waiting for a condition.
 *
 * Life:    loop_open() .. loop_close(). Close other handles on l->uv before that.
 * Threads: one thread per loop. A handler of one loop may run another loop.
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
	uint64_t patience_ms; /* of the running deadline */
	bool is_due;
	uv_prepare_t rest;
	uv_signal_t signals[LOOP_SIGNALS_MAX];
	int numbers[LOOP_SIGNALS_MAX]; /* 0: not watched, because the process ignores it */
	size_t signals_n;
	struct stdin_lines *lines; /* NULL: not read yet, or at its end */
	bool has_read_lines;
	bool is_holding_lines;
	/*
	 * Set before loop_take_lines(). A line that is too long is then an EVENT_LINE with
	 * ERR_TOO_LARGE; otherwise it ends the input.
	 */
	bool skips_long_lines;
	event_cb on_event;
	void *owner;
};

/*
 * Initialise a loop; *l is the caller's and must not move. Ends the program if resources run
 * out (memory.h).
 * @on_event  gets the events of the loop itself.
 */
void loop_open(struct loop *l, event_cb on_event, void *owner);
/* Close the loop's own handles, and run it until no handle is left. */
void loop_close(struct loop *l);

/*
 * Run until is_so(arg), which is checked after each iteration, or for timeout_ms (negative:
 * no limit), or until the loop is empty. Returns is_so(arg).
 */
bool loop_run(struct loop *l, bool (*is_so)(const void *arg), const void *arg, int64_t timeout_ms);
/* From a handler: end this iteration without waiting, so that loop_run() checks its condition. */
void loop_wake(struct loop *l);

/*
 * Deliver EVENT_SIGNAL for these, at most LOOP_SIGNALS_MAX; signals the process ignores, as under
 * nohup, stay ignored.
 */
void loop_watch_signals(struct loop *l, const int *numbers, size_t n);
/* Deliver EVENT_REST from now on. */
void loop_watch_rest(struct loop *l);

/*
 * Bracket a blocking prompt: between the two, signals have their default effect, and the
 * timeout of loop_run() does not elapse.
 */
void loop_suspend(struct loop *l);
void loop_resume(struct loop *l);

/*
 * Start to read lines from the descriptor, or resume after loop_hold_lines(), which pauses them.
 * ERR_IO  the descriptor cannot be watched.
 */
NODISCARD enum err loop_take_lines(struct loop *l, int fd);
void loop_hold_lines(struct loop *l);

/* Milliseconds of a monotonic clock. */
int64_t loop_clock_ms(void);

#endif
