/*
 * local_time.h - a moment as people read it: local, 24 hours. What programs read is in UTC (export_time()).
 */
#ifndef CLIENT_CLI_OUTPUT_LOCAL_TIME_H
#define CLIENT_CLI_OUTPUT_LOCAL_TIME_H

#include <stdint.h>

enum local_form {
	LOCAL_DAY,    /* 2026-11-24 */
	LOCAL_MINUTE, /* 2026-11-24 06:32 */
	LOCAL_CLOCK,  /* 06:32, of a moment within a day */
	LOCAL_SECOND, /* 06:32:05, likewise */
};

/* Write @ms, since 1970, into @out, which is returned; "" if this system cannot represent it. */
#define LOCAL_TIME_BYTES 40
const char *local_time(int64_t ms, enum local_form form, char out[LOCAL_TIME_BYTES]);

#endif
