/*
 * import_table.h - rows of cells as stories: which column is what.
 */
#ifndef CLIENT_FORMATS_IMPORT_TABLE_H
#define CLIENT_FORMATS_IMPORT_TABLE_H

#include "client/formats/csv.h"
#include "client/formats/import_check.h"

enum import_column {
	COLUMN_TITLE,
	COLUMN_KEY,
	COLUMN_ID,     /* a key, where it looks like one */
	COLUMN_NUMBER, /* a key, with # in front */
	COLUMN_LINK,
	COLUMN_DESCRIPTION,
	COLUMN_STATUS,
	COLUMN_ESTIMATE,
	COLUMN_UNIT,
	COLUMN_QUANTITY,
	COLUMN_CATEGORY,
	COLUMN_EXPIRY,
	COLUMN_RECORD, /* what kind of row it is, in what aye 0.1 exported */
	COLUMN_COUNT
};

struct import_header {
	bool is_there;
	bool is_foreign; /* as Jira writes it: its states are not ours */
	bool is_own;     /* as aye export writes it: guarded (csv.h) */
	size_t at[COLUMN_COUNT]; /* CSV_CELLS_MAX: no such column */
};

/* A row that names a title is one. */
void import_header_read(const struct csv_record *first, struct import_header *out);
/* A row below such a header. */
void import_row(struct import *im, const struct import_header *h, const struct csv_record *row);
/*
 * A row of a table that has none: the key in front, where one is there, the title, and behind it a
 * web address is the link, the next text the description.
 *
 * @numbers_are_keys  as `gh issue list` prints it: number, state or not, title; nothing else counts.
 */
void import_row_bare(struct import *im, const struct csv_record *row, bool numbers_are_keys);

#endif
