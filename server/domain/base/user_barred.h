/*
 * user_barred.h - users whom the server's owner has barred.
 *
 *   SERVER:users BARRED#{bar_id}    a barred user
 *
 * A barred user cannot log in, ask or answer. They are identified by their fingerprint, a keyed
 * hash of their user_id, as in answers: so the author of an answer can be barred without being
 * named. A key always has the same user_id; a guest gets a new one with the next login, and is
 * barred only for this one.
 *
 * server.bar, server.unbar and server.barred are in session/session_barred.c.
 */
#ifndef SERVER_DOMAIN_BASE_USER_BARRED_H
#define SERVER_DOMAIN_BASE_USER_BARRED_H

#include "server/domain/txn.h"

/* The rest of the PK of all these items. */
#define USERS_BARRED SLICE("users")

/* Return the keyed hash that identifies a user where the table must not disclose who it is. */
struct key_text user_fingerprint(const struct txn *t, struct slice user_id);

/* Return the bar_id of the user with this fingerprint, barred or not; in t->arena. */
struct slice user_bar_id(struct txn *t, struct slice fingerprint);

/* Return whether the user is barred; false while it is loading. */
bool user_is_barred(struct txn *t, struct slice user_id);

/* Refuse a barred user. Returns TXN_REFUSED. */
enum txn_step user_refuse_barred(struct txn *t);

#endif
