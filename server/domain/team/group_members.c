/*
 * group_members.c - group.is_user, users, leave, remove_user, set_role.
 */
#include "server/domain/team/team.h"

#include "proto/base/format.h"
#include "proto/text/text.h"
#include "server/domain/base/list_page.h"
#include "server/domain/directory.h"

enum txn_step on_GROUP_IS_USER(struct txn *t)
{
	const struct group_is_user_params *p = t->params;
	struct group g;
	enum txn_step step = group_find(t, p->group_id, GROUP_MEMBER, &g);
	if (step != TXN_DONE) {
		return step;
	}
	bool is_user = txn_get(t, ITEM_MEMBERSHIP, public_user_id(t, p->user_id), g.id) != NULL;
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	*(struct group_is_user_result *)t->result =
		(struct group_is_user_result){.is_user = is_user};
	return TXN_DONE;
}

/* The page is read when the group has been: so the version is none that is later than what the page shows. */
enum txn_step on_GROUP_USERS(struct txn *t)
{
	const struct group_users_params *p = t->params;
	struct group_users_result *result = t->result;
	struct list_page page;
	struct group g;
	enum txn_step step = group_find(t, p->group_id, GROUP_MEMBER, &g);
	if (step != TXN_DONE) {
		return step;
	}
	if (!list_begin(t, &page, g.id, p->cursor, p->with_limit, p->limit)) {
		return TXN_REFUSED;
	}
	struct txn_range range = {.limit = page.limit};
	if (page.after.id.len > 0) {
		range.after =
			txn_place(t, g.id, page.after.at, ITEM_MEMBERSHIP, page.after.id, g.id);
	}
	struct txn_items found = txn_query(t, INDEX_USERS_OF_GROUP, g.id, &range);
	for (size_t i = 0; i < found.n; i++) {
		(void)txn_get(t, ITEM_USER, item_pk_rest(&found.items[i], ITEM_MEMBERSHIP), NO_SK);
	}
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	struct group_user *users = list_entries(t, found.n, sizeof(*users));
	if (users == NULL) {
		return TXN_REFUSED;
	}
	result->users = users;
	result->version = g.item->version;
	for (size_t i = 0; i < found.n; i++) {
		struct slice id = item_pk_rest(&found.items[i], ITEM_MEMBERSHIP);
		const struct membership_item *m = txn_decode(t, &found.items[i]);
		const struct user_item *user = txn_get(t, ITEM_USER, id, NO_SK);
		if (m == NULL) {
			continue;
		}
		if (user != NULL && !list_takes(&page, LIST_ENTRY_BYTES + user->user_name.len)) {
			break;
		}
		page.after = (struct place){m->joined_on, id};
		if (user != NULL) {
			users[result->users_n++] = (struct group_user){.user_id = id,
								       .user_name = user->user_name,
								       .role = m->role,
								       .joined_on = m->joined_on};
		}
	}
	if (found.has_more && !page.is_full) { /* behind the last, whatever it was */
		page.after = (struct place){found.end, item_pk_rest(&found.items[found.n - 1],
								    ITEM_MEMBERSHIP)};
	}
	result->cursor = list_end(t, &page, found.has_more);
	return TXN_DONE;
}

/* ---- who may leave, and what it changes ---- */

void group_take_out(struct txn *t, struct slice id, struct group_item *now, struct slice user_id,
		    const struct membership_item *membership)
{
	now->users -= now->users > 0;
	now->owners -= membership->role == GROUP_OWNER && now->owners > 0;
	txn_delete(t, ITEM_MEMBERSHIP, user_id, id);
}

void user_in_fewer(struct txn *t, struct slice user_id)
{
	const struct user_item *user = txn_get(t, ITEM_USER, user_id, NO_SK);
	if (user != NULL && user->groups > 0) {
		struct user_item now = *user;
		now.groups--;
		now.with_groups = now.groups > 0;
		txn_put(t, ITEM_USER, user_id, NO_SK, &now);
	}
}

