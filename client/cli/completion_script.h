/*
 * completion_script.h - what makes a shell complete the words of aye: a script that asks
 * `aye completion words` for each word.
 */
#ifndef CLIENT_CLI_COMPLETION_SCRIPT_H
#define CLIENT_CLI_COMPLETION_SCRIPT_H

/* What stands in the answer to a script in place of words where it is a file that is to be named. */
#define COMPLETION_FILE "<file>"

/* The script for bash, zsh or fish; NULL: for no other. */
const char *completion_script(const char *shell);

#endif
