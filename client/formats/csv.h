/*
 * csv.h - read and write comma-separated values (RFC 4180).
 *
 * Records are read one at a time, with the line they start on, for messages about
 * bad ones. Cells can be written so that no spreadsheet takes them for a formula.
 * No packaged library does both in less code than this.
 *
 * Reading: the separator is a comma, or a semicolon or tab if the first line has only
 * those; LF, CRLF or CR ends a record; a quoted cell may contain all of them, and ""
 * is one quote. A leading byte-order mark is skipped. Cells that are written are
 * read back unchanged.
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
	size_t line; /* of the next record, from 1 */
	char between;
};

struct csv_record {
	struct slice cells[CSV_CELLS_MAX]; /* point into the text or the arena */
	size_t n;
	size_t line;     /* its first line */
	const char *bad; /* why it is invalid; NULL: it is valid. Static. */
};

/* Split one line at tabs, without quoting, as programs print tables. */
void csv_split_tabs(struct slice line, struct csv_record *out);

/* Start to read. The text is borrowed while it is read. */
void csv_begin(struct csv *c, struct slice text);

/*
 * Read the next record, skipping blank lines. Returns false at the end.
 * An unclosed quote, text after a closing quote, or more than CSV_CELLS_MAX cells
 * make it bad; the next record then starts on the next line.
 */
bool csv_next(struct csv *c, struct arena *arena, struct csv_record *out);

/* Append one cell, quoted if needed. @is_first  no comma before it. */
void csv_put(struct buf *out, struct slice cell, bool is_first);
void csv_end_record(struct buf *out);

/*
 * Append a cell with text of other people. If it starts with = + - @ or a control
 * character, after any apostrophes, an apostrophe is put before it, so that spreadsheets
 * take it as text; csv_unguard() returns the original text.
 */
void csv_put_guarded(struct buf *out, struct slice cell, bool is_first);
struct slice csv_unguard(struct slice cell);

#endif