/* False with t->fault where there is no owner but one. */
static bool has_other_owner(struct txn *t, const struct group_item *group)
{
	if (group->owners == 1) {
		(void)txn_refuse(t, FAULT_CONFLICT, "a team needs an owner; choose another first");
	}
	return group->owners > 1;
}

/* A user of the group leaves it. The invitations that they made end as well, as they know the codes. */
static enum txn_step leave(struct txn *t, const struct group *g, struct slice user_id,
			   const struct membership_item *membership)
{
	struct group_item now = *g->item;
	struct txn_items invitations = group_invitations(t, g->id);
	(void)txn_get(t, ITEM_USER, user_id, NO_SK);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (now.users == 1) {
		return txn_refuse(t, FAULT_CONFLICT,
				  "you are the only member; delete the team instead");
	}
	if (membership->role == GROUP_OWNER && !has_other_owner(t, &now)) {
		return TXN_REFUSED;
	}
	for (size_t i = 0; i < invitations.n; i++) {
		const struct invitation_item *item = txn_decode(t, &invitations.items[i]);
		if (item != NULL && slice_eq(item->created_by, user_id)) {
			invitation_end(t, g->id, item->hash, &now);
		}
	}
	group_take_out(t, g->id, &now, user_id, membership);
	user_in_fewer(t, user_id);
	group_write(t, g, now, (struct group_update){.gone = {.items = &user_id, .n = 1}});
	return TXN_DONE;
}

/* Find a group that the caller owns, and a user of it; as group_find(), and NOT_FOUND where they are not in it. */
static enum txn_step find_other(struct txn *t, struct slice group_id, struct slice user_id,
				struct group *g, const struct membership_item **membership)
{
	enum txn_step step = group_find(t, group_id, GROUP_OWNER, g);
	if (step != TXN_DONE) {
		return step;
	}
	*membership = txn_get(t, ITEM_MEMBERSHIP, user_id, g->id);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (*membership == NULL) {
		return txn_refuse(t, FAULT_NOT_FOUND, "that user is not in the team");
	}
	return TXN_DONE;
}

enum txn_step on_GROUP_LEAVE(struct txn *t)
{
	const struct group_change_params *p = t->params;
	struct group g;
	enum txn_step step = group_find(t, p->group_id, GROUP_MEMBER, &g);
	return step == TXN_DONE ? leave(t, &g, caller_id(t), g.mine) : step;
}

struct slice group_removed_sk(struct txn *t, struct slice group_id, struct slice user_id)
{
	char text[2 * 64 + 2];
	size_t len = format_to(text, sizeof(text), "%.*s %.*s", (int)group_id.len, group_id.data,
			       (int)user_id.len, user_id.data);
	struct key_text hash = key_hash(t->server_key, "removed", slice_of(text, len));
	return txn_copy(t, slice_str(hash.text));
}

/* Rooms of the group that ask something of strangers let the user in as a member of it: they have no seat there any more. */
static void end_seats(struct txn *t, const struct group *g, struct slice user_id,
		      const struct txn_items *seats)
{
	char text[2 * 64 + 2];
	size_t len = format_to(text, sizeof(text), "%.*s#%.*s", (int)g->id.len, g->id.data,
			       (int)user_id.len, user_id.data);
	for (size_t i = 0; i < seats->n; i++) {
		txn_then_room(t, item_pk_rest(&seats->items[i], ITEM_SEAT), room_end_member,
			      slice_of(text, len));
	}
}

/*
 * Whoever leaves may come back by any invitation; whoever is removed only by one that an owner makes after that: the code
 * by which they came is known to them still.
 */
