/*
 * key.h - the keys of the engines' ordered databases.
 *
 *   item    PK 00 SK
 *   index   partition length (2 bytes), partition, sort attribute (8 bytes), BLAKE2b-128 of the
 *           item's key
 *
 * A PK never contains the byte 00, so the first one ends it: different (PK, SK) never have the
 * same key, and a prefix of SK is a prefix of the key. Numbers are big-endian and the sign bit of
 * the sort attribute is inverted, so byte order is numeric order. The hash keeps index keys
 * short, whatever the length of the item's key, which is the value of the entry.
 */
#ifndef STORE_KEY_H
#define STORE_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/slice.h"

#define KEY_BYTES_MAX           511
#define KEY_HASH_BYTES          16
#define KEY_PARTITION_BYTES_MAX (KEY_BYTES_MAX - 2 - 8 - KEY_HASH_BYTES)

struct key {
	size_t len;
	unsigned char bytes[KEY_BYTES_MAX];
};

static inline struct slice key_slice(const struct key *k)
{
	return slice_of(k->bytes, k->len);
}

/* Return whether a PK is valid: not empty, no byte 00, and short enough together with the SK. */
bool key_fits(struct slice pk, struct slice sk);

/* Build the key of an item; sk may be a prefix. The pair must fit (asserted). */
void key_of_item(struct key *k, struct slice pk, struct slice sk);
/*
 * Change a prefix of keys to the smallest key after all keys that begin with it. The prefix must
 * have a byte other than ff (asserted).
 */
void key_to_end(struct key *k);
/* Split a key into its parts, which point into `key`. Returns false if it is not an item's key. */
bool key_split(struct slice key, struct slice *pk, struct slice *sk);

/* Build the key of an index entry. partition: at most KEY_PARTITION_BYTES_MAX (asserted). */
void key_of_entry(struct key *k, struct slice partition, int64_t sort, struct slice item_key);
/*
 * Build the position of the first entry of a partition with the sort attribute `sort` or greater.
 */
void key_of_range(struct key *k, struct slice partition, int64_t sort);
/* Return whether the entry belongs to the partition; *sort is its sort attribute. */
bool key_entry_in(struct slice key, struct slice partition, int64_t *sort);

void key_put_u64(unsigned char out[8], uint64_t value);
uint64_t key_get_u64(const unsigned char in[8]);

#endif
