/*
 * session_assert.c - session.assert: the user of an ssh key, by the word of the host's kiosk.
 *
 * sshd has seen the proof, and the kernel says that it is the kiosk that speaks
 * (WHO_KIOSK): nothing is signed here, and no token is given, as the same word is as good
 * on every connection. A second window of the same key is in the session of the first.
 */
#include "server/domain/session/session.h"

#include "proto/keys/fingerprint.h"
#include "server/domain/base/user_barred.h"
#include "server/domain/directory.h"

/* The session that has the name is the user's own: the connection has it, too. */
static enum txn_step assert_share(struct txn *t, struct slice token_hash,
				  struct session_result *out)
{
	const struct assert_params *p = t->params;
	struct session me;
	if (!session_found(t, token_hash, &me)) {
		return txn_refuse(t, FAULT_UNAVAILABLE, "that session cannot be read");
	}
	if (p->with_utc_offset_minutes) {
		me.utc_offset_minutes = p->utc_offset_minutes;
		me.sets_offset = true;
	}
	out->user_name = txn_copy(t, slice_str(me.user_name));
	txn_set_session(t, &me);
	return TXN_DONE;
}

enum txn_step on_SESSION_ASSERT(struct txn *t)
{
	const struct assert_params *p = t->params;
	struct session me = {.created_on = t->wall_ms,
			     .expires_at = t->wall_ms + t->limits[LIMIT_SESSION_LIFE_MS],
			     .is_keyed = true,
			     .utc_offset_minutes = p->utc_offset_minutes};
	if (!fingerprint_is_formed(p->fingerprint)) {
		fault_field(&t->fault, "fingerprint",
			    "must be SHA256: and 43 characters of base64");
		return TXN_REFUSED;
	}
	if (!txn_take(t, LIMIT_ASSERTS_PER_MINUTE, "logins by ssh")) {
		return TXN_REFUSED;
	}
	code_derive(t->server_key, "user_id of an ssh key", p->fingerprint, me.user_id,
		    CODE_CHARS_MAX);
	if (t->session != NULL && strcmp(t->session->user_id, me.user_id) != 0) {
		return txn_refuse(t, FAULT_CONFLICT, /* sshd has seen one key for it */
				  "already logged in; open another connection for another key");
	}
	struct slice user_id = slice_str(me.user_id);
	const struct user_item *user = txn_get(t, ITEM_USER, user_id, NO_SK);
	bool is_barred = user_is_barred(t, user_id);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (is_barred) {
		return user_refuse_barred(t);
	}
	if (user == NULL && !p->with_user_name) {
		fault_field(&t->fault, "user_name", "is required, as this key is new");
		return TXN_REFUSED;
	}
	if (user != NULL && user->with_deleted_on) {
		return txn_refuse(t, FAULT_UNAVAILABLE,
				  "the user of that key is being deleted; try again soon");
	}
	if (user == NULL && !txn_take(t, LIMIT_NEW_USERS_PER_HOUR, "new users")) {
		return TXN_REFUSED;
	}
	if (!session_name(&me, p->with_user_name ? p->user_name : user->user_name, &t->fault)) {
		return TXN_REFUSED;
	}
	const struct user_name_item *name =
		txn_get(t, ITEM_USER_NAME, slice_str(me.name_key), NO_SK);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	struct session_result *result = t->result;
	*result = (struct session_result){
		.user_id = txn_copy(t, user_id),
		.user_name = txn_copy(t, slice_str(me.user_name)),
		.expires_at = me.expires_at,
	};
	bool is_live = name != NULL && txn_session_is_live(t, name->token_hash, name->expires_at);
	if (is_live && !slice_eq(name->user_id, user_id)) {
		return txn_refuse(t, FAULT_NAME_TAKEN, "that name is taken; choose another");
	}
	const struct token_item *token =
		is_live ? txn_get(t, ITEM_TOKEN, name->token_hash, NO_SK) : NULL;
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (token != NULL) {
		return assert_share(t, name->token_hash, result);
	}
	/* Where the session has ended since its name was read, the commit finds that name changed, and this runs again. */
	struct key_text unseen =
		key_make(t->random); /* the session's token, which nobody is given */
	me.token_hash = session_token_hash(t, slice_of(unseen.text, KEY_CHARS));
	const struct user_item first_time = {.ssh_key = p->fingerprint};
	enum txn_step step =
		user == NULL ? TXN_DONE
			     : directory_rename_user(t, result->user_id, user, result->user_name);
	if (step == TXN_DONE) {
		session_begin(t, &me, name, user != NULL ? user : &first_time);
	}
	return step;
}
