/*
 * session_name.c - what a session is called: a name that it alone has while it lives.
 */
#include "server/domain/session/session.h"

#include "proto/text/text.h"

bool session_name(struct session *me, struct slice name, struct fault *fault)
{
	size_t len = 0;
	int32_t bad = 0;
	enum err e = text_clean(name, me->user_name, MAX_NAME_BYTES, &len, &bad);
	if (e == OK && (len == 0 || text_cells(slice_of(me->user_name, len)) > MAX_NAME_CELLS)) {
		e = ERR_TOO_LARGE;
	}
	me->user_name[e == OK ? len : 0] = '\0';
	if (e == OK) {
		e = text_fold(slice_of(me->user_name, len), me->name_key, sizeof(me->name_key) - 1,
			      &len);
		me->name_key[e == OK ? len : 0] = '\0';
	}
	if (e != OK || len == 0) {
		fault_field(fault, "user_name",
			    "must be 1 to %d columns wide, of printable characters",
			    MAX_NAME_CELLS);
		fault_bounds(fault, FAULT_RULE_LENGTH, 1, MAX_NAME_CELLS, "cells");
		return false;
	}
	if (text_mixes_scripts(slice_of(me->name_key, len))) {
		fault_field(fault, "user_name",
			    "must not mix Latin letters with Cyrillic or Greek ones");
		return false;
	}
	return true;
}

struct slice session_name_key(const struct session *session, const struct token_item *token)
{
	return token != NULL ? token->name_key : slice_str(session->name_key);
}

void session_replace(struct txn *t, const struct user_name_item *before)
{
	txn_delete(t, ITEM_TOKEN, before->token_hash, NO_SK);
	txn_end_session(t, before->token_hash);
	session_publish_end(t, before->user_id, before->token_hash);
}

enum txn_step session_rename(struct txn *t, struct slice user_name, struct session *me)
{
	*me = *t->session;
	if (!session_name(me, user_name, &t->fault)) {
		return TXN_REFUSED;
	}
	struct slice hash = slice_str(me->token_hash.text);
	struct slice name_key = slice_str(me->name_key);
	const struct token_item *token = txn_get(t, ITEM_TOKEN, hash, NO_SK);
	const struct user_name_item *taken = txn_get(t, ITEM_USER_NAME, name_key, NO_SK);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (token == NULL) {
		return txn_refuse(t, FAULT_UNAUTHENTICATED, "that session has ended; log in again");
	}
	bool is_own = taken != NULL && slice_eq(taken->token_hash, hash);
	if (taken != NULL && !is_own &&
	    txn_session_is_live(t, taken->token_hash, taken->expires_at)) {
		return txn_refuse(t, FAULT_NAME_TAKEN, "that name is taken; choose another");
	}
	struct token_item now = *token;
	now.user_name = slice_str(me->user_name);
	now.name_key = name_key;
	txn_put(t, ITEM_TOKEN, hash, NO_SK, &now);
	if (!is_own) {
		txn_delete(t, ITEM_USER_NAME, token->name_key, NO_SK);
		txn_put(t, ITEM_USER_NAME, name_key, NO_SK,
			&(struct user_name_item){.user_id = token->user_id,
						 .token_hash = hash,
						 .expires_at = token->expires_at});
		if (taken != NULL) {
			session_replace(t, taken);
		}
	}
	txn_rename_session(t, me);
	if (strcmp(me->user_name, t->session->user_name) != 0) {
		session_publish_name(t, me);
	}
	return TXN_DONE;
}
