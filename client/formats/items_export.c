/*
 * items_export.c - see items_export.h.
 */
#include "client/formats/items_export.h"

#include <stdlib.h>

#include <jansson.h>

#include "client/formats/csv.h"
#include "client/formats/export_json.h"
#include "client/formats/export_sheet.h"
#include "client/formats/export_tracker.h"
#include "client/formats/import/import_check.h"
#include "client/model/lists/backlog.h"
#include "client/model/memory.h"
#include "proto/base/format.h"

/* The columns, in the order in which other programs have had them. */
static const enum item_column items_export_columns[ITEM_COLUMNS_N] = {
	ITEM_COLUMN_NAME,     ITEM_COLUMN_UNIT,	  ITEM_COLUMN_QUANTITY,
	ITEM_COLUMN_CATEGORY, ITEM_COLUMN_EXPIRY, ITEM_COLUMN_NOTE,
};

static void items_export_csv(const struct items_export *x, struct buf *out)
{
	for (size_t c = 0; c < ITEM_COLUMNS_N; c++) {
		csv_put(out, slice_str(item_column_name(items_export_columns[c])), c == 0);
	}
	csv_end_record(out);
	for (size_t i = 0; i < x->n; i++) {
		for (size_t c = 0; c < ITEM_COLUMNS_N; c++) {
			char cell[ITEM_CELL_BYTES];
			const char *text =
				item_column_value(x->items[i], items_export_columns[c], cell);
			csv_put_guarded(out, slice_str(text), c == 0);
		}
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

static struct export_left items_export_tracker(const struct items_export *x,
					       enum export_format format, struct buf *out)
{
	struct tracker t;
	tracker_begin(&t, format, out);
	for (size_t i = 0; i < x->n; i++) {
		const struct item_view *item = x->items[i];
		struct slice title = item->name;
		struct slice key = import_take_key(&title);
		if (slice_eq(item->unit, SLICE("points"))) {
			tracker_put(&t, &(struct tracker_issue){.key = key,
								.title = title,
								.estimate = item->quantity,
								.link = ""});
		}
	}
	return t.left;
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
	for (; t->columns_n < ITEM_COLUMNS_N; t->columns_n++) {
		t->columns[t->columns_n] = item_column_name(items_export_columns[t->columns_n]);
	}
	t->cells = memory_have(arena_alloc(&arena, (x->n * t->columns_n + 1) * sizeof(*t->cells)));
	for (size_t i = 0; i < x->n * t->columns_n; i++) {
		char *cell = memory_have(arena_alloc(&arena, ITEM_CELL_BYTES));
		const char *text = item_column_value(x->items[i / t->columns_n],
						     items_export_columns[i % t->columns_n], cell);
		t->cells[i] = (struct sheet_cell){.text = slice_str(text)};
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

struct export_left items_export_write(const struct items_export *x, enum export_format format,
				      struct buf *out)
{
	struct export_left left = {0};
	switch (format) {
	case EXPORT_CSV:
		items_export_csv(x, out);
		break;
	case EXPORT_JIRA:
	case EXPORT_GITHUB:
	case EXPORT_GITLAB:
		if (format == EXPORT_JIRA && x->is_all) {
			items_export_jira(x, out);
		} else {
			left = items_export_tracker(x, format, out);
		}
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
	return left;
}
