/*
 * export_sheet.h - what people are shown of a room, before it has a format.
 *
 * A title, lines, and tables of cells; Markdown, HTML and text are three ways
 * to write the same sheet, and only they know how a cell is escaped.
 */
#ifndef CLIENT_FORMATS_EXPORT_SHEET_H
#define CLIENT_FORMATS_EXPORT_SHEET_H

#include "client/formats/export.h"
#include "proto/base/arena.h"

#define SHEET_TABLES_MAX  3
#define SHEET_COLUMNS_MAX 9
#define SHEET_LINES_MAX   12

/* One card of a distribution, with the share of the most frequent one in percent. */
struct sheet_bar {
	struct slice card;
	int64_t votes;
	int percent;
};

struct sheet_cell {
	struct slice text;
	const struct sheet_bar *bars; /* drawn above the text, where that can be; NULL: none */
	size_t bars_n;
	struct slice link; /* an http or https address; empty: none */
};

struct sheet_table {
	const char *title;
	const char *columns[SHEET_COLUMNS_MAX]; /* ours: need no escaping */
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

/* Put it together in the arena. */
void sheet_make(const struct export_room *x, bool with_members, struct arena *arena,
			      struct sheet *out);

void sheet_markdown(const struct sheet *s, struct buf *out);
void sheet_html(const struct sheet *s, struct buf *out);
void sheet_text(const struct sheet *s, struct buf *out);

/* Markdown, HTML or text of the room. */
void export_sheet(const struct export_room *x, enum export_format format, struct buf *out);

#endif
