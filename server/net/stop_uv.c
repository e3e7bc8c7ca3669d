/*
 * stop_uv.c - how serving ends: by a signal, by nobody being there, or at once.
 *
 * Listeners close, the core says goodbye and finishes what it has begun, for
 * STOP_MS at most; then connections close, and the loop ends when the last of
 * them has. A second signal ends it at once.
 */
#include "server/net/event_loop_uv.h"
#include "server/net/sd_notify.h"

#define STOP_MS 5000

void stop_now(struct shell *sh, enum shell_end end)
{
	sh->end = end;
	uv_stop(&sh->loop);
}

static void stop_close_connections(struct shell *sh)
{
	sh->phase = SHELL_CLOSING;
	stream_close_all(sh);
	if (sh->streams.handles == 0) {
		stop_now(sh, SHELL_STOPPED);
	}
}

static void stop_on_deadline(uv_timer_t *timer)
{
	struct shell *sh = timer->data;
	if (sh->phase == SHELL_STOPPING) {
		log_pair(sh->config.log, LOG_WARN, "stop_deadline", "reason",
			 "answers were still going out");
		stop_close_connections(sh);
	}
}

static void stop_begin(struct shell *sh, const char *reason)
{
	log_pair(sh->config.log, LOG_INFO, "stopping", "reason", reason);
	notify_manager("STOPPING=1");
	sh->phase = SHELL_STOPPING;
	listeners_close(sh);
	(void)uv_timer_stop(&sh->idle_exit);
	(void)uv_timer_start(&sh->stop, stop_on_deadline, STOP_MS, 0);
	struct event e = {.kind = EVENT_STOP};
	shell_step(sh, &e);
}

static void stop_on_signal(uv_signal_t *handle, int signum)
{
	struct shell *sh = handle->data;
	if (sh->phase == SHELL_SERVING) {
		stop_begin(sh, signum == SIGINT ? "SIGINT" : "SIGTERM");
	} else {
		stop_now(sh, SHELL_ABORTED);
	}
}

static void stop_on_idle_exit(uv_timer_t *timer)
{
	struct shell *sh = timer->data;
	if (sh->phase == SHELL_SERVING && sh->streams.open == 0) {
		stop_begin(sh, "nobody is connected");
	}
}

void stop_on_connections(struct shell *sh)
{
	if (sh->phase == SHELL_CLOSING && sh->streams.handles == 0) {
		stop_now(sh, SHELL_STOPPED);
	}
	if (sh->phase != SHELL_SERVING || sh->config.idle_exit_ms == 0) {
		return;
	}
	bool is_waiting = uv_is_active((const uv_handle_t *)&sh->idle_exit) != 0;
	if (sh->streams.open > 0) {
		(void)uv_timer_stop(&sh->idle_exit);
	} else if (!is_waiting) {
		(void)uv_timer_start(&sh->idle_exit, stop_on_idle_exit,
				     (uint64_t)sh->config.idle_exit_ms, 0);
	}
}

void stop_on_turn(struct shell *sh, bool is_more)
{
	if (sh->phase == SHELL_STOPPING && !is_more && sh->streams.blocked == 0 &&
	    server_is_idle(sh->server)) {
		stop_close_connections(sh);
	}
}

int stop_watch_signals(struct shell *sh)
{
	int failed = uv_signal_start(&sh->sigterm, stop_on_signal, SIGTERM);
	return failed != 0 ? failed : uv_signal_start(&sh->sigint, stop_on_signal, SIGINT);
}
