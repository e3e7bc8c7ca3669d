/*
 * find_server.h - which server, and starting one where there is none.
 *
 * --server, else AYE_SERVER, else the system's socket where somebody listens,
 * else the person's own socket; where nobody listens there, a private server
 * is started for it and stays until it has been idle for an hour. None is for
 * somebody who came by ssh: a private server would be everybody's, and the
 * system has its own.
 */
#ifndef CLIENT_CLI_REACH_FIND_SERVER_H
#define CLIENT_CLI_REACH_FIND_SERVER_H

#include <stdbool.h>

#include "client/net/address.h"
#include "proto/base/err.h"

#define SYSTEM_SOCKET "/run/ayed/ayed.sock"

struct server_place {
	struct address address;
	bool is_told; /* by --server or AYE_SERVER: a colleague has to be told it too */
	bool is_own;  /* the person's own socket: a server is started for it where nobody listens */
	bool is_down; /* it is their own, and nobody listens there */
};

/*
 * Where it is, without starting one; no server is looked at, and nobody asked.
 * @server  the value of --server, or NULL.
 * ERR_INVALID  what was told is no address.
 * ERR_IO       the file of known servers (known_servers.h); OK with *why where it was damaged and set aside.
 * ERR_CLOSED   there is none, or an ssh:// one, for somebody who came by ssh, or no place for one of one's own; *why says more.
 */
NODISCARD enum err server_seek(const char *server, struct server_place *out, struct errmsg *why);
/* The same, and start one's own where it is down. ERR_CLOSED: or it could not be started. */
NODISCARD enum err server_find(const char *server, struct server_place *out, struct errmsg *why);

/*
 * The server at the place was lost: start it again where it is the person's own
 * and nobody listens. Takes as long as that takes; does nothing for other places.
 * ERR_CLOSED   it could not be started; *why says what was tried.
 */
NODISCARD enum err server_revive(const struct server_place *place, struct errmsg *why);

/* What to call it: "your own server", "this machine's server", or its address. Valid as long as the place. */
const char *server_label(const struct server_place *place);

#endif
