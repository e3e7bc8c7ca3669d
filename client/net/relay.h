/*
 * relay.h - two files and a server's socket, joined: what comes from one goes into the other.
 *
 * The far side of ssh://. Knows nothing of what it carries.
 */
#ifndef CLIENT_NET_RELAY_H
#define CLIENT_NET_RELAY_H

#include "client/net/address.h"
#include "proto/base/err.h"

/* What is on its way in one direction. */
#define RELAY_BYTES 65536

/*
 * From one descriptor to the socket and from the socket to the other, until the server
 * closes or nobody reads any more. The end of `from` is told to the server, whose last bytes
 * still come. Both descriptors stay as they are: blocking or not. SIGPIPE must be ignored.
 *
 * @address     a unix: one.
 * ERR_CLOSED   nobody listens there; *why.
 */
NODISCARD enum err relay_run(const struct address *address, int from, int to, struct errmsg *why);

#endif
