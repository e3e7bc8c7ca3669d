/*
 * subscription.h - subscriptions of users to notifications of new questions.
 *
 *   SUBSCRIPTION:{subscription_id} SUBSCRIPTION  a way to notify a user
 *   SUBSCRIBER:{user_id}           SUBSCRIBER    number of the user's subscriptions
 *
 * The index ByLastNotified lists active subscriptions; question_notify.c selects from it. The
 * subscriptions of a guest are deleted with the guest, some time after the last session has
 * ended.
 *
 * The handlers are declared in directory.h.
 */
#ifndef SERVER_DOMAIN_QUESTION_SUBSCRIPTION_H
#define SERVER_DOMAIN_QUESTION_SUBSCRIPTION_H

#include "server/domain/directory.h"
#include "server/domain/txn.h"

/* Return when the last notification was decided on; 0: never. */
int64_t subscription_notified_at(const struct subscription_item *item);

/*
 * Count the failures in a row after a run of the command for a subscription. params: struct
 * txn_next with the subscription's id.
 */
txn_handler subscription_commanded;

/* Delete all subscriptions of a deleted user. */
enum user_left subscriptions_end(struct txn *t, struct slice user_id);

/*
 * Delete a subscription whose guest does not exist any more. params: struct store_item, the
 * SUBSCRIPTION that was found.
 */
txn_handler subscription_expire;

#endif
