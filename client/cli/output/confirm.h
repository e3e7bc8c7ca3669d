/*
 * confirm.h - the question before a verb does what people would not want by mistake.
 */
#ifndef CLIENT_CLI_OUTPUT_CONFIRM_H
#define CLIENT_CLI_OUTPUT_CONFIRM_H

#include "client/cli/verbs.h"

/*
 * The question of the verb's row, when all of what it is about is known to be there: EXIT_DONE where there
 * is none, --yes was given or the answer is yes; EXIT_NO where it is no. Away from a terminal nobody can be
 * asked, so what is for good has to be confirmed by --yes: else EXIT_USAGE, told.
 */
int confirm(const struct cli *c);

#endif
