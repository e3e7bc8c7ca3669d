/*
 * state_identity.h - the keys that sign: one pair for each server.
 *
 *   identity.json   {"type": "ed25519", "seed": HEX, "same_as": {ADDRESS: ADDRESS},
 *                    "public_key": HEX, "secret_key": HEX, "servers": [ADDRESS, ...]}
 *
 * A server's pair follows from the seed and the server's address
 * (address_canonical()), so that one server can do nothing with what another
 * was given. same_as has the servers that share another one's pair, because
 * that was asked for. A name that is logged in beside the person has a pair that
 * follows from the name as well.
 *
 * A file of version 0.1 has a pair and no seed, and that pair was used with
 * every server. It gets a seed when it is first read, and `servers`, with
 * which the old pair is used from then on: those where the state has a login;
 * where it has none, those of its rooms.
 */
#ifndef CLIENT_STATE_STATE_IDENTITY_H
#define CLIENT_STATE_STATE_IDENTITY_H

#include "client/state/state.h"

#define STATE_PUBLIC_KEY_BYTES 32
#define STATE_SECRET_KEY_BYTES 64

/*
 * The pair for a server; the seed is made at the first call. Wipe secret_key after use.
 *
 * @server   as address.h writes it.
 * @same_as  the server whose pair is meant, as if it were kept already; NULL: what is kept.
 * ERR_IO, ERR_INVALID; ERR_CORRUPT the file holds no seed, and is left as it is.
 */
NODISCARD enum err state_get_identity(const struct state *s, const char *server,
				      const char *same_as,
				      unsigned char public_key[STATE_PUBLIC_KEY_BYTES],
				      unsigned char secret_key[STATE_SECRET_KEY_BYTES],
				      struct errmsg *why);

/* The pair of a name that is logged in there beside the person: a user of its own. Errors as above. */
NODISCARD enum err state_get_other_identity(const struct state *s, const char *server, const char *beside,
					    unsigned char public_key[STATE_PUBLIC_KEY_BYTES],
					    unsigned char secret_key[STATE_SECRET_KEY_BYTES],
					    struct errmsg *why);

/* From now on the server gets the pair that same_as has now; itself: its own again. Errors as above. */
NODISCARD enum err state_keep_same_as(const struct state *s, const char *server,
				      const char *same_as, struct errmsg *why);

/* Bind a pair of version 0.1 before what tells its servers changes; does nothing elsewhere. Errors as above. */
NODISCARD enum err state_bind_identity(const struct state *s, struct errmsg *why);

#endif
