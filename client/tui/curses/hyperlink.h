/*
 * hyperlink.h - an address that the terminal opens at a click (OSC 8).
 *
 * Pure.
 */
#ifndef CLIENT_TUI_CURSES_HYPERLINK_H
#define CLIENT_TUI_CURSES_HYPERLINK_H

#include <stdbool.h>

#include "proto/base/buf.h"

/* Ends what hyperlink_begin() has begun. */
#define HYPERLINK_END "\033]8;;\033\\"

/* Whether terminals of this type are known to open them, or at least to show nothing of them. NULL is none. */
bool hyperlink_is_known(const char *term);

/* Whether it is an address to open: http or https. Whatever else people write is only text. NULL is none. */
bool hyperlink_is_one(const char *address);

/* Append what begins it; all that is no visible ASCII is written as %XX, so nothing in it can end it. */
void hyperlink_begin(struct buf *out, const char *address);

#endif
