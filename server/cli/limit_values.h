/*
 * limit_values.h - values for the limits that may be changed, as people write them.
 */
#ifndef SERVER_CLI_LIMIT_VALUES_H
#define SERVER_CLI_LIMIT_VALUES_H

#include <stdint.h>

#include "proto/base/err.h"
#include "proto/base/limits.h"

/*
 * Take "NAME=VALUE". @which  the limit that was set; may be NULL.
 * ERR_INVALID  *why says what is wrong, for a person.
 */
NODISCARD enum err limit_value_take(const char *text, int64_t limits[LIMIT_COUNT], enum limit *which,
				    struct errmsg *why);

/*
 * Take a file of such lines; blanks around them are no part of them, and what begins
 * with # is a comment. On failure limits may be set in part.
 * ERR_NOT_FOUND, ERR_IO, ERR_NOMEM, ERR_INVALID  *why names the file, and the line where it is one.
 */
NODISCARD enum err limit_values_read(const char *path, int64_t limits[LIMIT_COUNT], struct errmsg *why);

#endif
