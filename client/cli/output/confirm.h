/*
 * confirm.h - the confirmation before a verb with serious effects.
 */
#ifndef CLIENT_CLI_OUTPUT_CONFIRM_H
#define CLIENT_CLI_OUTPUT_CONFIRM_H

#include "client/cli/verbs.h"

/*
 * Ask the question of the verb's row; call it once everything the verb needs is known to exist.
 * EXIT_DONE: yes, or no question, or --yes was given. EXIT_NO: no. Without a terminal, an action
 * that cannot be undone requires --yes: otherwise EXIT_USAGE, which was reported.
 */
int confirm(const struct cli *c);
/* The same, with that text for the star. */
int confirm_about(const struct cli *c, const char *star);
/* Whether a question of this verb would be asked: there is a terminal, or it needs --yes. */
bool confirm_is_asked(const struct cli *c);
/* Ask that question, of a verb for which confirm_is_asked(). Text of others must be softened before. */
int confirm_question(const struct cli *c, const char *question);

#endif
