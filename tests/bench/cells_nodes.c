/*
 * cells_nodes.c - what a delivery costs where several ayed share a Redis: to members who are at their room's home, and to
 * members at another node, which forwards them. The CPU of both nodes counts, that of their Redis does not.
 */
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "proto/base/format.h"
#include "tests/bench/cell.h"

#define ROOMS	 20
#define MEMBERS	 100
#define LISTED_S 3 /* each node reads who there is once a second */

/* Redis, a home, and another node; or one that has the data alone. */
static void run_nodes(const struct bench *b, const struct contender *c, struct sample *out)
{
	static const char text[] = "the key of a server of the bench";
	static const char *const fsync[] = {"--appendfsync", "everysec", NULL};
	char address[64], key[SERVER_PATH_BYTES + 8], failed[SERVER_WHY_BYTES];
	const char *words[] = {"--store",	   address,	  "--key-file", key,
			       "--cluster-listen", "127.0.0.1:0", NULL};
	bool is_alone = strcmp(c->name, "alone") == 0;
	struct server store, entry = {0};
	struct run r;
	int ports[ROOMS];
	sample_clear(out);
	if (!server_start(SERVER_REDIS_VOTE, b->dir, fsync, &store, out->why)) {
		return;
	}
	format_to(address, sizeof(address), "redis://127.0.0.1:%d", store.port);
	format_to(key, sizeof(key), "%s/key", store.dir);
	int fd = open(key, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	bool has_key = fd >= 0 && write(fd, text, sizeof(text) - 1) == (ssize_t)sizeof(text) - 1;
	(void)close(fd);
	words[4] = is_alone ? NULL : words[4];
	if (has_key && run_start(b, c, words, &r, out)) {
		bool is_there =
			is_alone || server_start(SERVER_AYE_REDIS, b->dir, words, &entry, failed);
		if (!is_alone && is_there) {
			(void)nanosleep(&(struct timespec){.tv_sec = LISTED_S}, NULL);
			r.spec.stores[r.spec.stores_n++] = entry.pid;
		}
		for (size_t i = 0; i < ROOMS; i++) {
			ports[i] = strcmp(c->name, "forwarded") == 0 ? entry.port : r.server.port;
		}
		r.spec.ports = ports; /* of their members: the rooms are made at the home */
		if (is_there) {
			run_put_load(&r, out);
		} else {
			format_to(out->why, sizeof(out->why), "%s", failed);
		}
		server_stop(&entry);
		run_stop(&r);
	}
	server_stop(&store);
}

#define AMONG(name)                                                                        \
	{                                                                                  \
		name, SERVER_AYE_REDIS, run_nodes, {{ROOMS, MEMBERS, 1, 1, 0, 0}}, 1, NULL \
	}

const struct cell cells_nodes[] = {
	{"31",
	 "20 rooms x 100, one vote outstanding a room, at one of two servers on a Redis",
	 {AMONG("alone"), AMONG("direct"), AMONG("forwarded")},
	 {FIGURE_DELIVERY_NS, FIGURE_DELIVERIES},
	 2,
	 {{"CPU per delivery, both nodes together, forwarded", FIGURE_DELIVERY_NS, "forwarded",
	   "direct", false, 2.2},
	  {"CPU per delivery at the room's home", FIGURE_DELIVERY_NS, "direct", "alone", false,
	   1.05}}},
	{0},
};
