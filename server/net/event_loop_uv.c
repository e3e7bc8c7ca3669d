/*
 * event_loop_uv.c - the loop: its turn, the effects, the clocks. How it ends: stop_uv.c.
 *
 * Time passes behind the reads of a turn, so that a peer is not late whose bytes
 * are there. A turn, right before the loop would sleep: answer what could not begin, take
 * connections that wait, let the core close its units of work, perform what
 * comes of it, write to up to server_output_turn() connections. What is left over keeps
 * the loop awake, so that reading goes on between the portions.
 */
#include <sched.h>
#include <sodium.h>
#include <stdlib.h>
#include <time.h>

#include "proto/assert.h"
#include "proto/methods.h"
#include "proto/rpc.h"
#include "server/net/event_loop_uv.h"

/* ---- clocks ---- */

int64_t shell_mono_ms(const struct shell *sh)
{
	return (int64_t)uv_now(&sh->loop);
}

static struct clocks shell_clocks(const struct shell *sh)
{
	struct timespec wall = {0};
	(void)clock_gettime(CLOCK_REALTIME, &wall);
	return (struct clocks){
		.wall_ms = (int64_t)wall.tv_sec * 1000 + wall.tv_nsec / 1000000,
		.mono_ms = shell_mono_ms(sh),
	};
}

/* ---- effects ---- */

static void shell_set_reading(struct shell *sh, bool is_reading)
{
	if (sh->is_reading != is_reading) {
		sh->is_reading = is_reading;
		log_pair(sh->config.log, LOG_WARN, "store_backlog", "reading",
			 is_reading ? "resumed" : "stopped");
		stream_set_reading_all(sh);
	}
}

/* False where the effect wants an answer and will get none from the store. */
static bool shell_perform(struct shell *sh, const struct effect *fx)
{
	struct stream *c;
	enum err e;
	switch (fx->kind) {
	case FX_CLOSE:
		c = stream_find(sh, fx->conn);
		if (c != NULL) {
			stream_close(c);
		}
		return true;
	case FX_PAUSE:
	case FX_RESUME:
		c = stream_find(sh, fx->conn);
		if (c != NULL) {
			stream_set_paused(c, fx->kind == FX_PAUSE);
		}
		return true;
	case FX_LOG:
		log_pairs(sh->config.log, fx->level, fx->log);
		return true;
	case FX_LOAD:
	case FX_QUERY:
	case FX_COMMIT:
		break;
	}
	e = store_glue_begin(&sh->glue, fx, shell_clocks(sh).wall_ms);
	if (e == ERR_BUSY) {
		shell_set_reading(sh, false);
	}
	return e == OK;
}

/* Those that could not begin stay at the list's front, where the next turn answers them. */
static void shell_perform_all(struct shell *sh)
{
	for (size_t i = sh->refused_n; i < sh->fx.n; i++) {
		struct effect fx = sh->fx.items[i];
		if (!shell_perform(sh, &fx)) {
			sh->fx.items[sh->refused_n++] = fx;
		}
	}
	sh->fx.n = sh->refused_n;
}

void shell_step(struct shell *sh, struct event *e)
{
	ASSERT(!sh->is_stepping);
	sh->is_stepping = true;
	e->now = shell_clocks(sh);
	server_step(sh->server, e, &sh->fx);
	shell_perform_all(sh);
	sh->is_dirty = true;
	sh->is_stepping = false;
}

static void shell_answer_refused(struct shell *sh)
{
	for (size_t n = sh->refused_n; n > 0; n--) {
		const struct effect *fx = &sh->fx.items[0];
		struct event e = {
			.kind = fx->kind == FX_COMMIT ? EVENT_COMMITTED
				: fx->kind == FX_LOAD ? EVENT_LOADED
						      : EVENT_DUE,
			.ticket = fx->ticket,
			.result = ERR_BUSY,
		};
		sh->fx.items[0] = sh->fx.items[--sh->refused_n];
		sh->fx.n = sh->refused_n;
		shell_step(sh, &e);
	}
}

