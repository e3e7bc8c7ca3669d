/*
 * sign_in.h - being the same user on every connection.
 *
 * Decides what to say behind hello and before all else: resume the session
 * that a token is of, and where that has lapsed, log in again with the
 * person's key. Pure: who has the key and keeps the token is its owner.
 *
 *   token: session.resume --- fine ----------------------> signed in
 *                          \- lapsed -> token dropped, as without one
 *   no token: session.login (signed, or as a guest who asks for it)
 *                          |- fine ----------------------> signed in, token kept
 *                          |- the name is taken ---------> with the next number, where is_numbered
 *                          \- refused -------------------> a stranger: `fault`
 *   came in over ssh: session.assert, each time; no token, nothing is signed
 *
 * A refusal never costs the connection: one who may not sign in is a stranger.
 * A nonce that is none is not signed, and counts as a refusal.
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
	/* Sign a login_text() with the person's key for this server, both as base64url text. False where there is none. */
	bool (*sign)(void *owner, struct slice text, char public_key[KEY_CHARS + 1],
		     char signature[SIGNATURE_CHARS + 1]);
	/* token is another one, or has lapsed and is "". */
	void (*keep)(void *owner, const struct sign_in *s);
};

struct sign_in {
	char user_name[4 * MAX_NAME_BYTES + 1]; /* "": resume only */
	char token[KEY_CHARS + 1];              /* "": none */
	char fingerprint[FINGERPRINT_CHARS + 1]; /* of the ssh key that sshd has seen, for whom it is; "": none */
	bool is_guest;  /* never signs */
	bool is_wanted; /* a guest without a token logs in, too */
	bool is_numbered; /* a name that somebody else has gets a number after it: "Ada 2" to "Ada 9" */
	const struct sign_in_handler *on;
	void *owner;

	bool is_done;      /* on this connection */
	bool has_tried_twice; /* likewise, to log in with the key */
	bool is_signed_in; /* likewise */
	char user_id[65];  /* where signed in */
	int64_t expires_at;
	struct fault fault; /* why not, where it was refused */
};

/* Whether the user has that name, or where is_numbered that name and a number. */
bool sign_in_is_named(const struct sign_in *s, const char *name);

/* A connection has begun. */
void sign_in_begin(struct sign_in *s);
/* Whether sign_in_next() has to sign: all else may be asked before hello is answered. */
bool sign_in_needs_nonce(const struct sign_in *s);
/* What to ask now, its params appended; METHOD_COUNT: nothing more. */
enum method sign_in_next(struct sign_in *s, struct slice nonce, struct buf *params);
/* Its answer; both objects may be NULL. */
void sign_in_answer(struct sign_in *s, enum method method, const struct msgpack_object *refusal,
		    const struct msgpack_object *result);

#endif
