/*
 * signature.c - libsodium's Ed25519 behind our texts.
 */
#include "proto/keys/signature.h"

#include <sodium.h>
#include <string.h>

#include "proto/base/assert.h"

bool signature_is_good(struct slice public_key, struct slice signature, struct slice message)
{
	unsigned char key[crypto_sign_PUBLICKEYBYTES];
	unsigned char sign[crypto_sign_BYTES];
	return public_key.len == KEY_CHARS && signature.len == SIGNATURE_CHARS &&
	       base64url_decode(public_key, key, sizeof(key)) &&
	       base64url_decode(signature, sign, sizeof(sign)) &&
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
