/*
 * confirm.h - what has no way back is asked about first.
 */
#ifndef CLIENT_CLI_CONFIRM_H
#define CLIENT_CLI_CONFIRM_H

#include "client/cli/verbs.h"

/*
 * EXIT_DONE: --yes was given, or a person at a terminal says yes to `question`, which ends without a question
 * mark. EXIT_NO: another answer. EXIT_USAGE: nobody is there to be asked; told.
 */
int confirm(const struct cli *c, const char *question);

#endif
