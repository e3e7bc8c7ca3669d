/*
 * address.h - the addresses of --listen: unix:/path, and tcp://, tls://, http:// or https://host:port.
 *
 * Only their syntax; resolving and opening is in socket.h.
 */
#ifndef SERVER_NET_ADDRESS_H
#define SERVER_NET_ADDRESS_H

#include <stdbool.h>

#include "proto/base/err.h"
#include "proto/base/slice.h"

enum address_kind { ADDRESS_UNIX, ADDRESS_TCP };

/* size of sun_path in struct sockaddr_un, without the terminator */
#define ADDRESS_PATH_BYTES_MAX 107
#define ADDRESS_HOST_BYTES_MAX 253

struct address {
	enum address_kind kind;
	bool is_tls; /* tcp with TLS */
	bool is_web; /* tcp with HTTP, for browsers */
	char path[ADDRESS_PATH_BYTES_MAX + 1]; /* unix */
	char host[ADDRESS_HOST_BYTES_MAX + 1]; /* tcp; without brackets; never empty */
	char port[6];                          /* tcp; decimal, "0": any free port */
};

/* The default port of web addresses; that of the others is RPC_PORT. */
#define WEB_PORT "2938"

/* Return the scheme of TCP addresses at which clients, or browsers, are served, with TLS or without. */
const char *address_scheme(bool is_tls, bool is_web);
/* The same the other way round. Returns false, and sets neither, if there is no such scheme. */
bool address_scheme_read(struct slice scheme, bool *is_tls, bool *is_web);

/*
 * Parse unix:PATH, tcp://HOST[:PORT], tcp://[IPV6][:PORT], or the same with tls://, http:// or https://.
 * An empty HOST means 127.0.0.1, encrypted all addresses; "localhost" means 127.0.0.1.
 *
 * ERR_INVALID  *why says what is wrong, for people.
 */
NODISCARD enum err address_parse(const char *text, struct address *out, struct errmsg *why);

/*
 * Parse HOST:PORT, the address at which a node listens for others, without a scheme. It names one
 * address, as the others are told it: not all of the machine's.
 *
 * ERR_INVALID  *why says what is wrong, for people.
 */
NODISCARD enum err address_parse_node(const char *text, struct address *out, struct errmsg *why);
#define ADDRESS_NODE_CHARS (ADDRESS_HOST_BYTES_MAX + 8)
/* Write it as HOST:PORT, with brackets where the host is of IPv6. */
void address_write_node(const struct address *a, char out[ADDRESS_NODE_CHARS + 1]);

#endif
