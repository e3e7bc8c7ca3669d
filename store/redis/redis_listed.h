/*
 * redis_listed.h - which entries of the directory's indexes were written lately.
 *
 * Each commit that puts an item of a room has the entries of the item written before it, if it has any. Most
 * votes of a person who logged in change nothing in them: as no entry is removed within a minute of its
 * writing, one that was written a moment ago need not be written again; but all are where another history of
 * the data begins (redis_link.h), as Redis may have lost the last moments.
 */
#ifndef STORE_REDIS_REDIS_LISTED_H
#define STORE_REDIS_REDIS_LISTED_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/base/slice.h"
#include "store/redis/link/redis_link.h"

/* An entry is known for so long: with the 30 s of a commit less than the minute. */
#define REDIS_LISTED_MS	   20000
#define REDIS_LISTED_SLOTS 4096

struct redis_listed {
	char history[REDIS_HISTORY_BYTES]; /* in which they were written */
	struct {
		unsigned char hash[16];
		int64_t at_ms; /* 0: free */
	} slots[REDIS_LISTED_SLOTS];
};

/* What was written in another history than this one is forgotten. */
void redis_listed_enter(struct redis_listed *l, const char history[REDIS_HISTORY_BYTES]);
/* Return whether this entry was written within REDIS_LISTED_MS. */
bool redis_listed_has(const struct redis_listed *l, struct slice index, struct slice member, int64_t now_ms);
/* It was written by a command sent at that time. Another that has its slot is forgotten. */
void redis_listed_note(struct redis_listed *l, struct slice index, struct slice member, int64_t at_ms);

#endif
