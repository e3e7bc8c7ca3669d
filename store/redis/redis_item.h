/*
 * redis_item.h - how an item is stored in the hash of its partition.
 *
 *   version    8 bytes, written by the script that makes the commit
 *   entries    length (4 bytes), then of each entry of an index in the item's scope: length (1 byte) and
 *              name of the index, length (2 bytes) and member; so that scripts decode no record
 *   checksum   8 bytes, the first half of BLAKE2b-128 over key, entries and value
 *   value      the MessagePack map
 *
 * ByExpiry has entries in the scope of the item. All other indexes are the directory's, so that a query reads
 * one: their entries of a room's item are not stored with it, as no script of its commit reaches them.
 */
#ifndef STORE_REDIS_REDIS_ITEM_H
#define STORE_REDIS_REDIS_ITEM_H

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "store/base/index.h"

#define REDIS_MEMBER_BYTES_MAX ((size_t)2 * KEY_BYTES_MAX)

/* Return whether partitions of this PK may have more than one item; else *only is the one SK. */
bool redis_item_has_order(struct slice pk, struct slice *only);

/* Return the scope that holds the index's entries of the item with this PK. */
unsigned redis_index_scope(enum index_id index, struct slice pk);

/*
 * Append what is stored behind the version.
 *
 * @entries  all of the item, of which those of its own scope are stored.
 */
void redis_item_seal(struct slice item_key, const struct index_entries *entries, struct slice value, struct buf *out);

/* Verify a stored item; the results point into it. ERR_CORRUPT: it is damaged. */
NODISCARD enum err redis_item_open(struct slice item_key, struct slice stored, uint64_t *version,
				   struct slice *entries, struct slice *value);

/* Write the member of an entry: its key, then the item's. Return its length. */
size_t redis_member(struct slice entry_key, struct slice item_key, char out[REDIS_MEMBER_BYTES_MAX]);
/* Split a member of an index; false: it is none. */
bool redis_member_split(struct slice member, struct slice *entry_key, struct slice *item_key);

#endif
