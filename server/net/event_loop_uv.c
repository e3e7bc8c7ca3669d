/*
 * event_loop_uv.c - the loop: its turn, the effects, the clocks. How it ends: stop_uv.c.
 *
 * The tick follows the reads of a turn, so that a peer whose bytes have arrived is
 * not late. A turn, right before the loop would sleep: answer effects that could not
 * begin, accept waiting connections, go on with handshakes, let the core close its units of work, perform
 * its effects, write to up to server_output_turn() connections. What is left over
 * keeps the loop awake, so that reading continues between the portions.
 */
#include <errno.h>
#include <sched.h>
#include <sodium.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "proto/base/assert.h"
#include "proto/methods.h"
#include "proto/rpc.h"
#include "server/net/event_loop_uv.h"
#include "server/net/redis_uv.h"
#include "server/net/sd_notify.h"

/* ---- clocks ---- */

int64_t event_loop_mono_ms(const struct event_loop *loop)
{
	return (int64_t)uv_now(&loop->loop);
}

int64_t event_loop_wall_ms(void)
{
	struct timespec wall = {0};
	(void)clock_gettime(CLOCK_REALTIME, &wall);
	return (int64_t)wall.tv_sec * 1000 + wall.tv_nsec / 1000000;
}

/* Of a node: it looks at its lease by this one, in each turn right before output leaves. */
static int64_t event_loop_boot_ms(void)
{
	struct timespec boot = {0};
	(void)clock_gettime(CLOCK_BOOTTIME, &boot);
	return (int64_t)boot.tv_sec * 1000 + boot.tv_nsec / 1000000 + 1;
}

static struct clocks event_loop_clocks(const struct event_loop *loop)
{
	return (struct clocks){
		.wall_ms = event_loop_wall_ms(),
		.mono_ms = event_loop_mono_ms(loop),
		.boot_ms = loop->config.is_node ? event_loop_boot_ms() : 0,
	};
}

/*
 * What a turn takes counts from the first thing that happens in it: while the loop
 * sleeps, nothing waits for it.
 */
void event_loop_turn_begins(struct event_loop *loop)
{
	if (loop->turn_began_ns == 0) {
		loop->turn_began_ns = uv_hrtime();
	}
}

static void event_loop_turn_ends(struct event_loop *loop)
{
	struct counters *counters = server_counters(loop->server);
	uint64_t us = (uv_hrtime() - loop->turn_began_ns) / 1000;
	histogram_add(&counters->turn_us, HISTOGRAM_TIME, us);
	counters->longest_turn_us = us > counters->longest_turn_us ? us : counters->longest_turn_us;
	loop->turn_began_ns = 0;
}

/* ---- effects ---- */

static void event_loop_set_reading(struct event_loop *loop, bool is_reading)
{
	if (loop->is_reading != is_reading) {
		loop->is_reading = is_reading;
		log_pair(loop->config.log, LOG_WARN, "store_backlog", "reading",
			 is_reading ? "resumed" : "stopped");
		stream_set_reading_all(loop);
	}
}

/* False where the effect needs an answer and will get none from the store. */
static bool event_loop_perform(struct event_loop *loop, const struct effect *fx)
{
	struct stream *c;
	enum err e;
	switch (fx->kind) {
	case FX_CLOSE:
		c = stream_find(loop, fx->conn);
		if (c != NULL) {
			stream_close(c);
		}
		return true;
	case FX_PAUSE:
	case FX_RESUME:
		c = stream_find(loop, fx->conn);
		if (c != NULL) {
			stream_set_paused(c, fx->kind == FX_PAUSE);
		}
		return true;
	case FX_LOG:
		log_pairs(loop->config.log, fx->level, fx->log);
		return true;
	case FX_SHARE:
		return share_begin(loop, fx);
	case FX_COMMAND:
		return commands_begin(loop, fx);
	case FX_FORWARD:
		return stream_forward(loop, fx);
	case FX_LOAD:
	case FX_QUERY:
	case FX_COUNT:
	case FX_COMMIT:
	case FX_RENEW:
	case FX_LIST:
	case FX_TAKE:
		break;
	}
	e = store_glue_begin(&loop->glue, fx, event_loop_wall_ms());
	if (e == ERR_BUSY) {
		event_loop_set_reading(loop, false);
	}
	return e == OK;
}

/* Those that could not begin stay at the list's front, where the next turn answers them. */
static void event_loop_perform_all(struct event_loop *loop)
{
	for (size_t i = loop->refused_n; i < loop->fx.n; i++) {
		struct effect fx = loop->fx.items[i];
		if (!event_loop_perform(loop, &fx)) {
			loop->fx.items[loop->refused_n++] = fx;
		}
	}
	loop->fx.n = loop->refused_n;
}

