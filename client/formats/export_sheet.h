/*
 * export_sheet.h - the content of an export for people, before formatting.
 *
 * A title, lines, and tables of cells. Markdown, HTML and text are three formats of
 * the same sheet; each escapes the cells in its own way.
 */
#ifndef CLIENT_FORMATS_EXPORT_SHEET_H
#define CLIENT_FORMATS_EXPORT_SHEET_H

#include "client/formats/export.h"
#include "proto/base/arena.h"

#define SHEET_TABLES_MAX  3
#define SHEET_COLUMNS_MAX 9
#define SHEET_LINES_MAX   12

/* One card of a distribution; percent is relative to the most frequent card. */
struct sheet_bar {
	struct slice card;
	int64_t votes;
	int percent;
};

struct sheet_cell {
	struct slice text;
	const struct sheet_bar *bars; /* drawn above the text, if the format can; NULL: none */
	size_t bars_n;
	struct slice link; /* an http or https address; empty: none */
};

struct sheet_table {
	const char *title;
	const char *columns[SHEET_COLUMNS_MAX]; /* static; need no escaping */
	size_t columns_n;
	struct sheet_cell *cells; /* rows_n times columns_n, row by row */
	size_t rows_n;
};

struct sheet {
	struct slice title;
	struct slice lines[SHEET_LINES_MAX];
	size_t lines_n;
	struct sheet_table tables[SHEET_TABLES_MAX];
	size_t tables_n;
	bool is_live;
};

void sheet_markdown(const struct sheet *s, struct buf *out);
void sheet_html(const struct sheet *s, struct buf *out);
void sheet_text(const struct sheet *s, struct buf *out);

/* Append the room as Markdown, HTML or text. */
void export_sheet(const struct export_room *x, enum export_format format, struct buf *out);

#endif
