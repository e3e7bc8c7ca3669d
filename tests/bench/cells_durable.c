/*
 * cells_durable.c - votes that are on disk before anybody hears of them.
 *
 * The peer is what a web application does that keeps votes in Redis: see
 * dialect_redis.c. It has one voter a room, so that no lock is ever refused:
 * the cheapest that this design can be, also where ours has all ten vote.
 *
 * Both servers run with slow_sync.c preloaded, which counts their syncs and may
 * make each one last longer, as a disk in a data centre does.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "proto/base/format.h"
#include "tests/bench/cell.h"

static bool preload_path(char *path, size_t cap)
{
	char here[SERVER_PATH_BYTES];
	ssize_t n = readlink("/proc/self/exe", here, sizeof(here) - 1);
	if (n <= 0) {
		return false;
	}
	here[n] = '\0';
	*strrchr(here, '/') = '\0';
	format_to(path, cap, "%s/slow_sync.so", here);
	return access(path, R_OK) == 0;
}

/* A number that this process and the server see; NULL where that cannot be. */
static volatile uint64_t *counter_open(const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	void *at = MAP_FAILED;
	if (fd >= 0 && ftruncate(fd, sizeof(uint64_t)) == 0) {
		at = mmap(NULL, sizeof(uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	}
	if (fd >= 0) {
		(void)close(fd);
	}
	return at == MAP_FAILED ? NULL : at;
}

static void counter_close(const char *path, volatile uint64_t *counter)
{
	union {
		volatile uint64_t *in;
		void *out;
	} at = {.in = counter};
	(void)munmap(at.out, sizeof(*counter));
	(void)unlink(path);
}

/* The server inherits the environment of the moment; the load does not start programs. */
static bool start_counted(const struct bench *b, const struct contender *c, const char *counter,
			  struct run *r, struct sample *out)
{
	char preload[SERVER_PATH_BYTES + 16];
	const char *extra_us = c->more;
	sample_clear(out);
	if (!preload_path(preload, sizeof(preload))) {
		format_to(out->why, sizeof(out->why), "slow_sync.so is not there");
		return false;
	}
	(void)setenv("LD_PRELOAD", preload, 1);
	(void)setenv("AYE_BENCH_SYNCS", counter, 1);
	(void)setenv("AYE_BENCH_SYNC_US", extra_us, 1);
	bool started = run_start(b, c, NULL, r, out);
	(void)unsetenv("LD_PRELOAD");
	(void)unsetenv("AYE_BENCH_SYNCS");
	(void)unsetenv("AYE_BENCH_SYNC_US");
	return started;
}

static void run_durable(const struct bench *b, const struct contender *c, struct sample *out)
{
	char path[SERVER_PATH_BYTES];
	struct run r;
	format_to(path, sizeof(path), "%s/syncs", b->dir);
	volatile uint64_t *syncs = counter_open(path);
	if (syncs == NULL) {
		sample_clear(out);
		format_to(out->why, sizeof(out->why), "cannot map %s", path);
		return;
	}
	if (start_counted(b, c, path, &r, out)) {
		r.spec.counted = syncs;
		run_put_load(&r, out);
		uint64_t votes = r.result->groups[0].votes;
		if (out->is_done && votes > 0) {
			out->figures[FIGURE_SYNCS] =
				(double)r.result->window_counted / (double)votes;
		}
		run_stop(&r);
	}
	counter_close(path, syncs);
}

#define VOTES(name, kind, rooms, members, publishers, extra_us)                               \
	{                                                                                     \
		name, SERVER_##kind, run_durable, {{rooms, members, publishers, 1, 0, 0}}, 1, \
			extra_us                                                              \
	}

const struct cell cells_durable[] = {
	{"7",
	 "50 rooms x 10, durable: one vote pending in each; all ten voting",
	 {VOTES("aye", AYE, 50, 10, 1, "0"), VOTES("aye, all ten", AYE, 50, 10, 10, "0"),
	  VOTES("redis design", REDIS_VOTE, 50, 10, 1, "0")},
	 {FIGURE_VOTE_US, FIGURE_VOTES, FIGURE_SYNCS},
	 3,
	 {{"CPU per durable vote", FIGURE_VOTE_US, "aye", "redis design", false, 0.65},
	  {"the same, all ten voting", FIGURE_VOTE_US, "aye, all ten", "redis design", false,
	   0.17}}},
	{"8",
	 "500 durable votes pending in 500 rooms; with 1 ms added to every sync",
	 {VOTES("aye", AYE, 500, 1, 1, "0"), VOTES("redis design", REDIS_VOTE, 500, 1, 1, "0"),
	  VOTES("aye, +1 ms", AYE, 500, 1, 1, "1000"),
	  VOTES("redis design, +1 ms", REDIS_VOTE, 500, 1, 1, "1000")},
	 {FIGURE_VOTES, FIGURE_VOTE_US, FIGURE_SYNCS},
	 3,
	 {{"durable votes/s", FIGURE_VOTES, "aye", "redis design", true, 4},
	  {"the same, 1 ms more a sync", FIGURE_VOTES, "aye, +1 ms", "redis design, +1 ms", true,
	   5}}},
	{0},
};
