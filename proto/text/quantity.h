/*
 * quantity.h - exact quantities of items: hundredths in the program, decimal text in the
 * protocol.
 *
 *   "0"  "12"  "0.5"  "999999999999.99"
 *
 * One to twelve digits, optionally followed by a point and one or two more. Any other form is
 * refused, never rounded: a third decimal, "1e3", ".5", "5.", "-0", "NaN".
 */
#ifndef PROTO_TEXT_QUANTITY_H
#define PROTO_TEXT_QUANTITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/err.h"
#include "proto/base/slice.h"

#define QUANTITY_MAX	   INT64_C(99999999999999) /* hundredths */
#define QUANTITY_BYTES_MAX 16			   /* of the text, including a sign */

/*
 * Parse a quantity. Returns false with *why, a static text to follow the field's name, if the
 * text is not one; *hundredths is set only on success.
 */
NODISCARD bool quantity_read(struct slice text, int64_t *hundredths, const char **why);

/* The same for a change, which may have a sign: "-1.5" subtracts. Zero is "0", without a sign. */
NODISCARD bool quantity_read_change(struct slice text, int64_t *hundredths, const char **why);

/*
 * Write the shortest text of a quantity, 0 to QUANTITY_MAX (asserted), and a NUL: "12.5", not
 * "12.50". Returns its length.
 */
size_t quantity_write(int64_t hundredths, char out[QUANTITY_BYTES_MAX + 1]);

/*
 * The same for a change given as a double: writes the text for quantity_read_change(), and a NUL.
 * The double must be the nearest one to its text: 0.07 is accepted, 0.001 and 0.1 + 0.2 are not.
 * Returns its length; 0 with *why on failure.
 */
size_t quantity_of_number(double number, char out[QUANTITY_BYTES_MAX + 1], const char **why);

/* The unit of a room's estimates. */
#define QUANTITY_UNIT_OF_ESTIMATES "points"
/*
 * Return whether a quantity with that unit is, or may become, an estimate: "1.5 l" is an amount
 * of something.
 */
bool quantity_is_estimate(bool has_quantity, struct slice unit);

#endif
