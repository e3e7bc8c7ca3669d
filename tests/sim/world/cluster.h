/*
 * cluster.h - several servers on one table, in some worlds: their keys, the list of them, buckets that they take;
 * and what happens to one of them alone: it is killed, stopped for a while, cut off from the table, asked to end.
 *
 * What a node asks of the table comes to it when the way there is open, and what it is answered comes back when the
 * node runs, late sometimes. Loads and commits of rooms go the same way as those of one server.
 *
 * A login may be in use at several of them: each feature says whether its people are in such worlds
 * (is_in_clusters). What a commit publishes comes to each node late, more than once, or not at all
 * (disk/subscription.h), and what it was told of that is passed on to its server (shell.c).
 */
#ifndef TESTS_SIM_WORLD_CLUSTER_H
#define TESTS_SIM_WORLD_CLUSTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/core/server.h"
#include "tests/sim/sizes.h"

struct sim_node;
struct view;
struct world;

struct sim_cluster {
	struct sim_key { /* of a node, in the table */
		struct cluster_node node;
		int64_t until_mono; /* it lives until then */
	} keys[SIM_KEYS_MAX];
	size_t keys_n;
	unsigned fault_permille;
};

/* Something a node has asked of the table, which has not come there. */
struct sim_asked {
	struct sim_asked *next;
	enum effect_kind kind;
	uint64_t ticket;
	struct cluster_node node;
	struct store_take take;
	int64_t sent_mono;
};

/* Something the table has answered, which has not come to the node. */
struct sim_answer {
	struct sim_answer *next;
	struct event event;
	struct store_item *items; /* what the event points to */
	struct view *disk;	  /* of a room's load: what the table had of the room; or NULL */
	struct cluster_node nodes[SIM_KEYS_MAX];
	char *bytes;
	int64_t due_mono;
	int64_t sent_mono; /* of a renewal or a list: when it was sent */
};

/* The world has so many nodes; before any is started. */
void cluster_begin(struct world *w, size_t nodes);
static inline bool cluster_is_on(const struct sim_cluster *c)
{
	return c->fault_permille > 0;
}

/* The node of the turn has started. */
void cluster_started(struct world *w);
/* It asks: FX_RENEW, FX_LIST, FX_TAKE. */
void cluster_ask(struct world *w, const struct effect *fx);
/* A read of it cannot come to the table: it fails, after a while. */
void cluster_fail_read(struct world *w, const struct effect *fx);
/* Whether the table's answers come to it now; else keep one until they do. */
bool cluster_hears(const struct world *w);
void cluster_keep(struct world *w, const struct event *e);

/* Requests come to the table, and answers to nodes. */
void cluster_step(struct world *w);
/* Something happens to one of the nodes. */
void cluster_fails(struct world *w);
/* All of them run, and reach the table, from now on. */
void cluster_heal(struct world *w);
void cluster_finish(struct world *w);

/* Whether the process runs at the moment; whether there is one that takes connections. */
bool node_runs(const struct world *w, const struct sim_node *node);
bool node_listens(const struct world *w, const struct sim_node *node);
/* Whether its lease is over, as far as the table has answered it. */
bool node_is_over(const struct world *w, const struct sim_node *node);
/* The node that is home of the room by the keys that there are; any where there is none. */
struct sim_node *cluster_home(struct world *w, const char *room_id);

#endif
