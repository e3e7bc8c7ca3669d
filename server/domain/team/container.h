/*
 * container.h - containers of a group, and the items in them: a backlog, an inventory, a list.
 *
 *   GROUP:{group_id}   CONTAINER#{container_id}  which containers it has
 *   CONTAINER:{id}     CONTAINER                 the container, and how many items are in it
 *                      ITEM#{item_id}            an item; the ids begin with the time, so their order is that of adding
 *
 * Every change of an item writes the CONTAINER as well: it counts items and versions,
 * and remembers the last item_id, so that the next one is greater. A container is
 * read in pages, never as a whole.
 *
 * Members of the group may do all of it. For everybody else a container and its items
 * are as ones that do not exist: the same NOT_FOUND after the same reads.
 *
 * container.c the methods of containers and their end; item.c those that change items;
 * item_list.c those that list them; container_watch.c what members are sent of one.
 */
#ifndef SERVER_DOMAIN_TEAM_CONTAINER_H
#define SERVER_DOMAIN_TEAM_CONTAINER_H

#include "server/domain/team/team.h"

/* ---- containers ---- */

/* A container as it stands to a user. */
struct container {
	struct slice id; /* as it is written; in t->arena */
	const struct container_item *item;
	struct group group;
};

/* The item of the container of that id; NULL where there is none, or it is deleted, and while it is not loaded. */
const struct container_item *container_get(struct txn *t, struct slice id);

/*
 * Find the container of that id, in a group that the user is in. A handler goes on where this is TXN_DONE, and
 * returns anything else: TXN_MORE, or TXN_REFUSED with NOT_FOUND, the same and after the same reads whether the id has
 * another form, there is no such container, or the user is not in its group.
 *
 * @user_id  of the caller, or of whoever it is done for where no request began the transaction.
 */
enum txn_step container_find(struct txn *t, struct slice user_id, struct slice id, struct container *c);

/*
 * An item came, went or changed: as it was, NULL where it was not there, and as it is, NULL where it is there no longer.
 * Of a container that had items before any without an estimate were counted, those stay uncounted until it is empty.
 */
void container_count(struct container_item *now, const struct item_item *was, const struct item_item *is);

/* MiB that count for its group: what its items take, rounded up, so that the group's item is seldom written. */
int64_t container_blocks(const struct container_item *item);

/*
 * The group's containers take so many blocks more, or less where they are negative; not where group_write() is called as
 * well. False with t->fault QUOTA_EXCEEDED where that would be more than GROUP_BYTES.
 */
bool group_count_blocks(struct txn *t, const struct group *g, int64_t more);

/* The container as it is shown. */
struct container_entry container_show(struct slice id, const struct container_item *item);

/*
 * Write the container as it is after a change that its readers see, and publish the change: the only way to write
 * one, so that none goes unpublished. Once in a transaction for each container.
 *
 * @change  items, gone: lists are copied; what every update begins with and the container itself are filled in here.
 *          Where it is_deleted now the topic ends.
 * Returns it as it is shown from then on.
 */
struct container_entry container_write(struct txn *t, const struct container *c, struct container_item now,
				       struct container_update change);

/*
 * A step of a container's end: removes up to REMOVAL_ITEMS of its items and, when none is left, itself;
 * until then it is marked as deleted. So it takes several transactions, of which each has one step.
 *
 * @is_gone  false: there is more to remove. Where nothing goes on with it within END_STEP_MS, the sweeper does.
 * TXN_MORE, or TXN_DONE. The group's GROUP_CONTAINER and its count are the caller's.
 */
enum txn_step container_end(struct txn *t, struct slice id, bool *is_gone);

/* Go on with the end of one. @params struct store_item: the CONTAINER that was found. */
txn_handler container_expire;

/* As much of a list of containers as a message takes. */
struct container_page {
	struct container_entry *entries;
	size_t n, limit;
	size_t bytes;
	bool is_full;	   /* and there are more, behind `last` of that group */
	struct slice group_id, last;
};

/*
 * The containers of a group, those behind `after`, up to page->limit, in place of what the page had. TXN_MORE, TXN_DONE,
 * or TXN_REFUSED where memory is out.
 */
enum txn_step container_page_of(struct txn *t, struct slice group_id, struct slice after, struct container_page *page);

/* ---- items ---- */

/* An item as it stands to a user. */
struct found_item {
	struct container container;
	struct slice id; /* as it is written; in t->arena */
	const struct item_item *item;
};

/* Find the item of that id in a container that container_find() finds for the user; else as there, NOT_FOUND where it is not in it. */
enum txn_step item_find(struct txn *t, struct slice user_id, struct slice container_id, struct slice item_id,
			struct found_item *f);

/* What a room has agreed on for an item. */
struct item_estimate {
	struct slice user_id; /* for whom it is written: a member of the group */
	struct slice container_id;
	struct slice item_id;
	struct slice card;
};

/*
 * Write an estimate to an item: a card whose number is a quantity as that, with unit `points`; any other
 * card as unit alone, without a quantity. That it is written once is the caller's to see to. TXN_DONE, or as item_find();
 * CONFLICT where the item has a quantity that is no estimate.
 */
enum txn_step item_put_estimate(struct txn *t, const struct item_estimate *e);

/* The item as it is shown, with texts in t->arena. */
struct item_view item_show(struct txn *t, struct slice id, const struct item_item *item);

#endif
