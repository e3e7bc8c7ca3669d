/*
 * signature.h - Ed25519 signatures, and the text that a login signs.
 */
#ifndef PROTO_KEYS_SIGNATURE_H
#define PROTO_KEYS_SIGNATURE_H

#include <stdbool.h>
#include <stddef.h>

#include "proto/base/limits.h"
#include "proto/base/slice.h"
#include "proto/keys/key_hash.h"

#define SIGNATURE_CHARS 86
/* Whether `signature` (86 characters) is the Ed25519 signature by `public_key` (43 characters) over `message`; false for malformed ones, too. */
bool signature_is_good(struct slice public_key, struct slice signature, struct slice message);

/*
 * What is signed to log in: three lines, each ended by a newline.
 *
 *   aye-login-1
 *   the user_name, byte for byte as session.login sends it
 *   the nonce of session.hello
 *
 * Nothing else that a key may sign begins so, and a signature for one name is none for another.
 */
#define LOGIN_TEXT_FIRST_LINE "aye-login-1\n"
#define LOGIN_TEXT_BYTES_MAX  (sizeof(LOGIN_TEXT_FIRST_LINE) + 4 * MAX_NAME_BYTES + KEY_CHARS + 2)
/* Whether it is 43 characters of base64url: a client signs nothing else that a server sends. */
bool nonce_is_formed(struct slice nonce);
/* Write it to out and return its length. user_name: at most 4 * MAX_NAME_BYTES; nonce: well formed. */
size_t login_text(struct slice user_name, struct slice nonce, char out[LOGIN_TEXT_BYTES_MAX]);

#endif
