/*
 * redis_item.c - see redis_item.h.
 */
#include "store/redis/redis_item.h"

#include <sodium.h>

#include "proto/base/assert.h"
#include "store/items.h"

#define ITEM_VERSION_BYTES 8
#define ITEM_LEN_BYTES	   4
#define ITEM_SUM_BYTES	   8

bool redis_item_has_order(struct slice pk, struct slice *only)
{
	*only = (struct slice){NULL, 0};
	for (size_t i = 0; i < ITEM_COUNT; i++) {
		const struct item_row *row = &item_rows[i];
		if (!slice_starts(pk, slice_of(row->pk_prefix, row->pk_prefix_len))) {
			continue;
		}
		if (row->match == ITEM_SK_PREFIX) {
			return true;
		}
		*only = slice_of(row->sk, row->sk_len);
	}
	return false;
}

unsigned redis_index_scope(enum index_id index, struct slice pk)
{
	return index == INDEX_BY_EXPIRY ? item_scope_of(pk) : ITEM_SCOPE_DIRECTORY;
}

static void item_sum(unsigned char sum[ITEM_SUM_BYTES], struct slice item_key, struct slice entries,
		     struct slice value)
{
	crypto_generichash_state state;
	unsigned char whole[crypto_generichash_BYTES_MIN];
	unsigned char lens[16];
	key_put_u64(lens, item_key.len);
	key_put_u64(lens + 8, entries.len);
	(void)crypto_generichash_init(&state, NULL, 0, sizeof(whole));
	(void)crypto_generichash_update(&state, lens, sizeof(lens));
	(void)crypto_generichash_update(&state, (const unsigned char *)item_key.data, item_key.len);
	(void)crypto_generichash_update(&state, (const unsigned char *)entries.data, entries.len);
	(void)crypto_generichash_update(&state, (const unsigned char *)value.data, value.len);
	(void)crypto_generichash_final(&state, whole, sizeof(whole));
	memcpy(sum, whole, ITEM_SUM_BYTES);
}

size_t redis_member(struct slice entry_key, struct slice item_key, char out[REDIS_MEMBER_BYTES_MAX])
{
	ASSERT_CMP(entry_key.len + item_key.len, <=, REDIS_MEMBER_BYTES_MAX);
	memcpy(out, entry_key.data, entry_key.len);
	memcpy(out + entry_key.len, item_key.data, item_key.len);
	return entry_key.len + item_key.len;
}

bool redis_member_split(struct slice member, struct slice *entry_key, struct slice *item_key)
{
	struct slice pk, sk;
	if (member.len < 2) {
		return false;
	}
	const unsigned char *bytes = (const unsigned char *)member.data;
	size_t len = 2 + ((size_t)bytes[0] << 8 | bytes[1]) + 8 + KEY_HASH_BYTES;
	if (len > KEY_BYTES_MAX || len >= member.len) {
		return false;
	}
	*entry_key = slice_of(member.data, len);
	*item_key = slice_of(member.data + len, member.len - len);
	return key_split(*item_key, &pk, &sk) && key_fits(pk, sk);
}

static void item_put_len(char out[ITEM_LEN_BYTES], size_t len)
{
	for (int i = ITEM_LEN_BYTES - 1; i >= 0; i--) {
		out[i] = (char)(len & 0xff);
		len >>= 8;
	}
}

static void item_add_entry(const struct index_entry *entry, struct slice item_key, struct buf *out)
{
	char member[REDIS_MEMBER_BYTES_MAX];
	struct slice name = slice_str(index_names[entry->index]);
	size_t len = redis_member(entry->key, item_key, member);
	char name_len = (char)name.len;
	char member_len[2] = {(char)(len >> 8), (char)(len & 0xff)};
	(void)buf_append(out, &name_len, 1);
	(void)buf_append_slice(out, name);
	(void)buf_append(out, member_len, sizeof(member_len));
	(void)buf_append(out, member, len);
}

void redis_item_seal(struct slice item_key, const struct index_entries *entries, struct slice value,
		     struct buf *out)
{
	char len[ITEM_LEN_BYTES] = {0};
	unsigned char sum[ITEM_SUM_BYTES];
	struct slice pk, sk;
	size_t begin = out->len;
	bool is_key = key_split(item_key, &pk, &sk);
	ASSERT(is_key);
	(void)buf_append(out, len, sizeof(len));
	for (size_t i = 0; i < entries->n; i++) {
		if (redis_index_scope(entries->at[i].index, pk) == item_scope_of(pk)) {
			item_add_entry(&entries->at[i], item_key, out);
		}
	}
	if (out->error != OK) {
		return;
	}
	item_put_len(out->data + begin, out->len - begin - sizeof(len));
	item_sum(sum, item_key, slice_of(out->data + begin, out->len - begin), value);
	(void)buf_append(out, sum, sizeof(sum));
	(void)buf_append_slice(out, value);
}

enum err redis_item_open(struct slice item_key, struct slice stored, uint64_t *version,
			 struct slice *entries, struct slice *value)
{
	unsigned char sum[ITEM_SUM_BYTES];
	size_t least = ITEM_VERSION_BYTES + ITEM_LEN_BYTES + ITEM_SUM_BYTES;
	if (stored.len < least) {
		return ERR_CORRUPT;
	}
	const unsigned char *len_at = (const unsigned char *)stored.data + ITEM_VERSION_BYTES;
	size_t len = (size_t)len_at[0] << 24 | (size_t)len_at[1] << 16 | (size_t)len_at[2] << 8 |
		     len_at[3];
	if (len > stored.len - least) {
		return ERR_CORRUPT;
	}
	struct slice section = slice_of(len_at, ITEM_LEN_BYTES + len);
	const char *sum_at = section.data + section.len;
	struct slice inside = slice_of(sum_at + ITEM_SUM_BYTES, stored.len - least - len);
	item_sum(sum, item_key, section, inside);
	if (memcmp(sum, sum_at, sizeof(sum)) != 0) {
		return ERR_CORRUPT;
	}
	*version = key_get_u64((const unsigned char *)stored.data);
	*entries = section;
	*value = inside;
	return OK;
}
