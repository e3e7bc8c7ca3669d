/*
 * group_rooms.c - rooms of groups: group.rooms, what a room asks about its caller, and its end with its group.
 */
#include "proto/base/format.h"
#include "proto/text/quantity.h"
#include "server/domain/base/list_page.h"
#include "server/domain/directory.h"
#include "server/domain/room_directory.h"
#include "server/domain/team/container.h"

/* Empty where it is an estimate, or may become one. */
static struct slice quantity_of(struct txn *t, const struct item_item *item)
{
	char number[QUANTITY_BYTES_MAX + 1];
	char text[QUANTITY_BYTES_MAX + 4 * MAX_ITEM_UNIT_CHARS + 2];
	if (quantity_is_estimate(item->with_quantity, item->unit)) {
		return (struct slice){0};
	}
	(void)quantity_write(item->quantity, number);
	size_t len = format_to(text, sizeof(text), "%s %.*s", number, (int)item->unit.len,
			       item->unit.data);
	return txn_copy(t, slice_of(text, len));
}

enum txn_step room_facts_find(struct txn *t)
{
	const struct facts_wanted *wanted = t->params;
	struct room_facts *facts = t->result;
	struct found_item f;
	struct group g;
	const struct removed_item *removed =
		wanted->seat_of.len == 0
			? NULL
			: txn_get(t, ITEM_REMOVED, wanted->group_id,
				  group_removed_sk(t, wanted->group_id, wanted->seat_of));
	facts->seat_of = wanted->seat_of;
	facts->removed_on = removed == NULL ? 0 : removed->updated_on;
	/* Of a caller who is not logged in, or has logged out while the request waited, there are no others. */
	if (t->session == NULL) {
		return txn_is_loading(t) ? TXN_MORE : TXN_DONE;
	}
	facts->user_id = caller_id(t);
	enum txn_step step = wanted->group_id.len == 0
				     ? TXN_REFUSED
				     : group_find(t, wanted->group_id, GROUP_MEMBER, &g);
	if (step == TXN_DONE) {
		facts->group_id = g.id;
		facts->role = g.mine->role;
		facts->defaults = g.item->with_defaults ? &g.item->defaults : NULL;
	}
	if (step != TXN_MORE && wanted->item_id.len > 0) {
		step = item_find(t, caller_id(t), wanted->container_id, wanted->item_id, &f);
		if (step == TXN_DONE) {
			facts->container_id = f.container.id;
			facts->item_id = f.id;
			facts->item_name = f.item->name;
			facts->item_note = f.item->note;
			facts->item_quantity = quantity_of(t, f.item);
		}
	}
	t->fault = (struct fault){0}; /* that there is nothing is a fact, too */
	return step == TXN_MORE || txn_is_loading(t) ? TXN_MORE : TXN_DONE;
}

/* A ROOM item may have 64 KiB, and a page of them has to fit a transaction. */
#define ROOMS_PAGE 32

enum txn_step on_GROUP_ROOMS(struct txn *t)
{
	const struct group_rooms_params *p = t->params;
	struct group_rooms_result *result = t->result;
	struct list_page page;
	struct group g;
	enum txn_step step = group_find(t, p->group_id, GROUP_MEMBER, &g);
	if (step != TXN_DONE) {
		return step;
	}
	char list[64];
	size_t len = format_to(list, sizeof(list), "rooms %.*s", (int)g.id.len, g.id.data);
	if (!list_begin(t, &page, slice_of(list, len), p->cursor, p->with_limit, p->limit)) {
		return TXN_REFUSED;
	}
	struct txn_range range = {.limit = page.limit < ROOMS_PAGE ? page.limit : ROOMS_PAGE,
				  .is_descending = true};
	if (page.after.id.len > 0) {
		range.after = txn_place(t, g.id, page.after.at, ITEM_ROOM, page.after.id, NO_SK);
	}
	struct txn_items found = txn_query(t, INDEX_ROOMS_OF_GROUP, g.id, &range);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	result->rooms = list_entries(t, found.n, sizeof(*result->rooms));
	if (result->rooms == NULL) {
		return TXN_REFUSED;
	}
	for (size_t i = 0; i < found.n; i++) {
		struct slice room_id = item_pk_rest(&found.items[i], ITEM_ROOM);
		const struct room_item *room = txn_decode(t, &found.items[i]);
		if (room == NULL) {
			continue;
		}
		result->rooms[result->rooms_n++] =
			(struct group_room){.room_id = room_id,
					    .title = room->title,
					    .round = room->round,
					    .users = (int64_t)txn_room_users(t, room_id),
					    .created_on = room->created_on};
	}
	if (found.has_more) {
		page.after = (struct place){found.end,
					    item_pk_rest(&found.items[found.n - 1], ITEM_ROOM)};
	}
	result->cursor = list_end(t, &page, found.has_more);
	return TXN_DONE;
}

enum txn_step group_of_room_look(struct txn *t)
{
	const struct txn_next *p = t->params;
	const struct group_item *group = group_get(t, follow_rest(p->key));
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (group == NULL) {
		txn_then_room(t, follow_room(p->key), room_end_with_group, follow_rest(p->key));
	}
	return TXN_DONE;
}
