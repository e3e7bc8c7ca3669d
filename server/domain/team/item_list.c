/*
 * item_list.c - item.list, item.expiring.
 */
#include "server/domain/team/container.h"

#include "proto/base/format.h"
#include "server/domain/base/list_page.h"
#include "server/domain/directory.h"

/* Names, lengths and numbers of one item. */
#define ITEM_ENTRY_BYTES 256

static size_t bytes_of(const struct item_item *item)
{
	return ITEM_ENTRY_BYTES + item->name.len + item->unit.len + item->category.len +
	       item->note.len;
}

/* The page is read when the container has been: so the version is none that is later than what the page shows. */
enum txn_step on_ITEM_LIST(struct txn *t)
{
	const struct item_list_params *p = t->params;
	struct item_list_result *result = t->result;
	struct list_page page;
	struct container c;
	enum txn_step step = container_find(t, caller_id(t), p->container_id, &c);
	if (step != TXN_DONE) {
		return step;
	}
	if (!list_begin(t, &page, c.id, p->cursor, p->with_limit, p->limit)) {
		return TXN_REFUSED;
	}
	struct txn_items found =
		txn_list(t, ITEM_ITEM, c.id,
			 &(struct txn_page){.after = place_sk(t, ITEM_ITEM, page.after.id),
					    .limit = page.limit});
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	struct item_view *items = list_entries(t, found.n, sizeof(*items));
	if (items == NULL) {
		return TXN_REFUSED;
	}
	result->items = items;
	result->version = c.item->version;
	for (size_t i = 0; i < found.n; i++) {
		struct slice id = item_sk_rest(&found.items[i], ITEM_ITEM);
		const struct item_item *item = txn_decode(t, &found.items[i]);
		if (item != NULL && !list_takes(&page, bytes_of(item))) {
			break;
		}
		page.after.id = id;
		if (item != NULL) {
			items[result->items_n++] = item_show(t, id, item);
		}
	}
	result->cursor = list_end(t, &page, found.has_more);
	return TXN_DONE;
}

/*
 * The index is asked for items of the group from the earliest on; one whose container is deleted is none any more.
 * A place is the expiry of an item, its container and itself.
 */
enum txn_step on_ITEM_EXPIRING(struct txn *t)
{
	const struct item_expiring_params *p = t->params;
	struct item_expiring_result *result = t->result;
	struct list_page page;
	struct group g;
	enum txn_step step = group_find(t, p->group_id, GROUP_MEMBER, &g);
	if (step != TXN_DONE) {
		return step;
	}
	char list[96];
	size_t len = format_to(list, sizeof(list), "expiring %.*s %lld", (int)g.id.len, g.id.data,
			       (long long)p->before);
	if (!list_begin(t, &page, slice_of(list, len), p->cursor, p->with_limit, p->limit)) {
		return TXN_REFUSED;
	}
	struct txn_range range = {.limit = page.limit};
	if (page.after.id.len > 0) {
		range.after = txn_place(t, g.id, page.after.at, ITEM_ITEM,
					place_of_pair(t, &page.after, "c_", 0),
					place_of_pair(t, &page.after, "i_", 1));
	}
	struct txn_items found = txn_query(t, INDEX_ITEMS_BY_EXPIRY, g.id, &range);
	for (size_t i = 0; i < found.n; i++) {
		(void)container_get(t, item_pk_rest(&found.items[i], ITEM_ITEM));
	}
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	struct expiring_item *items = list_entries(t, found.n, sizeof(*items));
	if (items == NULL) {
		return TXN_REFUSED;
	}
	bool is_past = false;
	result->items = items;
	for (size_t i = 0; i < found.n; i++) {
		struct slice container_id = item_pk_rest(&found.items[i], ITEM_ITEM);
		struct slice id = item_sk_rest(&found.items[i], ITEM_ITEM);
		const struct item_item *item = txn_decode(t, &found.items[i]);
		if (item == NULL) {
			continue;
		}
		is_past = item->expiry >= p->before;
		if (is_past || !list_takes(&page, bytes_of(item))) {
			break;
		}
		page.after = (struct place){item->expiry, place_pair(t, container_id, id)};
		if (container_get(t, container_id) == NULL) {
			continue;
		}
		struct item_view v = item_show(t, id, item);
		items[result->items_n++] = (struct expiring_item){.container_id = container_id,
								  .item_id = v.item_id,
								  .name = v.name,
								  .unit = v.unit,
								  .quantity = v.quantity,
								  .category = v.category,
								  .expiry = v.expiry,
								  .note = v.note,
								  .created_at = v.created_at,
								  .updated_at = v.updated_at,
								  .revision = v.revision};
	}
	bool has_more = found.has_more && !is_past;
	if (has_more && !page.is_full) { /* behind the last, whatever it was */
		const struct store_item *last = &found.items[found.n - 1];
		page.after = (struct place){found.end, place_pair(t, item_pk_rest(last, ITEM_ITEM),
								  item_sk_rest(last, ITEM_ITEM))};
	}
	result->cursor = list_end(t, &page, has_more);
	return TXN_DONE;
}
