/*
 * import_table.c - see import_table.h.
 */
#include "client/formats/import/import_table.h"

#include <string.h>

#include "proto/base/ascii.h"
#include "proto/link.h"

/* Names of columns, ours and those of other programs; the first column of a kind counts. */
static const struct {
	const char *name;
	enum import_column column;
} import_columns[] = {
	{"title", COLUMN_TITLE},
	{"summary", COLUMN_TITLE},
	{"story", COLUMN_TITLE},
	{"name", COLUMN_TITLE},
	{"key", COLUMN_KEY},
	{"issue key", COLUMN_KEY},
	{"id", COLUMN_ID},
	{"number", COLUMN_NUMBER},
	{"link", COLUMN_LINK},
	{"url", COLUMN_LINK},
	{"notes", COLUMN_DESCRIPTION},
	{"note", COLUMN_DESCRIPTION},
	{"description", COLUMN_DESCRIPTION},
	{"status", COLUMN_STATUS},
	{"estimate", COLUMN_ESTIMATE},
	{"story points", COLUMN_ESTIMATE},
	{"custom field (story points)", COLUMN_ESTIMATE},
	{"story point estimate", COLUMN_ESTIMATE},
	{"custom field (story point estimate)", COLUMN_ESTIMATE},
	{"points", COLUMN_ESTIMATE},
	{"pts", COLUMN_ESTIMATE},
	{"unit", COLUMN_UNIT},
	{"quantity", COLUMN_QUANTITY},
	{"category", COLUMN_CATEGORY},
	{"expiry", COLUMN_EXPIRY},
};

static bool import_same_word(struct slice cell, const char *name)
{
	return ascii_is_alike(import_trim(cell), slice_str(name));
}

/* As the forms of export_csv.c and export_tracker.c begin, and that of a backlog (items_export.c). */
static bool import_is_own(const struct csv_record *first)
{
	static const char *const heads[][3] = {
		{"name", "unit", "quantity"},
		{"key", "title", "estimate"},
		{"Issue key", "Summary", "Story Points"},
		{"Issue key", "Story Points", "Summary"},
	};
	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
		size_t same = 0;
		while (same < 3 && same < first->n &&
		       slice_eq(first->cells[same], slice_str(heads[i][same]))) {
			same++;
		}
		if (same == 3 && (first->n > 3 || i == 3)) {
			return true;
		}
	}
	return false;
}

void import_header_read(const struct csv_record *first, struct import_header *h)
{
	*h = (struct import_header){0};
	for (size_t i = 0; i < COLUMN_COUNT; i++) {
		h->at[i] = CSV_CELLS_MAX;
	}
	for (size_t cell = 0; first->bad == NULL && cell < first->n; cell++) {
		for (size_t i = 0; i < sizeof(import_columns) / sizeof(import_columns[0]); i++) {
			size_t *at = &h->at[import_columns[i].column];
			if (import_same_word(first->cells[cell], import_columns[i].name) &&
			    *at == CSV_CELLS_MAX) {
				*at = cell;
			}
		}
		h->is_foreign = h->is_foreign || import_same_word(first->cells[cell], "summary") ||
				import_same_word(first->cells[cell], "issue key") ||
				import_same_word(first->cells[cell], "id");
	}
	h->is_there = h->at[COLUMN_TITLE] != CSV_CELLS_MAX;
	h->is_own = h->is_there && import_is_own(first);
}

static struct slice import_cell(const struct import_header *h, const struct csv_record *row,
				enum import_column column)
{
	size_t at = h->at[column];
	if (at >= row->n) {
		return (struct slice){0};
	}
	return h->is_own ? csv_unguard(row->cells[at]) : row->cells[at];
}

void import_row(struct import *im, const struct import_header *h, const struct csv_record *row)
{
	if (row->bad != NULL) {
		import_remark(im, row->line, true, row->bad);
		return;
	}
	struct slice id = import_cell(h, row, COLUMN_ID);
	struct import_raw raw = {
		.line = row->line,
		.key = import_cell(h, row, COLUMN_KEY),
		.title = import_cell(h, row, COLUMN_TITLE),
		.link = import_cell(h, row, COLUMN_LINK),
		.description = import_cell(h, row, COLUMN_DESCRIPTION),
		.status = import_cell(h, row, COLUMN_STATUS),
		.estimate = import_cell(h, row, COLUMN_ESTIMATE),
		.any_status = h->is_foreign,
		.unit = import_cell(h, row, COLUMN_UNIT),
		.quantity = import_cell(h, row, COLUMN_QUANTITY),
		.category = import_cell(h, row, COLUMN_CATEGORY),
		.expiry = import_cell(h, row, COLUMN_EXPIRY),
	};
	if (raw.key.len == 0) {
		raw.key = import_is_key(import_trim(id))
				  ? id
				  : import_number_key(im, import_cell(h, row, COLUMN_NUMBER));
	}
	im->take(im, &raw);
}

/* A state as GitHub's client prints it between number and title. */
static bool import_is_state(struct slice cell)
{
	static const char *const states[] = {"OPEN", "CLOSED", "MERGED", "DRAFT"};
	size_t i = 0;
	while (i < sizeof(states) / sizeof(states[0]) && !slice_eq(cell, slice_str(states[i]))) {
		i++;
	}
	return i < sizeof(states) / sizeof(states[0]);
}

void import_row_bare(struct import *im, const struct csv_record *row, bool numbers_are_keys)
{
	if (row->bad != NULL) {
		import_remark(im, row->line, true, row->bad);
		return;
	}
	struct import_raw raw = {.line = row->line};
	struct slice first = import_trim(row->cells[0]);
	size_t at = 0;
	if (row->n > 1) {
		raw.key = import_is_key(first) ? first
			  : numbers_are_keys   ? import_number_key(im, first)
					       : (struct slice){0};
		at = raw.key.len > 0;
	}
	bool is_listed = numbers_are_keys && raw.key.len > 0;
	at += is_listed && at + 1 < row->n && import_is_state(row->cells[at]);
	raw.title = row->cells[at];
	for (size_t i = at + 1; i < row->n; i++) {
		struct slice cell = import_trim(row->cells[i]);
		if (raw.link.len == 0 && link_is_web(cell)) {
			raw.link = cell;
		} else if (raw.description.len == 0 && !is_listed) {
			raw.description = cell;
		}
	}
	im->take(im, &raw);
}
