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
/*
 * Return whether `signature` (86 characters) is the Ed25519 signature by `public_key` (43
 * characters) of `message`; false also for malformed ones.
 */
bool signature_is_good(struct slice public_key, struct slice signature, struct slice message);

/*
 * The text that a client signs to log in: three lines, each ending with a newline.
 *
 *   aye-login-1
 *   the user_name, byte for byte as in session.login
 *   the nonce of session.hello
 *
 * No other text to sign begins like this, and a signature for one name is invalid for another.
 */
#define LOGIN_TEXT_FIRST_LINE "aye-login-1\n"
#define LOGIN_TEXT_BYTES_MAX  (sizeof(LOGIN_TEXT_FIRST_LINE) + 4 * MAX_NAME_BYTES + KEY_CHARS + 2)
/*
 * Return whether the nonce is 43 characters of base64url: a client must not sign anything else
 * that a server sends.
 */
bool nonce_is_formed(struct slice nonce);
/*
 * Write the text to sign to out and return its length. user_name: at most 4 * MAX_NAME_BYTES;
 * nonce: well formed.
 */
size_t login_text(struct slice user_name, struct slice nonce, char out[LOGIN_TEXT_BYTES_MAX]);

#endif
