/*
 * user.c - user.get, user.get_by_email. What a user changes of themselves is in session/user_update.c.
 */
#include "server/domain/team/team.h"

#include "server/domain/base/email.h"
#include "server/domain/directory.h"

/* ---- who knows of whom ---- */

const struct user_item *user_get(struct txn *t, struct slice id)
{
	const struct user_item *item = txn_get(t, ITEM_USER, id, NO_SK);
	return item == NULL || item->with_deleted_on ? NULL : item;
}

struct txn_items user_memberships(struct txn *t, struct slice user_id)
{
	return txn_list(t, ITEM_MEMBERSHIP, user_id,
			&(struct txn_page){.limit = MAX_GROUPS_OF_USER});
}

/* A group that is not deleted is in both, which are in the order of their SK: the group. */
static bool share_one(struct txn *t, const struct txn_items *a, const struct txn_items *b)
{
	bool is_found = false;
	for (size_t i = 0, k = 0; i < a->n && k < b->n && !is_found;) {
		int order = slice_cmp(a->items[i].sk, b->items[k].sk);
		is_found = order == 0 &&
			   group_get(t, item_sk_rest(&a->items[i], ITEM_MEMBERSHIP)) != NULL;
		i += order <= 0;
		k += order >= 0;
	}
	return is_found;
}

/* A user of whom the caller knows; else TXN_REFUSED with NOT_FOUND, after the same reads whether there is one or not. */
static enum txn_step user_find(struct txn *t, struct slice user_id, const struct user_item **user)
{
	struct slice me = caller_id(t);
	struct txn_items mine = user_memberships(t, me);
	struct txn_items theirs = user_memberships(t, user_id);
	*user = user_get(t, user_id);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	bool is_known = slice_eq(user_id, me) || share_one(t, &mine, &theirs);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (*user == NULL || !is_known) {
		return txn_refuse(t, FAULT_NOT_FOUND,
				  "user not found in your teams; check the id or address");
	}
	return TXN_DONE;
}

/* ---- methods ---- */

enum txn_step on_USER_GET(struct txn *t)
{
	const struct user_get_params *p = t->params;
	struct slice me = caller_id(t);
	struct slice id = p->with_user_id ? public_user_id(t, p->user_id) : me;
	const struct user_item *user;
	enum txn_step step = user_find(t, id, &user);
	if (step == TXN_DONE) {
		*(struct user_result *)t->result = (struct user_result){
			.user_id = id,
			.user_name = user->user_name,
			.email_address = slice_eq(id, me) ? user->email_address : (struct slice){0},
		};
	}
	return step;
}

enum txn_step on_USER_GET_BY_EMAIL(struct txn *t)
{
	const struct user_get_by_email_params *p = t->params;
	struct slice me = caller_id(t);
	struct slice folded, own = {0};
	if (!email_fold(t, p->email_address, &folded)) {
		return TXN_REFUSED;
	}
	const struct email_item *email = txn_get(t, ITEM_EMAIL, folded, NO_SK);
	const struct user_item *mine = user_get(t, me);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (mine != NULL && mine->email_address.len > 0 &&
	    !email_fold(t, mine->email_address, &own)) {
		return TXN_REFUSED;
	}
	/* One's own leads to oneself, whoever has said it first: else that would tell. */
	struct slice id = slice_eq(own, folded) ? me : email == NULL ? SLICE("?") : email->user_id;
	const struct user_item *user;
	enum txn_step step = user_find(t, id, &user);
	if (step == TXN_DONE) {
		*(struct user_get_by_email_result *)t->result =
			(struct user_get_by_email_result){.user_id = id};
	}
	return step;
}
