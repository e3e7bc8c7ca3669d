/*
 * login.h - the login of this run, between the state directory and the wire.
 *
 * What signs with the person's key for the server and keeps each new token. Tokens and keys
 * are never printed. What cannot be kept is told and is no reason to stop.
 */
#ifndef CLIENT_CLI_REACH_LOGIN_H
#define CLIENT_CLI_REACH_LOGIN_H

#include "client/model/sign_in.h"

/*
 * Who is logged in at that server (address.h's text); NULL: nobody. There is
 * one server in a run: the next call has the same memory.
 */
struct sign_in *login_stored(const char *server);

/*
 * Who asks and answers questions there: whoever is logged in, else a user that is kept for questions alone.
 * It has the person's key, so that who logs in later is the same user; login_stored() does not have it, so
 * that a seat in a room, which is found by its key, stays the one it was. A new one is told of.
 * @name  what to be called where there is no such user yet, with a number where somebody else
 *        has that; NULL: NULL is returned then.
 */
struct sign_in *login_asker(const char *server, const char *name);

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

/* Nobody is logged in there any more, nor kept for questions. */
void login_forget(const char *server);

#endif
