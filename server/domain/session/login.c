/*
 * login.c - session.login: a name for a while or, with a key, the same user every time.
 */
#include "server/domain/session/session.h"

#include "proto/keys/signature.h"
#include "server/domain/base/user_barred.h"
#include "server/domain/directory.h"

static bool login_is_signed(const struct txn *t)
{
	const struct login_params *p = t->params;
	char text[LOGIN_TEXT_BYTES_MAX];
	size_t len = login_text(p->user_name, slice_of(t->nonce.text, KEY_CHARS), text);
	return signature_is_good(p->public_key, p->signature, slice_of(text, len));
}

/*
 * The token is the first one's; its session is given to this connection as
 * session.resume gives it. One that has ended does not begin anew: its token may
 * have been taken away on purpose. Nor is a login with another key (which makes
 * another token) or name answered with it.
 */
static enum txn_step login_again(struct txn *t, struct slice token, const struct session *wanted,
				 const struct token_item *item)
{
	struct session me;
	struct login_result *result = t->result;
	struct key_text hash = wanted->token_hash;
	if (item != NULL && !slice_eq(item->user_name, slice_str(wanted->user_name))) {
		fault_field(&t->fault, "idempotency_key", "was used for another user_name");
		return TXN_REFUSED;
	}
	if (item == NULL || !txn_session_is_live(t, slice_str(hash.text), item->expires_at)) {
		return txn_refuse(t, FAULT_CONFLICT,
				  "that idempotency_key belongs to another or an ended session; "
				  "choose another");
	}
	if (!session_read(&me, hash, item)) {
		return txn_refuse(t, FAULT_UNAVAILABLE, "that session cannot be read");
	}
	*result = (struct login_result){
		.token = token,
		.user_id = item->user_id,
		.user_name = item->user_name,
		.expires_at = t->wall_ms + t->limits[LIMIT_SESSION_LIFE_MS],
	};
	txn_set_session(t, &me);
	return TXN_DONE;
}

void session_begin(struct txn *t, const struct session *me, const struct user_name_item *before,
		   const struct user_item *user)
{
	struct slice user_id = slice_str(me->user_id);
	struct slice user_name = slice_str(me->user_name);
	struct slice name_key = slice_str(me->name_key);
	struct slice token_hash = slice_str(me->token_hash.text);
	txn_put_new(t, ITEM_TOKEN, token_hash, NO_SK,
		    &(struct token_item){.user_id = user_id,
					 .user_name = user_name,
					 .name_key = name_key,
					 .expires_at = me->expires_at,
					 .is_keyed = me->is_keyed,
					 .utc_offset_minutes = me->utc_offset_minutes,
					 .with_utc_offset_minutes = me->utc_offset_minutes != 0});
	txn_put(t, ITEM_USER_NAME, name_key, NO_SK,
		&(struct user_name_item){.user_id = user_id,
					 .token_hash = token_hash,
					 .expires_at = me->expires_at});
	if (user != NULL) {
		struct user_item now = *user;
		now.user_name = user_name;
		txn_put(t, ITEM_USER, user_id, NO_SK, &now);
	}
	txn_set_session(t, me);
	session_publish_start(t, me);
	if (before != NULL) {
		session_replace(t, before); /* last, as its connections are sent nothing after it */
	}
}

/* By what was sent alone; sets the names of the session. A name is held for an hour, and a key's user for ever: one
 * address must not fill the table. */
static bool login_may_begin(struct txn *t, const struct login_params *p, struct session *me)
{
	if (!session_may_prove(t) ||
	    (!t->is_repeat && !txn_take(t, LIMIT_LOGINS_PER_MINUTE, "logins")) ||
	    !session_name(me, p->user_name, &t->fault)) {
		return false;
	}
	if (p->with_signature != p->with_public_key) {
		(void)session_refuse_proof(t);
		return false;
	}
	if (p->with_group_name && !p->with_public_key) {
		fault_field(&t->fault, "group_name", "needs a public_key; guests have no team");
		return false;
	}
	return true;
}

enum txn_step on_SESSION_LOGIN(struct txn *t)
{
	const struct login_params *p = t->params;
	struct session me = {.created_on = t->wall_ms,
			     .expires_at = t->wall_ms + t->limits[LIMIT_SESSION_LIFE_MS],
			     .is_keyed = p->with_public_key,
			     .utc_offset_minutes = p->utc_offset_minutes};
	bool has_key = p->with_public_key;

	if (!login_may_begin(t, p, &me)) {
		return TXN_REFUSED;
	}
	if (has_key) { /* one user, for ever; a guest is a new one each time */
		code_derive(t->server_key, "user_id", p->public_key, me.user_id, CODE_CHARS_MAX);
	} else {
		code_make(t->random, me.user_id, CODE_CHARS_MAX);
	}
	struct slice user_id = slice_str(me.user_id);
	struct key_text key = txn_make_key(t, has_key ? p->public_key : (struct slice){0});
	struct slice token = txn_copy(t, slice_of(key.text, KEY_CHARS));
	me.token_hash = session_token_hash(t, token);
	const struct token_item *first =
		p->with_idempotency_key /* else it is random, and new */
			? txn_get(t, ITEM_TOKEN, slice_str(me.token_hash.text), NO_SK)
			: NULL;
	const struct user_name_item *name =
		txn_get(t, ITEM_USER_NAME, slice_str(me.name_key), NO_SK);
	const struct user_item *user = has_key ? txn_get(t, ITEM_USER, user_id, NO_SK) : NULL;
	bool is_barred = has_key && user_is_barred(t, user_id);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}

	/* Checked against what its sender brought and the connection's nonce alone: its time tells nothing of the table. */
	if (has_key && !login_is_signed(t)) {
		return session_refuse_proof(t);
	}
	if (is_barred) {
		return user_refuse_barred(t);
	}
	if (has_key && user == NULL && !t->is_repeat &&
	    !txn_take(t, LIMIT_NEW_USERS_PER_HOUR, "new users")) {
		return TXN_REFUSED;
	}
	if (t->is_repeat) {
		return login_again(t, token, &me, first);
	}
	if (first != NULL) {
		return txn_refuse(t, FAULT_CONFLICT,
				  "that idempotency_key is more than a day old; choose another");
	}
	if (user != NULL && user->with_deleted_on) {
		return txn_refuse(t, FAULT_UNAVAILABLE,
				  "the user of that key is being deleted; try again soon");
	}
	bool is_live = name != NULL && txn_session_is_live(t, name->token_hash, name->expires_at);
	if (is_live && !(has_key && slice_eq(name->user_id, user_id))) {
		return txn_refuse(t, FAULT_NAME_TAKEN, "that name is taken; choose another");
	}

	struct login_result *result = t->result;
	*result = (struct login_result){
		.token = token,
		.user_id = txn_copy(t, user_id),
		.user_name = txn_copy(t, slice_str(me.user_name)),
		.expires_at = me.expires_at,
	};
	enum txn_step step =
		user == NULL ? TXN_DONE
			     : directory_rename_user(t, result->user_id, user, result->user_name);
	if (step != TXN_DONE) {
		return step;
	}
	struct user_item now =
		user != NULL ? *user : (struct user_item){.public_key = p->public_key};
	if (p->with_group_name && !now.had_group && now.groups == 0) {
		result->group_id =
			directory_create_first_group(t, result->user_id, p->group_name, &now);
	}
	session_begin(t, &me, name, has_key ? &now : NULL);
	return TXN_DONE;
}
