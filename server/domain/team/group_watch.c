/*
 * group_watch.c - what members are sent of a group: how a change is written and published, group.watch, group.unwatch.
 *
 * The topic is the group's partition, its versions are those of the GROUP item, and its
 * epoch is when that was made. So a client that comes back, after a restart too, is sent
 * nothing where it has missed nothing. Updates before that are not kept: a client that has
 * missed one is sent the group anew and pages what is long.
 */
#include "server/domain/team/container.h"

#include "server/domain/directory.h"

static struct group_view view_of(const struct group_item *item)
{
	struct group_view view = {.group_name = item->group_name, .users = item->users};
	view.with_defaults = group_view_defaults(item, &view.defaults);
	return view;
}

void group_write(struct txn *t, const struct group *g, struct group_item now,
		 struct group_update change)
{
	now.version++;
	txn_put(t, ITEM_GROUP, g->id, NO_SK, &now);
	change.group_id = g->id;
	change.epoch = g->item->created_on;
	change.since = g->item->version;
	change.version = now.version;
	change.is_deleted = now.is_deleted;
	change.with_group = change.with_group || !slice_eq(now.group_name, g->item->group_name) ||
			    now.users != g->item->users;
	change.group = view_of(&now);
	change.users = txn_keep(t, change.users, change.users_n * sizeof(*change.users));
	change.gone.items = txn_keep(t, change.gone.items, change.gone.n * sizeof(struct slice));
	change.containers =
		txn_keep(t, change.containers, change.containers_n * sizeof(*change.containers));
	txn_publish(t, ITEM_GROUP, g->id, NOTICE_GROUP_UPDATE, &change);
	if (now.is_deleted) {
		txn_end_topic(t, ITEM_GROUP, g->id);
	}
}

enum txn_step group_write_name(struct txn *t, struct slice user_id, const struct user_item *user,
			       struct slice name)
{
	if (user->groups == 0 || slice_eq(user->user_name, name)) {
		return TXN_DONE;
	}
	struct txn_items found = user_memberships(t, user_id);
	for (size_t i = 0; i < found.n; i++) {
		(void)group_get(t, item_sk_rest(&found.items[i], ITEM_MEMBERSHIP));
	}
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	for (size_t i = 0; i < found.n; i++) {
		const struct membership_item *m = txn_decode(t, &found.items[i]);
		struct group g = {.id = item_sk_rest(&found.items[i], ITEM_MEMBERSHIP)};
		g.item = group_get(t, g.id);
		if (m == NULL || g.item == NULL) {
			continue;
		}
		struct group_user renamed = {.user_id = user_id,
					     .user_name = name,
					     .role = m->role,
					     .joined_on = m->joined_on};
		group_write(t, &g, *g.item, (struct group_update){.users = &renamed, .users_n = 1});
	}
	return TXN_DONE;
}

/* ---- methods ---- */

static struct slice group_pk(struct txn *t, struct slice id)
{
	return public_id(t, "g_", USER_ID_CHARS, id);
}

/* The group and its containers, behind the answer; names of hundreds of letters take more than one message. */
static enum txn_step send_full(struct txn *t, const struct group *g, const struct since *at)
{
	struct group_update part = {.epoch = at->epoch,
				    .since = at->version,
				    .version = at->version,
				    .full = true,
				    .group_id = g->id,
				    .group = view_of(g->item),
				    .with_group = true};
	struct container_page page;
	struct slice after = {0};
	do {
		enum txn_step step = container_page_of(t, g->id, after, &page);
		if (step != TXN_DONE) {
			return step;
		}
		part.containers = page.entries;
		part.containers_n = page.n;
		txn_send_behind(t, NOTICE_GROUP_UPDATE, &part);
		part.full = false;
		part.with_group = false;
		after = place_of_pair(t, &page.page.after, "c_", 1);
	} while (page.page.is_full);
	return TXN_DONE;
}

bool watch_begin(struct txn *t, const struct group *g, const struct since *at,
		 const struct since *since)
{
	txn_subscribe_while(t, ITEM_MEMBERSHIP, caller_id(t), g->id);
	txn_subscribed_at(t, at->epoch, at->version);
	*(struct watch_result *)t->result =
		(struct watch_result){.epoch = at->epoch, .version = at->version};
	return since == NULL || since->epoch != at->epoch || since->version != at->version;
}

enum txn_step on_GROUP_WATCH(struct txn *t)
{
	const struct group_watch_params *p = t->params;
	struct group g;
	(void)txn_subscribe(t, ITEM_GROUP, group_pk(t, p->group_id), NOTICE_GROUP_UPDATE);
	enum txn_step step = group_find(t, p->group_id, GROUP_MEMBER, &g);
	if (step != TXN_DONE) {
		return step;
	}
	const struct since at = {.epoch = g.item->created_on, .version = g.item->version};
	return watch_begin(t, &g, &at, p->with_since ? &p->since : NULL) ? send_full(t, &g, &at)
									 : TXN_DONE;
}

enum txn_step on_GROUP_UNWATCH(struct txn *t)
{
	const struct group_params *p = t->params;
	txn_unsubscribe(t, ITEM_GROUP, group_pk(t, p->group_id));
	return TXN_DONE;
}
