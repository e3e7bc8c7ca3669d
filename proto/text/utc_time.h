/*
 * utc_time.h - a moment in UTC as programs read it (RFC 3339).
 */
#ifndef PROTO_TEXT_UTC_TIME_H
#define PROTO_TEXT_UTC_TIME_H

#include <stdint.h>

#define UTC_TIME_CHARS 20

/*
 * Write @at_ms, since 1970, into @out, which is returned: "2026-11-21T11:04:03Z"; "" for 0, for what
 * is earlier, and for what is after the year 9999.
 */
const char *utc_time(int64_t at_ms, char out[UTC_TIME_CHARS + 1]);

#endif
