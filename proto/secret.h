/*
 * secret.h - keys, ids and the randomness they are made of.
 *
 * Randomness is data here: the shell seeds struct random with 32 bytes of the
 * system's generator and stirs in fresh ones with every tick. Between those,
 * a ChaCha20 stream with fast key erasure (libsodium) makes the bytes, so a
 * simulated run repeats and a stolen state tells nothing of earlier keys.
 */
#ifndef PROTO_SECRET_H
#define PROTO_SECRET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/limits.h"
#include "proto/slice.h"

#define SEED_BYTES 32

struct random {
	unsigned char key[SEED_BYTES];
};

void random_seed(struct random *r, const unsigned char seed[SEED_BYTES]);
/* Mix more in; never makes the state weaker. */
void random_stir(struct random *r, const unsigned char fresh[SEED_BYTES]);
void random_bytes(struct random *r, void *out, size_t len);
uint64_t random_u64(struct random *r);

/* A 256-bit key as text: base64url without padding, 43 characters. */
#define KEY_CHARS 43
struct key_text {
	char text[KEY_CHARS + 1];
};
struct key_text key_make(struct random *r);
/* Whether s has the form of a key. */
bool key_is_formed(struct slice s);

/* What the table keeps of a key: keyed BLAKE2b-256 as text, same form. `domain` separates uses ("user", "host", "once"). */
struct key_text key_hash(const unsigned char server_key[SEED_BYTES], const char *domain, struct slice key);
/* Compares without telling by its time where they differ. */
bool key_hash_eq(const struct key_text *a, struct slice b);

/* Keyed BLAKE2b of `input` into out: for ids derived from an idempotency key. */
void derive_bytes(const unsigned char server_key[SEED_BYTES], const char *domain, struct slice input,
		  void *out, size_t len);

/* A key made from the next 32 bytes given, as text. */
struct key_text key_from_bytes(const unsigned char bytes[SEED_BYTES]);

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

/* Characters of room codes: no 0 O 1 I L U, so that a code survives being read aloud. */
#define CODE_ALPHABET "23456789ABCDEFGHJKMNPQRSTVWXYZ"
#define CODE_CHARS     6
#define CODE_CHARS_MAX 16
#define USER_ID_CHARS  10

/* len characters of CODE_ALPHABET and a NUL, without bias. */
void code_make(struct random *r, char *out, size_t len);
/* The same, but always the same for the same input: keyed, so that who knows the input cannot tell the code. */
void code_derive(const unsigned char server_key[SEED_BYTES], const char *domain, struct slice input, char *out,
		 size_t len);
/* Upper case, and checked: false where s is no code (wrong length or character). out: CODE_CHARS_MAX + 1 bytes. */
bool code_normalise(struct slice s, char *out);

/* libsodium must be initialised before any of this: call once, first thing in main. False where it cannot run. */
bool secret_start(void);

#endif
