/*
 * known_servers.h - which certificate a server has for which nobody vouches: noted at
 * the first contact, where a person says that it is the right one, as ssh does.
 *
 * known_servers.json below the state directory: {"tls://192.0.2.7:2937": "SHA256:..."}
 * pins.json there: {"SHA256:(22 characters)": "SHA256:(43)"}, the fingerprint that a server was found to have behind
 * an address with a short one. What is kept about a server is named by the whole, whichever was typed.
 */
#ifndef CLIENT_CLI_REACH_KNOWN_SERVERS_H
#define CLIENT_CLI_REACH_KNOWN_SERVERS_H

#include <stdint.h>

#include "client/net/address.h"
#include "proto/base/err.h"

/*
 * Give a tls:// address without a fingerprint, or with a short one, the whole one that is noted; only the file is
 * read. Where none is noted, and for addresses of other kinds, it stays as it is.
 *
 * ERR_IO  the file, or what it has for the server is no fingerprint; with *why. Where the
 * file was damaged and set aside, *why says so and the result is OK all the same.
 */
NODISCARD enum err known_server_pin(struct address *a, struct errmsg *why);

/*
 * Ask the server for the rest of a short fingerprint, and note it; known_server_meet() does. Where it does not answer
 * or shows another certificate, and for all other addresses, it stays as it is.
 *
 * ERR_IO  the file; with *why.
 */
NODISCARD enum err known_server_complete(struct address *a, int64_t timeout_ms, struct errmsg *why);

/*
 * Look at a server that is not pinned: whether it is there, in this time, and nobody
 * vouches for its certificate. False for addresses that are pinned or not tls://.
 */
bool known_server_is_strange(const struct address *a, int64_t timeout_ms);

/*
 * The first contact with a server that known_server_pin() has left as it is: where it is
 * strange and a person is there, they are asked, and their yes is noted. Where nobody
 * can be asked the address stays as it is: a connection to it says what is missing.
 *
 * @timeout_ms  for the server; a person has all the time.
 * ERR_CLOSED   the answer was no.  ERR_IO  the file; with *why.
 */
NODISCARD enum err known_server_meet(struct address *a, int64_t timeout_ms, struct errmsg *why);

#endif
