/*
 * user_conns.h - the connections on which a user is logged in now, with any session.
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

/*
 * Make the connection this user's, and no other's any more. Returns false if memory is out:
 * nothing changed.
 */
bool user_conns_join(struct server *s, struct conn *c, struct slice user_id);
/* Remove the connection from its user's; it need not belong to any. */
void user_conns_leave(struct server *s, struct conn *c);

/* Return whether the user is logged in on any connection. */
bool user_is_connected(const struct server *s, struct slice user_id);
/*
 * Send an encoded transient notification to these connections, except those whose send queue is
 * too long.
 */
void user_notify(struct server *s, struct slice user_id, struct slice notification);

#endif