void event_loop_step(struct event_loop *loop, struct event *e)
{
	ASSERT(!loop->is_stepping);
	loop->is_stepping = true;
	event_loop_turn_begins(loop);
	e->now = event_loop_clocks(loop);
	server_step(loop->server, e, &loop->fx);
	event_loop_perform_all(loop);
	loop->is_dirty = true;
	loop->is_stepping = false;
}

/* How an effect is answered that could not begin. */
static enum event_kind event_loop_answer_of(enum effect_kind kind)
{
	static const enum event_kind answers[] = {
		[FX_LOAD] = EVENT_LOADED,	[FX_QUERY] = EVENT_DUE,
		[FX_COUNT] = EVENT_COUNTED,	[FX_SHARE] = EVENT_SHARED,
		[FX_COMMAND] = EVENT_COMMANDED, [FX_COMMIT] = EVENT_COMMITTED,
		[FX_FORWARD] = EVENT_UNREACHED, [FX_RENEW] = EVENT_RENEWED,
		[FX_LIST] = EVENT_LISTED,	[FX_TAKE] = EVENT_TAKEN,
	};
	return answers[kind];
}

static void event_loop_answer_refused(struct event_loop *loop)
{
	for (size_t n = loop->refused_n; n > 0; n--) {
		const struct effect *fx = &loop->fx.items[0];
		struct event e = {
			.kind = event_loop_answer_of(fx->kind),
			.conn = fx->conn,
			.ticket = fx->ticket,
			.result = ERR_BUSY,
			.bytes = SLICE("too many such requests at once; try again"),
		};
		loop->fx.items[0] = loop->fx.items[--loop->refused_n];
		loop->fx.n = loop->refused_n;
		event_loop_step(loop, &e);
	}
}

static void event_loop_on_answer(void *arg, struct event *e)
{
	struct event_loop *loop = arg;
	event_loop_set_reading(loop, true);
	event_loop_step(loop, e);
}

/* ---- time passing ---- */

static void event_loop_log_refused(struct event_loop *loop)
{
	uint64_t refused = server_counters(loop->server)->connections_refused;
	if (refused == loop->refused_logged || loop->refused_why == NULL) {
		return;
	}
	struct log_line l;
	log_begin(&l, loop->config.log, LOG_WARN, "connections_refused");
	log_str(&l, "reason", loop->refused_why);
	log_int(&l, "n", (int64_t)(refused - loop->refused_logged));
	log_int(&l, "open", (int64_t)loop->streams.open);
	log_end(&l);
	loop->refused_logged = refused;
}

static void event_loop_check_store(struct event_loop *loop)
{
	if (loop->glue.is_broken || loop->store_state == STORE_BROKEN) {
		log_pair(loop->config.log, LOG_ERROR, "store_broken", "reason",
			 "the result of a commit is unknown; stopping, so that a restart reads "
			 "what is on disk");
		stop_now(loop, EVENT_LOOP_BROKEN);
	} else if (loop->store_state == STORE_GONE) {
		struct store_status s;
		store_status(loop->glue.store, &s);
		log_pair(loop->config.log, LOG_ERROR, "store_gone", "reason",
			 s.remote.attempts > 0
				 ? "another ayed has the data in Redis now; stopping, so that each "
				   "change is made by one of them"
				 : "the data file was removed or replaced while in use; stopping "
				   "before more changes are lost");
		stop_now(loop, EVENT_LOOP_BROKEN);
	}
}

static void event_loop_on_again(uv_idle_t *handle)
{
	(void)handle; /* that it is active is what keeps the loop from sleeping */
}

/*
 * Timers run before reads. After the process was stopped for a while, deadlines of
 * peers have passed whose bytes are already in their sockets: those are read first,
 * in the turn that begins now, and the deadlines are judged after that.
 */
void event_loop_judge_later(struct event_loop *loop, enum event_loop_due what)
{
	loop->due |= (unsigned)what;
	(void)uv_idle_start(&loop->again, event_loop_on_again);
}

static void event_loop_on_due(uv_timer_t *timer)
{
	event_loop_judge_later(timer->data, DUE_TICK);
}

static void event_loop_tick(struct event_loop *loop)
{
	unsigned char fresh[SEED_BYTES];
	randombytes_buf(fresh, sizeof(fresh));
	struct event e = {.kind = EVENT_TICK, .bytes = slice_of(fresh, sizeof(fresh))};
	loop->tick_at_ms = EVENT_LOOP_NO_TICK;
	event_loop_step(loop, &e);
	sodium_memzero(fresh, sizeof(fresh));
	event_loop_log_refused(loop);
	store_watch(loop);
	event_loop_check_store(loop);
}

