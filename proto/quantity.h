/*
 * quantity.h - how much there is of an item, exactly: hundredths in the program, decimal text on the wire.
 *
 *   "0"  "12"  "0.5"  "999999999999.99"
 *
 * One to twelve digits, then nothing or a point with one or two more. What has another
 * form is refused, never rounded: a third decimal, "1e3", ".5", "5.", "-0", "NaN".
 */
#ifndef PROTO_QUANTITY_H
#define PROTO_QUANTITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/err.h"
#include "proto/slice.h"

#define QUANTITY_MAX	   INT64_C(99999999999999) /* hundredths */
#define QUANTITY_BYTES_MAX 16			   /* of the text, with a sign */

/* False with *why, a static text that goes behind the field's name, where the text is no quantity; *hundredths is set only where it is one. */
NODISCARD bool quantity_read(struct slice text, int64_t *hundredths, const char **why);

/* The same of a change, which may have a sign before it: "-1.5" takes away. Nothing is "0", without a sign. */
NODISCARD bool quantity_read_change(struct slice text, int64_t *hundredths, const char **why);

/* The shortest text of a quantity, 0 to QUANTITY_MAX (asserted), and a NUL: "12.5", not "12.50". Returns its length. */
size_t quantity_write(int64_t hundredths, char out[QUANTITY_BYTES_MAX + 1]);

#endif
