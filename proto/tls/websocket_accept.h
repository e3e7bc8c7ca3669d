/*
 * websocket_accept.h - how a server proves that it answers as a WebSocket (RFC 6455, 4.2.2).
 *
 * It is the only use of SHA-1, whose weakness does not matter here: nothing is kept secret by it. It is
 * among TLS because it is OpenSSL's.
 */
#ifndef PROTO_TLS_WEBSOCKET_ACCEPT_H
#define PROTO_TLS_WEBSOCKET_ACCEPT_H

#include <stdbool.h>

#include "proto/base/slice.h"

#define WEBSOCKET_ACCEPT_CHARS 28

/*
 * Write the Sec-WebSocket-Accept for a Sec-WebSocket-Key, and a NUL. Returns false if OpenSSL fails,
 * as without memory.
 */
bool websocket_accept(struct slice key, char out[WEBSOCKET_ACCEPT_CHARS + 1]);

#endif
