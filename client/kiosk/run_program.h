/*
 * run_program.h - run a program by its path until it exits, without a shell.
 */
#ifndef CLIENT_KIOSK_RUN_PROGRAM_H
#define CLIENT_KIOSK_RUN_PROGRAM_H

#include <stdbool.h>

#include "proto/base/buf.h"
#include "proto/base/err.h"

/*
 * Run with an empty standard input. Its output, including standard error, is appended to *out, as
 * much as fits. Returns false if it cannot be run or its exit status is not 0: *why then has the
 * first line of its output.
 * @words  the path and the arguments, ending with NULL.
 * @out    NULL: drop the output.
 */
bool run_program(const char *const *words, struct buf *out, struct errmsg *why);

#endif
