/*
 * peer_cred.c - identities of peers by the kernel, never by their own claim.
 */
#define _GNU_SOURCE /* struct ucred */
#include "server/net/peer_cred.h"

#include <arpa/inet.h>
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
		*out = (struct whole_address){.bytes = {[10] = 0xff, [11] = 0xff}};
		memcpy(out->bytes + 12, v4, sizeof(v4));
		return true;
	}
	return inet_pton(AF_INET6, terminated, out->bytes) == 1;
}

bool whole_address_is_peer(const struct whole_address *address, int fd)
{
	struct whole_address is = {.bytes = {[10] = 0xff, [11] = 0xff}};
	union {
		struct sockaddr any;
		struct sockaddr_in in;
		struct sockaddr_in6 in6;
	} at = {.any.sa_family = AF_UNSPEC};
	socklen_t len = sizeof(at);
	if (getpeername(fd, &at.any, &len) != 0) {
		return false;
	}
	if (at.any.sa_family == AF_INET) {
		memcpy(is.bytes + 12, &at.in.sin_addr, 4);
	} else if (at.any.sa_family == AF_INET6) {
		memcpy(is.bytes, &at.in6.sin6_addr, sizeof(is.bytes));
	} else {
		return false;
	}
	return memcmp(is.bytes, address->bytes, sizeof(is.bytes)) == 0;
}

bool peer_of_text(struct slice text, struct peer *out)
{
	struct whole_address whole;
	struct in6_addr v6;
	const char *colon = memchr(text.data, ':', text.len);
	const char *last = colon;
	for (size_t i = 0; i < text.len; i++) {
		last = text.data[i] == ':' ? text.data + i : last;
	}
	if (text.len > 0 && text.data[0] == '[') {
		const char *close = memchr(text.data, ']', text.len);
		if (close == NULL) {
			return false;
		}
		text = slice_of(text.data + 1, (size_t)(close - text.data) - 1);
	} else if (colon != NULL && colon == last) { /* one colon: what follows is a port */
		text.len = (size_t)(colon - text.data);
	}
	if (!whole_address_parse(text, &whole)) {
		return false;
	}
	*out = (struct peer){.kind = PEER_NETWORK};
	memcpy(&v6, whole.bytes, sizeof(v6));
	peer_from_v6(&v6, out);
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
