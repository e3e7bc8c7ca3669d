/*
 * rows.h - owned records of one kind, each under its key: the users of a room, the sessions of
 * a user, whatever a topic tells of several.
 *
 * Pure. Memory that is out ends the program (memory.h).
 *
 * Life: rows_init() .. rows_finish(); a zeroed struct has no rows and may be searched and finished.
 */
#ifndef CLIENT_MODEL_ROWS_H
#define CLIENT_MODEL_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/records/record.h"

struct rows {
	const struct record *record;
	const struct field *key;   /* a STR that no two rows share */
	const struct field *order; /* a STR, compared as bytes; NULL: in the order in which they came */
	void **items;              /* each by record_own(): safe to draw as it is */
	size_t n;
	size_t cap;
	uint32_t changes; /* another number after each change */
};

/* key and order are names of the record's fields; order may be NULL. */
void rows_init(struct rows *rows, const struct record *record, const char *key, const char *order);
/* Without rows, and of the same kind. */
void rows_clear(struct rows *rows);
void rows_finish(struct rows *rows);

/* The row of that key, or NULL; valid until it is put again or dropped. Bisects where key and order are the same field. */
void *rows_find(const struct rows *rows, struct slice key);
/* The same where the row is likely to be at that place: walks through two copies are short so. */
void *rows_find_near(const struct rows *rows, struct slice key, size_t at);
/* Likewise; *at is the place behind it then, for the next of several keys in the rows' order. */
void *rows_find_from(const struct rows *rows, struct slice key, size_t *at);
/*
 * A copy of *in takes the place of the row of its key, or is a new row. Fields that are
 * FIELD_DELTA and absent stay as they were.
 */
void rows_put(struct rows *rows, const void *in);
/* Copies of these n records of the kind, in place of all rows; no key is there twice. */
void rows_set(struct rows *rows, const void *array, size_t n);
/* False where there is none. */
bool rows_drop(struct rows *rows, struct slice key);
/* Each has the rows of the other, which is of the same kind. */
void rows_swap(struct rows *a, struct rows *b);
/* Copies of all rows of *from, which may be zeroed; *to is overwritten. */
void rows_copy(struct rows *to, const struct rows *from);

#endif
