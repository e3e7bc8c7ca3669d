/*
 * container.c - finding a container; container.create, get, rename, delete, list; its end.
 */
#include "server/domain/team/container.h"

#include "proto/base/format.h"
#include "server/domain/directory.h"

/* ---- finding and writing ---- */

const struct container_item *container_get(struct txn *t, struct slice id)
{
	const struct container_item *item = txn_get(t, ITEM_CONTAINER, id, NO_SK);
	return item == NULL || item->is_deleted ? NULL : item;
}

enum txn_step container_find(struct txn *t, struct slice user_id, struct slice id,
			     struct container *c)
{
	c->id = public_id(t, "c_", USER_ID_CHARS, id);
	c->item = container_get(t, c->id);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	struct slice group_id = c->item == NULL ? (struct slice){0} : c->item->group_id;
	enum txn_step step = group_find_of(t, user_id, group_id, GROUP_MEMBER, &c->group);
	return step != TXN_REFUSED
		       ? step
		       : txn_refuse(t, FAULT_NOT_FOUND, "backlog not found; check its id");
}

/*
 * What an item takes in its container: its texts, and ITEM_BYTES_FIXED for its keys, its numbers and what they count. So an
 * estimate or a quantity never is what makes it too much.
 */
#define ITEM_BYTES_FIXED 256
static int64_t item_bytes(const struct item_item *item)
{
	return item == NULL ? 0
			    : (int64_t)(ITEM_BYTES_FIXED + item->name.len + item->category.len +
					item->note.len);
}

static int64_t item_lacks_estimate(const struct item_item *item)
{
	return item != NULL && !item->with_quantity && item->unit.len == 0 ? 1 : 0;
}

static int64_t count_on(int64_t count, int64_t more)
{
	return count + more > 0 ? count + more : 0;
}

static bool container_is_counted(const struct container_item *item)
{
	return item->with_unestimated || item->items == 0;
}

void container_count(struct container_item *now, const struct item_item *was,
		     const struct item_item *is)
{
	now->with_unestimated = container_is_counted(now);
	now->unestimated = now->with_unestimated
				   ? count_on(now->unestimated,
					      item_lacks_estimate(is) - item_lacks_estimate(was))
				   : 0;
	now->items = count_on(now->items, (is != NULL) - (was != NULL));
	now->with_items = now->items > 0;
	now->bytes = count_on(now->bytes, item_bytes(is) - item_bytes(was));
	now->with_bytes = now->bytes > 0;
}

enum { BLOCK_BYTES = 1 << 20 };

int64_t container_blocks(const struct container_item *item)
{
	return (item->bytes + BLOCK_BYTES - 1) / BLOCK_BYTES;
}

bool group_count_blocks(struct txn *t, const struct group *g, int64_t more)
{
	struct group_item now = *g->item;
	now.blocks = now.blocks + more > 0 ? now.blocks + more : 0;
	now.with_blocks = now.blocks > 0;
	if (more > 0 && now.blocks > t->limits[LIMIT_GROUP_BYTES] / BLOCK_BYTES) {
		(void)txn_refuse(t, FAULT_QUOTA_EXCEEDED,
				 "the team's items take %lld bytes; delete some first",
				 (long long)t->limits[LIMIT_GROUP_BYTES]);
		(void)txn_bound(t, LIMIT_GROUP_BYTES);
		return false;
	}
	if (more != 0) {
		txn_put(t, ITEM_GROUP, g->id, NO_SK, &now);
	}
	return true;
}

struct container_entry container_show(struct slice id, const struct container_item *item)
{
	return (struct container_entry){.container_id = id,
					.container_name = item->container_name,
					.group_id = item->group_id,
					.items = item->items,
					.unestimated = item->unestimated,
					.with_unestimated = container_is_counted(item),
					.version = item->version};
}

/* ---- methods of one ---- */

enum txn_step on_CONTAINER_CREATE(struct txn *t)
{
	const struct container_create_params *p = t->params;
	struct group g;
	enum txn_step step = group_find(t, p->group_id, GROUP_MEMBER, &g);
	if (step != TXN_DONE) {
		return step;
	}
	if (g.item->containers >= t->limits[LIMIT_GROUP_CONTAINERS]) {
		(void)txn_refuse(t, FAULT_QUOTA_EXCEEDED,
				 "the team has %lld backlogs; delete one first",
				 (long long)g.item->containers);
		return txn_bound(t, LIMIT_GROUP_CONTAINERS);
	}
	struct slice id = public_id_make(t, "c_");
	struct group_item now = *g.item;
	now.containers++;
	struct container_item item = {
		.container_name = name_or(p->container_name, SLICE(CONTAINER_NAME_USUAL)),
		.group_id = g.id,
		.version = 1,
	};
	struct container_entry entry = container_show(id, &item);
	group_write(t, &g, now, (struct group_update){.containers = &entry, .containers_n = 1});
	txn_put_new(t, ITEM_GROUP_CONTAINER, g.id, id,
		    &(struct group_container_item){.container_id = id});
	txn_put_new(t, ITEM_CONTAINER, id, NO_SK, &item);
	*(struct container_create_result *)t->result =
		(struct container_create_result){.container_id = id};
	return TXN_DONE;
}

