/*
 * group_delete.c - group.delete, and the end of a group.
 *
 *   group.delete --> is_deleted --> containers --> invitations --> memberships --> marks of removal --> no GROUP item
 *
 * Each step is a transaction of about REMOVAL_ITEMS items, which begins the next: others
 * have their turn between two. The GROUP item counts what is left, so it is in
 * every step, and of two at once one is made. Its expires_at is a little
 * ahead: where a step was not followed by another, as the server ended or the
 * step was not made, the sweeper finds it there and goes on. Rooms end in their own
 * partitions, meanwhile: each step tells those that are left.
 */
#include "server/domain/team/team.h"

#include "server/domain/directory.h"
#include "server/domain/team/container.h"

enum { STEP_ROOMS = 32 };
#define GROUP_END_LINE SLICE("ends of groups")

static txn_handler group_end;

/* ---- what is left goes; how much of it was found ---- */

/* A step of the first of its containers. */
static size_t end_container(struct txn *t, struct slice id, struct group_item *now)
{
	bool is_gone;
	struct txn_items found =
		txn_list(t, ITEM_GROUP_CONTAINER, id, &(struct txn_page){.limit = 1});
	if (txn_is_loading(t) || found.n == 0) {
		return 0;
	}
	struct slice container_id = item_sk_rest(&found.items[0], ITEM_GROUP_CONTAINER);
	if (container_end(t, container_id, &is_gone) == TXN_DONE && is_gone) {
		txn_delete(t, ITEM_GROUP_CONTAINER, id, container_id);
		now->containers--;
		now->with_containers = now->containers > 0;
	}
	return 1;
}

static size_t end_invitations(struct txn *t, struct slice id, struct group_item *now)
{
	struct txn_items found =
		txn_list(t, ITEM_INVITATION, id,
			 &(struct txn_page){.limit = (size_t)t->limits[LIMIT_REMOVAL_ITEMS]});
	if (txn_is_loading(t)) {
		return 0;
	}
	for (size_t i = 0; i < found.n; i++) {
		invitation_end(t, id, item_sk_rest(&found.items[i], ITEM_INVITATION), now);
	}
	return found.n;
}

/* What the index lists and is gone is no membership that counts. */
static size_t end_memberships(struct txn *t, struct slice id, struct group_item *now)
{
	size_t n = 0;
	size_t most = ((size_t)t->limits[LIMIT_REMOVAL_ITEMS] + 1) / 2; /* each with its user */
	struct txn_items found =
		txn_query(t, INDEX_USERS_OF_GROUP, id, &(struct txn_range){.limit = most});
	for (size_t i = 0; i < found.n; i++) {
		struct slice user_id = item_pk_rest(&found.items[i], ITEM_MEMBERSHIP);
		(void)txn_get(t, ITEM_MEMBERSHIP, user_id, id);
		(void)txn_get(t, ITEM_USER, user_id, NO_SK);
	}
	for (size_t i = 0; i < found.n && !txn_is_loading(t); i++) {
		struct slice user_id = item_pk_rest(&found.items[i], ITEM_MEMBERSHIP);
		const struct membership_item *m = txn_get(t, ITEM_MEMBERSHIP, user_id, id);
		if (m != NULL) {
			group_take_out(t, id, now, user_id, m);
			user_in_fewer(t, user_id);
			n++;
		}
	}
	return n;
}

/* Whom it does not let in again; nothing counts those. */
static size_t end_removed(struct txn *t, struct slice id)
{
	struct txn_items found =
		txn_list(t, ITEM_REMOVED, id,
			 &(struct txn_page){.limit = (size_t)t->limits[LIMIT_REMOVAL_ITEMS]});
	for (size_t i = 0; i < found.n && !txn_is_loading(t); i++) {
		txn_delete(t, ITEM_REMOVED, id, item_sk_rest(&found.items[i], ITEM_REMOVED));
	}
	return found.n;
}

/* ---- steps ---- */

static enum txn_step group_end(struct txn *t)
{
	const struct txn_next *p = t->params;
	const struct group_item *group = txn_get(t, ITEM_GROUP, p->key, NO_SK);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (group == NULL || !group->is_deleted) {
		return TXN_DONE;
	}
	struct group_item now = *group;
	bool is_empty = now.containers + now.invitations + now.users == 0;
	struct txn_items rooms = txn_query(t, INDEX_ROOMS_OF_GROUP, p->key,
					   &(struct txn_range){.limit = STEP_ROOMS});
	size_t taken = now.containers > 0    ? end_container(t, p->key, &now)
		       : now.invitations > 0 ? end_invitations(t, p->key, &now)
		       : now.users > 0	     ? end_memberships(t, p->key, &now)
					     : end_removed(t, p->key);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (is_empty && taken == 0 && rooms.n == 0) {
		txn_delete(t, ITEM_GROUP, p->key, NO_SK);
		return TXN_DONE;
	}
	for (size_t i = 0; i < rooms.n; i++) {
		txn_then_room(t, item_pk_rest(&rooms.items[i], ITEM_ROOM), room_end_with_group,
			      p->key);
	}
	/* Where rooms still end, or an index is behind, the sweeper goes on. */
	now.expires_at = t->wall_ms + (taken > 0 ? END_STEP_MS : END_WAIT_MS);
	txn_put(t, ITEM_GROUP, p->key, NO_SK, &now);
	if (taken > 0) {
		txn_then(t, GROUP_END_LINE, group_end, p->key);
	}
	return TXN_DONE;
}

void group_begin_end(struct txn *t, const struct group *g, struct group_item now)
{
	now.is_deleted = true;
	now.expires_at = t->wall_ms + END_STEP_MS;
	group_write(t, g, now, (struct group_update){.since = 0});
	txn_then(t, GROUP_END_LINE, group_end, g->id);
}

enum txn_step group_expire(struct txn *t)
{
	const struct store_item *found = t->params;
	struct slice id = item_pk_rest(found, ITEM_GROUP);
	const struct group_item *group = txn_get(t, ITEM_GROUP, id, NO_SK);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (group != NULL && group->is_deleted && group->expires_at <= t->wall_ms) {
		/* Put off first, so that one whose steps fail does not keep others waiting. */
		struct group_item later = *group;
		later.expires_at = t->wall_ms + END_STEP_MS;
		txn_put(t, ITEM_GROUP, id, NO_SK, &later);
		txn_then(t, GROUP_END_LINE, group_end, id);
	}
	return TXN_DONE;
}

enum txn_step on_GROUP_DELETE(struct txn *t)
{
	const struct group_change_params *p = t->params;
	struct group g;
	enum txn_step step = group_find(t, p->group_id, GROUP_OWNER, &g);
	if (step != TXN_DONE) {
		return step;
	}
	struct txn_items containers = txn_list(t, ITEM_GROUP_CONTAINER, g.id,
					       &(struct txn_page){.limit = MAX_GROUP_CONTAINERS});
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	for (size_t i = 0; i < containers.n; i++) { /* long before their items are gone */
		txn_end_topic(t, ITEM_CONTAINER,
			      item_sk_rest(&containers.items[i], ITEM_GROUP_CONTAINER));
	}
	group_begin_end(t, &g, *g.item);
	return TXN_DONE;
}
