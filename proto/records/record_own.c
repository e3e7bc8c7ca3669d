/*
 * record_own.c - a record with all that it points to, in one block of its own.
 *
 * The rows are walked twice, once to count and once to copy. A softened byte may
 * grow to three, the length of U+FFFD, so that much is set aside for each; what is
 * longer than its row allows then is cut, so that the copy may be written again.
 */
#include "proto/records/record.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/limits.h"
#include "proto/text/text.h"

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
static void record_own_text(struct record_block *b, const struct field *f, struct slice *text)
{
	static const char nothing[] =
		"\xef\xbf\xbd"; /* of a text that had nothing to show, and may not be empty */
	bool is_raw = f->kind == FIELD_ANY;
	bool may_be_empty = is_raw || text->len == 0 || f->kind == FIELD_STRS || f->min == 0;
	int64_t max = f->kind == FIELD_STRS ? (int64_t)field_each_bytes(f) : f->max;
	size_t cap = is_raw ? text->len : 3 * text->len;
	if (text->data == NULL) {
		return;
	}
	char *to = record_take(b, cap + sizeof(nothing));
	if (to == NULL) {
		return;
	}
	cap = !is_raw && (uint64_t)max < cap ? (size_t)max : cap;
	if (is_raw) {
		memcpy(to, text->data, text->len);
	} else if ((f->flags & FIELD_LINES) != 0) {
		text->len = text_soften_lines(*text, to, cap);
	} else {
		text->len = text_soften(*text, to, cap);
	}
	if (text->len == 0 && !may_be_empty) {
		memcpy(to, nothing, sizeof(nothing));
		text->len = sizeof(nothing) - 1;
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
			record_own_text(b, f, member);
			break;
		case FIELD_STRS:
			items = record_take(b, strs->n * sizeof(*strs->items));
			if (items != NULL && strs->n > 0) {
				memcpy(items, strs->items, strs->n * sizeof(*strs->items));
				strs->items = (struct slice *)(void *)items;
			}
			for (size_t k = 0; k < strs->n; k++) {
				record_own_text(b, f, &strs->items[k]);
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

void *record_merge(const struct record *rec, const void *was, const void *in)
{
	if (was == NULL) {
		return record_own(rec, in);
	}
	char *both = malloc(rec->size);
	if (both == NULL) {
		return NULL;
	}
	memcpy(both, in, rec->size);
	for (size_t i = 0; i < rec->n; i++) {
		const struct field *f = &rec->fields[i];
		if ((f->flags & FIELD_DELTA) != 0 && !field_with(f, in)) {
			memcpy(both + f->offset, field_member(f, was), f->size + sizeof(bool));
		}
	}
	void *out = record_own(rec, both);
	free(both);
	return out;
}
