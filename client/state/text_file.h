/*
 * text_file.h - read and write whole files named on the command line.
 */
#ifndef CLIENT_STATE_TEXT_FILE_H
#define CLIENT_STATE_TEXT_FILE_H

#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/slice.h"

/*
 * Append a file, or standard input for "-", up to the buffer's limit.
 * ERR_IO, ERR_TOO_LARGE; *why says which file.
 */
NODISCARD enum err text_file_read(const char *name, struct buf *out, struct errmsg *why);

/*
 * Replace the file's content atomically. An existing file keeps its permissions.
 * ERR_IO  with *why.
 */
NODISCARD enum err text_file_replace(const char *name, struct slice text, struct errmsg *why);

#endif
