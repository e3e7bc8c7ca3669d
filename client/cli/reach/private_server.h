/*
 * private_server.h - the user's own `ayed`, started when it is needed.
 */
#ifndef CLIENT_CLI_REACH_PRIVATE_SERVER_H
#define CLIENT_CLI_REACH_PRIVATE_SERVER_H

#include <stdbool.h>

#include "client/net/transport/address.h"
#include "proto/base/err.h"

/* How long the server runs without connections. */
#define PRIVATE_SERVER_IDLE_SECONDS "3600"
/* The time it may take to report that it is ready. */
#define PRIVATE_SERVER_READY_MS 15000

/* Whether a server listens on the socket. */
bool private_server_answers(const char *socket_path);

/*
 * The last socket of the server with its data in this state directory. Returns false if it is not
 * known, or its directory is not private to the user.
 */
bool private_server_noted(char out[ADDRESS_PATH_MAX + 1]);

/*
 * Note that the server listens on that socket, or that the user stopped it: it is started again by
 * the next command that needs it, and not by a screen that has lost it.
 */
void private_server_note(const char *socket_path, bool is_stopped);
bool private_server_was_stopped(void);
/*
 * private_server_stop.c: stop the server that listens on the socket, and wait for its end.
 * ERR_CLOSED  *why says what failed.
 */
NODISCARD enum err private_server_stop(const char *socket_path, struct errmsg *why);

/*
 * Ensure that a server listens on the socket, in a directory private to the user. If
 * several processes call this at once, one starts it and the others wait. The server
 * outlives the caller.
 *
 * ERR_CLOSED  *why says which program was tried, and what it reported.
 */
NODISCARD enum err private_server_ensure(const char *dir, const char *socket_path, struct errmsg *why);

#endif