static void shell_on_answer(void *arg, struct event *e)
{
	struct shell *sh = arg;
	shell_set_reading(sh, true);
	shell_step(sh, e);
}

/* ---- time passing ---- */

static void shell_log_refused(struct shell *sh)
{
	uint64_t refused = server_counters(sh->server)->connections_refused;
	if (refused == sh->refused_logged || sh->refused_why == NULL) {
		return;
	}
	struct log_line l;
	log_begin(&l, sh->config.log, LOG_WARN, "connections_refused");
	log_str(&l, "reason", sh->refused_why);
	log_int(&l, "n", (int64_t)(refused - sh->refused_logged));
	log_int(&l, "open", (int64_t)sh->streams.open);
	log_end(&l);
	sh->refused_logged = refused;
}

static const char *const shell_store_states[] = {
	[STORE_OK] = "ok",
	[STORE_NEARLY_FULL] = "nearly_full",
	[STORE_BROKEN] = "broken",
	[STORE_GONE] = "gone",
};

static void shell_watch_store(struct shell *sh)
{
	struct store_status s;
	store_status(sh->glue.store, &s);
	if (s.state == sh->store_state) {
		return;
	}
	sh->store_state = s.state;
	struct log_line l;
	log_begin(&l, sh->config.log, s.state == STORE_OK ? LOG_INFO : LOG_WARN, "store_state");
	log_str(&l, "state", shell_store_states[s.state]);
	log_int(&l, "bytes_used", (int64_t)s.bytes_used);
	log_int(&l, "bytes_max", (int64_t)s.bytes_max);
	log_end(&l);
}

static void shell_check_store(struct shell *sh)
{
	if (sh->glue.is_broken || sh->store_state == STORE_BROKEN) {
		log_pair(sh->config.log, LOG_ERROR, "store_broken", "reason",
			 "what is on disk is not known; ending, so that a restart reads it again");
		stop_now(sh, SHELL_BROKEN);
	} else if (sh->store_state == STORE_GONE) {
		log_pair(sh->config.log, LOG_ERROR, "store_gone", "reason",
			 "the data file was removed or replaced while it was in use; ending, so "
			 "that nothing more is written where nobody finds it");
		stop_now(sh, SHELL_BROKEN);
	}
}

static void shell_on_again(uv_idle_t *handle)
{
	(void)handle; /* that it is active is what keeps the loop from sleeping */
}

/*
 * Timers run before reads. After the process was stopped for a while, deadlines
 * of peers are over whose bytes lie in their sockets: those are read first, in
 * the turn that begins now, and the core is told the time behind it.
 */
static void shell_on_due(uv_timer_t *timer)
{
	struct shell *sh = timer->data;
	sh->is_due = true;
	(void)uv_idle_start(&sh->again, shell_on_again);
}

static void shell_after_reads(uv_check_t *handle)
{
	struct shell *sh = handle->data;
	unsigned char fresh[SEED_BYTES];
	if (!sh->is_due) {
		return;
	}
	sh->is_due = false;
	randombytes_buf(fresh, sizeof(fresh));
	struct event e = {.kind = EVENT_TICK, .bytes = slice_of(fresh, sizeof(fresh))};
	sh->tick_at_ms = SHELL_NO_TICK;
	shell_step(sh, &e);
	sodium_memzero(fresh, sizeof(fresh));
	shell_log_refused(sh);
	shell_watch_store(sh);
	shell_check_store(sh);
}

static void shell_arm_tick(struct shell *sh)
{
	int64_t at_ms = server_deadline(sh->server);
	if (at_ms == sh->tick_at_ms) {
		return;
	}
	sh->tick_at_ms = at_ms;
	int64_t wait_ms = at_ms - shell_mono_ms(sh);
	(void)uv_timer_start(&sh->tick, shell_on_due, wait_ms < 1 ? 1 : (uint64_t)wait_ms, 0);
}

