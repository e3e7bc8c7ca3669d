/*
 * text_merge.h - a three-way merge of texts by lines.
 *
 * Loses no text of either side: if both changed the same lines, both versions are
 * kept, theirs first.
 */
#ifndef CLIENT_MODEL_TEXT_MERGE_H
#define CLIENT_MODEL_TEXT_MERGE_H

#include <stdbool.h>

#include "proto/base/buf.h"

/*
 * Append the merged text and a NUL to *out; a failure is in the buffer's error.
 * Returns whether both changed the same lines.
 */
bool text_merge_lines(const char *base, const char *mine, const char *theirs, struct buf *out);

#endif
