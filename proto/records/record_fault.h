/*
 * record_fault.h - what is wrong with a field, in words; for the codec's own files.
 *
 * Each fills *fault with a VALIDATION_ERROR. `path` names the field, as record.h has it.
 */
#ifndef PROTO_RECORDS_RECORD_FAULT_H
#define PROTO_RECORDS_RECORD_FAULT_H

#include "proto/records/record.h"

/* "must be 1 to 64 bytes long": of a LENGTH, of a COUNT "must be 1 to 64 strings", of a RANGE without a unit "must be 1 to 64". */
void record_fault_range(struct fault *fault, const char *path, const struct field *f, enum fault_rule rule, const char *unit);

/* "must be voter or spectator" */
void record_fault_word(struct fault *fault, const char *path, const struct field *f);

/* For a name with no row, which is a peer's own text; `in` is the path of the record, or "". */
void record_fault_unknown(struct fault *fault, const char *in, struct slice name);

/* Where the row of that name is, searched from `from` on; rec->n where there is none. */
size_t record_find(const struct record *rec, struct slice name, size_t from);

#endif
