/*
 * private_server.h - an `ayed` of one's own, started when it is needed.
 */
#ifndef CLIENT_CLI_REACH_PRIVATE_SERVER_H
#define CLIENT_CLI_REACH_PRIVATE_SERVER_H

#include <stdbool.h>

#include "client/net/address.h"
#include "proto/base/err.h"

/* How long a private server without connections stays. */
#define PRIVATE_SERVER_IDLE_SECONDS "3600"
/* Time it may take to say that it is ready. */
#define PRIVATE_SERVER_READY_MS 15000

/* Whether somebody listens on the socket. */
bool private_server_answers(const char *socket_path);

/* Where the one was started last whose data are in our state directory; false: not known, or its directory is not ours alone. */
bool private_server_noted(char out[ADDRESS_PATH_MAX + 1]);

/*
 * Make sure that a server listens on the socket, in a directory that is ours
 * alone. Of several programs that call this at once, one starts it and the
 * others wait. It outlives the caller.
 *
 * ERR_CLOSED with *why: which program was tried, and what it said.
 */
NODISCARD enum err private_server_ensure(const char *dir, const char *socket_path, struct errmsg *why);

#endif
