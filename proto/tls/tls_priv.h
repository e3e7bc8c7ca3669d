/*
 * tls_priv.h - what the two halves of proto/tls share.
 */
#ifndef PROTO_TLS_TLS_PRIV_H
#define PROTO_TLS_TLS_PRIV_H

#include <openssl/rand.h>
#include <openssl/ssl.h>

#include "proto/tls/tls.h"

/* Of what is accepted: OpenSSL's security level 2, as RSA of 2,048 bits. */
#define TLS_SECURITY_LEVEL 2
#define TLS_SECURITY_BITS  112
#define TLS_WEAK_KEY	   "has a key that is too weak, such as RSA below 2,048 bits"

struct tls_context {
	SSL_CTX *ctx;
};

/* NULL, and one that cannot be hashed, have none: the prefix alone, which is no fingerprint. */
void tls_fingerprint_of(X509 *certificate, struct fingerprint *out);

#endif