static void event_loop_after_reads(uv_check_t *handle)
{
	struct event_loop *loop = handle->data;
	unsigned due = loop->due;
	loop->due = 0;
	if ((due & DUE_TICK) != 0) {
		event_loop_tick(loop);
	}
	if ((due & DUE_HANDSHAKES) != 0) {
		handshakes_look(loop);
	}
	if ((due & DUE_WEBS) != 0) {
		webs_look(loop);
	}
}

static void event_loop_on_rested(uv_timer_t *timer)
{
	listeners_wake(timer->data);
}

void event_loop_rest_listeners(struct event_loop *loop)
{
	(void)uv_timer_start(&loop->rest, event_loop_on_rested, EVENT_LOOP_LISTEN_REST_MS, 0);
}

/*
 * The manager is told only while the store's writer gives signs of life, too: a server
 * whose disk has hung for so long is of no use, and a new one may be.
 */
static void event_loop_on_watchdog(uv_timer_t *timer)
{
	struct event_loop *loop = timer->data;
	if (loop->glue.store != NULL && store_pulse(loop->glue.store)) {
		sd_notify_manager("WATCHDOG=1");
	}
}

/* ---- the turn ---- */

/* True where there is more to write than one turn should. */
static bool event_loop_pump(struct event_loop *loop)
{
	struct conn_id id;
	for (size_t left = server_output_turn(loop->server); left > 0; left--) {
		if (!server_next_output(loop->server, &id)) {
			return false;
		}
		struct stream *c = stream_find(loop, id);
		if (c != NULL) {
			stream_write(c);
		} else { /* closing: nothing is written to it any more */
			server_wrote(loop->server, id, 0, true, event_loop_mono_ms(loop));
		}
	}
	return true;
}

static void event_loop_on_turn(uv_prepare_t *handle)
{
	struct event_loop *loop = handle->data;
	event_loop_turn_begins(loop);
	event_loop_answer_refused(loop);
	share_turn(loop);
	commands_turn(loop);
	bool is_more = listeners_turn(loop);
	is_more = handshakes_turn(loop) || is_more;
	webs_turn(loop);
	if (loop->is_dirty || loop->config.is_node) {
		loop->is_dirty = false;
		server_turn(loop->server, event_loop_clocks(loop), &loop->fx);
		event_loop_perform_all(loop);
	}
	/*
	 * Commits begin at the end of the turn that asked for them. Only while more is left
	 * to write than one turn does, they wait, for a few turns at most: members who are
	 * sent updates meanwhile vote again, and those votes share one sync instead of one
	 * a turn. That is throughput under load; an idle server never waits, nor do other
	 * rooms while one large room is written to.
	 */
	bool holds = loop->has_backlog && loop->phase == EVENT_LOOP_SERVING &&
		     server_output_turn(loop->server) == OUTPUT_TURN;
	if (!holds || ++loop->turns_held >= EVENT_LOOP_TURNS_HELD) {
		loop->turns_held = 0;
		store_glue_flush(&loop->glue);
	}
	loop->has_backlog = event_loop_pump(loop);
	/* While too many commits wait, the store's next callback wakes the loop. */
	is_more = loop->has_backlog || is_more || loop->shares.n > 0 || loop->commands.has_new ||
		  (loop->refused_n > 0 && loop->is_reading);
	/*
	 * On a single CPU, yield during a large fan-out, so that the store's writer thread
	 * is scheduled: it wakes three times a commit, and would wait for the end of our
	 * time slice each time. With smaller rooms the waiting commits become one larger
	 * one, which is cheaper.
	 */
	if (is_more && server_output_turn(loop->server) < OUTPUT_TURN) {
		(void)sched_yield();
	}
	if (is_more || loop->due != 0) {
		(void)uv_idle_start(&loop->again, event_loop_on_again);
	} else {
		(void)uv_idle_stop(&loop->again);
	}
	int64_t at_ms = server_deadline(loop->server);
	int64_t wait_ms = at_ms - event_loop_mono_ms(loop);
	if (at_ms != loop->tick_at_ms) {
		loop->tick_at_ms = at_ms;
		(void)uv_timer_start(&loop->tick, event_loop_on_due,
				     wait_ms < 1 ? 1 : (uint64_t)wait_ms, 0);
	}
	stop_on_turn(loop, is_more);
	event_loop_turn_ends(loop);
}

