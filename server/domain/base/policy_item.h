/*
 * policy_item.h - a policy as the table has it, in the items of rooms and of groups, and changes of one.
 *
 * Of a passcode there is its keyed hash alone, beside struct policy.
 */
#ifndef SERVER_DOMAIN_BASE_POLICY_ITEM_H
#define SERVER_DOMAIN_BASE_POLICY_ITEM_H

#include "proto/keys/key_hash.h"
#include "proto/records/policy.h"
#include "store/items.h"

/* @passcode  its hash; *out borrows it. */
void policy_to_item(const struct policy *p, const struct key_text *passcode, struct policy_item *out);
/* What the item does not say has its default (proto/records/policy.h). */
void policy_from_item(const struct policy_item *item, struct policy *p, struct key_text *passcode);

/* Take the fields that are given. */
void policy_change_by(const struct policy_change *change, const unsigned char *server_key, struct policy *p,
		      struct key_text *passcode);

#endif
