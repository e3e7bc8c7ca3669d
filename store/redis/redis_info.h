/*
 * redis_info.h - what the server tells of itself, once a second: memory, its run, its clock. Private to
 * store/redis.
 */
#ifndef STORE_REDIS_REDIS_INFO_H
#define STORE_REDIS_REDIS_INFO_H

#include "proto/base/slice.h"
#include "store/store.h"

struct redis_table;

#define REDIS_RUN_CHARS 40

/* Zeroed: nothing is known. */
struct redis_info {
	char run[REDIS_RUN_CHARS + 1]; /* of the server: another one after each start */
	uint64_t failovers;	       /* times in which it was another than before */
	uint64_t commits, conflicts;
	int64_t asked_ms;  /* when INFO was sent last */
	int64_t at_ms;	   /* when the server said: 0: not known */
	uint64_t clock_ms; /* its clock */
};

/* The words that ask for it. */
#define REDIS_INFO_WORDS "INFO", "memory", "server"

/* Take the answer to what was sent at that time. */
void redis_info_take(struct redis_table *t, struct slice text, int64_t sent_ms);

/* Read a number of INFO's text. false: it is not there. */
bool redis_info_number(struct slice text, const char *name, uint64_t *out);

/* How it stands with the server. */
struct store_remote redis_info_remote(const struct redis_table *t);

#endif
