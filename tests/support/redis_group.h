/*
 * redis_group.h - a master with two replicas and three Sentinels, of a test.
 *
 * Life: redis_group_start() .. redis_group_clear().
 */
#ifndef TESTS_SUPPORT_REDIS_GROUP_H
#define TESTS_SUPPORT_REDIS_GROUP_H

#include "tests/support/redis_run.h"

#define REDIS_GROUP_SERVERS   3
#define REDIS_GROUP_SENTINELS 3
#define REDIS_GROUP_NAME      "table" /* of the master, for Sentinels */
#define REDIS_GROUP_URL_BYTES 160

struct redis_group {
	struct redis_run servers[REDIS_GROUP_SERVERS]; /* the first is the master at the start */
	struct redis_run sentinels[REDIS_GROUP_SENTINELS];
};

/* Start them all, and wait until they know each other. */
void redis_group_start(struct redis_group *g);
void redis_group_clear(struct redis_group *g);

/* Write the address to give to --store, with its settings, such as "?volatile=1". */
void redis_group_url(const struct redis_group *g, const char *settings, char out[REDIS_GROUP_URL_BYTES]);
/* The master, as the first Sentinel says. */
struct redis_run *redis_group_master(struct redis_group *g);
/* Start a server that was killed as a replica of the master, and wait until it has the data. */
void redis_group_rejoin(struct redis_group *g, struct redis_run *r);
/* Wait until all servers that run follow the master. */
void redis_group_settle(struct redis_group *g);

#endif