enum txn_step on_CONTAINER_GET(struct txn *t)
{
	const struct container_params *p = t->params;
	struct container c;
	enum txn_step step = container_find(t, caller_id(t), p->container_id, &c);
	if (step == TXN_DONE) {
		*(struct container_entry *)t->result = container_show(c.id, c.item);
	}
	return step;
}

/* The group's version counts it as well: its members see the names of its containers. */
enum txn_step on_CONTAINER_RENAME(struct txn *t)
{
	const struct container_rename_params *p = t->params;
	struct container c;
	enum txn_step step = container_find(t, caller_id(t), p->container_id, &c);
	if (step == TXN_DONE && !slice_eq(c.item->container_name, p->container_name)) {
		struct container_item now = *c.item;
		now.container_name = p->container_name;
		struct container_entry entry =
			container_write(t, &c, now, (struct container_update){.since = 0});
		group_write(t, &c.group, *c.group.item,
			    (struct group_update){.containers = &entry, .containers_n = 1});
	}
	return step;
}

/* ---- its end ---- */

enum txn_step container_end(struct txn *t, struct slice id, bool *is_gone)
{
	const struct container_item *item = txn_get(t, ITEM_CONTAINER, id, NO_SK);
	struct txn_items found =
		txn_list(t, ITEM_ITEM, id,
			 &(struct txn_page){.limit = (size_t)t->limits[LIMIT_REMOVAL_ITEMS]});
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	size_t left = (size_t)t->limits[LIMIT_REMOVAL_ITEMS] - found.n;
	struct txn_items keys = {.has_more = true};
	if (!found.has_more && left > 0) {
		keys = txn_list(t, ITEM_ITEM_KEY, id, &(struct txn_page){.limit = left});
	}
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	for (size_t i = 0; i < found.n; i++) {
		txn_delete(t, ITEM_ITEM, id, item_sk_rest(&found.items[i], ITEM_ITEM));
	}
	for (size_t i = 0; i < keys.n; i++) {
		txn_delete(t, ITEM_ITEM_KEY, id, item_sk_rest(&keys.items[i], ITEM_ITEM_KEY));
	}
	*is_gone = !keys.has_more;
	if (*is_gone) {
		txn_delete(t, ITEM_CONTAINER, id, NO_SK);
	} else if (item != NULL) {
		struct container_item now = *item;
		now.items = count_on(now.items, -(int64_t)found.n);
		now.with_items = now.items > 0;
		now.bytes = 0;
		now.with_bytes = false; /* the group counts them no more */
		now.is_deleted = true;
		now.expires_at = t->wall_ms + END_STEP_MS;
		txn_put(t, ITEM_CONTAINER, id, NO_SK, &now);
	}
	return TXN_DONE;
}

static txn_handler container_go_on;

/* A step of the end of a container that is deleted, if it still is there; the next one follows. */
static enum txn_step end_step(struct txn *t, struct slice id)
{
	const struct container_item *item = txn_get(t, ITEM_CONTAINER, id, NO_SK);
	bool is_gone;
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (item == NULL || !item->is_deleted) {
		return TXN_DONE;
	}
	enum txn_step step = container_end(t, id, &is_gone);
	if (step == TXN_DONE && !is_gone) {
		txn_then(t, SLICE("end of containers"), container_go_on, id);
	}
	return step;
}

static enum txn_step container_go_on(struct txn *t)
{
	const struct txn_next *next = t->params;
	return end_step(t, next->key);
}

enum txn_step container_expire(struct txn *t)
{
	const struct store_item *found = t->params;
	struct slice id = item_pk_rest(found, ITEM_CONTAINER);
	const struct container_item *item = txn_get(t, ITEM_CONTAINER, id, NO_SK);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	return item == NULL || item->expires_at > t->wall_ms ? TXN_DONE : end_step(t, id);
}

/* Answered when it is marked: from then on it does not exist for anyone, however many items are still to go. */
enum txn_step on_CONTAINER_DELETE(struct txn *t)
{
	const struct container_change_params *p = t->params;
	struct container c;
	enum txn_step step = container_find(t, caller_id(t), p->container_id, &c);
	if (step != TXN_DONE) {
		return step;
	}
	struct group_item group_now = *c.group.item;
	group_now.containers -= group_now.containers > 0;
	group_now.with_containers = group_now.containers > 0;
	group_now.blocks -= container_blocks(c.item);
	group_now.with_blocks = group_now.blocks > 0;
	group_write(t, &c.group, group_now,
		    (struct group_update){.gone = {.items = &c.id, .n = 1}});
	txn_delete(t, ITEM_GROUP_CONTAINER, c.group.id, c.id);

