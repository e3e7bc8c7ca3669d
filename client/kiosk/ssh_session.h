/*
 * ssh_session.h - aye --ssh-session, which sshd runs for users who connect (ForceCommand).
 *
 * Many people share one system user, and are told apart by their ssh keys. sshd reports the key
 * (ExposeAuthInfo), and this process passes it on to ayed, which trusts it by its uid: the same
 * key is the same user, with the same name and seats. Nothing is stored here. The command is in
 * SSH_ORIGINAL_COMMAND (ssh_command.h); no other verbs are available, and the process is confined
 * before it reads input of the user (ssh_confine.h).
 */
#ifndef CLIENT_KIOSK_SSH_SESSION_H
#define CLIENT_KIOSK_SSH_SESSION_H

#include <stdbool.h>

#include "client/cli/verbs.h"
#include "client/model/recent_rooms.h"
#include "client/model/sign_in.h"

/*
 * Log in as the user of the key, with a name, and replace --ssh-session by the words and options of
 * the command, which stay valid. *is_over: there is nothing more to do.
 *
 * Returns the exit code; has reported a failure. EXIT_USAGE: other words or options were given,
 * sshd named no key, the command is not allowed, or it needs a terminal, or a name, and there is
 * none. EXIT_NO_SERVER: no server, or the process cannot be confined. EXIT_REFUSED: by the server.
 */
int ssh_session_begin(struct cli *c, bool *is_over);

/* Whether this process serves such a session. */
bool ssh_session_is_on(void);
/* The user's login; NULL: the user has no name here yet. Static. */
struct sign_in *ssh_session_sign_in(void);
/* The rooms in which the user had a seat at login. */
void ssh_session_rooms(const char *server, struct recent_rooms *out);

#endif
