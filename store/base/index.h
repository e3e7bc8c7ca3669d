/*
 * index.h - the index entries of an item, by the rows of items.h.
 *
 * If the partition attribute of a row is a string or a word, the item has one entry; if it is a
 * list, one for each different element, and none if the list is empty.
 *
 * Used when an item is written, deleted and checked, so that entries are removed and checked
 * exactly as they were written.
 */
#ifndef STORE_INDEX_H
#define STORE_INDEX_H

#include "proto/base/arena.h"
#include "store/key.h"
#include "store/items.h"

struct index_entry {
	enum index_id index;
	struct slice key;
};

/* Each entry once, ordered by index and key. */
struct index_entries {
	size_t n;
	struct index_entry *at;
};

/* Return whether any row lists items of this kind: others need not be decoded. */
bool index_lists(enum item_kind kind);

/* Return whether the index may list an item whose key is in this range, which may have no end. */
bool index_may_list_between(enum index_id index, struct slice from, bool has_end, struct slice to);

/*
 * List the index entries of an item.
 *
 * @kind   of the item.
 * @arena  used for decoding, and holds the entries; the caller resets it.
 *
 * ERR_CORRUPT  the value is not a record of the kind, or an attribute does not fit into a key.
 * ERR_NOMEM    memory is out.
 */
NODISCARD enum err index_entries_of(enum item_kind kind, struct slice item_key, struct slice value,
				    struct arena *arena, struct index_entries *out);

bool index_entries_have(const struct index_entries *entries, const struct index_entry *entry);

#endif
