/*
 * record_fault.h - messages about what is wrong with a field; for the files of the codec.
 *
 * Each function fills *fault with a VALIDATION_ERROR. `path` names the field, as in record.h.
 */
#ifndef PROTO_RECORDS_RECORD_FAULT_H
#define PROTO_RECORDS_RECORD_FAULT_H

#include "proto/records/record.h"

/*
 * "must be 1 to 64 bytes long" for LENGTH, "must be 1 to 64 strings" for COUNT, "must be 1 to 64"
 * for RANGE without a unit.
 */
void record_fault_range(struct fault *fault, const char *path, const struct field *f, enum fault_rule rule, const char *unit);

/* "must be voter or spectator" */
void record_fault_word(struct fault *fault, const char *path, const struct field *f);

/* For a name without a row; the name is text from a peer. `in` is the path of the record, or "". */
void record_fault_unknown(struct fault *fault, const char *in, struct slice name);

/*
 * Return the index of the row with this name, searched from index `from` on; rec->n if there is
 * none.
 */
size_t record_find(const struct record *rec, struct slice name, size_t from);

#endif
