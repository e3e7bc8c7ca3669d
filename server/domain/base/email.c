/*
 * email.c - see email.h.
 */
#include "server/domain/base/email.h"

#include "proto/text/text.h"

/* One @ with something on both sides of it, no space, and no part of the domain is empty. */
static bool email_is_formed(struct slice address)
{
	const char *at = memchr(address.data, '@', address.len);
	const char *end = address.data + address.len;
	if (at == NULL || at == address.data || at + 1 == end || at[1] == '.' || end[-1] == '.' ||
	    memchr(at + 1, '@', (size_t)(end - at - 1)) != NULL ||
	    memchr(address.data, ' ', address.len) != NULL) {
		return false;
	}
	for (const char *c = at + 1; c + 1 < end; c++) {
		if (c[0] == '.' && c[1] == '.') {
			return false;
		}
	}
	return true;
}

bool email_fold(struct txn *t, struct slice address, struct slice *folded)
{
	char text[MAX_EMAIL_BYTES + MAX_EMAIL_BYTES / 2];
	size_t len = 0;
	if (text_fold(address, text, sizeof(text), &len) != OK ||
	    !email_is_formed(slice_of(text, len))) {
		fault_field(&t->fault, "email_address",
			    "must be an address such as name@example.org");
		return false;
	}
	*folded = txn_copy(t, slice_of(text, len));
	return true;
}

bool email_is_held(struct txn *t, struct slice folded, struct slice user_id)
{
	const struct email_item *item =
		folded.len > 0 ? txn_get(t, ITEM_EMAIL, folded, NO_SK) : NULL;
	return item != NULL && slice_eq(item->user_id, user_id);
}
