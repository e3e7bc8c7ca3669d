/*
 * decimal.h - whole numbers in decimal digits, as people and peers write them.
 */
#ifndef PROTO_TEXT_DECIMAL_H
#define PROTO_TEXT_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/err.h"
#include "proto/base/slice.h"

/* The number that text begins with, of *digits bytes; -1 where no digit comes first or it is above max. */
int64_t decimal_front(struct slice text, int64_t max, size_t *digits);

/* Whether all of the text is a number from min to max, 0 or more; *out is set only then. */
NODISCARD bool decimal_read(struct slice text, int64_t min, int64_t max, int64_t *out);

#endif
