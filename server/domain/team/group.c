/*
 * group.c - finding a group; group.create, get, list, rename; the first group of a user.
 */
#include "server/domain/team/team.h"

#include "server/domain/base/list_page.h"
#include "server/domain/directory.h"
#include "server/domain/team/container.h"

/* ---- finding ---- */

const struct group_item *group_get(struct txn *t, struct slice id)
{
	const struct group_item *item = txn_get(t, ITEM_GROUP, id, NO_SK);
	return item == NULL || item->is_deleted ? NULL : item;
}

enum txn_step group_find_of(struct txn *t, struct slice user_id, struct slice id,
			    enum group_role least, struct group *g)
{
	g->id = public_id(t, "g_", USER_ID_CHARS, id);
	g->item = group_get(t, g->id);
	g->mine = txn_get(t, ITEM_MEMBERSHIP, user_id, g->id);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (g->item == NULL || g->mine == NULL) {
		return txn_refuse(t, FAULT_NOT_FOUND, "team not found; check its id");
	}
	if (least == GROUP_OWNER && g->mine->role != GROUP_OWNER) {
		return txn_refuse(t, FAULT_FORBIDDEN, "only team owners can do that");
	}
	return TXN_DONE;
}

enum txn_step group_find(struct txn *t, struct slice id, enum group_role least, struct group *g)
{
	return group_find_of(t, caller_id(t), id, least, g);
}

/* ---- how a change is written ---- */

/* The caller of this function writes the user. */
static void put_membership(struct txn *t, struct slice user_id, struct slice group_id,
			   enum group_role role, struct user_item *user)
{
	user->groups++;
	user->had_group = true;
	txn_put_new(t, ITEM_MEMBERSHIP, user_id, group_id,
		    &(struct membership_item){.group_id = group_id,
					      .role = role,
					      .joined_on = t->wall_ms});
}

bool group_enter(struct txn *t, struct slice group_id, const struct user_item *user,
		 enum group_role role, struct group_user *entered)
{
	struct slice me = caller_id(t);
	if (user == NULL) {
		(void)txn_refuse(t, FAULT_UNAUTHENTICATED, "that user was deleted; log in again");
		return false;
	}
	if (user->groups >= t->limits[LIMIT_GROUPS_OF_USER]) {
		(void)txn_refuse(t, FAULT_QUOTA_EXCEEDED, "you are in %lld teams; leave one first",
				 (long long)t->limits[LIMIT_GROUPS_OF_USER]);
		(void)txn_bound(t, LIMIT_GROUPS_OF_USER);
		return false;
	}
	struct user_item now = *user;
	now.first_group_id = (struct slice){0};
	now.with_first_group_id = false;
	put_membership(t, me, group_id, role, &now);
	txn_put(t, ITEM_USER, me, NO_SK, &now);
	if (entered != NULL) {
		*entered = (struct group_user){.user_id = me,
					       .user_name = user->user_name,
					       .role = role,
					       .joined_on = t->wall_ms};
	}
	return true;
}

/* A group of one owner, with a container. */
static struct group_create_result put_group(struct txn *t, struct slice group_id, struct slice name,
					    struct slice container_name)
{
	struct slice container_id = public_id_make(t, "c_");
	txn_put_new(t, ITEM_GROUP, group_id, NO_SK,
		    &(struct group_item){.group_name = name_or(name, SLICE(GROUP_NAME_USUAL)),
					 .version = 1,
					 .users = 1,
					 .owners = 1,
					 .containers = 1});
	txn_put_new(t, ITEM_GROUP_CONTAINER, group_id, container_id,
		    &(struct group_container_item){.container_id = container_id});
	txn_put_new(t, ITEM_CONTAINER, container_id, NO_SK,
		    &(struct container_item){.container_name = name_or(container_name,
								       SLICE(CONTAINER_NAME_USUAL)),
					     .group_id = group_id,
					     .version = 1});
	return (struct group_create_result){.group_id = group_id, .container_id = container_id};
}

/* ---- the first group of a user ---- */

struct slice group_create_first(struct txn *t, struct slice user_id, struct slice name,
				struct user_item *user)
{
	struct slice group_id = public_id_make(t, "g_");
	put_membership(t, user_id, group_id, GROUP_OWNER, user);
	(void)put_group(t, group_id, name, (struct slice){0});
	user->first_group_id = group_id;
	return group_id;
}

