/*
 * peer_uv.h - a look at the certificate that a server shows, and nothing else: no message is sent.
 */
#ifndef CLIENT_NET_PEER_UV_H
#define CLIENT_NET_PEER_UV_H

#include <stdint.h>

#include "client/net/address.h"
#include "proto/tls/tls.h"

/* @address  a tls:// one. False where it cannot be reached so, or not within that time. */
bool peer_look(const struct address *address, int64_t timeout_ms, struct tls_peer *out);

#endif
