/*
 * room_facts.h - facts from the directory that a room's request needs before it can be decided.
 *
 * Rooms are in memory, groups are in the table. So a room says what it needs to know about the
 * caller (room_wants_facts() and room_create_wants() of room.h); the request waits while a
 * transaction reads that (room_facts_find), and then runs again with the facts. The facts are as
 * the table had them a moment ago, and nothing guards them: what must be true later is checked
 * later.
 */
#ifndef SERVER_DOMAIN_ROOM_FACTS_H
#define SERVER_DOMAIN_ROOM_FACTS_H

#include <stdbool.h>

#include "proto/base/slice.h"
#include "proto/base/words.h"
#include "store/items.h"

struct facts_wanted {
	struct slice group_id; /* the group in which the caller may be; empty: not wanted */
	/* the user of the caller's seat, who may have been removed from the group; likewise */
	struct slice seat_of;
	struct slice container_id, item_id; /* the item that the caller may read; likewise */
};

static inline bool facts_are_wanted(const struct facts_wanted *w)
{
	return w->group_id.len > 0 || w->item_id.len > 0;
}

/* Valid during the call that receives them. */
struct room_facts {
	struct slice user_id;  /* of the login that the facts are about; empty: none */
	struct slice group_id; /* in its stored spelling; empty: the caller is not in this group */
	enum group_role role;  /* the caller's role in it */
	struct slice seat_of;  /* as in facts_wanted */
	/* when that user was removed from the group; 0: they were not, or were admitted again */
	int64_t removed_on;
	/* as in facts_wanted; empty: no such item for the caller */
	struct slice container_id, item_id;
	struct slice item_name, item_note;
	struct slice item_quantity; /* with its unit, if that is not an estimate's: "1.5 l" */
	/* defaults of the group's new rooms; NULL: as without a group */
	const struct group_defaults_item *defaults;
};

/* Return whether the user is in this group with this role or a higher one. */
static inline bool facts_say(const struct room_facts *f, struct slice group_id, enum group_role least)
{
	return f != NULL && group_id.len > 0 && slice_eq(f->group_id, group_id) &&
	       (least != GROUP_OWNER || f->role == GROUP_OWNER);
}

#endif
