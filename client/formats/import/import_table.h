/*
 * import_table.h - stories and items from rows of cells.
 */
#ifndef CLIENT_FORMATS_IMPORT_IMPORT_TABLE_H
#define CLIENT_FORMATS_IMPORT_IMPORT_TABLE_H

#include "client/formats/csv.h"
#include "client/formats/import/import_check.h"

enum import_column {
	COLUMN_TITLE,
	COLUMN_KEY,
	COLUMN_ID,     /* a key, if it has the form of one */
	COLUMN_NUMBER, /* a key once # is put before it */
	COLUMN_LINK,
	COLUMN_DESCRIPTION,
	COLUMN_STATUS,
	COLUMN_ESTIMATE,
	COLUMN_UNIT,
	COLUMN_QUANTITY,
	COLUMN_CATEGORY,
	COLUMN_EXPIRY,
	COLUMN_COUNT
};

struct import_header {
	bool is_there;
	bool is_foreign; /* written by Jira, with its own statuses */
	bool is_own;     /* written by aye export: its cells are guarded (csv.h) */
	size_t at[COLUMN_COUNT]; /* CSV_CELLS_MAX: no such column */
};

/* Read the header, if the first row is one: it names a title column. */
void import_header_read(const struct csv_record *first, struct import_header *out);
/* Take a row below such a header. */
void import_row(struct import *im, const struct import_header *h, const struct csv_record *row);
/*
 * Take a row of a table without a header: the key, if there is one, then the title; after it, a
 * web address is the link, and the next text the description.
 *
 * @numbers_are_keys  a row of `gh issue list`: a number, perhaps a state, and the title; the rest
 *                    is ignored.
 */
void import_row_bare(struct import *im, const struct csv_record *row, bool numbers_are_keys);

#endif