static void shell_on_rested(uv_timer_t *timer)
{
	listeners_wake(timer->data);
}

void shell_rest_listeners(struct shell *sh)
{
	(void)uv_timer_start(&sh->rest, shell_on_rested, SHELL_LISTEN_REST_MS, 0);
}

/* ---- the turn ---- */

/* True where there is more to write than one turn should. */
static bool shell_pump(struct shell *sh)
{
	struct conn_id id;
	for (size_t left = server_output_turn(sh->server); left > 0; left--) {
		if (!server_next_output(sh->server, &id)) {
			return false;
		}
		struct stream *c = stream_find(sh, id);
		if (c != NULL) {
			stream_write(c);
		} else { /* closing: nothing goes there any more */
			server_wrote(sh->server, id, 0, true, shell_mono_ms(sh));
		}
	}
	return true;
}

/*
 * Commits begin with the turn they were asked for in. Only while there is more
 * to write than a turn takes they wait, for a few turns at most: those who are
 * being told meanwhile vote again, and that becomes one sync instead of one a
 * turn. It makes a busy server faster for everybody; an idle one waits for
 * nothing, and neither do the others while one large room is told.
 */
static void shell_flush_store(struct shell *sh)
{
	bool holds = sh->has_backlog && sh->phase == SHELL_SERVING &&
		     server_output_turn(sh->server) == OUTPUT_TURN;
	if (holds && ++sh->turns_held < SHELL_TURNS_HELD) {
		return;
	}
	sh->turns_held = 0;
	store_glue_flush(&sh->glue);
}

/*
 * While a large room is told for milliseconds, the store's writer shares our
 * core where there is but one, wakes three times a commit, and would wait each
 * time until the scheduler takes us off. With smaller rooms, what waits becomes
 * one larger commit, and that is cheaper.
 */
static void shell_give_way(const struct shell *sh)
{
	if (server_output_turn(sh->server) < OUTPUT_TURN) {
		(void)sched_yield();
	}
}

static void shell_on_turn(uv_prepare_t *handle)
{
	struct shell *sh = handle->data;
	shell_answer_refused(sh);
	bool is_more = listeners_turn(sh);
	if (sh->is_dirty) {
		sh->is_dirty = false;
		server_turn(sh->server, shell_clocks(sh), &sh->fx);
		shell_perform_all(sh);
	}
	shell_flush_store(sh);
	sh->has_backlog = shell_pump(sh);
	/* While the store has too much to do, its next answer is what wakes us. */
	is_more = sh->has_backlog || is_more || (sh->refused_n > 0 && sh->is_reading);
	if (is_more) {
		shell_give_way(sh);
	}
	if (is_more || sh->is_due) {
		(void)uv_idle_start(&sh->again, shell_on_again);
	} else {
		(void)uv_idle_stop(&sh->again);
	}
	shell_arm_tick(sh);
	stop_on_turn(sh, is_more);
}

static void shell_on_wake(uv_async_t *handle)
{
	struct shell *sh = handle->data;
	if (sh->glue.store != NULL) {
		store_glue_poll(&sh->glue);
		shell_check_store(sh);
	}
}

void shell_wake(void *shell)
{
	struct shell *sh = shell;
	(void)uv_async_send(&sh->wake);
}

/* ---- life ---- */

static void shell_write_refusal(struct buf *b, struct slice reason)
{
	struct closing_notice notice = {.reason = reason, .with_reason = true};
	buf_init(b, SHELL_REFUSAL_BYTES);
	rpc_write_notice(b, slice_str(notice_rows[NOTICE_SERVER_CLOSING].name),
			 &record_closing_notice, &notice);
}

