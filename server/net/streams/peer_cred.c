/*
 * peer_cred.c - identities of peers by the kernel, never by their own claim.
 */
#define _GNU_SOURCE /* struct ucred */
#include "server/net/streams/peer_cred.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "proto/text/host_port.h"

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

/* Of an IPv6 peer only the network counts. */
static struct peer peer_from_whole(const struct whole_address *whole)
{
	struct in6_addr v6;
	memcpy(&v6, whole->bytes, sizeof(v6));
	bool is_v4 = IN6_IS_ADDR_V4MAPPED(&v6) != 0;
	bool is_loopback = is_v4 ? v6.s6_addr[12] == 127 : IN6_IS_ADDR_LOOPBACK(&v6) != 0;
	struct peer peer = {.kind = is_loopback ? PEER_LOOPBACK : PEER_NETWORK};
	memcpy(peer.address, whole->bytes,
	       is_v4 || is_loopback ? sizeof(whole->bytes) : PEER_PREFIX_BYTES);
	return peer;
}

static struct whole_address whole_address_of_v4(const void *v4)
{
	struct whole_address whole = {.bytes = {[10] = 0xff, [11] = 0xff}};
	memcpy(whole.bytes + 12, v4, 4);
	return whole;
}

/* False if it is of another family. */
static bool whole_address_of(const struct sockaddr_storage *at, struct whole_address *out)
{
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
	if (at->ss_family == AF_INET) {
		memcpy(&in, at, sizeof(in));
		*out = whole_address_of_v4(&in.sin_addr);
	} else if (at->ss_family == AF_INET6) {
		memcpy(&in6, at, sizeof(in6));
		memcpy(out->bytes, &in6.sin6_addr, sizeof(out->bytes));
	}
	return at->ss_family == AF_INET || at->ss_family == AF_INET6;
}

bool whole_address_parse(struct slice text, struct whole_address *out)
{
	char terminated[INET6_ADDRSTRLEN];
	unsigned char v4[4];
	if (text.len >= sizeof(terminated)) {
		return false;
	}
	memcpy(terminated, text.data, text.len);
	terminated[text.len] = '\0';
	if (inet_pton(AF_INET, terminated, v4) == 1) {
		*out = whole_address_of_v4(v4);
		return true;
	}
	return inet_pton(AF_INET6, terminated, out->bytes) == 1;
}

bool whole_address_is_peer(const struct whole_address *address, int fd)
{
	struct sockaddr_storage at = {0};
	struct whole_address is;
	socklen_t len = sizeof(at);
	return getpeername(fd, (struct sockaddr *)&at, &len) == 0 && whole_address_of(&at, &is) &&
	       memcmp(is.bytes, address->bytes, sizeof(is.bytes)) == 0;
}

bool peer_of_address(const struct sockaddr_storage *at, struct peer *out)
{
	struct whole_address whole;
	*out = (struct peer){.kind = PEER_NETWORK};
	if (!whole_address_of(at, &whole)) {
		return false;
	}
	*out = peer_from_whole(&whole);
	return true;
}

bool peer_of_text(struct slice text, struct peer *out)
{
	struct whole_address whole;
	struct slice host;
	struct slice port;
	if (!whole_address_parse(text, &whole) && /* of IPv6 without brackets, all of it */
	    !(host_port_split(text, &host, &port) && whole_address_parse(host, &whole))) {
		return false;
	}
	*out = peer_from_whole(&whole);
	return true;
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
