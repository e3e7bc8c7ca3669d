/*
 * reach.h - from a verb to a connected client (visit_call() goes on from there), with words for every failure.
 */
#ifndef CLIENT_CLI_REACH_REACH_H
#define CLIENT_CLI_REACH_REACH_H

#include "client/cli/reach/find_server.h"
#include "client/cli/verbs.h"
#include "client/net/room_client_uv.h"

/* What server_seek() has found, and warned of in *why: a person is asked where it is met for the first time. As below. */
int reach_meet(const struct cli *c, struct server_place *place, struct errmsg *why);
/* Find the server, and meet it. EXIT_DONE, or the exit code after a word on stderr. */
int reach_place(const struct cli *c, struct server_place *out);
/* Find it and connect, as whoever is logged in there. As above; the caller closes *out. */
int reach_server(const struct cli *c, struct server_place *place, struct room_client **out);

/* Connect to a place that was found, as a user or, where NULL, a stranger. As above. */
int reach_open(const struct cli *c, const struct server_place *place, struct sign_in *sign_in, struct room_client **out);
/* Likewise, for who goes on with a call: hello's answer is not waited for before that. */
int reach_open_early(const struct cli *c, const struct server_place *place, struct sign_in *sign_in,
		     struct room_client **out);

/* It could not be reached at all: tells why. EXIT_NO_SERVER. */
int reach_tell_lost(const struct server_place *place, const struct errmsg *why);

/*
 * The exit code of a run of that place that has ended, after a word on stderr
 * where it did not end as the user asked.
 * @code  of one that was stopped
 */
int reach_end(const struct cli *c, const struct server_place *place, enum room_client_end end, int code,
	      const struct fault *fault, const struct errmsg *why);

/* A fresh idempotency key in out, as a slice of it. */
#define REACH_ONCE_CHARS 32
struct slice reach_once(char out[REACH_ONCE_CHARS + 1]);

#endif
