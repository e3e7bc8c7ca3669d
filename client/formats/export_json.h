/*
 * export_json.h - records as JSON, with the field names of the protocol.
 */
#ifndef CLIENT_FORMATS_EXPORT_JSON_H
#define CLIENT_FORMATS_EXPORT_JSON_H

#include <jansson.h>

#include "proto/records/record.h"

/*
 * Convert a record to an object, without fields that are nil, empty or absent. Owned by the caller.
 */
json_t *export_record(const struct record *rec, const void *in);

#endif
