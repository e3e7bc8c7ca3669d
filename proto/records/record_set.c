/*
 * record_set.c - one field of a record, by its name.
 */
#include "proto/records/record.h"

#include <string.h>

#include "proto/records/record_fault.h"
#include "proto/text/utf8.h"

/* The member, with `with` set; NULL, with a fault, where there is no such field of that kind. */
static void *record_settable(const struct record *rec, void *in, struct slice name, unsigned kinds,
			     const char *claim, const struct field **row, struct fault *fault)
{
	const struct field *f = record_field(rec, name);
	if (f == NULL) {
		record_fault_unknown(fault, "", name);
		return NULL;
	}
	if ((kinds >> f->kind & 1) == 0) {
		fault_field(fault, f->name, "%s", claim);
		return NULL;
	}
	*row = f;
	return (char *)in + f->offset;
}

static void record_set_with(const struct field *f, void *in)
{
	const bool with = true;
	memcpy((char *)in + f->offset + f->size, &with, sizeof(with));
}

bool record_set_text(const struct record *rec, void *in, struct slice name, struct slice text,
		     struct fault *fault)
{
	const struct field *f;
	void *member = record_settable(rec, in, name,
				       1u << FIELD_STR | 1u << FIELD_TEXT | 1u << FIELD_ENUM,
				       "is not text", &f, fault);
	if (member == NULL) {
		return false;
	}
	if (f->kind == FIELD_ENUM) {
		int value = words_find(f->words, text);
		if (value < f->min || value > f->max) {
			record_fault_word(fault, f->name, f);
			return false;
		}
		memcpy(member, &value, sizeof(value));
	} else {
		struct slice there = text.len == 0 ? SLICE("") : text; /* NULL means nil */
		bool is_long = f->kind == FIELD_STR && (int64_t)text.len > f->max;
		if ((int64_t)text.len < f->min || is_long) {
			record_fault_range(fault, f->name, f, FAULT_RULE_LENGTH, "bytes");
			return false;
		}
		if (!utf8_is_valid(text)) {
			fault_field(fault, f->name, "must be valid UTF-8");
			return false;
		}
		memcpy(member, &there, sizeof(there));
	}
	record_set_with(f, in);
	return true;
}

bool record_set_int(const struct record *rec, void *in, struct slice name, int64_t value,
		    struct fault *fault)
{
	const struct field *f;
	void *member =
		record_settable(rec, in, name, 1u << FIELD_INT, "is not an integer", &f, fault);
	if (member == NULL) {
		return false;
	}
	if (value < f->min || value > f->max) {
		record_fault_range(fault, f->name, f, FAULT_RULE_RANGE, "");
		return false;
	}
	memcpy(member, &value, sizeof(value));
	record_set_with(f, in);
	return true;
}

bool record_set_bool(const struct record *rec, void *in, struct slice name, bool value,
		     struct fault *fault)
{
	const struct field *f;
	void *member = record_settable(rec, in, name, 1u << FIELD_BOOL, "is neither true nor false",
				       &f, fault);
	if (member == NULL) {
		return false;
	}
	memcpy(member, &value, sizeof(value));
	record_set_with(f, in);
	return true;
}

bool record_set_nil(const struct record *rec, void *in, struct slice name, struct fault *fault)
{
	const struct field *f = record_field(rec, name);
	if (f == NULL || (f->flags & FIELD_NIL) == 0) {
		if (f == NULL) {
			record_fault_unknown(fault, "", name);
		} else {
			fault_field(fault, f->name, "is required");
		}
		return false;
	}
	field_clear(f, in);
	record_set_with(f, in);
	return true;
}
