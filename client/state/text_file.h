/*
 * text_file.h - whole files in and out, with names as the command line gives them.
 */
#ifndef CLIENT_STATE_TEXT_FILE_H
#define CLIENT_STATE_TEXT_FILE_H

#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/slice.h"

/*
 * Append a file, or standard input for "-", up to the buffer's bound.
 * ERR_IO, ERR_TOO_LARGE; *why says which file.
 */
NODISCARD enum err text_file_read(const char *name, struct buf *out, struct errmsg *why);

/*
 * Put text in the file's place at once: whoever opens it sees the old or the
 * new whole. A file that is there keeps its permissions. ERR_IO; *why.
 */
NODISCARD enum err text_file_replace(const char *name, struct slice text, struct errmsg *why);

#endif
