/*
 * utf8.h - validity and length of UTF-8.
 *
 * Not here: which characters text may have (text.h).
 */
#ifndef PROTO_TEXT_UTF8_H
#define PROTO_TEXT_UTF8_H

#include <stdbool.h>

#include "proto/base/slice.h"

/*
 * Return whether the bytes are valid UTF-8: shortest forms only, no surrogates, nothing above
 * U+10FFFF.
 */
bool utf8_is_valid(struct slice s);

/* Return the number of characters (code points) of valid UTF-8. */
size_t utf8_chars(struct slice s);

#endif
