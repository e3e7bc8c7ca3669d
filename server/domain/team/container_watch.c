/*
 * container_watch.c - what members are sent of a container: how a change is written and published,
 * container.watch, container.unwatch. As group_watch.c has it of a group.
 */
#include "server/domain/team/container.h"

#include "server/domain/directory.h"

struct container_entry container_write(struct txn *t, const struct container *c,
				       struct container_item now, struct container_update change)
{
	now.version++;
	txn_put(t, ITEM_CONTAINER, c->id, NO_SK, &now);
	change.container_id = c->id;
	change.epoch = c->item->created_on;
	change.since = c->item->version;
	change.version = now.version;
	change.is_deleted = now.is_deleted;
	change.with_container = now.items != c->item->items ||
				!slice_eq(now.container_name, c->item->container_name);
	change.container = container_show(c->id, &now);
	change.items = txn_keep(t, change.items, change.items_n * sizeof(*change.items));
	change.gone.items = txn_keep(t, change.gone.items, change.gone.n * sizeof(struct slice));
	txn_publish(t, ITEM_CONTAINER, c->id, NOTICE_CONTAINER_UPDATE, &change);
	if (now.is_deleted) {
		txn_end_topic(t, ITEM_CONTAINER, c->id);
	}
	return change.container;
}

static struct slice container_pk(struct txn *t, struct slice id)
{
	return public_id(t, "c_", USER_ID_CHARS, id);
}

enum txn_step on_CONTAINER_WATCH(struct txn *t)
{
	const struct container_watch_params *p = t->params;
	struct container c;
	(void)txn_subscribe(t, ITEM_CONTAINER, container_pk(t, p->container_id),
			    NOTICE_CONTAINER_UPDATE);
	enum txn_step step = container_find(t, caller_id(t), p->container_id, &c);
	if (step != TXN_DONE) {
		return step;
	}
	const struct since at = {.epoch = c.item->created_on, .version = c.item->version};
	if (watch_begin(t, &c.group, &at, p->with_since ? &p->since : NULL)) {
		struct container_update full = {
			.epoch = at.epoch,
			.since = at.version,
			.version = at.version,
			.full = true,
			.container_id = c.id,
			.container = container_show(c.id, c.item),
			.with_container = true,
		};
		txn_send_behind(t, NOTICE_CONTAINER_UPDATE, &full);
	}
	return TXN_DONE;
}

enum txn_step on_CONTAINER_UNWATCH(struct txn *t)
{
	const struct container_params *p = t->params;
	txn_unsubscribe(t, ITEM_CONTAINER, container_pk(t, p->container_id));
	return TXN_DONE;
}
