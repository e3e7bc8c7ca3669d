/*
 * public_id.h - ids that clients receive and send: a prefix for the kind, and the characters of a
 * code.
 */
#ifndef SERVER_DOMAIN_BASE_PUBLIC_ID_H
#define SERVER_DOMAIN_BASE_PUBLIC_ID_H

#include "server/domain/txn.h"

/*
 * Return an id in its stored spelling, in t->arena: the code may be in lower case. For an id with
 * a wrong form, return one that nothing has, so that it is looked up like any other.
 *
 * @prefix  "q_", or "".
 * @chars   length of the code after it.
 */
struct slice public_id(struct txn *t, const char *prefix, size_t chars, struct slice id);

/* Make a new id with USER_ID_CHARS after the prefix, in t->arena. */
struct slice public_id_make(struct txn *t, const char *prefix);

/* The same for the id of a user. */
static inline struct slice public_user_id(struct txn *t, struct slice id)
{
	return public_id(t, "", CODE_CHARS_MAX, id);
}

#endif
