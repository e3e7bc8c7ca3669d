/*
 * public_id.h - ids that clients are told and send back: a prefix that says of what, and letters of a code.
 */
#ifndef SERVER_DOMAIN_BASE_PUBLIC_ID_H
#define SERVER_DOMAIN_BASE_PUBLIC_ID_H

#include "server/domain/txn.h"

/*
 * An id as it is written, in t->arena: its code may come in lower case. One that nothing has where it has another
 * form, so that it is looked for like any other.
 *
 * @prefix  "q_", or "".
 * @chars   of the code behind it.
 */
struct slice public_id(struct txn *t, const char *prefix, size_t chars, struct slice id);

/* A new one with USER_ID_CHARS behind the prefix, in t->arena. */
struct slice public_id_make(struct txn *t, const char *prefix);

/* A user's, as public_id() has it. */
static inline struct slice public_user_id(struct txn *t, struct slice id)
{
	return public_id(t, "", CODE_CHARS_MAX, id);
}

#endif
