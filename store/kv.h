/*
 * kv.h - an engine's ordered databases, as one transaction or snapshot sees them.
 *
 * The rules of the table (apply.h, read.h) are written once over this interface; an
 * engine implements get, seek, put and delete of bytes, and decides when a
 * transaction begins and becomes durable. Slices that these functions return are
 * valid until the next put or delete.
 */
#ifndef STORE_KV_H
#define STORE_KV_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/err.h"
#include "proto/slice.h"
#include "store/items.h"

enum {
	KV_META,        /* "format", "version" */
	KV_ITEMS,       /* key_of_item() -> stored_value.h */
	KV_TOKENS,      /* token -> version, expiry */
	KV_TOKEN_TIMES, /* expiry, token -> nothing */
	KV_INDEX,       /* and one for each enum index_id: key_of_entry() -> key_of_item() */
	KV_COUNT = KV_INDEX + INDEX_COUNT
};

struct kv;

/*
 * ERR_NOT_FOUND  no such key, or no more. The others: ERR_NOMEM, ERR_FULL, ERR_IO, ERR_CORRUPT.
 * One position in each database, which every call moves; next() and prev() continue from it where the last call found an entry, and must not follow a put or a delete in that database.
 */
struct kv_ops {
	enum err (*get)(struct kv *kv, unsigned db, struct slice key, struct slice *value);
	enum err (*seek)(struct kv *kv, unsigned db, struct slice from, struct slice *key, struct slice *value);
	/* The last key below `before`; it must not be empty. */
	enum err (*seek_below)(struct kv *kv, unsigned db, struct slice before, struct slice *key, struct slice *value);
	enum err (*next)(struct kv *kv, unsigned db, struct slice *key, struct slice *value);
	enum err (*prev)(struct kv *kv, unsigned db, struct slice *key, struct slice *value);
	enum err (*put)(struct kv *kv, unsigned db, struct slice key, struct slice value);
	enum err (*del)(struct kv *kv, unsigned db, struct slice key);
};

struct kv {
	const struct kv_ops *ops;
	bool lags; /* indexes may be behind the items */
};

/* Number of the last commit in the snapshot; 0 before the first. */
NODISCARD enum err kv_version(struct kv *kv, uint64_t *version);
NODISCARD enum err kv_set_version(struct kv *kv, uint64_t version);

#endif
