/*
 * backlog.h - the items of a backlog as a table: its columns, their texts, and the order of the
 * items.
 *
 * Pure. Running out of memory ends the program (memory.h).
 *
 * Life: a zeroed struct .. backlog_finish().
 */
#ifndef CLIENT_MODEL_LISTS_BACKLOG_H
#define CLIENT_MODEL_LISTS_BACKLOG_H

#include <stdbool.h>
#include <stddef.h>

#include "client/model/rows.h"
#include "proto/records/records.h"

/* The columns in order; the name of each is also that of the field of item.update. */
#define ITEM_COLUMNS(X) \
	X(NAME, name)         \
	X(QUANTITY, quantity) \
	X(UNIT, unit)         \
	X(CATEGORY, category) \
	X(EXPIRY, expiry)     \
	X(NOTE, note)

enum item_column {
#define ITEM_COLUMN_ENUM(symbol, ...) ITEM_COLUMN_##symbol,
	ITEM_COLUMNS(ITEM_COLUMN_ENUM)
#undef ITEM_COLUMN_ENUM
		ITEM_COLUMNS_N
};

const char *item_column_name(enum item_column column);
enum { ITEM_CELL_BYTES = 32 };
/* The item's value in a column; "": none. Valid until the next call with the same `out`. */
const char *item_column_value(const struct item_view *item, enum item_column column, char out[ITEM_CELL_BYTES]);
/* The same as shown: "" for the default category. */
const char *item_column_text(const struct item_view *item, enum item_column column, char out[ITEM_CELL_BYTES]);

/* The order of the items on the screen: as they were added, or sorted by a column. */
struct backlog {
	bool is_sorted;
	bool is_down;		/* in descending order */
	enum item_column by;
	size_t *order;		/* the indices of the rows, if it is sorted */
	uint32_t changes;	/* the rows' `changes` when order was made */
	/* private to backlog_uses(): of these rows at that time */
	const struct rows *of;
	uint32_t of_changes;
	uint32_t used;
	bool is_estimated;
};

void backlog_finish(struct backlog *b);
/* Sort by this column; the second time in reverse; the third time not at all. */
void backlog_sort(struct backlog *b, enum item_column by, const struct rows *rows);
/* Whether an item has something in the column. */
bool backlog_uses(struct backlog *b, const struct rows *rows, enum item_column column);
/* Whether the items with a quantity have all been estimated: it is in points. */
bool backlog_is_estimated(struct backlog *b, const struct rows *rows);

/* The item in that line; sorts again if the rows have changed. */
const struct item_view *backlog_item(struct backlog *b, const struct rows *rows, size_t at);

#endif
