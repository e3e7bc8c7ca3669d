/*
 * address.h - where a server listens, as people write it.
 *
 * unix:/path, tls://host:port, tcp://host:port or ssh://user@host:port/path, with
 * [..] round an IPv6 address. tls:// may have #SHA256:... behind it, the pin of
 * the server's certificate (fingerprint.h), short or whole; of ssh:// only the host has to be there, which is
 * whatever ssh_config(5) knows it as. Only the form is checked here; whether anybody is
 * there is the connection's business.
 */
#ifndef CLIENT_NET_ADDRESS_H
#define CLIENT_NET_ADDRESS_H

#include <stdbool.h>

#include "proto/base/err.h"
#include "proto/keys/fingerprint.h"

/* Longer paths do not fit a socket's name, and the kernel's interface would cut them silently. */
#define ADDRESS_PATH_MAX 107
#define ADDRESS_HOST_MAX 253
#define ADDRESS_USER_MAX 64

/* With the terminator. */
#define ADDRESS_TEXT_BYTES (ADDRESS_USER_MAX + ADDRESS_HOST_MAX + ADDRESS_PATH_MAX + 18)

struct address {
	bool is_unix;
	bool is_tls; /* tcp, encrypted */
	bool is_ssh; /* a unix socket on another machine, where ssh leads */
	struct fingerprint fingerprint; /* tls: pins the one certificate that is right; "": the system's authorities vouch for it */
	bool is_noted; /* the fingerprint is what was noted at the first contact, and was not written */
	char path[ADDRESS_PATH_MAX + 1]; /* unix; of ssh the socket there, "": the usual one */
	char user[ADDRESS_USER_MAX + 1]; /* ssh; "": whom ssh takes */
	char host[ADDRESS_HOST_MAX + 1]; /* tcp and ssh, without brackets; of ssh never with a - in front */
	char port[6];                    /* tcp, 1 to 65535; of ssh "": what ssh takes */
	char text[ADDRESS_TEXT_BYTES]; /* the whole in one form, for messages and as the server's name in stored state */
};

/*
 * @text  NUL-terminated.
 * ERR_INVALID  *why says what an address looks like.
 */
NODISCARD enum err address_parse(const char *text, struct address *out, struct errmsg *why);

/*
 * One text for all ways to write an address: the host in lower case, the port
 * without leading zeros, a path and all of ssh:// as it is. What the resolver or the file system
 * makes of it is not asked: two names of one server are two addresses, but for
 * those with a fingerprint, which says which server it is, wherever it is.
 */
void address_canonical(const struct address *a, char out[ADDRESS_TEXT_BYTES]);

/* As others write it: of ssh:// without the user, who is nobody there but us. */
void address_for_others(const struct address *a, char out[ADDRESS_TEXT_BYTES]);

/*
 * That certificate, which was noted, is the right one for the tls:// address from now on: where it has no pin, or has
 * the short form of this one, so that a server has one name whichever was typed.
 */
void address_pin(struct address *a, const struct fingerprint *fingerprint);

#endif
