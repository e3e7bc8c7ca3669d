/*
 * email.h - e-mail addresses: their form, and how they compare.
 */
#ifndef SERVER_DOMAIN_EMAIL_H
#define SERVER_DOMAIN_EMAIL_H

#include "server/domain/txn.h"

/*
 * The form in which addresses are compared, and under which the table has whose they are, in t->arena. False with
 * t->fault, of the field email_address, where it is none.
 *
 * @address  clean text, of up to MAX_EMAIL_BYTES.
 */
bool email_fold(struct txn *t, struct slice address, struct slice *folded);

#endif
