/*
 * tls_priv.h - shared by the two halves of proto/tls.
 */
#ifndef PROTO_TLS_TLS_PRIV_H
#define PROTO_TLS_TLS_PRIV_H

#include <openssl/rand.h>
#include <openssl/ssl.h>

#include "proto/tls/tls.h"

/* The minimum that is accepted: OpenSSL's security level 2, such as RSA with 2,048 bits. */
#define TLS_SECURITY_LEVEL 2
#define TLS_SECURITY_BITS  112
#define TLS_WEAK_KEY	   "has a key that is too weak, such as RSA below 2,048 bits"

struct tls_context {
	SSL_CTX *ctx;
	/* of tls_context_share(), else NULL: the key, as the session that both ends have had */
	SSL_SESSION *shared;
};

/* Whether tls_channel_serve_web() was called for the channel. */
bool tls_channel_is_web(const SSL *ssl);

/*
 * Compute a certificate's fingerprint. For NULL, or if hashing fails, the result is only the
 * prefix, which is not a valid fingerprint.
 */
void tls_fingerprint_of(X509 *certificate, struct fingerprint *out);

#endif
