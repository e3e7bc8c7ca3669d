/*
 * sign_in.h - log in as the same user on every connection.
 *
 * Decides which requests follow hello before all others: resume the session of a
 * token, and if that has expired, log in again with the user's key. Pure: the owner
 * has the key and stores the token.
 *
 *   token: session.resume --- ok ------------------------> logged in
 *                          \- expired -> drop the token, continue without one
 *   no token: session.login (signed, or as a guest if wanted)
 *                          |- ok ------------------------> logged in, token stored
 *                          |- the name is taken ---------> retry with a number, if is_numbered
 *                          \- refused -------------------> not logged in: `fault`
 *   over ssh: session.assert on each connection; no token, no signature
 *
 * A refusal does not end the connection: it goes on without a login. A malformed
 * nonce is not signed, and counts as a refusal.
 *
 * Life: a zeroed struct with user_name, token, is_guest, on and owner set.
 */
#ifndef CLIENT_MODEL_SIGN_IN_H
#define CLIENT_MODEL_SIGN_IN_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/fault.h"
#include "proto/base/limits.h"
#include "proto/keys/fingerprint.h"
#include "proto/keys/key_hash.h"
#include "proto/keys/signature.h"
#include "proto/methods.h"

struct msgpack_object;
struct sign_in;

struct sign_in_handler {
	/*
	 * Sign a login_text() with the user's key for this server; both results in base64url.
	 * False: there is no key.
	 */
	bool (*sign)(void *owner, struct slice text, char public_key[KEY_CHARS + 1],
		     char signature[SIGNATURE_CHARS + 1]);
	/* Store the token, which has changed; "": it has expired. */
	void (*keep)(void *owner, const struct sign_in *s);
};

/* Signs nothing and stores nothing. */
extern const struct sign_in_handler sign_in_nobody;

struct sign_in {
	char user_name[4 * MAX_NAME_BYTES + 1]; /* "": resume only */
	char token[KEY_CHARS + 1];              /* "": none */
	/* of the ssh key that sshd has authenticated; "": none */
	char fingerprint[FINGERPRINT_CHARS + 1];
	bool is_guest;  /* never signs */
	bool is_wanted; /* a guest without a token logs in as well */
	/* a login with the key asks for a first team, named after the user */
	bool wants_team;
	bool is_numbered; /* append a number to a name that is taken: "Ada 2" to "Ada 9" */
	const struct sign_in_handler *on;
	void *owner;

	bool is_done;      /* on this connection */
	bool has_tried_twice; /* on this connection, to log in with the key */
	bool is_signed_in; /* on this connection */
	char user_id[65];  /* if is_signed_in */
	bool has_new_team; /* likewise: the login created a first team */
	int64_t expires_at;
	struct fault fault; /* why the login was refused */
};

/* Whether user_name is that name, or with is_numbered that name and a number. */
bool sign_in_is_named(const struct sign_in *s, const char *name);

/*
 * Write the name of the user's first team; "": none, as the server will refuse the user's own name.
 * Returns out.
 */
enum { SIGN_IN_TEAM_BYTES = MAX_NAME_BYTES + 8 };
const char *sign_in_team(const struct sign_in *s, char out[SIGN_IN_TEAM_BYTES]);

/* A new connection is open. */
void sign_in_begin(struct sign_in *s);
/*
 * Whether sign_in_next() needs the nonce of hello's answer to sign; if not, it may be called before
 * that answer.
 */
bool sign_in_needs_nonce(const struct sign_in *s);
/* The next request to send, with its params appended; METHOD_COUNT: none, the login is over. */
enum method sign_in_next(struct sign_in *s, struct slice nonce, struct buf *params);
/* The answer to that request; both objects may be NULL. */
void sign_in_answer(struct sign_in *s, enum method method, const struct msgpack_object *refusal,
		    const struct msgpack_object *result);

#endif