	struct container_item now = *c.item;
	now.is_deleted = true;
	now.expires_at = t->wall_ms + END_STEP_MS;
	(void)container_write(t, &c, now, (struct container_update){.since = 0});
	txn_then(t, SLICE("end of containers"), container_go_on, c.id);
	return TXN_DONE;
}

/* ---- listing ---- */

/*
 * Groups are read one after another until the page is full, and no more than fit a transaction's bounds: a page
 * may end before the last of them.
 */
#define LIST_GROUPS_MAX 12

static void page_ends(struct txn *t, struct container_page *page, struct slice group_id,
		      struct slice last)
{
	page->page.is_full = true;
	page->page.after.id = place_pair(t, group_id, last);
}

/* Add the containers of a group, those behind `after`. */
static enum txn_step page_add_group(struct txn *t, struct container_page *page,
				    struct slice group_id, struct slice after)
{
	struct txn_items found =
		txn_list(t, ITEM_GROUP_CONTAINER, group_id,
			 &(struct txn_page){.after = place_sk(t, ITEM_GROUP_CONTAINER, after),
					    .limit = page->page.limit - page->n});
	const struct group_item *group = group_get(t, group_id);
	for (size_t i = 0; i < found.n; i++) {
		(void)container_get(t, item_sk_rest(&found.items[i], ITEM_GROUP_CONTAINER));
	}
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	for (size_t i = 0; group != NULL && i < found.n; i++) {
		struct slice id = item_sk_rest(&found.items[i], ITEM_GROUP_CONTAINER);
		const struct container_item *item = container_get(t, id);
		if (item == NULL) {
			continue;
		}
		if (!list_takes(&page->page, LIST_ENTRY_BYTES + item->container_name.len)) {
			page_ends(t, page, group_id, after);
			return TXN_DONE;
		}
		page->entries[page->n++] = container_show(id, item);
		after = id;
	}
	if (group != NULL && found.has_more) {
		page_ends(t, page, group_id,
			  item_sk_rest(&found.items[found.n - 1], ITEM_GROUP_CONTAINER));
	}
	return TXN_DONE;
}

enum txn_step container_page_of(struct txn *t, struct slice group_id, struct slice after,
				struct container_page *page)
{
	*page = (struct container_page){.page = {.limit = MAX_TEAM_PAGE}};
	page->entries = list_entries(t, page->page.limit, sizeof(*page->entries));
	return page->entries == NULL ? TXN_REFUSED : page_add_group(t, page, group_id, after);
}

/* The same of the user's groups, from that of the place on. */
static enum txn_step page_add_groups(struct txn *t, struct container_page *page)
{
	const struct place *after = &page->page.after;
	struct slice first = place_of_pair(t, after, "g_", 0);
	size_t groups = 0;
	struct txn_items mine = txn_list(t, ITEM_MEMBERSHIP, caller_id(t),
					 &(struct txn_page){.limit = MAX_GROUPS_OF_USER});
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	for (size_t i = 0; i < mine.n && !page->page.is_full; i++) {
		struct slice group_id = item_sk_rest(&mine.items[i], ITEM_MEMBERSHIP);
		int order = slice_cmp(group_id, first);
		if (order < 0) {
			continue;
		}
		if (page->n == page->page.limit || groups++ == LIST_GROUPS_MAX) {
			page_ends(t, page, group_id, (struct slice){0});
			break;
		}
		enum txn_step step = page_add_group(t, page, group_id,
						    order == 0 ? place_of_pair(t, after, "c_", 1)
							       : (struct slice){0});
		if (step != TXN_DONE) {
			return step;
		}
	}
	return TXN_DONE;
}

enum txn_step on_CONTAINER_LIST(struct txn *t)
{
	const struct container_list_params *p = t->params;
	struct container_list_result *result = t->result;
	struct container_page page = {.n = 0};
	struct group g = {.item = NULL};
	enum txn_step step =
		p->with_group_id ? group_find(t, p->group_id, GROUP_MEMBER, &g) : TXN_DONE;
	if (step != TXN_DONE) {
		return step;
	}
	char list[96];
	size_t len = format_to(list, sizeof(list), "containers %.*s", (int)g.id.len,
			       g.id.len == 0 ? "" : g.id.data);
	if (!list_begin(t, &page.page, slice_of(list, len), p->cursor, p->with_limit, p->limit)) {
		return TXN_REFUSED;
	}
	page.entries = list_entries(t, page.page.limit, sizeof(*page.entries));
	if (page.entries == NULL) {
		return TXN_REFUSED;
	}
	struct slice after = place_of_pair(t, &page.page.after, "c_", 1);
	step = p->with_group_id ? page_add_group(t, &page, g.id, after) : page_add_groups(t, &page);
	if (step == TXN_DONE) {
		result->containers = page.entries;
		result->containers_n = page.n;
		result->cursor = list_end(t, &page.page, false);
	}
	return step;
}