/*
 * The store wakes the loop through a descriptor of its own. uv_async_t would do, but where it finds the thread that
 * wakes it between two steps it waits for that thread by spinning, and on one CPU the thread cannot go on
 * meanwhile: a fifth of what a change of an item cost. Nothing else of uv_async_t is needed: the store wakes once
 * for all that has finished, and its threads have ended before the descriptor is closed.
 */
static void event_loop_on_wake(uv_poll_t *handle, int status, int events)
{
	struct event_loop *loop = handle->data;
	eventfd_t n;
	(void)status;
	(void)events;
	/* Before what has finished is collected, so that no wake is lost. */
	(void)eventfd_read(loop->wake_fd, &n);
	if (loop->glue.store != NULL) {
		store_watch(loop);
		store_glue_poll(&loop->glue);
		event_loop_check_store(loop);
	}
}

void event_loop_wake(void *arg)
{
	struct event_loop *loop = arg;
	(void)eventfd_write(loop->wake_fd, 1); /* fails only where it is readable anyway */
}

/* ---- life ---- */

/* All of them belong to the loop, so that ending can walk them. */
static int event_loop_init_handles(struct event_loop *loop)
{
	uv_timer_t *timers[] = {&loop->tick,
				&loop->rest,
				&loop->idle_exit,
				&loop->stop,
				&loop->watchdog,
				&loop->handshakes.timer,
				&loop->data_check.rest,
				&loop->webs.timer};
	uv_signal_t *signals[] = {&loop->sigterm, &loop->sigint, &loop->sighup};
	loop->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	int failed =
		loop->wake_fd < 0 ? -errno : uv_poll_init(&loop->loop, &loop->wake, loop->wake_fd);
	loop->wake.data = loop;
	failed = failed != 0 ? failed : uv_poll_start(&loop->wake, UV_READABLE, event_loop_on_wake);
	for (size_t i = 0; i < sizeof(timers) / sizeof(timers[0]) && failed == 0; i++) {
		failed = uv_timer_init(&loop->loop, timers[i]);
		timers[i]->data = loop;
	}
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]) && failed == 0; i++) {
		failed = uv_signal_init(&loop->loop, signals[i]);
		signals[i]->data = loop;
	}
	failed = failed != 0 ? failed : uv_prepare_init(&loop->loop, &loop->turn);
	failed = failed != 0 ? failed : uv_idle_init(&loop->loop, &loop->again);
	failed = failed != 0 ? failed : uv_check_init(&loop->loop, &loop->after_reads);
	loop->after_reads.data = loop;
	loop->turn.data = loop;
	loop->again.data = loop;
	return failed;
}

void event_loop_use_limits(struct event_loop *loop, const int64_t limits[LIMIT_COUNT])
{
	loop->connections_max = (size_t)limits[LIMIT_CONNECTIONS];
	loop->command_ms = limits[LIMIT_COMMAND_MS];
	loop->handshakes.limits.ms = limits[LIMIT_HANDSHAKE_MS];
	loop->handshakes.limits.first_byte_ms = limits[LIMIT_HANDSHAKE_FIRST_BYTE_MS];
	loop->handshakes.limits.record_ms = limits[LIMIT_FRAME_MS];
	loop->handshakes.limits.all = (size_t)limits[LIMIT_HANDSHAKES];
	loop->handshakes.limits.of_nodes = (size_t)limits[LIMIT_NODE_HANDSHAKES];
	loop->handshakes.limits.of_address = (size_t)limits[LIMIT_HANDSHAKES_PER_ADDRESS];
	loop->webs.limits.hello_ms = limits[LIMIT_HELLO_MS];
	loop->webs.limits.frame_ms = limits[LIMIT_FRAME_MS];
	loop->webs.limits.ping_ms = limits[LIMIT_WEB_PING_MS];
	loop->webs.limits.silent_ms = limits[LIMIT_WEB_SILENT_MS];
	loop->webs.limits.bytes_all = (uint64_t)limits[LIMIT_OUT_BYTES_ALL];
}

