/*
 * user_barred.c - see user_barred.h.
 */
#include "server/domain/base/user_barred.h"

struct key_text user_fingerprint(const struct txn *t, struct slice user_id)
{
	return key_hash(t->server_key, "fingerprint", user_id);
}

struct slice user_bar_id(struct txn *t, struct slice fingerprint)
{
	char id[sizeof("b_") + CODE_CHARS_MAX] = "b_";
	code_derive(t->server_key, "bar_id", fingerprint, id + strlen(id), CODE_CHARS_MAX);
	return txn_copy(t, slice_str(id));
}

bool user_is_barred(struct txn *t, struct slice user_id)
{
	struct key_text fingerprint = user_fingerprint(t, user_id);
	struct slice bar_id = user_bar_id(t, slice_str(fingerprint.text));
	return txn_get(t, ITEM_USER_BARRED, USERS_BARRED, bar_id) != NULL;
}

enum txn_step user_refuse_barred(struct txn *t)
{
	return txn_refuse(t, FAULT_FORBIDDEN, "the administrator of this server has barred you");
}
