/*
 * redis_place.c - see redis_place.h.
 */
#include "tests/support/redis_place.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/format.h"
#include "tests/support/test.h"

static const char *const redis_options[] = {"--appendonly", "yes", "--appendfsync", "everysec",
					    NULL};

static unsigned place_draw(struct redis_place *p, unsigned below)
{
	return (unsigned)rand_r(&p->random) % below;
}

/* ---- alone ---- */

static void single_lay(struct redis_place *p, struct net_server *const *users)
{
	char path[NET_PATH_BYTES];
	redis_run_lay(&p->own);
	redis_run_start(&p->own, redis_options);
	for (unsigned i = 0; i < p->users_n; i++) {
		(void)format_to(path, sizeof(path), "%s/link", users[i]->dir);
		p->links[i] = bad_link_start(path, p->own.socket, p->random + i);
		assert_non_null(p->links[i]);
		(void)format_to(users[i]->store, sizeof(users[i]->store), "redis+unix://%s", path);
	}
}

static void single_clear(struct redis_place *p)
{
	for (unsigned i = 0; i < p->users_n; i++) {
		bad_link_end(p->links[i]);
	}
	redis_run_clear(&p->own);
}

static void single_choose(struct redis_place *p)
{
	p->redis = &p->own;
}

static void single_start(struct redis_place *p)
{
	redis_run_start(&p->own, redis_options);
}

/* ---- with Sentinels ---- */

/* Each of the servers that use it is given its address. */
static void place_tell(const struct redis_place *p, struct net_server *const *users,
		       const char *url)
{
	for (unsigned i = 0; i < p->users_n; i++) {
		(void)format_to(users[i]->store, sizeof(users[i]->store), "%s", url);
	}
}

static void sentinel_lay(struct redis_place *p, struct net_server *const *users)
{
	char url[REDIS_GROUP_URL_BYTES];
	redis_group_start(&p->group);
	redis_group_url(&p->group, "", url);
	place_tell(p, users, url);
}

static void sentinel_clear(struct redis_place *p)
{
	redis_group_clear(&p->group);
}

static void sentinel_choose(struct redis_place *p)
{
	unsigned replica = place_draw(p, REDIS_GROUP_SERVERS);
	redis_group_settle(&p->group);
	p->redis = redis_group_master(&p->group);
	p->replica = &p->group.servers[replica];
	if (p->replica == p->redis) {
		p->replica = &p->group.servers[(replica + 1) % REDIS_GROUP_SERVERS];
	}
}

/* As a replica of the next master, which the Sentinels choose in the meantime. */
static void sentinel_start(struct redis_place *p)
{
	while (redis_group_master(&p->group) == p->redis) {
		p->meanwhile(p->arg);
	}
	redis_group_rejoin(&p->group, p->redis);
}

static void sentinel_start_replica(struct redis_place *p)
{
	redis_group_rejoin(&p->group, p->replica);
}

/* ---- a cluster ---- */

static void cluster_lay(struct redis_place *p, struct net_server *const *users)
{
	char url[REDIS_CLUSTER_URL_BYTES];
	redis_cluster_start(&p->cluster);
	redis_cluster_url(&p->cluster, "", url);
	place_tell(p, users, url);
}

static void cluster_clear(struct redis_place *p)
{
	redis_cluster_clear(&p->cluster);
}

struct redis_run *redis_place_draw_master(struct redis_place *p, const struct redis_run *than)
{
	struct redis_run *r;
	do {
		r = &p->cluster.servers[place_draw(p, REDIS_CLUSTER_SERVERS)];
	} while (r == than || !redis_cluster_is_master(r));
	return r;
}

static void cluster_choose(struct redis_place *p)
{
	redis_cluster_settle(&p->cluster);
	p->redis = redis_place_draw_master(p, NULL);
	p->replica = redis_cluster_replica(&p->cluster, p->redis);
	assert_non_null(p->replica);
}

/* When its replica is the master: what it had besides is lost, and was acknowledged to nobody. */
static void cluster_start(struct redis_place *p)
{
	while (!redis_cluster_is_master(p->replica)) {
		p->meanwhile(p->arg);
	}
	redis_cluster_start_again(p->redis);
}

static void cluster_start_replica(struct redis_place *p)
{
	redis_cluster_start_again(p->replica);
}

/* ---- all of them ---- */

static const struct redis_place_kind kinds[] = {
	{"single", ON_SINGLE, single_lay, single_clear, single_choose, single_start, NULL},
	{"sentinel", ON_SENTINEL, sentinel_lay, sentinel_clear, sentinel_choose, sentinel_start,
	 sentinel_start_replica},
	{"cluster", ON_CLUSTER, cluster_lay, cluster_clear, cluster_choose, cluster_start,
	 cluster_start_replica},
};

void redis_place_lay(struct redis_place *p, const char *name, struct net_server *const *users,
		     unsigned users_n, unsigned seed)
{
	assert_true(users_n <= REDIS_PLACE_USERS_MAX);
	p->users_n = users_n;
	p->random = seed;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]) && p->kind == NULL; i++) {
		if (name == NULL || strcmp(name, kinds[i].name) == 0) {
			p->kind = &kinds[i];
		}
	}
	assert_non_null(p->kind);
	p->kind->lay(p, users);
}

void redis_place_clear(struct redis_place *p)
{
	p->kind->clear(p);
}

static void signal_all(const struct redis_run *runs, size_t n, int signum)
{
	for (size_t i = 0; i < n; i++) {
		if (runs[i].pid > 0) {
			(void)kill(runs[i].pid, signum);
		}
	}
}

void redis_place_signal(const struct redis_place *p, int signum)
{
	signal_all(&p->own, 1, signum);
	signal_all(p->group.servers, REDIS_GROUP_SERVERS, signum);
	signal_all(p->cluster.servers, REDIS_CLUSTER_SERVERS, signum);
}
