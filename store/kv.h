/*
 * kv.h - an engine's ordered databases, as one transaction or snapshot sees them.
 *
 * The rules of the table (apply.h, read.h) are written once over this interface; an
 * engine implements find, put and delete of bytes, and decides when a
 * transaction begins and becomes durable. Slices that these functions return are
 * valid until the next put or delete.
 */
#ifndef STORE_KV_H
#define STORE_KV_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/base/err.h"
#include "proto/base/slice.h"
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

/* Where to look for an entry. Each database has one position, which every search moves. */
enum kv_where {
	KV_AT,    /* the entry of this key */
	KV_FROM,  /* the first that is not below it; it may be empty */
	KV_BELOW, /* the last below it; it must not be empty */
	KV_NEXT,  /* from where the last search found an entry: not after one that did not, nor after a put or a delete in that database */
	KV_PREV   /* as NEXT; neither looks at the key */
};

/* ERR_NOT_FOUND  no such key, or no more. The others: ERR_NOMEM, ERR_FULL, ERR_IO, ERR_CORRUPT. */
struct kv_ops {
	enum err (*find)(struct kv *kv, unsigned db, enum kv_where where, struct slice at, struct slice *key,
			 struct slice *value);
	enum err (*put)(struct kv *kv, unsigned db, struct slice key, struct slice value);
	enum err (*del)(struct kv *kv, unsigned db, struct slice key);
};

struct kv {
	const struct kv_ops *ops;
	bool lags; /* indexes may be behind the items */
};

#define NO_SLICE ((struct slice){NULL, 0})

static inline enum err kv_find(struct kv *kv, unsigned db, enum kv_where where, struct slice at, struct slice *key,
			       struct slice *value)
{
	return kv->ops->find(kv, db, where, at, key, value);
}

static inline enum err kv_get(struct kv *kv, unsigned db, struct slice key, struct slice *value)
{
	struct slice same;
	return kv->ops->find(kv, db, KV_AT, key, &same, value);
}

static inline enum err kv_put(struct kv *kv, unsigned db, struct slice key, struct slice value)
{
	return kv->ops->put(kv, db, key, value);
}

/* OK also where there is no such key. */
static inline enum err kv_del(struct kv *kv, unsigned db, struct slice key)
{
	enum err e = kv->ops->del(kv, db, key);
	return e == ERR_NOT_FOUND ? OK : e;
}

/* Number of the last commit in the snapshot; 0 before the first. */
NODISCARD enum err kv_version(struct kv *kv, uint64_t *version);
NODISCARD enum err kv_set_version(struct kv *kv, uint64_t version);

#endif
