/*
 * peer_uv.h - read the certificate of a server without sending it a message.
 */
#ifndef CLIENT_NET_PEER_UV_H
#define CLIENT_NET_PEER_UV_H

#include <stdint.h>

#include "client/net/address.h"
#include "proto/tls/tls.h"

/* Blocks. Returns false if no TLS handshake succeeds within timeout_ms. @address  a tls:// one. */
bool peer_look(const struct address *address, int64_t timeout_ms, struct tls_peer *out);

#endif
