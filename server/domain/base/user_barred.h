/*
 * user_barred.h - users whom the server's owner has barred.
 *
 *   SERVER:users BARRED#{bar_id}    a user who is barred
 *
 * A barred user cannot log in, ask or answer. They are known by their fingerprint, a keyed hash of their
 * user_id, as answers name nobody else: so whoever gave an answer can be barred without being named. A key
 * has one user_id for ever; a guest has another with the next login, and is barred for this one alone.
 *
 * server.bar, server.unbar and server.barred are in session/session_barred.c.
 */
#ifndef SERVER_DOMAIN_BASE_USER_BARRED_H
#define SERVER_DOMAIN_BASE_USER_BARRED_H

#include "server/domain/txn.h"

/* The PK's rest of all of them. */
#define USERS_BARRED SLICE("users")

/* What stands for a user in the table where nothing may say who it is. */
struct key_text user_fingerprint(const struct txn *t, struct slice user_id);

/* The bar of whom that fingerprint stands for, whether there is one or not; in t->arena. */
struct slice user_bar_id(struct txn *t, struct slice fingerprint);

/* Whether the user is barred; false while that is loading. */
bool user_is_barred(struct txn *t, struct slice user_id);

/* The refusal of a barred user; returns TXN_REFUSED. */
enum txn_step user_refuse_barred(struct txn *t);

#endif
