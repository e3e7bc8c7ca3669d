/*
 * subscription.h - subscriptions of users to notices of questions.
 *
 *   SUBSCRIPTION:{subscription_id} SUBSCRIPTION  a way in which a user is sent notices
 *   SUBSCRIBER:{user_id}           SUBSCRIBER    how many the user has
 *
 * While it is active ByLastNotified lists it; question_notify.c draws from there.
 * A guest's go with the guest: some time after the last session has ended.
 *
 * The methods' handlers are declared in directory.h.
 */
#ifndef SERVER_DOMAIN_QUESTION_SUBSCRIPTION_H
#define SERVER_DOMAIN_QUESTION_SUBSCRIPTION_H

#include "server/domain/directory.h"
#include "server/domain/txn.h"

/* When the last notice was decided on; 0: none was. */
int64_t subscription_notified_at(const struct subscription_item *item);

/* The command has run for a subscription: count its failures in a row. @params struct txn_next: the subscription's id. */
txn_handler subscription_commanded;

/* All of the user end. */
enum user_left subscriptions_end(struct txn *t, struct slice user_id);

/* Remove a subscription whose guest is gone. @params struct store_item: the SUBSCRIPTION that was found. */
txn_handler subscription_expire;

#endif
