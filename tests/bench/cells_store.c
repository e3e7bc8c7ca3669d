/*
 * cells_store.c - what is stored and not in use: how much of it there is, that
 * it goes, and what connections cost that say nothing.
 *
 * A store serves all rounds (filling.h); each round adds its few rooms.
 *
 * Members who stop reading hold what the kernel does not take any more: at most
 * the room's log, which all share, and the rest of one frame each.
 */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/format.h"
#include "tests/bench/cell.h"
#include "tests/bench/filling.h"
#include "tests/bench/machine.h"

#define LARGE FILLING_LARGE

/* ---- runs ---- */

/* Rooms that have ended, by the log of a server that has ended, too. */
static unsigned long rooms_ended(const struct run *r)
{
	static const char rooms_expired[] = "event=rooms_expired n=";
	char path[SERVER_PATH_BYTES + 16];
	char line[512];
	unsigned long n = 0;
	format_to(path, sizeof(path), "%s/log", r->server.dir);
	FILE *log = fopen(path, "r");
	while (log != NULL && fgets(line, sizeof(line), log) != NULL) {
		const char *told = strstr(line, rooms_expired);
		n += told == NULL ? 0 : strtoul(told + sizeof(rooms_expired) - 1, NULL, 10);
	}
	if (log != NULL) {
		(void)fclose(log);
	}
	return n;
}

static void run_on_store(const struct bench *b, const struct contender *c, struct sample *out)
{
	struct run r;
	if (!filling_start(b, c, NULL, &r, out)) {
		return;
	}
	uint64_t began = machine_now_ns();
	run_put_load(&r, out);
	double took_s = (double)(machine_now_ns() - began) / 1e9;
	out->figures[FIGURE_START_MS] = r.start_ms;
	out->figures[FIGURE_MEMORY_KB] = (double)machine_rss_bytes(r.server.pid) / 1024;
	server_end(&r.server);
	out->figures[FIGURE_ENDED] = (double)rooms_ended(&r) / took_s;
	run_stop(&r);
}

/* From the start of a server whose data no other has closed to its first connection. */
static void run_killed(const struct bench *b, const struct contender *c, struct sample *out)
{
	struct run r;
	if (!filling_start(b, c, NULL, &r, out)) {
		return;
	}
	run_put_load(&r, out);
	bool was_loaded = out->is_done;
	(void)kill(r.server.pid, SIGKILL);
	run_stop(&r);
	if (was_loaded && filling_start(b, c, NULL, &r, out)) {
		out->figures[FIGURE_START_MS] = r.start_ms;
		out->is_done = true;
		run_stop(&r);
	}
}

/* With nobody there the server has what it has; all the rest is the connections' and their rooms'. */
static void run_idle(const struct bench *b, const struct contender *c, struct sample *out)
{
	struct run r;
	if (!run_start(b, c, NULL, &r, out)) {
		return;
	}
	r.spec.window_s = 0;
	run_put_load(&r, out);
	if (out->is_done) {
		double grown = (double)r.result->rss_joined - (double)r.rss_started;
		out->figures[FIGURE_CONNECTION_BYTES] = grown / (double)r.result->connects;
		out->figures[FIGURE_MEMORY_KB] = (double)r.rss_started / 1024;
	}
	run_stop(&r);
}

/* Before the window what the kernel takes for a deaf member is full: a few 100 KB each. */
#define DEAF_FLOOD 200

static void run_deaf(const struct bench *b, const struct contender *c, struct sample *out)
{
	struct run r;
	if (!run_start(b, c, NULL, &r, out)) {
		return;
	}
	r.spec.flood = DEAF_FLOOD;
	run_put_load(&r, out);
	if (out->is_done) {
		double grown = (double)r.result->rss_voted - (double)r.result->rss_joined;
		out->figures[FIGURE_GROWN_KB] = grown / 1024;
	}
	run_stop(&r);
}

#define IDLE(name, kind)                                                         \
	{                                                                        \
		name, SERVER_##kind, run_idle, {{1000, 10, 0, 0, 0, 0}}, 1, NULL \
	}
