/*
 * room_code.c - codes without bias, made at random or derived from an input.
 */
#include "proto/base/ascii.h"
#include "proto/keys/room_code.h"

#include <string.h>

#include "proto/keys/key_hash.h"

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
		char c = ascii_upper(s.data[i]);
		if (c == '\0' || strchr(CODE_ALPHABET, c) == NULL) {
			return false;
		}
		out[i] = c;
	}
	out[s.len] = '\0';
	return true;
}
