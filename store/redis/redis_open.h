/*
 * redis_open.h - the start of the Redis engine: is there a server that can have the table? Private to
 * store/redis.
 */
#ifndef STORE_REDIS_REDIS_OPEN_H
#define STORE_REDIS_REDIS_OPEN_H

#include "store/redis/redis_table.h"

/* Make the links, wait for them, look at the server and its data. As store_open_redis(). */
NODISCARD enum err redis_open(struct redis_table *t, struct slice owner, struct errmsg *why);

/* Have the data open for so long, 0: close them. `cb` gets the reply of lease.lua. */
NODISCARD enum err redis_open_lease(struct redis_table *t, int64_t for_ms, redis_end_cb *cb, void *arg);
/* Close the data; waits for that, but not longer than this. */
void redis_open_give_up(struct redis_table *t, int64_t within_ms);

/* Read a number of INFO's text. false: it is not there. */
bool redis_info_number(struct slice text, const char *name, uint64_t *out);

/* In store_redis.c. */
void redis_table_on_time(void *arg);
void redis_table_renew(struct redis_table *t);
void redis_table_destroy(struct redis_table *t);

#endif
