/*
 * sorted_map.h - an ordered map of bytes to bytes whose copies share their entries.
 *
 * A sorted array of counted entries: a copy, for "what would a crash leave", costs
 * a pointer an entry. Every change can be undone. For the memory engine; tables of
 * tests are small. One thread.
 *
 * Life: a zeroed struct .. sorted_map_finish().
 */
#ifndef TESTS_SUPPORT_SORTED_MAP_H
#define TESTS_SUPPORT_SORTED_MAP_H

#include <stddef.h>

#include "proto/base/err.h"
#include "proto/base/slice.h"

struct sorted_map_entry {
	size_t refs;
	struct slice key, value;
	char bytes[];
};

struct sorted_map {
	struct sorted_map_entry **at; /* in key order */
	size_t n;
	size_t capacity;
};

/* out must be empty; it stays so for ERR_NOMEM. */
NODISCARD enum err sorted_map_copy(const struct sorted_map *from, struct sorted_map *out);
void sorted_map_finish(struct sorted_map *s);

/* Where `key` is, or would go: the first entry that is not before it. */
size_t sorted_map_find(const struct sorted_map *s, struct slice key);
/* The entry, valid until it is changed; NULL: there is none. */
const struct sorted_map_entry *sorted_map_get(const struct sorted_map *s, struct slice key);
/*
 * One change and how to take it back: a zeroed struct, filled by sorted_map_change()
 * and ended by sorted_map_undo() or sorted_map_forget(). Changes are taken back in the
 * reverse order; nothing of that can fail.
 */
struct sorted_map_change {
	struct sorted_map *in;
	struct sorted_map_entry *before; /* NULL: it was not there */
	struct sorted_map_entry *after;  /* NULL: it was removed; else the map's, until a later change */
};
/* Add or replace; with a NULL value delete, where ERR_NOT_FOUND: there was nothing. ERR_NOMEM: nothing changed. */
NODISCARD enum err sorted_map_change(struct sorted_map *s, struct slice key, const struct slice *value,
				 struct sorted_map_change *change);
void sorted_map_undo(struct sorted_map_change *change);
void sorted_map_forget(struct sorted_map_change *change);

#endif
