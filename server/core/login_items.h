/*
 * login_items.h - the items of a session and of its user, for login.c and login_life.c.
 *
 * All bytes live in the errand's arena. Where memory is out *ok becomes false,
 * and nothing of the result may be used.
 */
#ifndef SERVER_CORE_LOGIN_ITEMS_H
#define SERVER_CORE_LOGIN_ITEMS_H

#include "server/core/errand.h"

struct slice login_token_pk(struct errand *er, const struct key_text *hash, bool *ok);
struct slice login_name_pk(struct errand *er, const struct login *l, bool *ok);
struct slice login_user_pk(struct errand *er, const struct login *l, bool *ok);

/* Puts of what er->login says, of now; put_user takes the key from the errand. */
struct store_op login_put_token(struct server *s, struct errand *er, enum store_expect expect, bool *ok);
struct store_op login_put_name(struct server *s, struct errand *er, bool *ok);
struct store_op login_put_user(struct server *s, struct errand *er, bool *ok);
/* The end of both items of a session; a CONFLICT where it has ended already. */
void login_delete(struct errand *er, const struct login *l, struct store_op ops[2], bool *ok);

/*
 * The one item that the partition has, decoded into out, which points into the
 * event and the errand's arena. ERR_NOT_FOUND there is none; ERR_CORRUPT;
 * ERR_NOMEM; or what the load itself said.
 */
enum err login_read_one(struct errand *er, const struct event *e, enum item_kind kind, void *out);

/* ---- login_life.c ---- */

/* Whether the session lives: one in memory by its use, whatever the wall clock says, and any other by its item. */
bool login_is_live(struct server *s, struct slice token_hash, int64_t expires_at);
/* When it ends if nothing is called, by the wall clock as it is now. */
int64_t login_ends_at(const struct server *s, const struct login *l);

#endif
