/*
 * items_export.h - export of a backlog.
 *
 * CSV has the columns that items_import_read() reads back. A tracker's format has the items whose
 * name begins with a key, and whose quantity is in points (export_tracker.h); all items for Jira
 * have the columns of its importer. JSON has the records as in the protocol; Markdown, HTML and text are a table.
 */
#ifndef CLIENT_FORMATS_ITEMS_EXPORT_H
#define CLIENT_FORMATS_ITEMS_EXPORT_H

#include "client/formats/export.h"
#include "proto/base/arena.h"
#include "proto/records/records.h"

struct items_export {
	const struct container_entry *of;
	const struct item_view *const *items;
	size_t n;
	bool is_all; /* Jira: all items, with all columns */
};

/* As export_write(). */
struct export_left items_export_write(const struct items_export *x, enum export_format format, struct buf *out);

#endif
