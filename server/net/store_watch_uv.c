/*
 * store_watch_uv.c - how it stands with the store: what is counted, and what the log tells when it changes.
 */
#include "server/net/event_loop_uv.h"

#include <stdlib.h>

#include "proto/base/format.h"

#define WATCH_CLOCK_MS 2000 /* as far apart clocks may be */
#define WATCH_CLOCK_BACK_MS \
	1500 /* from here on they agree again: not told twice for a little to and fro */
#define WATCH_SERVER_CHARS 8 /* of the name of a run, in the log */

static const char *const store_watch_states[] = {
	[STORE_OK] = "ok",     [STORE_RESERVING] = "reserving", [STORE_NEARLY_FULL] = "nearly_full",
	[STORE_AWAY] = "away", [STORE_BROKEN] = "broken",	[STORE_GONE] = "gone",
};

/* What the store's threads have counted is copied to the core's, so that they share nothing. */
static void store_watch_count(struct event_loop *loop, const struct store_status *s)
{
	struct counters *counters = server_counters(loop->server);
	int64_t apart_ms = s->remote.has_clock ? event_loop_wall_ms() - s->remote.clock_ms : 0;
	counters->batch_commits = s->batch;
	counters->sync_us = s->sync_us;
	counters->store_used = s->bytes_used;
	counters->store_free = s->bytes_free;
	counters->disk_free = s->disk_free;
	counters->store_reserving = s->state == STORE_RESERVING;
	counters->store_full = s->state == STORE_NEARLY_FULL;
	counters->redis_attempts = s->remote.attempts;
	counters->redis_connections = s->remote.connections;
	counters->redis_commands = s->remote.commands;
	counters->redis_unanswered = s->remote.unanswered;
	counters->redis_commits = s->remote.commits;
	counters->redis_conflicts = s->remote.conflicts;
	counters->redis_waits_missed = s->remote.waits_missed;
	counters->redis_failovers = s->remote.failovers;
	counters->redis_clock_us = (uint64_t)llabs(apart_ms) * 1000;
}

static void store_watch_state(struct event_loop *loop, const struct store_status *s)
{
	struct log_line l;
	if (s->state == loop->store_state) {
		return;
	}
	loop->store_state = s->state;
	log_begin(&l, loop->config.log, s->state == STORE_OK ? LOG_INFO : LOG_WARN, "store_state");
	log_str(&l, "state", store_watch_states[s->state]);
	log_int(&l, "bytes_used", (int64_t)s->bytes_used);
	log_int(&l, "bytes_max", (int64_t)s->bytes_max);
	log_end(&l);
}

static void store_watch_server(struct event_loop *loop, const struct store_remote *r)
{
	struct store_watch *w = &loop->store_watch;
	if (r->failovers != w->failovers) {
		char before[WATCH_SERVER_CHARS + 1], now[WATCH_SERVER_CHARS + 1];
		struct log_line l;
		(void)format_to(before, sizeof(before), "%s", w->server);
		(void)format_to(now, sizeof(now), "%s", r->server);
		log_begin(&l, loop->config.log, LOG_WARN, "store_failover");
		log_str(&l, "run_id", now);
		log_str(&l, "before", before);
		log_str(&l, "reason", "Redis was restarted, or another server has the data now");
		log_end(&l);
	}
	w->failovers = r->failovers;
	(void)format_to(w->server, sizeof(w->server), "%s", r->server);
}

/* Once when they come to be apart, or further apart, and once when they agree again. */
static void store_watch_clock(struct event_loop *loop, const struct store_remote *r)
{
	struct store_watch *w = &loop->store_watch;
	int64_t apart_ms = event_loop_wall_ms() - r->clock_ms;
	bool is_apart = llabs(apart_ms) > WATCH_CLOCK_MS;
	bool is_news = is_apart && llabs(apart_ms - w->apart_ms) > WATCH_CLOCK_MS;
	bool is_over = w->apart_ms != 0 && llabs(apart_ms) < WATCH_CLOCK_BACK_MS;
	if (!r->has_clock || (!is_news && !is_over)) {
		return;
	}
	w->apart_ms = is_over ? 0 : apart_ms;
	struct log_line l;
	log_begin(&l, loop->config.log, is_over ? LOG_INFO : LOG_WARN, "store_clock");
	log_int(&l, "ahead_ms", apart_ms);
	log_str(&l, "reason",
		is_over ? "the clocks of this machine and of Redis agree again"
			: "the clocks of this machine and of Redis differ; set both "
			  "by NTP");
	log_end(&l);
}

void store_watch(struct event_loop *loop)
{
	struct store_status s;
	store_status(loop->glue.store, &s);
	store_watch_count(loop, &s);
	store_watch_state(loop, &s);
	store_watch_server(loop, &s.remote);
	store_watch_clock(loop, &s.remote);
}
