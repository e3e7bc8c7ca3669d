/*
 * address.h - the addresses that --listen takes: unix:/path, tcp://host:port and tls://host:port.
 *
 * Only the form; nothing is resolved or opened here (socket.h does).
 */
#ifndef SERVER_NET_ADDRESS_H
#define SERVER_NET_ADDRESS_H

#include <stdbool.h>

#include "proto/base/err.h"

enum address_kind { ADDRESS_UNIX, ADDRESS_TCP };

#define ADDRESS_PATH_BYTES_MAX 107 /* what the kernel's struct sockaddr_un holds, less the terminator */
#define ADDRESS_HOST_BYTES_MAX 253

struct address {
	enum address_kind kind;
	bool is_tls; /* tcp; encrypted */
	char path[ADDRESS_PATH_BYTES_MAX + 1]; /* unix */
	char host[ADDRESS_HOST_BYTES_MAX + 1]; /* tcp; without brackets; never empty */
	char port[6];                          /* tcp; decimal, "0" for any */
};

/*
 * unix:PATH, tcp://HOST[:PORT], tcp://[IPV6][:PORT], and tls:// likewise. An empty HOST and
 * "localhost" are 127.0.0.1.
 *
 * ERR_INVALID  *why says what is wrong, for a person.
 */
NODISCARD enum err address_parse(const char *text, struct address *out, struct errmsg *why);

#endif
