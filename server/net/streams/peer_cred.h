/*
 * peer_cred.h - the identity of a connection's peer: address, or user of a unix socket.
 */
#ifndef SERVER_NET_PEER_CRED_H
#define SERVER_NET_PEER_CRED_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

#include "proto/base/slice.h"
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

/* An address in full: IPv6, or IPv4 mapped into it. */
struct whole_address {
	unsigned char bytes[16];
};

/* Parse an address without a name: 192.0.2.7, 2001:db8::7. Returns false if it is none. */
bool whole_address_parse(struct slice text, struct whole_address *out);
/* Return whether the connected socket's peer has this address. */
bool whole_address_is_peer(const struct whole_address *address, int fd);
/*
 * The peer that a proxy names: an address, perhaps with a port (192.0.2.7:1234, [2001:db8::7]:1234).
 * Returns false if it is none.
 */
bool peer_of_text(struct slice text, struct peer *out);

#endif
