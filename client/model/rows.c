/*
 * rows.c - owned records under their keys; see rows.h.
 */
#include "client/model/rows.h"

#include <stdlib.h>
#include <string.h>

#include "client/model/memory.h"
#include "proto/base/assert.h"

static struct slice rows_text(const struct field *f, const void *row)
{
	struct slice text;
	memcpy(&text, field_member(f, row), sizeof(text));
	return text;
}

void rows_init(struct rows *rows, const struct record *record, const char *key, const char *order)
{
	*rows = (struct rows){
		.record = record,
		.key = record_field(record, slice_str(key)),
		.order = order == NULL ? NULL : record_field(record, slice_str(order)),
	};
	ASSERT(rows->key != NULL);
	ASSERT(order == NULL || rows->order != NULL);
}

void rows_clear(struct rows *rows)
{
	for (size_t i = 0; i < rows->n; i++) {
		free(rows->items[i]);
	}
	rows->n = 0;
	rows->changes++;
}

void rows_finish(struct rows *rows)
{
	rows_clear(rows);
	free(rows->items);
	*rows = (struct rows){0};
}

/* The place of that key; rows->n: there is none. */
static size_t rows_at(const struct rows *rows, struct slice key)
{
	size_t i = 0;
	if (rows->order == rows->key && rows->n > 0) {
		size_t end = rows->n;
		while (end - i > 1) {
			size_t half = i + (end - i) / 2;
			bool is_behind =
				slice_cmp(key, rows_text(rows->key, rows->items[half])) < 0;
			i = is_behind ? i : half;
			end = is_behind ? half : end;
		}
		return slice_eq(rows_text(rows->key, rows->items[i]), key) ? i : rows->n;
	}
	while (i < rows->n && !slice_eq(rows_text(rows->key, rows->items[i]), key)) {
		i++;
	}
	return i;
}

void *rows_find(const struct rows *rows, struct slice key)
{
	size_t at = rows_at(rows, key);
	return at < rows->n ? rows->items[at] : NULL;
}

void *rows_find_near(const struct rows *rows, struct slice key, size_t at)
{
	for (size_t i = 0; i < rows->n; i++) {
		void *row = rows->items[(at + i) % rows->n];
		if (slice_eq(rows_text(rows->key, row), key)) {
			return row;
		}
	}
	return NULL;
}

/* The row at `at` goes where its order says; all others are in order. */
static void rows_sort(struct rows *rows, size_t at)
{
	void *row = rows->items[at];
	struct slice order = rows_text(rows->order, row);
	while (at > 0 && slice_cmp(order, rows_text(rows->order, rows->items[at - 1])) < 0) {
		rows->items[at] = rows->items[at - 1];
		at--;
	}
	while (at + 1 < rows->n &&
	       slice_cmp(order, rows_text(rows->order, rows->items[at + 1])) > 0) {
		rows->items[at] = rows->items[at + 1];
		at++;
	}
	rows->items[at] = row;
}

/* Takes `row`, at a place that is there or behind the last. */
static void rows_install(struct rows *rows, size_t at, void *row)
{
	if (at == rows->cap) {
		rows->cap = 2 * rows->cap + 8;
		rows->items = memory_grow(rows->items, rows->cap, sizeof(*rows->items));
	}
	rows->items[at] = row;
	rows->n += at == rows->n;
	rows->changes++;
	if (rows->order != NULL) {
		rows_sort(rows, at);
	}
}

void rows_put(struct rows *rows, const void *in)
{
	size_t at = rows_at(rows, rows_text(rows->key, in));
	void *was = at < rows->n ? rows->items[at] : NULL;
	rows_install(rows, at, memory_have(record_merge(rows->record, was, in)));
	free(was);
}

void rows_set(struct rows *rows, const void *array, size_t n)
{
	rows_clear(rows);
	for (size_t i = 0; i < n; i++) {
		const char *in = (const char *)array + i * rows->record->size;
		rows_install(rows, i, memory_have(record_own(rows->record, in)));
	}
}

bool rows_drop(struct rows *rows, struct slice key)
{
	size_t at = rows_at(rows, key);
	if (at == rows->n) {
		return false;
	}
	free(rows->items[at]);
	rows->n--;
	rows->changes++;
	memmove(&rows->items[at], &rows->items[at + 1], (rows->n - at) * sizeof(*rows->items));
	return true;
}

void rows_swap(struct rows *a, struct rows *b)
{
	const struct rows was = *a;
	const uint32_t changes = (a->changes > b->changes ? a->changes : b->changes) + 1;
	*a = *b;
	*b = was;
	a->changes = changes;
	b->changes = changes;
}

void rows_copy(struct rows *to, const struct rows *from)
{
	*to = *from;
	to->items = memory_new(from->n, sizeof(*to->items));
	to->cap = from->n;
	for (size_t i = 0; i < from->n; i++) {
		to->items[i] = memory_have(record_own(from->record, from->items[i]));
	}
}
