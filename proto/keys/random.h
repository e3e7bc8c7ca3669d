/*
 * random.h - random bytes from a seed.
 *
 * Randomness is data here: the event loop seeds struct random with 32 bytes of the
 * system's generator and stirs in fresh ones with every tick. Between those,
 * a ChaCha20 stream with fast key erasure (libsodium) makes the bytes, so a
 * simulated run repeats and a stolen state reveals no earlier keys.
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

/* Begin the stream of a seed: the same one for the same seed. */
void random_seed(struct random *r, const unsigned char seed[SEED_BYTES]);
/* Mix more in; never makes the state weaker. */
void random_stir(struct random *r, const unsigned char fresh[SEED_BYTES]);
void random_bytes(struct random *r, void *out, size_t len);
uint64_t random_u64(struct random *r);

/* Initialise libsodium, before anything else of random.h, key_hash.h or signature.h: first thing in main. False where it cannot run. */
bool crypto_start(void);

#endif
