/*
 * limit_values.h - parsing values of limits that can be changed, as people write them.
 */
#ifndef SERVER_CLI_LIMIT_VALUES_H
#define SERVER_CLI_LIMIT_VALUES_H

#include <stdint.h>

#include "proto/base/err.h"
#include "proto/base/limits.h"

/*
 * Parse "NAME=VALUE" and set that limit. @which: the limit that was set; may be NULL.
 *
 * ERR_INVALID  *why says what is wrong, for people.
 */
NODISCARD enum err limit_value_take(const char *text, int64_t limits[LIMIT_COUNT], enum limit *which,
				    struct errmsg *why);

/*
 * Parse a file of such lines; blanks around them are ignored, and lines beginning with # are
 * comments. On failure some limits may be set.
 *
 * ERR_NOT_FOUND, ERR_IO, ERR_NOMEM, ERR_INVALID  *why has the file, and the number of an invalid
 *                                                line.
 */
NODISCARD enum err limit_values_read(const char *path, int64_t limits[LIMIT_COUNT], struct errmsg *why);

#endif
