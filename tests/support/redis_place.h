/*
 * redis_place.h - where ayed of a test have their table: in a Redis that is alone, in one with two replicas and three
 * Sentinels, or in a cluster of three masters with a replica each.
 *
 * Life: redis_place_lay() .. redis_place_clear().
 */
#ifndef TESTS_SUPPORT_REDIS_PLACE_H
#define TESTS_SUPPORT_REDIS_PLACE_H

#include "tests/support/bad_link.h"
#include "tests/support/net_kit.h"
#include "tests/support/redis_cluster.h"
#include "tests/support/redis_group.h"

#define REDIS_PLACE_USERS_MAX 3

enum {
	ON_SINGLE = 1,
	ON_SENTINEL = 2,
	ON_CLUSTER = 4,
	ON_REPLICAS = ON_SENTINEL | ON_CLUSTER,
	ON_ALL = 7
};

struct redis_place {
	const struct redis_place_kind *kind;
	struct redis_run *redis;   /* the master that was chosen last */
	struct redis_run *replica; /* one of its own, where there are any */
	struct redis_run own;	   /* where it is alone */
	struct bad_link *links[REDIS_PLACE_USERS_MAX]; /* from each user to it, there */
	unsigned users_n;
	struct redis_group group;
	struct redis_cluster cluster;
	unsigned random;
	void (*meanwhile)(void *arg); /* called again and again while something is waited for, for some 50 ms */
	void *arg;
};

struct redis_place_kind {
	const char *name;
	unsigned is;
	/* Start what is there, and set the users' `store`. */
	void (*lay)(struct redis_place *p, struct net_server *const *users);
	void (*clear)(struct redis_place *p);
	/* Wait until all is as before the last cause, and choose the master that suffers the next, or its replica. */
	void (*choose)(struct redis_place *p);
	/* Start the master that was killed, or the replica. */
	void (*start)(struct redis_place *p);
	void (*start_replica)(struct redis_place *p); /* NULL: there is none */
};

/*
 * Start all that is there, and give these servers its address as their `store`: each one's own, where Redis is alone.
 *
 * @name  "single", "sentinel" or "cluster"; NULL: single
 */
void redis_place_lay(struct redis_place *p, const char *name, struct net_server *const *users, unsigned users_n,
		     unsigned seed);
void redis_place_clear(struct redis_place *p);
/* Send all servers that have data a signal, such as SIGSTOP; those that do not run are left out. */
void redis_place_signal(const struct redis_place *p, int signum);
/* Some master of the cluster other than that. */
struct redis_run *redis_place_draw_master(struct redis_place *p, const struct redis_run *than);

#endif
