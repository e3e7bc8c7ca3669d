/*
 * redis_cluster.h - a cluster of three masters with a replica each, of a test.
 *
 * Life: redis_cluster_start() .. redis_cluster_clear().
 */
#ifndef TESTS_SUPPORT_REDIS_CLUSTER_H
#define TESTS_SUPPORT_REDIS_CLUSTER_H

#include <stdbool.h>

#include "tests/support/redis_run.h"

#define REDIS_CLUSTER_SERVERS	6
#define REDIS_CLUSTER_URL_BYTES 160

struct redis_cluster {
	struct redis_run servers[REDIS_CLUSTER_SERVERS]; /* at the start the first three are masters */
	char ids[REDIS_CLUSTER_SERVERS][41];
};

/* Start them all, and wait until the cluster is there. */
void redis_cluster_start(struct redis_cluster *c);
void redis_cluster_clear(struct redis_cluster *c);

/* Write the address to give to --store, with its settings, such as "?volatile=1". */
void redis_cluster_url(const struct redis_cluster *c, const char *settings, char out[REDIS_CLUSTER_URL_BYTES]);
/* The master that has the slot of this key now; NULL: none. Those that hang must not be asked. */
struct redis_run *redis_cluster_master(struct redis_cluster *c, const char *key);
/* Whether it is a master now. */
bool redis_cluster_is_master(const struct redis_run *r);
/* Its replica; NULL: none. All servers must run. */
struct redis_run *redis_cluster_replica(struct redis_cluster *c, const struct redis_run *master);
/* Wait until those that run answer CLUSTERDOWN. */
void redis_cluster_until_down(struct redis_cluster *c);
/* Start a server that was killed. */
void redis_cluster_start_again(struct redis_run *r);
/* Kill them all, and start them, each loading its data for some ms; they are not waited for. */
void redis_cluster_load_again(struct redis_cluster *c, int ms);
/* From now on they load as fast as they can, such as what a master sends. Waits until they answer. */
void redis_cluster_load_fast(struct redis_cluster *c);
/* Start a server that was killed, and wait until it belongs to the cluster again. */
void redis_cluster_rejoin(struct redis_cluster *c, struct redis_run *r);
/* Wait until all servers run, no slot is without a master, and each master has a replica. */
void redis_cluster_settle(struct redis_cluster *c);
/* Write a key of the slot of one of the master's keys, drawn by chance; where it has none *out stays. */
void redis_cluster_draw_key(const struct redis_run *r, char *out, size_t cap);
/*
 * Move the slot of this key to that master with all that is in it. In the middle, when some keys have moved and
 * some have not, between(arg) runs.
 */
void redis_cluster_move_slot(struct redis_cluster *c, const char *key, struct redis_run *to, void (*between)(void *arg),
			     void *arg);

/* A slot whose keys have all moved, and which its old master still has. */
struct redis_move {
	struct redis_run *from, *to;
	int slot;
};
struct redis_move redis_cluster_begin_move(struct redis_cluster *c, const char *key, struct redis_run *to);
void redis_cluster_end_move(struct redis_cluster *c, const struct redis_move *move);

#endif
