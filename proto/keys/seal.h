/*
 * seal.h - encryption of text with a key.
 *
 * Encrypted and authenticated by libsodium's secretbox (XSalsa20 and Poly1305) with a random
 * nonce; the result is base64url of nonce, tag and encrypted bytes. Its length discloses the
 * length of the text.
 */
#ifndef PROTO_KEYS_SEAL_H
#define PROTO_KEYS_SEAL_H

#include "proto/base/buf.h"
#include "proto/keys/random.h"

/* The number of characters that len bytes become. */
#define SEALED_CHARS(len) (((len) + 24 + 16) * 4 / 3 + 3)

/*
 * Append the sealed text to out, which needs space for one byte more. ERR_NOMEM; ERR_TOO_LARGE,
 * which is also kept in out.
 */
NODISCARD enum err seal(const unsigned char key[SEED_BYTES], struct random *r, struct slice plain, struct buf *out);

/*
 * Append the plain text. ERR_CORRUPT: sealed with another key, or changed. ERR_NOMEM,
 * ERR_TOO_LARGE.
 */
NODISCARD enum err seal_open(const unsigned char key[SEED_BYTES], struct slice sealed, struct buf *out);

#endif
