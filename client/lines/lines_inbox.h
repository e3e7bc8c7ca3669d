/*
 * lines_inbox.h - the inbox in lines mode: the waiting questions, numbered, and lines that read
 * and answer them.
 *
 * On a terminal it prompts for each line; with --plain a pipe may supply a whole session.
 * Otherwise it prints the list and ends. After a lost connection it reconnects and repeats its
 * request; an answer has an idempotency key, so it counts once.
 */
#ifndef CLIENT_LINES_LINES_INBOX_H
#define CLIENT_LINES_LINES_INBOX_H

#include "client/cli/verbs.h"

/* Returns the exit code; has reported a failure. */
int lines_inbox(struct cli *c);

#endif
