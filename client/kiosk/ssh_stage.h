/*
 * ssh_stage.h - what sshd says of a configuration before it is in place: the whole of it is written
 * into a directory of its own below /run, where nobody else writes, and removed again.
 */
#ifndef CLIENT_KIOSK_SSH_STAGE_H
#define CLIENT_KIOSK_SSH_STAGE_H

#include "proto/base/err.h"

/*
 * Ask sshd -t whether it accepts the configuration below @root with our file changed, and sshd -T
 * whether each line of our file would be the one that applies to @user: of two values sshd takes the first
 * (sshd_config(5)).
 *
 * @root      before /etc/ssh; "": this system.
 * @our_path  of our file, with the root.
 * @our_text  what is to be in it; NULL: it is to go.
 *
 * ERR_INVALID  sshd refuses it, does not include the directory, or has another line first; *why says which.
 * ERR_IO       a file cannot be read or written; *why names it.
 * ERR_NOMEM, ERR_TOO_LARGE
 */
NODISCARD enum err ssh_stage_check(const char *root, const char *user, const char *our_path,
				   const char *our_text, struct errmsg *why);

#endif
