/*
 * ssh_keys.h - whether a text is a list of public keys and nothing more.
 */
#ifndef CLIENT_KIOSK_SSH_KEYS_H
#define CLIENT_KIOSK_SSH_KEYS_H

#include "proto/base/err.h"
#include "proto/base/slice.h"

/*
 * Check that each line of @text is a public key as ssh-keygen(1) writes it, without options before
 * it, or is empty or a comment, and that there is at least one key (sshd(8), AUTHORIZED_KEYS FILE
 * FORMAT). @name  of the file, for *why.
 *
 * ERR_INVALID  *why names the first line that is something else, or says that there is no key.
 */
NODISCARD enum err ssh_keys_check(struct slice text, const char *name, struct errmsg *why);

#endif
