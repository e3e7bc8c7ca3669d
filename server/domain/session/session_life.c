/*
 * session_life.c - how long the table keeps a session: prolonged while it is
 * used, removed when its time is over.
 *
 * A session in use lives by what the core knows of it; the table may be behind
 * by as long as a write takes to be due.
 */
#include "server/domain/session/session.h"

enum txn_step session_renew(struct txn *t)
{
	const struct session *me = t->params;
	struct slice hash = slice_str(me->token_hash.text);
	struct slice name_key = slice_str(me->name_key);
	const struct token_item *token = txn_get(t, ITEM_TOKEN, hash, NO_SK);
	const struct user_name_item *name = txn_get(t, ITEM_USER_NAME, name_key, NO_SK);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (token == NULL || name == NULL || !slice_eq(name->token_hash, hash)) {
		txn_end_session(t, hash); /* ended by somebody else, or swept */
		return TXN_DONE;
	}
	struct token_item token_now = *token;
	struct user_name_item name_now = *name;
	token_now.expires_at = me->expires_at;
	name_now.expires_at = me->expires_at;
	txn_put(t, ITEM_TOKEN, hash, NO_SK, &token_now);
	txn_put(t, ITEM_USER_NAME, name_key, NO_SK, &name_now);
	return TXN_DONE;
}

enum txn_step session_end_idle(struct txn *t)
{
	return session_remove(t, t->params);
}

enum txn_step session_expire(struct txn *t)
{
	const struct store_item *found = t->params;
	enum item_kind kind = item_kind_of(found->pk, found->sk);
	size_t prefix = item_rows[kind].pk_prefix_len;
	struct slice key = slice_of(found->pk.data + prefix, found->pk.len - prefix);
	const void *item = txn_get(t, kind, key, NO_SK);
	const struct token_item *token = kind == ITEM_TOKEN ? item : NULL;
	const struct user_name_item *name = kind == ITEM_USER_NAME ? item : NULL;
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (token == NULL && name == NULL) {
		return TXN_DONE;
	}
	struct slice hash = token != NULL ? key : name->token_hash;
	int64_t expires_at = token != NULL ? token->expires_at : name->expires_at;
	if (txn_session_is_live(t, hash, expires_at)) {
		txn_keep_session(t, hash);
		return TXN_DONE;
	}
	txn_delete(t, kind, key, NO_SK);
	session_publish_end(t, token != NULL ? token->user_id : name->user_id, hash);
	/* A name never goes before its session: with the clock set back, two would have it. */
	if (name != NULL) {
		txn_delete(t, ITEM_TOKEN, hash, NO_SK);
	}
	return TXN_DONE;
}
