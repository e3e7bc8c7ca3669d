/*
 * backlog.h - the items of a container as a table: its columns, what stands in them, and their order.
 *
 * Pure. Memory that is out ends the program (memory.h).
 *
 * Life: a zeroed struct .. backlog_finish().
 */
#ifndef CLIENT_MODEL_LISTS_BACKLOG_H
#define CLIENT_MODEL_LISTS_BACKLOG_H

#include <stdbool.h>
#include <stddef.h>

#include "client/model/rows.h"
#include "proto/records/records.h"

/* In the order in which they stand; the name of each is that of the field of item.update, too. */
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
/* What the item has there; "" nothing. Valid until the next call with the same `out`. */
const char *item_column_value(const struct item_view *item, enum item_column column, char out[ITEM_CELL_BYTES]);
/* The same as people are shown it: a category that nobody chose is none. */
const char *item_column_text(const struct item_view *item, enum item_column column, char out[ITEM_CELL_BYTES]);

/* How the rows of a list of items stand on the screen: as they were added, or by a column. */
struct backlog {
	bool is_sorted;
	bool is_down;		/* the last first */
	enum item_column by;
	size_t *order;		/* the places of the rows, where it is sorted */
	uint32_t changes;	/* that they have seen */
};

void backlog_finish(struct backlog *b);
/* By this column; again: the other way round; once more: as they were added. */
void backlog_sort(struct backlog *b, enum item_column by, const struct rows *rows);
/* The item in that line. */
const struct item_view *backlog_item(struct backlog *b, const struct rows *rows, size_t at);

#endif
