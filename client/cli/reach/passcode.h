/*
 * passcode.h - a room's passcode, from a file or a person, never from an argument.
 *
 * Arguments are seen by everybody on the machine and kept by the shell.
 */
#ifndef CLIENT_CLI_REACH_PASSCODE_H
#define CLIENT_CLI_REACH_PASSCODE_H

#include <stdbool.h>

#include "client/cli/verbs.h"

#define PASSCODE_BYTES_MAX 256

/* The first line of --passcode-file; "" where the option was not given. The exit code, told. */
int passcode_read(const struct cli *c, char out[PASSCODE_BYTES_MAX + 1]);

/* Ask at the terminal, without echo. False where there is none, or nothing was typed. */
bool passcode_ask(const char *question, char out[PASSCODE_BYTES_MAX + 1]);

#endif
