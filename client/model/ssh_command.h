/*
 * ssh_command.h - what somebody who came in by ssh may ask for.
 *
 * The text is SSH_ORIGINAL_COMMAND: a stranger's. It is split at blanks, no
 * shell sees it, and what is not in this grammar is refused:
 *
 *   (nothing)                      the rooms of this key, on a screen
 *   [join] CODE [--name NAME]      into a room; NAME goes to the end of the line
 *   new [--name NAME]              make a room and go in
 *   login NAME, logout, whoami     one user in every room
 */
#ifndef CLIENT_MODEL_SSH_COMMAND_H
#define CLIENT_MODEL_SSH_COMMAND_H

#include <assert.h>
#include <stdbool.h>

#include "proto/err.h"
#include "proto/limits.h"
#include "proto/room_code.h"
#include "proto/slice.h"

#define SSH_COMMAND_BYTES_MAX 256
/* For whoever asked for something else. */
#define SSH_COMMAND_POSSIBLE "nothing, CODE, join CODE [--name NAME], new [--name NAME], login NAME, logout or whoami"

static_assert(CODE_CHARS_MAX <= MAX_NAME_BYTES, "a word holds either");

struct ssh_command {
	const char *verb;                /* as the table of verbs has it: home, join, new, login, logout, whoami */
	char word[MAX_NAME_BYTES + 1];   /* what follows it: a code in upper case, a name; "": nothing does */
	char name[MAX_NAME_BYTES + 1];   /* "": not told */
};

/*
 * ERR_INVALID  longer than SSH_COMMAND_BYTES_MAX, a control character, or not in the grammar.
 */
NODISCARD enum err ssh_command_parse(struct slice text, struct ssh_command *out);

#endif
