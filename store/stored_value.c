/*
 * stored_value.c - see stored_value.h.
 */
#include "store/stored_value.h"

#include <sodium.h>

#include "proto/base/assert.h"
#include "store/key.h"

#define STORED_VALUE_SUM_BYTES 8
#define STORED_VALUE_LISTING   STORED_VALUE_SUM_BYTES /* where the byte is */

static void stored_value_sum(unsigned char sum[STORED_VALUE_SUM_BYTES], struct slice item_key,
			     const unsigned char listing_and_version[8], struct slice value)
{
	crypto_generichash_state state;
	unsigned char whole[crypto_generichash_BYTES_MIN];
	unsigned char len[8];

	key_put_u64(len, item_key.len);
	(void)crypto_generichash_init(&state, NULL, 0, sizeof(whole));
	(void)crypto_generichash_update(&state, len, sizeof(len));
	(void)crypto_generichash_update(&state, (const unsigned char *)item_key.data, item_key.len);
	(void)crypto_generichash_update(&state, listing_and_version, 8);
	(void)crypto_generichash_update(&state, (const unsigned char *)value.data, value.len);
	(void)crypto_generichash_final(&state, whole, sizeof(whole));
	memcpy(sum, whole, STORED_VALUE_SUM_BYTES);
}

void stored_value_seal(struct slice item_key, uint64_t version, bool is_listed, struct slice value,
		       struct buf *out)
{
	unsigned char head[STORED_VALUE_HEAD_BYTES];
	ASSERT(version <= STORED_VALUE_VERSION_MAX);
	key_put_u64(head + STORED_VALUE_SUM_BYTES, version);
	head[STORED_VALUE_LISTING] = is_listed ? 0 : STORED_VALUE_UNLISTED;
	stored_value_sum(head, item_key, head + STORED_VALUE_SUM_BYTES, value);
	(void)buf_append(out, head, sizeof(head));
	(void)buf_append_slice(out, value);
}

enum err stored_value_version(struct slice stored, uint64_t *version)
{
	if (stored.len < STORED_VALUE_HEAD_BYTES) {
		return ERR_CORRUPT;
	}
	*version = key_get_u64((const unsigned char *)stored.data + STORED_VALUE_SUM_BYTES) &
		   STORED_VALUE_VERSION_MAX;
	return OK;
}

enum err stored_value_open(struct slice item_key, struct slice stored, uint64_t *version,
			   struct slice *value)
{
	unsigned char sum[STORED_VALUE_SUM_BYTES];
	if (stored.len < STORED_VALUE_HEAD_BYTES) {
		return ERR_CORRUPT;
	}
	const unsigned char *head = (const unsigned char *)stored.data;
	struct slice inside = slice_of(stored.data + STORED_VALUE_HEAD_BYTES,
				       stored.len - STORED_VALUE_HEAD_BYTES);
	stored_value_sum(sum, item_key, head + STORED_VALUE_SUM_BYTES, inside);
	if (memcmp(sum, head, sizeof(sum)) != 0) {
		return ERR_CORRUPT;
	}
	*value = inside;
	return stored_value_version(stored, version);
}

bool stored_value_is_unlisted(struct slice stored)
{
	return stored.len >= STORED_VALUE_HEAD_BYTES &&
	       (unsigned char)stored.data[STORED_VALUE_LISTING] == STORED_VALUE_UNLISTED;
}
