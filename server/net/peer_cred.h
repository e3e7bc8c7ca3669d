/*
 * peer_cred.h - the identity of a connection's peer: address, or user of a unix socket.
 */
#ifndef SERVER_NET_PEER_CRED_H
#define SERVER_NET_PEER_CRED_H

#include <stdbool.h>
#include <stddef.h>

#include "server/core/server.h"

/*
 * Ask the kernel about a connected socket. False where it does not know (the
 * peer has closed already).
 */
bool peer_identify(int fd, struct peer *out);

#endif
