/*
 * clipboard.h - what a terminal is sent to put a text into its clipboard (OSC 52).
 *
 * tmux and GNU screen take it for themselves; terminals that do not know it
 * ignore it, but for a few old kinds, which would print it.
 *
 * Pure.
 */
#ifndef CLIENT_TUI_CURSES_CLIPBOARD_H
#define CLIENT_TUI_CURSES_CLIPBOARD_H

#include <stdbool.h>

#include "proto/base/buf.h"
#include "proto/base/slice.h"

/* Longer texts are not copied: terminals bound what they take. */
enum { CLIPBOARD_TEXT_BYTES_MAX = 1024 };

/* Whether a terminal of this kind ignores what it does not know. @term  $TERM; may be NULL. */
bool clipboard_is_likely(const char *term);
/* Append the sequence. What went wrong stays in out->error. */
void clipboard_put(struct buf *out, struct slice text);

#endif
