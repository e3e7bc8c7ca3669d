/*
 * rows.h - an owned set of records of one kind, indexed by a key: the users of a room, the
 * sessions of a user, and the like.
 *
 * Pure. Running out of memory ends the program (memory.h).
 *
 * Life: rows_init() .. rows_finish(); a zeroed struct is empty and may be searched and finished.
 */
#ifndef CLIENT_MODEL_ROWS_H
#define CLIENT_MODEL_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/records/record.h"

struct rows {
	const struct record *record;
	const struct field *key;   /* a STR, unique among the rows */
	const struct field *order; /* a STR, compared as bytes; NULL: insertion order */
	void **items;              /* each made by record_own(): safe to draw */
	size_t n;
	size_t cap;
	uint32_t changes; /* differs after each change */
};

/* key and order are names of the record's fields; order may be NULL. */
void rows_init(struct rows *rows, const struct record *record, const char *key, const char *order);
/* Drop all rows. */
void rows_clear(struct rows *rows);
void rows_finish(struct rows *rows);

/*
 * The row with that key, or NULL; valid until it is put again or dropped. A binary search if key
 * and order are one field.
 */
void *rows_find(const struct rows *rows, struct slice key);
/* The same, but looks at index `at` first: fast for walking two copies in step. */
void *rows_find_near(const struct rows *rows, struct slice key, size_t at);
/*
 * Replace the row with the key of *in by a copy of *in, or insert it. Absent FIELD_DELTA fields
 * keep their values.
 */
void rows_put(struct rows *rows, const void *in);
/* Replace all rows by copies of these n records, whose keys must be unique. */
void rows_set(struct rows *rows, const void *array, size_t n);
/* Drop the row with that key. Returns false if there is none. */
bool rows_drop(struct rows *rows, struct slice key);
/* Exchange the rows of two sets of the same kind. */
void rows_swap(struct rows *a, struct rows *b);
/* Overwrite *to with copies of all rows of *from, which may be zeroed. */
void rows_copy(struct rows *to, const struct rows *from);

#endif
