/*
 * clipboard.h - the escape sequence that copies text to the terminal's clipboard (OSC 52).
 *
 * tmux and GNU screen handle it themselves. Terminals that do not support it ignore
 * it, except for a few old ones, which would print it.
 *
 * Pure.
 */
#ifndef CLIENT_TUI_CURSES_CLIPBOARD_H
#define CLIENT_TUI_CURSES_CLIPBOARD_H

#include <stdbool.h>

#include "proto/base/buf.h"
#include "proto/base/slice.h"

/* Longer texts are not copied, since terminals limit the size. */
enum { CLIPBOARD_TEXT_BYTES_MAX = 1024 };

/* Whether a terminal of this type at least ignores the sequence. @term  $TERM; may be NULL. */
bool clipboard_is_likely(const char *term);
/* Append the sequence. A failure is in out->error. */
void clipboard_put(struct buf *out, struct slice text);

#endif
