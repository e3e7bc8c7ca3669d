/*
 * explain.h - a refusal in the words of the command line.
 *
 * A fault names a field of the request. Users of verbs do not know the fields, so this names
 * the option or the word that they typed for it, and what is wrong with that.
 */
#ifndef CLIENT_CLI_OUTPUT_EXPLAIN_H
#define CLIENT_CLI_OUTPUT_EXPLAIN_H

#include "client/cli/verbs.h"
#include "proto/base/fault.h"

enum { EXPLAIN_BYTES_MAX = 2048 };

/* Write one sentence, cut at EXPLAIN_BYTES_MAX; safe to print. */
void explain(const struct cli *c, const struct fault *f, char out[EXPLAIN_BYTES_MAX]);

#endif
