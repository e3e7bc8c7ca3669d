/*
 * csv.h - comma-separated values as RFC 4180 has them, read and written.
 *
 * Ours because no library of Debian 12 fits in less code than this: records
 * come one at a time with the line they began on, which is what a person is
 * told about a bad one, and cells are written so that no spreadsheet takes them
 * for a formula.
 *
 * Read: commas, or semicolons or tabs where the first line has only those; LF,
 * CRLF or CR ends a record; a quoted cell may hold all of them, and "" is one
 * quote. A byte-order mark in front is skipped. What is written is what is
 * read, cell by cell.
 */
#ifndef CLIENT_FORMATS_CSV_H
#define CLIENT_FORMATS_CSV_H

#include <stdbool.h>
#include <stddef.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/slice.h"

#define CSV_CELLS_MAX 512

struct csv {
	struct slice text;
	size_t at;
	size_t line; /* of what comes next, from 1 */
	char between;
};

struct csv_record {
	struct slice cells[CSV_CELLS_MAX]; /* in the text or the arena */
	size_t n;
	size_t line;     /* where it began */
	const char *bad; /* why it is none; NULL: it is one. Static. */
};

/* Tabs between cells that are never quoted, as programs print tables; ends at the end of the line. */
void csv_split_tabs(struct slice line, struct csv_record *out);

/* The text is borrowed for as long as it is read. */
void csv_begin(struct csv *c, struct slice text);

/*
 * The next record; blank lines are passed over. False at the end.
 * A quote that is never closed, text behind a closing one, or more cells than
 * CSV_CELLS_MAX make it bad; the next record begins on the next line.
 */
bool csv_next(struct csv *c, struct arena *arena, struct csv_record *out);

/* Append one cell, quoted where it must be; is_first: no comma in front. */
void csv_put(struct buf *out, struct slice cell, bool is_first);
void csv_end_record(struct buf *out);

/*
 * Append a cell of other people's text. One that begins with = + - @ or a
 * control character, after any apostrophes, gets another apostrophe in front, so that it
 * stays text; csv_unguard() gives back exactly what went in.
 */
void csv_put_guarded(struct buf *out, struct slice cell, bool is_first);
struct slice csv_unguard(struct slice cell);

#endif
