/*
 * peer_uv.h - read the certificate of a server without sending it a message.
 */
#ifndef CLIENT_NET_PEER_UV_H
#define CLIENT_NET_PEER_UV_H

#include <stdint.h>

#include "client/net/transport/address.h"
#include "proto/base/err.h"
#include "proto/tls/tls.h"

/*
 * Blocks. @address  a tls:// one.
 *
 * ERR_CLOSED   there is no server, or the handshake failed.
 * ERR_UNKNOWN  no TLS handshake came about within timeout_ms.
 */
NODISCARD enum err peer_look(const struct address *address, int64_t timeout_ms,
			     struct tls_peer *out);

#endif
