/*
 * index.h - which index entries an item has, by the rows of items.h.
 *
 * A row whose partition attribute is a string or a word gives one entry; one whose
 * partition attribute is a list gives an entry for each different element, and
 * none where the list is empty.
 *
 * Used when an item is written, when it is deleted, and when the data are checked:
 * what is looked for is by construction what was put there.
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

/* Each once, in the order of their indexes and keys. */
struct index_entries {
	size_t n;
	struct index_entry *at;
};

/* Whether any row lists items of the kind: the others need no decoding. */
bool index_lists(enum item_kind kind);

/* Whether the index may list an item whose key lies in a range that has an end or not. */
bool index_may_list_between(enum index_id index, struct slice from, bool has_end, struct slice to);

/*
 * The entries of an item.
 *
 * @kind   of the item.
 * @arena  for decoding, and which holds the entries; the caller resets it.
 * ERR_CORRUPT  the value is no record of the kind, or an attribute does not fit a key.  ERR_NOMEM.
 */
NODISCARD enum err index_entries_of(enum item_kind kind, struct slice item_key, struct slice value,
				    struct arena *arena, struct index_entries *out);

bool index_entries_have(const struct index_entries *entries, const struct index_entry *entry);

#endif
