/*
 * key.c - see key.h.
 */
#include "store/key.h"

#include <sodium.h>

#include "proto/base/assert.h"
#include "store/items.h"

_Static_assert(ITEM_KEY_BYTES_MAX + 1 == KEY_BYTES_MAX, "one byte stands between PK and SK");

void key_put_u64(unsigned char out[8], uint64_t value)
{
	for (int i = 7; i >= 0; i--) {
		out[i] = (unsigned char)(value & 0xff);
		value >>= 8;
	}
}

uint64_t key_get_u64(const unsigned char in[8])
{
	uint64_t value = 0;
	for (int i = 0; i < 8; i++) {
		value = value << 8 | in[i];
	}
	return value;
}

static void key_append(struct key *k, struct slice s)
{
	ASSERT_CMP(s.len, <=, sizeof(k->bytes) - k->len);
	if (s.len > 0) {
		memcpy(k->bytes + k->len, s.data, s.len);
	}
	k->len += s.len;
}

bool key_fits(struct slice pk, struct slice sk)
{
	return pk.len > 0 && pk.len <= ITEM_KEY_BYTES_MAX &&
	       sk.len <= ITEM_KEY_BYTES_MAX - pk.len && memchr(pk.data, 0, pk.len) == NULL;
}

void key_of_item(struct key *k, struct slice pk, struct slice sk)
{
	ASSERT(key_fits(pk, sk));
	k->len = 0;
	key_append(k, pk);
	key_append(k, slice_of("", 1));
	key_append(k, sk);
}

void key_to_end(struct key *k)
{
	while (k->len > 0 && k->bytes[k->len - 1] == 0xff) {
		k->len--;
	}
	ASSERT_CMP(k->len, >, 0);
	k->bytes[k->len - 1]++;
}

bool key_split(struct slice key, struct slice *pk, struct slice *sk)
{
	const char *end = key.len == 0 ? NULL : memchr(key.data, 0, key.len);
	if (end == NULL || end == key.data) {
		return false;
	}
	*pk = slice_of(key.data, (size_t)(end - key.data));
	*sk = slice_of(end + 1, key.len - pk->len - 1);
	return true;
}

static void key_begin_partition(struct key *k, struct slice partition)
{
	ASSERT_CMP(partition.len, <=, KEY_PARTITION_BYTES_MAX);
	unsigned char len[2] = {(unsigned char)(partition.len >> 8),
				(unsigned char)(partition.len & 0xff)};
	k->len = 0;
	key_append(k, slice_of(len, sizeof(len)));
	key_append(k, partition);
}

void key_of_range(struct key *k, struct slice partition, int64_t sort)
{
	unsigned char number[8];
	key_begin_partition(k, partition);
	key_put_u64(number, (uint64_t)sort ^ UINT64_C(1) << 63);
	key_append(k, slice_of(number, sizeof(number)));
}

void key_of_entry(struct key *k, struct slice partition, int64_t sort, struct slice item_key)
{
	unsigned char hash[KEY_HASH_BYTES];
	(void)crypto_generichash(hash, sizeof(hash), (const unsigned char *)item_key.data,
				 item_key.len, NULL, 0);
	key_of_range(k, partition, sort);
	key_append(k, slice_of(hash, sizeof(hash)));
}

bool key_entry_in(struct slice key, struct slice partition, int64_t *sort)
{
	struct key begin;
	key_begin_partition(&begin, partition);
	if (!slice_starts(key, key_slice(&begin)) || key.len != begin.len + 8 + KEY_HASH_BYTES) {
		return false;
	}
	uint64_t number = key_get_u64((const unsigned char *)key.data + begin.len);
	*sort = (int64_t)(number ^ UINT64_C(1) << 63);
	return true;
}
