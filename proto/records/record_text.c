/*
 * record_text.c - see record_text.h.
 */
#include "proto/records/record_text.h"

#include <inttypes.h>
#include <string.h>

#include "proto/text/text.h"
#include "proto/text/utf8.h"

bool record_text_is_soft(struct slice text)
{
	char before = ' ';
	for (size_t i = 0; i < text.len; i++) {
		char c = text.data[i];
		if (c < ' ' || c > '~' || (c == ' ' && before == ' ')) {
			return false;
		}
		before = c;
	}
	return text.len == 0 || before != ' ';
}

enum err record_soften_text(const struct field *f, struct arena *arena, struct slice *text)
{
	size_t max = (size_t)f->max;
	if (!record_text_is_soft(*text)) {
		size_t cap = 3 * text->len < max ? 3 * text->len : max;
		char *soft = arena_alloc(arena, cap);
		if (soft == NULL) {
			return ERR_NOMEM;
		}
		*text = slice_of(soft, (f->flags & FIELD_LINES) != 0
					       ? text_soften_lines(*text, soft, cap)
					       : text_soften(*text, soft, cap));
	}
	text->len = text->len < max ? text->len : max;
	if (f->cells != 0 && (f->flags & FIELD_CHARS) == 0) {
		text->len = text_fit(*text, f->cells);
	}
	/* A cut may have left the space before a word. */
	text->len -=
		text->len > 0 && text->data[text->len - 1] == ' ' && (f->flags & FIELD_LINES) == 0;
	if (text->len < (size_t)f->min) {
		*text = SLICE("\xef\xbf\xbd");
	}
	return OK;
}

/* Most of what people write is clean and stays where it is. */
enum err record_clean_text(const struct field *f, struct arena *arena, struct slice *text,
			   struct fault *fault)
{
	size_t cells = text->len;
	enum err e = OK;
	if (!record_text_is_soft(*text)) {
		char *clean = arena_alloc(arena, (size_t)f->max);
		size_t len = 0;
		int32_t bad = 0;
		if (clean == NULL) {
			return ERR_NOMEM;
		}
		e = (f->flags & FIELD_LINES) != 0
			    ? text_clean_lines(*text, clean, (size_t)f->max, &len, &bad)
			    : text_clean(*text, clean, (size_t)f->max, &len, &bad);
		if (e == ERR_INVALID) {
			fault_field(fault, f->name,
				    "has a character that may not be shown (U+%04X)",
				    (unsigned)bad);
			return ERR_INVALID;
		}
		*text = len == 0 ? SLICE("") : slice_of(clean, len);
		*text = (f->flags & FIELD_LINES) != 0 ? text_trim_lines(*text) : *text;
		cells = f->cells == 0 ? 0 : text_cells(*text);
	}
	if ((f->flags & FIELD_CHARS) != 0) {
		/* What is longer than the row's bytes is longer than its characters. */
		size_t chars = utf8_chars(*text);
		if (e == OK && chars <= f->cells && (int64_t)chars >= f->min) {
			return OK;
		}
		fault_field(fault, f->name, "must be %" PRId64 " to %zu characters long", f->min,
			    f->cells);
		fault_bounds(fault, FAULT_RULE_LENGTH, f->min, (int64_t)f->cells, "characters");
	} else if (e != OK || text->len > (size_t)f->max) {
		fault_field(fault, f->name, "is longer than %" PRId64 " bytes", f->max);
		fault_bounds(fault, FAULT_RULE_LENGTH, f->min, f->max, "bytes");
	} else if (text->len < (size_t)f->min) {
		fault_field(fault, f->name, "must not be blank");
	} else if (f->cells != 0 && cells > f->cells) {
		fault_field(fault, f->name, "is wider than %zu columns", f->cells);
		fault_bounds(fault, FAULT_RULE_LENGTH, 0, (int64_t)f->cells, "cells");
	} else {
		return OK;
	}
	return ERR_INVALID;
}
