/*
 * index_fill.c - see index_fill.h.
 */
#include "store/base/index_fill.h"

#include <string.h>

#include "store/base/index.h"
#include "store/key.h"
#include "store/stored_value.h"

#define FILL_STORED_BYTES ((size_t)1 << 20)

struct filling {
	struct kv *kv;
	uint32_t databases;
	struct arena arena;
	struct buf sealed; /* empty: the item stays as it is */
};

static bool is_filled(const struct filling *f, enum index_id index)
{
	return (f->databases & KV_BIT(KV_INDEX + (unsigned)index)) != 0;
}

/* List one item. If it says that no index lists it, it has to say otherwise from now on. */
static enum err fill_item(struct filling *f, struct slice key, struct slice stored)
{
	struct index_entries entries;
	struct slice pk, sk, value;
	uint64_t version;
	bool is_unlisted = stored_value_is_unlisted(stored);
	buf_clear(&f->sealed);
	if (!key_split(key, &pk, &sk) || item_kind_of(pk, sk) == ITEM_COUNT ||
	    !index_lists(item_kind_of(pk, sk)) ||
	    stored_value_open(key, stored, &version, &value) != OK) {
		return OK;
	}
	enum err e = index_entries_of(item_kind_of(pk, sk), key, value, &f->arena, &entries);
	if (e != OK) {
		return e == ERR_NOMEM ? e : OK;
	}
	for (size_t i = 0; i < entries.n && e == OK; i++) {
		if (!is_filled(f, entries.at[i].index)) {
			continue;
		}
		if (is_unlisted &&
		    f->sealed.len == 0) { /* before a put: the value is the engine's */
			stored_value_seal(key, version, true, value, &f->sealed);
			e = f->sealed.error;
		}
		e = e == OK ? kv_put(f->kv, KV_INDEX + (unsigned)entries.at[i].index,
				     entries.at[i].key, key)
			    : e;
	}
	return e == OK && f->sealed.len > 0 ? kv_put(f->kv, KV_ITEMS, key, buf_slice(&f->sealed))
					    : e;
}

enum err index_fill(struct kv *kv, uint32_t databases)
{
	struct filling f = {.kv = kv, .databases = databases};
	struct slice found, stored;
	buf_init(&f.sealed, FILL_STORED_BYTES);
	enum err e = kv_find(kv, KV_ITEMS, KV_FROM, NO_SLICE, &found, &stored);
	while (e == OK) {
		struct key key = {.len = found.len}; /* a put takes the slice away */
		memcpy(key.bytes, found.data, found.len);
		e = fill_item(&f, key_slice(&key), stored);
		arena_reset(&f.arena);
		if (e != OK) {
			break;
		}
		if (f.sealed.len > 0) { /* which moved the position: find the item again */
			e = kv_find(kv, KV_ITEMS, KV_AT, key_slice(&key), &found, &stored);
		}
		e = e == OK ? kv_find(kv, KV_ITEMS, KV_NEXT, NO_SLICE, &found, &stored) : e;
	}
	buf_finish(&f.sealed);
	arena_finish(&f.arena);
	return e == ERR_NOT_FOUND ? OK : e;
}
