/*
 * items_export.c - see items_export.h.
 */
#include "client/model/items_export.h"

#include <stdlib.h>

#include <jansson.h>

#include "client/model/csv.h"
#include "client/model/export_json.h"
#include "client/model/export_sheet.h"
#include "client/model/item_text.h"
#include "client/model/memory.h"
#include "proto/format.h"

/* The columns of a table of items, in their order; a cell of each. */
#define ITEM_COLUMNS(X)                \
	X("name", item->name)          \
	X("unit", item->unit)          \
	X("quantity", item->quantity)  \
	X("category", item->category)  \
	X("expiry", slice_str(expiry)) \
	X("note", item->note)

static void items_export_csv(const struct items_export *x, struct buf *out)
{
	bool is_first = true;
#define ITEM_HEADER(column, cell)                  \
	csv_put(out, slice_str(column), is_first); \
	is_first = false;
	ITEM_COLUMNS(ITEM_HEADER)
#undef ITEM_HEADER
	csv_end_record(out);
	for (size_t i = 0; i < x->n; i++) {
		const struct item_view *item = x->items[i];
		char expiry[EXPORT_TIME_CHARS + 1] = "";
		if (item->with_expiry) {
			(void)item_expiry(item->expiry, expiry);
		}
		is_first = true;
#define ITEM_CELL(column, cell)               \
	csv_put_guarded(out, cell, is_first); \
	is_first = false;
		ITEM_COLUMNS(ITEM_CELL)
#undef ITEM_CELL
		csv_end_record(out);
	}
}

/* Points are a number there: a quantity of anything else is left out. */
static void items_export_jira(const struct items_export *x, struct buf *out)
{
	csv_put(out, SLICE("Summary"), true);
	csv_put(out, SLICE("Story Points"), false);
	csv_put(out, SLICE("Description"), false);
	csv_end_record(out);
	for (size_t i = 0; i < x->n; i++) {
		const struct item_view *item = x->items[i];
		bool is_points = slice_eq(item->unit, SLICE("points"));
		csv_put_guarded(out, item->name, true);
		csv_put(out, is_points ? item->quantity : (struct slice){0}, false);
		csv_put_guarded(out, item->note, false);
		csv_end_record(out);
	}
}

static void items_export_json(const struct items_export *x, struct buf *out)
{
	json_t *whole = export_record(&record_container_entry, x->of);
	json_t *items = memory_have(json_array());
	for (size_t i = 0; i < x->n; i++) {
		if (json_array_append_new(items, export_record(&record_item_view, x->items[i])) !=
		    0) {
			memory_is_out();
		}
	}
	if (json_object_set_new(whole, "items", items) != 0) {
		memory_is_out();
	}
	char *text = memory_have(json_dumps(whole, JSON_INDENT(2)));
	(void)buf_append_slice(out, slice_str(text));
	(void)buf_append(out, "\n", 1);
	free(text);
	json_decref(whole);
}

/* A table, for people. */
static void items_export_sheet(const struct items_export *x, enum export_format format,
			       struct buf *out)
{
	struct arena arena = {0};
	struct sheet sheet = {.title = x->of->container_name, .tables_n = 1};
	struct sheet_table *t = &sheet.tables[0];
	*t = (struct sheet_table){.title = "Items"};
#define ITEM_TITLE(column, cell) t->columns[t->columns_n++] = (column);
	ITEM_COLUMNS(ITEM_TITLE)
#undef ITEM_TITLE
	t->cells = memory_have(arena_alloc(&arena, (x->n * t->columns_n + 1) * sizeof(*t->cells)));
	struct sheet_cell *at = t->cells;
	for (size_t i = 0; i < x->n; i++) {
		const struct item_view *item = x->items[i];
		char *expiry = memory_have(arena_alloc(&arena, EXPORT_TIME_CHARS + 1));
		expiry[0] = '\0';
		if (item->with_expiry) {
			(void)item_expiry(item->expiry, expiry);
		}
#define ITEM_CELL(column, cell) *at++ = (struct sheet_cell){.text = (cell)};
		ITEM_COLUMNS(ITEM_CELL)
#undef ITEM_CELL
	}
	t->rows_n = x->n;
	if (format == EXPORT_MARKDOWN) {
		sheet_markdown(&sheet, out);
	} else if (format == EXPORT_HTML) {
		sheet_html(&sheet, out);
	} else {
		sheet_text(&sheet, out);
	}
	arena_finish(&arena);
}

void items_export_write(const struct items_export *x, enum export_format format, struct buf *out)
{
	switch (format) {
	case EXPORT_CSV:
		items_export_csv(x, out);
		break;
	case EXPORT_JIRA:
		items_export_jira(x, out);
		break;
	case EXPORT_JSON:
		items_export_json(x, out);
		break;
	case EXPORT_MARKDOWN:
	case EXPORT_HTML:
	case EXPORT_TEXT:
		items_export_sheet(x, format, out);
		break;
	}
}
