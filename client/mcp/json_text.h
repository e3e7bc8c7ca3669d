/*
 * json_text.h - find parts of a JSON text.
 *
 * A parser converts numbers; values that must be sent back exactly as received are cut
 * out of the text here. A parser must have accepted the text before, except for
 * json_text_is_flat().
 */
#ifndef CLIENT_MCP_JSON_TEXT_H
#define CLIENT_MCP_JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "proto/base/slice.h"

/* Whether containers are nested at most `depth` deep; takes any bytes. */
bool json_text_is_flat(struct slice text, size_t depth);

/*
 * The value of a member of an object; empty if there is none, or if its name is written with
 * escapes.
 */
struct slice json_text_member(struct slice object, const char *name);

#endif
