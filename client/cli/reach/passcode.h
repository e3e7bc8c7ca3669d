/*
 * passcode.h - a room's passcode, from a file or the terminal, never from an argument.
 *
 * Arguments are visible to all users of the machine, and stored by the shell.
 */
#ifndef CLIENT_CLI_REACH_PASSCODE_H
#define CLIENT_CLI_REACH_PASSCODE_H

#include <stdbool.h>

#include "client/cli/verbs.h"

#define PASSCODE_BYTES_MAX 256

/*
 * Read the first line of --passcode-file; "": the option was not given. Returns the exit code after
 * a report.
 */
int passcode_read(const struct cli *c, char out[PASSCODE_BYTES_MAX + 1]);

/* Ask on the terminal, without echo. Returns false if there is none, or nothing was typed. */
bool passcode_ask(const char *question, char out[PASSCODE_BYTES_MAX + 1]);

#endif
