/*
 * peer_cred.h - who is at the other end of a connection, as the kernel tells it.
 */
#ifndef SERVER_NET_PEER_CRED_H
#define SERVER_NET_PEER_CRED_H

#include <stdbool.h>
#include <stddef.h>

#include "server/core/server.h"

/*
 * Ask the kernel about a connected socket. False where it does not know (the
 * peer is gone already).
 */
bool peer_identify(int fd, struct peer *out);

#endif
