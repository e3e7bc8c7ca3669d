/*
 * kv.h - the ordered databases of an engine, as seen by one transaction or snapshot.
 *
 * The rules of the table (apply.h, read.h) are written once for this interface. An engine
 * implements find, put and delete of bytes, and decides when a transaction begins and becomes
 * durable. Slices returned by these functions are valid until the next put or delete.
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
	KV_INDEX,       /* one for each enum index_id: key_of_entry() -> key_of_item() */
	KV_COUNT = KV_INDEX + INDEX_COUNT
};
/* Of sets of databases. */
#define KV_BIT(db) (UINT32_C(1) << (db))
_Static_assert(KV_COUNT <= 32, "a set of databases has 32 bits");

struct kv;

/* How to search for an entry. Each database has one position, which every search moves. */
enum kv_where {
	KV_AT,    /* the entry of this key */
	KV_FROM,  /* the first entry that is not below the key, which may be empty */
	KV_BELOW, /* the last entry below the key, which must not be empty */
	/*
	 * the entry after the last one found; not after a search that found none, nor after a put
	 * or delete in this database
	 */
	KV_NEXT,
	KV_PREV   /* the entry before; otherwise as KV_NEXT. Both ignore the key */
};

/*
 * ERR_NOT_FOUND  no such key, or no further entry.
 * ERR_NOMEM, ERR_FULL, ERR_IO, ERR_CORRUPT  as in store.h.
 */
struct kv_ops {
	enum err (*find)(struct kv *kv, unsigned db, enum kv_where where, struct slice at, struct slice *key,
			 struct slice *value);
	enum err (*put)(struct kv *kv, unsigned db, struct slice key, struct slice value);
	enum err (*del)(struct kv *kv, unsigned db, struct slice key);
};

struct kv {
	const struct kv_ops *ops;
	bool lags; /* indexes may lag behind the items */
	/*
	 * databases of indexes that are newer than the data, which are only read: searches find
	 * nothing there. Opened for writing, data have all (index_fill.h)
	 */
	uint32_t absent;
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

/* Delete a key; OK if it does not exist. */
static inline enum err kv_del(struct kv *kv, unsigned db, struct slice key)
{
	enum err e = kv->ops->del(kv, db, key);
	return e == ERR_NOT_FOUND ? OK : e;
}

/* The number of the last commit in the snapshot; 0 before the first. */
NODISCARD enum err kv_version(struct kv *kv, uint64_t *version);
NODISCARD enum err kv_set_version(struct kv *kv, uint64_t version);

#endif
