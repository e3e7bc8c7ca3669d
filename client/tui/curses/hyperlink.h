/*
 * hyperlink.h - clickable addresses in the terminal (OSC 8).
 *
 * Pure.
 */
#ifndef CLIENT_TUI_CURSES_HYPERLINK_H
#define CLIENT_TUI_CURSES_HYPERLINK_H

#include <stdbool.h>

#include "proto/base/buf.h"

/* Ends the link of hyperlink_begin(). */
#define HYPERLINK_END "\033]8;;\033\\"

/*
 * Whether terminals of this type are known to open links, or at least to hide the sequence. NULL:
 * no.
 */
bool hyperlink_is_known(const char *term);

/* Whether the address may be opened: http or https. Other addresses are only text. NULL: no. */
bool hyperlink_is_one(const char *address);

/*
 * Append the start of a link; all but visible ASCII is written as %XX, so the address cannot end
 * the sequence.
 */
void hyperlink_begin(struct buf *out, const char *address);

#endif
