/*
 * lines_inbox.h - the inbox without a screen: the questions that wait, each with a number, and
 * lines that read and answer them.
 *
 * A person is asked for one line after the other; a pipe with --plain may write a whole session.
 * Where neither is there the list is printed, and that is all. A connection that is lost on the
 * way is made again, and what was asked is asked again: an answer carries a key, so it counts once.
 */
#ifndef CLIENT_LINES_LINES_INBOX_H
#define CLIENT_LINES_LINES_INBOX_H

#include "client/cli/verbs.h"

/* The exit code, told. */
int lines_inbox(struct cli *c);

#endif
