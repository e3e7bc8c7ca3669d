/*
 * random.c - a ChaCha20 stream with fast key erasure.
 */
#include "proto/keys/random.h"

#include <sodium.h>
#include <string.h>

#include "proto/base/assert.h"

_Static_assert(SEED_BYTES == crypto_stream_chacha20_ietf_KEYBYTES, "the state is a cipher's key");

/* What one call to the cipher makes at most; longer runs are made of several. */
#define RANDOM_CHUNK_BYTES 256

bool crypto_start(void)
{
	return sodium_init() >= 0;
}

void random_seed(struct random *r, const unsigned char seed[SEED_BYTES])
{
	memcpy(r->key, seed, SEED_BYTES);
}

void random_stir(struct random *r, const unsigned char fresh[SEED_BYTES])
{
	unsigned char key[SEED_BYTES];
	int failed = crypto_generichash(key, sizeof(key), fresh, SEED_BYTES, r->key, SEED_BYTES);
	ASSERT_CMP(failed, ==, 0);
	memcpy(r->key, key, sizeof(key));
	sodium_memzero(key, sizeof(key));
}

void random_bytes(struct random *r, void *out, size_t len)
{
	static const unsigned char nonce[crypto_stream_chacha20_ietf_NONCEBYTES];
	unsigned char stream[SEED_BYTES + RANDOM_CHUNK_BYTES];
	unsigned char *to = out;
	while (len > 0) {
		size_t n = len < RANDOM_CHUNK_BYTES ? len : RANDOM_CHUNK_BYTES;
		int failed = crypto_stream_chacha20_ietf(stream, SEED_BYTES + n, nonce, r->key);
		ASSERT_CMP(failed, ==, 0);
		memcpy(r->key, stream, SEED_BYTES);
		memcpy(to, stream + SEED_BYTES, n);
		sodium_memzero(stream, SEED_BYTES + n);
		to += n;
		len -= n;
	}
}

uint64_t random_u64(struct random *r)
{
	unsigned char bytes[8];
	random_bytes(r, bytes, sizeof(bytes));
	uint64_t value = 0;
	for (size_t i = 0; i < sizeof(bytes); i++) {
		value = value << 8 | bytes[i];
	}
	return value;
}
