/*
 * text_merge.h - two texts that were made of one, brought together by lines.
 *
 * Loses nothing of what either wrote: where both changed the same lines, both
 * versions stand there, theirs first.
 */
#ifndef CLIENT_MODEL_TEXT_MERGE_H
#define CLIENT_MODEL_TEXT_MERGE_H

#include <stdbool.h>

#include "proto/base/buf.h"

/*
 * Appended to out, with a NUL behind it; the buffer's sticky error tells of
 * failure. Returns whether both changed the same place.
 */
bool text_merge_lines(const char *base, const char *mine, const char *theirs, struct buf *out);

#endif
