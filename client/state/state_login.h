/*
 * state_login.h - the stored logins.
 *
 *   logins/HASH.json   {"server", "user_name", "token", "is_guest"}
 *
 * One per server for the user; one for each separate user there (login_beside()); and
 * one for the asker, who asks and answers questions without a login (login_asker()).
 * Readable only by their owner, next to the files of state.h. They sign with the keys
 * of state_identity.h.
 */
#ifndef CLIENT_STATE_STATE_LOGIN_H
#define CLIENT_STATE_STATE_LOGIN_H

#include "client/state/state.h"

#define STATE_LOGIN_ASKER "" /* for `beside`: the asker */

struct state_login {
	char user_name[4 * MAX_NAME_BYTES + 1]; /* "": no login */
	char token[KEY_CHARS + 1];              /* "": it has expired */
	bool is_guest;
};

/*
 * Read a login; OK and empty if there is none.
 * @server  the canonical form of address.h.
 * @beside  the name of a separate user there, or STATE_LOGIN_ASKER; NULL: the user's own login.
 * ERR_IO
 */
NODISCARD enum err state_get_login(const struct state *s, const char *server, const char *beside,
				   struct state_login *out, struct errmsg *why);
NODISCARD enum err state_keep_login(const struct state *s, const char *server, const char *beside,
				    const struct state_login *l, struct errmsg *why);
/* Delete a login. ERR_IO. */
NODISCARD enum err state_forget_login(const struct state *s, const char *server, const char *beside,
				      struct errmsg *why);

#endif
