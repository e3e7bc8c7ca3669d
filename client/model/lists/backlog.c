/*
 * backlog.c - see backlog.h.
 */
#include "client/model/lists/backlog.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "client/model/lists/item_text.h"
#include "client/model/memory.h"
#include "proto/base/format.h"
#include "proto/text/quantity.h"
#include "proto/text/utc_time.h"

const char *item_column_name(enum item_column column)
{
	static const char *const names[ITEM_COLUMNS_N] = {
#define ITEM_COLUMN_NAME(symbol, name) [ITEM_COLUMN_##symbol] = #name,
		ITEM_COLUMNS(ITEM_COLUMN_NAME)
#undef ITEM_COLUMN_NAME
	};
	return names[column];
}

static const char *item_text_of(struct slice text)
{
	return text.data == NULL ? "" : text.data;
}

const char *item_column_value(const struct item_view *item, enum item_column column,
			      char out[ITEM_CELL_BYTES])
{
	char day[UTC_TIME_CHARS + 1];
	switch (column) {
	case ITEM_COLUMN_NAME:
		return item_text_of(item->name);
	case ITEM_COLUMN_QUANTITY:
		return item_text_of(item->quantity);
	case ITEM_COLUMN_UNIT:
		return item_text_of(item->unit);
	case ITEM_COLUMN_CATEGORY:
		return item_text_of(item->category);
	case ITEM_COLUMN_EXPIRY:
		(void)format_to(out, ITEM_CELL_BYTES, "%s",
				item->expiry > 0 ? item_expiry(item->expiry, day) : "");
		return out;
	case ITEM_COLUMN_NOTE:
		return item_text_of(item->note);
	case ITEM_COLUMNS_N:
		break;
	}
	return "";
}

const char *item_column_text(const struct item_view *item, enum item_column column,
			     char out[ITEM_CELL_BYTES])
{
	bool is_usual = slice_eq(item->category, SLICE(ITEM_CATEGORY_USUAL));
	return is_usual && column == ITEM_COLUMN_CATEGORY ? ""
							  : item_column_value(item, column, out);
}

/* ---- order ---- */

/* A row while it is sorted: what it is compared by, and where it was. */
struct backlog_row {
	const struct item_view *item;
	const struct backlog *by;
	size_t at;
};

static int backlog_compare_numbers(int64_t a, int64_t b)
{
	return a < b ? -1 : a > b;
}

static int64_t backlog_hundredths(const struct item_view *item)
{
	const char *why;
	int64_t n = 0;
	return quantity_read(item->quantity, &n, &why) ? n : 0;
}

/* What has nothing in the column comes last, either way round; what is alike stays as it was added. */
static int backlog_compare(const void *left, const void *right)
{
	const struct backlog_row *a = left;
	const struct backlog_row *b = right;
	enum item_column by = a->by->by;
	char texts[2][ITEM_CELL_BYTES];
	const char *x = item_column_text(a->item, by, texts[0]);
	const char *y = item_column_text(b->item, by, texts[1]);
	if ((x[0] == '\0') != (y[0] == '\0')) {
		return x[0] == '\0' ? 1 : -1;
	}
	int order = by == ITEM_COLUMN_QUANTITY
			    ? backlog_compare_numbers(backlog_hundredths(a->item),
						      backlog_hundredths(b->item))
		    : by == ITEM_COLUMN_EXPIRY
			    ? backlog_compare_numbers(a->item->expiry, b->item->expiry)
			    : strcasecmp(x, y);
	if (order == 0) {
		return a->at < b->at ? -1 : 1;
	}
	return a->by->is_down ? -order : order;
}

void backlog_finish(struct backlog *b)
{
	free(b->order);
	*b = (struct backlog){.is_sorted = false};
}

/* After any change of the rows. */
static void backlog_follow(struct backlog *b, const struct rows *rows)
{
	free(b->order);
	b->order = NULL;
	b->changes = rows->changes;
	if (!b->is_sorted || rows->n == 0) {
		return;
	}
	struct backlog_row *all = memory_new(rows->n, sizeof(*all));
	for (size_t i = 0; i < rows->n; i++) {
		all[i] = (struct backlog_row){rows->items[i], b, i};
	}
	qsort(all, rows->n, sizeof(*all), backlog_compare);
	b->order = memory_new(rows->n, sizeof(*b->order));
	for (size_t i = 0; i < rows->n; i++) {
		b->order[i] = all[i].at;
	}
	free(all);
}

void backlog_sort(struct backlog *b, enum item_column by, const struct rows *rows)
{
	bool is_same = b->is_sorted && b->by == by;
	b->is_sorted = !is_same || !b->is_down;
	b->is_down = is_same && !b->is_down;
	b->by = by;
	backlog_follow(b, rows);
}

/* ---- what is in use ---- */

static void backlog_look(struct backlog *b, const struct rows *rows)
{
	size_t of_points = 0;
	size_t counted = 0;
	if (b->of == rows && b->of_changes == rows->changes) {
		return;
	}
	b->of = rows;
	b->of_changes = rows->changes;
	b->used = 0;
	for (size_t i = 0; i < rows->n; i++) {
		const struct item_view *item = rows->items[i];
		char text[ITEM_CELL_BYTES];
		for (size_t c = 0; c < ITEM_COLUMNS_N; c++) {
			bool is_used = item_column_text(item, (enum item_column)c, text)[0] != '\0';
			b->used |= (uint32_t)is_used << c;
		}
		counted += item->quantity.len > 0 || item->unit.len > 0;
		of_points += item->quantity.len > 0 &&
			     slice_eq(item->unit, SLICE(QUANTITY_UNIT_OF_ESTIMATES));
	}
	b->is_estimated = of_points > 0 && of_points == counted;
}

bool backlog_uses(struct backlog *b, const struct rows *rows, enum item_column column)
{
	backlog_look(b, rows);
	return (b->used >> column & 1) != 0;
}

bool backlog_is_estimated(struct backlog *b, const struct rows *rows)
{
	backlog_look(b, rows);
	return b->is_estimated;
}

const struct item_view *backlog_item(struct backlog *b, const struct rows *rows, size_t at)
{
	if (b->is_sorted && b->changes != rows->changes) {
		backlog_follow(b, rows);
	}
	return rows->items[b->order != NULL ? b->order[at] : at];
}
