/*
 * schema_doc.c - see schema_doc.h.
 */
#include "tests/docs/schema_doc.h"

#include "proto/base/assert.h"
#include "store/items.h"
#include "tests/docs/reference_doc.h"

static void schema_doc_items(struct buf *out)
{
	(void)buf_printf(out, "| kind | PK | SK | record | expires | what it is |\n"
			      "|---|---|---|---|---|---|\n");
	for (size_t i = 0; i < ITEM_COUNT; i++) {
		const struct item_row *row = &item_rows[i];
		(void)buf_printf(out, "| %s | `%s...` | `%s%s` | %s | %s | %s |\n", row->symbol,
				 row->pk_prefix, row->sk, row->sk_rest, row->record->name,
				 row->expires ? "yes" : "no", row->help);
	}
}

enum { SCHEMA_RECORDS_MAX = 128 };

/* Those that are written; each is once, however many items have it as a part. */
struct schema_records {
	const struct record *records[SCHEMA_RECORDS_MAX];
	size_t n;
};

static bool schema_doc_is_new(struct schema_records *written, const struct record *rec)
{
	for (size_t i = 0; i < written->n; i++) {
		if (written->records[i] == rec) {
			return false;
		}
	}
	ASSERT_CMP(written->n, <, SCHEMA_RECORDS_MAX);
	written->records[written->n++] = rec;
	return true;
}

/* A record, and after it those that are parts of it. */
static void schema_doc_record(struct schema_records *written, const struct record *rec,
			      struct buf *out)
{
	if (!schema_doc_is_new(written, rec)) {
		return;
	}
	(void)buf_printf(out, "%s#### %s\n\n", written->n == 1 ? "" : "\n", rec->name);
	reference_doc_record(rec, out);
	for (size_t i = 0; i < rec->n; i++) {
		if (rec->fields[i].of != NULL) {
			schema_doc_record(written, rec->fields[i].of, out);
		}
	}
}

static void schema_doc_attributes(struct buf *out)
{
	struct schema_records written = {.n = 0};
	for (size_t i = 0; i < ITEM_COUNT; i++) {
		schema_doc_record(&written, item_rows[i].record, out);
	}
}

static void schema_doc_indexes(struct buf *out)
{
	(void)buf_printf(out, "| index | lists | partition | sorted by | what for "
			      "|\n|---|---|---|---|---|\n");
	for (const struct index_row *row = index_rows; row->name != NULL; row++) {
		const struct field *f =
			record_field(item_rows[row->kind].record, slice_str(row->partition));
		(void)buf_printf(out, "| %s | %s | %s%s | `%s` | %s |\n", row->name,
				 item_rows[row->kind].symbol,
				 f != NULL && f->kind == FIELD_STRS ? "each of " : "",
				 row->partition[0] == '\0' ? "one for all" : row->partition,
				 row->sort, row->help);
	}
}

const char *const schema_doc_sections[] = {"items", "attributes", "indexes", NULL};

enum err schema_doc_write(const char *section, struct buf *out)
{
	static void (*const writers[])(struct buf *) = {schema_doc_items, schema_doc_attributes,
							schema_doc_indexes};
	for (size_t i = 0; schema_doc_sections[i] != NULL; i++) {
		if (strcmp(schema_doc_sections[i], section) == 0) {
			writers[i](out);
			return out->error;
		}
	}
	return ERR_NOT_FOUND;
}
