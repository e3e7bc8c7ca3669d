/*
 * email.h - e-mail addresses: their form, and how they compare.
 */
#ifndef SERVER_DOMAIN_BASE_EMAIL_H
#define SERVER_DOMAIN_BASE_EMAIL_H

#include "server/domain/txn.h"

/*
 * The form in which addresses are compared, and under which the table has whose they are, in t->arena. False with
 * t->fault, of the field email_address, where it is none.
 *
 * @address  clean text, of up to MAX_EMAIL_BYTES.
 */
bool email_fold(struct txn *t, struct slice address, struct slice *folded);

/* Whether an address in that form, which may be empty, leads to that user; false while it is not loaded. */
bool email_is_held(struct txn *t, struct slice folded, struct slice user_id);

#endif
