/*
 * secret.c - libsodium's ChaCha20 and BLAKE2b behind our words.
 */
#include "proto/secret.h"

#include <sodium.h>
#include <string.h>

#include "proto/assert.h"

_Static_assert(SEED_BYTES == crypto_stream_chacha20_ietf_KEYBYTES, "the state is a cipher's key");
_Static_assert(SEED_BYTES <= crypto_generichash_KEYBYTES_MAX, "the server key fits BLAKE2b");

/* What one call to the cipher makes at most; longer runs are made of several. */
#define RANDOM_CHUNK_BYTES 256

bool secret_start(void)
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

/* The stream's first bytes become the next key before any of the rest is handed out. */
static void random_chunk(struct random *r, unsigned char *out, size_t len)
{
	static const unsigned char nonce[crypto_stream_chacha20_ietf_NONCEBYTES];
	unsigned char stream[SEED_BYTES + RANDOM_CHUNK_BYTES];
	ASSERT_CMP(len, <=, RANDOM_CHUNK_BYTES);
	int failed = crypto_stream_chacha20_ietf(stream, SEED_BYTES + len, nonce, r->key);
	ASSERT_CMP(failed, ==, 0);
	memcpy(r->key, stream, SEED_BYTES);
	memcpy(out, stream + SEED_BYTES, len);
	sodium_memzero(stream, SEED_BYTES + len);
}

void random_bytes(struct random *r, void *out, size_t len)
{
	unsigned char *to = out;
	while (len > 0) {
		size_t n = len < RANDOM_CHUNK_BYTES ? len : RANDOM_CHUNK_BYTES;
		random_chunk(r, to, n);
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

bool key_is_formed(struct slice s)
{
	if (s.len != KEY_CHARS) {
		return false;
	}
	unsigned char bytes[SEED_BYTES];
	size_t len = 0;
	bool ok = sodium_base642bin(bytes, sizeof(bytes), s.data, s.len, NULL, &len, NULL,
				    sodium_base64_VARIANT_URLSAFE_NO_PADDING) == 0 &&
		  len == SEED_BYTES;
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

void code_make(struct random *r, char *out, size_t len)
{
	const size_t letters = sizeof(CODE_ALPHABET) - 1;
	/* Bytes from here on would make the first letters likelier. */
	const size_t fair = 256 / letters * letters;
	for (size_t n = 0; n < len;) {
		unsigned char bytes[16];
		random_bytes(r, bytes, sizeof(bytes));
		for (size_t i = 0; i < sizeof(bytes) && n < len; i++) {
			if (bytes[i] < fair) {
				out[n++] = CODE_ALPHABET[bytes[i] % letters];
			}
		}
	}
	out[len] = '\0';
}

void code_derive(const unsigned char server_key[SEED_BYTES], const char *domain, struct slice input,
		 char *out, size_t len)
{
	unsigned char seed[SEED_BYTES];
	struct random derived;
	derive_bytes(server_key, domain, input, seed, sizeof(seed));
	random_seed(&derived, seed);
	code_make(&derived, out, len);
}

bool code_normalise(struct slice s, char *out)
{
	if (s.len < CODE_CHARS || s.len > CODE_CHARS_MAX) {
		return false;
	}
	for (size_t i = 0; i < s.len; i++) {
		char c = s.data[i];
		c = c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
		if (c == '\0' || strchr(CODE_ALPHABET, c) == NULL) {
			return false;
		}
		out[i] = c;
	}
	out[s.len] = '\0';
	return true;
}

static bool decode_base64(struct slice text, unsigned char *out, size_t len)
{
	size_t got = 0;
	return sodium_base642bin(out, len, text.data, text.len, NULL, &got, NULL,
				 sodium_base64_VARIANT_URLSAFE_NO_PADDING) == 0 &&
	       got == len;
}

bool signature_is_good(struct slice public_key, struct slice signature, struct slice message)
{
	unsigned char key[crypto_sign_PUBLICKEYBYTES];
	unsigned char sign[crypto_sign_BYTES];
	return public_key.len == KEY_CHARS && signature.len == SIGNATURE_CHARS &&
	       decode_base64(public_key, key, sizeof(key)) &&
	       decode_base64(signature, sign, sizeof(sign)) &&
	       crypto_sign_verify_detached(sign, (const unsigned char *)message.data, message.len,
					   key) == 0;
}

bool nonce_is_formed(struct slice nonce)
{
	static const char letters[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
	for (size_t i = 0; i < nonce.len; i++) {
		if (memchr(letters, nonce.data[i], sizeof(letters) - 1) == NULL) {
			return false;
		}
	}
	return nonce.len == KEY_CHARS;
}

size_t login_text(struct slice user_name, struct slice nonce, char out[LOGIN_TEXT_BYTES_MAX])
{
	const struct slice lines[] = {SLICE(LOGIN_TEXT_FIRST_LINE), user_name, SLICE("\n"), nonce,
				      SLICE("\n")};
	size_t len = 0;
	ASSERT_CMP(user_name.len, <=, 4 * MAX_NAME_BYTES);
	ASSERT_CMP(nonce.len, ==, KEY_CHARS);
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		if (lines[i].len > 0) {
			memcpy(out + len, lines[i].data, lines[i].len);
			len += lines[i].len;
		}
	}
	return len;
}
