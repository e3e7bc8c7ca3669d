/*
 * state_identity.h - the signing keys: one pair per server.
 *
 *   identity.json   {"type": "ed25519", "seed": HEX, "same_as": {ADDRESS: ADDRESS}}
 *
 * A server's pair is derived from the seed and the server's address
 * (address_canonical()), so that a signature for one server is useless at another.
 * same_as lists the servers that use another server's pair, on request. A separate
 * user (login_beside()) has a pair derived from its name as well.
 */
#ifndef CLIENT_STATE_STATE_IDENTITY_H
#define CLIENT_STATE_STATE_IDENTITY_H

#include "client/state/state.h"

#define STATE_PUBLIC_KEY_BYTES 32
#define STATE_SECRET_KEY_BYTES 64

/*
 * The pair for a server; the first call creates the seed. Wipe secret_key after use.
 *
 * @server   the canonical form of address.h.
 * @same_as  use the pair of this server, as if that were stored; NULL: as stored.
 * ERR_IO, ERR_INVALID
 * ERR_CORRUPT  the file has no valid seed; it is not changed.
 */
NODISCARD enum err state_get_identity(const struct state *s, const char *server,
				      const char *same_as,
				      unsigned char public_key[STATE_PUBLIC_KEY_BYTES],
				      unsigned char secret_key[STATE_SECRET_KEY_BYTES],
				      struct errmsg *why);

/*
 * The pair of a separate user with the name `beside` at that server (login_beside()). Errors as
 * above.
 */
NODISCARD enum err state_get_other_identity(const struct state *s, const char *server, const char *beside,
					    unsigned char public_key[STATE_PUBLIC_KEY_BYTES],
					    unsigned char secret_key[STATE_SECRET_KEY_BYTES],
					    struct errmsg *why);

/*
 * Store that the server uses the current pair of same_as; the server itself: its own pair again.
 * Errors as above.
 */
NODISCARD enum err state_keep_same_as(const struct state *s, const char *server,
				      const char *same_as, struct errmsg *why);

#endif
