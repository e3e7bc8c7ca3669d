/*
 * kv.c - the one number that every engine keeps beside the items.
 */
#include "store/base/kv.h"

#include "store/key.h"

enum err kv_version(struct kv *kv, uint64_t *version)
{
	struct slice value;
	enum err e = kv_get(kv, KV_META, SLICE("version"), &value);
	if (e == ERR_NOT_FOUND) {
		*version = 0;
		return OK;
	}
	if (e != OK) {
		return e;
	}
	if (value.len != 8) {
		return ERR_CORRUPT;
	}
	*version = key_get_u64((const unsigned char *)value.data);
	return OK;
}

enum err kv_set_version(struct kv *kv, uint64_t version)
{
	unsigned char number[8];
	key_put_u64(number, version);
	return kv_put(kv, KV_META, SLICE("version"), slice_of(number, sizeof(number)));
}
