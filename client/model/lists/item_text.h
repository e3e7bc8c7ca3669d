/*
 * item_text.h - an item as people read and write it.
 */
#ifndef CLIENT_MODEL_LISTS_ITEM_TEXT_H
#define CLIENT_MODEL_LISTS_ITEM_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "client/formats/export.h"
#include "proto/base/slice.h"

/*
 * "2026-12-24", or with a time behind it: "2026-12-24T18:30", "2026-12-24 18:30:00Z"; UTC, as a day is
 * the same day for everybody then. False where it is none after 1970 and before 10000; *ms is set only then.
 */
bool item_read_expiry(struct slice text, int64_t *ms);

/* The day, and the time where that is not midnight; item_read_expiry() reads it. */
const char *item_expiry(int64_t ms, char out[EXPORT_TIME_CHARS + 1]);

#endif
