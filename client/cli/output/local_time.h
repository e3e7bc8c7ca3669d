/*
 * local_time.h - times for people: local, with 24 hours. Times for programs are in UTC
 * (utc_time()).
 */
#ifndef CLIENT_CLI_OUTPUT_LOCAL_TIME_H
#define CLIENT_CLI_OUTPUT_LOCAL_TIME_H

#include <stdint.h>

enum local_form {
	LOCAL_DAY,    /* 2026-11-24 */
	LOCAL_MINUTE, /* 2026-11-24 06:32 */
	LOCAL_CLOCK,  /* 06:32, for a time within a day */
	LOCAL_SECOND, /* 06:32:05, for a time within a day */
};

/* Write a time in ms since 1970; "" if the system cannot represent it. Returns out. */
#define LOCAL_TIME_BYTES 40
const char *local_time(int64_t ms, enum local_form form, char out[LOCAL_TIME_BYTES]);

#endif
