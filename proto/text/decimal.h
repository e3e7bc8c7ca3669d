/*
 * decimal.h - decimal integers, as people and peers write them.
 */
#ifndef PROTO_TEXT_DECIMAL_H
#define PROTO_TEXT_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/err.h"
#include "proto/base/slice.h"

/*
 * Return the number at the start of the text, which has *digits digits; -1 if there is no digit
 * or it is above max.
 */
int64_t decimal_front(struct slice text, int64_t max, size_t *digits);

/*
 * Return whether the whole text is a number from min to max, with min >= 0; *out is set only
 * then.
 */
NODISCARD bool decimal_read(struct slice text, int64_t min, int64_t max, int64_t *out);

#define DECIMAL_BYTES_MAX 20
/* Write the digits of the number; return how many. For where printf() is too slow. */
size_t decimal_write(uint64_t number, char out[DECIMAL_BYTES_MAX]);

#endif
