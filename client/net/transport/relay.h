/*
 * relay.h - copies bytes between two descriptors and a server's socket.
 *
 * The far side of ssh://. It does not interpret the bytes.
 */
#ifndef CLIENT_NET_RELAY_H
#define CLIENT_NET_RELAY_H

#include "client/net/transport/address.h"
#include "proto/base/err.h"

/* The most bytes buffered in each direction. */
#define RELAY_BYTES 65536

/*
 * Copy `from` to the socket and the socket to `to`, until the server closes or the reader of
 * `to` is gone. The end of `from` is passed on to the server, whose last bytes are still
 * copied. The descriptors' blocking mode is not changed. SIGPIPE must be ignored.
 *
 * @address     a unix: one.
 * ERR_CLOSED   no server listens there; *why is set.
 */
NODISCARD enum err relay_run(const struct address *address, int from, int to, struct errmsg *why);

#endif
