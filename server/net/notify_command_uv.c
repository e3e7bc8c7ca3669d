/*
 * notify_command_uv.c - FX_COMMAND: runs of the program that --notify-command names.
 *
 *   QUEUED --> RUNNING --> ENDING --> answered
 *      ^                     |
 *      +------ RESTING <-----+  exit 75, the first time
 *
 * Happy path: the program is started without a shell, with an empty argument list
 * and an environment of our own, in a process group of its own; its standard input
 * is the line, then the end; its output goes to /dev/null. Exit 0 is answered OK.
 * Failure: another exit, a signal, or COMMAND_MS, after which the group is killed:
 * ERR_IO. Where it cannot be started the answer says why it could not be run.
 * At most COMMANDS_AT_ONCE run. When the server stops, those that run are killed
 * and the others forgotten, and nothing is answered any more.
 *
 * What a run leaves running in the background when it exits in time is its own.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include <utlist.h>

#include "proto/base/format.h"
#include "server/net/event_loop_uv.h"

#define RUN_REST_MS 2000 /* before it is tried once more */
#define RUN_LOG_MS  1000 /* at most one line about failures of one kind in this time */

enum run_state {
	RUN_QUEUED,
	RUN_RUNNING,
	RUN_ENDING, /* its handles are being closed */
	RUN_RESTING
};

/* Life: commands_begin() .. its timer's close callback. */
struct command_run {
	struct event_loop *loop;
	struct command_run *next, *prev;
	enum run_state state;
	uint64_t ticket;
	bool is_second; /* after exit 75 */
	unsigned open;	/* of its handles, those that are to be closed and are not */
	enum err result;
	bool is_to_rest;
	bool has_process; /* its handle is to be closed */
	uv_timer_t timer; /* its end, while it runs; its next beginning, while it rests */
	uv_process_t process;
	union stream_handle input;
	uv_write_t write;
	size_t len;
	char line[];
};

/* ---- its end ---- */

static void run_log(struct event_loop *loop, const char *reason)
{
	struct commands *all = &loop->commands;
	int64_t now = event_loop_mono_ms(loop);
	all->failed_n++;
	if (all->logged_ms != 0 && now - all->logged_ms < RUN_LOG_MS &&
	    strcmp(reason, all->logged) == 0) {
		return;
	}
	struct log_line l;
	log_begin(&l, loop->config.log, LOG_WARN, "notify_command_failed");
	log_str(&l, "reason", reason);
	log_int(&l, "n", (int64_t)all->failed_n);
	log_end(&l);
	all->failed_n = 0;
	all->logged_ms = now;
	(void)format_to(all->logged, sizeof(all->logged), "%s", reason);
}

static void run_on_forgotten(uv_handle_t *timer)
{
	struct command_run *run = timer->data;
	free(run);
}

static void run_forget(struct command_run *run)
{
	DL_DELETE(run->loop->commands.runs, run);
	uv_close((uv_handle_t *)&run->timer, run_on_forgotten);
}

static void run_on_rested(uv_timer_t *timer)
{
	struct command_run *run = timer->data;
	run->state = RUN_QUEUED;
	run->is_second = true;
}

static void run_on_closed(uv_handle_t *handle)
{
	struct command_run *run = handle->data;
	struct event_loop *loop = run->loop;
	if (--run->open > 0) {
		return;
	}
	loop->commands.running--;
	if (uv_is_closing((uv_handle_t *)&run->timer) != 0) { /* of commands_close() */
		DL_DELETE(loop->commands.runs, run);
		free(run);
		return;
	}
	if (run->is_to_rest && !loop->commands.is_over) {
		run->state = RUN_RESTING;
		(void)uv_timer_start(&run->timer, run_on_rested, RUN_REST_MS, 0);
		return;
	}
	struct event e = {.kind = EVENT_COMMANDED, .ticket = run->ticket, .result = run->result};
	run_forget(run);
	if (!loop->commands.is_over) {
		event_loop_step(loop, &e);
	}
}

static void run_end(struct command_run *run, enum err result, const char *reason)
{
	if (result != OK && !run->loop->commands.is_over) {
		run_log(run->loop, reason);
	}
	run->state = RUN_ENDING;
	run->result = result;
	(void)uv_timer_stop(&run->timer);
	if (run->has_process) {
		uv_close((uv_handle_t *)&run->process, run_on_closed);
	}
	if (uv_is_closing(&run->input.handle) == 0) {
		uv_close(&run->input.handle, run_on_closed);
	}
}

static void run_kill(struct command_run *run)
{
	(void)uv_kill(-run->process.pid, SIGKILL); /* the group; its end is noticed as any other */
}

static void run_on_late(uv_timer_t *timer)
{
	run_kill(timer->data);
}

static void run_on_exit(uv_process_t *process, int64_t status, int signum)
{
	struct command_run *run = process->data;
	char reason[COMMAND_REASON_BYTES];
	bool is_late = signum == SIGKILL && uv_is_active((uv_handle_t *)&run->timer) == 0;
	(void)format_to(reason, sizeof(reason),
			is_late	      ? "it took too long"
			: signum != 0 ? "it was ended by signal %d"
				      : "it exited with status %d",
			signum != 0 ? signum : (int)status);
	run->is_to_rest = signum == 0 && status == EX_TEMPFAIL && !run->is_second;
	run_end(run, signum == 0 && status == 0 ? OK : ERR_IO, reason);
}

