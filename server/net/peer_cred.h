/*
 * peer_cred.h - the identity of a connection's peer: address, or user of a unix socket.
 */
#ifndef SERVER_NET_PEER_CRED_H
#define SERVER_NET_PEER_CRED_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

#include "server/core/server.h"

/*
 * Ask the kernel for the peer of a connected socket. Returns false if it is not known (the peer
 * has already closed).
 */
bool peer_identify(int fd, struct peer *out);
/*
 * The same for an IPv4 or IPv6 address; returns false for other families. All addresses of an
 * IPv6 /64 are one peer.
 */
bool peer_of_address(const struct sockaddr_storage *at, struct peer *out);

#endif
