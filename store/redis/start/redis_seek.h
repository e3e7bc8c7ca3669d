/*
 * redis_seek.h - the Sentinels, or the servers of a cluster, asked in turn which servers are the masters.
 * Private to store/redis.
 *
 * They are asked for as long as something is wrong with a link: it is not ready, its server owes a reply and is
 * silent, or replicas do not get what is written. Where they name another server, the links go there.
 */
#ifndef STORE_REDIS_REDIS_SEEK_H
#define STORE_REDIS_REDIS_SEEK_H

#include "proto/base/err.h"
#include "store/redis/link/redis_link.h"

#define REDIS_SEEK_MS	     250  /* between two questions */
#define REDIS_SEEK_SILENT_MS 1000 /* a server that owes a reply for so long may be dead */
#define REDIS_SEEK_TURN	     4    /* after so many answers that did not help the next Sentinel is asked */

struct redis_table;

struct redis_seek {
	struct redis_link *link; /* to one of them; NULL: the address names the server itself */
	size_t at;		 /* which one */
	struct redis_place place; /* where that is */
	size_t turns;		 /* to the next one, all in all */
	unsigned answers;	 /* of this one */
	bool asks;
	bool wants_turn; /* this one does not help */
	bool is_known;	 /* a master was named */
	bool is_wanted;	 /* a server of a cluster has said that slots have moved, or are down */
	int64_t next_ms; /* of the next question */
	uint64_t waits_missed; /* when it was asked last */
	enum redis_end hope;   /* what a host has said that passes by itself; REDIS_END_OK: nothing yet */
	int64_t hope_ms;       /* when */
	struct errmsg why;     /* what the last Sentinel that did not help has said, for people */
};

/* Begin to ask. ERR_NOMEM. */
NODISCARD enum err redis_seek_begin(struct redis_table *t);
/* Ask if something is wrong; called at least every REDIS_SEEK_MS then, and otherwise now and then. */
void redis_seek_tick(struct redis_table *t, int64_t now_ms);
/* Whether something is wrong that Sentinels may know about. */
bool redis_seek_is_needed(const struct redis_table *t);

#endif
