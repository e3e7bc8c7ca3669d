/*
 * record.c - the rows of a record: finding one, and saying what is wrong with its value.
 */
#include "proto/records/record.h"

#include <inttypes.h>
#include <string.h>

#include "proto/base/format.h"
#include "proto/base/limits.h"
#include "proto/records/record_fault.h"
#include "proto/text/text.h"

/* What is repeated of a name that a peer made up. */
#define RECORD_ECHO_BYTES 32

/* Fields mostly come in row order, so the search begins where the last one was found. */
size_t record_find(const struct record *rec, struct slice name, size_t from)
{
	for (size_t i = 0; i < rec->n; i++) {
		size_t at = from + i < rec->n ? from + i : from + i - rec->n;
		const struct field *row = &rec->fields[at];
		if (row->name_len == name.len && memcmp(row->name, name.data, name.len) == 0) {
			return at;
		}
	}
	return rec->n;
}

size_t field_each_bytes(const struct field *f)
{
	return f->cells != 0 ? FIELD_CHAR_BYTES * f->cells : MAX_CARD_BYTES;
}

const struct field *record_field(const struct record *rec, struct slice name)
{
	size_t row = rec->n == 0 || name.len == 0 ? rec->n : record_find(rec, name, 0);
	return row == rec->n ? NULL : &rec->fields[row];
}

void record_fault_range(struct fault *fault, const char *path, const struct field *f,
			enum fault_rule rule, const char *unit)
{
	char of[40];
	format_to(of, sizeof(of), "%s%s%s", unit[0] == '\0' ? "" : " ", unit,
		  rule == FAULT_RULE_LENGTH ? " long" : "");
	if (f->max == INT64_MAX) {
		fault_field(fault, path, "must be at least %" PRId64 "%s", f->min, of);
	} else if (f->min == f->max) {
		fault_field(fault, path, "must be %" PRId64 "%s", f->min, of);
	} else {
		fault_field(fault, path, "must be %" PRId64 " to %" PRId64 "%s", f->min, f->max,
			    of);
	}
	fault_bounds(fault, rule, f->min, f->max, unit);
}

void record_fault_word(struct fault *fault, const char *path, const struct field *f)
{
	char words[sizeof(fault->message)] = "";
	size_t len = 0;
	for (int64_t i = f->min; i <= f->max; i++) {
		const char *sep = i == f->min ? "" : i == f->max ? " or " : ", ";
		len += format_to(words + len, sizeof(words) - len, "%s%s", sep,
				 words_text(f->words, (int)i));
	}
	fault_field(fault, path, "must be %s", words);
	fault_bounds(fault, FAULT_RULE_CHOICE, 0, 0, "");
}

void record_fault_unknown(struct fault *fault, const char *in, struct slice name)
{
	char shown[RECORD_ECHO_BYTES + 1];
	char path[sizeof(fault->field)];
	size_t len = text_soften(name, shown, RECORD_ECHO_BYTES);
	if (len == 0) {
		shown[len++] = '?';
	}
	shown[len] = '\0';
	format_to(path, sizeof(path), "%s%s%s", in, in[0] == '\0' ? "" : ".", shown);
	fault_field(fault, path, "unknown field");
}
