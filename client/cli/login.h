/*
 * login.h - the login of this run, between the state directory and the wire.
 *
 * What signs with the person's key for the server and keeps each new token. Tokens and keys
 * are never printed. What cannot be kept is told and is no reason to stop.
 */
#ifndef CLIENT_CLI_LOGIN_H
#define CLIENT_CLI_LOGIN_H

#include "client/model/sign_in.h"

/*
 * Who is logged in at that server (address.h's text); NULL: nobody. There is
 * one server in a run: the next call has the same memory.
 */
struct sign_in *login_stored(const char *server);

/*
 * Likewise of a name beside the person: a user of its own, the same in every run that has
 * this name here, whose session they share. Logs in where it has none. NULL, told, where there is no state directory.
 */
struct sign_in *login_beside(const char *server, const char *user_name);

/*
 * Likewise for logging in there now, whatever was stored. NULL, told, where there is no state directory.
 * @same_as  borrowed: the server whose key signs, which is kept with the login; NULL: this one's.
 */
struct sign_in *login_fresh(const char *server, const char *user_name, bool is_guest,
			    const char *same_as);

/* Nobody is logged in there any more. */
void login_forget(const char *server);

#endif
