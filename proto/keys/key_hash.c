/*
 * key_hash.c - keys as base64url, hashed with keyed BLAKE2b.
 */
#include "proto/keys/key_hash.h"

#include <sodium.h>
#include <string.h>

#include "proto/base/assert.h"

_Static_assert(SEED_BYTES <= crypto_generichash_KEYBYTES_MAX, "the server key fits BLAKE2b");

struct key_text key_from_bytes(const unsigned char bytes[SEED_BYTES])
{
	struct key_text key;
	sodium_bin2base64(key.text, sizeof(key.text), bytes, SEED_BYTES,
			  sodium_base64_VARIANT_URLSAFE_NO_PADDING);
	return key;
}

struct key_text key_make(struct random *r)
{
	unsigned char bytes[SEED_BYTES];
	random_bytes(r, bytes, sizeof(bytes));
	struct key_text key = key_from_bytes(bytes);
	sodium_memzero(bytes, sizeof(bytes));
	return key;
}

bool base64url_decode(struct slice text, unsigned char *out, size_t len)
{
	size_t got = 0;
	return sodium_base642bin(out, len, text.data, text.len, NULL, &got, NULL,
				 sodium_base64_VARIANT_URLSAFE_NO_PADDING) == 0 &&
	       got == len;
}

bool key_is_formed(struct slice s)
{
	unsigned char bytes[SEED_BYTES];
	bool ok = s.len == KEY_CHARS && base64url_decode(s, bytes, sizeof(bytes));
	sodium_memzero(bytes, sizeof(bytes));
	return ok;
}

void derive_bytes(const unsigned char server_key[SEED_BYTES], const char *domain,
		  struct slice input, void *out, size_t len)
{
	ASSERT_CMP(len, >=, crypto_generichash_BYTES_MIN);
	ASSERT_CMP(len, <=, crypto_generichash_BYTES_MAX);
	crypto_generichash_state state;
	int failed = crypto_generichash_init(&state, server_key, SEED_BYTES, len);
	/* The terminator ends the domain, so that no domain and input can be split in two ways. */
	failed |= crypto_generichash_update(&state, (const unsigned char *)domain,
					    strlen(domain) + 1);
	if (input.len > 0) {
		failed |= crypto_generichash_update(&state, (const unsigned char *)input.data,
						    input.len);
	}
	failed |= crypto_generichash_final(&state, out, len);
	ASSERT_CMP(failed, ==, 0);
	sodium_memzero(&state, sizeof(state));
}

struct key_text key_hash(const unsigned char server_key[SEED_BYTES], const char *domain,
			 struct slice key)
{
	unsigned char hash[SEED_BYTES];
	derive_bytes(server_key, domain, key, hash, sizeof(hash));
	return key_from_bytes(hash);
}

bool key_hash_eq(const struct key_text *a, struct slice b)
{
	return b.len == KEY_CHARS && sodium_memcmp(a->text, b.data, KEY_CHARS) == 0;
}
