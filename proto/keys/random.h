/*
 * random.h - random bytes from a seed.
 *
 * Randomness is an input: the event loop seeds struct random with 32 bytes from the system's
 * generator, and stirs in fresh ones with every tick. In between, a ChaCha20 stream with fast key
 * erasure (libsodium) produces the bytes, so simulated runs are repeatable and a stolen state
 * does not disclose earlier keys.
 */
#ifndef PROTO_KEYS_RANDOM_H
#define PROTO_KEYS_RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SEED_BYTES 32

struct random {
	unsigned char key[SEED_BYTES];
};

/* Start the stream of a seed; the same seed gives the same stream. */
void random_seed(struct random *r, const unsigned char seed[SEED_BYTES]);
/* Mix in more randomness; never weakens the state. */
void random_stir(struct random *r, const unsigned char fresh[SEED_BYTES]);
void random_bytes(struct random *r, void *out, size_t len);
uint64_t random_u64(struct random *r);

/*
 * Initialise libsodium; call first in main, before anything else of random.h, key_hash.h or
 * signature.h. Returns false if it cannot be used.
 */
bool crypto_start(void);

#endif
