/*
 * seal.h - text that only those can read who have the key.
 *
 * Encrypted and authenticated by libsodium's secretbox (XSalsa20 and Poly1305) under
 * a nonce of its own, as base64url: nonce, tag, bytes. Its length says how long the text is.
 */
#ifndef PROTO_KEYS_SEAL_H
#define PROTO_KEYS_SEAL_H

#include "proto/base/buf.h"
#include "proto/keys/random.h"

/* How many characters len bytes become. */
#define SEALED_CHARS(len) (((len) + 24 + 16) * 4 / 3 + 3)

/* Append the sealed text to out, which needs room for one byte more. ERR_NOMEM; ERR_TOO_LARGE, which also stays in out. */
NODISCARD enum err seal(const unsigned char key[SEED_BYTES], struct random *r, struct slice plain, struct buf *out);

/* Append what was sealed. ERR_CORRUPT  with another key, or it was changed. ERR_NOMEM, ERR_TOO_LARGE. */
NODISCARD enum err seal_open(const unsigned char key[SEED_BYTES], struct slice sealed, struct buf *out);

#endif
