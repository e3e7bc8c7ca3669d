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
 * Ask the kernel about a connected socket. False where it does not know (the
 * peer has closed already).
 */
bool peer_identify(int fd, struct peer *out);
/* The same of an address, IPv4 or IPv6; false of any other family. All addresses of an IPv6 /64 are one peer. */
bool peer_of_address(const struct sockaddr_storage *at, struct peer *out);

#endif
