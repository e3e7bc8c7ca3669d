/*
 * login.h - the login of this process, with its keys and tokens in the state directory.
 *
 * Signs with the user's key for the server, and stores each new token. Tokens and keys are
 * never printed. A failure to store is reported as a warning.
 *
 * The results are static memory: there is one server in a process, and the next call reuses it.
 */
#ifndef CLIENT_CLI_REACH_LOGIN_H
#define CLIENT_CLI_REACH_LOGIN_H

#include "client/model/sign_in.h"

/*
 * The login at that server (in the canonical form of address.h); NULL: none.
 */
struct sign_in *login_stored(const char *server);

/*
 * The asker at that server, who asks and answers questions: the login, or else a user stored for
 * questions only. That user has the user's key, so that a later login is the same user.
 * login_stored() ignores it, so that a room's seat, which is found by its key, stays the same. A
 * new asker is reported.
 * @name  the name of a new asker, with a number if it is taken; NULL: create none, and return NULL.
 */
struct sign_in *login_asker(const char *server, const char *name);

/*
 * A separate user with this name, besides the user's own login: the same in all processes with this
 * name here, which share its session. Logs in if it has none. NULL, after a report, if there is no
 * state directory.
 */
struct sign_in *login_beside(const char *server, const char *user_name);

/*
 * A new login, whatever is stored. NULL, after a report, if there is no state directory.
 * @same_as  borrowed; the server whose key signs, stored with the login; NULL: this server's key.
 */
struct sign_in *login_fresh(const char *server, const char *user_name, bool is_guest,
			    const char *same_as);

/* Delete the stored login and asker of that server. */
void login_forget(const char *server);

#endif
