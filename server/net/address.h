/*
 * address.h - the addresses of --listen: unix:/path, tcp://host:port and tls://host:port.
 *
 * Only their syntax; resolving and opening is in socket.h.
 */
#ifndef SERVER_NET_ADDRESS_H
#define SERVER_NET_ADDRESS_H

#include <stdbool.h>

#include "proto/base/err.h"

enum address_kind { ADDRESS_UNIX, ADDRESS_TCP };

/* size of sun_path in struct sockaddr_un, without the terminator */
#define ADDRESS_PATH_BYTES_MAX 107
#define ADDRESS_HOST_BYTES_MAX 253

struct address {
	enum address_kind kind;
	bool is_tls; /* tcp with TLS */
	char path[ADDRESS_PATH_BYTES_MAX + 1]; /* unix */
	char host[ADDRESS_HOST_BYTES_MAX + 1]; /* tcp; without brackets; never empty */
	char port[6];                          /* tcp; decimal, "0": any free port */
};

/*
 * Parse unix:PATH, tcp://HOST[:PORT], tcp://[IPV6][:PORT], or the same with tls://. An empty HOST
 * and "localhost" mean 127.0.0.1.
 *
 * ERR_INVALID  *why says what is wrong, for people.
 */
NODISCARD enum err address_parse(const char *text, struct address *out, struct errmsg *why);

#endif
