/*
 * find_server.h - find the server to use, and start one if there is none.
 *
 * --server, else AYE_SERVER, else the system's socket if a server listens there,
 * else the user's own socket; if no server listens there, one is started, which
 * stops after an hour without connections. Users who came by ssh get none of their
 * own, since they share one system user; they use the system's server.
 */
#ifndef CLIENT_CLI_REACH_FIND_SERVER_H
#define CLIENT_CLI_REACH_FIND_SERVER_H

#include <stdbool.h>

#include "client/net/transport/address.h"
#include "proto/base/err.h"

#define SYSTEM_SOCKET "/run/ayed/ayed.sock"

struct server_place {
	struct address address;
	bool is_told; /* given by --server or AYE_SERVER, so that others must be told it too */
	bool is_own;  /* the user's own socket: a server is started if none listens */
	bool is_down; /* it is the user's own, and no server listens */
};

/*
 * Find the server without starting one, connecting to a tls:// server, or asking the user.
 * @server  the value of --server, or NULL.
 * ERR_INVALID  not an address.
 * ERR_IO       the file of known_servers.h cannot be read. If it was damaged and set aside, the
 *              result is OK, with *why.
 * ERR_CLOSED   no server, or an ssh:// one, for a user who came by ssh; or no directory for the
 *              user's own server; *why says which.
 */
NODISCARD enum err server_seek(const char *server, struct server_place *out, struct errmsg *why);
/*
 * The same, and start the user's own server if it is down. ERR_CLOSED also if it could not be
 * started.
 */
NODISCARD enum err server_find(const char *server, struct server_place *out, struct errmsg *why);

/*
 * Start the user's own server if none listens, and block until it is ready. Does nothing for other
 * servers.
 * ERR_CLOSED   it could not be started; *why says what was tried.
 */
NODISCARD enum err server_start(const struct server_place *place, struct errmsg *why);

/* Whether it is the user's own server, and stays stopped until a command needs it. */
bool server_was_stopped(const struct server_place *place);

/*
 * The server was lost: if it is the user's own and none listens, start it again, and block until
 * it is ready. Does nothing for other servers, or if the user stopped it.
 * ERR_CLOSED   it could not be started; *why says what was tried.
 */
NODISCARD enum err server_revive(const struct server_place *place, struct errmsg *why);

/*
 * The server's name for people: "your own server", "this machine's server", or its address. Valid
 * as long as the place.
 */
const char *server_label(const struct server_place *place);

#endif
