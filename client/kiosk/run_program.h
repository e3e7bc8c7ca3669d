/*
 * run_program.h - run a program of the system to its end, by the path that is told; no shell.
 */
#ifndef CLIENT_KIOSK_RUN_PROGRAM_H
#define CLIENT_KIOSK_RUN_PROGRAM_H

#include <stdbool.h>

#include "proto/base/buf.h"
#include "proto/base/err.h"

/*
 * Its standard input is empty. What it prints, errors too, is appended to *out as far as that
 * takes it.
 * @words  the path first, NULL behind the last.
 * @out    NULL: nobody wants it.
 * False where it cannot be run or does not end with 0: *why has the first line of what it printed.
 */
bool run_program(const char *const *words, struct buf *out, struct errmsg *why);

#endif
