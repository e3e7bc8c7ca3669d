/*
 * key_hash.h - 256-bit keys as text, and their keyed hashes in the table.
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
/* Return whether s has the form of a key: 43 characters that encode 32 bytes. */
bool key_is_formed(struct slice s);

/*
 * Return the hash of a key for the table: keyed BLAKE2b-256 as text, in the same form. `domain`
 * separates uses ("user", "host", "once").
 */
struct key_text key_hash(const unsigned char server_key[SEED_BYTES], const char *domain, struct slice key);
/* Compare in constant time. */
bool key_hash_eq(const struct key_text *a, struct slice b);

/*
 * Write the keyed BLAKE2b of `input`, len bytes long, 16 to 64 (asserted), to out: for ids
 * derived from an idempotency key.
 */
void derive_bytes(const unsigned char server_key[SEED_BYTES], const char *domain, struct slice input,
		  void *out, size_t len);

/* Encode these bytes as a key. */
struct key_text key_from_bytes(const unsigned char bytes[SEED_BYTES]);

/* Decode base64url text without padding; returns false if it does not encode exactly len bytes. */
bool base64url_decode(struct slice text, unsigned char *out, size_t len);

#endif
