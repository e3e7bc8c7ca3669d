/*
 * record_own.c - a record with all that it points to, in one block of its own.
 *
 * The rows are walked twice, once to count and once to copy. A softened byte may
 * grow to three, the length of U+FFFD, so that much is set aside for each.
 */
#include "proto/record.h"

#include <stdlib.h>
#include <string.h>

#include "proto/text.h"

struct record_block {
	char *bytes; /* NULL while counting */
	size_t used;
};

static void *record_take(struct record_block *b, size_t n)
{
	void *at = b->bytes == NULL ? NULL : b->bytes + b->used;
	size_t align = sizeof(max_align_t);
	b->used += (n + align - 1) / align * align;
	return at;
}

/* The bytes of an ANY stay as they are. */
static void record_own_text(struct record_block *b, struct slice *text, bool is_raw)
{
	size_t cap = is_raw ? text->len : 3 * text->len;
	if (text->data == NULL) {
		return;
	}
	char *to = record_take(b, cap + 1);
	if (to == NULL) {
		return;
	}
	if (is_raw) {
		memcpy(to, text->data, text->len);
	} else {
		text->len = text_soften(*text, to, cap);
	}
	to[text->len] = '\0';
	text->data = to;
}

/* *member is the copy's, or while counting the original's: that is not written to. */
static void record_own_fields(struct record_block *b, const struct record *rec, void *in)
{
	for (size_t i = 0; i < rec->n; i++) {
		const struct field *f = &rec->fields[i];
		void *member = (char *)in + f->offset;
		struct slices *strs = member;
		char *items;
		switch (f->kind) {
		case FIELD_BOOL:
		case FIELD_INT:
		case FIELD_NUM:
		case FIELD_ENUM:
			break;
		case FIELD_STR:
		case FIELD_TEXT:
		case FIELD_ANY:
			record_own_text(b, member, f->kind == FIELD_ANY);
			break;
		case FIELD_STRS:
			items = record_take(b, strs->n * sizeof(*strs->items));
			if (items != NULL && strs->n > 0) {
				memcpy(items, strs->items, strs->n * sizeof(*strs->items));
				strs->items = (struct slice *)(void *)items;
			}
			for (size_t k = 0; k < strs->n; k++) {
				record_own_text(b, &strs->items[k], false);
			}
			break;
		case FIELD_REC:
			record_own_fields(b, f->of, member);
			break;
		case FIELD_RECS: {
			size_t n = field_recs_n(member);
			char *from;
			memcpy(&from, member, sizeof(from));
			items = record_take(b, n * f->of->size);
			if (items != NULL && n > 0) {
				memcpy(items, from, n * f->of->size);
				memcpy(member, &items, sizeof(items));
				from = items;
			}
			for (size_t k = 0; k < n; k++) {
				record_own_fields(b, f->of, from + k * f->of->size);
			}
			break;
		}
		}
	}
}

void *record_own(const struct record *rec, const void *in)
{
	struct record_block b = {0};
	(void)record_take(&b, rec->size);
	record_own_fields(&b, rec, (void *)(uintptr_t)in);
	b.bytes = malloc(b.used);
	if (b.bytes == NULL) {
		return NULL;
	}
	b.used = 0;
	void *out = record_take(&b, rec->size);
	memcpy(out, in, rec->size);
	record_own_fields(&b, rec, out);
	return out;
}
