/*
 * quantity.h - how much there is of an item, exactly: hundredths in the program, decimal text on the wire.
 *
 *   "0"  "12"  "0.5"  "999999999999.99"
 *
 * One to twelve digits, then nothing or a point with one or two more. What has another
 * form is refused, never rounded: a third decimal, "1e3", ".5", "5.", "-0", "NaN".
 */
#ifndef PROTO_TEXT_QUANTITY_H
#define PROTO_TEXT_QUANTITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/err.h"
#include "proto/base/slice.h"

#define QUANTITY_MAX	   INT64_C(99999999999999) /* hundredths */
#define QUANTITY_BYTES_MAX 16			   /* of the text, with a sign */

/* False with *why, a static text that goes behind the field's name, where the text is no quantity; *hundredths is set only where it is one. */
NODISCARD bool quantity_read(struct slice text, int64_t *hundredths, const char **why);

/* The same of a change, which may have a sign before it: "-1.5" takes away. Nothing is "0", without a sign. */
NODISCARD bool quantity_read_change(struct slice text, int64_t *hundredths, const char **why);

/* The shortest text of a quantity, 0 to QUANTITY_MAX (asserted), and a NUL: "12.5", not "12.50". Returns its length. */
size_t quantity_write(int64_t hundredths, char out[QUANTITY_BYTES_MAX + 1]);

/*
 * The same of a change that comes as a number: the text of quantity_read_change(), and a NUL. Only a double that is
 * the nearest one to its text is taken: 0.07, but neither 0.001 nor 0.1 + 0.2.
 * Returns its length; 0 with *why.
 */
size_t quantity_of_number(double number, char out[QUANTITY_BYTES_MAX + 1], const char **why);

/* What a room's estimates are counted in. */
#define QUANTITY_UNIT_OF_ESTIMATES "points"
/* Whether a number in that unit is, or may become, an estimate: "1.5 l" is how much there is of something. */
bool quantity_is_estimate(bool has_quantity, struct slice unit);

#endif
