/*
 * sorted_map.c - see sorted_map.h.
 */
#include "tests/support/sorted_map.h"

#include <stdlib.h>

#include "proto/base/assert.h"

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

/* There is room. */
static void sorted_map_insert(struct sorted_map *s, size_t i, struct sorted_map_entry *entry)
{
	ASSERT_CMP(s->n, <, s->capacity);
	memmove(s->at + i + 1, s->at + i, (s->n - i) * sizeof(struct sorted_map_entry *));
	s->at[i] = entry;
	s->n++;
}

static void sorted_map_remove(struct sorted_map *s, size_t i)
{
	s->n--;
	memmove(s->at + i, s->at + i + 1, (s->n - i) * sizeof(struct sorted_map_entry *));
}

/* The map's reference to what was there passes to the change. */
enum err sorted_map_change(struct sorted_map *s, struct slice key, const struct slice *value,
			   struct sorted_map_change *change)
{
	size_t i = sorted_map_find(s, key);
	bool exists = i < s->n && slice_eq(s->at[i]->key, key);
	struct sorted_map_entry *before = exists ? s->at[i] : NULL, *after = NULL;
	if (value == NULL && !exists) {
		return ERR_NOT_FOUND;
	}
	if (value != NULL) {
		if (!exists && s->n == s->capacity && sorted_map_grow(s) != OK) {
			return ERR_NOMEM;
		}
		after = sorted_map_entry_create(key, *value);
		if (after == NULL) {
			return ERR_NOMEM;
		}
	}
	if (after == NULL) {
		sorted_map_remove(s, i);
	} else if (exists) {
		s->at[i] = after;
	} else {
		sorted_map_insert(s, i, after);
	}
	*change = (struct sorted_map_change){.in = s, .before = before, .after = after};
	return OK;
}

void sorted_map_undo(struct sorted_map_change *change)
{
	struct sorted_map *s = change->in;
	struct sorted_map_entry *before = change->before, *after = change->after;
	if (after == NULL) {
		sorted_map_insert(s, sorted_map_find(s, before->key), before);
	} else {
		size_t i = sorted_map_find(s, after->key);
		if (before != NULL) {
			s->at[i] = before;
		} else {
			sorted_map_remove(s, i);
		}
		sorted_map_unref(after);
	}
	*change = (struct sorted_map_change){0};
}

void sorted_map_forget(struct sorted_map_change *change)
{
	if (change->before != NULL) {
		sorted_map_unref(change->before);
	}
	*change = (struct sorted_map_change){0};
}
