/*
 * seal.c - see seal.h.
 */
#include "proto/keys/seal.h"

#include <sodium.h>
#include <stdlib.h>

#include "proto/base/assert.h"

#define VARIANT sodium_base64_VARIANT_URLSAFE_NO_PADDING

_Static_assert(SEED_BYTES == crypto_secretbox_KEYBYTES, "a key is 32 bytes");
_Static_assert(crypto_secretbox_NONCEBYTES + crypto_secretbox_MACBYTES == 24 + 16,
	       "as SEALED_CHARS() has it");

enum err seal(const unsigned char key[SEED_BYTES], struct random *r, struct slice plain,
	      struct buf *out)
{
	size_t bytes = crypto_secretbox_NONCEBYTES + crypto_secretbox_MACBYTES + plain.len;
	size_t chars = sodium_base64_encoded_len(bytes, VARIANT) - 1;
	char *text = buf_reserve(out, chars + 1); /* libsodium ends it with a NUL */
	unsigned char *box = text == NULL ? NULL : malloc(bytes);
	if (box == NULL) {
		return out->error != OK ? out->error : ERR_NOMEM;
	}
	random_bytes(r, box, crypto_secretbox_NONCEBYTES);
	int failed = crypto_secretbox_easy(box + crypto_secretbox_NONCEBYTES,
					   (const unsigned char *)plain.data, plain.len, box, key);
	ASSERT_CMP(failed, ==, 0);
	sodium_bin2base64(text, chars + 1, box, bytes, VARIANT);
	out->len += chars;
	free(box);
	return OK;
}

enum err seal_open(const unsigned char key[SEED_BYTES], struct slice sealed, struct buf *out)
{
	enum { HEAD = crypto_secretbox_NONCEBYTES + crypto_secretbox_MACBYTES };
	size_t bytes = 0;
	unsigned char *box = malloc(sealed.len + 1);
	if (box == NULL) {
		return ERR_NOMEM;
	}
	enum err e = ERR_CORRUPT;
	if (sodium_base642bin(box, sealed.len, sealed.data, sealed.len, NULL, &bytes, NULL,
			      VARIANT) == 0 &&
	    bytes >= HEAD) {
		unsigned char *plain = (unsigned char *)buf_reserve(out, bytes - HEAD);
		e = plain == NULL ? out->error
		    : crypto_secretbox_open_easy(plain, box + crypto_secretbox_NONCEBYTES,
						 bytes - crypto_secretbox_NONCEBYTES, box, key) != 0
			    ? ERR_CORRUPT
			    : OK;
		out->len += e == OK ? bytes - HEAD : 0;
	}
	free(box);
	return e;
}
