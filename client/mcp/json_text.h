/*
 * json_text.h - where the parts of JSON text stand.
 *
 * A parser turns numbers into its own; what has to be sent back exactly as it
 * came is cut out of the text here. The text is of a value that a parser has
 * accepted, but for json_text_is_flat().
 */
#ifndef CLIENT_MCP_JSON_TEXT_H
#define CLIENT_MCP_JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "proto/base/slice.h"

/* Whether no container is in more than depth others; of any bytes. */
bool json_text_is_flat(struct slice text, size_t depth);

/* The value of that member of an object; empty where it has none, or its name is written with escapes. */
struct slice json_text_member(struct slice object, const char *name);

/* The element of an array at *at, which begins at 0 and goes behind it; empty at the end. */
struct slice json_text_element(struct slice array, size_t *at);

#endif
