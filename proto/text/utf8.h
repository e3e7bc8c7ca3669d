/*
 * utf8.h - whether bytes are UTF-8, and nothing more.
 *
 * Not here: which characters text may have (text.h).
 */
#ifndef PROTO_TEXT_UTF8_H
#define PROTO_TEXT_UTF8_H

#include <stdbool.h>

#include "proto/base/slice.h"

/* Shortest forms only, no surrogates, nothing above U+10FFFF. */
bool utf8_is_valid(struct slice s);

/* How many characters (code points) valid UTF-8 has. */
size_t utf8_chars(struct slice s);

#endif
