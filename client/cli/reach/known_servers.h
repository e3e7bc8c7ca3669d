/*
 * known_servers.h - certificates of servers that no authority certifies, recorded at the first
 * contact once the user confirms them, as ssh does.
 *
 * known_servers.json in the state directory: {"tls://192.0.2.7:2937": "SHA256:..."}
 * pins.json there: {"SHA256:(22 characters)": "SHA256:(43)"}, the whole fingerprint of a server
 * whose address has a short one. State about a server is stored under the whole fingerprint,
 * whichever was typed.
 */
#ifndef CLIENT_CLI_REACH_KNOWN_SERVERS_H
#define CLIENT_CLI_REACH_KNOWN_SERVERS_H

#include <stdint.h>

#include "client/net/transport/address.h"
#include "proto/base/err.h"

/*
 * Set the recorded fingerprint of a tls:// address that has none, or a short one; reads only the
 * file. If none is recorded, and for other addresses, nothing is changed.
 *
 * ERR_IO  the file cannot be read, or its entry is not a fingerprint; with *why. A damaged file is
 *         set aside, which *why says, and the result is OK.
 */
NODISCARD enum err known_server_pin(struct address *a, struct errmsg *why);

/*
 * Connect to the server to complete a short fingerprint, and record it; known_server_meet() does
 * this too. If it refuses the connection or shows another certificate, and for other addresses,
 * nothing is changed.
 *
 * ERR_UNKNOWN  it does not answer within this time; with *why. Nothing is changed.
 * ERR_IO       the file cannot be written; with *why.
 */
NODISCARD enum err known_server_complete(struct address *a, int64_t timeout_ms, struct errmsg *why);

/*
 * Whether an unpinned server answers within this time with a certificate that no authority
 * certifies. False for addresses that are pinned or not tls://.
 */
bool known_server_is_strange(const struct address *a, int64_t timeout_ms);

/*
 * The first contact with a server for which known_server_pin() found nothing: if
 * known_server_is_strange() and there is a terminal, ask the user to confirm the certificate,
 * and record it. Without a terminal nothing is changed, and a connection then fails with a
 * message about it.
 *
 * @timeout_ms  for the server; the user's time is not limited.
 * ERR_UNKNOWN  it does not answer within this time; with *why.
 * ERR_CLOSED   the answer was no; with *why.
 * ERR_IO       the file cannot be written; with *why.
 */
NODISCARD enum err known_server_meet(struct address *a, int64_t timeout_ms, struct errmsg *why);

#endif
