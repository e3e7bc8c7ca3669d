/*
 * live_time.h - tables of times in memory: when something first happened, and until when rates
 * are used up.
 *
 * A table has a maximum size; beyond it the entry that was added first is removed.
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
	unsigned char key[LIVE_TIME_KEY_BYTES]; /* keyed hash of the entry's name */
	int64_t at;
	UT_hash_handle hh;
};

/*
 * Return the entry for `what` in a table of struct server; NULL: none.
 *
 * @domain  separates different uses of one table.
 */
struct live_time *live_time_find(const struct server *s, struct live_time *table, const char *domain, struct slice what);
/*
 * The same; if there is none, add one with this time, keeping at most max entries. NULL: memory
 * is out.
 */
struct live_time *live_time_get(const struct server *s, struct live_time **table, size_t max, const char *domain,
				struct slice what, int64_t at);
/* Remove the entries whose time is not later than `at`. */
void live_times_forget(struct live_time **table, int64_t at);

#endif
