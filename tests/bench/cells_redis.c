/*
 * cells_redis.c - votes with the table in Redis, beside the table in a directory, and beside what a web application does
 * that keeps votes in Redis (dialect_redis.c), with the same durability.
 *
 * A Redis that has ayed's table shares its core with ayed, and its CPU counts. What such an application computes is in the
 * load, and does not count: only its Redis has that core.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "proto/base/format.h"
#include "tests/bench/cell.h"

static bool write_key(const char *path)
{
	static const char key[] = "the key of a server of the bench";
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	bool done = fd >= 0 && write(fd, key, sizeof(key) - 1) == (ssize_t)sizeof(key) - 1;
	return fd >= 0 && close(fd) == 0 && done;
}

/* ayed, and before it its Redis, whose appendfsync is `more`. */
static void run_on_redis(const struct bench *b, const struct contender *c, struct sample *out)
{
	char address[64], key[SERVER_PATH_BYTES + 8];
	const char *const fsync[] = {"--appendfsync", c->more, NULL};
	const char *const words[] = {"--store", address, "--key-file", key, NULL};
	struct server store;
	struct run r;
	sample_clear(out);
	if (!server_start(SERVER_REDIS_VOTE, b->dir, fsync, &store, out->why)) {
		return;
	}
	format_to(address, sizeof(address), "redis://127.0.0.1:%d", store.port);
	format_to(key, sizeof(key), "%s/key", store.dir);
	if (!write_key(key)) {
		format_to(out->why, sizeof(out->why), "cannot write %s", key);
	} else if (run_start(b, c, words, &r, out)) {
		r.spec.stores[r.spec.stores_n++] = store.pid;
		run_put_load(&r, out);
		run_stop(&r);
	}
	server_stop(&store);
}

/* The design, on a Redis whose appendfsync is `more`. */
static void run_design(const struct bench *b, const struct contender *c, struct sample *out)
{
	const char *const fsync[] = {"--appendfsync", c->more, NULL};
	struct run r;
	if (run_start(b, c, fsync, &r, out)) {
		run_put_load(&r, out);
		run_stop(&r);
	}
}

#define ON(name, kind, run, n, fsync)                                    \
	{                                                                \
		name, SERVER_##kind, run, {{n, 1, 1, 1, 0, 0}}, 1, fsync \
	}
#define ALL(n)                                                                         \
	{                                                                              \
		ON("directory", AYE, run_load, n, NULL),                               \
			ON("redis, everysec", AYE_REDIS, run_on_redis, n, "everysec"), \
			ON("redis, always", AYE_REDIS, run_on_redis, n, "always"),     \
			ON("design, everysec", REDIS_VOTE, run_design, n, "everysec"), \
			ON("design, always", REDIS_VOTE, run_design, n, "always"),     \
	}
#define ON_REDIS(id, title, n, to_reach)                                               \
	{                                                                              \
		id, title, ALL(n), {FIGURE_VOTES, FIGURE_VOTE_US, FIGURE_STORE_US}, 3, \
		{                                                                      \
			{"votes/s, synced each second",                                \
			 FIGURE_VOTES,                                                 \
			 "redis, everysec",                                            \
			 "design, everysec",                                           \
			 true,                                                         \
			 to_reach},                                                    \
			{                                                              \
				"votes/s, synced", FIGURE_VOTES, "redis, always",      \
					"design, always", true, to_reach               \
			}                                                              \
		}                                                                      \
	}

const struct cell cells_redis[] = {
	ON_REDIS("25", "a vote pending in 1 room, the table in a directory or in Redis", 1, 1),
	ON_REDIS("26", "50 votes pending in 50 rooms, the table in a directory or in Redis", 50, 3),
	ON_REDIS("27", "500 votes pending in 500 rooms, the table in a directory or in Redis", 500,
		 1),
	{0},
};
