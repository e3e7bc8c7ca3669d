/*
 * redis_info.h - what the server tells of itself, once a second: memory, its run, its clock; in a cluster the
 * last two are those of the directory's master. Private to store/redis.
 */
#ifndef STORE_REDIS_REDIS_INFO_H
#define STORE_REDIS_REDIS_INFO_H

#include "proto/base/slice.h"
#include "store/store.h"

struct redis_table;
struct redis_lane;
struct redis_link;

#define REDIS_RUN_CHARS 40

/* Zeroed: nothing is known. */
struct redis_info {
	char run[REDIS_RUN_CHARS + 1]; /* of the server: another one after each start */
	uint64_t failovers;	       /* times in which it was another than before */
	uint64_t commits, conflicts;
	int64_t asked_ms;  /* when INFO was sent last */
	int64_t at_ms;	   /* when the server said: 0: not known */
	uint64_t clock_ms; /* its clock */
	struct store_remote left; /* only what was counted of links that are no more */
};

/* The words that ask for it. */
#define REDIS_INFO_WORDS "INFO", "memory", "server"

/* Take the answer to what was sent at that time through a lane for commits. */
void redis_info_take(struct redis_lane *lane, struct slice text, int64_t sent_ms);
/* The link, or NULL, will be destroyed: keep what it has counted. */
void redis_info_leave(struct redis_table *t, const struct redis_link *link);

/* Read a number of INFO's text. false: it is not there. */
bool redis_info_number(struct slice text, const char *name, uint64_t *out);

/* How it stands with the server. */
struct store_remote redis_info_remote(const struct redis_table *t);

#endif
