/*
 * address.h - the address of a server, as people write it.
 *
 * unix:/path, tls://host:port, tcp://host:port or ssh://user@host:port/path, with
 * [..] around an IPv6 address. tls:// may be followed by #SHA256:..., the pin of the
 * server's certificate (fingerprint.h), short or whole. In ssh:// only the host is
 * required; it may be a Host of ssh_config(5). Only the syntax is checked here.
 */
#ifndef CLIENT_NET_ADDRESS_H
#define CLIENT_NET_ADDRESS_H

#include <stdbool.h>

#include "proto/base/err.h"
#include "proto/keys/fingerprint.h"

/* The longest path that fits in sun_path of unix(7); a longer one would be cut silently. */
#define ADDRESS_PATH_MAX 107
#define ADDRESS_HOST_MAX 253
#define ADDRESS_USER_MAX 64

/* With the terminator. */
#define ADDRESS_TEXT_BYTES (ADDRESS_USER_MAX + ADDRESS_HOST_MAX + ADDRESS_PATH_MAX + 18)

struct address {
	bool is_unix;
	bool is_tls; /* TCP with TLS */
	bool is_ssh; /* a unix socket on another machine, reached by ssh */
	/* tls: the pin of the certificate; "": the certificate authorities of the system decide. */
	struct fingerprint fingerprint;
	/*
	 * the fingerprint was recorded at the first contact; it is not part of the address as
	 * written
	 */
	bool is_noted;
	/* unix: the socket; ssh: the socket there, "": the default one */
	char path[ADDRESS_PATH_MAX + 1];
	char user[ADDRESS_USER_MAX + 1]; /* ssh; "": ssh's default */
	/* tcp, tls and ssh, without brackets; for ssh it never starts with - */
	char host[ADDRESS_HOST_MAX + 1];
	char port[6];                    /* tcp and tls: 1 to 65535; ssh: "": ssh's default */
	/* the canonical form, for messages and as the server's name in stored state */
	char text[ADDRESS_TEXT_BYTES];
};

/*
 * @text  NUL-terminated.
 * ERR_INVALID  not an address; *why says what one looks like.
 */
NODISCARD enum err address_parse(const char *text, struct address *out, struct errmsg *why);

/*
 * Write the canonical form: the host in lower case, the port without leading zeros, a path
 * and all of ssh:// unchanged. Names are not resolved: two names of one server are two
 * addresses, unless both have a fingerprint, which identifies the server.
 */
void address_canonical(const struct address *a, char out[ADDRESS_TEXT_BYTES]);

/* Write the address for other people: an ssh:// one without the user. */
void address_for_others(const struct address *a, char out[ADDRESS_TEXT_BYTES]);

/*
 * Pin the tls:// address to this recorded certificate, so that a server has one name however
 * it was typed. The address must have no pin, or the short form of this one.
 */
void address_pin(struct address *a, const struct fingerprint *fingerprint);

#endif
