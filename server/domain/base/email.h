/*
 * email.h - e-mail addresses: validity and comparison.
 */
#ifndef SERVER_DOMAIN_BASE_EMAIL_H
#define SERVER_DOMAIN_BASE_EMAIL_H

#include "server/domain/txn.h"

/*
 * Convert an address to the form in which addresses are compared and stored as a key, in
 * t->arena. Returns false with t->fault, for the field email_address, if it is not a valid
 * address.
 *
 * @address  clean text of up to MAX_EMAIL_BYTES.
 */
bool email_fold(struct txn *t, struct slice address, struct slice *folded);

/*
 * Return whether an address in that form, which may be empty, belongs to the user; false while it
 * is loading.
 */
bool email_is_held(struct txn *t, struct slice folded, struct slice user_id);

#endif
