/*
 * websocket_accept.c - see websocket_accept.h.
 */
#include "proto/tls/websocket_accept.h"

#include <openssl/evp.h>

#define SHA1_BYTES     20
#define WEBSOCKET_UUID "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

bool websocket_accept(struct slice key, char out[WEBSOCKET_ACCEPT_CHARS + 1])
{
	unsigned char hash[SHA1_BYTES];
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	bool ok = ctx != NULL && EVP_DigestInit_ex(ctx, EVP_sha1(), NULL) == 1 &&
		  EVP_DigestUpdate(ctx, key.data, key.len) == 1 &&
		  EVP_DigestUpdate(ctx, WEBSOCKET_UUID, sizeof(WEBSOCKET_UUID) - 1) == 1 &&
		  EVP_DigestFinal_ex(ctx, hash, NULL) == 1;
	EVP_MD_CTX_free(ctx);
	if (ok) {
		(void)EVP_EncodeBlock((unsigned char *)out, hash, sizeof(hash));
	}
	return ok;
}
