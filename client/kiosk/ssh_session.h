/*
 * ssh_session.h - aye --ssh-session, which sshd runs for whoever came in (ForceCommand).
 *
 * One user of the system is many people, told apart by their keys. Which key it was, sshd
 * says (ExposeAuthInfo), and we say it to ayed, which knows us by our uid: the same key is
 * the same user, with its name and its seats. Nothing of anybody is kept here. What to do is in
 * SSH_ORIGINAL_COMMAND (ssh_command.h); no other verb can be reached from there, and the
 * process is confined before it reads a byte of theirs (ssh_confine.h).
 */
#ifndef CLIENT_KIOSK_SSH_SESSION_H
#define CLIENT_KIOSK_SSH_SESSION_H

#include <stdbool.h>

#include "client/cli/verbs.h"
#include "client/model/recent_rooms.h"
#include "client/model/sign_in.h"

/*
 * Become the person of the key, with a name, and put the words and options of the command in
 * place of --ssh-session; they stay valid. *is_over: there is nothing more to do.
 *
 * The exit code, told: EXIT_USAGE where words or other options stand beside it, where sshd names no key, where
 * the command is none of ours, and where there is no terminal and the command needs one, or a name;
 * EXIT_NO_SERVER, also where the process cannot be confined; EXIT_REFUSED by the server.
 */
int ssh_session_begin(struct cli *c, bool *is_over);

/* Whether this process is one. */
bool ssh_session_is_on(void);
/* Who came; NULL: they have no name here yet. */
struct sign_in *ssh_session_sign_in(void);
/* The rooms in which they had a seat when they came. */
void ssh_session_rooms(const char *server, struct recent_rooms *out);

#endif
