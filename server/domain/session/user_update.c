/*
 * user_update.c - user.update: the name of a key's user, which is the session's as well, and their e-mail address.
 *
 * Nobody proves an address. So it is shown to its user alone, and leads others to whoever has said it first (EMAIL): the
 * answer to the next is the same, as it would else say which addresses are in use.
 */
#include "server/domain/base/email.h"
#include "server/domain/directory.h"
#include "server/domain/session/session.h"

enum txn_step on_USER_UPDATE(struct txn *t)
{
	const struct user_update_params *p = t->params;
	struct slice me = slice_str(t->session->user_id);
	struct slice wanted = {0};
	struct slice before = {0};
	struct session named;

	if (p->email_address.len > 0 && !email_fold(t, p->email_address, &wanted)) {
		return TXN_REFUSED;
	}
	const struct user_item *user = txn_get(t, ITEM_USER, me, NO_SK);
	const struct email_item *there =
		wanted.len > 0 ? txn_get(t, ITEM_EMAIL, wanted, NO_SK) : NULL;
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (user == NULL || user->with_deleted_on) {
		return txn_refuse(t, FAULT_UNAUTHENTICATED, "that user was deleted; log in again");
	}
	if (user->email_address.len > 0 && !email_fold(t, user->email_address, &before)) {
		return TXN_REFUSED;
	}
	bool moves = p->with_email_address && !slice_eq(before, wanted);
	bool held = email_is_held(t, before, me);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (moves && wanted.len > 0 &&
	    !txn_take_of_user(t, LIMIT_EMAILS_PER_HOUR, "new e-mail addresses")) {
		return TXN_REFUSED;
	}

	struct user_item now = *user;
	if (p->with_user_name) {
		enum txn_step step = session_rename(t, p->user_name, &named);
		if (step != TXN_DONE) {
			return step;
		}
		now.user_name = txn_copy(t, slice_str(named.user_name));
		step = directory_rename_user(t, me, user, now.user_name);
		if (step != TXN_DONE) {
			return step;
		}
	}
	if (p->with_email_address) {
		now.email_address = p->email_address;
		now.with_email_address = p->email_address.len > 0;
		if (moves && held) {
			txn_delete(t, ITEM_EMAIL, before, NO_SK);
		}
		if (wanted.len > 0 && there == NULL) {
			txn_put_new(t, ITEM_EMAIL, wanted, NO_SK,
				    &(struct email_item){.user_id = me});
		}
	}
	txn_put(t, ITEM_USER, me, NO_SK, &now);
	*(struct user_result *)t->result = (struct user_result){.user_id = me,
								.user_name = now.user_name,
								.email_address = now.email_address};
	return TXN_DONE;
}
