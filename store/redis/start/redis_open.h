/*
 * redis_open.h - the start of the Redis engine: is there a server that can have the table? Private to
 * store/redis.
 */
#ifndef STORE_REDIS_REDIS_OPEN_H
#define STORE_REDIS_REDIS_OPEN_H

#include "store/redis/start/redis_ask.h"

/* Make the links, wait for them, look at the server and its data. As store_open_redis(). */
NODISCARD enum err redis_open(struct redis_table *t, struct slice owner, struct errmsg *why);

/* ---- copies: redis_copy.c ---- */

/* In the place of the owner, as long as a copy is not finished: whichever key a server has, it is another. */
#define REDIS_UNFINISHED "unfinished copy"

#define REDIS_OWNER_CHARS 128
/* Write the owner as it is kept. */
void redis_owner_text(struct slice owner, char out[REDIS_OWNER_CHARS + 1]);
enum err redis_open_refuse_unfinished(const struct redis_table *t, struct errmsg *why);
/* To read: there are data, and of this owner unless that is empty. */
NODISCARD enum err redis_open_to_read(struct redis_table *t, struct slice owner, struct redis_asked *a,
				      struct errmsg *why);
/* To fill: there are no data, or those of an unfinished copy: *is_left. */
NODISCARD enum err redis_open_to_fill(struct redis_table *t, bool *is_left, struct redis_asked *a,
				      struct errmsg *why);
/* Remove them, once nobody else can be at it. */
NODISCARD enum err redis_open_remove_unfinished(struct redis_table *t, struct errmsg *why);

/* ---- whose data there are, and who has them open: redis_open_data.c ---- */

/* Take them for this owner, unless they are another's. */
NODISCARD enum err redis_open_owner(struct redis_table *t, struct slice owner, struct redis_asked *a,
				    struct errmsg *why);
/* Have them alone, or be one of the nodes that share them; a process that was killed is waited for. */
NODISCARD enum err redis_open_take(struct redis_table *t, struct redis_asked *a, struct errmsg *why);

/* Have the data open for so long, 0: close them. `cb` gets the reply of lease.lua. */
NODISCARD enum err redis_open_lease(struct redis_table *t, int64_t for_ms, redis_end_cb *cb, void *arg);
/* Close the data; waits for that, but not longer than this. */
void redis_open_give_up(struct redis_table *t, int64_t within_ms);

/* In store_redis.c. */
void redis_table_on_time(void *arg);
void redis_table_renew(struct redis_table *t);
void redis_table_destroy(struct redis_table *t);

#endif
