/*
 * index.c - see index.h.
 */
#include "store/base/index.h"

#include <stdlib.h>

#include "proto/base/assert.h"
#include "proto/base/frame_scan.h"

bool index_lists(enum item_kind kind)
{
	for (const struct index_row *row = index_rows; row->name != NULL; row++) {
		if (row->kind == kind) {
			return true;
		}
	}
	return false;
}

bool index_may_list_between(enum index_id index, struct slice from, bool has_end, struct slice to)
{
	for (const struct index_row *row = index_rows; row->name != NULL; row++) {
		const struct item_row *kind = &item_rows[row->kind];
		struct slice first = slice_of(kind->pk_prefix, kind->pk_prefix_len);
		/* Beyond the prefix: a key that begins with it may be greater than it. */
		bool is_behind = !slice_starts(from, first) && slice_cmp(from, first) > 0;
		if (row->index == index && !is_behind && (!has_end || slice_cmp(to, first) > 0)) {
			return true;
		}
	}
	return false;
}

/* A sparse index lists only items that have the attribute; most seats do not, and need no decoding. */
static bool index_may_list(enum item_kind kind, struct slice value)
{
	for (const struct index_row *row = index_rows; row->name != NULL; row++) {
		if (row->kind == kind && (row->partition[0] == '\0' ||
					  frame_scan_map_has(value, slice_str(row->partition)))) {
			return true;
		}
	}
	return false;
}

/* The partitions of an index in which a row lists a decoded item, pointing into the item. */
static struct slices index_partitions(const struct index_row *row, const void *item,
				      struct slice *one)
{
	static struct slice no_attribute = {NULL, 0};
	const struct field *f =
		row->partition[0] == '\0'
			? NULL
			: record_field(item_rows[row->kind].record, slice_str(row->partition));
	struct slices list;
	if (f == NULL) {
		ASSERT(row->partition[0] == '\0');
		return (struct slices){&no_attribute, 1};
	}
	if (f->kind == FIELD_STRS) {
		memcpy(&list, field_member(f, item), sizeof(list));
		return list;
	}
	if (f->kind == FIELD_ENUM) {
		*one = f->words->list[field_enum(f, item)];
		return (struct slices){one, field_with(f, item) ? 1 : 0};
	}
	ASSERT(f->kind == FIELD_STR);
	memcpy(one, field_member(f, item), sizeof(*one));
	return (struct slices){one, one->data == NULL ? 0 : 1};
}

/* Append the entries that one row makes of a decoded item. */
static enum err index_add_row(const struct index_row *row, const void *item, struct slice item_key,
			      struct arena *arena, struct index_entries *out)
{
	struct slice one;
	struct slices partitions = index_partitions(row, item, &one);
	const struct field *f = record_field(item_rows[row->kind].record, slice_str(row->sort));
	int64_t sort;

	ASSERT(f != NULL && f->kind == FIELD_INT);
	if (!field_with(f, item) || partitions.n == 0) {
		return OK;
	}
	memcpy(&sort, field_member(f, item), sizeof(sort));
	struct index_entry *at = arena_alloc(arena, (out->n + partitions.n) * sizeof(*at));
	if (at == NULL) {
		return ERR_NOMEM;
	}
	if (out->n > 0) {
		memcpy(at, out->at, out->n * sizeof(*at));
	}
	out->at = at;
	for (size_t i = 0; i < partitions.n; i++) {
		struct key key;
		bool ok = true;
		if (partitions.items[i].len > KEY_PARTITION_BYTES_MAX) {
			return ERR_CORRUPT;
		}
		key_of_entry(&key, partitions.items[i], sort, item_key);
		at[out->n++] =
			(struct index_entry){row->index, arena_copy(arena, key_slice(&key), &ok)};
		if (!ok) {
			return ERR_NOMEM;
		}
	}
	return OK;
}

static int index_compare(const void *a, const void *b)
{
	const struct index_entry *x = a, *y = b;
	return x->index != y->index ? (x->index > y->index) - (x->index < y->index)
				    : slice_cmp(x->key, y->key);
}

/* A list may name a partition twice. */
static void index_settle(struct index_entries *entries)
{
	size_t n = 0;
	if (entries->n > 1) {
		qsort(entries->at, entries->n, sizeof(entries->at[0]), index_compare);
	}
	for (size_t i = 0; i < entries->n; i++) {
		if (n == 0 || index_compare(&entries->at[n - 1], &entries->at[i]) != 0) {
			entries->at[n++] = entries->at[i];
		}
	}
	entries->n = n;
}

enum err index_entries_of(enum item_kind kind, struct slice item_key, struct slice value,
			  struct arena *arena, struct index_entries *out)
{
	struct fault fault;
	void *item;

	*out = (struct index_entries){.n = 0};
	if (!index_may_list(kind, value)) {
		return OK;
	}
	enum err e = item_decode(kind, value, RECORD_LENIENT, arena, &item, &fault);
	if (e != OK) {
		return e == ERR_NOMEM ? ERR_NOMEM : ERR_CORRUPT;
	}
	for (const struct index_row *row = index_rows; row->name != NULL && e == OK; row++) {
		if (row->kind == kind) {
			e = index_add_row(row, item, item_key, arena, out);
		}
	}
	index_settle(out);
	return e;
}

bool index_entries_have(const struct index_entries *entries, const struct index_entry *entry)
{
	return entries->n > 0 && bsearch(entry, entries->at, entries->n, sizeof(entries->at[0]),
					 index_compare) != NULL;
}
