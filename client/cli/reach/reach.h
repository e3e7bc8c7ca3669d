/*
 * reach.h - connect a verb to its server; visit_call() continues from there.
 *
 * Functions that return an int return an exit code (verbs.h), and have reported a failure on
 * stderr.
 */
#ifndef CLIENT_CLI_REACH_REACH_H
#define CLIENT_CLI_REACH_REACH_H

#include "client/cli/reach/find_server.h"
#include "client/cli/verbs.h"
#include "client/net/room_client_wait_uv.h"

/*
 * After server_seek(): print its warning in *why, and at a first contact ask the user to confirm
 * the server (known_servers.h).
 */
int reach_meet(const struct cli *c, struct server_place *place, struct errmsg *why);
/* Find the server, and confirm it at a first contact. */
int reach_place(const struct cli *c, struct server_place *out);
/* Find it and connect, with the login there, if any. The caller closes *out. */
int reach_server(const struct cli *c, struct server_place *place, struct room_client **out);

/* Connect to a server that was found. @sign_in  NULL: no login. The caller closes *out. */
int reach_open(const struct cli *c, const struct server_place *place, struct sign_in *sign_in, struct room_client **out);
/* The same without waiting for hello's answer, for a caller that makes a request next. */
int reach_open_early(const struct cli *c, const struct server_place *place, struct sign_in *sign_in,
		     struct room_client **out);

/* Report why the server could not be reached. Returns EXIT_NO_SERVER. */
int reach_tell_lost(const struct server_place *place, const struct errmsg *why);

/*
 * The exit code of a client's run that has ended; reports an end that the user did not ask for.
 * @code  the exit code if the run was stopped.
 */
int reach_end(const struct cli *c, const struct server_place *place, enum room_client_end end, int code,
	      const struct fault *fault, const struct errmsg *why);

/* Write a new idempotency key to out; returns a slice of it. */
#define REACH_ONCE_CHARS 32
struct slice reach_once(char out[REACH_ONCE_CHARS + 1]);

#endif