#define STORED(name, n, due, rate)                                                              \
	{                                                                                       \
		name, SERVER_AYE, run_on_store, {{200, 10, 1, (rate) > 0 ? 0 : 1, rate, 0}}, 1, \
			&(const struct filling)                                                 \
		{                                                                               \
			.rooms = (n), .due_s = (due)                                            \
		}                                                                               \
	}
#define KILLED(name, n)                                                                           \
	{                                                                                         \
		name, SERVER_AYE, run_killed, {{200, 10, 1, 1, 0, 0}}, 1, &(const struct filling) \
		{                                                                                 \
			.rooms = (n), .due_s = A_WEEK                                             \
		}                                                                                 \
	}
#define DEAF(name, kind, deaf)                                                         \
	{                                                                              \
		name, SERVER_##kind, run_deaf, {{1, 1000, 100, 0, 100, deaf}}, 1, NULL \
	}
#define A_WEEK (7L * 86400)

const struct cell cells_store[] = {
	{"9",
	 "10,000 idle connections, joined, 10 a room: memory beyond the empty server's",
	 {IDLE("aye", AYE), IDLE("log", LOG), IDLE("redis", REDIS), IDLE("nats", NATS),
	  IDLE("mosquitto", MOSQUITTO)},
	 {FIGURE_CONNECTION_BYTES, FIGURE_MEMORY_KB},
	 2,
	 {{"user RSS a connection", FIGURE_CONNECTION_BYTES, "aye", NULL, false, 900}}},
	{"11",
	 "200 rooms x 10, one vote outstanding, beside so many rooms that are stored only",
	 {STORED("1,000", 1000, A_WEEK, 0), STORED("100,000", 100000, A_WEEK, 0),
	  STORED("1,000,000", LARGE, A_WEEK, 0)},
	 {FIGURE_START_MS, FIGURE_VOTE_US, FIGURE_MEMORY_KB, FIGURE_VOTES},
	 4,
	 {{"CPU per vote", FIGURE_VOTE_US, "1,000,000", "1,000", false, 1.1},
	  {"CPU per vote", FIGURE_VOTE_US, "100,000", "1,000", false, 1.1},
	  {"start", FIGURE_START_MS, "1,000,000", "1,000", false, 1.5},
	  {"memory", FIGURE_MEMORY_KB, "1,000,000", "1,000", false, 1.1}}},
	{"19",
	 "from its start to its first connection after a kill -9, with so many rooms",
	 {KILLED("1,000", 1000), KILLED("100,000", 100000), KILLED("1,000,000", LARGE)},
	 {FIGURE_START_MS},
	 1,
	 {{"start after kill -9, ms", FIGURE_START_MS, "1,000,000", NULL, false, 200},
	  {"start after kill -9, ms", FIGURE_START_MS, "100,000", NULL, false, 200}}},
	{"12",
	 "1,000,000 rooms that are over at once, beside 200 x 10 at 2,000 votes/s",
	 {STORED("aye alone", 1000, A_WEEK, 2000), STORED("100,000 over", 100000, -10, 2000),
	  STORED("1,000,000 over", LARGE, -10, 2000)},
	 {FIGURE_P50_US, FIGURE_P99_US, FIGURE_P999_US, FIGURE_ENDED},
	 4,
	 {{"p99", FIGURE_P99_US, "1,000,000 over", "aye alone", false, 2},
	  {"p99", FIGURE_P99_US, "100,000 over", "aye alone", false, 2}}},
	{"14",
	 "1 room x 1,000 at 100 votes/s, 100 of them stop reading",
	 {DEAF("all read", AYE, 0), DEAF("100 deaf", AYE, 100)},
	 {FIGURE_GROWN_KB, FIGURE_P50_US, FIGURE_P99_US, FIGURE_P999_US},
	 4,
	 {{"memory grown: the log, and a frame each", FIGURE_GROWN_KB, "100 deaf", "all read",
	   false, 2},
	  {"the others' p99", FIGURE_P99_US, "100 deaf", "all read", false, 1.2}}},
	{0},
};