enum txn_step on_GROUP_REMOVE_USER(struct txn *t)
{
	enum { SEATS_MAX = MAX_TRANSACTION_ITEMS / 2 };
	const struct group_user_params *p = t->params;
	const struct membership_item *membership;
	struct slice user_id = public_user_id(t, p->user_id);
	struct group g;
	enum txn_step step = find_other(t, p->group_id, user_id, &g, &membership);
	if (step != TXN_DONE) {
		return step;
	}
	struct txn_items seats =
		txn_query(t, INDEX_BY_ACCOUNT, user_id, &(struct txn_range){.limit = SEATS_MAX});
	step = leave(t, &g, user_id, membership);
	if (step == TXN_DONE && !slice_eq(user_id, caller_id(t))) {
		txn_put(t, ITEM_REMOVED, g.id, group_removed_sk(t, g.id, user_id),
			&(struct removed_item){.created_on = 0});
		end_seats(t, &g, user_id, &seats);
	}
	return step;
}

enum txn_step on_GROUP_SET_ROLE(struct txn *t)
{
	const struct group_set_role_params *p = t->params;
	const struct membership_item *membership;
	struct slice user_id = public_user_id(t, p->user_id);
	struct group g;
	enum txn_step step = find_other(t, p->group_id, user_id, &g, &membership);
	if (step != TXN_DONE || membership->role == p->role) {
		return step;
	}
	const struct user_item *user = txn_get(t, ITEM_USER, user_id, NO_SK);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	struct group_item now = *g.item;
	if (p->role == GROUP_MEMBER && !has_other_owner(t, &now)) {
		return TXN_REFUSED;
	}
	now.owners += p->role == GROUP_OWNER ? 1 : -1;
	struct membership_item membership_now = *membership;
	membership_now.role = p->role;
	txn_put(t, ITEM_MEMBERSHIP, user_id, g.id, &membership_now);
	struct group_user changed = {.user_id = user_id,
				     .user_name = user == NULL ? SLICE("?") : user->user_name,
				     .role = p->role,
				     .joined_on = membership->joined_on};
	group_write(t, &g, now, (struct group_update){.users = &changed, .users_n = 1});
	return TXN_DONE;
}

/* ---- a user who is deleted ---- */

/* What becomes of a group when the user is in it no more; false with t->fault where it would be without an owner. */
static bool leave_for_good(struct txn *t, struct slice me, struct slice id,
			   const struct membership_item *mine, const struct group_item *group)
{
	if (group == NULL) {
		txn_delete(t, ITEM_MEMBERSHIP, me, id);
		return true;
	}
	const struct group g = {.id = id, .item = group};
	struct group_item now = *group;
	if (!now.is_deleted && mine->role == GROUP_OWNER && now.owners == 1 && now.users > 1) {
		size_t cells = 40; /* of its name, which has to fit the message */
		while (text_fit(now.group_name, cells) > 100) {
			cells--;
		}
		(void)txn_refuse(t, FAULT_CONFLICT,
				 "the team %.*s (%.*s) needs an owner; choose another first",
				 (int)text_fit(now.group_name, cells), now.group_name.data,
				 (int)id.len, id.data);
		return false;
	}
	group_take_out(t, id, &now, me, mine);
	if (now.is_deleted) {
		txn_put(t, ITEM_GROUP, id, NO_SK, &now);
	} else if (now.users == 0) {
		group_begin_end(t, &g, now);
	} else {
		group_write(t, &g, now, (struct group_update){.gone = {.items = &me, .n = 1}});
	}
	return true;
}

enum txn_step user_leave_groups(struct txn *t, struct slice user_id)
{
	struct txn_items found = user_memberships(t, user_id);
	for (size_t i = 0; i < found.n; i++) {
		(void)txn_get(t, ITEM_GROUP, item_sk_rest(&found.items[i], ITEM_MEMBERSHIP), NO_SK);
	}
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	for (size_t i = 0; i < found.n; i++) {
		struct slice id = item_sk_rest(&found.items[i], ITEM_MEMBERSHIP);
		const struct membership_item *m = txn_decode(t, &found.items[i]);
		const struct group_item *group = txn_get(t, ITEM_GROUP, id, NO_SK);
		if (m != NULL && !leave_for_good(t, user_id, id, m, group)) {
			return TXN_REFUSED;
		}
	}
	return TXN_DONE;
}
