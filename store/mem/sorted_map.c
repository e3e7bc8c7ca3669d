/*
 * sorted_map.c - see sorted_map.h.
 */
#include "store/mem/sorted_map.h"

#include <stdlib.h>

#include "proto/assert.h"

static void sorted_map_unref(struct sorted_map_entry *entry)
{
	if (--entry->refs == 0) {
		free(entry);
	}
}

enum err sorted_map_copy(const struct sorted_map *from, struct sorted_map *out)
{
	if (from->n == 0) {
		return OK;
	}
	struct sorted_map_entry **at = malloc((from->n + 1) * sizeof(struct sorted_map_entry *));
	if (at == NULL) {
		return ERR_NOMEM;
	}
	for (size_t i = 0; i < from->n; i++) {
		at[i] = from->at[i];
		at[i]->refs++;
	}
	*out = (struct sorted_map){.at = at, .n = from->n, .capacity = from->n + 1};
	return OK;
}

void sorted_map_finish(struct sorted_map *s)
{
	for (size_t i = 0; i < s->n; i++) {
		sorted_map_unref(s->at[i]);
	}
	free(s->at);
	*s = (struct sorted_map){.n = 0};
}

size_t sorted_map_find(const struct sorted_map *s, struct slice key)
{
	size_t low = 0, high = s->n;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (slice_cmp(s->at[middle]->key, key) < 0) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low;
}

const struct sorted_map_entry *sorted_map_get(const struct sorted_map *s, struct slice key)
{
	size_t i = sorted_map_find(s, key);
	return i < s->n && slice_eq(s->at[i]->key, key) ? s->at[i] : NULL;
}

static struct sorted_map_entry *sorted_map_entry_create(struct slice key, struct slice value)
{
	struct sorted_map_entry *entry = malloc(sizeof(*entry) + key.len + value.len);
	if (entry == NULL) {
		return NULL;
	}
	entry->refs = 1;
	if (key.len > 0) {
		memcpy(entry->bytes, key.data, key.len);
	}
	if (value.len > 0) {
		memcpy(entry->bytes + key.len, value.data, value.len);
	}
	entry->key = slice_of(entry->bytes, key.len);
	entry->value = slice_of(entry->bytes + key.len, value.len);
	return entry;
}

static enum err sorted_map_grow(struct sorted_map *s)
{
	size_t capacity = s->capacity == 0 ? 8 : s->capacity * 2;
	struct sorted_map_entry **at = realloc(s->at, capacity * sizeof(struct sorted_map_entry *));
	if (at == NULL) {
		return ERR_NOMEM;
	}
	s->at = at;
	s->capacity = capacity;
	return OK;
}

enum err sorted_map_put(struct sorted_map *s, struct slice key, struct slice value)
{
	size_t i = sorted_map_find(s, key);
	bool replaces = i < s->n && slice_eq(s->at[i]->key, key);
	if (!replaces && s->n == s->capacity && sorted_map_grow(s) != OK) {
		return ERR_NOMEM;
	}
	struct sorted_map_entry *entry = sorted_map_entry_create(key, value);
	if (entry == NULL) {
		return ERR_NOMEM;
	}
	if (replaces) {
		sorted_map_unref(s->at[i]);
	} else {
		memmove(s->at + i + 1, s->at + i, (s->n - i) * sizeof(struct sorted_map_entry *));
		s->n++;
	}
	s->at[i] = entry;
	return OK;
}

/* Takes over the reference. There is room: whatever was put behind it is gone again. */
static void sorted_map_restore(struct sorted_map *s, struct sorted_map_entry *entry)
{
	size_t i = sorted_map_find(s, entry->key);
	if (i < s->n && slice_eq(s->at[i]->key, entry->key)) {
		sorted_map_unref(s->at[i]);
	} else {
		ASSERT_CMP(s->n, <, s->capacity);
		memmove(s->at + i + 1, s->at + i, (s->n - i) * sizeof(struct sorted_map_entry *));
		s->n++;
	}
	s->at[i] = entry;
}

enum err sorted_map_change(struct sorted_map *s, struct slice key, const struct slice *value,
			   struct sorted_map_change *change)
{
	size_t i = sorted_map_find(s, key);
	struct sorted_map_entry *before =
		i < s->n && slice_eq(s->at[i]->key, key) ? s->at[i] : NULL;
	if (value == NULL && before == NULL) {
		return ERR_NOT_FOUND;
	}
	if (before != NULL) {
		before->refs++;
	}
	if (value != NULL && sorted_map_put(s, key, *value) != OK) {
		if (before != NULL) {
			sorted_map_unref(before);
		}
		return ERR_NOMEM;
	}
	*change = (struct sorted_map_change){.in = s, .before = before};
	if (value == NULL) {
		(void)sorted_map_delete(s, before->key);
	} else {
		change->after = s->at[i];
		change->after->refs++;
	}
	return OK;
}

void sorted_map_undo(struct sorted_map_change *change)
{
	if (change->before != NULL) {
		sorted_map_restore(change->in, change->before);
	} else {
		(void)sorted_map_delete(change->in, change->after->key);
	}
	if (change->after != NULL) {
		sorted_map_unref(change->after);
	}
	*change = (struct sorted_map_change){0};
}

void sorted_map_forget(struct sorted_map_change *change)
{
	if (change->before != NULL) {
		sorted_map_unref(change->before);
	}
	if (change->after != NULL) {
		sorted_map_unref(change->after);
	}
	*change = (struct sorted_map_change){0};
}

bool sorted_map_delete(struct sorted_map *s, struct slice key)
{
	size_t i = sorted_map_find(s, key);
	if (i == s->n || !slice_eq(s->at[i]->key, key)) {
		return false;
	}
	sorted_map_unref(s->at[i]);
	s->n--;
	memmove(s->at + i, s->at + i + 1, (s->n - i) * sizeof(struct sorted_map_entry *));
	return true;
}
