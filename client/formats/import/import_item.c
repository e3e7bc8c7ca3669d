/*
 * import_item.c - what was read of a line as an item of a backlog, or a remark upon it.
 */
#include "client/formats/import/import_check.h"

#include <string.h>

#include "client/model/lists/item_text.h"
#include "client/model/memory.h"
#include "proto/base/format.h"
#include "proto/records/record_text.h"
#include "proto/records/records.h"
#include "proto/text/decimal.h"
#include "proto/text/utf8.h"

enum { IMPORT_CLAIM_BYTES = 96, IMPORT_MS_DIGITS_MIN = 11 };

/* "unit must be 1 to 20 characters long": the line is skipped. */
static bool import_refuse(struct import *im, size_t line, const char *field, const char *claim)
{
	size_t cap = strlen(field) + 1 + strlen(claim) + 1;
	char *text = memory_have(arena_alloc(im->arena, cap));
	(void)format_to(text, cap, "%s %s", field, claim);
	import_remark(im, line, true, text);
	return false;
}

/* A text as its row of item.add has it; blank text is none. False: the line is skipped. */
static bool import_text_of(struct import *im, size_t line, const char *field, struct slice in,
			   struct slice *out)
{
	struct fault fault;
	*out = import_trim(import_one_line(im, in));
	if (out->len == 0) {
		*out = (struct slice){0};
		return true;
	}
	if (!utf8_is_valid(*out)) {
		return import_refuse(im, line, field, "is not UTF-8");
	}
	const struct field *f = record_field(&record_item_add_params, slice_str(field));
	enum err e = memory_check(record_clean_text(f, im->arena, out, &fault));
	return e == OK || import_refuse(im, line, field, fault.message);
}

/* "PAY-1 Pay": the key has no place of its own. */
static struct slice import_join(struct import *im, struct slice a, char between, struct slice b)
{
	if (a.len == 0 || b.len == 0) {
		return a.len == 0 ? b : a;
	}
	char *text = memory_have(arena_alloc(im->arena, a.len + 1 + b.len));
	memcpy(text, a.data, a.len);
	text[a.len] = between;
	memcpy(text + a.len + 1, b.data, b.len);
	return slice_of(text, a.len + 1 + b.len);
}

/* What the item says itself; else the estimate, as a story that is settled writes it. */
static bool import_quantity(struct import *im, const struct import_raw *raw,
			    struct import_item *item)
{
	int64_t hundredths;
	const char *why = NULL;
	struct slice unit = raw->unit;
	struct slice quantity = import_number(im, raw->quantity);
	struct slice estimate = import_number(im, raw->estimate);
	bool is_number = quantity_read(estimate, &hundredths, &why);
	if (quantity.len == 0 && import_trim(unit).len == 0 && estimate.len > 0) {
		quantity = is_number ? estimate : quantity;
		unit = is_number ? SLICE("points") : estimate;
	}
	if (quantity.len > 0 && !quantity_read(quantity, &hundredths, &why)) {
		return import_refuse(im, raw->line, "quantity", why);
	}
	item->quantity = quantity;
	return import_text_of(im, raw->line, "unit", unit, &item->unit);
}

void import_take_item(struct import *im, const struct import_raw *raw)
{
	struct slice key = import_trim(raw->key);
	struct import_item item = {.line = raw->line,
				   .key = key.len > 0 ? key : import_name_key(raw->title)};
	struct slice expiry = import_trim(raw->expiry);
	if (im->out->items_n == MAX_CONTAINER_ITEMS) {
		import_remark(im, raw->line, true,
			      "is one too many; a backlog has at most 100000 items");
		return;
	}
	struct slice name = import_join(im, key, ' ', raw->title);
	if (import_trim(raw->title).len == 0) {
		import_remark(im, raw->line, true, "has no name");
		return;
	}
	if (!import_text_of(im, raw->line, "name", name, &item.name) ||
	    !import_quantity(im, raw, &item) ||
	    !import_text_of(im, raw->line, "category", raw->category, &item.category)) {
		return;
	}
	/* JSON has ms since 1970, as the wire does; what is shorter is no such number. */
	bool is_ms = expiry.len >= IMPORT_MS_DIGITS_MIN &&
		     decimal_read(expiry, 1, ITEM_EXPIRY_MAX, &item.expiry);
	if (expiry.len > 0 && !is_ms && !item_read_expiry(expiry, &item.expiry)) {
		(void)import_refuse(im, raw->line, "expiry",
				    "is not a day after 1970, such as 2026-12-24");
		return;
	}
	item.note = import_description(im, raw->line,
				       import_join(im, raw->description, '\n', raw->link));
	im->out->items = import_grown(im, im->out->items, im->out->items_n, sizeof(item));
	im->out->items[im->out->items_n++] = item;
}
