/*
 * stop_uv.c - how serving ends: by a signal, by being idle, or at once.
 *
 * Listeners close, the core sends server.closing and finishes its commits, for
 * STOP_MS at most; then connections close, and the loop ends when the last of
 * them has. A second signal ends it at once.
 */
#include "server/net/event_loop_uv.h"
#include "server/net/sd_notify.h"

#define STOP_MS 5000

void stop_now(struct event_loop *loop, enum event_loop_end end)
{
	loop->end = end;
	commands_stop(loop);
	uv_stop(&loop->loop);
}

static void stop_close_connections(struct event_loop *loop)
{
	loop->phase = EVENT_LOOP_CLOSING;
	stream_close_all(loop);
	if (loop->streams.handles == 0) {
		stop_now(loop, EVENT_LOOP_STOPPED);
	}
}

static void stop_on_deadline(uv_timer_t *timer)
{
	struct event_loop *loop = timer->data;
	if (loop->phase == EVENT_LOOP_STOPPING) {
		log_pair(loop->config.log, LOG_WARN, "stop_deadline", "reason",
			 "answers were still being sent");
		stop_close_connections(loop);
	}
}

static void stop_begin(struct event_loop *loop, const char *reason)
{
	log_pair(loop->config.log, LOG_INFO, "stopping", "reason", reason);
	sd_notify_manager("STOPPING=1");
	loop->phase = EVENT_LOOP_STOPPING;
	listeners_close(loop, 0);
	handshakes_drop_all(loop);
	commands_stop(loop);
	(void)uv_timer_stop(&loop->idle_exit);
	(void)uv_timer_start(&loop->stop, stop_on_deadline, STOP_MS, 0);
	struct event e = {.kind = EVENT_STOP};
	event_loop_step(loop, &e);
}

static void stop_on_signal(uv_signal_t *handle, int signum)
{
	struct event_loop *loop = handle->data;
	if (loop->phase == EVENT_LOOP_SERVING) {
		stop_begin(loop, signum == SIGINT ? "SIGINT" : "SIGTERM");
	} else {
		stop_now(loop, EVENT_LOOP_ABORTED);
	}
}

static void stop_on_idle_exit(uv_timer_t *timer)
{
	struct event_loop *loop = timer->data;
	if (loop->phase == EVENT_LOOP_SERVING && loop->streams.open == 0) {
		stop_begin(loop, "no connections");
	}
}

void stop_on_connections(struct event_loop *loop)
{
	if (loop->phase == EVENT_LOOP_CLOSING && loop->streams.handles == 0) {
		stop_now(loop, EVENT_LOOP_STOPPED);
	}
	if (loop->phase != EVENT_LOOP_SERVING || loop->config.idle_exit_ms == 0) {
		return;
	}
	bool is_waiting = uv_is_active((const uv_handle_t *)&loop->idle_exit) != 0;
	if (loop->streams.open > 0) {
		(void)uv_timer_stop(&loop->idle_exit);
	} else if (!is_waiting) {
		(void)uv_timer_start(&loop->idle_exit, stop_on_idle_exit,
				     (uint64_t)loop->config.idle_exit_ms, 0);
	}
}

void stop_on_turn(struct event_loop *loop, bool is_more)
{
	if (loop->phase == EVENT_LOOP_STOPPING && !is_more && loop->streams.blocked == 0 &&
	    server_is_idle(loop->server)) {
		stop_close_connections(loop);
	}
}

static void stop_on_hangup(uv_signal_t *handle, int signum)
{
	const struct event_loop *loop = handle->data;
	(void)signum;
	if (loop->config.on_hangup != NULL) {
		loop->config.on_hangup(loop->config.on_arg);
	}
}

int stop_watch_signals(struct event_loop *loop)
{
	int failed = uv_signal_start(&loop->sigterm, stop_on_signal, SIGTERM);
	failed = failed != 0 ? failed : uv_signal_start(&loop->sigint, stop_on_signal, SIGINT);
	return failed != 0 ? failed : uv_signal_start(&loop->sighup, stop_on_hangup, SIGHUP);
}
