/*
 * session_cache.h - the sessions that connections use at present.
 */
#ifndef SERVER_CORE_TXN_SESSION_CACHE_H
#define SERVER_CORE_TXN_SESSION_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "server/domain/base/uthash_config.h"
#include "server/domain/txn.h"

struct conn;
struct server;

/* A session in use, shared by its connections. */
struct live_session {
	/* expires_at is the value for the table: setting the clock back never lowers it */
	struct session is;
	int64_t used_mono; /* time of the last call: the session's lifetime counts from here */
	/*
	 * expires_at in the table, or as last written to it; up to a minute earlier, on several
	 * nodes a tenth of its life
	 */
	int64_t stored_expires_at;
	/* until then another node's use of it lasts at least, by the table; on the monotonic clock */
	int64_t seen_until_mono;
	bool is_renewing;
	bool is_looking; /* a look at the table is under way, which holds it */
	bool must_look;  /* its end may have been missed */
	bool is_over; /* logged out, replaced, or being removed because it was idle */
	unsigned refs;
	UT_hash_handle hh; /* by is.token_hash.text */
};
struct live_session *session_ref(struct live_session *l);
void session_unref(struct server *s, struct live_session *l); /* l may be NULL */
/* Return the connection's session, if it has not ended; every call extends it. NULL: none. */
struct live_session *conn_session(struct server *s, struct conn *c);
/* Set the connection's session; NULL: none. Returns false if memory is out. */
bool conn_set_session(struct server *s, struct conn *c, const struct session *is);
/*
 * Return whether a session is alive: by its last use if connections have it, otherwise by
 * expires_at from the table.
 */
bool session_is_live(const struct server *s, struct slice token_hash, int64_t expires_at);
/*
 * Update the table for a session that connections use but that has expired according to the
 * table.
 */
void session_keep(struct server *s, struct slice token_hash);
/* A session in use at another node was written to the table at most so long ago. */
int64_t session_seen_within_ms(const struct server *s);
/* Return whether the user is logged in on the connection; does not extend the session. */
bool conn_is_user(const struct server *s, const struct conn *c, struct slice user_id);
/* Return whether any user is logged in on the connection; does not extend the session. */
bool conn_has_user(const struct server *s, const struct conn *c);
/*
 * Return whether the session was idle here for its whole life, so that only the table knows whether
 * it is over: there are other nodes. l may be NULL.
 */
bool session_is_in_doubt(const struct server *s, const struct live_session *l);
/* Look it up then, unless that is under way. */
void session_look(struct server *s, struct live_session *l);
/* The end of a look (a txn_ended_cb): it was used elsewhere, or it is over. */
void session_looked_up(struct server *s, void *of, const void *result);
/* Publications were missed: look up every session, a few at a time, with sessions_tick(). */
void sessions_missed(struct server *s);
void sessions_tick(struct server *s);
/* Return when sessions_tick() has something to do, on the monotonic clock; INT64_MAX: never. */
int64_t sessions_deadline(const struct server *s);
/* Set the session's name to that of *is, for all connections that use it. */
void session_set_name(struct server *s, const struct session *is);
/* End the session for all connections that use it. */
void session_end(struct server *s, const struct key_text *token_hash);
/*
 * Nobody knows whether the session has ended, or has another name: its connections are closed. The
 * next login with its token finds it in the table as it is.
 */
void session_doubt(struct server *s, const struct key_text *token_hash);

#endif
