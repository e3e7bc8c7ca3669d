/*
 * state_login.h - who is logged in where, between runs.
 *
 *   logins/HASH.json   {"server", "user_name", "token", "is_guest"}
 *
 * One per server, one for each name that is logged in there beside the
 * person, and one for the person where they ask and answer questions there without
 * a login (login.h); readable for its owner alone, beside what state.h keeps. The
 * key that signs is state_identity.h's: the person's, or that of the name.
 */
#ifndef CLIENT_STATE_STATE_LOGIN_H
#define CLIENT_STATE_STATE_LOGIN_H

#include "client/state/state.h"

#define STATE_LOGIN_ASKER "" /* instead of a name beside the person: who asks and answers questions */

struct state_login {
	char user_name[4 * MAX_NAME_BYTES + 1]; /* "": nobody is logged in */
	char token[KEY_CHARS + 1];              /* "": it has lapsed */
	bool is_guest;
};

/*
 * @server  as address.h writes it. @beside  the name that is logged in there beside the person; NULL: the person.
 * Nobody logged in is OK and empty. ERR_IO.
 */
NODISCARD enum err state_get_login(const struct state *s, const char *server, const char *beside,
				   struct state_login *out, struct errmsg *why);
NODISCARD enum err state_keep_login(const struct state *s, const char *server, const char *beside,
				    const struct state_login *l, struct errmsg *why);
/* Nobody is logged in there any more. ERR_IO. */
NODISCARD enum err state_forget_login(const struct state *s, const char *server, const char *beside,
				      struct errmsg *why);

#endif
