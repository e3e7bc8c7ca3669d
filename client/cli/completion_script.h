/*
 * completion_script.h - shell scripts that complete the words of aye, by running
 * `aye completion words` for each word.
 */
#ifndef CLIENT_CLI_COMPLETION_SCRIPT_H
#define CLIENT_CLI_COMPLETION_SCRIPT_H

/* The answer to a script, instead of words, if a file name is to be completed. */
#define COMPLETION_FILE "<file>"

/* The script for bash, zsh or fish; NULL: another shell. Static. */
const char *completion_script(const char *shell);

#endif
