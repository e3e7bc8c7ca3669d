/*
 * live_time.h - tables of times in memory: when something first happened, and until when rates are used up.
 *
 * A table has a bound; beyond it the entry that was made first is forgotten.
 */
#ifndef SERVER_CORE_CONNS_LIVE_TIME_H
#define SERVER_CORE_CONNS_LIVE_TIME_H

#include <stddef.h>
#include <stdint.h>

#include "proto/base/slice.h"
#include "server/domain/base/uthash_config.h"

#define LIVE_TIME_KEY_BYTES 16

struct server;

struct live_time {
	unsigned char key[LIVE_TIME_KEY_BYTES]; /* keyed hash of what it is the time of */
	int64_t at;
	UT_hash_handle hh;
};

/*
 * The entry under `what` in that table (of struct server); NULL: there is none.
 * @domain  separates uses of one table.
 */
struct live_time *live_time_find(const struct server *s, struct live_time *table, const char *domain, struct slice what);
/* The same, made with that time where there is none, at most max of them; NULL: memory is out. */
struct live_time *live_time_get(const struct server *s, struct live_time **table, size_t max, const char *domain,
				struct slice what, int64_t at);
/* Forget those whose time is not later than that. */
void live_times_forget(struct live_time **table, int64_t at);

#endif
