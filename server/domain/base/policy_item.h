/*
 * policy_item.h - a policy as stored in the items of rooms and groups, and changes of one.
 *
 * Of a passcode only the keyed hash is stored, separately from struct policy.
 */
#ifndef SERVER_DOMAIN_BASE_POLICY_ITEM_H
#define SERVER_DOMAIN_BASE_POLICY_ITEM_H

#include "proto/keys/key_hash.h"
#include "proto/records/policy.h"
#include "store/items.h"

/* Convert a policy to its item. @passcode: the hash; *out borrows it. */
void policy_to_item(const struct policy *p, const struct key_text *passcode, struct policy_item *out);
/* Convert an item to a policy; absent fields have their default (proto/records/policy.h). */
void policy_from_item(const struct policy_item *item, struct policy *p, struct key_text *passcode);

/* Apply the fields that are present. */
void policy_change_by(const struct policy_change *change, const unsigned char *server_key, struct policy *p,
		      struct key_text *passcode);

#endif
