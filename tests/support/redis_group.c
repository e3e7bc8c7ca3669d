/*
 * redis_group.c - what Sentinels find out about each other stands in their files from the start.
 */
#include "tests/support/redis_group.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/support/test.h"

#define ANSWER_BYTES 16384

static void write_id(unsigned sentinel, char out[41])
{
	(void)snprintf(out, 41, "%040u", sentinel + 1);
}

static void start_sentinel(struct redis_group *g, unsigned nth)
{
	char lines[2048];
	char id[41];
	write_id(nth, id);
	int len = snprintf(lines, sizeof(lines),
			   "sentinel myid %s\n"
			   "sentinel monitor " REDIS_GROUP_NAME " 127.0.0.1 %d 2\n"
			   "sentinel down-after-milliseconds " REDIS_GROUP_NAME " 2000\n"
			   "sentinel failover-timeout " REDIS_GROUP_NAME " 5000\n"
			   "sentinel parallel-syncs " REDIS_GROUP_NAME " 2\n",
			   id, g->servers[0].port);
	for (unsigned i = 1; i < REDIS_GROUP_SERVERS; i++) {
		len += snprintf(lines + len, sizeof(lines) - (size_t)len,
				"sentinel known-replica " REDIS_GROUP_NAME " 127.0.0.1 %d\n",
				g->servers[i].port);
	}
	for (unsigned i = 0; i < REDIS_GROUP_SENTINELS; i++) {
		write_id(i, id);
		len += i == nth ? 0
				: snprintf(lines + len, sizeof(lines) - (size_t)len,
					   "sentinel known-sentinel " REDIS_GROUP_NAME
					   " 127.0.0.1 %d %s\n",
					   g->sentinels[i].port, id);
	}
	redis_run_watch(&g->sentinels[nth], lines);
}

/* Ask until the answer has this in it. */
static void ask_until(const struct redis_run *r, const char *command, const char *says)
{
	static char answer[ANSWER_BYTES];
	const struct timespec moment = {.tv_nsec = 20000000};
	time_t until = time(NULL) + 60;
	do {
		(void)nanosleep(&moment, NULL);
		redis_run_ask(r, command, answer, sizeof(answer));
	} while (strstr(answer, says) == NULL && time(NULL) < until);
	if (strstr(answer, says) == NULL) {
		fail_msg("%s has never answered with %s: %s", command, says, answer);
	}
}

void redis_group_start(struct redis_group *g)
{
	static const char *const options[] = {"--appendonly", "yes", "--repl-diskless-sync-delay",
					      "0", NULL};
	for (unsigned i = 0; i < REDIS_GROUP_SERVERS; i++) {
		redis_run_lay(&g->servers[i]);
	}
	for (unsigned i = 0; i < REDIS_GROUP_SENTINELS; i++) {
		redis_run_lay(&g->sentinels[i]);
	}
	redis_run_start(&g->servers[0], options);
	for (unsigned i = 1; i < REDIS_GROUP_SERVERS; i++) {
		redis_run_follow(&g->servers[i], &g->servers[0]);
	}
	for (unsigned i = 0; i < REDIS_GROUP_SENTINELS; i++) {
		start_sentinel(g, i);
	}
	for (unsigned i = 0; i < REDIS_GROUP_SENTINELS; i++) {
		ask_until(&g->sentinels[i], "SENTINEL CKQUORUM " REDIS_GROUP_NAME, "+OK 3 usable");
	}
}

void redis_group_clear(struct redis_group *g)
{
	for (unsigned i = 0; i < REDIS_GROUP_SENTINELS; i++) {
		redis_run_clear(&g->sentinels[i]);
	}
	for (unsigned i = 0; i < REDIS_GROUP_SERVERS; i++) {
		redis_run_clear(&g->servers[i]);
	}
}

void redis_group_url(const struct redis_group *g, const char *settings,
		     char out[REDIS_GROUP_URL_BYTES])
{
	(void)snprintf(out, REDIS_GROUP_URL_BYTES,
		       "redis%s+sentinel://" REDIS_GROUP_NAME
		       "@127.0.0.1:%d,127.0.0.1:%d,127.0.0.1:%d%s",
		       redis_run_has_tls() ? "s" : "", g->sentinels[0].port, g->sentinels[1].port,
		       g->sentinels[2].port, settings);
}

struct redis_run *redis_group_master(struct redis_group *g)
{
	char answer[256], port[16];
	redis_run_ask(&g->sentinels[0], "SENTINEL GET-MASTER-ADDR-BY-NAME " REDIS_GROUP_NAME,
		      answer, sizeof(answer));
	for (unsigned i = 0; i < REDIS_GROUP_SERVERS; i++) {
		(void)snprintf(port, sizeof(port), "\n%d\r", g->servers[i].port);
		if (strstr(answer, port) != NULL) {
			return &g->servers[i];
		}
	}
	fail_msg("the master is none of ours: %s", answer);
	return NULL;
}

void redis_group_rejoin(struct redis_group *g, struct redis_run *r)
{
	redis_run_follow(r, redis_group_master(g));
}

void redis_group_settle(struct redis_group *g)
{
	static char answer[ANSWER_BYTES];
	const struct timespec moment = {.tv_nsec = 20000000};
	time_t until = time(NULL) + 60;
	char connected[32];
	unsigned n = 0;
	for (unsigned i = 0; i < REDIS_GROUP_SERVERS; i++) {
		n += g->servers[i].pid > 0;
	}
	(void)snprintf(connected, sizeof(connected), "connected_slaves:%u", n - 1);
	do { /* who is the master may change meanwhile */
		(void)nanosleep(&moment, NULL);
		redis_run_ask(redis_group_master(g), "INFO replication", answer, sizeof(answer));
	} while (strstr(answer, connected) == NULL && time(NULL) < until);
	if (strstr(answer, connected) == NULL) {
		fail_msg("the master has never had %s: %s", connected, answer);
	}
}
