/*
 * session_cache.h - the sessions that connections use now.
 */
#ifndef SERVER_CORE_TXN_SESSION_CACHE_H
#define SERVER_CORE_TXN_SESSION_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "server/domain/base/uthash_config.h"
#include "server/domain/txn.h"

struct conn;
struct server;

/* A session that connections use now, shared by them. */
struct live_session {
	struct session is; /* expires_at is for the table: a clock that is set back never lowers it */
	int64_t used_mono;         /* the last call: its life is counted from here */
	int64_t stored_expires_at; /* what the table has of expires_at, up to a minute less, or was last asked to have */
	bool is_renewing;
	bool is_over; /* logged out, replaced, or being removed as it was idle */
	unsigned refs;
	UT_hash_handle hh; /* by is.token_hash.text */
};
struct live_session *session_ref(struct live_session *l);
void session_unref(struct server *s, struct live_session *l); /* NULL is fine */
/* The connection's, if it is not over; every call prolongs it. NULL: none. */
struct live_session *conn_session(struct server *s, struct conn *c);
/* The connection has this session from now on, with NULL none. False when memory is out. */
bool conn_set_session(struct server *s, struct conn *c, const struct session *is);
/* Whether a session lives: by its use, where connections have it, else by its end in the table. */
bool session_is_live(const struct server *s, struct slice token_hash, int64_t expires_at);
/* One that connections use, and that the table takes for over: bring the table up to date. */
void session_keep(struct server *s, struct slice token_hash);
/* Whether that user is logged in on the connection; asks only, and prolongs nothing. */
bool conn_is_user(const struct server *s, const struct conn *c, struct slice user_id);
/* Whether anybody is logged in on it; likewise. */
bool conn_has_user(const struct server *s, const struct conn *c);
/* It has the name of *is from now on, for all connections that use it. */
void session_set_name(struct server *s, const struct session *is);
/* It is over for all connections that use it. */
void session_end(struct server *s, const struct key_text *token_hash);

#endif
