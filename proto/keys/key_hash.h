/*
 * key_hash.h - 256-bit keys as text, and the keyed hashes that the table has of them.
 */
#ifndef PROTO_KEYS_KEY_HASH_H
#define PROTO_KEYS_KEY_HASH_H

#include <stdbool.h>
#include <stddef.h>

#include "proto/base/slice.h"
#include "proto/keys/random.h"

/* A 256-bit key as text: base64url without padding, 43 characters. */
#define KEY_CHARS 43
struct key_text {
	char text[KEY_CHARS + 1];
};
struct key_text key_make(struct random *r);
/* Whether s has the form of a key: 43 characters that are 32 bytes. */
bool key_is_formed(struct slice s);

/* What the table keeps of a key: keyed BLAKE2b-256 as text, same form. `domain` separates uses ("user", "host", "once"). */
struct key_text key_hash(const unsigned char server_key[SEED_BYTES], const char *domain, struct slice key);
/* Compares in constant time. */
bool key_hash_eq(const struct key_text *a, struct slice b);

/* Keyed BLAKE2b of `input`, of len bytes, 16 to 64 (asserted), into out: for ids derived from an idempotency key. */
void derive_bytes(const unsigned char server_key[SEED_BYTES], const char *domain, struct slice input,
		  void *out, size_t len);

/* The key of these bytes. */
struct key_text key_from_bytes(const unsigned char bytes[SEED_BYTES]);

/* The bytes of a base64url text without padding; false where it is none of exactly len bytes. */
bool base64url_decode(struct slice text, unsigned char *out, size_t len);

#endif