/* All of them belong to the loop, so that ending can walk them. */
static int shell_init_handles(struct shell *sh)
{
	uv_timer_t *timers[] = {&sh->tick, &sh->rest, &sh->idle_exit, &sh->stop};
	uv_signal_t *signals[] = {&sh->sigterm, &sh->sigint};
	int failed = uv_async_init(&sh->loop, &sh->wake, shell_on_wake);
	sh->wake.data = sh;
	for (size_t i = 0; i < sizeof(timers) / sizeof(timers[0]) && failed == 0; i++) {
		failed = uv_timer_init(&sh->loop, timers[i]);
		timers[i]->data = sh;
	}
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]) && failed == 0; i++) {
		failed = uv_signal_init(&sh->loop, signals[i]);
		signals[i]->data = sh;
	}
	failed = failed != 0 ? failed : uv_prepare_init(&sh->loop, &sh->turn);
	failed = failed != 0 ? failed : uv_idle_init(&sh->loop, &sh->again);
	failed = failed != 0 ? failed : uv_check_init(&sh->loop, &sh->after_reads);
	sh->after_reads.data = sh;
	sh->turn.data = sh;
	sh->again.data = sh;
	return failed;
}

enum err shell_create(const struct shell_config *c, struct shell **out, struct errmsg *why)
{
	struct shell *sh = calloc(1, sizeof(*sh));
	if (sh == NULL || uv_loop_init(&sh->loop) != 0) {
		free(sh);
		errmsg_set(why, "cannot start the event loop: out of memory or descriptors");
		return ERR_NOMEM;
	}
	sh->loop.data = sh;
	sh->listeners.spare_fd = -1;
	sh->config = *c;
	sh->is_reading = true;
	sh->tick_at_ms = SHELL_NO_TICK;
	sh->streams.first_free = STREAM_NO_SLOT;
	shell_write_refusal(&sh->refusal, SLICE("The server is full; try again in a while"));
	int failed = shell_init_handles(sh);
	if (failed != 0 || sh->refusal.error != OK) {
		shell_destroy(sh);
		errmsg_set(why, "cannot start the event loop: %s",
			   failed != 0 ? uv_strerror(failed) : "out of memory");
		return failed != 0 ? ERR_IO : ERR_NOMEM;
	}
	*out = sh;
	return OK;
}

void shell_attach(struct shell *sh, struct server *server, struct store *store)
{
	sh->server = server;
	store_glue_init(&sh->glue, store, shell_on_answer, sh);
}

enum err shell_serve(struct shell *sh, struct listening *sockets, size_t n, struct errmsg *why)
{
	int failed = uv_prepare_start(&sh->turn, shell_on_turn);
	failed = failed != 0 ? failed : uv_check_start(&sh->after_reads, shell_after_reads);
	failed = failed != 0 ? failed : stop_watch_signals(sh);
	if (failed != 0) {
		errmsg_set(why, "cannot watch for signals: %s", uv_strerror(failed));
		return ERR_IO;
	}
	return listeners_open(sh, sockets, n, why);
}

enum shell_end shell_run(struct shell *sh)
{
	stop_on_connections(sh);
	(void)uv_run(&sh->loop, UV_RUN_DEFAULT);
	return sh->end;
}

static void shell_close_handle(uv_handle_t *handle, void *arg)
{
	(void)arg;
	if (uv_is_closing(handle) == 0) {
		uv_close(handle, NULL);
	}
}

void shell_destroy(struct shell *sh)
{
	if (sh == NULL) {
		return;
	}
	listeners_close(sh);
	store_glue_finish(&sh->glue); /* its thread may wake us until it has ended */
	uv_walk(&sh->loop, shell_close_handle, NULL);
	(void)uv_run(&sh->loop, UV_RUN_DEFAULT);
	sh->loop.emfile_fd = sh->listeners.spare_fd; /* closed with the loop */
	int leaked = uv_loop_close(&sh->loop);
	ASSERT_CMP(leaked, ==, 0);
	streams_finish(&sh->streams);
	free(sh->listeners.items);
	effects_finish(&sh->fx);
	buf_finish(&sh->refusal);
	free(sh);
}
