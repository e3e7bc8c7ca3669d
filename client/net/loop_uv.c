/*
 * loop_uv.c - turning a loop; see loop_uv.h.
 */
#include "client/net/loop_uv.h"

#include <signal.h>

#include "client/model/memory.h"
#include "client/net/stdin_lines_uv.h"
#include "proto/base/assert.h"

static void loop_emit(struct loop *l, struct event event)
{
	if (l->on_event != NULL) {
		l->on_event(l->owner, &event);
	}
}

/* ---- turning ---- */

/* Timers come before the descriptors in a turn, which would then wait for the next of them. */
static void loop_on_deadline(uv_timer_t *timer)
{
	struct loop *l = timer->data;
	l->is_due = true;
	loop_wake(l);
}

static void loop_start_deadline(struct loop *l)
{
	uv_update_time(&l->uv);
	(void)uv_timer_start(&l->deadline, loop_on_deadline, l->patience_ms, 0);
}

bool loop_run(struct loop *l, bool (*is_so)(const void *arg), const void *arg, int64_t timeout_ms)
{
	bool is_alive = true;
	l->is_due = false;
	if (timeout_ms >= 0) {
		l->patience_ms = (uint64_t)timeout_ms;
		loop_start_deadline(l);
	}
	while (is_alive && !is_so(arg) && !l->is_due) {
		is_alive = uv_run(&l->uv, UV_RUN_ONCE) != 0;
	}
	(void)uv_timer_stop(&l->deadline);
	return is_so(arg);
}

void loop_wake(struct loop *l)
{
	uv_stop(&l->uv);
}

int64_t loop_clock_ms(void)
{
	return (int64_t)(uv_hrtime() / 1000000);
}

/* ---- signals and rest ---- */

static void loop_on_signal(uv_signal_t *handle, int number)
{
	loop_emit(handle->data, (struct event){.kind = EVENT_SIGNAL, .signal = number});
}

static void loop_start_signals(struct loop *l)
{
	for (size_t i = 0; i < l->signals_n; i++) {
		if (l->numbers[i] != 0) {
			(void)uv_signal_start(&l->signals[i], loop_on_signal, l->numbers[i]);
		}
	}
}

void loop_watch_signals(struct loop *l, const int *numbers, size_t n)
{
	ASSERT_CMP(l->signals_n + n, <=, LOOP_SIGNALS_MAX);
	for (size_t i = 0; i < n; i++) {
		struct sigaction now;
		bool is_ignored =
			sigaction(numbers[i], NULL, &now) == 0 && now.sa_handler == SIG_IGN;
		uv_signal_t *handle = &l->signals[l->signals_n];
		(void)uv_signal_init(&l->uv, handle);
		handle->data = l;
		l->numbers[l->signals_n++] = is_ignored ? 0 : numbers[i];
	}
	loop_start_signals(l);
}

static void loop_on_rest(uv_prepare_t *handle)
{
	loop_emit(handle->data, (struct event){.kind = EVENT_REST});
}

void loop_watch_rest(struct loop *l)
{
	(void)uv_prepare_start(&l->rest, loop_on_rest);
}

void loop_suspend(struct loop *l)
{
	for (size_t i = 0; i < l->signals_n; i++) {
		(void)uv_signal_stop(&l->signals[i]);
	}
}

void loop_resume(struct loop *l)
{
	loop_start_signals(l);
	uv_update_time(&l->uv);
	if (uv_is_active((uv_handle_t *)&l->deadline)) {
		loop_start_deadline(l);
	}
}

/* ---- input ---- */

static bool loop_on_line(void *owner, struct slice line)
{
	struct loop *l = owner;
	loop_emit(l, (struct event){.kind = EVENT_LINE, .line = line});
	return !l->is_holding_lines;
}

static void loop_on_long_line(void *owner)
{
	loop_emit(owner, (struct event){.kind = EVENT_LINE, .error = ERR_TOO_LARGE});
}

/* No more lines, and no end of them. */
static void loop_drop_lines(struct loop *l)
{
	stdin_lines_close(l->lines);
	l->lines = NULL;
	l->is_holding_lines = true;
}

static void loop_on_lines_end(void *owner, enum err e)
{
	struct loop *l = owner;
	loop_drop_lines(l);
	loop_emit(l, (struct event){.kind = EVENT_INPUT_END, .error = e});
}

enum err loop_take_lines(struct loop *l, int fd)
{
	l->is_holding_lines = false;
	if (!l->has_read_lines) {
		l->has_read_lines = true;
		const struct stdin_lines_handler on = {
			.on_line = loop_on_line,
			.on_long = l->skips_long_lines ? loop_on_long_line : NULL,
			.on_end = loop_on_lines_end,
		};
		return stdin_lines_open(&l->uv, fd, &on, l, &l->lines);
	}
	if (l->lines != NULL) {
		stdin_lines_resume(l->lines);
	}
	return OK;
}

void loop_hold_lines(struct loop *l)
{
	l->is_holding_lines = true;
}

/* ---- life ---- */

void loop_open(struct loop *l, event_cb on_event, void *owner)
{
	*l = (struct loop){.on_event = on_event, .owner = owner};
	int status = uv_loop_init(&l->uv);
	if (status < 0) {
		memory_is_out_of(status == UV_ENOMEM ? "memory" : "file descriptors");
	}
	(void)uv_timer_init(&l->uv, &l->deadline);
	(void)uv_prepare_init(&l->uv, &l->rest);
	l->deadline.data = l;
	l->rest.data = l;
}

void loop_close(struct loop *l)
{
	l->on_event = NULL;
	loop_drop_lines(l);
	for (size_t i = 0; i < l->signals_n; i++) {
		uv_close((uv_handle_t *)&l->signals[i], NULL);
	}
	uv_close((uv_handle_t *)&l->deadline, NULL);
	uv_close((uv_handle_t *)&l->rest, NULL);
	(void)uv_run(&l->uv, UV_RUN_DEFAULT);
	int status = uv_loop_close(&l->uv);
	ASSERT_CMP(status, ==, 0);
}
