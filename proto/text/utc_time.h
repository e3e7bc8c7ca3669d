/*
 * utc_time.h - a moment in UTC as programs read it: RFC 3339, and as HTTP writes it.
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

#define UTC_TIME_HTTP_CHARS 29

/* The same as the Date of an HTTP answer: "Sat, 21 Nov 2026 11:04:03 GMT" (RFC 9110, 5.6.7). */
const char *utc_time_http(int64_t at_ms, char out[UTC_TIME_HTTP_CHARS + 1]);

#endif
