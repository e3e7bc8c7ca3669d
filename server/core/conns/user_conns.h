/*
 * user_conns.h - the connections on which a user is logged in now, whatever session each has.
 */
#ifndef SERVER_CORE_CONNS_USER_CONNS_H
#define SERVER_CORE_CONNS_USER_CONNS_H

#include <stdbool.h>

#include "proto/base/slice.h"
#include "server/domain/base/uthash_config.h"

struct conn;
struct server;

/* A user with connections. Life: the first user_conns_join() .. the last user_conns_leave(). */
struct user_conns {
	struct conn *conns; /* utlist by user_next */
	UT_hash_handle hh;  /* by user_id */
	size_t len;
	char user_id[];
};

/* The connection is that user's from now on, and nobody's before. False when memory is out: it is as it was. */
bool user_conns_join(struct server *s, struct conn *c, struct slice user_id);
/* The connection is no user's any more; of none is fine. */
void user_conns_leave(struct server *s, struct conn *c);

/* Whether a session of the user lives on a connection. */
bool user_is_connected(const struct server *s, struct slice user_id);
/* Send a transient notification, encoded, to those connections, but for those for which too much waits. */
void user_notify(struct server *s, struct slice user_id, struct slice notification);

#endif
