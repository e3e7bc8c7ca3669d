/*
 * session_life.c - how long the table keeps a session: prolonged while it is
 * used, removed when its time is over.
 *
 * A session in use lives by what the core knows of it; the table may be behind
 * by as long as a write takes to be due.
 */
#include "server/domain/session/session.h"

#include "server/domain/base/user_barred.h"

enum txn_step session_renew(struct txn *t)
{
	const struct session *me = t->params;
	struct slice hash = slice_str(me->token_hash.text);
	const struct token_item *token = txn_get(t, ITEM_TOKEN, hash, NO_SK);
	struct slice name_key = session_name_key(me, token);
	const struct user_name_item *name = txn_get(t, ITEM_USER_NAME, name_key, NO_SK);
	bool is_barred = user_is_barred(t, slice_str(me->user_id));
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (is_barred) {
		return session_remove(t, me);
	}
	if (token == NULL || name == NULL || !slice_eq(name->token_hash, hash)) {
		txn_end_session(t, hash); /* ended by another transaction, or swept */
		return TXN_DONE;
	}
	if (token->expires_at >= me->expires_at) {
		return TXN_DONE; /* an earlier run was stored, and its answer lost */
	}
	struct token_item token_now = *token;
	struct user_name_item name_now = *name;
	token_now.expires_at = me->expires_at;
	token_now.utc_offset_minutes = me->utc_offset_minutes;
	token_now.with_utc_offset_minutes = me->utc_offset_minutes != 0;
	name_now.expires_at = me->expires_at;
	txn_put(t, ITEM_TOKEN, hash, NO_SK, &token_now);
	txn_put(t, ITEM_USER_NAME, name_key, NO_SK, &name_now);
	return TXN_DONE;
}

enum txn_step session_look_up(struct txn *t)
{
	const struct session *me = t->params;
	struct session_seen *seen = t->result;
	const struct token_item *token =
		txn_get(t, ITEM_TOKEN, slice_str(me->token_hash.text), NO_SK);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	*seen = (struct session_seen){.exists = token != NULL,
				      .expires_at = token == NULL ? 0 : token->expires_at};
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
	struct slice key = item_pk_rest(found, kind);
	const void *item = txn_get(t, kind, key, NO_SK);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (item == NULL) {
		return TXN_DONE;
	}
	struct slice hash = key;
	struct slice user_id;
	int64_t expires_at;
	if (kind == ITEM_USER_NAME) {
		const struct user_name_item *name = item;
		hash = name->token_hash;
		user_id = name->user_id;
		expires_at = name->expires_at;
	} else {
		const struct token_item *token = item;
		user_id = token->user_id;
		expires_at = token->expires_at;
	}
	if (txn_session_is_live(t, hash, expires_at)) {
		txn_keep_session(t, hash);
		return TXN_DONE;
	}
	txn_delete(t, kind, key, NO_SK);
	/* A name never goes before its session: with the clock set back, two would have it. */
	if (kind == ITEM_USER_NAME) {
		txn_delete(t, ITEM_TOKEN, hash, NO_SK);
	}
	txn_end_session(t, hash);
	session_publish_end(t, user_id, hash);
	return TXN_DONE;
}
