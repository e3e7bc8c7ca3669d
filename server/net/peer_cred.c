/*
 * peer_cred.c - identities of peers by the kernel, never by their own claim.
 */
#define _GNU_SOURCE /* struct ucred */
#include "server/net/peer_cred.h"

#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define PEER_PREFIX_BYTES 8 /* a /64: the least that one IPv6 customer has */

static bool peer_identify_unix(int fd, struct peer *out)
{
	struct ucred who;
	socklen_t len = sizeof(who);
	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &len) != 0) {
		return false;
	}
	out->kind = PEER_UNIX;
	out->uid = who.uid;
	out->is_owner = who.uid == 0 || who.uid == geteuid();
	return true;
}

static void peer_from_v4(const unsigned char v4[4], struct peer *out)
{
	out->kind = v4[0] == 127 ? PEER_LOOPBACK : PEER_NETWORK;
	out->address[10] = 0xff;
	out->address[11] = 0xff;
	memcpy(out->address + 12, v4, 4);
}

static void peer_from_v6(const struct in6_addr *v6, struct peer *out)
{
	if (IN6_IS_ADDR_V4MAPPED(v6)) {
		peer_from_v4(v6->s6_addr + 12, out);
		return;
	}
	if (IN6_IS_ADDR_LOOPBACK(v6)) {
		out->kind = PEER_LOOPBACK;
		memcpy(out->address, v6->s6_addr, sizeof(out->address));
		return;
	}
	out->kind = PEER_NETWORK;
	memcpy(out->address, v6->s6_addr, PEER_PREFIX_BYTES);
}

bool peer_of_address(const struct sockaddr_storage *at, struct peer *out)
{
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
	*out = (struct peer){.kind = PEER_NETWORK};
	if (at->ss_family == AF_INET) {
		unsigned char v4[4];
		memcpy(&in, at, sizeof(in));
		memcpy(v4, &in.sin_addr, sizeof(v4));
		peer_from_v4(v4, out);
		return true;
	}
	memcpy(&in6, at, sizeof(in6));
	peer_from_v6(&in6.sin6_addr, out);
	return at->ss_family == AF_INET6;
}

bool peer_identify(int fd, struct peer *out)
{
	struct sockaddr_storage at = {0};
	socklen_t len = sizeof(at);
	*out = (struct peer){.kind = PEER_NETWORK};
	if (getpeername(fd, (struct sockaddr *)&at, &len) != 0) {
		return false;
	}
	return at.ss_family == AF_UNIX ? peer_identify_unix(fd, out) : peer_of_address(&at, out);
}
