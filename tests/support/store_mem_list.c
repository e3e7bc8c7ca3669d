/*
 * store_mem_list.c - entries of the directory's indexes that lead into rooms, where the room's commit does not write
 * them: they are written ahead of it, and readers remove what does not fit.
 */
#include <string.h>

#include "proto/base/assert.h"
#include "store/base/index.h"
#include "store/stored_value.h"
#include "tests/support/store_mem.h"
#include "tests/support/store_mem_image.h"

void store_mem_lists_ahead(struct store *s)
{
	store_mem_image(s)->lists_ahead = true;
}

/* Of rooms, ByExpiry alone is kept with the room. */
bool mem_is_listed_ahead(const struct mem_image *image, unsigned db, unsigned scope)
{
	return image->lists_ahead && scope < ITEM_SCOPE_DIRECTORY && db >= KV_INDEX &&
	       db != KV_INDEX + INDEX_BY_EXPIRY;
}

static bool list_is_ahead(const struct mem_image *image, enum index_id index, struct slice item_key)
{
	struct slice pk, sk;
	return key_split(item_key, &pk, &sk) &&
	       mem_is_listed_ahead(image, KV_INDEX + (unsigned)index, item_scope_of(pk));
}

/* A NULL value: delete. */
static void list_change(struct sorted_map *in, struct slice key, const struct slice *value)
{
	struct sorted_map_change change = {0};
	enum err e = sorted_map_change(in, key, value, &change);
	ASSERT(e == OK || (e == ERR_NOT_FOUND && value == NULL));
	if (e == OK) {
		sorted_map_forget(&change);
	}
}

/* The key of an entry's time. */
static struct slice list_time_key(const struct store_mem_entry *entry, char out[KEY_BYTES_MAX + 1])
{
	out[0] = (char)entry->index;
	memcpy(out + 1, entry->key.bytes, entry->key.len);
	return slice_of(out, entry->key.len + 1);
}

static struct store_mem_entry list_entry(enum index_id index, struct slice key)
{
	struct store_mem_entry entry = {.index = index, .key = {.len = key.len}};
	ASSERT_CMP(key.len, <=, sizeof(entry.key.bytes));
	memcpy(entry.key.bytes, key.data, key.len);
	return entry;
}

/* ---- writing ---- */

static void list_write(struct mem_image *image, const struct store_mem_entry *entry,
		       struct slice item_key, int64_t now_ms)
{
	char bytes[KEY_BYTES_MAX + 1];
	struct slice time = slice_of(&now_ms, sizeof(now_ms));
	list_change(&image->dbs[KV_INDEX + entry->index], key_slice(&entry->key), &item_key);
	list_change(&image->listed, list_time_key(entry, bytes), &time);
}

bool store_mem_list(struct store *s, const struct store_commit *c, int64_t now_ms)
{
	struct mem_image *image = store_mem_image(s);
	struct arena arena = {0};
	bool has_any = false;
	for (size_t i = 0; i < c->n; i++) {
		const struct store_op *op = &c->ops[i];
		struct index_entries entries = {.n = 0};
		enum item_kind kind = item_kind_of(op->pk, op->sk);
		struct key key;
		key_of_item(&key, op->pk, op->sk);
		if (op->kind == STORE_PUT && index_lists(kind)) {
			enum err e = index_entries_of(kind, key_slice(&key), op->value, &arena,
						      &entries);
			ASSERT_CMP(e, ==, OK);
		}
		for (size_t k = 0; k < entries.n; k++) {
			enum index_id index = entries.at[k].index;
			struct store_mem_entry entry = list_entry(index, entries.at[k].key);
			if (list_is_ahead(image, index, key_slice(&key))) {
				list_write(image, &entry, key_slice(&key), now_ms);
				has_any = true;
			}
		}
		arena_reset(&arena);
	}
	arena_finish(&arena);
	return has_any;
}

void store_mem_unlist(struct store *s, const struct store_mem_entry *entry, int64_t since_ms)
{
	struct mem_image *image = store_mem_image(s);
	char bytes[KEY_BYTES_MAX + 1];
	const struct sorted_map_entry *time =
		sorted_map_get(&image->listed, list_time_key(entry, bytes));
	int64_t written_ms = 0;
	if (time != NULL) {
		memcpy(&written_ms, time->value.data, sizeof(written_ms));
	}
	if (written_ms < since_ms) {
		list_change(&image->dbs[KV_INDEX + entry->index], key_slice(&entry->key), NULL);
		list_change(&image->listed, list_time_key(entry, bytes), NULL);
	}
}

/* ---- looking ---- */

static bool list_fits(const struct mem_image *image, enum index_id index,
		      const struct sorted_map_entry *e, struct arena *arena)
{
	const struct sorted_map_entry *item = sorted_map_get(&image->dbs[KV_ITEMS], e->value);
	struct index_entry entry = {.index = index, .key = e->key};
	struct index_entries entries = {.n = 0};
	struct slice pk, sk, value;
	uint64_t version;
	bool fits =
		item != NULL && key_split(item->key, &pk, &sk) &&
		stored_value_open(item->key, item->value, &version, &value) == OK &&
		index_entries_of(item_kind_of(pk, sk), item->key, value, arena, &entries) == OK &&
		index_entries_have(&entries, &entry);
	arena_reset(arena);
	return fits;
}

bool store_mem_next_unfit(struct store *s, const struct store_mem_entry *after,
			  struct store_mem_entry *out)
{
	const struct mem_image *image = store_mem_image(s);
	struct arena arena = {0};
	bool is_found = false;
	unsigned first = after == NULL ? 0 : after->index;
	for (unsigned index = first; index < INDEX_COUNT && !is_found; index++) {
		const struct sorted_map *db = &image->dbs[KV_INDEX + index];
		bool goes_on = after != NULL && index == first;
		size_t i = goes_on ? sorted_map_find(db, key_slice(&after->key)) : 0;
		i += goes_on && i < db->n && slice_eq(db->at[i]->key, key_slice(&after->key));
		for (; i < db->n && !is_found; i++) {
			is_found = list_is_ahead(image, index, db->at[i]->value) &&
				   !list_fits(image, index, db->at[i], &arena);
			*out = is_found ? list_entry(index, db->at[i]->key) : *out;
		}
	}
	arena_finish(&arena);
	return is_found;
}

bool store_mem_lacks_entry(struct store *s, struct store_mem_entry *out)
{
	const struct mem_image *image = store_mem_image(s);
	const struct sorted_map *items = &image->dbs[KV_ITEMS];
	struct arena arena = {0};
	bool is_found = false;
	for (size_t i = 0; i < items->n && !is_found; i++) {
		struct index_entries entries = {.n = 0};
		struct slice pk, sk, value, key = items->at[i]->key;
		uint64_t version;
		enum err e = key_split(key, &pk, &sk) ? OK : ERR_CORRUPT;
		e = e == OK ? stored_value_open(key, items->at[i]->value, &version, &value) : e;
		if (e == OK && index_lists(item_kind_of(pk, sk))) {
			e = index_entries_of(item_kind_of(pk, sk), key, value, &arena, &entries);
		}
		for (size_t k = 0; k < entries.n && e == OK && !is_found; k++) {
			const struct index_entry *entry = &entries.at[k];
			const struct sorted_map *db = &image->dbs[KV_INDEX + entry->index];
			is_found = list_is_ahead(image, entry->index, key) &&
				   sorted_map_get(db, entry->key) == NULL;
			*out = is_found ? list_entry(entry->index, entry->key) : *out;
		}
		arena_reset(&arena);
	}
	arena_finish(&arena);
	return is_found;
}
