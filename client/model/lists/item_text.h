/*
 * item_text.h - the expiry of an item as people read and write it.
 */
#ifndef CLIENT_MODEL_LISTS_ITEM_TEXT_H
#define CLIENT_MODEL_LISTS_ITEM_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/base/slice.h"
#include "proto/text/utc_time.h"

/*
 * Parse "2026-12-24", or with a time, "2026-12-24T18:30" or "2026-12-24 18:30:00Z"; in UTC, so that
 * a day is the same for everyone. Returns false, leaving *ms unchanged, unless it is after 1970 and
 * before the year 10000.
 */
bool item_read_expiry(struct slice text, int64_t *ms);

/*
 * Write the day, and the time unless it is midnight, as item_read_expiry() parses it. Returns out.
 */
const char *item_expiry(int64_t ms, char out[UTC_TIME_CHARS + 1]);

#endif
