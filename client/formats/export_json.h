/*
 * export_json.h - records as JSON, with the names that the wire has.
 */
#ifndef CLIENT_FORMATS_EXPORT_JSON_H
#define CLIENT_FORMATS_EXPORT_JSON_H

#include <jansson.h>

#include "proto/records/record.h"

/* An object without what is nil, empty, or absent and none. The caller's. */
json_t *export_record(const struct record *rec, const void *in);

#endif
