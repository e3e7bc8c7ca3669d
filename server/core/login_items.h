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

/*
 * The one item that the partition has, decoded into out, which points into the
 * event and the errand's arena. ERR_NOT_FOUND there is none; ERR_CORRUPT;
 * ERR_NOMEM; or what the load itself said.
 */
enum err login_read_one(struct errand *er, const struct event *e, enum item_kind kind, void *out);

/* ---- login_life.c ---- */

/* Whether the session is in use here and not over, whatever the table says of its end. */
bool login_is_in_use(struct server *s, struct slice token_hash);
/* When an item that was written at that wall time was, on the monotonic clock: a session that comes back again and
 * again costs no more writes than one that stays. */
int64_t login_written_mono(const struct server *s, int64_t updated_on);

#endif
