/*
 * redis_args.h - the words of a command, as they are put together, and the names of our keys.
 *
 *   {d}... , {bNNN}...   the directory, a bucket of rooms: what is in braces decides where a cluster has the key
 *   i:PK                 hash: SK -> stored item (redis_item.h)
 *   o:PK                 zset of SKs, all with score 0; of partitions that may have more than one item
 *   x:INDEX              zset of entries, all with score 0: key.h's key of the entry, then the item's key
 *   t:TOKEN              version of the commit, with the token's life
 *   v                    version of the last commit in the scope, 8 bytes
 *   {bNNN}h              fence of the bucket
 *   {d}p                 number of the last publication; published on the channel {d}c, of a database other than 0 {d}cN
 *   {d}a                 zset: when entries of {d}x: that lead into rooms were written
 *   {d}owner             whose data they are
 *   {d}l                 who has them open, with a life of 5 s
 *
 * Errors are sticky: look at `error` once, before the words are used.
 *
 * Life: a zeroed struct .. redis_args_finish().
 */
#ifndef STORE_REDIS_REDIS_ARGS_H
#define STORE_REDIS_REDIS_ARGS_H

#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "store/key.h"
#include "store/base/kv.h"

struct redis_args {
	struct arena arena;
	struct slice *at;
	size_t n, capacity;
	enum err error; /* OK or ERR_NOMEM */
};

void redis_args_clear(struct redis_args *a);
void redis_args_finish(struct redis_args *a);

/* Append a word that outlives the use of the words. */
void redis_args_add(struct redis_args *a, struct slice word);
/* Append a copy. */
void redis_args_copy(struct redis_args *a, struct slice word);
/* Append a number, in decimal. */
void redis_args_number(struct redis_args *a, int64_t number);
/* Write a number, in decimal, in the place of the word `at`: how many words followed is known later. */
void redis_args_count(struct redis_args *a, size_t at, size_t n);
/* Append a version, or another number in 8 bytes. */
void redis_args_u64(struct redis_args *a, uint64_t number);
/* Append a key: that of `name` in the scope, such as "i:" with a PK as its rest. */
void redis_args_key(struct redis_args *a, unsigned scope, const char *name, struct slice rest);
/* Append the tag of the scope. */
void redis_args_tag(struct redis_args *a, unsigned scope);
/* Append a bound of a range of a zset: `sign` is '[' or '('. */
void redis_args_bound(struct redis_args *a, char sign, struct slice text);
/* Append the exclusive upper bound of all texts that begin with the prefix. */
void redis_args_end(struct redis_args *a, struct slice prefix);

#endif
