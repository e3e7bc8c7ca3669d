/*
 * user_delete.c - user.delete, and the end of a user.
 *
 *   user.delete --> deleted_on --> what is left of them, seats --> no USER item
 *
 * The first commit is all that others decide by: the user is in no group any more, those
 * in which they were alone end as well, their address is free, and so are their
 * names. What it could not take goes in steps, as that of a group does
 * (group_delete.c). Until the USER item is gone, its key cannot log in: what is left
 * is the old user's.
 *
 * What they have said stays: answers (which name nobody), rounds, and questions, which name nobody any more either and
 * are cancelled where they were open.
 */
#include "server/domain/team/team.h"

#include "server/domain/base/email.h"
#include "server/domain/directory.h"

#define USER_END_LINE SLICE("ends of users")

static txn_handler user_end;

/* Rooms that cannot be loaded do not keep a key from logging in for longer. */
#define END_PATIENCE_MS INT64_C(600000)
enum { STEP_SEATS = 32 };

/* The user as they end, since then; the next step is the sweeper's after so long. */
static void write_mark(struct txn *t, struct slice id, const struct user_item *user, int64_t since,
		       int64_t wait_ms)
{
	struct user_item now = {.user_name = user->user_name,
				.public_key = user->public_key,
				.ssh_key = user->ssh_key,
				.deleted_on = since,
				.expires_at = t->wall_ms + wait_ms};
	txn_put(t, ITEM_USER, id, NO_SK, &now);
}

/* What the features have of the user goes, as far as it is found. */
static enum user_left end_parts(struct txn *t, struct slice id)
{
	enum user_left left = USER_LEFT_NOTHING;
	for (size_t i = 0; directory_user_parts[i] != NULL; i++) {
		enum user_left of_part = directory_user_parts[i](t, id);
		left = of_part > left ? of_part : left;
	}
	return left;
}

/* A step: when nothing is left, the user goes. */
static enum txn_step user_end(struct txn *t)
{
	const struct txn_next *p = t->params;
	const struct user_item *user = txn_get(t, ITEM_USER, p->key, NO_SK);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (user == NULL || !user->with_deleted_on) {
		return TXN_DONE;
	}
	struct txn_items seats =
		txn_query(t, INDEX_BY_ACCOUNT, p->key, &(struct txn_range){.limit = STEP_SEATS});
	enum user_left left = end_parts(t, p->key);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	for (size_t i = 0; i < seats.n; i++) {
		txn_then_room(t, item_pk_rest(&seats.items[i], ITEM_SEAT), room_forget_account,
			      p->key);
	}
	bool waits = (seats.n > 0 || left == USER_LEFT_LATER) &&
		     t->wall_ms - user->deleted_on < END_PATIENCE_MS;
	if (left == USER_LEFT_MORE) {
		write_mark(t, p->key, user, user->deleted_on, END_STEP_MS);
		txn_then(t, USER_END_LINE, user_end, p->key);
	} else if (waits) {
		write_mark(t, p->key, user, user->deleted_on, END_WAIT_MS);
	} else {
		txn_delete(t, ITEM_USER, p->key, NO_SK);
	}
	return TXN_DONE;
}

enum txn_step user_expire(struct txn *t)
{
	const struct store_item *found = t->params;
	struct slice id = item_pk_rest(found, ITEM_USER);
	const struct user_item *user = txn_get(t, ITEM_USER, id, NO_SK);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (user != NULL && user->with_deleted_on && user->expires_at <= t->wall_ms) {
		/* Put off first, so that one whose steps fail does not keep others waiting. */
		write_mark(t, id, user, user->deleted_on, END_STEP_MS);
		txn_then(t, USER_END_LINE, user_end, id);
	}
	return TXN_DONE;
}

enum txn_step on_USER_DELETE(struct txn *t)
{
	struct slice me = caller_id(t);
	struct slice address = {0};
	const struct user_item *user = user_get(t, me);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (user == NULL) {
		return txn_refuse(t, FAULT_UNAUTHENTICATED, "that user was deleted; log in again");
	}
	if (user->email_address.len > 0 && !email_fold(t, user->email_address, &address)) {
		return TXN_REFUSED;
	}
	enum txn_step step = user_leave_groups(t, me);
	if (step != TXN_DONE) {
		return step;
	}
	(void)end_parts(t, me);
	bool held = email_is_held(t, address, me);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (held) {
		txn_delete(t, ITEM_EMAIL, address, NO_SK);
	}
	write_mark(t, me, user, t->wall_ms, END_STEP_MS);
	txn_then(t, USER_END_LINE, user_end, me);
	txn_set_session(t, NULL); /* also one that it got meanwhile */
	return TXN_DONE;
}
