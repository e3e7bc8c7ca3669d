/*
 * container.h - containers of a group, and the items in them: a backlog, an inventory, a list.
 *
 *   GROUP:{group_id}   CONTAINER#{container_id}  a container of the group
 *   CONTAINER:{id}     CONTAINER                 the container, and the number of its items
 *                      ITEM#{item_id}            an item; ids begin with the time, so items are in
 *                                                the order in which they were added
 *                      KEY#{key}                 which item has a key of a tracker
 *
 * Every change of an item also writes the CONTAINER: it counts items and versions, and keeps the
 * last item_id, so that the next one is greater. A container is read in pages, never as a whole.
 *
 * Members of the group may use all methods. For everyone else a container and its items do not
 * seem to exist: the same NOT_FOUND after the same reads.
 *
 * container.c methods on containers, and their deletion; item.c changes of items; item_list.c
 * lists of items; container_watch.c updates to watchers.
 */
#ifndef SERVER_DOMAIN_TEAM_CONTAINER_H
#define SERVER_DOMAIN_TEAM_CONTAINER_H

#include "server/domain/base/list_page.h"
#include "server/domain/team/team.h"

/* ---- containers ---- */

/* A container, and its group as seen by a user. */
struct container {
	struct slice id; /* in its stored spelling; in t->arena */
	const struct container_item *item;
	struct group group;
};

/*
 * Return the item of a container; NULL if it does not exist or is deleted, and while it is not
 * loaded.
 */
const struct container_item *container_get(struct txn *t, struct slice id);

/*
 * Find the container with this id, in a group that the user is in. A handler continues if this is
 * TXN_DONE, and otherwise returns the result: TXN_MORE, or TXN_REFUSED with NOT_FOUND. The
 * refusal is the same, after the same reads, whether the id has a wrong form, the container does
 * not exist, or the user is not in its group.
 *
 * @user_id  of the caller; without a request: of the user for whom the transaction acts.
 */
enum txn_step container_find(struct txn *t, struct slice user_id, struct slice id, struct container *c);

/*
 * Update the counts in *now for an item that was added, removed or changed: its old state (NULL:
 * added) and its new state (NULL: removed). In a container that had items before unestimated ones
 * were counted, these stay uncounted until it is empty.
 */
void container_count(struct container_item *now, const struct item_item *was, const struct item_item *is);

/*
 * Return the MiB that a container counts for its group: the bytes of its items, rounded up, so
 * that the group's item is seldom written.
 */
int64_t container_blocks(const struct container_item *item);

/*
 * Add `more` blocks, which may be negative, to the group's count. Not together with
 * group_write(). Returns false with t->fault QUOTA_EXCEEDED if the group would exceed
 * GROUP_BYTES.
 */
bool group_count_blocks(struct txn *t, const struct group *g, int64_t more);

/* Return the container as it is shown to clients. */
struct container_entry container_show(struct slice id, const struct container_item *item);

/*
 * Write a container after a change that its readers see, and publish the change. This is the only
 * way to write one, so that every change is published. At most once per container in a
 * transaction.
 *
 * @change  items, gone: lists are copied; the common fields of updates and the container itself
 *          are filled in here. If it is_deleted now, its topic ends.
 *
 * Returns the container as it is shown from then on.
 */
struct container_entry container_write(struct txn *t, const struct container *c, struct container_item now,
				       struct container_update change);

/*
 * Do one step of deleting a container: remove up to REMOVAL_ITEMS of its items and, if none is
 * left, the container. Until then it is marked as deleted. So a deletion takes several
 * transactions, with one step each.
 *
 * @is_gone  false: there is more to remove. If nothing continues within END_STEP_MS, the sweeper
 *           does.
 *
 * TXN_MORE, or TXN_DONE. The caller updates the group's GROUP_CONTAINER and its count.
 */
enum txn_step container_end(struct txn *t, struct slice id, bool *is_gone);

/* Continue to delete a container. params: struct store_item, the CONTAINER that was found. */
txn_handler container_expire;

/* A page of containers; its place is a group and, if any, the last of its containers. */
struct container_page {
	struct list_page page;
	struct container_entry *entries;
	size_t n;
};

/*
 * Read a page of the containers of a group after `after`; page->page.is_full if more follow.
 * TXN_MORE, TXN_DONE, or TXN_REFUSED if memory is out.
 */
enum txn_step container_page_of(struct txn *t, struct slice group_id, struct slice after, struct container_page *page);

/* ---- the keys of items: item_key.c ---- */

/* The key that an item's name begins with, and which item of the container has it. */
struct item_key {
	struct slice text;		    /* as in the SK; empty: the name has none */
	const struct item_key_item *holder; /* NULL: no item has it */
};

/* Read the key of an item as it is or will be; use it when txn_is_loading() is false. */
void item_key_find(struct txn *t, struct slice container_id, const struct item_item *item, struct item_key *key);
/* The item has the key from now on, unless another has it. */
void item_key_take(struct txn *t, struct slice container_id, struct slice item_id, const struct item_key *key);
/* The item goes, or gets another name: it has the key no longer, if it had. */
void item_key_leave(struct txn *t, struct slice container_id, struct slice item_id, const struct item_key *key);

/* ---- items ---- */

/* An item, and its container as seen by a user. */
struct found_item {
	struct container container;
	struct slice id; /* as it is written; in t->arena */
	const struct item_item *item;
	struct item_key key; /* only of one that is found to be written */
};

/*
 * Find an item in a container as container_find(); NOT_FOUND also if the container does not have
 * it.
 */
enum txn_step item_find(struct txn *t, struct slice user_id, struct slice container_id, struct slice item_id,
			struct found_item *f);

/* The estimate that a room has settled on for an item. */
struct item_estimate {
	struct slice user_id; /* the user for whom it is written: a member of the group */
	struct slice container_id;
	struct slice item_id;
	struct slice card;
};

/*
 * Write an estimate to an item: if the card is a number that is a valid quantity, as quantity
 * with unit `points`; otherwise the card as unit, without a quantity. The caller makes sure that
 * it is written only once. TXN_DONE, or as item_find(); CONFLICT if the item has a quantity that
 * is not an estimate.
 */
enum txn_step item_put_estimate(struct txn *t, const struct item_estimate *e);

/* Return the item as it is shown to clients, with texts in t->arena. */
struct item_view item_show(struct txn *t, struct slice id, const struct item_item *item);

/* ---- estimates of rooms: story_save.c ---- */

/* Write the estimate of a story to its item, and give the room the result as a task. */
txn_handler story_save;
/* The same if that was lost. params: struct store_item, the UNSAVED that was found. */
txn_handler story_save_again;

#endif
