/*
 * option_values.h - sizes, times and modes, as they are typed for options of ayed.
 */
#ifndef SERVER_CLI_OPTION_VALUES_H
#define SERVER_CLI_OPTION_VALUES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Each returns false if the text is not of its form; *out is set only if it is. */

/* Digits, and K, M, G or T, or KiB and so on; at least min bytes. */
bool option_bytes(const char *text, int64_t min, int64_t *out);
/* A number from 1 and s, m, h or d; *out is in seconds. */
bool option_time(const char *text, int64_t *out);
/* Up to four octal digits; *out has only the permission bits. */
bool option_mode(const char *text, mode_t *out);

#endif