enum txn_step group_find_unused(struct txn *t, const struct user_item *user, struct group *first)
{
	const struct container_item *container = NULL;
	*first = (struct group){.id = user == NULL ? (struct slice){0} : user->first_group_id};
	if (first->id.len == 0) {
		return TXN_DONE;
	}
	const struct group_item *group = group_get(t, first->id);
	struct txn_items containers =
		txn_list(t, ITEM_GROUP_CONTAINER, first->id, &(struct txn_page){.limit = 1});
	struct txn_items rooms =
		txn_query(t, INDEX_ROOMS_OF_GROUP, first->id, &(struct txn_range){.limit = 1});
	if (!txn_is_loading(t) && containers.n > 0) {
		container =
			container_get(t, item_sk_rest(&containers.items[0], ITEM_GROUP_CONTAINER));
	}
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	/* The versions count all that was changed but invitations, which are counted beside, and rooms. */
	bool is_unused = group != NULL && group->version == 1 && group->invitations == 0 &&
			 container != NULL && container->version == 1 && rooms.n == 0;
	first->item = is_unused ? group : NULL;
	return TXN_DONE;
}

/* ---- methods ---- */

enum txn_step on_GROUP_CREATE(struct txn *t)
{
	const struct group_create_params *p = t->params;
	struct group first;
	const struct user_item *user = user_get(t, caller_id(t));
	if (txn_is_loading(t) || group_find_unused(t, user, &first) == TXN_MORE) {
		return TXN_MORE;
	}
	struct slice group_id = public_id_make(t, "g_");
	if (!group_enter(t, group_id, user, GROUP_OWNER, NULL) ||
	    !txn_take_of_user(t, LIMIT_GROUPS_PER_HOUR, "new teams")) {
		return TXN_REFUSED;
	}
	*(struct group_create_result *)t->result =
		put_group(t, group_id, p->group_name, p->container_name);
	if (first.item != NULL) {
		group_begin_end(t, &first, *first.item);
	}
	return TXN_DONE;
}

enum txn_step on_GROUP_GET(struct txn *t)
{
	const struct group_get_params *p = t->params;
	struct slice group_id = p->group_id;
	struct group g;
	if (p->with_group_id == p->with_container_id) {
		fault_field(&t->fault, "group_id",
			    "give either group_id or container_id, not both");
		return TXN_REFUSED;
	}
	if (p->with_container_id) {
		struct slice id = public_id(t, "c_", USER_ID_CHARS, p->container_id);
		const struct container_item *container = container_get(t, id);
		if (txn_is_loading(t)) {
			return TXN_MORE;
		}
		group_id = container == NULL ? (struct slice){0} : container->group_id;
	}
	enum txn_step step = group_find(t, group_id, GROUP_MEMBER, &g);
	if (step == TXN_DONE) {
		struct group_get_result *result = t->result;
		*result = (struct group_get_result){
			.group_id = g.id,
			.group_name = g.item->group_name,
			.role = g.mine->role,
			.users = g.item->users,
			.version = g.item->version,
		};
		result->with_defaults = group_view_defaults(g.item, &result->defaults);
	}
	return step;
}

enum txn_step on_GROUP_LIST(struct txn *t)
{
	const struct group_list_params *p = t->params;
	struct group_list_result *result = t->result;
	struct list_page page;
	if (!list_begin(t, &page, SLICE("groups"), p->cursor, p->with_limit, p->limit)) {
		return TXN_REFUSED;
	}
	struct txn_items found =
		txn_list(t, ITEM_MEMBERSHIP, caller_id(t),
			 &(struct txn_page){.after = place_sk(t, ITEM_MEMBERSHIP, page.after.id),
					    .limit = page.limit});
	for (size_t i = 0; i < found.n; i++) {
		(void)group_get(t, item_sk_rest(&found.items[i], ITEM_MEMBERSHIP));
	}
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	struct group_entry *groups = list_entries(t, found.n, sizeof(*groups));
	if (groups == NULL) {
		return TXN_REFUSED;
	}
	result->groups = groups;
	for (size_t i = 0; i < found.n; i++) {
		struct slice id = item_sk_rest(&found.items[i], ITEM_MEMBERSHIP);
		const struct membership_item *mine = txn_decode(t, &found.items[i]);
		const struct group_item *group = group_get(t, id);
		if (mine == NULL || group == NULL) {
			page.after.id = id;
			continue;
		}
		if (!list_takes(&page, LIST_ENTRY_BYTES + group->group_name.len)) {
			break;
		}
		groups[result->groups_n++] = (struct group_entry){.group_id = id,
								  .group_name = group->group_name,
								  .role = mine->role,
								  .joined_on = mine->joined_on};
		page.after.id = id;
	}
	result->cursor = list_end(t, &page, found.has_more);
	return TXN_DONE;
}

enum txn_step on_GROUP_RENAME(struct txn *t)
{
	const struct group_rename_params *p = t->params;
	struct group g;
	enum txn_step step = group_find(t, p->group_id, GROUP_OWNER, &g);
	if (step == TXN_DONE && !slice_eq(g.item->group_name, p->group_name)) {
		struct group_item now = *g.item;
		now.group_name = p->group_name;
		group_write(t, &g, now, (struct group_update){.since = 0});
	}
	return step;
}
