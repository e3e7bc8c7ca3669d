/*
 * index.c - see index.h.
 */
#include "store/index.h"

#include "proto/assert.h"
#include "proto/scan.h"

bool index_lists(enum item_kind kind)
{
	for (const struct index_row *row = index_rows; row->name != NULL; row++) {
		if (row->kind == kind) {
			return true;
		}
	}
	return false;
}

/* A sparse index lists only items that have the attribute; most seats do not, and need no decoding. */
static bool index_may_list(enum item_kind kind, struct slice value)
{
	for (const struct index_row *row = index_rows; row->name != NULL; row++) {
		if (row->kind == kind &&
		    (row->partition[0] == '\0' || scan_map_has(value, slice_str(row->partition)))) {
			return true;
		}
	}
	return false;
}

/* The entry that one row makes of a decoded item; *listed is false where it lacks an attribute. */
static enum err index_entry_of(const struct index_row *row, const void *item, struct slice item_key,
			       struct index_entry *out, bool *listed)
{
	const struct record *rec = item_rows[row->kind].record;
	struct slice partition = {NULL, 0};
	int64_t sort;

	*listed = false;
	if (row->partition[0] != '\0') {
		const struct field *f = record_field(rec, slice_str(row->partition));
		ASSERT(f != NULL && f->kind == FIELD_STR);
		memcpy(&partition, field_member(f, item), sizeof(partition));
		if (partition.data == NULL) {
			return OK;
		}
		if (partition.len > KEY_PARTITION_BYTES_MAX) {
			return ERR_CORRUPT;
		}
	}
	const struct field *f = record_field(rec, slice_str(row->sort));
	ASSERT(f != NULL && f->kind == FIELD_INT);
	if (!field_with(f, item)) {
		return OK;
	}
	memcpy(&sort, field_member(f, item), sizeof(sort));
	out->index = row->index;
	key_of_entry(&out->key, partition, sort, item_key);
	*listed = true;
	return OK;
}

enum err index_entries_of(enum item_kind kind, struct slice item_key, struct slice value,
			  struct arena *arena, struct index_entries *out)
{
	struct fault fault;

	out->n = 0;
	if (!index_may_list(kind, value)) {
		return OK;
	}
	const struct record *rec = item_rows[kind].record;
	void *item = arena_alloc(arena, rec->size);
	if (item == NULL) {
		return ERR_NOMEM;
	}
	enum err e = record_from_bytes(rec, value, RECORD_LENIENT, arena, item, &fault);
	if (e != OK) {
		return e == ERR_NOMEM ? ERR_NOMEM : ERR_CORRUPT;
	}
	for (const struct index_row *row = index_rows; row->name != NULL && e == OK; row++) {
		bool listed = false;
		if (row->kind != kind) {
			continue;
		}
		ASSERT_CMP(out->n, <, INDEX_ENTRIES_MAX);
		e = index_entry_of(row, item, item_key, &out->at[out->n], &listed);
		out->n += listed ? 1 : 0;
	}
	return e;
}

bool index_entries_have(const struct index_entries *entries, const struct index_entry *entry)
{
	for (size_t i = 0; i < entries->n; i++) {
		if (entries->at[i].index == entry->index &&
		    slice_eq(key_slice(&entries->at[i].key), key_slice(&entry->key))) {
			return true;
		}
	}
	return false;
}