/* ---- its beginning ---- */

/* Whether all was taken or not: the program is shown the end of its input. */
static void run_on_written(uv_write_t *write, int status)
{
	struct command_run *run = write->data;
	(void)status;
	if (uv_is_closing(&run->input.handle) == 0) {
		uv_close(&run->input.handle, run_on_closed);
	}
}

/* A pipe of which the program reads one end (and not libuv's pair of sockets, which /dev/stdin cannot open); the input has the other. */
static int run_open_input(struct command_run *run, int *read_end)
{
	uv_file ends[2];
	listeners_init_handle(run->loop, &run->input, true);
	run->input.handle.data = run;
	run->open++;
	int failed = uv_pipe(ends, 0, UV_NONBLOCK_PIPE);
	if (failed != 0) {
		return failed;
	}
	*read_end = ends[0];
	failed = uv_pipe_open(&run->input.pipe, ends[1]);
	if (failed != 0) {
		(void)close(ends[1]);
	}
	return failed;
}

static int run_spawn(struct command_run *run, int read_end)
{
	char *path = (char *)(uintptr_t)run->loop->config.notify_command;
	char *args[] = {path, NULL};
	char where[] = "PATH=/usr/local/bin:/usr/bin:/bin";
	char language[] = "LC_ALL=C.UTF-8";
	char *env[] = {where, language, NULL};
	uv_stdio_container_t stdio[] = {
		{.flags = UV_INHERIT_FD, .data.fd = read_end},
		{.flags = UV_IGNORE},
		{.flags = UV_IGNORE},
	};
	const uv_process_options_t options = {
		.exit_cb = run_on_exit,
		.file = path,
		.args = args,
		.env = env,
		.cwd = "/",
		.flags = UV_PROCESS_DETACHED, /* a group of its own, which can be killed as one */
		.stdio_count = 3,
		.stdio = stdio,
	};
	run->process.data = run;
	run->has_process = true; /* also where it fails, there is a handle to close */
	run->open++;
	return uv_spawn(&run->loop->loop, &run->process, &options);
}

static void run_start(struct command_run *run)
{
	uv_buf_t line = uv_buf_init(run->line, (unsigned)run->len);
	int read_end = -1;
	run->open = 0;
	run->has_process = false;
	run->is_to_rest = false;
	run->state = RUN_RUNNING;
	run->loop->commands.running++;
	int failed = run_open_input(run, &read_end);
	failed = failed != 0 ? failed : run_spawn(run, read_end);
	if (read_end >= 0) {
		(void)close(read_end);
	}
	if (failed != 0) {
		char reason[COMMAND_REASON_BYTES];
		(void)format_to(reason, sizeof(reason), "it cannot be started: %s",
				uv_strerror(failed));
		run_end(run, ERR_NOT_FOUND, reason);
		return;
	}
	(void)uv_timer_start(&run->timer, run_on_late, (uint64_t)run->loop->command_ms, 0);
	run->write.data = run;
	if (uv_write(&run->write, &run->input.stream, &line, 1, run_on_written) != 0) {
		uv_close(&run->input.handle, run_on_closed);
	}
}

bool commands_begin(struct event_loop *loop, const struct effect *fx)
{
	struct commands *all = &loop->commands;
	struct command_run *run = all->is_over || loop->config.notify_command == NULL
					  ? NULL
					  : calloc(1, sizeof(*run) + fx->input.len);
	if (run == NULL || uv_timer_init(&loop->loop, &run->timer) != 0) {
		free(run);
		return false;
	}
	run->loop = loop;
	run->ticket = fx->ticket;
	run->timer.data = run;
	run->len = fx->input.len;
	memcpy(run->line, fx->input.data, fx->input.len);
	DL_APPEND(all->runs, run);
	all->has_new = true;
	return true;
}

/* ---- turns ---- */

void commands_turn(struct event_loop *loop)
{
	struct commands *all = &loop->commands;
	struct command_run *run;
	all->has_new = false;
	DL_FOREACH (all->runs, run) {
		if (all->running == MAX_COMMANDS_AT_ONCE) {
			break;
		}
		if (run->state == RUN_QUEUED) {
			run_start(run);
		}
	}
}

void commands_stop(struct event_loop *loop)
{
	struct command_run *run;
	struct command_run *next;
	loop->commands.is_over = true;
	DL_FOREACH_SAFE (loop->commands.runs, run, next) {
		if (run->state == RUN_RUNNING) {
			run_kill(run);
		} else if (run->state != RUN_ENDING) {
			run_forget(run);
		}
	}
}

void commands_close(struct event_loop *loop)
{
	struct command_run *run;
	commands_stop(loop);
	DL_FOREACH (loop->commands.runs, run) {
		if (run->state == RUN_RUNNING) {
			run_end(run, ERR_CLOSED, "");
		}
		run->open++;
		uv_close((uv_handle_t *)&run->timer, run_on_closed);
	}
}