enum err event_loop_create(const struct event_loop_config *c, struct event_loop **out,
			   struct errmsg *why)
{
	struct event_loop *loop = calloc(1, sizeof(*loop));
	if (loop == NULL || uv_loop_init(&loop->loop) != 0) {
		free(loop);
		errmsg_set(why, "cannot start the event loop: out of memory or descriptors");
		return ERR_NOMEM;
	}
	loop->loop.data = loop;
	loop->listeners.spare_fd = -1;
	loop->config = *c;
	event_loop_use_limits(loop, c->limits);
	loop->is_reading = true;
	loop->tick_at_ms = EVENT_LOOP_NO_TICK;
	loop->streams.first_free = STREAM_NO_SLOT;
	struct closing_notice notice = {.reason = SLICE(EVENT_LOOP_FULL), .with_reason = true};
	buf_init(&loop->refusal, EVENT_LOOP_REFUSAL_BYTES);
	rpc_write_notice(&loop->refusal, slice_str(notice_rows[NOTICE_SERVER_CLOSING].name),
			 &record_closing_notice, &notice);
	int failed = event_loop_init_handles(loop);
	if (failed != 0 || loop->refusal.error != OK || webs_init(loop) != OK) {
		event_loop_destroy(loop);
		errmsg_set(why, "cannot start the event loop: %s",
			   failed != 0 ? uv_strerror(failed) : "out of memory");
		return failed != 0 ? ERR_IO : ERR_NOMEM;
	}
	*out = loop;
	return OK;
}

enum err event_loop_use_redis(struct event_loop *loop, struct tls_context *tls,
			      const struct redis_net **out, struct errmsg *why)
{
	loop->redis_tls = tls;
	if (redis_uv_create(&loop->loop, tls, &loop->redis) != OK) {
		errmsg_set(why, "out of memory");
		return ERR_NOMEM;
	}
	*out = redis_uv_net(loop->redis);
	return OK;
}

void event_loop_attach(struct event_loop *loop, struct server *server, struct store *store)
{
	loop->server = server;
	store_glue_init(&loop->glue, store, event_loop_on_answer, loop);
	if (loop->config.is_node) {
		store_glue_subscribe(&loop->glue);
	}
}

enum err event_loop_serve(struct event_loop *loop, struct listening *sockets, size_t n,
			  struct errmsg *why)
{
	int failed = uv_prepare_start(&loop->turn, event_loop_on_turn);
	failed = failed != 0 ? failed : uv_check_start(&loop->after_reads, event_loop_after_reads);
	failed = failed != 0 ? failed : stop_watch_signals(loop);
	if (failed != 0) {
		errmsg_set(why, "cannot watch for signals: %s", uv_strerror(failed));
		return ERR_IO;
	}
	if (loop->config.watchdog_ms > 0) {
		uint64_t every_ms = (uint64_t)loop->config.watchdog_ms;
		(void)uv_timer_start(&loop->watchdog, event_loop_on_watchdog, every_ms, every_ms);
	}
	enum err e = listeners_open(loop, sockets, n, why);
	if (e == OK) {
		share_tell_page(loop);
		data_check_begin(loop);
	}
	return e;
}

enum event_loop_end event_loop_run(struct event_loop *loop)
{
	stop_on_connections(loop);
	(void)uv_run(&loop->loop, UV_RUN_DEFAULT);
	return loop->end;
}

static void event_loop_close_handle(uv_handle_t *handle, void *arg)
{
	(void)arg;
	if (uv_is_closing(handle) == 0) {
		uv_close(handle, NULL);
	}
}

/* To close, a store that is reached on this loop runs it: nothing of the server's acts any more. */
static void event_loop_quiet(struct event_loop *loop)
{
	uv_timer_t *timers[] = {&loop->tick, &loop->rest,     &loop->idle_exit,
				&loop->stop, &loop->watchdog, &loop->data_check.rest};
	for (size_t i = 0; i < sizeof(timers) / sizeof(timers[0]); i++) {
		(void)uv_timer_stop(timers[i]);
	}
	(void)uv_prepare_stop(&loop->turn);
	(void)uv_check_stop(&loop->after_reads);
	(void)uv_idle_stop(&loop->again);
}

void event_loop_destroy(struct event_loop *loop)
{
	if (loop == NULL) {
		return;
	}
	listeners_close(loop, 0);
	commands_close(loop);
	event_loop_quiet(loop);
	store_glue_finish(&loop->glue); /* its threads may wake the loop until they have ended */
	redis_uv_destroy(loop->redis);
	uv_walk(&loop->loop, event_loop_close_handle, NULL);
	(void)uv_run(&loop->loop, UV_RUN_DEFAULT);
	loop->loop.emfile_fd = loop->listeners.spare_fd; /* closed with the loop */
	int leaked = uv_loop_close(&loop->loop);
	ASSERT_CMP(leaked, ==, 0);
	if (loop->wake_fd >= 0) {
		(void)close(loop->wake_fd);
	}
	streams_finish(&loop->streams);
	webs_finish(loop);
	handshakes_finish(loop);
	tls_context_free(loop->redis_tls);
	free(loop->listeners.items);
	effects_finish(&loop->fx);
	buf_finish(&loop->refusal);
	free(loop);
}
