/*
 * ssh_session.h - aye --ssh-key SHA256:..., which sshd runs for whoever came in.
 *
 * One user of the system is many people, told apart by their keys: everything
 * remembered is in a directory of the key's own (xdg_dirs.h), and what to do is in
 * SSH_ORIGINAL_COMMAND (ssh_command.h). No other verb can be reached from
 * there, so nothing reads or writes a file that the person names, and no
 * program is started. There is no shell behind it to stop for.
 */
#ifndef CLIENT_CLI_SSH_SESSION_H
#define CLIENT_CLI_SSH_SESSION_H

#include "client/cli/verbs.h"

/*
 * Become the person of the key, and put the words and the name of the command
 * in place of --ssh-key; they stay valid. The exit code, told: EXIT_USAGE where
 * the key is none, where words stand beside it, where the command is none of
 * ours, or where it is empty and there is no terminal.
 */
int ssh_session_begin(struct args *a);

#endif
